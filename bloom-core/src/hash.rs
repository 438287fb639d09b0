//! The default hasher, and the hashes of four fixed integers by which two hashers are compared.

use core::hash::{BuildHasher, Hasher};

use rapidhash::v3::{RapidSecrets, rapidhash_v3_inline};

use crate::probe::{GOLDEN, STEP, mix};
use crate::quality::HashQuality;

/// The constants of rapidhash, which hashes bytes. The seed in this value is not used.
const BYTES: RapidSecrets = RapidSecrets::seed(0);

/// Builds the default hasher: seeded, and the same function on every machine and in every run.
///
/// The same calls of the hasher's methods give the same hash on every platform, and in every
/// version of this crate with the same major version. So an *item* has the same hash on every
/// platform if its `Hash` makes the same calls on every platform, as that of fixed-width integers,
/// `bool`, `char`, `str` and `[u8]` does. The `Hash` of slices of wider integers (which passes
/// bytes in native order), `Ipv4Addr`, `Path` and types of other crates may make other calls on
/// another platform. To exchange filters of these types, hash the items yourself and use
/// [`insert_hash`](crate::BloomFilter::insert_hash).
///
/// The hash is mixed only as far as a filter needs, because filters mix every hash again. On its
/// own, the hash is not random in every bit, and the hashes of one item with different seeds are
/// not independent: for 64-bit integers, another seed has the same effect as XORing every integer
/// with one constant.
///
/// Anyone who knows the seed can construct items that collide. If an attacker may choose items, use
/// a keyed hasher that is designed to resist attackers; the [crate
/// page](crate#hashers-seeds-and-adversaries) shows how.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedState {
    seed: u64,
    /// The initial state of each hasher that this value builds, computed from the seed.
    start: u64,
}

impl Default for FixedState {
    fn default() -> Self {
        Self::new()
    }
}

impl FixedState {
    /// The quality of the hashes: a filter has to fold them once before use.
    pub(crate) const QUALITY: HashQuality = HashQuality::Folded;

    /// Creates the default state: seed 0.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_seed(0)
    }

    /// Creates a state with a seed. Filters with different seeds cannot be combined.
    #[must_use]
    pub const fn with_seed(seed: u64) -> Self {
        // The seed is mixed, because integers are XORed with it. Without mixing, integer i with seed 1 would have the
        // hash of integer i ^ 1 with seed 0, and many ranges of integers would set the same bits with both seeds. `mix`
        // maps seed 0 to 0.
        let start = mix(seed) ^ GOLDEN;
        Self { seed, start }
    }

    /// Returns the seed.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }
}

impl BuildHasher for FixedState {
    type Hasher = FixedHasher;

    #[inline]
    fn build_hasher(&self) -> FixedHasher {
        FixedHasher { state: self.start }
    }
}

/// The hasher of [`FixedState`].
///
/// Slices of bytes are hashed by rapidhash V3 without its last step, with the same result on every
/// machine. Integers take one folded multiplication for each 64 bits (the two halves of the 128-bit
/// product are XORed); smaller integers, `usize` and `isize` are first extended to 64 bits. Single
/// bytes, like the one that ends a string, take a plain multiplication instead.
#[derive(Debug, Clone)]
pub struct FixedHasher {
    state: u64,
}

