//! The filters as their hashes see them, beside the plain reading of the documented layout.

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, IncompatibleError, PartitionedBloomFilter,
};

use crate::documented::Documented;
use crate::key::Integer;
use crate::promise::{Violation, law};
use crate::spec::MEMORY;
use crate::state::AnyState;

/// Once so many positions were worked out, a case ends: more would be slower and no other.
const MOST_POSITIONS: u64 = 10_000;
/// The bytes of filters of up to so many bits or counters are compared; nothing goes through all of larger
/// ones, which takes too long.
pub(crate) const MOST_CELLS: u64 = 1 << 22;

/// Hashes in a row: `from`, `from + step` and so on, modulo 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The first.
    pub from: u64,
    /// From one to the next.
    pub step: u64,
    /// How many.
    pub count: u16,
}

impl Run {
    /// Returns the hashes.
    pub fn hashes(self) -> Vec<u64> {
        let hash = |number: u16| {
            self.from
                .wrapping_add(self.step.wrapping_mul(number.into()))
        };
        (0..self.count).map(hash).collect()
    }
}

impl<'a> Arbitrary<'a> for Run {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let from = u.arbitrary::<Integer>()?.0;
        let step = match u.int_in_range(0..=3)? {
            0 => 1,
            1 => 0x9e37_79b9_7f4a_7c15,
            2 => u.arbitrary::<Integer>()?.0,
            _ => 1 << u.int_in_range(0..=63)?,
        };
        // Around the groups that batches work in, and few.
        let count = match u.int_in_range(0..=3)? {
            0 => *u.choose(&[0, 1, 31, 32, 33, 127, 128, 129, 255, 256, 257])?,
            1 => u.int_in_range(0..=700)?,
            _ => u.int_in_range(0..=20)?,
        };
        Ok(Self { from, step, count })
    }
}

/// One thing done to a filter by hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Inserts a hash.
    Add(u64),
    /// Inserts a hash so often.
    AddOften(u64, u16),
    /// Inserts hashes in one call.
    AddRun(Run),
    /// Asks for hashes, one by one and in one call.
    Check(Run),
    /// Removes a hash, in it or not.
    Remove(u64),
    /// Unites with a filter of these hashes.
    Unite(Run),
    /// Intersects with a filter of these hashes.
    Meet(Run),
    /// Forgets all.
    Forget,
}

impl Deed {
    /// Returns the hashes that are worked out for it.
    fn hashes(&self) -> u64 {
        match self {
            Self::Add(_) | Self::Remove(_) => 1,
            Self::AddOften(_, times) => (*times).into(),
            Self::AddRun(run) | Self::Check(run) | Self::Unite(run) | Self::Meet(run) => {
                run.count.into()
            }
            Self::Forget => 0,
        }
    }

    /// Returns whether it goes through the whole filter.
    fn passes(&self) -> bool {
        matches!(self, Self::Unite(_) | Self::Meet(_) | Self::Forget)
    }

    /// Returns those of the deeds that are done to a filter with so many hashes per item.
    pub(crate) fn affordable(deeds: &[Self], hashes: u8) -> &[Self] {
        let mut positions = 0;
        let is_enough = |deed: &Self| {
            let enough = positions >= MOST_POSITIONS;
            positions += deed.hashes() * u64::from(hashes);
            enough
        };
        let most = deeds.iter().position(is_enough).unwrap_or(deeds.len());
        &deeds[..most]
    }
}

impl<'a> Arbitrary<'a> for Deed {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.int_in_range(0..=15)? {
            0..=2 => Self::Add(u.arbitrary::<Integer>()?.0),
            3 => Self::AddOften(u.arbitrary::<Integer>()?.0, u.int_in_range(0..=300)?),
            4..=5 => Self::AddRun(u.arbitrary()?),
            6..=7 => Self::Check(u.arbitrary()?),
            8..=12 => Self::Remove(u.arbitrary::<Integer>()?.0),
            13 => Self::Unite(u.arbitrary()?),
            14 => Self::Meet(u.arbitrary()?),
            _ => Self::Forget,
        })
    }
}

