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
import java.util.function.LongFunction;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.orc.util.BloomFilterUtf8;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;
import org.apache.spark.util.sketch.BloomFilter.Version;

/** The systems: how each is sized, filled and queried by its own interface. */
final class Systems {
    /** A filter of longs, or of texts that are made of longs. */
    interface Filter {
        void insert(long key);

        boolean contains(long key);

        long bits();

        int hashes();
    }

    interface Builder {
        /** Returns an empty filter, or null if the system refuses to build one. */
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

    private static <T> Filter guava(Funnel<? super T> funnel, LongFunction<T> key, int items, double rate) {
        BloomFilter<T> filter = BloomFilter.create(funnel, items, rate);
        return new Filter() {
            public void insert(long number) {
                filter.put(key.apply(number));
            }

            public boolean contains(long number) {
                return filter.mightContain(key.apply(number));
            }

            // A file begins with one byte for the strategy, one for the hashes and four for the words.
            public long bits() {
                return 64L * start(6, filter::writeTo).getInt(2);
            }

            public int hashes() {
                return start(6, filter::writeTo).get(1) & 0xff;
            }
        };
    }

    private static Filter dataSketches(int items, double rate, boolean text, long seed) {
        org.apache.datasketches.filters.bloomfilter.BloomFilter filter =
                BloomFilterBuilder.createByAccuracy(items, rate, seed);
        return new Filter() {
            public void insert(long key) {
                if (text) {
                    filter.update(text(key));
                } else {
                    filter.update(key);
                }
            }

            public boolean contains(long key) {
                return text ? filter.query(text(key)) : filter.query(key);
            }

            public long bits() {
                return filter.getCapacity();
            }

            public int hashes() {
                return filter.getNumHashes();
            }
        };
    }

    private static Filter spark(Version version, int items, double rate, boolean text) {
        // What BloomFilter.create(items, rate) does for the default version and seed.
        long bits = org.apache.spark.util.sketch.BloomFilter.optimalNumOfBits(items, rate);
        org.apache.spark.util.sketch.BloomFilter filter =
                org.apache.spark.util.sketch.BloomFilter.create(version, items, bits, 0);
        return new Filter() {
            public void insert(long key) {
                if (text) {
                    filter.putString(text(key));
                } else {
                    filter.putLong(key);
                }
            }

            public boolean contains(long key) {
                return text ? filter.mightContainString(text(key)) : filter.mightContainLong(key);
            }

            public long bits() {
                return filter.bitSize();
            }

            // A file begins with four bytes for the version and four for the hashes.
            public int hashes() {
                return start(8, filter::writeTo).getInt(4);
            }
        };
    }

    private static Filter parquet(int items, double rate, boolean text) {
        // As the writer of a column sizes it for an expected number of distinct values.
        int bytes = BlockSplitBloomFilter.optimalNumOfBits(items, rate) / 8;
        BlockSplitBloomFilter filter =
                new BlockSplitBloomFilter(bytes, ParquetProperties.DEFAULT_MAX_BLOOM_FILTER_BYTES);
        return new Filter() {
            private long hash(long key) {
                return text ? filter.hash(Binary.fromString(text(key))) : filter.hash(key);
            }

            public void insert(long key) {
                filter.insertHash(hash(key));
            }

            public boolean contains(long key) {
                return filter.findHash(hash(key));
            }

            public long bits() {
                return 8L * filter.getBitsetSize();
            }

            public int hashes() {
                return 8;
            }
        };
    }

    private static Filter orc(int items, double rate, boolean text) {
        BloomFilterUtf8 filter = new BloomFilterUtf8(items, rate);
        return new Filter() {
            public void insert(long key) {
                if (text) {
                    filter.addString(text(key));
                } else {
                    filter.addLong(key);
                }
            }

            public boolean contains(long key) {
                return text ? filter.testString(text(key)) : filter.testLong(key);
            }

            public long bits() {
                return filter.getBitSize();
            }

            public int hashes() {
                return filter.getNumHashFunctions();
            }
        };
    }

    /** The library takes bytes and text alone: an integer is its eight bytes. */
    private static Filter streamLib(int items, double rate, boolean text) {
        com.clearspring.analytics.stream.membership.BloomFilter filter;
        try {
            filter = new com.clearspring.analytics.stream.membership.BloomFilter(items, rate);
        } catch (UnsupportedOperationException refusal) {
            return null;
        }
        return new Filter() {
            private byte[] bytes(long key) {
                return ByteBuffer.allocate(8).putLong(key).array();
            }

            public void insert(long key) {
                if (text) {
                    filter.add(text(key));
                } else {
                    filter.add(bytes(key));
                }
            }

            public boolean contains(long key) {
                return text ? filter.isPresent(text(key)) : filter.isPresent(bytes(key));
            }

            public long bits() {
                return filter.buckets();
            }

            public int hashes() {
                return filter.getHashCount();
            }
        };
    }

    private interface Written {
        void to(OutputStream stream) throws IOException;
    }

    /** Returns the first bytes of what is written, without the memory for the rest. */
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
