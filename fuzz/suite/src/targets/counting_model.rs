//! The body of the target `counting_model`: a random script of operations runs on a counting filter, by the methods that take
//! hashes. The answers are compared with a multiset, and the counters with the documented ones.

use crate::hashed::Hashed;
use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_fuzz_kit::{AnyState, Checked, Script};

use super::runs;
use crate::case::FamilyCase;
use crate::spec::{Spec, size};

/// A counting filter, and a script of operations with hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountingModel {
    /// Number of counters, 1 to 512.
    pub bits: u64,
    /// Number of hashes.
    pub hashes: u8,
    /// Whether counters have 8 bits instead of 4.
    pub wide: bool,
    /// Whether to remove false positives too, which is documented to cause false negatives.
    pub loose: bool,
    /// The script.
    pub script: Script<Hashed>,
}

runs!(CountingModel);

impl CountingModel {
    fn check(&self) -> Checked {
        let (bits, hashes, wide) = (self.bits, self.hashes, self.wide);
        let case = FamilyCase {
            spec: Spec::Counting { bits, hashes, wide },
            state: AnyState::Identity,
            script: self.script.clone(),
        };
        case.check_hashes(self.loose)
    }
}

impl<'a> Arbitrary<'a> for CountingModel {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let (bits, hashes) = size(u)?;
        Ok(Self {
            bits: bits.min(512),
            hashes,
            wide: u.arbitrary()?,
            loose: u.int_in_range(0..=2)? == 2,
            script: Script::up_to(u, 64)?,
        })
    }
}
