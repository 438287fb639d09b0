//! Describes the filters of Google Guava (Java).

use super::prelude::*;

/// The positions of MURMUR128_MITZ_64, the strategy by which Guava builds filters.
pub const MITZ_64: Positions = Positions::Double(Scheme::Wrapping { bits: 63 });

/// The positions of MURMUR128_MITZ_32, the strategy of filters that were written before Guava 18.
pub const MITZ_32: Positions = Positions::Signed;

/// The current version.
pub const GUAVA: System = System {
    name: "guava",
    version: "after 33.4",
    source: "google/guava, common/hash/BloomFilter.java and BloomFilterStrategies.java at 008e78e7",
    note: "until late in 2024 k came from m and n as in Spark; the two values of k differ only for few items",
    sizing: Sizing {
        steps: &[Step::Up(64)],
        hashes: Hashes::OfRate(Rounded::Nearest),
        most_bits: JAVA_LONGS,
        most_hashes: 255,
        ..USUAL
    },
    positions: MITZ_64,
    call: Template {
        language: Language::Java,
        rate: "BloomFilter.create(Funnels.stringFunnel(UTF_8), {n}, {p})",
        bits: "",
        code: "\
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;

BloomFilter<CharSequence> filter =
    {call};",
    },
    ..SYSTEM
};

/// The versions from 18 to 33.3, which compute k from m and n instead of from p.
pub const BEFORE_33_4: System = System {
    name: "guava-31",
    aliases: &["guava-33"],
    version: "18 to 33.3",
    source: "google/guava, common/hash/BloomFilter.java at v31.1",
    note: "",
    sizing: Sizing {
        hashes: Hashes::OfWhole(Rounded::Nearest),
        ..GUAVA.sizing
    },
    ..GUAVA
};
