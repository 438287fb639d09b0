import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.orc.util.BloomFilterUtf8;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;
import org.apache.spark.util.sketch.BloomFilter.Version;

/** Sizes, fills and queries the filters of each library by the library's own interface. */
final class Systems {
    /** A filter of longs, or of texts that are made from longs. */
    interface Filter {
        void insert(long key);

        boolean contains(long key);

        long bits();

        int hashes();
    }

    interface Builder {
        /** Returns an empty filter, or null if the library refuses to build one. */
        Filter build(int items, double rate, boolean text, long seed);
    }

    static Builder named(String name) {
        switch (name) {
            case "guava":
            case "guava-31":
                return (items, rate, text, seed) -> text
                        ? guava(Funnels.stringFunnel(UTF_8), Systems::text, items, rate)
                        : guava(Funnels.longFunnel(), key -> key, items, rate);
            case "datasketches":
                return Systems::dataSketches;
            case "spark-v1":
                return (items, rate, text, seed) -> spark(Version.V1, items, rate, text);
            case "spark-v2":
                return (items, rate, text, seed) -> spark(Version.V2, items, rate, text);
            case "parquet-java":
                return (items, rate, text, seed) -> parquet(items, rate, text);
            case "orc":
                return (items, rate, text, seed) -> orc(items, rate, text);
            case "stream-lib":
                return (items, rate, text, seed) -> streamLib(items, rate, text);
            case "hadoop":
                return Hadoop::build;
            default:
                throw new IllegalArgumentException("unknown system " + name);
        }
    }

    static String text(long key) {
        return HexFormat.of().toHexDigits(key);
    }

    /** Returns a filter that is filled, queried and measured by these methods of a library. */
    private static Filter filter(LongConsumer insert, LongPredicate contains, LongSupplier bits, IntSupplier hashes) {
        return new Filter() {
            public void insert(long key) {
                insert.accept(key);
            }

            public boolean contains(long key) {
                return contains.test(key);
            }

            public long bits() {
                return bits.getAsLong();
            }

            public int hashes() {
                return hashes.getAsInt();
            }
        };
    }

    private static <T> Filter guava(Funnel<? super T> funnel, LongFunction<T> key, int items, double rate) {
        BloomFilter<T> filter = BloomFilter.create(funnel, items, rate);
        // A written filter begins with a byte for the strategy, a byte for the number of hashes and four for the number of
        // words.
        return filter(
                number -> filter.put(key.apply(number)),
                number -> filter.mightContain(key.apply(number)),
                () -> 64L * start(6, filter::writeTo).getInt(2),
                () -> start(6, filter::writeTo).get(1) & 0xff);
    }

    private static Filter dataSketches(int items, double rate, boolean text, long seed) {
        org.apache.datasketches.filters.bloomfilter.BloomFilter filter =
                BloomFilterBuilder.createByAccuracy(items, rate, seed);
        return filter(
                text ? key -> filter.update(text(key)) : key -> filter.update(key),
                text ? key -> filter.query(text(key)) : key -> filter.query(key),
                filter::getCapacity,
                filter::getNumHashes);
    }

    private static Filter spark(Version version, int items, double rate, boolean text) {
        // This is what BloomFilter.create(items, rate) does for the default version and seed.
        long bits = org.apache.spark.util.sketch.BloomFilter.optimalNumOfBits(items, rate);
        org.apache.spark.util.sketch.BloomFilter filter =
                org.apache.spark.util.sketch.BloomFilter.create(version, items, bits, 0);
        // A written filter begins with four bytes for the version and four for the number of hashes.
        return filter(
                text ? key -> filter.putString(text(key)) : filter::putLong,
                text ? key -> filter.mightContainString(text(key)) : filter::mightContainLong,
                filter::bitSize,
                () -> start(8, filter::writeTo).getInt(4));
    }

    private static Filter parquet(int items, double rate, boolean text) {
        // This is how the writer of a column sizes a filter for an expected number of distinct values.
        int bytes = BlockSplitBloomFilter.optimalNumOfBits(items, rate) / 8;
        BlockSplitBloomFilter filter =
                new BlockSplitBloomFilter(bytes, ParquetProperties.DEFAULT_MAX_BLOOM_FILTER_BYTES);
        LongUnaryOperator hash = text ? key -> filter.hash(Binary.fromString(text(key))) : key -> filter.hash(key);
        return filter(
                key -> filter.insertHash(hash.applyAsLong(key)),
                key -> filter.findHash(hash.applyAsLong(key)),
                () -> 8L * filter.getBitsetSize(),
                () -> 8);
    }

    private static Filter orc(int items, double rate, boolean text) {
        BloomFilterUtf8 filter = new BloomFilterUtf8(items, rate);
        return filter(
                text ? key -> filter.addString(text(key)) : filter::addLong,
                text ? key -> filter.testString(text(key)) : filter::testLong,
                filter::getBitSize,
                filter::getNumHashFunctions);
    }

    /** Returns an empty filter. The library takes only bytes and text, so an integer is its eight bytes. */
    private static Filter streamLib(int items, double rate, boolean text) {
        com.clearspring.analytics.stream.membership.BloomFilter filter;
        try {
            filter = new com.clearspring.analytics.stream.membership.BloomFilter(items, rate);
        } catch (UnsupportedOperationException refusal) {
            return null;
        }
        LongFunction<byte[]> bytes = key -> ByteBuffer.allocate(8).putLong(key).array();
        return filter(
                text ? key -> filter.add(text(key)) : key -> filter.add(bytes.apply(key)),
                text ? key -> filter.isPresent(text(key)) : key -> filter.isPresent(bytes.apply(key)),
                filter::buckets,
                filter::getHashCount);
    }

    private interface Written {
        void to(OutputStream stream) throws IOException;
    }

    /** Returns the first {@code length} bytes of what {@code written} writes, without keeping the rest in memory. */
    private static ByteBuffer start(int length, Written written) {
        ByteBuffer first = ByteBuffer.allocate(length);
        OutputStream stream = new OutputStream() {
            public void write(int octet) {
                if (first.hasRemaining()) {
                    first.put((byte) octet);
                }
            }

            public void write(byte[] bytes, int from, int count) {
                first.put(bytes, from, Math.min(count, first.remaining()));
            }
        };
        try (DataOutputStream data = new DataOutputStream(stream)) {
            written.to(data);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return first;
    }
}
