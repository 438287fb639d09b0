//! The default hasher, and the way from one 64-bit hash to k positions.

use core::hash::{BuildHasher, Hasher};

use rapidhash::v3::{RapidSecrets, rapidhash_v3_inline};

use crate::error::IncompatibleError;

/// The constants that hash bytes; the seed enters beside them.
const BYTES: RapidSecrets = RapidSecrets::seed(0);

/// An odd multiplier with its bits well spread: 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The multiplier of the step from one position to the next.
///
/// Of good spectral quality for a generator modulo 2^64. Source: Steele and Vigna (2021),
/// *Computationally easy, spectrally good multipliers for congruential pseudorandom number
/// generators*.
const STEP: u64 = 0xd134_2543_de82_ef95;

/// Builds the default hasher: seeded, and the same function on every machine and in every run.
///
/// Equal calls give equal hashes on every platform and in every version of this crate with the
/// same major version. *Items* hash equally as far as their `Hash` makes equal calls: fixed-width
/// integers, `bool`, `char`, `str` and `[u8]` do. Slices of wider integers (native byte order),
/// `Ipv4Addr`, `Path` and types of other crates may not; to exchange filters of those, hash them
/// yourself and use [`insert_hash`](crate::BloomFilter::insert_hash).
///
/// Whoever knows the seed can make items that collide. Against hostile items use a randomly
/// keyed hasher made for it, such as `std`'s `RandomState`, for `S`.
///
/// # Examples
///
/// ```
/// use bloom_core::{BloomFilter, FixedState, Shape};
///
/// let state = FixedState::with_seed(42);
/// let filter = BloomFilter::<str, _>::with_hasher(Shape::new(1_000, 7)?, state)?;
/// assert_eq!(filter.hasher().seed(), 42);
/// # Ok::<(), bloom_core::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FixedState {
    seed: u64,
}

impl FixedState {
    /// Creates the default state: seed 0.
    pub const fn new() -> Self {
        Self::with_seed(0)
    }

    /// Creates a state with a seed. Filters with different seeds cannot be combined.
    pub const fn with_seed(seed: u64) -> Self {
        Self { seed }
    }

    /// Returns the seed.
    pub const fn seed(&self) -> u64 {
        self.seed
    }
}

impl BuildHasher for FixedState {
    type Hasher = FixedHasher;

    #[inline]
    fn build_hasher(&self) -> FixedHasher {
        FixedHasher {
            // Mixed, for seeds that differed as two integers do would give the same filter of
            // other integers. Seed 0 stays 0.
            state: mix(self.seed) ^ GOLDEN,
        }
    }
}

/// The hasher of [`FixedState`].
///
/// Bytes go through rapidhash V3, which is portable; integers of every width through one folded
/// multiplication, `usize` as 64 bits.
#[derive(Debug, Clone)]
pub struct FixedHasher {
    state: u64,
}

impl Hasher for FixedHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let secrets = RapidSecrets {
            seed: self.state,
            secrets: BYTES.secrets,
        };
        // With the final mixing: without it the lengths of 1 to 3 bytes would not count.
        self.state = rapidhash_v3_inline::<true, false, false>(bytes, &secrets);
    }

    #[inline]
    fn write_u64(&mut self, integer: u64) {
        let product = u128::from(self.state ^ integer) * u128::from(STEP);
        // The addition keeps a state of zero from staying zero.
        self.state = (product as u64 ^ (product >> 64) as u64).wrapping_add(GOLDEN);
    }

    #[inline]
    fn write_u8(&mut self, integer: u8) {
        self.write_u64(integer.into());
    }

    #[inline]
    fn write_u16(&mut self, integer: u16) {
        self.write_u64(integer.into());
    }

    #[inline]
    fn write_u32(&mut self, integer: u32) {
        self.write_u64(integer.into());
    }

    #[inline]
    fn write_u128(&mut self, integer: u128) {
        self.write_u64(integer as u64);
        self.write_u64((integer >> 64) as u64);
    }

    #[inline]
    fn write_usize(&mut self, integer: usize) {
        self.write_u64(integer as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.state
    }
}

