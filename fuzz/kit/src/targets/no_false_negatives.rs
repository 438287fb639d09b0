//! The body of the target `no_false_negatives`: every filter by items, compared with a multiset and
//! with its documented bits.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::runs;
use crate::key::{Bytes, Integer};
use crate::promise::Checked;
use crate::spec::FamilyCase;

/// A case over items of fixed or of any length.
#[derive(Debug, Clone, PartialEq)]
pub enum NoFalseNegatives {
    /// For a filter of `u64`.
    OfIntegers(FamilyCase<Integer>),
    /// For a filter of `[u8]`.
    OfBytes(FamilyCase<Bytes>),
}

runs!(NoFalseNegatives);

impl NoFalseNegatives {
    fn check(&self) -> Checked {
        match self {
            Self::OfIntegers(case) => case.check(),
            Self::OfBytes(case) => case.check(),
        }
    }
}

// Written, not derived: the derived one spends four bytes on the choice, and fails on no bytes.
impl<'a> Arbitrary<'a> for NoFalseNegatives {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.int_in_range(0..=1)? {
            0 => Self::OfIntegers(u.arbitrary()?),
            _ => Self::OfBytes(u.arbitrary()?),
        })
    }
}
