import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongPredicate;

/**
 * Loads a filter of Spark or Guava and queries it with longs, for the benchmark. It is started by "java Peer spark|guava FILE",
 * and then reads one command per line from the standard input. The command "keys FILE" loads longs (highest byte first) and
 * prints "0 0". The command "run" queries them all, and prints the number of positive answers and the nanoseconds of processor
 * time.
 */
public final class Peer {
    public static void main(String[] arguments) throws Exception {
        LongPredicate filter;
        try (FileInputStream file = new FileInputStream(arguments[1])) {
            filter = arguments[0].equals("spark")
                    ? org.apache.spark.util.sketch.BloomFilter.readFrom(file)::mightContainLong
                    : BloomFilter.readFrom(file, Funnels.longFunnel())::mightContain;
        }
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        long[] keys = {};
        for (String line; (line = commands.readLine()) != null;) {
            if (line.equals("run")) {
                long start = clock.getCurrentThreadCpuTime();
                int found = found(filter, keys);
                System.out.println(found + " " + (clock.getCurrentThreadCpuTime() - start));
            } else {
                ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(Path.of(line.substring("keys ".length()))));
                keys = new long[bytes.remaining() / Long.BYTES];
                bytes.asLongBuffer().get(keys);
                System.out.println("0 0");
            }
        }
    }

    private static int found(LongPredicate filter, long[] keys) {
        int found = 0;
        for (long key : keys) {
            if (filter.test(key)) {
                found++;
            }
        }
        return found;
    }
}
