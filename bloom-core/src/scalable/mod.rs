//! The scalable filter: grows stage by stage and keeps its compound rate.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};

use crate::error::{BuildError, GrowError, MemoryError, ShapeError};
use crate::hash::{FixedState, check_hashers};
use crate::math::filling::estimate_offered;
use crate::math::scalable::compound_rate;
use crate::math::{Estimate, Model};
use crate::methods::{impl_constructors, impl_queries};
use crate::shape::Shape;
use crate::storage::{CACHED_BYTES, Hashes, in_groups, in_order};

mod shape;
mod stage;

pub use shape::ScalableShape;
pub use stage::Stage;
pub(crate) use stage::{StageState, fullest};

/// A filter that grows with the number of items and keeps its false-positive rate.
///
/// When a stage is full, the filter adds another one, larger by the growth factor and with a rate
/// lower by the tightening ratio. The *compound* rate, at which any stage reports a false positive,
/// thus stays below the requested one, however many stages there are. An item that is already found
/// is not stored again. The stages are [sized](crate::math::scalable) under the exact model.
///
/// # The rate
///
/// Stage i gets the share P_i = P (1 - r) r^i of the requested rate P; the sum of all shares is
/// less than P. A stage accepts items as long as it has fewer items than expected *and* so few set
/// bits X that (X/m)^k is at most its share. The count alone would not be enough: false positives
/// are not counted, so at high rates a stage would accept more items than it is sized for.
///
/// The bound therefore holds not only for the mean but for *each* filter: its rate, for items
/// independent of the inserted ones, is at most the sum of the shares, which is below P. This is
/// true for any number of stages and any inserted items, even if an adversary who knows the hasher
/// chose them. (Such items make the filter grow sooner; *queries* can still be chosen to be false
/// positives. See [adversaries](crate#hashers-seeds-and-adversaries).) One exception: a stage
/// always accepts one item. If that item alone sets more bits, as it may in a stage sized for one,
/// the stage keeps its share only in the mean over filters.
///
/// By chance some stages have more bits set than others, and those accept fewer items: at 1 %, a
/// stage accepted on average 99.7 % of its expected items if sized for 1000, 99 % if sized for 100
/// and 96 % if sized for 10. At rates of 0.5 it is 98 % of 1000, because the stage does not count
/// its many false positives.
///
/// # The memory
///
/// Growth has a cost: with the defaults, a filter that holds a thousand times its initial items
/// takes about 17 bits per item at a rate of 1 %, where a filter of the right size takes 9.6; and a
/// query may have to probe every stage. Memory is allocated one stage at a time;
/// [`ScalableShape::with_max_bytes`] limits it.
///
/// [`insert`](Self::insert) never drops an item silently: if the filter may not grow, it returns an
/// error, and the item is not inserted.
///
/// # Examples
///
/// ```
/// use bloom_core::{ScalableBloomFilter, ScalableShape};
///
/// let shape = ScalableShape::new(100, 0.01)?;
/// let mut seen = ScalableBloomFilter::<u64>::new(shape)?;
/// for item in 0..10_000 {
///     seen.insert(&item)?;
/// }
/// assert!((0..10_000).all(|item| seen.contains(&item)));
/// assert_eq!(seen.stages().count(), 7);
/// assert!(seen.expected_false_positive_rate() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ScalableBloomFilter<T: ?Sized, S = FixedState> {
    shape: ScalableShape,
    // Never empty. Hashing is done once for all of them.
    stages: Vec<StageState<T>>,
    hash_builder: S,
}

impl<T: ?Sized, S> ScalableBloomFilter<T, S> {
    /// Creates an empty filter of one stage that hashes with `hash_builder`.
    ///
    /// # Errors
    ///
    /// As for [`Self::new`].
    pub fn with_hasher(shape: ScalableShape, hash_builder: S) -> Result<Self, BuildError> {
        let mut filter = Self {
            shape,
            stages: Vec::new(),
            hash_builder,
        };
        let first = filter.next_stage()?;
        reserve(&mut filter.stages, 1)?;
        filter.stages.push(first);
        Ok(filter)
    }

