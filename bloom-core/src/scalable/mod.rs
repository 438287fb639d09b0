//! The scalable filter, for an unknown number of items: it grows stage by stage, and all stages together keep the rate.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};

use crate::error::{BuildError, GrowError, MemoryError, ShapeError};
use crate::filter::{Bloom, Compare, CopyOf, Filter, Heap, Kind, Table};
use crate::hash::FixedState;
use crate::incompatible::IncompatibleError;
use crate::kind::Scalable;
use crate::math::filling::estimate_offered;
use crate::math::scalable::compound_rate;
use crate::math::{Estimate, Model};
use crate::memory::Owned;
use crate::persist::kind::FilterKind;
use crate::probe::Mixed;
use crate::shape::Shape;
use crate::storage::{Hashes, in_groups, in_order, is_far};

pub(crate) mod shape;
mod stage;

pub use shape::ScalableShape;
pub use stage::Stage;
pub(crate) use stage::{StageState, fullest};

/// A filter that grows with the number of items and keeps its false-positive rate.
///
/// When a stage is full, the filter adds another one, larger by the growth factor and with a rate
/// lower by the tightening ratio. The *compound* rate, the probability that at least one stage
/// reports a false positive, thus stays below the requested rate, however many stages there are. An
/// item that is already found is not stored again. The stages are [sized](crate::math::scalable)
/// under the exact model.
///
/// # The rate
///
/// Stage i, counted from 0, gets the share P_i = P × (1 - r) × r^i of the requested rate P, where r is
/// the tightening ratio; the sum of all shares is less than P. A stage of m bits and k hashes accepts
/// an item on two conditions. It has fewer items than expected, *and* (X/m)^k is at most the share of
/// the stage, where X is the number of bits that would be set with the item inserted. The first
/// condition alone would not keep the rate: new items that are false positives are not stored and so
/// not counted. At high rates, a stage with its expected number of stored items would have more bits
/// set than it is sized for.
///
/// Because of the second condition, P is a bound not only of the mean rate but of the rate of *each*
/// filter. The rate of a filter, for queries of items independent of the inserted ones, is at most
/// the sum of the shares, which is below P. This is true for any number of stages and any inserted
/// items, even if an adversary who knows the hasher chose them. (Such items make the filter grow
/// sooner; *queries* can still be chosen to be false positives. See
/// [adversaries](crate#hashers-seeds-and-adversaries).) One exception: a stage always accepts one
/// item. If that item alone sets too many bits, as it may in a stage sized for one item, the stage
/// keeps its share only in the mean over filters.
///
/// Stages that by chance have more bits set than others accept fewer items: at a requested rate of 1
/// %, a stage stored on average 99.7 % of its expected items if sized for 1000 items, 99 % if sized
/// for 100 and 96 % if sized for 10. At a requested rate of 0.5, a stage sized for 1000 items stored
/// 98 %, because many items are false positives of the stage, which it does not store.
///
/// # The memory
///
/// Growth has a cost: the bits per item vary, because memory jumps when a stage is added. With the
/// default growth and tightening at a rate of 1 %, a filter takes 14 bits per item when its first
/// stage is full, and 42 right after the second was added. With three times its initial items, it
/// takes 14 bits per item before the third stage is added, and 33 after that. Near a thousand times
/// its initial items, it takes from 16 bits per item just before a stage is added to 33 just after.
/// A filter of fixed size takes 9.6 bits per item if it was sized for its items. A query may also
/// have to probe every stage. Memory is allocated one stage at a time;
/// [`ScalableShape::with_max_bytes`] limits it.
///
/// [`insert`](Bloom::insert) never drops an item silently: if the filter may not grow, it returns an
/// error, and the item is not inserted. Other items may still be accepted: an item that is already found
/// needs no room, and an item that sets few new bits may still fit, unless the last stage has all its
/// expected items.
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
pub type ScalableBloomFilter<T, S = FixedState> = Bloom<Scalable, T, S>;

impl<T: ?Sized, S> ScalableBloomFilter<T, S> {
    /// Returns the stages in the order in which they were added.
    pub fn stages(&self) -> impl Iterator<Item = Stage> {
        self.table.iter()
    }

