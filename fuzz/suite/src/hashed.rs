//! The keys of scripts that pass hashes to a filter instead of items: a single hash, and a sequence of hashes for a batch.

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_fuzz_kit::{AnyState, Integer, Key, Keys, Step};

/// A hash that is passed to a filter instead of an item. It is drawn from bytes as an [`Integer`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hashed(pub u64);

impl Key for Hashed {
    type Item = u64;
    type Many = Run;

    fn item(&self) -> &u64 {
        &self.0
    }

    fn hash(&self, _: AnyState) -> u64 {
        self.0
    }
}

impl<'a> Arbitrary<'a> for Hashed {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self(u.arbitrary::<Integer>()?.0))
    }
}

/// A sequence of hashes: `from`, `from + step` and so on, modulo 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The first hash.
    pub from: u64,
    /// The difference between one hash and the next.
    pub step: u64,
    /// The number of hashes.
    pub count: u16,
}

impl Run {
    /// Returns the hashes.
    pub fn hashes(self) -> Vec<u64> {
        let hash = |number: u16| {
            self.from
                .wrapping_add(self.step.wrapping_mul(number.into()))
        };
        (0..self.count).map(hash).collect()
    }
}

impl Keys<Hashed> for Run {
    fn keys(&self) -> Vec<Hashed> {
        self.hashes().into_iter().map(Hashed).collect()
    }
}

impl<'a> Arbitrary<'a> for Run {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let from = u.arbitrary::<Integer>()?.0;
        let step = match u.int_in_range(0..=3)? {
            0 => 1,
            1 => 0x9e37_79b9_7f4a_7c15,
            2 => u.arbitrary::<Integer>()?.0,
            _ => 1 << u.int_in_range(0..=63)?,
        };
        // A filter works on the hashes of a batch in groups of 64. So a quarter of the batches have a length of 0, 1, or about
        // half a group, two groups or four groups. Another quarter has any length up to 700. The other half has lengths up to
        // 20.
        let count = match u.int_in_range(0..=3)? {
            0 => *u.choose(&[0, 1, 31, 32, 33, 127, 128, 129, 255, 256, 257])?,
            1 => u.int_in_range(0..=700)?,
            _ => u.int_in_range(0..=20)?,
        };
        Ok(Self { from, step, count })
    }
}

/// An operation on a filter, with hashes instead of items.
pub type HashOp = Step<Hashed>;
