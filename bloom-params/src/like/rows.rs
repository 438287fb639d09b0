//! How libraries size their filters: one row each, read in the source that the row names.
//!
//! A row is data; `rule.rs` defines its terms and `build.rs` applies it. Constants are those of the
//! library, because a last digit of (ln 2)^2 can decide about a bit or a hash.

use std::f64::consts::LN_2;

use bloom_systems::Positions;
use bloom_systems::double_hashing::Scheme;

use super::call::{Language, NO_CALL, Template};
use super::rule::{Bits, Full, Hashes, Library, NoHash, RateStep, Rounded, Step, Takes};
use crate::filters::Filter;

/// (ln 2)^2 as most libraries compute it.
const SQUARE: f64 = LN_2 * LN_2;

/// The bits of the largest Java array of longs.
const JAVA_LONGS: u128 = 64 * ((1 << 31) - 1);

/// The most bits that a question may have.
const MOST: u128 = 1 << 63;

/// The most common rule; each row states where its library differs.
const USUAL: Library = Library {
    name: "",
    version: "",
    source: "",
    note: "",
    takes: Takes::Rate,
    rate: &[],
    bits: Bits::Usual(SQUARE, Rounded::Down),
    steps: &[],
    hashes: Hashes::OfWhole(Rounded::Nearest),
    no_hash: NoHash::One,
    most_items: u64::MAX,
    most_bits: MOST,
    most_hashes: u64::MAX,
    full: Full::TakesMore,
    layout: Filter::Classic,
    call: NO_CALL,
    positions: Positions::Independent,
};

