//! Builds and queries the filters of one candidate (a filter type with its hash function), in timed loops that are compiled for
//! this type.
//!
//! The benchmark holds a runner as a [`DynRunner`]: the dynamic call is made once per timed loop, not per query.

use std::borrow::Borrow;
use std::hint::black_box;
use std::time::Duration;

use crate::candidate::{Candidate, Name};
use crate::clock;
use crate::keys::Item;
use crate::memory;
use crate::operation::Operation;

/// Keys per batch call.
const BATCH: usize = 1024;

/// Small filters are built in groups of up to 64 equal filters, which together take at most this number of bytes. Timing one
/// small filter would mostly measure the clock, and a group of this size still fits in the first-level cache.
const GROUP_BYTES: usize = 16 << 10;

/// A runner of a candidate, whatever the type of its filter.
pub(crate) trait DynRunner<T: Item + ?Sized> {
    /// Returns the name of the candidate.
    fn name(&self) -> Name;

    /// Whether the filter supports this operation.
    fn does(&self, operation: Operation) -> bool;

    /// Inserts keys by one of [`Operation::BUILDS`], and returns the nanoseconds per key. Returns `None` before the last part
    /// of a static filter, which is built from all keys at once.
    fn build(&mut self, operation: Operation, keys: &[T::Stored<'_>], part: Part) -> Option<f64>;

    /// Returns the memory of the built filter in bytes.
    fn bytes(&self) -> usize;

    /// Queries the built filter by one of [`Operation::QUERIES`].
    fn query(&self, operation: Operation, keys: &[T::Stored<'_>], repeats: usize) -> Queried;

    /// Removes items from the filter that was built by single calls and inserts them again; returns the
    /// nanoseconds per removal.
    fn remove(&mut self, items: &[T::Stored<'_>], repeats: usize) -> f64;

    /// Counts the keys found in the filter that was built by single calls.
    fn count(&self, keys: &[T::Stored<'_>]) -> usize;

    /// Counts the keys for which the two filters, one built by single calls and one by batches, give different answers, or a
    /// batch query and a single query do.
    fn disagreements(&self, keys: &[T::Stored<'_>]) -> usize;

    /// Builds another filter of `items`, and counts the items that it does not find and its false positives among `others`.
    /// Then removes the items, if the filter can, and also counts as missing those that it refuses or still finds.
    fn trial(&self, items: &[T::Stored<'_>], others: &[T::Stored<'_>]) -> Trial;
}

/// Which part of a filter's keys is inserted, and how often.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    /// Whether the filter is empty before this part.
    pub(crate) first: bool,
    /// Whether all keys of the filter are inserted after this part.
    pub(crate) last: bool,
    /// How often this part is inserted.
    pub(crate) repeats: usize,
}

impl Part {
    /// All keys of a filter, once.
    pub(crate) const WHOLE: Self = Self {
        first: true,
        last: true,
        repeats: 1,
    };
}

/// Time and answers of queries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queried {
    /// Nanoseconds per query.
    pub(crate) nanoseconds: f64,
    /// The number of positive answers in one pass over the keys.
    pub(crate) yes: usize,
}

/// The answers of a filter that is built only to measure the rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trial {
    /// Number of inserted items that were not found, not removed, or still found after their removal.
    pub(crate) missing: usize,
    /// False positives.
    pub(crate) yes: usize,
}

/// A group of equal filters, which are under construction or complete.
struct Fill<C> {
    filters: Vec<C>,
    bytes: isize,
    /// The time and the number of inserts that no returned time includes yet.
    spent: Duration,
    inserted: usize,
}

/// The runner of a candidate whose filters have the type `C`.
pub(crate) struct Runner<C> {
    name: Name,
    rate: f64,
    empty: C,
    singly: Fill<C>,
    in_batches: Fill<C>,
}

impl<C> Fill<C> {
    fn new() -> Self {
        Self {
            filters: Vec::new(),
            bytes: 0,
            spent: Duration::ZERO,
            inserted: 0,
        }
    }

    /// Bytes per filter.
    fn bytes(&self) -> usize {
        self.bytes.max(0) as usize / self.filters.len().max(1)
    }
}

impl<C: Clone> Fill<C> {
    /// Starts again with empty filters. Their memory is written when they are cloned, so no page fault of this memory is timed.
    fn restart(&mut self, empty: &C) {
        let copies = (GROUP_BYTES / self.bytes().max(1)).clamp(1, 64);
        // In the first build, the size of a filter is not known yet.
        let copies = if self.filters.is_empty() { 1 } else { copies };
        self.filters.clear();
        self.filters.reserve_exact(copies);
        let ((), bytes) = memory::held(|| {
            self.filters.extend((0..copies).map(|_| empty.clone()));
        });
        self.bytes = bytes;
        (self.spent, self.inserted) = (Duration::ZERO, 0);
    }
}

impl<C> Runner<C> {
    /// Creates a runner for filters with this many items at this rate.
    pub(crate) fn boxed<T>(name: Name, items: u64, rate: f64) -> Box<dyn DynRunner<T>>
    where
        T: Item + ?Sized,
        C: Candidate<T> + 'static,
    {
        Box::new(Self {
            name,
            rate,
            empty: C::sized(items, rate),
            singly: Fill::new(),
            in_batches: Fill::new(),
        })
    }

    /// The filter built by single calls.
    fn filter(&self) -> &C {
        let first = self.singly.filters.first();
        first.expect("a filter is built before it is queried")
    }
}

impl<T: Item + ?Sized, C: Candidate<T>> DynRunner<T> for Runner<C> {
    fn name(&self) -> Name {
        self.name
    }

    fn does(&self, operation: Operation) -> bool {
        (C::BATCHES || !operation.is_batch()) && (C::REMOVES || operation != Operation::Remove)
    }

    fn build(&mut self, operation: Operation, keys: &[T::Stored<'_>], part: Part) -> Option<f64> {
        let batch = operation.is_batch();
        let fill = if batch {
            &mut self.in_batches
        } else {
            &mut self.singly
        };
        let (mut time, mut inserted) = (Duration::ZERO, 0);
        for _ in 0..part.repeats {
            if part.first {
                fill.restart(&self.empty);
            }
            let keys = black_box(keys);
            let insert = |filter: &mut C| {
                if batch {
                    filter.insert_many(keys);
                } else {
                    insert_each(filter, keys);
                }
                if part.last {
                    filter.seal();
                }
            };
            let (((), spent), bytes) =
                memory::held(|| clock::time(|| fill.filters.iter_mut().for_each(insert)));
            fill.bytes += bytes;
            fill.spent += spent;
            fill.inserted += keys.len() * fill.filters.len();
            if part.last || !C::STATIC {
                time += std::mem::take(&mut fill.spent);
                inserted += std::mem::take(&mut fill.inserted);
            }
        }
        (inserted > 0).then(|| nanoseconds_each(time, inserted))
    }

    fn bytes(&self) -> usize {
        self.singly.bytes()
    }

    fn query(&self, operation: Operation, keys: &[T::Stored<'_>], repeats: usize) -> Queried {
        let filter = self.filter();
        let mut answers = Vec::with_capacity(BATCH);
        let (mut yes, mut queries) = (0, 0);
        let ((), time) = clock::time(|| {
            for _ in 0..repeats {
                let (filter, keys) = (black_box(filter), black_box(keys));
                if operation.is_batch() {
                    yes += count_in_batches(filter, keys, &mut answers);
                    queries += keys.len();
                } else if operation == Operation::Dependent {
                    let walked = walk(filter, keys);
                    yes += walked.yes;
                    queries += walked.queries;
                } else {
                    yes += count(filter, keys);
                    queries += keys.len();
                }
            }
        });
        assert_eq!(yes % repeats, 0, "a filter answers alike every time");
        Queried {
            nanoseconds: nanoseconds_each(time, queries),
            yes: yes / repeats,
        }
    }

    fn remove(&mut self, items: &[T::Stored<'_>], repeats: usize) -> f64 {
        let filter = self.singly.filters.first_mut();
        let filter = filter.expect("the benchmark builds before it removes");
        let mut total = Duration::ZERO;
        for _ in 0..repeats {
            let (removed, time) = clock::time(|| remove_each(filter, black_box(items)));
            assert_eq!(
                removed,
                items.len(),
                "{} removes every item",
                self.name.text()
            );
            total += time;
            insert_each(filter, items);
        }
        nanoseconds_each(total, repeats * items.len())
    }

    fn count(&self, keys: &[T::Stored<'_>]) -> usize {
        count(self.filter(), keys)
    }

    fn disagreements(&self, keys: &[T::Stored<'_>]) -> usize {
        if !C::BATCHES {
            return 0;
        }
        let filter = self.filter();
        let other = self.in_batches.filters.first();
        let other = other.expect("a filter with batch calls is built by them, too");
        let mut answers = Vec::new();
        let differ = keys.chunks(BATCH).map(|keys| {
            filter.contains_many(keys, &mut answers);
            assert_eq!(answers.len(), keys.len(), "a batch answers for every key");
            let pairs = keys.iter().zip(&answers);
            let differs = |(key, answer): &(&T::Stored<'_>, &bool)| {
                let key = (*key).borrow();
                filter.contains(key) != **answer || other.contains(key) != **answer
            };
            pairs.filter(differs).count()
        });
        differ.sum()
    }

    fn trial(&self, items: &[T::Stored<'_>], others: &[T::Stored<'_>]) -> Trial {
        let mut filter = C::sized(items.len() as u64, self.rate);
        insert_each(&mut filter, items);
        filter.seal();
        let mut missing = items.len() - count(&filter, items);
        let yes = count(&filter, others);
        if C::REMOVES {
            missing += items.len() - remove_each(&mut filter, items) + count(&filter, items);
        }
        Trial { missing, yes }
    }
}

fn nanoseconds_each(time: Duration, count: usize) -> f64 {
    time.as_secs_f64() * 1e9 / count as f64
}

#[inline(never)]
fn insert_each<T: Item + ?Sized, C: Candidate<T>>(filter: &mut C, keys: &[T::Stored<'_>]) {
    let mut answers = 0;
    for key in keys {
        answers += usize::from(filter.insert(key.borrow()));
    }
    black_box(answers);
}

#[inline(never)]
fn remove_each<T: Item + ?Sized, C: Candidate<T>>(filter: &mut C, keys: &[T::Stored<'_>]) -> usize {
    let mut removed = 0;
    for key in keys {
        removed += usize::from(filter.remove(key.borrow()));
    }
    removed
}

#[inline(never)]
fn count<T: Item + ?Sized, C: Candidate<T>>(filter: &C, keys: &[T::Stored<'_>]) -> usize {
    let mut yes = 0;
    for key in keys {
        yes += usize::from(filter.contains(key.borrow()));
    }
    yes
}

/// The numbers of queries and of positive answers of [`walk`].
struct Walked {
    queries: usize,
    yes: usize,
}

/// Queries keys in order, but skips the next key after a positive answer. So no query can start before the previous one has
/// ended.
#[inline(never)]
fn walk<T: Item + ?Sized, C: Candidate<T>>(filter: &C, keys: &[T::Stored<'_>]) -> Walked {
    let (mut index, mut queries, mut yes) = (0, 0, 0);
    while let Some(key) = keys.get(index) {
        let answer = usize::from(filter.contains(key.borrow()));
        queries += 1;
        yes += answer;
        index += 1 + answer;
    }
    Walked { queries, yes }
}

#[inline(never)]
fn count_in_batches<T: Item + ?Sized, C: Candidate<T>>(
    filter: &C,
    keys: &[T::Stored<'_>],
    answers: &mut Vec<bool>,
) -> usize {
    let mut yes = 0;
    for keys in keys.chunks(BATCH) {
        filter.contains_many(keys, answers);
        yes += answers.iter().filter(|answer| **answer).count();
    }
    yes
}
