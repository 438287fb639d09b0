//! Fills real filters, queries them, and counts their false positives.

use std::hash::{BuildHasher, Hash};

use bloom_core::{BloomFilter, BuildError, FixedState, Shape};

use bloom_params::numbers::grouped;

use crate::axes::{check, within};
use crate::error::FigureError;

/// The most filters per measured point.
pub const MAX_FILTERS: u64 = 10_000;

/// The most steps ([`Effort::steps`]) for all points of a figure together, so that a measurement takes minutes and not hours.
pub const MAX_STEPS: u64 = 2_000_000_000;

/// How much to measure: the number of filters per point, the number of queries per filter, and a seed, from which the hashers
/// of the filters are seeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    filters: u64,
    queries: u64,
    seed: u64,
    watcher: Watcher,
}

/// A function that is called with the progress. It does not affect the measurement, so all watchers compare equal.
#[derive(Debug, Clone, Copy)]
struct Watcher(Option<fn(f64)>);

impl PartialEq for Watcher {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Watcher {}

impl Effort {
    /// Creates an effort of `filters` filters per measured point, each of which is queried for `queries` items that were not
    /// inserted. With another `seed`, the filters have other hashers.
    ///
    /// # Errors
    ///
    /// `filters` must be from 2 to [`MAX_FILTERS`], because one filter does not show the variance
    /// between filters; `queries` must be at least 1.
    pub fn new(filters: u64, queries: u64, seed: u64) -> Result<Self, FigureError> {
        within("filters", 2..=MAX_FILTERS, filters)?;
        check("queries", "at least 1", queries > 0, queries)?;
        Ok(Self {
            filters,
            queries,
            seed,
            watcher: Watcher(None),
        })
    }

    /// Sets a function that is called after each measured filter, with the share of all steps that are done, from 0 to 1.
    #[must_use]
    pub fn watched_by(mut self, watcher: fn(f64)) -> Self {
        self.watcher = Watcher(Some(watcher));
        self
    }

    /// Returns the filters per point.
    pub fn filters(self) -> u64 {
        self.filters
    }

    /// Returns the queries per filter.
    pub fn queries(self) -> u64 {
        self.queries
    }

    /// Returns the number of queries of one point, in all its filters together.
    pub fn all_queries(self) -> f64 {
        self.filters as f64 * self.queries as f64
    }

    /// Returns the number of steps that one point takes with filters of these items and bits: one for each insertion, each
    /// query and each 64-bit word that is cleared, in all filters of the point together.
    pub fn steps(self, items: u64, bits: u64) -> u128 {
        let of_one = u128::from(items) + u128::from(self.queries) + u128::from(bits.div_ceil(64));
        u128::from(self.filters) * of_one
    }
}

/// The false positives that were counted for one measured point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The false positives of each filter.
    pub hits: Vec<u64>,
    /// The queries per filter.
    pub queries: u64,
}

/// Fills filters of one shape with `items` distinct items each, and queries each filter for other items.
///
/// The hashers of the filters have different seeds, which makes the filters independent samples of all filters of this shape.
/// Calls with other items, bits or hashes use filters that are independent of these. The same arguments always give the same
/// sample.
///
/// # Errors
///
/// A filter must fit in memory.
///
/// # Examples
///
/// ```
/// use bloom_core::Shape;
/// use bloom_plot::measure::{Effort, measure};
///
/// let sample = measure(1_000, Shape::new(5_000, 4)?, Effort::new(10, 2_000, 1)?)?;
/// let hits: u64 = sample.hits.iter().sum();
/// // The exact rate is 9.2 %.
/// assert!((1_600..2_100).contains(&hits));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn measure(items: u64, shape: Shape, effort: Effort) -> Result<Sample, BuildError> {
    let mut work = Work {
        effort,
        all: effort.steps(items, shape.bits()),
        done: 0,
    };
    measure_as(&mut work, items, shape)
}

/// Does the same as [`measure`] for one point of a figure, as a part of the figure's total work.
pub(crate) fn measure_as(work: &mut Work, items: u64, shape: Shape) -> Result<Sample, BuildError> {
    let queries = work.effort.queries;
    let hits = filled(work, items, shape, |filter| {
        let others = items..items.saturating_add(queries);
        others.filter(|other| filter.contains(other)).count() as u64
    });
    Ok(Sample {
        hits: hits?,
        queries,
    })
}

