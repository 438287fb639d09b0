//! The scalable filter: grows stage by stage and keeps its compound rate.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};

use crate::basic::BloomFilter;
use crate::error::{BuildError, GrowError, MemoryError, ShapeError};
use crate::hash::{FixedState, check_hashers};
use crate::math::scalable::{Growth, compound_rate};
use crate::math::{self, Estimate, MathError, Model};
use crate::shape::{Shape, check_hash_floor};
use crate::storage::{answers_to, in_groups};

/// How a scalable filter starts and grows.
///
/// # Examples
///
/// ```
/// use bloom_core::ScalableShape;
///
/// let shape = ScalableShape::new(1_000, 0.01)?.with_growth(4)?.with_max_stages(10)?;
/// assert_eq!((shape.growth(), shape.tightening(), shape.max_stages()), (4, 0.85, 10));
/// # Ok::<(), bloom_core::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScalableShape {
    growth: Growth,
    max_stages: u32,
}

impl ScalableShape {
    /// Creates a shape that starts with `items` expected items and keeps the compound
    /// false-positive rate under `rate`: growth 2, tightening ratio 0.85, at most 64 stages.
    ///
    /// # Errors
    ///
    /// `items` must be at least 1 and `0 < rate < 1`.
    pub fn new(items: u64, rate: f64) -> Result<Self, ShapeError> {
        let growth = Growth {
            items,
            rate,
            growth: 2,
            tightening: 0.85,
        };
        Self {
            growth,
            max_stages: 64,
        }
        .checked()
    }

    /// Sets how many times the items of a stage the next one takes.
    ///
    /// # Errors
    ///
    /// `growth` must be at least 1.
    pub fn with_growth(mut self, growth: u32) -> Result<Self, ShapeError> {
        self.growth.growth = growth;
        self.checked()
    }

    /// Sets the rate of a stage over that of the one before.
    ///
    /// Near 1, later stages are cheaper and the first ones dearer; 0.8 to 0.9 is best for much
    /// growth.
    ///
    /// # Errors
    ///
    /// `0 < tightening < 1`.
    pub fn with_tightening(mut self, tightening: f64) -> Result<Self, ShapeError> {
        self.growth.tightening = tightening;
        self.checked()
    }

    /// Sets the most stages: beyond them, inserting is an error.
    ///
    /// # Errors
    ///
    /// `max_stages` must be at least 1.
    pub fn with_max_stages(mut self, max_stages: u32) -> Result<Self, ShapeError> {
        if max_stages == 0 {
            return Err(MathError::NoStages.into());
        }
        self.max_stages = max_stages;
        Ok(self)
    }

    fn checked(self) -> Result<Self, ShapeError> {
        self.growth.check()?;
        Ok(self)
    }

    /// Returns the expected items of the first stage.
    pub fn items(self) -> u64 {
        self.growth.items
    }

    /// Returns the rate that all stages together keep.
    pub fn rate(self) -> f64 {
        self.growth.rate
    }

    /// Returns how many times the items of a stage the next one takes.
    pub fn growth(self) -> u32 {
        self.growth.growth
    }

    /// Returns the rate of a stage over that of the one before.
    pub fn tightening(self) -> f64 {
        self.growth.tightening
    }

    /// Returns the most stages.
    pub fn max_stages(self) -> u32 {
        self.max_stages
    }
}

/// One stage of a [`ScalableBloomFilter`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Stage {
    /// Its bits and hashes.
    pub shape: Shape,
    /// The items it is made for.
    pub expected_items: u64,
    /// The items inserted into it.
    pub items: u64,
}

/// A filter that grows with its items and keeps the false-positive rate of the whole.
///
/// When a stage is full the next one is added, larger by the growth and with a rate lower by the
/// tightening ratio, so that the *compound* rate, at which any stage finds an item by mistake,
/// stays under the one asked for however many stages there are. An item that is found already is
/// not stored again. The stages are [sized](crate::math::scalable) by the exact model.
///
/// Growing costs: with the defaults, a thousand times its initial items take about 17 bits an item
/// at a rate of 1 %, where a filter of the right size takes 9.6; and a query may look at every
/// stage.
///
/// [`insert`](Self::insert) never drops an item: where the filter may not grow, it says so, and the
/// item is not in.
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
    stages: Vec<Filled<T>>,
    hash_builder: S,
}

/// A stage and its items.
pub(crate) struct Filled<T: ?Sized> {
    pub(crate) filter: BloomFilter<T, ()>,
    pub(crate) expected_items: u64,
    pub(crate) items: u64,
}

impl<T: ?Sized> ScalableBloomFilter<T> {
    /// Creates an empty filter of one stage with the default hasher.
    ///
    /// # Errors
    ///
    /// The first stage must have a shape (see [`Shape::for_rate`]) and fit in memory.
    pub fn new(shape: ScalableShape) -> Result<Self, BuildError> {
        Self::with_hasher(shape, FixedState::new())
    }

