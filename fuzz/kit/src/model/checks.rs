//! The checks that the operations of a model share.

use bloom_core::Shape;

use super::Model;
use crate::bit_filter::BitFilter;
use crate::key::Key;
use crate::promise::{Promise, Violation, ensure};
use crate::state::AnyState;

impl<K, F, B> Model<K, F, B>
where
    K: Key,
    F: BitFilter<K::Item>,
    B: Fn(Shape, AnyState) -> F,
{
    /// Checks what one insert said and did, and notes the hash.
    pub(super) fn check_inserted(
        &mut self,
        hash: u64,
        before: u64,
        found: bool,
        new: bool,
    ) -> Result<(), Violation> {
        let ones = self.ones();
        let changed = ones.checked_sub(before);
        let most = u64::from(self.shape.hashes());
        let kept = changed.is_some_and(|set| {
            if new {
                (1..=most).contains(&set)
            } else {
                set == 0
            }
        });
        let known = !self.hashes.insert(hash);
        ensure(!(new && known), Promise::KnownIsNotNew, || {
            format!("true for hash {hash:#x}")
        })?;
        ensure(new != found, Promise::NewIsNotFound, || {
            format!("new {new}, found {found}")
        })?;
        ensure(kept, Promise::InsertSetsItsPositions, || {
            format!("{before} bits before and {ones} after")
        })?;
        self.check_hash(hash)
    }

    pub(super) fn check_key(&self, key: &K) -> Result<(), Violation> {
        let found = self.filter.contains(key.item());
        ensure(found, Promise::InsertedIsFound, || {
            format!("none for {key:?}")
        })
    }

    /// Checks that a key, inserted or not, is found exactly if its hash is.
    pub(super) fn check_hash_of(&self, key: &K) -> Result<(), Violation> {
        let found = self.filter.contains(key.item());
        let by_hash = self.filter.contains_hash(self.hash(key));
        ensure(found == by_hash, Promise::HashStandsForItem, || {
            format!("{found} and {by_hash} for {key:?}")
        })
    }

    pub(super) fn check_hash(&self, hash: u64) -> Result<(), Violation> {
        let found = self.filter.contains_hash(hash);
        ensure(found, Promise::InsertedIsFound, || {
            format!("none for hash {hash:#x}")
        })
    }

    /// Checks that the filter finds everything it was given.
    pub(crate) fn check_all(&self) -> Result<(), Violation> {
        self.keys.iter().try_for_each(|key| self.check_key(key))?;
        self.hashes
            .iter()
            .try_for_each(|hash| self.check_hash(*hash))
    }

    /// Checks what the filter says of itself.
    pub(crate) fn check_readings(&self) -> Result<(), Violation> {
        let (fill, rate) = (self.filter.fill(), self.filter.false_positive_rate());
        let ones = self.ones();
        let (empty, full) = (ones == 0, ones == self.shape.bits());
        let shares = (0.0..=1.0).contains(&fill) && (0.0..=1.0).contains(&rate);
        let ends =
            self.filter.is_empty() == empty && (!empty || rate <= 0.0) && (!full || rate >= 1.0);
        ensure(shares && ends, Promise::ReadingsAreShares, || {
            format!("fill {fill} and rate {rate}")
        })?;
        let estimate = self.filter.estimated_items();
        let finite = estimate.is_none_or(|estimate| {
            let numbers = [estimate.items, estimate.standard_deviation];
            numbers
                .iter()
                .all(|number| (0.0..=f64::MAX).contains(number))
        });
        ensure(
            finite && estimate.is_none() == full,
            Promise::EstimateUnlessFull,
            || format!("{estimate:?} at fill {fill}"),
        )
    }

    pub(super) fn check_equal(&self, expected: &F, promise: Promise) -> Result<(), Violation> {
        ensure(self.filter == *expected, promise, || {
            format!("{:?} instead of {expected:?}", self.filter)
        })
    }
}