    /// Returns how the filter starts and grows.
    #[must_use]
    pub fn shape(&self) -> ScalableShape {
        self.shape
    }

    /// Creates a filter from stages that grew by its shape, at least one.
    pub(crate) fn from_stages(
        shape: ScalableShape,
        stages: Vec<StageState<T>>,
        hash_builder: S,
    ) -> Self {
        Self {
            shape,
            stages,
            hash_builder,
        }
    }

    pub(crate) fn filled_stages(&self) -> &[StageState<T>] {
        &self.stages
    }

    /// Returns the stages, oldest and smallest first.
    pub fn stages(&self) -> impl Iterator<Item = Stage> {
        self.stages.iter().map(StageState::stage)
    }

    /// Inserts an item by a hash that the caller computed; see [`insert`](Self::insert).
    ///
    /// # Errors
    ///
    /// As for [`insert`](Self::insert).
    pub fn insert_hash(&mut self, hash: u64) -> Result<bool, GrowError> {
        if self.contains_hash(hash) {
            return Ok(false);
        }
        let is_full = |stage: &StageState<T>| stage.is_full_for(hash);
        if self.stages.last().is_none_or(is_full) {
            self.grow()?;
        }
        let stage = self.stages.last_mut().expect("a stage was just added");
        stage.insert(hash);
        Ok(true)
    }

    /// Returns whether an item with this hash may have been inserted; `false` is certain.
    #[inline]
    #[must_use]
    pub fn contains_hash(&self, hash: u64) -> bool {
        // The youngest stage holds the most items.
        let mut stages = self.stages.iter().rev();
        stages.any(|stage| stage.filter().contains_hash(hash))
    }

    /// Calls [`insert_hash`](Self::insert_hash) for every hash in order; returns how many were
    /// certainly new.
    ///
    /// # Errors
    ///
    /// As for [`insert`](Self::insert), at the first refused item; the items before it are
    /// inserted.
    pub fn insert_hashes(&mut self, hashes: &[u64]) -> Result<u64, GrowError> {
        let mut new = 0;
        for hash in hashes {
            new += u64::from(self.insert_hash(*hash)?);
        }
        Ok(new)
    }