    /// Inserts an item by a hash that the caller computed; see [`insert`](Self::insert).
    ///
    /// # Errors
    ///
    /// As for [`insert`](Self::insert).
    pub fn insert_hash(&mut self, hash: u64) -> Result<bool, GrowError> {
        let hash = self.mix(hash);
        self.table.insert(hash)
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

    /// Removes all items and goes back to one stage.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::ScalableBloomFilter;
    ///
    /// let mut seen = ScalableBloomFilter::<u64>::with_rate(100, 0.01)?;
    /// seen.insert_many(&(0..1_000).collect::<Vec<u64>>())?;
    /// seen.clear();
    /// assert!(seen.is_empty() && seen.stages().count() == 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clear(&mut self) {
        self.table.stages.truncate(1);
        self.table.stages.iter_mut().for_each(StageState::clear);
    }

    /// Returns the number of stored items: the inserts that returned `true`.
    ///
    /// The number is at most the number of distinct inserted items, because it omits those that were
    /// false positives when they were inserted. On average, these are a smaller share of all items
    /// than the requested rate. See [`estimated_items`](Self::estimated_items).
    #[must_use]
    pub fn inserted_items(&self) -> u64 {
        self.table.items()
    }

    /// Returns the mean false-positive rate, under the exact model, of filters that grew like this
    /// one: each of their stages but the last has as many bits set as in this filter, and their last
    /// stage has as many items (or as many bits set, if it may be full).
    ///
    /// A stage counts only the items that it stored; the model also allows for the items that it did not
    /// store because they were false positives. In measurements, the result was within 0.3 % of the mean
    /// of [`false_positive_rate`](Self::false_positive_rate) over filters, or within 0.7 % if the first
    /// stage was sized for 10 or 20 items. Both methods treat the stages as independent.
    #[must_use]
    pub fn expected_false_positive_rate(&self) -> f64 {
        let Some((last, full)) = self.table.stages.split_last() else {
            return 0.0;
        };
        let full = full.iter().map(StageState::own_rate);
        compound_rate(full.chain([last.expected_rate()]))
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
    /// The last stage has no room for this item, and no stage can be added: the limit on stages or bytes is reached,
    /// the allocator refuses the memory, or the stage would have too low a rate for 64-bit hashes, or too many items or
    /// bits. The item is then not inserted, and the filter is unchanged. Other items may still be accepted, see [the
    /// memory](crate::ScalableBloomFilter#the-memory).
    pub fn insert(&mut self, item: &T) -> Result<bool, GrowError>
    where
        T: Hash,
    {
        self.insert_hash(self.hash_builder.hash_one(item))
    }

    /// Inserts every item in order and returns how many were certainly new. It is no faster than
    /// one [`insert`](Self::insert) after the other, because any item may start a new stage.
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

impl<T: Hash + ?Sized, S: BuildHasher> Filter<T> for ScalableBloomFilter<T, S> {
    type InsertError = GrowError;

    fn try_insert(&mut self, item: &T) -> Result<bool, GrowError> {
        self.insert(item)
    }

    fn try_insert_many<Q: Borrow<T>>(&mut self, items: &[Q]) -> Result<u64, GrowError> {
        self.insert_many(items)
    }

    fn clear(&mut self) {
        Self::clear(self);
    }
}

impl Kind<Owned> for Scalable {
    type Table = Stages;
}

/// The stages of a scalable filter.
#[derive(Debug, Clone)]
pub struct Stages {
    shape: ScalableShape,
    /// One or more stages, the oldest first. An item is hashed once for all stages.
    stages: Vec<StageState>,
}

impl Stages {
    /// Makes a table of one or more stages, whose sizes must be those that `shape` gives.
    pub(crate) fn of(shape: ScalableShape, stages: Vec<StageState>) -> Self {
        Self { shape, stages }
    }

    pub(crate) fn filled(&self) -> &[StageState] {
        &self.stages
    }

    fn iter(&self) -> impl Iterator<Item = Stage> {
        self.stages.iter().map(StageState::stage)
    }

    fn items(&self) -> u64 {
        self.iter().map(|stage| stage.items).sum()
    }

    fn insert(&mut self, hash: Mixed) -> Result<bool, GrowError> {
        if self.contains(hash) {
            return Ok(false);
        }
        let is_full = |stage: &StageState| stage.is_full_for(hash);
        if self.stages.last().is_none_or(is_full) {
            self.grow()?;
        }
        let stage = self.stages.last_mut().expect("a stage was just added");
        stage.insert(hash);
        Ok(true)
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
    fn next_stage(&self) -> Result<StageState, BuildError> {
        let number = self.stages.len() as u32;
        let growth = self.shape.stages();
        // The check that the rate is not too low for 64-bit hashes comes before the computation of the size. A rate
        // that is too low for any size fails both, and the error of the first check names the cause.
        let items = growth.stage_items(number).unwrap_or(u64::MAX);
        let items = self.items().saturating_add(items);
        self.shape.check_hash_floor(number, items)?;
        let stage = growth.stage(Model::Exact, number);
        let stage = stage.map_err(ShapeError::from)?;
        let shape = Shape::new(stage.bits, stage.hashes)?;
        let bytes = stage.bits.div_ceil(64) * 8;
        self.shape
            .check_bytes(number, self.memory_bytes().saturating_add(bytes))?;
        StageState::new(shape, stage.items, stage.rate)
    }
}

/// Reserves room for `more` stages, or returns an error if the allocator refuses it.
fn reserve(stages: &mut Vec<StageState>, more: usize) -> Result<(), MemoryError> {
    let bits = (more * size_of::<StageState>()) as u64 * 8;
    stages.try_reserve(more).map_err(|_| MemoryError { bits })
}

/// Compares the stages. `check_shape` compares the shapes.
impl PartialEq for Stages {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter()) && {
            let mut stages = self.stages.iter().zip(&other.stages);
            stages.all(|(one, other)| one.table() == other.table())
        }
    }
}

impl Eq for Stages {}

impl Compare<Self> for Stages {
    fn check_shape(&self, other: &Self) -> Result<(), IncompatibleError> {
        if self.shape == other.shape {
            return Ok(());
        }
        Err(IncompatibleError::ScalableShape)
    }
}

impl Table for Stages {
    const KIND: FilterKind = FilterKind::Scalable;

