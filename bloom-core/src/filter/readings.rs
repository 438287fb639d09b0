//! Numbers that are read from the bits of a filter: its size in memory, its share of set bits, its
//! rate and the estimated number of items.

use super::{Bloom, Fixed, Kind, Table};
use crate::estimate::EstimateError;
use crate::math::Estimate;

impl<K: Kind<B>, T: ?Sized, S, B> Bloom<K, T, S, B> {
    /// Returns the bytes of memory that hold the bits or counters; see [`fill`](Self::fill).
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.table.memory_bytes()
    }

    /// Returns whether no bit is set, so that every query returns `false`. O(m) at worst. See
    /// [`clear`](Self::clear).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Returns the false-positive rate of this filter at its current [`fill`](Self::fill). O(m).
    ///
    /// - `BloomFilter`: fill^k. Counting: fill^k, where the fill is the share of counters above 0.
    /// - Partitioned: the product of the fills of the slices.
    /// - Blocked: the mean over blocks of the product of the fills of their lanes.
    /// - Scalable: the probability that at least one stage, at its current fill, reports a false
    ///   positive. The result is exact for one stage. With several stages it is computed as if
    ///   their false positives were independent. They are not: all stages derive positions from the
    ///   same hash, and a stage contains only items that the older stages did not find. Therefore
    ///   the false positives of two stages coincide less often than computed, and the measured rate
    ///   is higher than the result. In filters of two to eight full stages it was higher by at
    ///   most 0.3 % at a requested rate of 0.1, 1 % at 0.3, 2 % at 0.5 and 4 % at 0.9. Even so, the
    ///   rate is at most the sum of the rates allowed for the stages, and so below the requested
    ///   rate.
    #[must_use]
    pub fn false_positive_rate(&self) -> f64 {
        self.table.false_positive_rate()
    }

    /// Estimates the number of distinct items from the set bits, with its standard deviation. O(m).
    ///
    /// - `BloomFilter` and counting: [`math::estimate_items`](crate::math::estimate_items).
    /// - Partitioned: each item sets one bit in each slice, so each slice gives the estimate of a filter
    ///   with one hash; the result is the mean over slices.
    /// - Blocked, X set bits in B blocks: `n = ln(1 - X/(512 B)) / ln(1 - 1/(64 B))`. Each of the eight
    ///   lanes, taken over all blocks, is a filter of 64 B bits with one hash, so the formula follows
    ///   from the exact expectation of X after n inserts. The standard deviation, `sqrt(B (8 (h(a) - 64
    ///   h(a/64)) + 4096 h(a/64)))` with `a = n/(64 B)` and `h(x) = e^x - 1 - x`, takes into account
    ///   that blocks get different numbers of items; it is exact in the limit of many blocks. It is
    ///   derived in the same way as that of `estimate_items`.
    /// - Scalable: the bits of a stage give an estimate of the number of items that reached the
    ///   stage, because no older stage found them. Items that were false positives of older stages
    ///   did not reach it; their number is estimated from the rates of the older stages. The
    ///   compound of these rates is [approximate](Self::false_positive_rate): in filters whose
    ///   first stage was sized for 100 items, the estimates of 10,000 items were too low by 0.02 %
    ///   at a requested rate of 0.1, 0.2 % at 0.3 and 0.7 % at 0.5 (mean of 4000 filters).
    ///
    /// # Errors
    ///
    /// There is no estimate if every bit is set, in the filter or in one slice or stage: any large number
    /// of items would explain these bits. There is also no estimate for a filter that was
    /// [intersected](Self::intersect_with), since its bits are not those of a set of items (the bits of
    /// an intersection of two filters with 10,000 common items would have given 19,041).
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut filter = BloomFilter::<u64>::with_rate(1_000, 0.01)?;
    /// filter.extend(0..1_000);
    /// let estimate = filter.estimated_items()?;
    /// // The standard deviation is 0.8 % of the items. If the items were random, this check would fail
    /// // by chance 0.6 times in 10^9 runs.
    /// assert!((estimate.items - 1_000.0).abs() < 6.2 * estimate.standard_deviation);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimated_items(&self) -> Result<Estimate, EstimateError> {
        let estimate = self.table.estimate();
        if self.intersected.get() {
            return Err(EstimateError::Intersected);
        }
        estimate.ok_or(EstimateError::Full)
    }
}

impl<K: Kind<B, Table: Fixed>, T: ?Sized, S, B> Bloom<K, T, S, B> {
    /// Returns the share of set bits, or of counters that are not 0, from 0 to 1. O(m).
    ///
    /// # Examples
    ///
    /// The memory, the fill and the rate of a filter:
    ///
    /// ```
    /// use bloom_core::{BloomFilter, Shape};
    ///
    /// let mut filter = BloomFilter::<u64>::new(Shape::new(19_200, 7)?)?;
    /// filter.extend(0..2_000);
    /// assert_eq!(filter.memory_bytes(), 19_200 / 8);
    /// // Fill and rate are near their means over filters of this shape with 2,000 items, 0.518 and
    /// // 0.00997.
    /// assert!((filter.fill() - 0.518).abs() < 0.02);
    /// let expected = filter.expected_false_positive_rate(2_000);
    /// assert!((filter.false_positive_rate() / expected - 1.0).abs() < 0.2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fill(&self) -> f64 {
        self.table.fill()
    }

    /// Returns the mean false-positive rate of filters of this kind and shape with `items` items, under
    /// the exact model of the kind; see [`fill`](Self::fill).
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn expected_false_positive_rate(&self, items: u64) -> f64 {
        self.table.expected_rate(items)
    }
}
