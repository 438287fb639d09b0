//! Apache Hadoop, Java.

use super::prelude::*;

/// Its positions with MurmurHash, the default; those of Jenkins' hash repeat a little more often.
pub const POSITIONS: Positions = Positions::Chained { permutation: true };

/// The filter of a BloomMapFile, which adds a row of bits for every n keys.
pub(super) const HADOOP: System = System {
    name: "hadoop",
    aliases: &["hudi", "bloommapfile"],
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
    },
    call: Template::of_rate(
        Language::Other,
        "io.mapfile.bloom.size={n}\nio.mapfile.bloom.error.rate={p}",
    ),
    ..SYSTEM
};