/// Values whose hashes tell two hashers apart.
const PROBES: [u64; 4] = [0, 1, 0x0123_4567_89ab_cdef, u64::MAX];

/// Returns the hashes of four fixed integers.
pub(crate) fn probe_hashes(hash_builder: &impl BuildHasher) -> [u64; 4] {
    PROBES.map(|probe| hash_builder.hash_one(probe))
}

/// Checks that two builders hash four fixed integers alike, which is taken as equal.
pub(crate) fn check_hashers<S: BuildHasher>(ours: &S, theirs: &S) -> Result<(), IncompatibleError> {
    if probe_hashes(ours) == probe_hashes(theirs) {
        Ok(())
    } else {
        Err(IncompatibleError::Hasher)
    }
}

/// The draws that one hash stands for, without end.
///
/// The hash is first mixed by a bijection, so that weak hashes (sequential integers, FNV) do as
/// well as strong ones and no two hashes become one. Then each step is a congruential one,
/// x = a x + c modulo 2^64, which is never stuck, for it has no fixed point whatever the hash.
///
/// Unlike double hashing, where all positions follow from two, the walk behaves as independent
/// draws also in filters of 64 bits.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    state: u64,
}

impl Walk {
    #[inline]
    pub(crate) fn new(hash: u64) -> Self {
        Self { state: mix(hash) }
    }
}

impl Iterator for Walk {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let draw = self.state;
        self.state = self.state.wrapping_mul(STEP).wrapping_add(GOLDEN);
        Some(draw)
    }
}

/// Turns a draw into a position below `bits`: the high half of their product, right for every
/// number of bits up to 2^63.
#[inline]
pub(crate) fn reduce(draw: u64, bits: u64) -> u64 {
    ((u128::from(draw) * u128::from(bits)) >> 64) as u64
}

/// The positions of one hash: k draws of its [`Walk`], reduced to the bits.
#[derive(Debug, Clone)]
pub(crate) struct Positions {
    walk: Walk,
    bits: u64,
    left: u8,
}

impl Positions {
    /// Starts the walk of `hashes` steps over `bits` bits.
    #[inline]
    pub(crate) fn new(hash: u64, bits: u64, hashes: u8) -> Self {
        Self {
            walk: Walk::new(hash),
            bits,
            left: hashes,
        }
    }
}

impl Iterator for Positions {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let draw = self.walk.next()?;
        Some(reduce(draw, self.bits))
    }
}

/// The place of one hash among blocks of eight lanes of 64 bits: the block, and the bit of each lane.
///
/// The first draw chooses the block. The bits of the lanes are 48 bits, six a lane, of the draw's
/// product with a constant, high and low half folded: the high bits of the draw chose the block,
/// and its low bits alone must not choose the lanes.
#[inline]
pub(crate) fn block_and_lanes(hash: u64, blocks: u64) -> (u64, [u64; 8]) {
    let draw = mix(hash);
    let product = u128::from(draw ^ GOLDEN) * u128::from(STEP);
    let lanes = product as u64 ^ (product >> 64) as u64;
    let bits = core::array::from_fn(|lane| 1 << (lanes >> (16 + 6 * lane) & 63));
    (reduce(draw, blocks), bits)
}