/// A filter of bloom-core by its hashes: what four of the five have under the same names.
pub(crate) trait ByHash: Clone + PartialEq {
    fn insert_hash(&mut self, hash: u64) -> bool;
    fn contains_hash(&self, hash: u64) -> bool;
    fn insert_hashes(&mut self, hashes: &[u64]) -> u64;
    fn contains_hashes(&self, hashes: &[u64], answers: &mut Vec<bool>);
    fn union_with(&mut self, other: &Self) -> std::result::Result<(), IncompatibleError>;
    fn intersect_with(&mut self, other: &Self) -> std::result::Result<(), IncompatibleError>;
    fn clear(&mut self);
    fn fill(&self) -> f64;
    fn bytes(&self) -> Vec<u8>;
    /// An empty filter of the same size and hasher.
    fn empty(&self) -> Self;

    /// `None` if nothing can be removed.
    fn remove_hash(&mut self, hash: u64) -> Option<bool> {
        let _ = hash;
        None
    }

    /// `None` if nothing is counted.
    fn saturated(&self) -> Option<u64> {
        None
    }
}

// The methods called here are the filter's own, which come before the trait's of the same name.
macro_rules! by_hash {
    ($filter:ident { $($own:item)* }) => {
        impl ByHash for $filter<u64, AnyState> {
            fn insert_hash(&mut self, hash: u64) -> bool {
                self.insert_hash(hash)
            }

            fn contains_hash(&self, hash: u64) -> bool {
                self.contains_hash(hash)
            }

            fn insert_hashes(&mut self, hashes: &[u64]) -> u64 {
                self.insert_hashes(hashes)
            }

            fn contains_hashes(&self, hashes: &[u64], answers: &mut Vec<bool>) {
                self.contains_hashes(hashes, answers);
            }

            fn union_with(&mut self, other: &Self) -> std::result::Result<(), IncompatibleError> {
                self.union_with(other)
            }

            fn intersect_with(
                &mut self,
                other: &Self,
            ) -> std::result::Result<(), IncompatibleError> {
                self.intersect_with(other)
            }

            fn clear(&mut self) {
                self.clear();
            }

            fn fill(&self) -> f64 {
                self.fill()
            }

            fn bytes(&self) -> Vec<u8> {
                self.to_bytes().expect("a small filter fits twice")
            }

            $($own)*
        }
    };
}

by_hash!(BloomFilter {
    fn empty(&self) -> Self {
        Self::with_hasher(self.shape(), *self.hasher()).expect(MEMORY)
    }
});
by_hash!(BlockedBloomFilter {
    fn empty(&self) -> Self {
        Self::with_hasher(self.shape(), *self.hasher()).expect(MEMORY)
    }
});
by_hash!(PartitionedBloomFilter {
    fn empty(&self) -> Self {
        Self::with_hasher(self.shape(), *self.hasher()).expect(MEMORY)
    }
});
by_hash!(CountingBloomFilter {
    fn empty(&self) -> Self {
        Self::with_counter_bits(self.shape(), self.counter_bits(), *self.hasher()).expect(MEMORY)
    }

    fn remove_hash(&mut self, hash: u64) -> Option<bool> {
        Some(self.remove_hash(hash))
    }

    fn saturated(&self) -> Option<u64> {
        Some(self.saturated())
    }
});

/// A filter, and the same as the layout's page describes it.
#[derive(Clone)]
pub(crate) struct Beside<F> {
    pub(crate) filter: F,
    pub(crate) plain: Documented,
    state: AnyState,
}

impl<F: ByHash> Beside<F> {
    pub(crate) fn new(filter: F, plain: Documented, state: AnyState) -> Self {
        Self {
            filter,
            plain,
            state,
        }
    }

    /// Does a deed to both and compares what they say.
    pub(crate) fn apply(&mut self, deed: &Deed) -> std::result::Result<(), Violation> {
        if deed.passes() && self.plain.cells() > MOST_CELLS {
            return Ok(());
        }
        match *deed {
            Deed::Add(hash) => self.insert(hash),
            Deed::AddOften(hash, times) => (0..times).try_for_each(|_| self.insert(hash)),
            Deed::AddRun(run) => self.insert_run(run),
            Deed::Check(run) => self.check_run(run),
            Deed::Remove(hash) => self.remove(hash),
            Deed::Unite(run) => {
                let (filter, plain) = self.other(run);
                let outcome = self.filter.union_with(&filter);
                self.plain.union_with(&plain);
                law(outcome.is_ok(), "a union of two alike must be done", || {
                    format!("{outcome:?}")
                })
            }
            Deed::Meet(run) => {
                let (filter, plain) = self.other(run);
                let outcome = self.filter.intersect_with(&filter);
                self.plain.intersect_with(&plain);
                law(
                    outcome.is_ok(),
                    "an intersection of two alike must be done",
                    || format!("{outcome:?}"),
                )
            }
            Deed::Forget => {
                self.filter.clear();
                self.plain = self.plain.empty();
                Ok(())
            }
        }
    }

