//! A `BloomFilter` that is broken on purpose in one of many ways. Most faults are made by saving the filter, changing its bits
//! and loading it.

use std::collections::BTreeSet;
use std::hash::BuildHasher;

use bloom_core::math::Estimate;
use bloom_core::{BloomFilter, Shape};
use bloom_fuzz_kit::{AnyState, Inserted, Subject};
use bloom_fuzz_suite::{ByItem, Read, Readings, Spec, quality};
use rapidhash::v3::rapidhash_v3;

/// How the filter is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The filter is sound.
    None,
    /// An insertion does not set the last position of the item that was not set before. This happens for one hash in sixteen.
    LosesAProbe,
    /// An insertion that sets new bits also clears the first set bit of the filter.
    ForgetsAnOldBit,
    /// Every insertion reports its item as new.
    CallsAllNew,
    /// No insertion reports its item as new.
    CallsNoneNew,
    /// A query tests only the first position of the item.
    AsksOneProbe,
    /// Every query finds its item.
    FindsAll,
    /// The first insertion sets every bit.
    SetsAllBits,
    /// Insertions and queries do not use the hashes of the filter's hasher, but other ones.
    HashesApart,
    /// A batch does not insert its last item.
    DropsTheLast,
    /// Clearing the filter does not clear the last bit of the array.
    KeepsABit,
    /// A copy lacks the first set bit.
    CopiesOneBitLess,
    /// A union leaves out the first 64 bits of the other filter.
    UnitesAWordLess,
    /// After a union, the filter equals the other filter.
    UnionReplaces,
    /// An intersection is empty.
    IntersectionClears,
    /// An intersection changes nothing.
    IntersectionKeeps,
    /// An intersection has the right number of set bits, but they are the first set bits of the other filter.
    IntersectionMoves,
    /// A union or an intersection accepts a filter of another shape (another m or k).
    TakesAnotherShape,
    /// A union or an intersection accepts a filter with another hasher.
    TakesAnotherHasher,
    /// A union or an intersection that refuses the other filter clears the first set bit.
    ChangesAsItRefuses,
    /// The filter reports the share of set bits as a percentage.
    ReadsPercents,
    /// The filter estimates infinitely many items if a sound filter has no estimate, for example because it is full.
    EstimatesInfinity,
}

/// A filter with one of these faults.
#[derive(Clone)]
pub(crate) struct BrokenFilter {
    fault: Fault,
    filter: ByItem<BloomFilter<u64, AnyState>>,
}

impl PartialEq for BrokenFilter {
    fn eq(&self, other: &Self) -> bool {
        self.filter == other.filter
    }
}

impl BrokenFilter {
    /// Builds an empty filter with this fault; `None` if the spec is not for a `BloomFilter`.
    pub(crate) fn build(fault: Fault, spec: Spec, state: AnyState) -> Option<Self> {
        let Spec::Basic { bits, hashes } = spec else {
            return None;
        };
        let shape = Shape::new(bits, hashes).unwrap();
        let filter = BloomFilter::with_hasher(shape, state).unwrap();
        let filter = filter.with_hash_quality(quality(state)).unwrap();
        Some(Self {
            fault,
            filter: ByItem(filter),
        })
    }

    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    fn hash(&self, item: u64) -> u64 {
        let hash = self.filter.0.hasher().hash_one(item);
        hash.wrapping_add(u64::from(self.is(Fault::HashesApart)))
    }

    /// Returns the positions of the set bits.
    fn bits(&self) -> BTreeSet<u64> {
        let bytes = self.filter.0.to_bytes().unwrap();
        let bit = |position: &u64| bytes[128 + (position / 8) as usize] >> (position % 8) & 1 == 1;
        (0..self.filter.0.shape().bits()).filter(bit).collect()
    }

    /// Makes these bits the set bits of the filter, and clears all others.
    fn set(&mut self, bits: &BTreeSet<u64>) {
        self.filter.0 = self.with(|bytes| {
            let end = bytes.len() - 8;
            bytes[128..end].fill(0);
            for position in bits {
                bytes[128 + (position / 8) as usize] |= 1 << (position % 8);
            }
        });
    }

    /// Changes the saved bytes, repairs their checksums, and loads them.
    fn with(&self, change: impl FnOnce(&mut [u8])) -> BloomFilter<u64, AnyState> {
        let mut bytes = self.filter.0.to_bytes().unwrap();
        change(&mut bytes);
        let end = bytes.len() - 8;
        let checksum = rapidhash_v3(&bytes[..112]);
        bytes[112..120].copy_from_slice(&checksum.to_le_bytes());
        let checksum = rapidhash_v3(&bytes[..end]);
        bytes[end..].copy_from_slice(&checksum.to_le_bytes());
        BloomFilter::from_bytes_with_hasher(&bytes, *self.filter.0.hasher()).unwrap()
    }

