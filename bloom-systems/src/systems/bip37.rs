//! Describes the filters of Bitcoin's BIP 37, in C++ and in Python.

use super::prelude::*;

/// The filters that Bitcoin Core builds.
pub const BIP37: System = System {
    name: "bip37",
    aliases: &["bitcoin", "bip-37", "cbloomfilter"],
    version: "Bitcoin Core 28",
    source: "bitcoin/bitcoin, src/common/bloom.cpp at 7cbcb55d",
    note: "filters are silently limited to 36,000 bytes and 50 hashes; k is computed from m/n rounded down",
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

/// The filters that python-bitcoinlib builds. Unlike Bitcoin Core, it does not round m/n down before it computes k.
pub const PYTHON: System = System {
    name: "python-bitcoinlib",
    aliases: &["bitcoinlib"],
    version: "0.12.2",
    source: "petertodd/python-bitcoinlib, bitcoin/bloom.py at python-bitcoinlib-v0.12.2",
    note: "as bip37, but k is computed from the exact m/n",
    sizing: Sizing {
        hashes: Hashes::OfStored(LN_2, Rounded::Down),
        ..BIP37.sizing
    },
    call: Template {
        language: Language::Python,
        rate: "CBloomFilter({n}, {p}, 0, CBloomFilter.UPDATE_ALL)",
        bits: "",
        code: "\
from bitcoin.bloom import CBloomFilter

bloom = {call}",
    },
    ..BIP37
};
