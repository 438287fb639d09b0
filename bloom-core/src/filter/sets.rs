//! Union, intersection and equality of filters, in any memory.

use core::hash::BuildHasher;

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use super::CombineShared;
use super::{Bloom, Combine, Compare, Kind, Pair, Writable};
use crate::estimate::EstimateError;
use crate::incompatible::IncompatibleError;
use crate::incompatible::check_hashers;
use crate::math::PairEstimate;
use crate::memory::Exclusive;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::memory::Shared;

impl<K: Kind<B>, T: ?Sized, S: BuildHasher, B> Bloom<K, T, S, B> {
    /// Checks that `other`, which may be in any memory, can be combined with this filter. An error
    /// names the difference.
    ///
    /// # Errors
    ///
    /// Both filters must have the same shape, width of counters, hasher and quality of hashes. Two
    /// hashers count as the same if they give equal hashes for four fixed integers.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let ours = BloomFilter::<str>::with_rate(100, 0.01)?;
    /// let theirs = BloomFilter::<str>::with_rate(200, 0.01)?;
    /// let error = ours.check_compatible(&theirs).unwrap_err();
    /// assert!(error.to_string().starts_with("shapes of both filters must agree"));
    /// # Ok::<(), bloom_core::BuildError>(())
    /// ```
    pub fn check_compatible<O>(&self, other: &Bloom<K, T, S, O>) -> Result<(), IncompatibleError>
    where
        K: Kind<O> + Kind<B, Table: Compare<<K as Kind<O>>::Table>>,
    {
        self.table.check_shape(&other.table)?;
        check_hashers(&self.hash_builder, &other.hash_builder)?;
        if self.quality == other.quality {
            return Ok(());
        }
        Err(IncompatibleError::HashQuality {
            ours: self.quality,
            theirs: other.quality,
        })
    }
}

impl<K, T: ?Sized, S: BuildHasher, B> Bloom<K, T, S, B>
where
    K: Kind<B, Table: Writable>,
    B: Exclusive,
{
    /// Adds every item of `other`, which may be in any memory: the result has the bits of a filter
    /// into which the items of both filters were inserted. In counting filters, each counter
    /// becomes the sum of both counters, or the maximum of a counter if the sum exceeds it.
    ///
    /// # Errors
    ///
    /// As for [`check_compatible`](Self::check_compatible). On an error, nothing changes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut birds = BloomFilter::<str>::with_rate(100, 0.01)?;
    /// let mut fish = BloomFilter::<str>::with_rate(100, 0.01)?;
    /// birds.insert("wren");
    /// fish.insert("carp");
    /// birds.union_with(&fish)?;
    /// assert!(birds.contains("wren") && birds.contains("carp"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn union_with<O>(&mut self, other: &Bloom<K, T, S, O>) -> Result<(), IncompatibleError>
    where
        K: Kind<O> + Kind<B, Table: Combine<<K as Kind<O>>::Table>>,
    {
        self.check_compatible(other)?;
        self.table.union_with(&other.table);
        self.intersected.unite(&other.intersected);
        Ok(())
    }

    /// Keeps the bits that are set in both filters. In counting filters, each counter becomes the
    /// lower of both counters.
    ///
    /// Items inserted in both filters are always found, and can be removed from a counting filter. The result is
    /// *not* the filter of the intersection: two different items, one in each filter, may have set the same bit.
    /// So the result may have more bits set, and a higher false-positive rate, than a filter of only the common
    /// items. From then on, until the filter is cleared, it gives no [estimate](Self::estimated_items) of its
    /// items. To estimate the intersection, call [`estimated_pair`](Self::estimated_pair) before this method.
    ///
    /// # Errors
    ///
    /// As for [`check_compatible`](Self::check_compatible). On an error, nothing changes.
    pub fn intersect_with<O>(&mut self, other: &Bloom<K, T, S, O>) -> Result<(), IncompatibleError>
    where
        K: Kind<O> + Kind<B, Table: Combine<<K as Kind<O>>::Table>>,
    {
        self.check_compatible(other)?;
        self.table.intersect_with(&other.table);
        self.intersected = super::Intersected::new(true);
        Ok(())
    }
}

