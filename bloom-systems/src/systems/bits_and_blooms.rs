//! Describes the filters of bits-and-blooms/bloom, a Go library.

use super::prelude::*;
use crate::hash::{murmur3_x64_128, murmur3_x64_128_and};

/// Returns the four hash values of an item, two starts and two steps, from which the library computes all positions. The starts
/// are the halves of MurmurHash3 of the item's bytes. The steps are the halves of the hash of these bytes followed by a byte 1.
#[inline]
pub fn hashes(item: &[u8]) -> ([u64; 2], [u64; 2]) {
    let (starts, steps) = (murmur3_x64_128(item), murmur3_x64_128_and(item, Some(1)));
    (starts.into(), steps.into())
}

/// The current version.
pub const BITS_AND_BLOOMS: System = System {
    name: "bits-and-blooms",
    aliases: &["go", "bloom/v3"],
    version: "3.7.1",
    source: "bits-and-blooms/bloom, bloom.go at v3.7.1",
    sizing: Sizing {
        bits: Bits::Usual(SQUARE, Rounded::Up),
        hashes: Hashes::OfWhole(Rounded::Up),
        ..USUAL
    },
    positions: Positions::FourHashes,
    call: Template {
        language: Language::Go,
        rate: "bloom.NewWithEstimates({n}, {p})",
        bits: "",
        code: "\
import \"github.com/bits-and-blooms/bloom/v3\"

filter := {call}",
    },
    ..SYSTEM
};

/// The versions before 2.0.0, whose two hash values are the halves of 64-bit FNV-1.
pub const BEFORE_2_0: System = System {
    name: "bits-and-blooms-1",
    aliases: &["willf", "willf/bloom"],
    version: "before 2.0.0",
    source: "bits-and-blooms/bloom (willf/bloom then), bloom.go at 0418c9cb",
    note: "its two hashes were the halves of 64-bit FNV-1: 32 bits each",
    sizing: Sizing {
        bits: Bits::Usual(SQUARE, Rounded::Down),
        no_hash: NoHash::Kept,
        ..BITS_AND_BLOOMS.sizing
    },
    positions: Positions::Double(Scheme::Modular { bits: 32 }),
    call: Template {
        code: "\
import \"github.com/willf/bloom\"

filter := {call}",
        ..BITS_AND_BLOOMS.call
    },
    ..SYSTEM
};
