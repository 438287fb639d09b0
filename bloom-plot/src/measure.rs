//! Fills real filters and counts their false positives.

use std::hash::BuildHasher;

use bloom_core::{BloomFilter, FixedState, MemoryError, Shape};

use crate::error::FigureError;

/// The most filters a point is measured on.
pub const MOST_FILTERS: u64 = 10_000;

/// The most steps that all points of a figure may take together: minutes, not hours.
pub const MOST_STEPS: u64 = 2_000_000_000;

/// How much is measured for each point, and which of all possible filters are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    filters: u64,
    queries: u64,
    seed: u64,
}

impl Effort {
    /// Creates an effort of `filters` filters a point, each asked `queries` items that were not
    /// inserted. Another `seed` takes other filters.
    ///
    /// # Errors
    ///
    /// `filters` must be from 2, for one filter does not show how much filters differ, to
    /// [`MOST_FILTERS`], and `queries` at least 1.
    pub fn new(filters: u64, queries: u64, seed: u64) -> Result<Self, FigureError> {
        if !(2..=MOST_FILTERS).contains(&filters) {
            return Err(FigureError::FiltersOutOfRange(filters));
        }
        if queries == 0 {
            return Err(FigureError::NoQueries);
        }
        Ok(Self {
            filters,
            queries,
            seed,
        })
    }

    /// Returns the filters a point.
    pub fn filters(self) -> u64 {
        self.filters
    }

    /// Returns the queries a filter.
    pub fn queries(self) -> u64 {
        self.queries
    }

    /// Returns all queries of a point.
    pub fn all_queries(self) -> f64 {
        self.filters as f64 * self.queries as f64
    }

    /// Returns the steps that a point takes: one for each insert, each query and each word of 64
    /// bits that is cleared.
    pub fn steps(self, items: u64, bits: u64) -> u128 {
        let of_one = u128::from(items) + u128::from(self.queries) + u128::from(bits.div_ceil(64));
        u128::from(self.filters) * of_one
    }
}

/// The hits of each filter of a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The false positives that each filter gave.
    pub hits: Vec<u64>,
    /// The queries that each filter was asked.
    pub queries: u64,
}

/// Fills filters of one shape with `items` distinct items each and asks each for others.
///
/// The filters differ by the seeds of their hashers, which makes them independent draws from all
/// filters of the shape, and so are those of points that differ in items or hashes. Each call of
/// the same arguments gives the same sample.
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
pub fn measure(items: u64, shape: Shape, effort: Effort) -> Result<Sample, MemoryError> {
    let hits = filled(items, shape, effort, |filter| {
        let others = items..items.saturating_add(effort.queries);
        others.filter(|other| filter.contains(other)).count() as u64
    });
    Ok(Sample {
        hits: hits?,
        queries: effort.queries,
    })
}

/// Fills filters as [`measure`] does and reads something off each.
pub(crate) fn filled<T>(
    items: u64,
    shape: Shape,
    effort: Effort,
    read: impl Fn(&BloomFilter<u64>) -> T,
) -> Result<Vec<T>, MemoryError> {
    let seeds = FixedState::with_seed(effort.seed);
    let all = (0..effort.filters).map(|filter| {
        let seed = seeds.hash_one((shape.hashes(), items, filter));
        let hasher = FixedState::with_seed(seed);
        let mut filter = BloomFilter::with_hasher(shape, hasher)?;
        filter.extend(0..items);
        Ok(read(&filter))
    });
    all.collect()
}