/// Every known library.
pub static LIBRARIES: &[Library] = &[
    Library {
        name: "guava",
        version: "after 33.4",
        source: "google/guava, common/hash/BloomFilter.java and BloomFilterStrategies.java at 008e78e7",
        note: "until late in 2024 k came from m and n as in Spark; the two differ only for few items",
        steps: &[Step::Up(64)],
        hashes: Hashes::OfRate(Rounded::Nearest),
        most_bits: JAVA_LONGS,
        most_hashes: 255,
        call: Template {
            language: Language::Java,
            rate: "BloomFilter.create(Funnels.stringFunnel(UTF_8), {n}, {p})",
            code: "\
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;

BloomFilter<CharSequence> filter =
    {call};",
            ..NO_CALL
        },
        positions: Positions::Double(Scheme::Wrapping { bits: 63 }),
        ..USUAL
    },
    Library {
        name: "spark",
        version: "4.1",
        source: "apache/spark, common/sketch BloomFilter.java and BitArray.java at 013bfe4f",
        note: "this is BloomFilter.create; df.stat.bloomFilter caps it, see --like spark-dataframe; before 4.1 positions \
               had 31 bits: beyond 2^31 bits the rate was far higher than this",
        takes: Takes::RateOrBits,
        steps: &[Step::Up(64)],
        most_bits: JAVA_LONGS,
        call: Template {
            language: Language::Java,
            rate: "BloomFilter.create({n}, {p})",
            bits: "BloomFilter.create({n}, {m})",
            code: "\
import org.apache.spark.util.sketch.BloomFilter;

BloomFilter filter = {call};",
        },
        positions: Positions::Double(Scheme::Modular { bits: 32 }),
        ..USUAL
    },
    Library {
        name: "spark-dataframe",
        version: "4.3",
        source: "apache/spark, DataFrameStatFunctions.scala at 43a3e513 and BloomFilterAggregate.scala; its sizes in Spark 4.3.0",
        note: "df.stat.bloomFilter of Spark 4 takes at most 4,000,000 items and 67,108,864 bits, without a word; \
               spark.sql.optimizer.runtime.bloomFilter.maxNumItems and .maxNumBits raise that",
        takes: Takes::RateOrBits,
        steps: &[Step::AtMost(DATA_FRAME_BITS), Step::Up(64)],
        hashes: Hashes::OfBounded {
            bits: DATA_FRAME_BITS,
            items: 4_000_000,
        },
        most_bits: JAVA_LONGS,
        call: Template {
            language: Language::Java,
            rate: "df.stat().bloomFilter(\"column\", {n}, {p})",
            bits: "df.stat().bloomFilter(\"column\", {n}, {m})",
            code: "\
import org.apache.spark.util.sketch.BloomFilter;

BloomFilter filter = {call};",
        },
        positions: Positions::Double(Scheme::Modular { bits: 32 }),
        ..USUAL
    },
    Library {
        name: "redis",
        note: "plain BF.RESERVE: this is the first filter, sized for p/2",
        rate: &[RateStep::AtMost(0.25), RateStep::Times(0.5)],
        full: Full::Grows {
            items: 2,
            rate: 0.5,
        },
        call: Template {
            language: Language::Other,
            rate: "BF.RESERVE key {p} {n}",
            ..NO_CALL
        },
        ..REDIS
    },
    Library {
        name: "redis-nonscaling",
        note: "BF.RESERVE with NONSCALING; once it holds n items BF.ADD is refused",
        rate: &[RateStep::AtMost(0.25)],
        full: Full::Refuses,
        call: Template {
            language: Language::Other,
            rate: "BF.RESERVE key {p} {n} NONSCALING",
            ..NO_CALL
        },
        ..REDIS
    },
    Library {
        name: "valkey",
        version: "1.0",
        source: "valkey-io/valkey-bloom, src/bloom/utils.rs at 03edcf73, and the crate bloomfilter 3.0.2",
        note: "BF.RESERVE; with NONSCALING the same filter refuses more than n items; by default a key takes at most \
               128 MiB with all the filters that it adds",
        full: Full::Grows {
            items: 2,
            rate: 0.5,
        },
        // 128 MiB for the object, 264 bytes of which are not bits.
        most_bits: 8 * ((128 << 20) - 264),
        call: Template {
            language: Language::Other,
            rate: "BF.RESERVE key {p} {n}",
            ..NO_CALL
        },
        takes: Takes::Rate,
        ..BLOOMFILTER
    },
    Library {
        name: "parquet",
        version: "60.1.0",
        source: "apache/arrow-rs, the crate parquet 60.1.0, src/bloom_filter/mod.rs",
        note: "the rule assumes equally full blocks; when a column is written, an emptier filter is \
               folded to a smaller one",
        steps: &[
            Step::Down(8),
            Step::AtLeast(256),
            Step::AtMost(1 << 30),
            Step::PowerOfTwo,
        ],
        call: Template {
            language: Language::Rust,
            rate: "WriterProperties::builder().set_bloom_filter_max_ndv({n}).set_bloom_filter_fpp({p}).build()",
            ..NO_CALL
        },
        ..SPLIT_BLOCK
    },
    Library {
        name: "parquet-java",
        version: "1.19.0",
        source: "apache/parquet-java, BlockSplitBloomFilter.java and ColumnValueCollector.java at a3a1de15",
        note: "with the default parquet.bloom.filter.max.bytes, 1 MiB",
        steps: &[
            Step::AtMost(1 << 30),
            Step::Add(255),
            Step::Clear(256),
            Step::AtLeast(256),
            Step::Down(8),
            Step::PowerOfTwo,
            Step::AtMost(1 << 23),
        ],
        call: Template {
            language: Language::Other,
            rate: "parquet.bloom.filter.expected.ndv#column={n}\nparquet.bloom.filter.fpp#column={p}",
            ..NO_CALL
        },
        ..SPLIT_BLOCK
    },
    Library {
        name: "rocksdb",
        version: "11.9",
        source: "facebook/rocksdb, filter_policy.cc (FastLocalBloom) and bloom_impl.h at 1dfa7297",
        note: "m/n is taken from 1 to 100; with optimize_filters_for_memory, the default, sizes follow the allocator and keep this rate \
               on average; at 10 bits per item its authors measured 0.957 %, and this model has 0.966 %",
        takes: Takes::Bits,
        bits: Bits::Thousandths,
        steps: &[Step::AtMost(0xffff_ffc0 * 8), Step::Up(512)],
        hashes: Hashes::Probes,
        layout: Filter::PlainBlocked { block_bits: 512 },
        call: Template {
            language: Language::Other,
            bits: "NewBloomFilterPolicy({m/n})",
            ..NO_CALL
        },
        ..USUAL
    },
    Library {
        name: "cassandra",
        version: "trunk",
        source: "apache/cassandra, BloomCalculations.java at 1c055686, FilterFactory.java at 52ab6b74, \
                 OffHeapBitSet.java at 457832e9; BloomFilter.java",
        note: "p of 0.393 and more gets 1 bit and 2 hashes per item, because two numbers are in the wrong order",
        bits: Bits::Table,
        steps: &[Step::Add(20), Step::Up(64)],
        hashes: Hashes::Table,
        most_bits: JAVA_LONGS,
        call: Template {
            language: Language::Other,
            rate: "ALTER TABLE my_table WITH bloom_filter_fp_chance = {p};",
            ..NO_CALL
        },
        positions: Positions::Double(Scheme::Reflected),
        ..USUAL
    },
    Library {
        name: "fastbloom",
        version: "0.17.0",
        source: "the crate fastbloom 0.17.0, src/builder.rs and src/lib.rs",
        note: "its smallest filter, 44 hashes in 64 bits, was measured at 1.18 times the rate of ideal hashes, with three items",
        takes: Takes::RateOrBits,
        bits: Bits::Usual(SQUARE, Rounded::UpToBytes),
        steps: &[Step::AtLeast(64), Step::Up(64)],
        hashes: Hashes::OfStored(Rounded::Nearest),
        call: Template {
            language: Language::Rust,
            rate: "BloomFilter::with_false_pos({p}).expected_items({n})",
            bits: "BloomFilter::with_num_bits({m}).expected_items({n})",
            ..NO_CALL
        },
        ..USUAL
    },
    Library {
        name: "bloomfilter",
        call: Template {
            language: Language::Rust,
            rate: "Bloom::<str>::new_for_fp_rate({n}, {p})?",
            bits: "Bloom::<str>::new({bytes}, {n})?",
            ..NO_CALL
        },
        ..BLOOMFILTER
    },
    Library {
        name: "sbbf-rs-safe",
        version: "0.3.2",
        source: "the crate sbbf-rs-safe 0.3.2, src/lib.rs",
        takes: Takes::WholeBitsPerItem,
        bits: Bits::Given,
        steps: &[Step::Down(8), Step::Up(256), Step::AtLeast(256)],
        call: Template {
            language: Language::Rust,
            bits: "Filter::new({m/n}, {n})",
            ..NO_CALL
        },
        ..SPLIT_BLOCK
    },
    Library {
        name: "bits-and-blooms",
        version: "3.7.1",
        source: "bits-and-blooms/bloom, bloom.go at v3.7.1",
        bits: Bits::Usual(SQUARE, Rounded::Up),
        hashes: Hashes::OfWhole(Rounded::Up),
        positions: Positions::FourHashes,
        call: Template {
            language: Language::Go,
            rate: "bloom.NewWithEstimates({n}, {p})",
            code: "\
import \"github.com/bits-and-blooms/bloom/v3\"

filter := {call}",
            ..NO_CALL
        },
        ..USUAL
    },
    Library {
        name: "bits-and-blooms-1",
        version: "before 2.0.0",
        source: "bits-and-blooms/bloom (willf/bloom then), bloom.go at 0418c9cb",
        note: "its two hashes were the halves of 64-bit FNV-1: 32 bits each",
        hashes: Hashes::OfWhole(Rounded::Up),
        no_hash: NoHash::Kept,
        call: Template {
            language: Language::Go,
            rate: "bloom.NewWithEstimates({n}, {p})",
            code: "\
import \"github.com/willf/bloom\"

filter := {call}",
            ..NO_CALL
        },
        positions: Positions::Double(Scheme::Modular { bits: 32 }),
        ..USUAL
    },
    Library {
        name: "datasketches",
        version: "6.2.0",
        source: "apache/datasketches-java, BloomFilterBuilder.java and BloomFilter.java at 6.2.0",
        note: "as in Java; C++ rounds k = -log2 p up; limited here to 2^32 bits: in a larger filter the library sets none beyond them",
        bits: Bits::Usual(SQUARE, Rounded::Up),
        steps: &[Step::Up(64)],
        hashes: Hashes::OfWhole(Rounded::Up),
        most_bits: 1 << 32,
        most_hashes: 32_767,
        positions: Positions::Halved,
        call: Template {
            language: Language::Java,
            rate: "BloomFilterBuilder.createByAccuracy({n}, {p})",
            code: "\
import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;

BloomFilter filter = {call};",
            ..NO_CALL
        },
        ..USUAL
    },
    Library {
        name: "dcso",
        version: "0.2.4",
        source: "DCSO/bloom, bloom.go at v0.2.4",
        note: "each position depends on the one before: the rate is many times that of ideal hashes where m is a power of \
               two or a small multiple of one",
        hashes: Hashes::OfWhole(Rounded::Up),
        positions: Positions::Walk,
        call: Template {
            language: Language::Go,
            rate: "bloom.Initialize({n}, {p})",
            code: "\
import \"github.com/DCSO/bloom\"

filter := {call}",
            ..NO_CALL
        },
        ..USUAL
    },
    Library {
        name: "rbloom",
        version: "1.5.4",
        source: "KenanHanke/rbloom, src/lib.rs at v1.5.4",
        note: "k is rounded down",
        steps: &[Step::Up(8)],
        hashes: Hashes::OfBitsPerItem(LN_2, Rounded::Down),
        no_hash: NoHash::Kept,
        call: Template {
            language: Language::Python,
            rate: "Bloom({n}, {p})",
            code: "\
from rbloom import Bloom

bloom = {call}",
            ..NO_CALL
        },
        ..USUAL
    },
    Library {
        name: "pyprobables",
        version: "0.7.0",
        source: "barrust/pyprobables, probables/blooms/bloom.py at v0.7.0",
        note: "p is kept as a single-precision number",
        rate: &[RateStep::Single],
        bits: Bits::Usual(0.480_453_013_918_2, Rounded::Up),
        no_hash: NoHash::Refused,
        call: Template {
            language: Language::Python,
            rate: "BloomFilter(est_elements={n}, false_positive_rate={p})",
            code: "\
from probables import BloomFilter

bloom = {call}",
            ..NO_CALL
        },
        ..USUAL
    },
    Library {
        name: "golang-implemented",
        version: "as printed",
        source: "the document \"A Golang Implemented Bloom Filter\"",
        note: "its two hashes are the halves of 64-bit FNV-1: 32 bits each",
        // ln(2^(ln 2)), one unit in the last place above the square.
        bits: Bits::Usual(0.480_453_013_918_201_44, Rounded::Up),
        no_hash: NoHash::Kept,
        call: Template {
            language: Language::Go,
            rate: "NewBloomFilter({k}, {m})",
            ..NO_CALL
        },
        positions: Positions::Double(Scheme::Wrapping { bits: 32 }),
        ..USUAL
    },
    Library {
        name: "to-visit-queue",
        version: "as printed",
        source: "the document \"Probabilistic to-visit Queue\"",
        hashes: Hashes::OfRate(Rounded::Up),
        call: Template {
            language: Language::Rust,
            rate: "Filter::new({n}, {p})",
            ..NO_CALL
        },
        positions: Positions::Double(Scheme::Wrapping { bits: 64 }),
        ..USUAL
    },
    Library {
        name: "large-data",
        version: "as printed",
        source: "the document \"BloomFilter, a tool for large data\"",
        note: "its seven polynomial hashes are far from uniform, so its rate is higher than this",
        takes: Takes::OneSize,
        bits: Bits::Fixed(1 << 25),
        hashes: Hashes::Fixed(7),
        call: Template {
            language: Language::Java,
            rate: "new BloomFilter()",
            ..NO_CALL
        },
        ..USUAL
    },
];

