//! A plain second filter that is sound, unless it is told to be broken in one way.

use std::collections::BTreeSet;
use std::hash::BuildHasher;

use bloom_core::math::{self, Estimate};
use bloom_core::{FixedState, IncompatibleError, MemoryError, Shape};
use bloom_fuzz_kit::{AnyState, BitFilter};

/// How the filter is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Not at all.
    None,
    /// Skips the last position of one hash in sixteen.
    LosesAProbe,
    /// Forgets an old bit as it sets the fourth.
    ForgetsAnOldBit,
    /// Says `true` of every insert.
    CallsAllNew,
    /// Says `false` of every insert.
    CallsNoneNew,
    /// Asks for the first position only.
    AsksOneProbe,
    /// Finds everything.
    FindsAll,
    /// Sets every bit on the first insert.
    SetsAllBits,
    /// Hashes items otherwise than with its hasher.
    HashesApart,
    /// Drops the last of the items it is extended with.
    DropsTheLast,
    /// Keeps the last bit when it is cleared.
    KeepsABit,
    /// Copies all but the first bit.
    CopiesOneBitLess,
    /// Unites all but the first 64 bits.
    UnitesAWordLess,
    /// Becomes the other filter.
    UnionReplaces,
    /// Intersects to nothing.
    IntersectionClears,
    /// Leaves the filter as it is.
    IntersectionKeeps,
    /// Has as many bits as it should, but the first of the other filter.
    IntersectionMoves,
    /// Combines filters of different shapes.
    TakesAnotherShape,
    /// Combines filters of different hashers.
    TakesAnotherHasher,
    /// Clears the first bit before it refuses.
    ChangesAsItRefuses,
    /// Reads the fill as a percentage.
    ReadsPercents,
    /// Reads a full filter as one of infinitely many items.
    EstimatesInfinity,
}

impl Fault {
    /// All but none.
    pub(crate) const ALL: [Self; 21] = [
        Self::LosesAProbe,
        Self::ForgetsAnOldBit,
        Self::CallsAllNew,
        Self::CallsNoneNew,
        Self::AsksOneProbe,
        Self::FindsAll,
        Self::SetsAllBits,
        Self::HashesApart,
        Self::DropsTheLast,
        Self::KeepsABit,
        Self::CopiesOneBitLess,
        Self::UnitesAWordLess,
        Self::UnionReplaces,
        Self::IntersectionClears,
        Self::IntersectionKeeps,
        Self::IntersectionMoves,
        Self::TakesAnotherShape,
        Self::TakesAnotherHasher,
        Self::ChangesAsItRefuses,
        Self::ReadsPercents,
        Self::EstimatesInfinity,
    ];
}

/// A filter in the plainest way: the set of its positions, a hash for each.
#[derive(Debug, Clone)]
pub(crate) struct BrokenFilter {
    fault: Fault,
    shape: Shape,
    state: AnyState,
    set: BTreeSet<u64>,
}

impl PartialEq for BrokenFilter {
    fn eq(&self, other: &Self) -> bool {
        self.check(other).is_ok() && self.set == other.set
    }
}

impl BrokenFilter {
    pub(crate) fn new(fault: Fault, shape: Shape, state: AnyState) -> Self {
        Self {
            fault,
            shape,
            state,
            set: BTreeSet::new(),
        }
    }

    fn hash(&self, item: u64) -> u64 {
        let hash = self.state.hash_one(item);
        hash.wrapping_add(u64::from(self.fault == Fault::HashesApart))
    }

    fn positions(&self, hash: u64) -> impl Iterator<Item = u64> + use<> {
        let bits = self.shape.bits();
        (0..self.shape.hashes())
            .map(move |number| FixedState::with_seed(number.into()).hash_one(hash) % bits)
    }

    fn check(&self, other: &Self) -> Result<(), IncompatibleError> {
        if self.shape != other.shape && self.fault != Fault::TakesAnotherShape {
            return Err(IncompatibleError::Shape {
                ours: self.shape,
                theirs: other.shape,
            });
        }
        if self.state != other.state && self.fault != Fault::TakesAnotherHasher {
            return Err(IncompatibleError::Hasher);
        }
        Ok(())
    }