    /// Returns whether the fault makes the filter accept `other`, although its shape or hasher differs.
    fn takes(&self, other: &Self) -> bool {
        let shape = self.filter.0.shape() != other.filter.0.shape();
        let hasher = self.filter.0.hasher() != other.filter.0.hasher();
        shape && self.is(Fault::TakesAnotherShape) || hasher && self.is(Fault::TakesAnotherHasher)
    }

    /// Returns the outcome of a union or intersection. If the outcome is a refusal, the fault may change the filter first.
    fn combined(&mut self, outcome: Result<(), String>) -> Result<(), String> {
        if outcome.is_err() && self.is(Fault::ChangesAsItRefuses) {
            let mut bits = self.bits();
            bits.pop_first();
            self.set(&bits);
        }
        outcome
    }
}

impl Subject<u64> for BrokenFilter {
    fn insert(&mut self, item: &u64) -> Inserted {
        let (before, hash) = (self.clone(), self.hash(*item));
        let new = self.filter.0.insert_hash(hash);
        match self.fault {
            Fault::LosesAProbe if hash % 16 == 7 => {
                let (before, mut bits) = (before.bits(), self.bits());
                let last = bits.difference(&before).last().copied();
                last.map(|last| bits.remove(&last));
                self.set(&bits);
            }
            Fault::ForgetsAnOldBit if new => {
                let mut bits = self.bits();
                before.bits().first().map(|first| bits.remove(first));
                self.set(&bits);
            }
            Fault::SetsAllBits => self.set(&(0..self.filter.0.shape().bits()).collect()),
            _ => {}
        }
        Inserted::as_new(match self.fault {
            Fault::CallsAllNew => true,
            Fault::CallsNoneNew => false,
            _ => new,
        })
    }

    fn contains(&self, item: &u64) -> bool {
        let hash = self.hash(*item);
        match self.fault {
            Fault::FindsAll => true,
            Fault::AsksOneProbe => self.with(|bytes| bytes[12] = 1).contains_hash(hash),
            _ => self.filter.0.contains_hash(hash),
        }
    }

    fn clear(&mut self) -> Option<()> {
        let last = self.bits().split_off(&(self.filter.0.shape().bits() - 1));
        Subject::<u64>::clear(&mut self.filter);
        if self.is(Fault::KeepsABit) {
            self.set(&last);
        }
        Some(())
    }

    fn merge(&mut self, other: &Self) -> Option<Result<(), String>> {
        if self.takes(other) {
            return Some(Ok(()));
        }
        let before = self.bits();
        let outcome = self.filter.0.union_with(&other.filter.0);
        let theirs = other.bits();
        match self.fault {
            Fault::UnitesAWordLess => {
                self.set(
                    &before
                        .into_iter()
                        .chain(theirs.range(64..).copied())
                        .collect(),
                );
            }
            Fault::UnionReplaces => self.set(&theirs),
            _ => {}
        }
        Some(self.combined(outcome.map_err(|error| error.to_string())))
    }

    fn intersect(&mut self, other: &Self) -> Option<Result<(), String>> {
        if self.takes(other) {
            return Some(Ok(()));
        }
        let before = self.bits();
        let outcome = self.filter.0.intersect_with(&other.filter.0);
        let both = self.bits().len();
        match self.fault {
            Fault::IntersectionClears => drop(Subject::<u64>::clear(&mut self.filter)),
            Fault::IntersectionKeeps => self.set(&before),
            Fault::IntersectionMoves => self.set(&other.bits().into_iter().take(both).collect()),
            _ => {}
        }
        Some(self.combined(outcome.map_err(|error| error.to_string())))
    }

    fn save(&self) -> Option<Vec<u8>> {
        Subject::<u64>::save(&self.filter)
    }

    fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
        let loaded = Subject::<u64>::load(&self.filter, bytes)?;
        let fault = self.fault;
        Some(loaded.map(|filter| Self { fault, filter }))
    }

    fn copy(&self) -> Option<Self> {
        let mut copy = self.clone();
        if self.is(Fault::CopiesOneBitLess) {
            let mut bits = self.bits();
            bits.pop_first();
            copy.set(&bits);
        }
        Some(copy)
    }

    fn insert_many(&mut self, items: &[&u64]) -> Option<Result<(), String>> {
        let less = usize::from(self.is(Fault::DropsTheLast));
        for item in &items[..items.len().saturating_sub(less)] {
            self.insert(item);
        }
        Some(Ok(()))
    }

    fn predicted_rate(&self) -> Option<f64> {
        Subject::<u64>::predicted_rate(&self.filter)
    }
}

impl Read for BrokenFilter {
    fn readings(&self) -> Option<Readings> {
        let mut readings = self.filter.readings()?;
        if self.is(Fault::ReadsPercents) {
            readings.fill *= 100.0;
        }
        let infinite = Estimate::new(f64::INFINITY, f64::NAN);
        let is_infinite = self.is(Fault::EstimatesInfinity);
        readings.estimate = readings.estimate.or(is_infinite.then_some(infinite));
        Some(readings)
    }
}
