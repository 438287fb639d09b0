//! Describes the filter of stream-lib (Java), which is that of an early version of Cassandra.

use super::cassandra;
use super::prelude::*;

/// The filter of the library.
pub const STREAM_LIB: System = System {
    name: "stream-lib",
    aliases: &["clearspring"],
    version: "2.9.8",
    source: "addthis/stream-lib, membership/BloomFilter.java and BloomCalculations.java of 2.9.8",
    sizing: Sizing {
        bits: Bits::Table(&cassandra::OLD_PEI_CAO),
        most_bits: (1 << 31) - 1,
        ..cassandra::CASSANDRA.sizing
    },
    positions: Positions::Double(Scheme::Reflected),
    call: Template {
        language: Language::Java,
        rate: "new BloomFilter({n}, {p})",
        bits: "",
        code: "\
import com.clearspring.analytics.stream.membership.BloomFilter;

BloomFilter filter = {call};",
    },
    ..SYSTEM
};