    fn check_to_combine(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        let outcome = self.check(other);
        if outcome.is_err() && self.fault == Fault::ChangesAsItRefuses {
            self.set.pop_first();
        }
        outcome
    }
}

impl BitFilter<u64> for BrokenFilter {
    fn insert(&mut self, item: &u64) -> bool {
        self.insert_hash(self.hash(*item))
    }

    fn insert_hash(&mut self, hash: u64) -> bool {
        let last = usize::from(self.shape.hashes()) - 1;
        let mut new = false;
        for (number, position) in self.positions(hash).enumerate() {
            if self.fault == Fault::LosesAProbe && number == last && hash % 16 == 7 {
                continue;
            }
            if self.fault == Fault::ForgetsAnOldBit && number == 3 {
                self.set.remove(&(position / 2));
            }
            new |= self.set.insert(position);
        }
        if self.fault == Fault::SetsAllBits {
            self.set.extend(0..self.shape.bits());
        }
        match self.fault {
            Fault::CallsAllNew => true,
            Fault::CallsNoneNew => false,
            _ => new,
        }
    }

    fn extend<'a>(&mut self, items: impl Iterator<Item = &'a u64>) {
        let mut items: Vec<u64> = items.copied().collect();
        if self.fault == Fault::DropsTheLast {
            items.pop();
        }
        for item in items {
            self.insert(&item);
        }
    }

    fn contains(&self, item: &u64) -> bool {
        self.contains_hash(self.hash(*item))
    }

    fn contains_hash(&self, hash: u64) -> bool {
        let asked = match self.fault {
            Fault::FindsAll => 0,
            Fault::AsksOneProbe => 1,
            _ => usize::MAX,
        };
        let mut positions = self.positions(hash).take(asked);
        positions.all(|position| self.set.contains(&position))
    }

    fn clear(&mut self) {
        let last = self.set.split_off(&(self.shape.bits() - 1));
        self.set.clear();
        if self.fault == Fault::KeepsABit {
            self.set = last;
        }
    }

    fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    fn fill(&self) -> f64 {
        let percents = self.fault == Fault::ReadsPercents;
        let unit = if percents { 100.0 } else { 1.0 };
        unit * self.set.len() as f64 / self.shape.bits() as f64
    }

    fn estimated_items(&self) -> Option<Estimate> {
        let (bits, hashes) = (self.shape.bits(), self.shape.hashes());
        let estimate = math::estimate_items(bits, hashes, self.set.len() as u64).unwrap();
        let infinite = Estimate {
            items: f64::INFINITY,
            standard_deviation: f64::NAN,
        };
        estimate.or((self.fault == Fault::EstimatesInfinity).then_some(infinite))
    }

    fn false_positive_rate(&self) -> f64 {
        self.fill().powi(self.shape.hashes().into())
    }

    fn try_clone(&self) -> Result<Self, MemoryError> {
        let mut copy = self.clone();
        if self.fault == Fault::CopiesOneBitLess {
            copy.set.pop_first();
        }
        Ok(copy)
    }

    fn union_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.check_to_combine(other)?;
        let skipped = match self.fault {
            Fault::UnitesAWordLess => 64,
            _ => 0,
        };
        if self.fault == Fault::UnionReplaces {
            self.set.clear();
        }
        self.set.extend(other.set.range(skipped..));
        Ok(())
    }

    fn intersect_with(&mut self, other: &Self) -> Result<(), IncompatibleError> {
        self.check_to_combine(other)?;
        let both = &self.set & &other.set;
        match self.fault {
            Fault::IntersectionClears => self.set.clear(),
            Fault::IntersectionKeeps => {}
            Fault::IntersectionMoves => {
                self.set = other.set.iter().copied().take(both.len()).collect();
            }
            _ => self.set = both,
        }
        Ok(())
    }
}
