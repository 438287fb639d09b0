//! The body of the target `no_false_negatives`: every filter beside a set, step by step.

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::BloomFilter;

use crate::case::Case;
use crate::key::{Bytes, Integer, Key};
use crate::paste;
use crate::promise::Violation;
use crate::spec::FamilyCase;

/// A case over items of fixed or of any length: for `BloomFilter`, whose every bit is checked, or
/// for any of the five filters.
#[derive(Debug, Clone)]
pub enum NoFalseNegatives {
    /// For a `BloomFilter<u64>`.
    OfIntegers(Case<Integer>),
    /// For a `BloomFilter<[u8]>`.
    OfBytes(Case<Bytes>),
    /// For any filter of `u64`.
    AnyOfIntegers(FamilyCase<Integer>),
    /// For any filter of `[u8]`.
    AnyOfBytes(FamilyCase<Bytes>),
}

impl NoFalseNegatives {
    /// Runs the case.
    ///
    /// # Panics
    ///
    /// If the filter breaks a promise, for that is how a fuzz target says so.
    pub fn run(&self) {
        let outcome = match self {
            Self::OfIntegers(case) => check(case),
            Self::OfBytes(case) => check(case),
            Self::AnyOfIntegers(case) => case.check(),
            Self::AnyOfBytes(case) => case.check(),
        };
        paste::expect_kept(self, outcome);
    }
}

fn check<K: Key>(case: &Case<K>) -> std::result::Result<(), Violation> {
    case.check(|shape, state| {
        BloomFilter::<K::Item, _>::with_hasher(shape, state).expect("8 KiB fit in memory")
    })
}

// Written, not derived: the derived one spends four bytes on the choice, and fails on no bytes.
impl<'a> Arbitrary<'a> for NoFalseNegatives {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.int_in_range(0..=3)? {
            0 => Self::OfIntegers(u.arbitrary()?),
            1 => Self::OfBytes(u.arbitrary()?),
            2 => Self::AnyOfIntegers(u.arbitrary()?),
            _ => Self::AnyOfBytes(u.arbitrary()?),
        })
    }
}
