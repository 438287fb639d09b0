import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BloomMapFile;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.util.bloom.DynamicBloomFilter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;

/**
 * Builds Hadoop's filters. Only the writer of a BloomMapFile computes m from n and p, so m is read from a private field of a
 * filter that such a writer builds.
 */
final class Hadoop {
    /** The bits of a row, by items and rate. A filter consists of rows, and adds one whenever the last row has its n items. */
    private static final Map<List<Number>, Integer> ROWS = new HashMap<>();

    /** Returns an empty filter. Hadoop takes only bytes, so an integer is its eight bytes. */
    static Systems.Filter build(int items, double rate, boolean text, long seed) {
        int row = ROWS.computeIfAbsent(List.of(items, rate), request -> row(items, rate));
        DynamicBloomFilter filter = new DynamicBloomFilter(row, BloomMapFile.HASH_COUNT, Hash.MURMUR_HASH, items);
        return new Systems.Filter() {
            private Key key(long key) {
                return new Key(text ? Systems.text(key).getBytes(UTF_8) : ByteBuffer.allocate(8).putLong(key).array());
            }

            public void insert(long key) {
                filter.add(key(key));
            }

            public boolean contains(long key) {
                return filter.membershipTest(key(key));
            }

            public long bits() {
                return (long) row * Array.getLength(read(filter, "matrix"));
            }

            public int hashes() {
                return BloomMapFile.HASH_COUNT;
            }
        };
    }

    private static int row(int items, double rate) {
        Configuration configuration = new Configuration();
        configuration.setInt("io.mapfile.bloom.size", items);
        configuration.setFloat("io.mapfile.bloom.error.rate", (float) rate);
        try {
            Path folder = new Path(Files.createTempDirectory("measured").toUri());
            BloomMapFile.Writer writer = new BloomMapFile.Writer(configuration, folder,
                    MapFile.Writer.keyClass(LongWritable.class), MapFile.Writer.valueClass(NullWritable.class));
            int bits = (int) read(read(writer, "bloomFilter"), "vectorSize");
            writer.close();
            FileUtil.fullyDelete(new java.io.File(folder.toUri()));
            return bits;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the value of a private field, which the class of the object or one of its superclasses declares. */
    private static Object read(Object object, String name) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field.get(object);
            } catch (NoSuchFieldException inherited) {
                continue;
            } catch (IllegalAccessException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        throw new IllegalArgumentException("no field " + name);
    }
}
