//! The body of the target `simd_equals_portable`: a random script of operations runs on a filter, by the methods that take
//! hashes. The filter must set the bits of a plain implementation of the documented layout, whichever code path it takes
//! (vectors, unrolled loops, batches).

use crate::hashed::Hashed;
use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_fuzz_kit::{Checked, Script};

use super::runs;
use crate::case::FamilyCase;
use crate::spec::Spec;

/// Numbers of blocks, for blocked filters of about 256 KiB. These are far smaller than the filters in which batches prefetch.
const LARGE: [u64; 3] = [4095, 4096, 4097];

/// A filter, and a script of operations with hashes.
#[derive(Debug, Clone, PartialEq)]
pub struct SimdEqualsPortable {
    /// The filter, its hasher, and the script. As the script passes hashes, the hasher affects only what is declared about the
    /// quality of hashes, and the bytes of the saved filter.
    pub case: FamilyCase<Hashed>,
}

runs!(SimdEqualsPortable);

impl SimdEqualsPortable {
    fn check(&self) -> Checked {
        self.case.check_hashes(true)
    }
}

impl<'a> Arbitrary<'a> for SimdEqualsPortable {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        // Large filters are drawn rarely, because a case with a large filter takes as long as dozens of cases with small ones.
        let spec = match u.int_in_range(0..=127)? {
            0..=3 => Spec::Blocked {
                blocks: *u.choose(&LARGE)?,
            },
            4 => Spec::beyond_the_caches(u)?,
            5..=47 => Spec::Blocked {
                blocks: u.int_in_range(1..=16)?,
            },
            _ => u.arbitrary()?,
        };
        let (state, script) = (u.arbitrary()?, Script::up_to(u, 32)?);
        let case = FamilyCase {
            spec,
            state,
            script,
        };
        Ok(Self { case })
    }
}
