//! Describes the filters of Apache DataSketches, in Java and in C++.

use super::prelude::*;

/// Returns the two hash values of an item, from which all its positions follow. The first one seeds the second.
#[cfg(feature = "xxh64")]
pub fn hashes(item: &[u8], seed: u64) -> (u64, u64) {
    let first = crate::hash::xxh64(item, seed);
    (first, crate::hash::xxh64(item, first))
}

/// The filter of the Java library.
pub const DATASKETCHES: System = System {
    name: "datasketches",
    aliases: &["datasketches-java"],
    version: "6.2.0",
    source: "apache/datasketches-java, BloomFilterBuilder.java and BloomFilter.java at 6.2.0",
    note: "this is the Java library; for C++, which has another k, see --like datasketches-cpp. Filters are limited here to 2^32 bits, because the library sets no bit beyond 2^32",
    sizing: Sizing {
        bits: Bits::Usual(SQUARE, Rounded::Up),
        steps: &[Step::Up(64)],
        hashes: Hashes::OfWhole(Rounded::Up),
        most_bits: 1 << 32,
        most_hashes: 32_767,
        ..USUAL
    },
    positions: Positions::Halved,
    call: Template {
        language: Language::Java,
        rate: "BloomFilterBuilder.createByAccuracy({n}, {p})",
        bits: "",
        code: "\
import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;

BloomFilter filter = {call};",
    },
    ..SYSTEM
};

/// The filter of the C++ library.
pub const CPP: System = System {
    name: "datasketches-cpp",
    aliases: &[],
    version: "5.2.0",
    source: "apache/datasketches-cpp, filters/include/bloom_filter_builder_impl.hpp at c2288858",
    note: "",
    sizing: Sizing {
        hashes: Hashes::OfRate(Rounded::Up),
        most_bits: 8 * ((1 << 31) - 33),
        ..DATASKETCHES.sizing
    },
    call: Template {
        language: Language::Cpp,
        rate: "bloom_filter::builder::create_by_accuracy({n}, {p})",
        bits: "",
        code: "\
#include <bloom_filter.hpp>

auto filter = datasketches::{call};",
    },
    ..DATASKETCHES
};