impl<K: Kind<B>, T: ?Sized, S: BuildHasher, B> Bloom<K, T, S, B> {
    /// Estimates the sizes of the union and the intersection of two filters' sets. O(m).
    ///
    /// The intersection follows by inclusion and exclusion from the
    /// [estimates](Self::estimated_items) of both filters and of their union. For a blocked filter,
    /// the standard deviations are exact in the limit of many blocks.
    ///
    /// # Errors
    ///
    /// As for [`check_compatible`](Self::check_compatible). There is also no estimate if every bit of the
    /// union (or of one of its slices) is set, or if one of the filters was intersected.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let mut one = BloomFilter::<u64>::with_rate(2_000, 0.001)?;
    /// let mut other = BloomFilter::<u64>::with_rate(2_000, 0.001)?;
    /// one.extend(0..1_000);
    /// other.extend(500..1_500);
    /// let both = one.estimated_pair(&other)?;
    /// // The standard deviations are 0.5 % of the union, 0.8 % of the intersection and 0.0035 for the
    /// // similarity. If the items were random, each check would fail by chance at most 0.6 times in
    /// // 10^9 runs.
    /// assert!((both.union.items - 1_500.0).abs() < 6.2 * both.union.standard_deviation);
    /// assert!((both.intersection.items - 500.0).abs() < 6.2 * both.intersection.standard_deviation);
    /// assert!((both.jaccard() - 1.0 / 3.0).abs() < 0.022);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimated_pair<O>(
        &self,
        other: &Bloom<K, T, S, O>,
    ) -> Result<PairEstimate, EstimateError>
    where
        K: Kind<O> + Kind<B, Table: Pair<<K as Kind<O>>::Table>>,
    {
        self.check_compatible(other)?;
        let pair = self.table.estimate_pair(&other.table);
        if self.intersected.get() || other.intersected.get() {
            return Err(EstimateError::Intersected);
        }
        pair.ok_or(EstimateError::Full)
    }
}

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl<K: Kind<Shared>, T: ?Sized, S: BuildHasher> Bloom<K, T, S, Shared> {
    /// Adds every item of a filter in any memory, for instance of another shared filter. Threads may
    /// insert into both filters, query and copy them meanwhile. (If `other` was intersected, and
    /// this filter is saved during the union, the file may contain bits of `other` although its
    /// header does not record an intersection.)
    ///
    /// # Errors
    ///
    /// As for [`check_compatible`](Self::check_compatible). On an error, nothing changes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    ///
    /// let all = BloomFilter::<str>::with_rate(1_000, 0.01)?.into_shared();
    /// let some = BloomFilter::<str>::new(all.shape())?.into_shared();
    /// some.insert("ant");
    /// all.union_with(&some)?;
    /// assert!(all.contains("ant"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn union_with<O>(&self, other: &Bloom<K, T, S, O>) -> Result<(), IncompatibleError>
    where
        K: Kind<O> + Kind<Shared, Table: CombineShared<<K as Kind<O>>::Table>>,
    {
        self.check_compatible(other)?;
        // If `other` is marked as intersected, this filter is marked before the union, so that a thread that reads bits
        // of `other` and then the mark finds the mark. The mark is copied again after the union, because `other` may
        // have been marked meanwhile.
        self.intersected.unite(&other.intersected);
        self.table.union_with_shared(&other.table);
        self.intersected.unite(&other.intersected);
        Ok(())
    }
}

/// Filters are equal if they have the same shape, hasher, quality of hashes and content. It does
/// not matter whether a filter was intersected.
impl<K, T: ?Sized, S: BuildHasher, B> PartialEq for Bloom<K, T, S, B>
where
    K: Kind<B>,
    K::Table: Compare<K::Table> + PartialEq,
{
    fn eq(&self, other: &Self) -> bool {
        self.check_compatible(other).is_ok() && self.table == other.table
    }
}

impl<K, T: ?Sized, S: BuildHasher, B> Eq for Bloom<K, T, S, B>
where
    K: Kind<B>,
    K::Table: Compare<K::Table> + Eq,
{
}