/// The most bits of `df.stat.bloomFilter`, by default.
const DATA_FRAME_BITS: u128 = 64 << 20;

/// The crate bloomfilter, which Valkey uses, too.
const BLOOMFILTER: Library = Library {
    version: "3.0.2",
    source: "the crate bloomfilter 3.0.2, src/lib.rs",
    takes: Takes::RateOrBits,
    bits: Bits::Usual(SQUARE, Rounded::UpToBytes),
    hashes: Hashes::OfStored(Rounded::Nearest),
    positions: Positions::Double(Scheme::WrappingWithoutSecond { bits: 64 }),
    ..USUAL
};

/// Blocks of 256 bits, with a bit in each of 8 lanes.
const SPLIT_BLOCK: Library = Library {
    bits: Bits::EvenBlocks(Rounded::Down),
    hashes: Hashes::Fixed(8),
    layout: Filter::SplitBlock { block_bits: 256 },
    ..USUAL
};

/// The bits and hashes of Redis, whose constants have 15 digits.
#[expect(
    clippy::approx_constant,
    reason = "the digits that the library has decide about a hash"
)]
const REDIS: Library = Library {
    version: "8.8",
    source: "RedisBloom/RedisBloom, deps/bloom/bloom.c, src/sb.c and src/rebloom.c at b28c2945",
    bits: Bits::UsualPerItem(0.480_453_013_918_201, Rounded::Down),
    steps: &[Step::AtLeast(1), Step::Up(64)],
    hashes: Hashes::OfBitsPerItem(0.693_147_180_559_945, Rounded::Up),
    most_items: 1 << 30,
    positions: Positions::Double(Scheme::Wrapping { bits: 64 }),
    ..USUAL
};