    #[inline]
    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        let mut answer = in_order(answers);
        in_groups(
            self.memory_bytes() > CACHED_BYTES,
            &mut &*self,
            hashes,
            // The youngest stages hold most of the bits.
            |filter, hash| {
                let youngest = filter.stages.iter().rev().take(2);
                youngest.for_each(|stage| stage.filter().prefetch(hash));
            },
            |filter, hash| answer(filter.contains_hash(hash)),
        );
    }

    /// Returns the bytes of memory that hold the bits of all stages.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.stages
            .iter()
            .map(|stage| stage.filter().memory_bytes())
            .sum()
    }

    /// Removes all items and goes back to one stage.
    pub fn clear(&mut self) {
        self.stages.truncate(1);
        self.stages.iter_mut().for_each(StageState::clear);
    }

    /// Returns whether the filter is empty, so that every query returns `false`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stages().all(|stage| stage.items == 0)
    }

    /// Returns the number of stored items, each counted once: those for which an insert returned
    /// that they are certainly new.
    ///
    /// Exact as a count of inserts, and at most the number of distinct items. It lacks the items
    /// that were false positives when inserted: up to the requested rate as a share of all items.
    /// See [`estimated_items`](Self::estimated_items).
    pub fn inserted_items(&self) -> u64 {
        self.stages().map(|stage| stage.items).sum()
    }

    /// Estimates the number of distinct items offered from the set bits, with its standard
    /// deviation; `None` if every bit of a stage is set.
    ///
    /// The bits of a stage give the number of items that reached it; the items that older stages
    /// reported by mistake did not, and are added according to the rates of those stages. These
    /// rates are [approximate](Self::false_positive_rate): with 100 initial items, the estimates of
    /// 10 000 were too low by 0.02 % at a requested rate of 0.1, 0.2 % at 0.3 and 0.7 % at 0.5
    /// (mean of 4000 filters).
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::ScalableBloomFilter;
    ///
    /// let mut filter = ScalableBloomFilter::<u64>::with_rate(1_000, 0.05)?;
    /// filter.insert_many(&(0..100_000).collect::<Vec<u64>>())?;
    /// assert!(filter.inserted_items() < 98_000);
    /// let estimate = filter.estimated_items().expect("not every bit is set");
    /// // Fails by chance 0.6 times in 10^9 runs.
    /// assert!((estimate.items - 100_000.0).abs() < 6.2 * estimate.standard_deviation);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn estimated_items(&self) -> Option<Estimate> {
        estimate_offered(
            self.stages()
                .map(|stage| (stage.shape.bits(), stage.shape.hashes(), stage.ones)),
        )
    }

    /// Returns the false-positive rate of this filter: the probability that any stage, at its
    /// current fill, reports a false positive.
    ///
    /// Exact for one stage. The hits of several stages are treated as independent, but they exclude
    /// one another to some degree: all stages use the same probes of a hash, and a younger stage
    /// has only items that the older ones miss. With every stage full, filters of two to eight
    /// stages had a measured rate above this one by at most 0.3 % of it at a requested rate of 0.1,
    /// up to 1 % at 0.3, 2 % at 0.5 and 4 % at 0.9. The sum of the stages' shares, and so the
    /// requested rate, is kept all the same.
    #[must_use]
    pub fn false_positive_rate(&self) -> f64 {
        compound_rate(self.stages.iter().map(StageState::own_rate))
    }

    /// Returns the mean false-positive rate, under the exact model, of filters that grew like this
    /// one: their full stages have as many bits set, and the last stage, if not yet full, has as
    /// many items.
    ///
    /// A stage counts only items that it does not find; the model adds those it found by mistake.
    /// Measured within 0.3 % of the mean of [`false_positive_rate`](Self::false_positive_rate),
    /// which treats the stages as independent in the same way; with 10 or 20 initial items, within
    /// 0.7 %.
    #[must_use]
    pub fn expected_false_positive_rate(&self) -> f64 {
        let Some((last, full)) = self.stages.split_last() else {
            return 0.0;
        };
        let full = full.iter().map(StageState::own_rate);
        compound_rate(full.chain([last.expected_rate()]))
    }

    /// Copies the filter, or returns an error where `clone` would abort.
    ///
    /// # Errors
    ///
    /// The copy must fit in memory.
    pub fn try_clone(&self) -> Result<Self, MemoryError>
    where
        S: Clone,
    {
        let mut stages = Vec::new();
        reserve(&mut stages, self.stages.len())?;
        for stage in &self.stages {
            stages.push(stage.try_clone()?);
        }
        Ok(Self {
            shape: self.shape,
            stages,
            hash_builder: self.hash_builder.clone(),
        })
    }

    /// Adds a stage; on error, nothing changes.
    fn grow(&mut self) -> Result<(), GrowError> {
        let max_stages = self.shape.max_stages();
        let number = self.stages.len() as u32;
        if number >= max_stages {
            return Err(GrowError::TooManyStages { max_stages });
        }
        let stage = self.next_stage()?;
        reserve(&mut self.stages, 1).map_err(GrowError::Memory)?;
        self.stages.push(stage);
        Ok(())
    }

    /// Creates the stage that follows the current ones.
    fn next_stage(&self) -> Result<StageState<T>, BuildError> {
        let number = self.stages.len() as u32;
        let growth = self.shape.stages();
        // A share of the rate that is too low for any stage is also too low for the hash.
        let items = growth.stage_items(number).unwrap_or(u64::MAX);
        let items = self.inserted_items().saturating_add(items);
        self.shape.check_hash_floor(number, items)?;
        let stage = growth.stage(Model::Exact, number);
        let stage = stage.map_err(ShapeError::from)?;
        let shape = Shape::new(stage.bits, stage.hashes)?;
        let bytes = stage.bits.div_ceil(64) * 8;
        self.shape
            .check_bytes(number, self.memory_bytes().saturating_add(bytes))?;
        Ok(StageState::new(shape, stage.items, stage.rate)?)
    }
}

