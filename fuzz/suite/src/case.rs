//! A case of a fuzz target that runs a script (a sequence of operations): a filter of bloom-core, its hasher and the script.

use crate::hashed::Hashed;
use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_fuzz_kit::{AnyState, Checked, Key, Script, Subject};

use crate::beside::Beside;
use crate::family::ByHash;
use crate::family::ByItem;
use crate::readings::Read;
use crate::repro;
use crate::spec::{Spec, with_filter};

/// A filter of bloom-core, and a script (a sequence of operations) for this filter.
#[derive(Debug, Clone, PartialEq)]
pub struct FamilyCase<K: Key> {
    /// The filter.
    pub spec: Spec,
    /// The hasher.
    pub state: AnyState,
    /// The script.
    pub script: Script<K>,
}

impl<K: Key> FamilyCase<K> {
    /// Runs the script on a filter of bloom-core, by its methods that take items.
    ///
    /// # Errors
    ///
    /// If the filter breaks a promise.
    pub fn check(&self) -> Checked {
        with_filter!(self.spec, ByItem<K::Item>, |build| self.check_with(build))
    }

    /// Runs the script on filters from `build`, which is called with the kind and size of the filter and with the hasher of
    /// this case.
    ///
    /// # Errors
    ///
    /// If the filter breaks a promise. One promise is that the bits are the documented ones, unless the filter grows.
    pub fn check_with<F: Subject<K::Item> + Read>(
        &self,
        build: impl Fn(Spec, AnyState) -> Option<F>,
    ) -> Checked {
        self.check_beside(build, false)
    }

    /// Does the same as [`check_with`](Self::check_with); if `loose`, the script also removes items that are false positives.
    pub(crate) fn check_beside<F: Subject<K::Item> + Read>(
        &self,
        build: impl Fn(Spec, AnyState) -> Option<F>,
        loose: bool,
    ) -> Checked {
        let Self {
            spec,
            state,
            script,
        } = self;
        let beside = Beside::new(*spec, *state, loose);
        let build = || build(*spec, *state).expect("it builds filters of this kind");
        script.check_beside(build, beside)
    }

    /// Runs the script.
    ///
    /// # Panics
    ///
    /// If the filter breaks a promise.
    pub fn run(&self) {
        repro::expect_kept(self, self.check());
    }
}

impl FamilyCase<Hashed> {
    /// Runs the script on a filter of bloom-core, by its methods that take hashes.
    pub(crate) fn check_hashes(&self, loose: bool) -> Checked {
        with_filter!(self.spec, ByHash<u64>, |build| self
            .check_beside(build, loose))
    }
}

impl<'a, K: Key> Arbitrary<'a> for FamilyCase<K> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            spec: u.arbitrary()?,
            state: u.arbitrary()?,
            script: u.arbitrary()?,
        })
    }
}