/// Spreads every bit of a hash over all bits; a bijection.
///
/// Variant 13 of David Stafford's mixers (2011), the finaliser of SplitMix64.
#[inline]
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn positions(hash: u64, bits: u64, hashes: u8) -> Vec<u64> {
        Positions::new(hash, bits, hashes).collect()
    }

    #[test]
    fn positions_are_the_same_for_ever() {
        // Worked out from the definition with integers of any length, not by this code.
        assert_eq!(positions(0, 1000, 5), [0, 618, 599, 104, 878]);
        assert_eq!(positions(1, 1000, 5), [338, 768, 599, 865, 480]);
        assert_eq!(positions(u64::MAX, 64, 8), [45, 17, 18, 57, 50, 60, 51, 40]);
        assert_eq!(
            positions(0x0123_4567_89ab_cdef, 19_188, 7),
            [13_397, 3044, 6929, 10_420, 12_966, 1940, 14_087]
        );
        assert_eq!(
            positions(42, 1 << 63, 3),
            [
                6_029_463_467_025_054_481,
                2_866_107_797_361_884_655,
                1_436_516_012_730_557_168
            ]
        );
    }

    #[test]
    fn hashes_of_items_are_the_same_for_ever() {
        let state = FixedState::new();
        let seeded = FixedState::with_seed(42);
        let hashes = [
            state.hash_one(0_u64),
            state.hash_one(1_u8),
            state.hash_one(u128::MAX),
            state.hash_one((7 << 100) | 5_u128),
            state.hash_one(0x0123_u16),
            state.hash_one(0x0123_4567_usize << 8),
            state.hash_one(-1_isize),
            state.hash_one(-1_i32),
            state.hash_one('a'),
            state.hash_one(true),
            state.hash_one(""),
            state.hash_one("a"),
            state.hash_one("https://example.org/"),
            state.hash_one([1_u8, 2, 3].as_slice()),
            state.hash_one((1_u64, 2_u64)),
            seeded.hash_one(0_u64),
            seeded.hash_one("a"),
        ];
        let golden = [
            0x18b6_b9ce_792b_0a2a,
            0x4982_9592_5aae_3a9d,
            0xfae9_07b0_fc8d_2a8d,
            0xb613_58e0_a27a_eaf8,
            0x4490_ccae_aae1_908c,
            0x9c00_e404_15cc_4ad3,
            0x1ab7_304e_7531_2b6a,
            0x6cca_1a15_ea0f_b1cb,
            0xbafc_95fd_c994_6313,
            0x4982_9592_5aae_3a9d,
            0xa33f_aa4a_0d90_8084,
            0x477a_1083_7c68_6cf3,
            0x1183_1a15_4b31_f94b,
            0x629a_2a7f_33a1_1263,
            0xad22_2d4b_abdc_c007,
            0xd39d_4877_df6a_93ff,
            0x9436_fcc3_eb70_743a,
        ];
        assert_eq!(hashes, golden);
    }

    #[test]
    fn no_seed_gives_the_hashes_of_another_to_other_integers() {
        // With the seed as it is, or turned, some seed would hash i as seed 0 hashes i ^ 1.
        let integers = || 0..1_000_u64;
        let hashes = |seed: u64| -> Vec<u64> {
            let state = FixedState::with_seed(seed);
            integers().map(|integer| state.hash_one(integer)).collect()
        };
        let mut first = hashes(0);
        first.sort_unstable();
        for seed in (0..64).map(|bit| 1 << bit) {
            let shared = |hash: &u64| first.binary_search(hash).is_ok();
            assert!(!hashes(seed).iter().any(shared), "seed {seed}");
        }
    }

    #[test]
    fn short_texts_of_one_letter_differ() {
        let state = FixedState::new();
        let texts = ["", "a", "aa", "aaa", "aaaa", "aaaaa"];
        let mut hashes: Vec<u64> = texts.iter().map(|text| state.hash_one(text)).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), texts.len());
    }

    #[test]
    fn positions_reach_beyond_32_bits_and_stay_below_the_bits() {
        let bits = 5 << 40;
        let all: Vec<u64> = (0..1_000)
            .flat_map(|hash| positions(hash, bits, 7))
            .collect();
        assert!(all.iter().all(|position| *position < bits));
        // Uniform: 7000 positions, a fifth of them in each fifth, sd 33.
        for fifth in 0..5 {
            let inside = all
                .iter()
                .filter(|position| **position >> 40 == fifth)
                .count();
            assert!(inside.abs_diff(1_400) < 5 * 34, "{inside} in fifth {fifth}");
        }
        // And the low half is used too: each of its bits is set half the time, sd 42.
        for bit in 0..32 {
            let set = all
                .iter()
                .filter(|position| **position >> bit & 1 == 1)
                .count();
            assert!(set.abs_diff(3_500) < 5 * 42, "bit {bit}: {set}");
        }
    }
}
