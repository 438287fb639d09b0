//! Describes the filters of valkey-bloom, a module of Valkey that uses the crate bloomfilter.

use super::bloomfilter;
use super::prelude::*;

/// The most bits that the filters under one key of the database may have by default: 128 MiB, less a header of 264 bytes.
const MAX_BITS: u64 = 8 * ((128 << 20) - 264);

/// The filters that grow: a full filter is followed by another one under the same key of the database.
pub const VALKEY: System = System {
    name: "valkey",
    aliases: &["valkey-bloom"],
    version: "1.0",
    source: "valkey-io/valkey-bloom, src/bloom/utils.rs at 03edcf73, and the crate bloomfilter 3.0.2",
    note: "BF.RESERVE without NONSCALING, which makes a filter refuse more than n items; by default, all filters under one \
           key of the database together take at most 128 MiB",
    sizing: Sizing {
        takes: Takes::Rate,
        most_bits: MAX_BITS,
        ..bloomfilter::BLOOMFILTER.sizing
    },
    positions: bloomfilter::BLOOMFILTER.positions,
    full: Full::Grows {
        items: 2,
        rate: 0.5,
        most_bits: MAX_BITS,
        rejects: true,
    },
    call: Template::of_rate(Language::Other, "BF.RESERVE key {p} {n}"),
    ..SYSTEM
};
