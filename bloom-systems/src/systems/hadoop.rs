//! Describes the filters of Apache Hadoop and Apache Hudi (Java).
//!
//! A filter that grows consists of rows: each row is a Bloom filter for n keys, and a full row is followed by a new one.

use super::prelude::*;

/// How Hadoop derives the positions of a key with MurmurHash, the default. With Jenkins' hash, positions of a key repeat a
/// little more often.
pub const POSITIONS: Positions = Positions::Chained { permutation: true };

/// The filter of a file of Apache Hudi.
pub const HUDI: System = System {
    name: "hudi",
    version: "1.0",
    source: "apache/hudi, hudi-common BloomFilterUtils.java and SimpleBloomFilter.java at release-1.0.0",
    note: "this is the type SIMPLE, and the first row of the type DYNAMIC_V0",
    sizing: Sizing {
        bits: Bits::UsualPerItem(SQUARE, Rounded::Up),
        hashes: Hashes::OfWhole(Rounded::Up),
        most_bits: (1 << 31) - 1,
        ..USUAL
    },
    positions: POSITIONS,
    call: Template::of_rate(
        Language::Other,
        "hoodie.index.bloom.num_entries={n}\nhoodie.index.bloom.fpp={p}",
    ),
    ..SYSTEM
};

/// The filter of a BloomMapFile, which adds a row for every n keys.
pub const HADOOP: System = System {
    name: "hadoop",
    aliases: &["bloommapfile"],
    version: "3.5.0",
    source: "apache/hadoop, BloomMapFile.java and DynamicBloomFilter.java at rel/release-3.5.0",
    note: "this is the first row of the filter of a BloomMapFile; p is kept as a single-precision number",
    sizing: Sizing {
        rate: &[RateStep::Single],
        bits: Bits::OfHashes(5, Rounded::Up),
        hashes: Hashes::Fixed(5),
        steps: &[Step::AtMost((1 << 31) - 1)],
        ..USUAL
    },
    positions: POSITIONS,
    full: Full::Grows {
        items: 1,
        rate: 1.0,
        most_bits: u64::MAX,
        rejects: false,
    },
    call: Template::of_rate(
        Language::Other,
        "io.mapfile.bloom.size={n}\nio.mapfile.bloom.error.rate={p}",
    ),
    ..SYSTEM
};
