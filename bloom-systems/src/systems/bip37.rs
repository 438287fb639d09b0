//! The filters of Bitcoin's BIP 37, C++.

use super::prelude::*;

/// As Bitcoin Core builds them.
pub const BIP37: System = System {
    name: "bip37",
    aliases: &["bitcoin", "bip-37", "cbloomfilter"],
    version: "Bitcoin Core 28",
    source: "bitcoin/bitcoin, src/common/bloom.cpp at 7cbcb55d",
    note: "at most 36,000 bytes and 50 hashes, without a word; k comes from m/n without its fraction",
    sizing: Sizing {
        steps: &[Step::Down(8), Step::AtMost(8 * 36_000)],
        hashes: Hashes::OfWholePerItem,
        no_hash: NoHash::Kept,
        hashes_at_most: 50,
        ..USUAL
    },
    call: Template::of_rate(
        Language::Cpp,
        "CBloomFilter filter({n}, {p}, nTweak, BLOOM_UPDATE_ALL);",
    ),
    ..SYSTEM
};
