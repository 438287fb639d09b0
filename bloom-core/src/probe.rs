//! Derives the positions of an item's bits from its 64-bit hash. All code that sets or tests bits,
//! and every saved filter, follows the definition in this file.
//!
//! A *fold* multiplies a hash by a constant and XORs the two halves of the product. A hash is first folded up to
//! two times, as its [`HashQuality`] asks for, because callers bring their own hashers: even sequential integers
//! under an identity hasher must give the rates of random hashes. The folded hash ([`Mixed`]) starts a
//! [`ProbeSequence`] of 64-bit numbers, the probes. [`reduce`] turns a probe into a position. The documentation of
//! [`persist`](crate::persist) states this derivation for ports to other languages.

use crate::quality::HashQuality;
use crate::storage;

/// An odd constant with well-spread bits: 2^64 divided by the golden ratio.
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number by which a [`ProbeSequence`] multiplies to get from four probes to the next four.
///
/// It has good spectral quality for a generator modulo 2^64. Source: Steele and Vigna (2021),
/// *Computationally easy, spectrally good multipliers for congruential pseudorandom number
/// generators*.
pub(crate) const STEP: u64 = 0xd134_2543_de82_ef95;

/// The two numbers by which [`Mixed::new`] and [`mix`] multiply. Both are odd, and their bits have
/// no structure.
const FACTORS: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

/// The number of bits by which the 64-bit state of a [`ProbeSequence`] is rotated from one probe to
/// the next.
pub(crate) const ROTATION: u32 = 16;

/// The number of probes that one state gives: one more rotation would give the first probe again.
pub(crate) const PROBES_PER_STATE: u8 = (u64::BITS / ROTATION) as u8;

/// Spreads every bit of an integer over all bits; a bijection that maps 0 to 0.
///
/// Variant 13 of David Stafford's mixers (2011), the finaliser of SplitMix64.
#[inline]
pub(crate) const fn mix(integer: u64) -> u64 {
    let [first, second] = FACTORS;
    let spread = (integer ^ (integer >> 30)).wrapping_mul(first);
    let spread = (spread ^ (spread >> 27)).wrapping_mul(second);
    spread ^ (spread >> 31)
}

/// Returns the low half of the 128-bit product XOR its high half: the definition of [`storage::fold`].
// This function is not called where `storage::fold` is assembly.
#[allow(dead_code)]
#[inline]
pub(crate) fn fold(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    product as u64 ^ (product >> 64) as u64
}

/// A hash, and the number to which it was folded. Each bit of this number depends on all bits of
/// the item.
///
/// Each of the 64 bits of the folded hash is a high bit of some probe, so the low bits must be as
/// random as the high bits. A multiplication alone leaves the low bits of its product less random.
/// A fold is not a bijection: two hashes fold to the same number as often as two random numbers are
/// equal. Such hashes still do not set the same bits beyond the first four, because later probes
/// also depend on the hash itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
// The vector code of `storage` loads eight of these structs as sixteen words.
#[repr(C)]
pub struct Mixed {
    pub(crate) hash: u64,
    mixed: u64,
}

impl Mixed {
    /// Folds a hash as often as its quality asks for.
    ///
    /// An identity hasher needs two folds: one fold leaves 551 of the 1460 integer patterns in
    /// `tests/suite/weak_hashes.rs` with too many or too few set bits; two folds leave none. Two folds
    /// take two thirds of the instructions of [`mix`].
    // Inlined, so that a loop decides only once how often to fold.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(crate) fn new(hash: u64, quality: HashQuality) -> Self {
        let [first, last] = FACTORS;
        let mut mixed = hash;
        if quality == HashQuality::Any {
            mixed = storage::fold(mixed, first);
        }
        if quality != HashQuality::Avalanching {
            mixed = storage::fold(mixed, last);
        }
        Self { hash, mixed }
    }

    /// Returns a hash for which [`BlockProbe::new`] gives block 0 and these [lanes](BlockProbe::lanes),
    /// whatever the number of blocks.
    #[cfg(test)]
    pub(crate) fn of_lanes(lanes: u64) -> Self {
        Self {
            hash: lanes,
            mixed: 0,
        }
    }

    /// Returns the number that [`BlockProbe::new`] reduces to a block, and the number that chooses
    /// the bits in the [lanes](BlockProbe::lanes).
    #[inline]
    pub(crate) fn block_and_lanes(self) -> (u64, u64) {
        (self.mixed, next_state(self.mixed, self.hash))
    }

    /// Returns the state of the first probes.
    #[inline]
    pub(crate) fn first_state(self) -> u64 {
        self.mixed.wrapping_add(GOLDEN)
    }
}

