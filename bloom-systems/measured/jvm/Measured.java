import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Measures the filters of libraries for the JVM. {@code Measured REQUESTS FOLDER NAME...} writes two files for each named
 * library: the false-positive rates of its filters, and the sizes of its filters for the pairs of n and p in the file REQUESTS.
 * Systems.java builds the filters, and Cells.java measures them.
 */
final class Measured {
    public static void main(String[] arguments) throws IOException {
        List<String> requests = Files.readAllLines(Path.of(arguments[0]));
        Path folder = Path.of(arguments[1]);
        for (String name : Arrays.asList(arguments).subList(2, arguments.length)) {
            Systems.Builder builder = Systems.named(name);
            Files.writeString(folder.resolve(name + ".sizes.csv"), Cells.sizes(builder, requests));
            Files.writeString(folder.resolve(name + ".rates.csv"), Cells.rates(builder));
        }
    }
}
