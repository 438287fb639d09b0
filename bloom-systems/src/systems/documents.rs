//! Describes filters whose code is printed in documents.

use super::prelude::*;

/// The filter of the document "A Golang Implemented Bloom Filter".
pub const GOLANG_IMPLEMENTED: System = System {
    name: "golang-implemented",
    version: "as printed",
    source: "the document \"A Golang Implemented Bloom Filter\"",
    note: "its two hashes are the halves of 64-bit FNV-1: 32 bits each",
    sizing: Sizing {
        // The document computes (ln 2)^2 as ln(2^(ln 2)), which in `f64` is one unit in the last place too high.
        bits: Bits::Usual(0.480_453_013_918_201_44, Rounded::Up),
        no_hash: NoHash::Kept,
        ..USUAL
    },
    positions: Positions::Double(Scheme::Wrapping { bits: 32 }),
    call: Template::of_rate(Language::Go, "NewBloomFilter({k}, {m})"),
    ..SYSTEM
};

/// The filter of the document "Probabilistic to-visit Queue".
pub const TO_VISIT_QUEUE: System = System {
    name: "to-visit-queue",
    version: "as printed",
    source: "the document \"Probabilistic to-visit Queue\"",
    sizing: Sizing {
        hashes: Hashes::OfRate(Rounded::Up),
        ..USUAL
    },
    positions: Positions::Double(Scheme::Wrapping { bits: 64 }),
    call: Template::of_rate(Language::Rust, "Filter::new({n}, {p})"),
    ..SYSTEM
};

/// The filter of the document "BloomFilter, a tool for large data".
pub const LARGE_DATA: System = System {
    name: "large-data",
    version: "as printed",
    source: "the document \"BloomFilter, a tool for large data\"",
    note: "the rate is for ideal hashes; its seven polynomial hashes are far from ideal, so its own rate is higher",
    sizing: Sizing {
        takes: Takes::OneSize,
        bits: Bits::Fixed(1 << 25),
        hashes: Hashes::Fixed(7),
        ..USUAL
    },
    call: Template::of_rate(Language::Java, "new BloomFilter()"),
    ..SYSTEM
};
