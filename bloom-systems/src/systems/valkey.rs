//! Describes the filters of valkey-bloom, a module of Valkey that uses the crate bloomfilter.

use super::bloomfilter;
use super::prelude::*;

/// The most bits of a key by default: 128 MiB, less 264 bytes of a header.
const MAX_BITS: u64 = 8 * ((128 << 20) - 264);

/// Filters that grow.
pub const VALKEY: System = System {
    name: "valkey",
    aliases: &["valkey-bloom"],
    version: "1.0",
    source: "valkey-io/valkey-bloom, src/bloom/utils.rs at 03edcf73, and the crate bloomfilter 3.0.2",
    note: "BF.RESERVE; with NONSCALING the same filter refuses more than n items; by default a key takes at most \
           128 MiB with all the filters that it adds",
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
