//! The hashers with which filters are tested: good, weak and degenerate ones. All are deterministic.

use std::hash::{BuildHasher, Hasher};

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::{FixedHasher, FixedState};
use fnv::FnvHasher;

/// One of several builders of hashers. The hashers of unequal builders are different functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyState {
    /// The default hasher of bloom-core with this seed.
    Seeded(u64),
    /// FNV-1a, which is weak for short keys.
    Fnv,
    /// An integer of 64 bits is its own hash. The hash of a byte string is its last eight bytes or, for a shorter string, its
    /// length followed by its bytes.
    Identity,
    /// Every hash is 0, so the filter cannot distinguish items.
    Zeros,
    /// Every hash is `u64::MAX`, so the filter cannot distinguish items.
    Ones,
}

/// The default hasher of bloom-core, with the seed 0.
impl Default for AnyState {
    fn default() -> Self {
        Self::Seeded(0)
    }
}

impl BuildHasher for AnyState {
    type Hasher = AnyHasher;

    fn build_hasher(&self) -> AnyHasher {
        match self {
            Self::Seeded(seed) => AnyHasher::Fixed(FixedState::with_seed(*seed).build_hasher()),
            Self::Fnv => AnyHasher::Fnv(FnvHasher::default()),
            Self::Identity => AnyHasher::Identity(0),
            Self::Zeros => AnyHasher::Constant(0),
            Self::Ones => AnyHasher::Constant(u64::MAX),
        }
    }
}

impl<'a> Arbitrary<'a> for AnyState {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.int_in_range(0..=7)? {
            0 => Self::Seeded(0),
            1 => Self::Zeros,
            2 => Self::Ones,
            3 => Self::Identity,
            4 => Self::Fnv,
            _ => Self::Seeded(u.arbitrary()?),
        })
    }
}

/// The hasher of [`AnyState`].
pub enum AnyHasher {
    /// See [`AnyState::Seeded`].
    Fixed(FixedHasher),
    /// See [`AnyState::Fnv`].
    Fnv(FnvHasher),
    /// See [`AnyState::Identity`].
    Identity(u64),
    /// See [`AnyState::Zeros`] and [`AnyState::Ones`].
    Constant(u64),
}

impl Hasher for AnyHasher {
    fn write(&mut self, bytes: &[u8]) {
        match self {
            Self::Fixed(hasher) => hasher.write(bytes),
            Self::Fnv(hasher) => hasher.write(bytes),
            Self::Identity(hash) => {
                for byte in bytes {
                    *hash = *hash << 8 | u64::from(*byte);
                }
            }
            Self::Constant(_) => {}
        }
    }

    fn write_u64(&mut self, integer: u64) {
        match self {
            Self::Fixed(hasher) => hasher.write_u64(integer),
            Self::Fnv(hasher) => hasher.write_u64(integer),
            Self::Identity(hash) => *hash = integer,
            Self::Constant(_) => {}
        }
    }

    // The length of a slice is hashed by this call. All these hashers take it as an integer of 64 bits.
    fn write_usize(&mut self, integer: usize) {
        match self {
            Self::Fixed(hasher) => hasher.write_usize(integer),
            _ => self.write_u64(integer as u64),
        }
    }

    fn finish(&self) -> u64 {
        match self {
            Self::Fixed(hasher) => hasher.finish(),
            Self::Fnv(hasher) => hasher.finish(),
            Self::Identity(hash) | Self::Constant(hash) => *hash,
        }
    }
}