impl Hasher for FixedHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let secrets = RapidSecrets {
            // The length is XORed in because rapidhash without its last step does not distinguish
            // lengths of 1 to 3 bytes: otherwise the bytes "a" and "aa" would have the same hash.
            // Rapidhash itself mixes in greater lengths, in lower bits.
            seed: self.state ^ (bytes.len() as u64) << 32,
            secrets: BYTES.secrets,
        };
        // The final mixing is left out, because filters mix every hash.
        self.state = rapidhash_v3_inline::<false, false, false>(bytes, &secrets);
    }

    #[inline]
    fn write_u64(&mut self, integer: u64) {
        let product = u128::from(self.state ^ integer) * u128::from(STEP);
        // Without the addition, a state of zero would stay zero for as long as the integers are
        // zero.
        self.state = (product as u64 ^ (product >> 64) as u64).wrapping_add(GOLDEN);
    }

    #[inline]
    fn write_u8(&mut self, integer: u8) {
        self.state = (self.state ^ u64::from(integer)).wrapping_mul(STEP);
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
    fn write_isize(&mut self, integer: isize) {
        // The integer is sign-extended. The default method of the trait would convert it to `usize`,
        // which is zero-extended on 32-bit machines.
        self.write_u64(integer as i64 as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.state
    }
}

/// The integers whose hashes are compared. Two hashers that hash all four alike count as the same.
const PROBES: [u64; 4] = [0, 1, 0x0123_4567_89ab_cdef, u64::MAX];

/// Returns the hashes of four fixed integers.
pub(crate) fn probe_hashes(hash_builder: &impl BuildHasher) -> [u64; 4] {
    PROBES.map(|probe| hash_builder.hash_one(probe))
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

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
            state.hash_one(0x0123_4567_u64 << 8),
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
            0x2a00_9f75_fa58_e3a4,
            0xfae9_07b0_fc8d_2a8d,
            0xb613_58e0_a27a_eaf8,
            0x4490_ccae_aae1_908c,
            0x9c00_e404_15cc_4ad3,
            0x1ab7_304e_7531_2b6a,
            0x6cca_1a15_ea0f_b1cb,
            0xbafc_95fd_c994_6313,
            0x2a00_9f75_fa58_e3a4,
            0x341f_4189_92fa_4dfd,
            0x95e6_5308_440f_d2c5,
            0x9931_ce3e_b2a2_6d36,
            0x3f63_b2b0_6f00_d2b3,
            0xad22_2d4b_abdc_c007,
            0xd39d_4877_df6a_93ff,
            0xf180_785e_e2eb_f2f3,
        ];
        assert_eq!(hashes, golden);
    }

    #[test]
    fn usize_and_isize_hash_as_64_bits_on_every_machine() {
        let state = FixedState::new();
        // The hashes were computed from the definition with arbitrary-precision integers, not by this code.
        for (integer, golden) in [
            (-1, 0x1ab7_304e_7531_2b6a),
            (-2, 0xe95b_158a_19ae_3ac4),
            (-0x0123_4567, 0x2567_95ab_5614_60e8),
            (i32::MIN, 0x2014_06bb_fbad_a69d),
        ] {
            assert_eq!(state.hash_one(integer as isize), golden, "{integer}");
            assert_eq!(state.hash_one(i64::from(integer)), golden, "{integer}");
        }
        for integer in [0, 1, 0x0123_4567, i32::MAX.unsigned_abs(), u32::MAX] {
            let golden = state.hash_one(u64::from(integer));
            assert_eq!(state.hash_one(integer as usize), golden, "{integer}");
        }
        assert_eq!(
            state.hash_one(isize::MAX),
            state.hash_one(isize::MAX as i64)
        );
        assert_eq!(
            state.hash_one(usize::MAX),
            state.hash_one(usize::MAX as u64)
        );
    }

    #[test]
    fn discriminants_and_lengths_hash_as_64_bits_on_every_machine() {
        #[derive(Hash)]
        enum Sign {
            Negative = -1,
            Positive = 1,
        }
        let state = FixedState::new();
        // `derive(Hash)` writes the discriminant as an `isize`, a slice its length as a `usize`.
        assert_eq!(state.hash_one(Sign::Negative), state.hash_one(-1_i64));
        assert_eq!(state.hash_one(Sign::Positive), state.hash_one(1_i64));
        assert_eq!(state.hash_one([(); 3].as_slice()), state.hash_one(3_u64));
    }

    #[test]
    fn integers_have_no_common_hash_under_two_seeds() {
        // If the seed were not mixed, or only rotated, some seed would give i the hash that i ^ 1 has under seed 0.
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
    fn sequences_of_bytes_differ() {
        let state = FixedState::new();
        let mut hashes = Vec::new();
        let bytes = || 0..=255_u8;
        hashes.extend(bytes().map(|a| state.hash_one(a)));
        let pairs = bytes().flat_map(|a| bytes().map(move |b| (a, b)));
        hashes.extend(pairs.map(|pair| state.hash_one(pair)));
        let bits = |number: u32| -> [bool; 18] { core::array::from_fn(|i| number >> i & 1 == 1) };
        hashes.extend((0..1 << 18).map(|number| state.hash_one(bits(number))));
        let count = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        // Among 328,000 random hashes, two are equal with probability 3e-9.
        assert_eq!(hashes.len(), count);
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
}
