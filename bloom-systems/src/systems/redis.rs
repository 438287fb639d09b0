//! Describes the filters of RedisBloom, the module of Redis.

use super::prelude::*;
use crate::hash::murmur_hash64a;

const SEED: u64 = 0xc6a4_a793_5bd1_e995;

/// Returns the two hash values of a key, from which all its positions follow. The first one seeds the second.
#[inline]
pub fn hashes(key: &[u8]) -> (u64, u64) {
    let first = murmur_hash64a(key, SEED);
    (first, murmur_hash64a(key, first))
}

/// How RedisBloom derives the positions of a key.
pub const POSITIONS: Positions = Positions::Double(Scheme::Wrapping { bits: 64 });

/// ln 2 as in RedisBloom: its constants have 15 digits, which can change the number of hashes.
#[expect(
    clippy::approx_constant,
    reason = "the digits that the system has decide about a hash"
)]
pub const SHORT_LN_2: f64 = 0.693_147_180_559_945;

/// (ln 2)^2 as in RedisBloom.
pub const SHORT_SQUARE: f64 = 0.480_453_013_918_201;

/// The highest p for which version 8 sizes a filter: it treats a higher p as this one. Version 2 has no such limit.
pub const MAX_RATE: f64 = 0.25;

/// A filter that grows is a series of filters. The first one is sized for this multiple of p, and each added one for this
/// multiple of the rate of the filter before it.
pub const TIGHTENING: f64 = 0.5;

/// The rule of version 8 for filters that do not grow. The rules of the other filters in this file differ
/// from it only in how they change p.
const SIZING: Sizing = Sizing {
    rate: &[RateStep::AtMost(MAX_RATE)],
    bits: Bits::UsualPerItem(SHORT_SQUARE, Rounded::Down),
    steps: &[Step::AtLeast(1), Step::Up(64)],
    hashes: Hashes::OfBitsPerItem(SHORT_LN_2, Rounded::Up),
    most_items: 1 << 30,
    ..USUAL
};

/// The option of `BF.RESERVE` that sets a factor: an added filter is sized for the items of the filter before it, times this
/// number.
const EXPANSION: Expansion = Expansion {
    text: "EXPANSION",
    most: 32_768,
    none: "redis-nonscaling",
};

/// Filters that do not grow, in version 8.
pub const NON_SCALING: System = System {
    name: "redis-nonscaling",
    version: "8.8",
    source: "RedisBloom/RedisBloom, deps/bloom/bloom.c, src/sb.c and src/rebloom.c at b28c2945",
    note: "BF.RESERVE with NONSCALING; once it holds n items BF.ADD is refused",
    sizing: SIZING,
    positions: POSITIONS,
    full: Full::Refuses,
    call: Template::of_rate(Language::Other, "BF.RESERVE key {p} {n} NONSCALING"),
    ..SYSTEM
};

/// Filters that grow, in version 8. The name `redis-stack` is an alias here, although Redis Stack
/// builds the filters of [`VERSION_2`].
pub const GROWING: System = System {
    name: "redis",
    aliases: &["redisbloom", "redis-stack"],
    note: "this is the first filter that plain BF.RESERVE builds; it is sized for p/2, at most 0.125",
    sizing: Sizing {
        rate: &[RateStep::AtMost(MAX_RATE), RateStep::Times(TIGHTENING)],
        ..SIZING
    },
    full: Full::Grows {
        items: 2,
        rate: TIGHTENING,
        most_bits: u64::MAX,
        rejects: true,
    },
    expansion: Some(EXPANSION),
    call: Template::of_rate(Language::Other, "BF.RESERVE key {p} {n}"),
    ..NON_SCALING
};

/// Filters of version 2 that grow. Redis Stack has this version, and Redis before version 8 can load it as a module.
pub const VERSION_2: System = System {
    name: "redis-2",
    aliases: &["redisbloom-2"],
    version: "2.8",
    source: "RedisBloom/RedisBloom, deps/bloom/bloom.c, src/sb.c and src/rebloom.c at v2.8.2",
    note: "like redis, except that p above 0.25 is not lowered to 0.25",
    sizing: Sizing {
        rate: &[RateStep::Times(TIGHTENING)],
        ..SIZING
    },
    expansion: Some(Expansion {
        none: "redis-2-nonscaling",
        ..EXPANSION
    }),
    ..GROWING
};

/// Filters of version 2 that do not grow.
pub const VERSION_2_NON_SCALING: System = System {
    name: "redis-2-nonscaling",
    version: VERSION_2.version,
    source: VERSION_2.source,
    sizing: Sizing {
        rate: &[],
        ..SIZING
    },
    ..NON_SCALING
};