    /// Creates an empty filter that starts with `items` expected items and keeps the compound
    /// false-positive rate under `rate`, with the default growth and hasher.
    ///
    /// # Errors
    ///
    /// As [`ScalableShape::new`] and [`Self::new`].
    pub fn with_rate(items: u64, rate: f64) -> Result<Self, BuildError> {
        Self::with_rate_and_hasher(items, rate, FixedState::new())
    }
}

impl<T: ?Sized, S> ScalableBloomFilter<T, S> {
    /// Creates an empty filter of one stage that hashes with `hash_builder`.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
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

    /// Creates an empty filter that starts with `items` expected items, keeps the compound
    /// false-positive rate under `rate` with the default growth, and hashes with `hash_builder`.
    ///
    /// # Errors
    ///
    /// As [`ScalableShape::new`] and [`Self::new`].
    pub fn with_rate_and_hasher(
        items: u64,
        rate: f64,
        hash_builder: S,
    ) -> Result<Self, BuildError> {
        let shape = ScalableShape::new(items, rate)?;
        Self::with_hasher(shape, hash_builder)
    }

    /// Returns how the filter starts and grows.
    pub fn shape(&self) -> ScalableShape {
        self.shape
    }

    /// Creates a filter of stages that grew by its shape, at least one.
    pub(crate) fn from_stages(
        shape: ScalableShape,
        stages: Vec<Filled<T>>,
        hash_builder: S,
    ) -> Self {
        Self {
            shape,
            stages,
            hash_builder,
        }
    }

    pub(crate) fn filled_stages(&self) -> &[Filled<T>] {
        &self.stages
    }

    /// Returns the hasher's builder.
    pub fn hasher(&self) -> &S {
        &self.hash_builder
    }

    /// Returns the stages, oldest and smallest first.
    pub fn stages(&self) -> impl Iterator<Item = Stage> {
        self.stages.iter().map(|stage| Stage {
            shape: stage.filter.shape(),
            expected_items: stage.expected_items,
            items: stage.items,
        })
    }

    /// Inserts an item by a hash of your own; see [`insert`](Self::insert).
    ///
    /// # Errors
    ///
    /// As [`insert`](Self::insert).
    pub fn insert_hash(&mut self, hash: u64) -> Result<bool, GrowError> {
        if self.contains_hash(hash) {
            return Ok(false);
        }
        let is_full = |stage: &Filled<T>| stage.items >= stage.expected_items;
        if self.stages.last().is_none_or(is_full) {
            self.grow()?;
        }
        let stage = self.stages.last_mut().expect("a stage was just added");
        stage.filter.insert_hash(hash);
        stage.items += 1;
        Ok(true)
    }

    /// Returns whether an item of this hash may have been inserted; `false` is certain.
    pub fn contains_hash(&self, hash: u64) -> bool {
        // The youngest stage holds the most items.
        let mut stages = self.stages.iter().rev();
        stages.any(|stage| stage.filter.contains_hash(hash))
    }

    /// [`insert_hash`](Self::insert_hash) for every hash in turn; returns how many were certainly
    /// new.
    ///
    /// # Errors
    ///
    /// As [`insert`](Self::insert), for the first item that is not taken; those before it are in.
    pub fn insert_hashes(&mut self, hashes: &[u64]) -> Result<u64, GrowError> {
        let mut new = 0;
        for hash in hashes {
            new += u64::from(self.insert_hash(*hash)?);
        }
        Ok(new)
    }

    /// [`contains_hash`](Self::contains_hash) for every hash in turn; `answers` becomes the answers.
    pub fn contains_hashes(&self, hashes: &[u64], answers: &mut Vec<bool>) {
        self.contains_each(hashes.iter().copied(), answers_to(hashes.len(), answers));
    }

    fn contains_each(&self, hashes: impl Iterator<Item = u64>, mut answer: impl FnMut(bool)) {
        in_groups(
            &mut &*self,
            hashes,
            // The youngest stages hold most of the bits.
            |filter, hash| {
                let youngest = filter.stages.iter().rev().take(2);
                youngest.for_each(|stage| stage.filter.fetch(hash));
            },
            |filter, hash| answer(filter.contains_hash(hash)),
        );
    }

    /// Returns the bytes of memory that hold the bits of all stages.
    pub fn memory_bytes(&self) -> u64 {
        self.stages
            .iter()
            .map(|stage| stage.filter.memory_bytes())
            .sum()
    }

    /// Forgets every item and goes back to one stage.
    pub fn clear(&mut self) {
        self.stages.truncate(1);
        for stage in &mut self.stages {
            stage.filter.clear();
            stage.items = 0;
        }
    }

    /// Returns whether nothing is found.
    pub fn is_empty(&self) -> bool {
        self.stages.iter().all(|stage| stage.items == 0)
    }

    /// Returns the number of distinct items inserted, but for those that were found by mistake.
    pub fn inserted_items(&self) -> u64 {
        self.stages.iter().map(|stage| stage.items).sum()
    }