/// Fills filters as [`measure`] does, and returns the value that `read` takes from each filter.
pub(crate) fn filled<T>(
    work: &mut Work,
    items: u64,
    shape: Shape,
    read: impl Fn(&BloomFilter<u64>) -> T,
) -> Result<Vec<T>, BuildError> {
    let steps = work.effort.steps(items, shape.bits());
    // The seeds depend on the size of the filters, because the size only scales the positions of a hash: two filters of
    // different sizes with the same hasher would have much the same false positives.
    work.each((shape.bits(), shape.hashes(), items), steps, |hasher| {
        let mut filter = BloomFilter::with_seed(shape, hasher.seed())?;
        filter.extend(0..items);
        Ok(read(&filter))
    })
}

/// A measurement in progress: the total number of its steps, and the number of steps that are done.
pub(crate) struct Work {
    pub(crate) effort: Effort,
    all: u128,
    done: u128,
}

impl Work {
    /// Starts a measurement of this many steps, unless there are more than [`MAX_STEPS`].
    pub(crate) fn new(effort: Effort, steps: u128) -> Result<Self, FigureError> {
        if steps > MAX_STEPS.into() {
            let most = grouped(MAX_STEPS);
            let rule = format!("must take at most {most} steps (inserts, queries, words cleared)");
            let got = u64::try_from(steps)
                .map_or_else(|_| format!("more than {}", grouped(u64::MAX)), grouped);
            return Err(FigureError::refused("measuring", rule, got));
        }
        Ok(Self {
            effort,
            all: steps.max(1),
            done: 0,
        })
    }

    /// Calls `one` with the hasher of each filter of a point. Points with different `key`s get different hashers. `steps` is
    /// the number of steps of all filters of the point together.
    pub(crate) fn each<T, E>(
        &mut self,
        key: impl Hash + Copy,
        steps: u128,
        mut one: impl FnMut(FixedState) -> Result<T, E>,
    ) -> Result<Vec<T>, E> {
        let seeds = FixedState::with_seed(self.effort.seed);
        let filters = self.effort.filters;
        let all = (0..filters).map(|filter| {
            let measured = one(FixedState::with_seed(seeds.hash_one((key, filter))));
            self.done += steps / u128::from(filters);
            if let Watcher(Some(watcher)) = self.effort.watcher {
                watcher((self.done as f64 / self.all as f64).min(1.0));
            }
            measured
        });
        all.collect()
    }

    /// Measures filters of any kind. `one` fills a filter with the hashes of `items` items and returns a function that looks a
    /// hash up in the filter. This function is then called with the hashes of other items. The hashes are well mixed, because
    /// some filters do not mix them.
    pub(crate) fn hits<F: Fn(u64) -> bool>(
        &mut self,
        key: impl Hash + Copy,
        items: u64,
        bits: u64,
        mut one: impl FnMut(&mut dyn Iterator<Item = u64>) -> Result<F, FigureError>,
    ) -> Result<Sample, FigureError> {
        let queries = self.effort.queries;
        let steps = self.effort.steps(items, bits);
        let hits = self.each(key, steps, |hasher| {
            let found = one(&mut (0..items).map(|item| mixed(hasher.hash_one(item))))?;
            let others = items..items.saturating_add(queries);
            let hit = |other: &u64| found(mixed(hasher.hash_one(other)));
            Ok::<_, FigureError>(others.filter(hit).count() as u64)
        });
        Ok(Sample {
            hits: hits?,
            queries,
        })
    }

    /// Measures filters as bit arrays, in which each hash sets the bits at the positions that `all` visits. `all` visits the
    /// positions of a hash as long as its callback returns `true`, and returns whether the callback never returned `false`.
    pub(crate) fn hits_of_positions(
        &mut self,
        key: impl Hash + Copy,
        items: u64,
        bits: u64,
        all: impl Fn(u64, &mut dyn FnMut(u64) -> bool) -> bool + Copy,
    ) -> Result<Sample, FigureError> {
        self.hits(key, items, bits, |inserts| {
            let mut words = clear_words(bits)?;
            for hash in inserts {
                all(hash, &mut |bit| {
                    words[(bit / 64) as usize] |= 1 << (bit % 64);
                    true
                });
            }
            Ok(move |hash| {
                all(hash, &mut |bit| {
                    words[(bit / 64) as usize] >> (bit % 64) & 1 == 1
                })
            })
        })
    }
}

/// Creates an array of at least this many clear bits, in words of 64 bits.
fn clear_words(bits: u64) -> Result<Vec<u64>, FigureError> {
    let count = usize::try_from(bits.div_ceil(64)).unwrap_or(usize::MAX);
    let mut words = Vec::new();
    let reserved = words.try_reserve_exact(count);
    reserved.map_err(|_| FigureError::no_memory(bits))?;
    words.resize(count, 0);
    Ok(words)
}

/// Mixes a number so that every bit depends on all input bits: SplitMix64 by Steele, Lea and Flood.
pub(crate) fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