/// The endless probe sequence of one hash: 64-bit numbers whose high bits choose a position.
///
/// The first four probes are a 64-bit state, rotated by 0, 16, 32 and 48 bits; each rotation takes
/// one instruction. Then the last of the four is multiplied by [`STEP`] and the hash is added, which
/// gives the state for the next four. The high bits of one of the four probes are therefore low bits
/// of the other three. In a filter of m bits, where m is a power of two up to 2^16, the four
/// positions depend on different bits of the state. For other m, several positions may depend on the
/// same bits, but so little that no measured rate shows it. In filters of 64 bits or more, the
/// sequence behaves like independent probes, unlike double hashing, which derives all positions from
/// two numbers.
///
/// No hash yields the same probe forever. Without the addition of [`GOLDEN`], hash 0, which folds
/// to 0, would start with four equal probes. Two hashes that fold to the same number have the same
/// first four probes, but not the same next four, because the hash itself is added. A state of four
/// equal 16-bit quarters, as 2^16 of the 2^64 states are, gives four equal probes; the next four
/// are others.
#[derive(Debug, Clone)]
pub(crate) struct ProbeSequence {
    hash: u64,
    state: u64,
    /// The number of probes that the current state has already given.
    given: u8,
}

impl ProbeSequence {
    #[inline]
    pub(crate) fn new(hash: Mixed) -> Self {
        Self {
            hash: hash.hash,
            state: hash.first_state(),
            given: 0,
        }
    }

    /// Returns the next probe; the sequence never ends.
    // Inlined into the kernels of `storage`, which are compiled once for each set of vector
    // instructions.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(crate) fn step(&mut self) -> u64 {
        let probe = self.state;
        self.given += 1;
        if self.given < PROBES_PER_STATE {
            self.state = probe.rotate_left(ROTATION);
        } else {
            self.state = next_state(probe, self.hash);
            self.given = 0;
        }
        probe
    }
}

/// Returns the state of the next four probes of a hash, from the last of the previous four.
#[inline]
pub(crate) fn next_state(last_probe: u64, hash: u64) -> u64 {
    last_probe.wrapping_mul(STEP).wrapping_add(hash)
}

impl Iterator for ProbeSequence {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        Some(self.step())
    }
}

/// Maps a probe to a position below `bits`: the high half of their product. Each position has 2^64 /
/// `bits` probes, rounded down or up, so all positions are nearly equally likely.
#[inline]
pub(crate) fn reduce(probe: u64, bits: u64) -> u64 {
    ((u128::from(probe) * u128::from(bits)) >> 64) as u64
}

/// The positions of one hash: k probes, each reduced to the number of bits. Tests compare the code that sets and tests
/// bits with these positions.
#[cfg(test)]
#[derive(Debug, Clone)]
pub(crate) struct Positions {
    probes: ProbeSequence,
    bits: u64,
    left: u8,
}

#[cfg(test)]
impl Positions {
    /// Creates the iterator over the `k` positions of a hash among `bits` bits.
    #[inline]
    pub(crate) fn new(hash: Mixed, bits: u64, k: u8) -> Self {
        Self {
            probes: ProbeSequence::new(hash),
            bits,
            left: k,
        }
    }
}

#[cfg(test)]
impl Iterator for Positions {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        Some(reduce(self.probes.step(), self.bits))
    }
}

/// The bits that one hash sets among blocks of eight 64-bit lanes: a block, and one bit in each
/// lane.
///
/// The number of the block is the folded hash, reduced by [`reduce`]. The bits in the lanes are chosen
/// by another number: the folded hash times [`STEP`], plus the unfolded hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct BlockProbe {
    /// The number of the block.
    pub(crate) block: u64,
    /// Six bits for each lane, which choose one of the 64 bits of the lane. Those of the first lane
    /// are bits 16 to 21: see [`LANE_SHIFTS`].
    pub(crate) lanes: u64,
}