    /// Compares the bytes of both, and what is read off them.
    pub(crate) fn check_bytes(&self) -> std::result::Result<(), Violation> {
        self.compare_bytes()?;
        self.compare_readings()
    }

    /// Asks for what a deed put in.
    pub(crate) fn check_added(&self, deed: &Deed) -> std::result::Result<(), Violation> {
        match *deed {
            Deed::Add(from) | Deed::AddOften(from, _) => self.check_run(Run {
                from,
                step: 0,
                count: 1,
            }),
            Deed::AddRun(run) => self.check_run(run),
            _ => Ok(()),
        }
    }

    fn compare_bytes(&self) -> std::result::Result<(), Violation> {
        let (bytes, plain) = (self.filter.bytes(), self.plain.to_bytes(self.state));
        law(
            bytes == plain,
            "the bytes must be those of the layout's page",
            || {
                let differ = bytes
                    .iter()
                    .zip(&plain)
                    .position(|(one, other)| one != other);
                format!(
                    "{} bytes instead of {}, the first that differs at {differ:?}",
                    bytes.len(),
                    plain.len()
                )
            },
        )
    }

    fn compare_readings(&self) -> std::result::Result<(), Violation> {
        let (fill, share) = (self.filter.fill(), self.plain.fill());
        law(
            fill == share,
            "the fill must be the share of bits that are set",
            || format!("{fill} instead of {share}"),
        )?;
        let saturated = self.filter.saturated();
        law(
            saturated.is_none_or(|count| count == self.plain.saturated()),
            "the saturated counters must be counted",
            || format!("{saturated:?} instead of {}", self.plain.saturated()),
        )
    }

    fn insert(&mut self, hash: u64) -> std::result::Result<(), Violation> {
        let (new, plain) = (self.filter.insert_hash(hash), self.plain.insert(hash));
        law(
            new == plain,
            "a hash must be new if a position of it was clear",
            || format!("{new} for {hash:#x}"),
        )
    }

    fn insert_run(&mut self, run: Run) -> std::result::Result<(), Violation> {
        let hashes = run.hashes();
        let new = self.filter.insert_hashes(&hashes);
        let plain = hashes
            .iter()
            .filter(|hash| self.plain.insert(**hash))
            .count() as u64;
        law(
            new == plain,
            "a batch must count the hashes that were new",
            || format!("{new} instead of {plain}"),
        )
    }

    fn check_run(&self, run: Run) -> std::result::Result<(), Violation> {
        let hashes = run.hashes();
        let plain: Vec<bool> = hashes
            .iter()
            .map(|hash| self.plain.contains(*hash))
            .collect();
        let singly: Vec<bool> = hashes
            .iter()
            .map(|hash| self.filter.contains_hash(*hash))
            .collect();
        // What is in the answers before is none of the filter's business.
        let mut answers = vec![true; 3];
        self.filter.contains_hashes(&hashes, &mut answers);
        law(
            singly == plain,
            "a hash must be found if all its positions are set",
            || {
                let differ = singly
                    .iter()
                    .zip(&plain)
                    .position(|(one, other)| one != other);
                format!("another answer for hash {differ:?} of {run:?}")
            },
        )?;
        law(
            answers == plain,
            "a batch must find what is found one by one",
            || {
                let differ = answers
                    .iter()
                    .zip(&plain)
                    .position(|(one, other)| one != other);
                format!(
                    "{} answers, another for hash {differ:?} of {run:?}",
                    answers.len()
                )
            },
        )
    }

    fn remove(&mut self, hash: u64) -> std::result::Result<(), Violation> {
        let Some(removed) = self.filter.remove_hash(hash) else {
            return Ok(());
        };
        let plain = self.plain.remove(hash);
        law(
            removed == plain,
            "a hash must be removed unless a counter of it is too low",
            || format!("{removed} for {hash:#x}"),
        )
    }

    /// Another filter of the same size and hasher, of these hashes.
    fn other(&self, run: Run) -> (F, Documented) {
        let (mut filter, mut plain) = (self.filter.empty(), self.plain.empty());
        for hash in run.hashes() {
            filter.insert_hash(hash);
            plain.insert(hash);
        }
        (filter, plain)
    }
}
