//! Fills real filters and counts their false positives.

use std::hash::{BuildHasher, Hash};

use bloom_core::{BloomFilter, BuildError, FixedState, Shape};

use bloom_params::numbers::grouped;

use crate::axes::{check, within};
use crate::error::FigureError;

/// The most filters per measured point.
pub const MAX_FILTERS: u64 = 10_000;

/// The most steps ([`Effort::steps`]) for all points of a figure together: minutes, not hours.
pub const MAX_STEPS: u64 = 2_000_000_000;

/// The number of filters per point and of queries per filter, and the seed that selects the filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    filters: u64,
    queries: u64,
    seed: u64,
    watcher: Watcher,
}

/// The progress callback. It does not affect the measurement, so all watchers compare equal.
#[derive(Debug, Clone, Copy)]
struct Watcher(Option<fn(f64)>);

impl PartialEq for Watcher {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Watcher {}

impl Effort {
    /// Creates an effort of `filters` filters per point, each queried for `queries` items that were
    /// not inserted. Another `seed` selects other filters.
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

    /// Calls `watcher` after each measured filter with the share of the steps done so far, from 0
    /// to 1.
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

    /// Returns the queries of a point over all its filters.
    pub fn all_queries(self) -> f64 {
        self.filters as f64 * self.queries as f64
    }

    /// Returns the steps of a point: one for each insert, each query and each 64-bit word that is
    /// cleared.
    pub fn steps(self, items: u64, bits: u64) -> u128 {
        let of_one = u128::from(items) + u128::from(self.queries) + u128::from(bits.div_ceil(64));
        u128::from(self.filters) * of_one
    }
}

/// What was counted at one point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The false positives of each filter.
    pub hits: Vec<u64>,
    /// The queries per filter.
    pub queries: u64,
}

/// Fills filters of one shape with `items` distinct items each, and queries each filter for other items.
///
/// The filters differ in the seeds of their hashers, which makes them independent samples of all
/// filters of the shape. Points that differ in items, bits or hashes use independent filters as well.
/// The same arguments always give the same sample.
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

/// Measures a point as part of a larger measurement.
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

/// Fills filters as [`measure`] does and returns a value read from each.
pub(crate) fn filled<T>(
    work: &mut Work,
    items: u64,
    shape: Shape,
    read: impl Fn(&BloomFilter<u64>) -> T,
) -> Result<Vec<T>, BuildError> {
    let steps = work.effort.steps(items, shape.bits());
    // The size only scales the positions of a hash: filters of two sizes that shared a hasher would have much the same
    // false positives.
    work.each((shape.bits(), shape.hashes(), items), steps, |hasher| {
        let mut filter = BloomFilter::with_seed(shape, hasher.seed())?;
        filter.extend(0..items);
        Ok(read(&filter))
    })
}

/// A measurement in progress: its total steps, and the steps done.
pub(crate) struct Work {
    pub(crate) effort: Effort,
    all: u128,
    done: u128,
}

impl Work {
    /// Starts a measurement unless it exceeds the step limit.
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

    /// Calls `one` with the hasher of each filter of a point. Points with another `key` get other
    /// hashers; `steps` is the total for all filters.
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

    /// Measures filters of any kind. `one` fills a filter with the hashes of `items` items and
    /// returns its lookup, which is then called for other items. The hashes are well mixed, for
    /// filters that do not mix them.
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

    /// Measures bit arrays in which each hash sets the bits that `all` visits, for filters that this project does not offer.
    /// `all` visits the positions of a hash as long as its callback returns `true`, and returns whether the callback never
    /// returned `false`.
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

/// Creates a bit array, in words.
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