/// The offsets, in [`BlockProbe::lanes`], of the six bits of each lane. Together these are the high
/// 48 bits, because the high bits of a product are more random than the low ones.
pub(crate) const LANE_SHIFTS: [u32; 8] = [16, 22, 28, 34, 40, 46, 52, 58];

impl BlockProbe {
    #[inline]
    pub(crate) fn new(hash: Mixed, blocks: u64) -> Self {
        let (block, lanes) = hash.block_and_lanes();
        Self {
            block: reduce(block, blocks),
            lanes,
        }
    }

    /// Returns the bit of each lane, as a word with only that bit set.
    #[cfg(test)]
    pub(crate) fn bits(self) -> [u64; 8] {
        LANE_SHIFTS.map(|shift| 1 << (self.lanes >> shift & 63))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn any(hash: u64) -> Mixed {
        Mixed::new(hash, HashQuality::Any)
    }

    fn positions(hash: u64, bits: u64, k: u8) -> Vec<u64> {
        Positions::new(any(hash), bits, k).collect()
    }

    /// Hashes without structure, and hashes with much structure: small integers, powers of two and
    /// their neighbours, the constants of this file.
    fn hashes() -> impl Iterator<Item = u64> {
        let powers = (0..64).flat_map(|bit| {
            let power = 1_u64 << bit;
            [power, power - 1, !power, power.wrapping_neg()]
        });
        let constants = [GOLDEN, STEP, FACTORS[0], FACTORS[1]];
        let constants = constants
            .into_iter()
            .flat_map(|it| [it, !it, it.wrapping_neg()]);
        [0, u64::MAX]
            .into_iter()
            .chain(powers)
            .chain(constants)
            .chain(0..2_000)
            .chain((0..2_000).map(mix))
    }

    #[test]
    fn no_hash_gives_one_probe_for_ever() {
        // Four equal probes need a state of four equal 16-bit quarters. For each such state there
        // is exactly one hash with which the next state is the same again.
        for quarter in 0..=u64::from(u16::MAX) {
            let state = quarter * 0x0001_0001_0001_0001;
            let hash = state.wrapping_sub(state.wrapping_mul(STEP));
            assert_eq!(next_state(state, hash), state);
            assert_ne!(any(hash).first_state(), state, "{hash:#x}");
        }
    }

    #[test]
    fn no_structured_hash_is_degenerate() {
        // Two of eight random positions among 2^40 coincide for one hash in 4 * 10^10.
        for hash in hashes() {
            let mut positions = positions(hash, 1 << 40, 8);
            positions.sort_unstable();
            positions.dedup();
            assert!(positions.len() >= 7, "{hash:#x}: {positions:?}");
        }
    }

    #[test]
    fn positions_reach_beyond_40_bits_and_stay_below_the_bits() {
        let bits = 5 << 40;
        let all: Vec<u64> = (0..1_600)
            .flat_map(|hash| positions(hash, bits, 7))
            .collect();
        assert!(all.iter().all(|position| *position < bits));
        // The positions are uniform: each fifth of the range has a fifth of the 11,200 positions, within
        // 6.7 standard deviations. If the hashes were random, one of the 37 checks of this test would
        // fail by chance in 0.8 of 10^9 runs. A check fails with probability 0.5 if a share is 13 % off,
        // and 0.999 if it is 19 % off.
        for fifth in 0..5 {
            let inside = all
                .iter()
                .filter(|position| **position >> 40 == fifth)
                .count();
            assert!(inside.abs_diff(2_240) < 283, "{inside} in fifth {fifth}");
        }
        // The low 32 bits vary, too: each of them is set in half of the positions, within 6.7 standard
        // deviations. A check fails with probability 0.5 if a share is 6.3 % off, and 0.999 if it is
        // 9.3 % off.
        for bit in 0..32 {
            let set = all
                .iter()
                .filter(|position| **position >> bit & 1 == 1)
                .count();
            assert!(set.abs_diff(5_600) < 354, "bit {bit}: {set}");
        }
    }
}