    type Shape = ScalableShape;

    fn shape_for(items: u64, rate: f64) -> Result<ScalableShape, ShapeError> {
        ScalableShape::new(items, rate)
    }

    fn shape(&self) -> ScalableShape {
        self.shape
    }

    #[inline]
    fn contains(&self, hash: Mixed) -> bool {
        // The youngest stage is queried first, since no other stage is sized for more items.
        let mut stages = self.stages.iter().rev();
        stages.any(|stage| stage.table().contains(hash))
    }

    #[inline]
    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        let mut answer = in_order(answers);
        let far = is_far(self.memory_bytes());
        in_groups(hashes, |group| {
            if far {
                // With a growth factor of 2 or more, the two youngest stages hold most of the bits.
                let youngest = || self.stages.iter().rev().take(2);
                let fetch = |hash: &Mixed| youngest().for_each(|stage| stage.prefetch(*hash));
                group.iter().for_each(fetch);
            }
            for hash in group {
                answer(self.contains(*hash));
            }
        });
    }

    fn memory_bytes(&self) -> u64 {
        let stages = self.stages.iter();
        stages.map(|stage| stage.table().memory_bytes()).sum()
    }

    fn is_empty(&self) -> bool {
        self.items() == 0
    }

    fn false_positive_rate(&self) -> f64 {
        compound_rate(self.stages.iter().map(StageState::own_rate))
    }

    fn estimate(&self) -> Option<Estimate> {
        let stage = |stage: Stage| (stage.shape.bits(), stage.shape.hashes(), stage.ones);
        estimate_offered(self.iter().map(stage))
    }

    fn debug(&self, fields: &mut fmt::DebugStruct<'_, '_>) {
        fields.field("shape", &self.shape);
        fields.field("stages", &self.stages.len());
    }
}

impl Heap for Stages {
    fn new(shape: ScalableShape) -> Result<Self, BuildError> {
        let mut table = Self {
            shape,
            stages: Vec::new(),
        };
        let first = table.next_stage()?;
        reserve(&mut table.stages, 1)?;
        table.stages.push(first);
        Ok(table)
    }
}

impl CopyOf<Self> for Stages {
    fn copy_of(other: &Self) -> Result<Self, MemoryError> {
        let mut stages = Vec::new();
        reserve(&mut stages, other.stages.len())?;
        for stage in &other.stages {
            stages.push(stage.try_clone()?);
        }
        Ok(Self::of(other.shape, stages))
    }
}
