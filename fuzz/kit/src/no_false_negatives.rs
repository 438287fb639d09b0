//! The body of the target `no_false_negatives`: a filter beside a set, operation by operation.

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::BloomFilter;

use crate::case::Case;
use crate::key::{Bytes, Integer, Key};

/// A case for `BloomFilter`, over items of fixed or of any length.
#[derive(Debug, Clone)]
pub enum NoFalseNegatives {
    /// For a `BloomFilter<u64>`.
    Integers(Case<Integer>),
    /// For a `BloomFilter<[u8]>`.
    Bytes(Case<Bytes>),
}

impl NoFalseNegatives {
    /// Runs the case.
    ///
    /// # Panics
    ///
    /// If the filter breaks a promise, for that is how a fuzz target says so.
    pub fn run(&self) {
        match self {
            Self::Integers(case) => run(case),
            Self::Bytes(case) => run(case),
        }
    }
}

fn run<K: Key>(case: &Case<K>) {
    let outcome = case.check(|shape, state| {
        BloomFilter::<K::Item, _>::with_hasher(shape, state).expect("8 KiB fit in memory")
    });
    if let Err(violation) = outcome {
        panic!("{violation}");
    }
}

// Written, not derived: the derived one spends four bytes on the choice, and fails on no bytes.
impl<'a> Arbitrary<'a> for NoFalseNegatives {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.int_in_range(0..=1)? {
            0 => Self::Integers(u.arbitrary()?),
            _ => Self::Bytes(u.arbitrary()?),
        })
    }
}