    /// Returns the number of distinct items that explains the set bits, with its standard
    /// deviation: the sum over the stages; `None` if every bit of one is set. O(m).
    ///
    /// [`inserted_items`](Self::inserted_items) counts the same as they come, without error.
    pub fn estimated_items(&self) -> Option<Estimate> {
        let estimates = self
            .stages
            .iter()
            .map(|stage| stage.filter.estimated_items());
        math::sum_of_estimates(estimates)
    }

    /// Returns this filter's own false-positive rate: that any stage, at its present fill, finds
    /// an item by mistake. O(m).
    pub fn false_positive_rate(&self) -> f64 {
        compound_rate(
            self.stages
                .iter()
                .map(|stage| stage.filter.false_positive_rate()),
        )
    }

    /// Returns the mean false-positive rate of filters that grew like this one, by the exact model;
    /// always under the rate asked for.
    pub fn expected_false_positive_rate(&self) -> f64 {
        compound_rate(
            self.stages
                .iter()
                .map(|stage| stage.filter.expected_false_positive_rate(stage.items)),
        )
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
            stages.push(Filled {
                filter: stage.filter.try_clone()?,
                ..*stage
            });
        }
        Ok(Self {
            shape: self.shape,
            stages,
            hash_builder: self.hash_builder.clone(),
        })
    }

    /// Adds a stage, or leaves everything as it was.
    fn grow(&mut self) -> Result<(), GrowError> {
        let max_stages = self.shape.max_stages;
        let number = self.stages.len() as u32;
        if number >= max_stages {
            return Err(GrowError::TooManyStages { max_stages });
        }
        let stage = self.next_stage()?;
        reserve(&mut self.stages, 1).map_err(GrowError::Memory)?;
        self.stages.push(stage);
        Ok(())
    }

    /// Returns the stage that comes after the present ones.
    fn next_stage(&self) -> Result<Filled<T>, BuildError> {
        let number = self.stages.len() as u32;
        let stage = self.shape.growth.stage(Model::Exact, number);
        let stage = stage.map_err(ShapeError::from)?;
        let items = self.inserted_items().saturating_add(stage.items);
        check_hash_floor(items, stage.rate)?;
        let shape = Shape::new(stage.bits, stage.hashes)?;
        Ok(Filled {
            filter: BloomFilter::with_hasher(shape, ())?,
            expected_items: stage.items,
            items: 0,
        })
    }
}

impl<T: ?Sized, S: BuildHasher> ScalableBloomFilter<T, S> {
    /// Inserts an item and returns whether it is certainly new.
    ///
    /// An item that is found already, rightly or by mistake, is not stored again. Of the items that
    /// are stored, each counts for the stage that takes it.
    ///
    /// # Errors
    ///
    /// The last stage is full and there may be no other: too many stages, no memory, or a rate too
    /// near the floor of a 64-bit hash. The item is then not in, and nothing else is changed.
    pub fn insert(&mut self, item: &T) -> Result<bool, GrowError>
    where
        T: Hash,
    {
        self.insert_hash(self.hash_builder.hash_one(item))
    }

    /// Inserts every item in turn and returns how many were certainly new.
    ///
    /// # Errors
    ///
    /// As [`insert`](Self::insert), for the first item that is not taken; those before it are in.
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

    /// Asks for every item in turn; `answers` becomes the answers, one for each; see
    /// [`BloomFilter::contains_many`](crate::BloomFilter::contains_many).
    pub fn contains_many<Q>(&self, items: &[Q], answers: &mut Vec<bool>)
    where
        T: Hash,
        Q: Borrow<T>,
    {
        let hashes = items
            .iter()
            .map(|item| self.hash_builder.hash_one(item.borrow()));
        self.contains_each(hashes, answers_to(items.len(), answers));
    }

    /// Returns whether an item may have been inserted; `false` is certain.
    pub fn contains<Q>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
        Q: Hash + ?Sized,
    {
        self.contains_hash(self.hash_builder.hash_one(item))
    }
}

/// Reserves room for so many stages more, or says that the allocator refused it.
fn reserve<T: ?Sized>(stages: &mut Vec<Filled<T>>, more: usize) -> Result<(), MemoryError> {
    let bits = (more * size_of::<Filled<T>>()) as u64 * 8;
    stages.try_reserve(more).map_err(|_| MemoryError { bits })
}

impl<T: ?Sized> Clone for Filled<T> {
    fn clone(&self) -> Self {
        Self {
            filter: self.filter.clone(),
            ..*self
        }
    }
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

/// Filters are equal if shape, hasher and every stage are: they hold the same and grow alike.
impl<T: ?Sized, S: BuildHasher> PartialEq for ScalableBloomFilter<T, S> {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape
            && check_hashers(&self.hash_builder, &other.hash_builder).is_ok()
            && self.stages().eq(other.stages())
            && self
                .stages
                .iter()
                .zip(&other.stages)
                .all(|(one, other)| one.filter.has_bits_of(&other.filter))
    }
}

/// Shape and stages, never the bits.
impl<T: ?Sized, S> fmt::Debug for ScalableBloomFilter<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScalableBloomFilter")
            .field("shape", &self.shape)
            .field("stages", &self.stages.len())
            .field("items", &self.inserted_items())
            .finish_non_exhaustive()
    }
}
