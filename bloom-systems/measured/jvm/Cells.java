import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Measures the filters of a library: their false-positive rates, and their sizes for a list of requests. A cell is the rate for
 * one combination of kind of key, n, p and number of inserted items.
 */
final class Cells {
    private static final int[] ITEMS = {1, 10, 20, 50, 100, 500, 1_000, 5_000, 100_000};
    private static final String[] RATES = {"0.1", "0.01", "0.001", "0.0001", "1e-5"};

    /** The numbers of inserted items, as multiples of the n that the filter was sized for. */
    private static final int[] FILLS = {1, 3};

    /** The number of filters that are measured between two checks whether the cell is done. */
    private static final int BATCH = 30;

    /**
     * A cell is done at the latest at the first check after this many insertions and queries. The limit is a number and not a
     * time, so that each run gives the same cells.
     */
    private static final double MAX_OPERATIONS = 2e8;

    /** Returns a header and a line for each cell. Keys are longs, or texts of the 16 hexadecimal digits of a long. */
    static String rates(Systems.Builder builder) {
        StringBuilder lines = new StringBuilder("keys,n,p,items,m,k,rate,deviation,filters,queries\n");
        for (boolean text : new boolean[] {false, true}) {
            for (int items : ITEMS) {
                for (String rate : RATES) {
                    for (int fill : FILLS) {
                        // With PART, only filters for an n of at most 20 and a p of 0.1 or 0.01 are measured.
                        if (System.getenv("PART") != null && (items > 20 || Double.parseDouble(rate) < 0.01)) {
                            continue;
                        }
                        String cell = cell(builder, text, items, Double.parseDouble(rate), fill * items);
                        if (cell != null) {
                            String keys = text ? "text" : "integers";
                            String line = String.format("%s,%d,%s,%d,%s\n", keys, items, rate, fill * items, cell);
                            System.err.print(line);
                            lines.append(line);
                        }
                    }
                }
            }
        }
        return lines.toString();
    }

    /** Returns the last fields of a cell's line, m,k,rate,deviation,filters,queries; null if the library refuses. */
    private static String cell(Systems.Builder builder, boolean text, int items, double rate, int inserted) {
        int queries = Math.max(10 * items, 4_000);
        double aim = rate >= 1e-4 ? 0.03 : 0.05;
        // The output of this generator never repeats within 2^64 numbers, so all keys of a cell are distinct.
        SplittableRandom random = new SplittableRandom((long) items << 32 ^ Double.doubleToLongBits(rate) ^ inserted);
        long filters = 0;
        double sum = 0, squares = 0;
        while (true) {
            Systems.Filter filter = null;
            for (int i = 0; i < BATCH; i++) {
                filter = builder.build(items, rate, text, random.nextLong());
                if (filter == null) {
                    return null;
                }
                for (int j = 0; j < inserted; j++) {
                    filter.insert(random.nextLong());
                }
                int hits = 0;
                for (int j = 0; j < queries; j++) {
                    hits += filter.contains(random.nextLong()) ? 1 : 0;
                }
                sum += hits;
                squares += (double) hits * hits;
            }
            filters += BATCH;
            double mean = sum / filters;
            // The standard error of the mean number of hits of a filter. It includes the differences between filters.
            double deviation = Math.sqrt(Math.max(squares - filters * mean * mean, 0) / (filters - 1) / filters);
            double operations = (double) filters * (inserted + queries);
            double needed = operations * Math.pow(deviation / mean / aim, 2);
            boolean hopeless = operations > MAX_OPERATIONS / 5 && (mean == 0 || needed > 5 * MAX_OPERATIONS);
            if (mean > 0 && deviation <= aim * mean || operations > MAX_OPERATIONS || hopeless) {
                return String.format(Locale.ROOT, "%d,%d,%.3e,%.3e,%d,%d", filter.bits(), filter.hashes(),
                        mean / queries, deviation / queries, filters, filters * queries).replace("e-0", "e-");
            }
        }
    }

    /** Returns the text of a file with the sizes of the filters that a library builds for the requests. */
    static String sizes(Systems.Builder builder, List<String> requests) {
        StringBuilder lines = new StringBuilder("n,p,m,k\n");
        for (String request : requests.subList(1, requests.size())) {
            String[] fields = request.split(",");
            Systems.Filter filter = builder.build(Integer.parseInt(fields[0]), Double.parseDouble(fields[1]), false, 1);
            String size = filter == null ? "," : filter.bits() + "," + filter.hashes();
            lines.append(request).append(',').append(size).append('\n');
        }
        return lines.toString();
    }
}
