//! The body of the target `no_false_negatives`: a random script of operations runs on one of the five filters of bloom-core, by
//! the methods that take items. The answers are compared with a multiset and, unless the filter grows, with the documented
//! bits.

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_fuzz_kit::{Bytes, Checked, Integer};

use super::runs;
use crate::case::FamilyCase;

/// A filter and a script whose items are integers or byte strings.
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

// A derived implementation would read four bytes to choose the variant, and would fail on empty input.
impl<'a> Arbitrary<'a> for NoFalseNegatives {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.int_in_range(0..=1)? {
            0 => Self::OfIntegers(u.arbitrary()?),
            _ => Self::OfBytes(u.arbitrary()?),
        })
    }
}
