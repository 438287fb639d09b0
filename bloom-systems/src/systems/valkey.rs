//! valkey-bloom, the module of Valkey, which rests on the crate bloomfilter.

use super::bloomfilter;
use super::prelude::*;

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
        // 128 MiB for the object, 264 bytes of which are not bits.
        most_bits: 8 * ((128 << 20) - 264),
        ..bloomfilter::BLOOMFILTER.sizing
    },
    positions: bloomfilter::BLOOMFILTER.positions,
    full: Full::Grows {
        items: 2,
        rate: 0.5,
    },
    call: Template::of_rate(Language::Other, "BF.RESERVE key {p} {n}"),
    ..SYSTEM
};