impl<T: ?Sized, S: BuildHasher> ScalableBloomFilter<T, S> {
    /// Inserts an item and returns whether it is certainly new.
    ///
    /// An item that is already found, whether inserted or a false positive, is not stored again.
    /// Every stored item counts for the stage that stores it.
    ///
    /// # Errors
    ///
    /// The last stage is full and no other can be added: too many stages, no memory, or a rate too
    /// close to the floor of a 64-bit hash. The item is then not inserted, and nothing else
    /// changes.
    pub fn insert(&mut self, item: &T) -> Result<bool, GrowError>
    where
        T: Hash,
    {
        self.insert_hash(self.hash_builder.hash_one(item))
    }

    /// Inserts every item in order and returns how many were certainly new. It is no faster than
    /// one [`insert`](Self::insert) after the other, because any of them may start a new stage.
    ///
    /// # Errors
    ///
    /// As for [`insert`](Self::insert), at the first refused item; the items before it are
    /// inserted.
    pub fn insert_many<Q>(&mut self, items: &[Q]) -> Result<u64, GrowError>
    where
        T: Hash,
        Q: Borrow<T>,
    {
        let mut new = 0;
        for item in items {
            new += u64::from(self.insert(item.borrow())?);
        }
        Ok(new)
    }
}

/// Reserves room for `more` stages, or returns an error if the allocator refuses it.
fn reserve<T: ?Sized>(stages: &mut Vec<StageState<T>>, more: usize) -> Result<(), MemoryError> {
    let bits = (more * size_of::<StageState<T>>()) as u64 * 8;
    stages.try_reserve(more).map_err(|_| MemoryError { bits })
}

impl<T: ?Sized, S: Clone> Clone for ScalableBloomFilter<T, S> {
    fn clone(&self) -> Self {
        Self {
            shape: self.shape,
            stages: self.stages.clone(),
            hash_builder: self.hash_builder.clone(),
        }
    }
}

/// Filters are equal if they have the same shape, hasher and stages: they answer and grow alike.
impl<T: ?Sized, S: BuildHasher> PartialEq for ScalableBloomFilter<T, S> {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape
            && check_hashers(&self.hash_builder, &other.hash_builder).is_ok()
            && self.stages().eq(other.stages())
            && self
                .stages
                .iter()
                .zip(&other.stages)
                .all(|(one, other)| one.filter().has_bits_of(other.filter()))
    }
}

impl<T: ?Sized, S: BuildHasher> Eq for ScalableBloomFilter<T, S> {}

impl_constructors!(
    ScalableBloomFilter,
    ScalableShape,
    BuildError,
    ScalableShape::new,
    "[`ScalableShape::new`] and [`with_hasher`](Self::with_hasher)",
    "an empty filter of one stage",
    "an empty filter that starts with `items` expected items, grows by the defaults and keeps the compound \
    false-positive rate under `rate`,"
);
impl_queries!(
    ScalableBloomFilter,
    "use bloom_core::ScalableBloomFilter;

let mut filter = ScalableBloomFilter::<str>::with_rate(1_000, 1e-6)?;
filter.insert(\"ant\")?;"
);

/// Prints the shape and the number of stages, never the bits: O(1).
impl<T: ?Sized, S> fmt::Debug for ScalableBloomFilter<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScalableBloomFilter")
            .field("shape", &self.shape)
            .field("stages", &self.stages.len())
            .finish_non_exhaustive()
    }
}
