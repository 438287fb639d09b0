//! The body of the target `simd_equals_portable`: whatever path a filter takes (vectors, unrolled
//! loops, batches), beside the plain reading of the documented layout.

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CounterBits, CountingBloomFilter,
    PartitionedBloomFilter, Shape,
};

use super::{rest, runs};
use crate::documented::Documented;
use crate::hashes::{Beside, ByHash, Deed, MOST_CELLS};
use crate::paste::List;
use crate::promise::Violation;
use crate::spec::{MEMORY, Spec, VALID, with_flat_filter};
use crate::state::AnyState;

/// Sizes of blocked filters at which batches begin to fetch early.
const LARGE: [u64; 3] = [4095, 4096, 4097];
/// The bytes of filters of up to so many bits or counters are compared before anything is done, too.
const SMALL: u64 = 1 << 14;
/// Bits beyond which plain filters count on being outside of the caches: 8 MiB.
const FAR: u64 = 1 << 26;

/// A filter that is not scalable, and hashes for it.
#[derive(Debug, Clone, PartialEq)]
pub struct SimdEqualsPortable {
    /// The filter.
    pub spec: Spec,
    /// The hasher, of which the file tells.
    pub state: AnyState,
    /// What is done.
    pub deeds: List<Deed>,
}

runs!(SimdEqualsPortable);

impl SimdEqualsPortable {
    fn check(&self) -> std::result::Result<(), Violation> {
        let Some(plain) = Documented::new(self.spec) else {
            return Ok(());
        };
        with_flat_filter!(self.spec, self.state, |filter| self
            .check_beside(filter, plain))
    }

    fn check_beside<F: ByHash>(
        &self,
        filter: F,
        plain: Documented,
    ) -> std::result::Result<(), Violation> {
        let cells = plain.cells();
        let mut beside = Beside::new(filter, plain, self.state);
        if cells <= SMALL {
            beside.check_bytes()?;
        }
        let deeds = Deed::affordable(&self.deeds.0, self.spec.hashes());
        for (number, deed) in deeds.iter().enumerate() {
            let outcome = beside.apply(deed);
            outcome.map_err(|violation| violation.after(number, deed))?;
        }
        if cells <= MOST_CELLS {
            beside.check_bytes()
        } else {
            deeds.iter().try_for_each(|deed| beside.check_added(deed))
        }
    }
}

impl<'a> Arbitrary<'a> for SimdEqualsPortable {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        // Rarely so large: that takes as long as dozens of small ones.
        let spec = match u.int_in_range(0..=127)? {
            0..=3 => Spec::Blocked {
                blocks: *u.choose(&LARGE)?,
            },
            4 => Spec::Basic {
                bits: FAR + u.int_in_range(1..=100)?,
                hashes: u.int_in_range(1..=20)?,
            },
            5..=47 => Spec::Blocked {
                blocks: u.int_in_range(1..=16)?,
            },
            _ => u.arbitrary()?,
        };
        let state = u.arbitrary()?;
        let deeds = rest(u, 32)?;
        Ok(Self { spec, state, deeds })
    }
}
