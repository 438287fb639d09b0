//! Defines one type for bloom-core filters of all kinds. A filter can be owned, shared by threads, or in place, that is, read
//! from the bytes of a file without a copy. The filters take hashes, so the caller decides the type of the keys.

use std::error::Error;
use std::{fmt, iter};

use bloom_core::math::Estimate;
use bloom_core::{
    AnswersError, AtomicBlockedBloomFilter, AtomicBloomFilter, BlockedBloomFilter, Bloom,
    BloomFilter, BloomFilterRef, BuildError, CountingBloomFilter, EstimateError, FilterKind,
    FixedState, LoadError, MemoryError, PartitionedBloomFilter, Saved, ScalableBloomFilter,
    StableBytes,
};

/// A filter of bloom-core of any kind, which takes the hashes of keys. A filter in place is read from its bytes without a copy;
/// `D` is the type of these bytes.
///
/// # Examples
///
/// ```
/// use bloom_core::BloomFilter;
/// use bloom_file::CoreFilter;
///
/// let mut filter = BloomFilter::<str>::with_rate(1_000, 0.01)?;
/// filter.insert("ant");
/// let hash = filter.hash_of("ant");
///
/// let bytes = filter.to_bytes()?;
/// let seen = CoreFilter::open(&bytes[..], None)?;
/// assert!(seen.contains_hash(hash));
/// assert_eq!(seen.kind().to_string(), "BloomFilter");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum CoreFilter<D: StableBytes> {
    /// A basic filter: the bits of an item may be anywhere.
    Basic(BloomFilter<[u8]>),
    /// A basic filter in place.
    BasicSaved(BloomFilter<[u8], FixedState, Saved<D>>),
    /// A basic filter that several threads can fill at the same time.
    BasicShared(AtomicBloomFilter<[u8]>),
    /// A blocked filter: the bits of an item are in one block, which is a cache line.
    Blocked(BlockedBloomFilter<[u8]>),
    /// A blocked filter in place.
    BlockedSaved(BlockedBloomFilter<[u8], FixedState, Saved<D>>),
    /// A blocked filter that several threads can fill at the same time.
    BlockedShared(AtomicBlockedBloomFilter<[u8]>),
    /// A partitioned filter: each hash has its own part of the bits.
    Partitioned(PartitionedBloomFilter<[u8]>),
    /// A partitioned filter in place.
    PartitionedSaved(PartitionedBloomFilter<[u8], FixedState, Saved<D>>),
    /// A counting filter: it has counters in place of bits.
    Counting(CountingBloomFilter<[u8]>),
    /// A counting filter in place.
    CountingSaved(CountingBloomFilter<[u8], FixedState, Saved<D>>),
    /// A scalable filter: when it is full, it adds a further filter, called a stage.
    Scalable(ScalableBloomFilter<[u8]>),
}

/// Why a filter refuses an operation.
#[derive(Debug)]
#[non_exhaustive]
pub enum CoreError {
    /// The kind of the filter does not have the operation, or the other filter is of another kind.
    Kind(String),
    /// The filter is in place, and cannot change.
    InPlace,
    /// There is no memory for the result.
    Memory(MemoryError),
    /// `bloom-core` refused the operation.
    Core(String),
}

impl fmt::Display for CoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(message) | Self::Core(message) => f.write_str(message),
            Self::InPlace => f.write_str(
                "a filter that is read in place cannot be changed: use load, or copy it",
            ),
            Self::Memory(error) => error.fmt(f),
        }
    }
}

impl Error for CoreError {}

impl From<MemoryError> for CoreError {
    fn from(error: MemoryError) -> Self {
        Self::Memory(error)
    }
}

impl From<BuildError> for CoreError {
    fn from(error: BuildError) -> Self {
        Self::refused(&error)
    }
}

impl From<LoadError> for CoreError {
    fn from(error: LoadError) -> Self {
        Self::refused(&error)
    }
}

impl CoreError {
    /// Wraps an error of `bloom-core`, as [`Self::Memory`] if a memory error is among its causes.
    fn refused(error: &(dyn Error + 'static)) -> Self {
        let mut causes = iter::successors(Some(error), |error| (*error).source());
        match causes.find_map(|cause| cause.downcast_ref()) {
            Some(error) => Self::Memory(*error),
            None => Self::Core(error.to_string()),
        }
    }
}

/// Evaluates an expression with the filter. A second expression, if there is one, is for scalable filters, whose shape has no
/// number of bits and hashes.
macro_rules! each {
    ($any:expr, $filter:ident => $all:expr) => {
        each!($any, $filter => $all, $filter => $all)
    };
    ($any:expr, $filter:ident => $fixed:expr, $scalable:pat => $other:expr) => {
        match $any {
            CoreFilter::Basic($filter) => $fixed,
            CoreFilter::BasicSaved($filter) => $fixed,
            CoreFilter::BasicShared($filter) => $fixed,
            CoreFilter::Blocked($filter) => $fixed,
            CoreFilter::BlockedSaved($filter) => $fixed,
            CoreFilter::BlockedShared($filter) => $fixed,
            CoreFilter::Partitioned($filter) => $fixed,
            CoreFilter::PartitionedSaved($filter) => $fixed,
            CoreFilter::Counting($filter) => $fixed,
            CoreFilter::CountingSaved($filter) => $fixed,
            CoreFilter::Scalable($scalable) => $other,
        }
    };
}

/// Evaluates an expression that changes the filter; returns an error for a filter in place.
macro_rules! each_in_memory {
    ($any:expr, $filter:ident => $fixed:expr, $scalable:ident => $other:expr) => {
        match $any {
            CoreFilter::Basic($filter) => Ok($fixed),
            CoreFilter::BasicShared($filter) => Ok($fixed),
            CoreFilter::Blocked($filter) => Ok($fixed),
            CoreFilter::BlockedShared($filter) => Ok($fixed),
            CoreFilter::Partitioned($filter) => Ok($fixed),
            CoreFilter::Counting($filter) => Ok($fixed),
            CoreFilter::Scalable($scalable) => $other,
            _ => Err(CoreError::InPlace),
        }
    };
}

/// Calls a method of an owned filter with another filter of the same kind, which may be owned, shared or in place. All other
/// pairs of filters go to `combine_otherwise`.
macro_rules! combine {
    ($ours:expr, $theirs:expr, $method:ident, $what:expr) => {
        match (&mut *$ours, $theirs) {
            (Self::Basic(ours), CoreFilter::Basic(theirs)) => ours.$method(theirs),
            (Self::Basic(ours), CoreFilter::BasicSaved(theirs)) => ours.$method(theirs),
            (Self::Basic(ours), CoreFilter::BasicShared(theirs)) => ours.$method(theirs),
            (Self::Blocked(ours), CoreFilter::Blocked(theirs)) => ours.$method(theirs),
            (Self::Blocked(ours), CoreFilter::BlockedSaved(theirs)) => ours.$method(theirs),
            (Self::Blocked(ours), CoreFilter::BlockedShared(theirs)) => ours.$method(theirs),
            (Self::Partitioned(ours), CoreFilter::Partitioned(theirs)) => ours.$method(theirs),
            (Self::Partitioned(ours), CoreFilter::PartitionedSaved(theirs)) => ours.$method(theirs),
            (Self::Counting(ours), CoreFilter::Counting(theirs)) => ours.$method(theirs),
            (Self::Counting(ours), CoreFilter::CountingSaved(theirs)) => ours.$method(theirs),
            (ours, theirs) => return ours.combine_otherwise(theirs, $what, Self::$method),
        }
        .map_err(|error| CoreError::refused(&error))
    };
}

impl<D: StableBytes> CoreFilter<D> {
    /// Loads a filter of this kind. If no kind is given, loads a filter of the kind that the bytes name.
    ///
    /// # Errors
    ///
    /// The bytes must be a filter of the kind, and there must be memory for it.
    pub fn load(bytes: &[u8], kind: Option<FilterKind>) -> Result<Self, LoadError> {
        match kind.unwrap_or_else(|| stored_kind(bytes)) {
            FilterKind::Blocked => Bloom::from_bytes(bytes).map(Self::Blocked),
            FilterKind::Partitioned => Bloom::from_bytes(bytes).map(Self::Partitioned),
            FilterKind::Counting => Bloom::from_bytes(bytes).map(Self::Counting),
            FilterKind::Scalable => Bloom::from_bytes(bytes).map(Self::Scalable),
            _ => Bloom::from_bytes(bytes).map(Self::Basic),
        }
    }

    /// Opens a filter in place: its header is checked, and its bits are not read. A scalable filter is loaded instead.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load).
    pub fn open(bytes: D, kind: Option<FilterKind>) -> Result<Self, LoadError> {
        match kind.unwrap_or_else(|| stored_kind(bytes.bytes())) {
            FilterKind::Blocked => Bloom::open(bytes).map(Self::BlockedSaved),
            FilterKind::Partitioned => Bloom::open(bytes).map(Self::PartitionedSaved),
            FilterKind::Counting => Bloom::open(bytes).map(Self::CountingSaved),
            FilterKind::Scalable => Bloom::from_bytes(bytes.bytes()).map(Self::Scalable),
            _ => Bloom::open(bytes).map(Self::BasicSaved),
        }
    }

    /// Returns the kind of the filter.
    pub fn kind(&self) -> FilterKind {
        match self {
            Self::Basic(_) | Self::BasicSaved(_) | Self::BasicShared(_) => FilterKind::Basic,
            Self::Blocked(_) | Self::BlockedSaved(_) | Self::BlockedShared(_) => {
                FilterKind::Blocked
            }
            Self::Partitioned(_) | Self::PartitionedSaved(_) => FilterKind::Partitioned,
            Self::Counting(_) | Self::CountingSaved(_) => FilterKind::Counting,
            Self::Scalable(_) => FilterKind::Scalable,
        }
    }

    /// Converts the filter to one that several threads can fill at the same time.
    ///
    /// # Errors
    ///
    /// The filter must be basic or blocked, and must not be in place.
    pub fn into_shared(self) -> Result<Self, CoreError> {
        match self {
            Self::Basic(filter) => Ok(Self::BasicShared(filter.into_shared())),
            Self::Blocked(filter) => Ok(Self::BlockedShared(filter.into_shared())),
            Self::BasicShared(_) | Self::BlockedShared(_) => Ok(self),
            Self::BasicSaved(_) | Self::BlockedSaved(_) => Err(CoreError::InPlace),
            other => {
                let message = format!("a {} cannot be shared", other.kind());
                Err(CoreError::Kind(message))
            }
        }
    }

    /// Returns a copy that is owned: neither shared nor in place.
    ///
    /// # Errors
    ///
    /// There must be memory for the copy. The bytes of a filter in place must match their checksum, because a copy would
    /// hide the damage.
    pub fn to_plain<E: StableBytes>(&self) -> Result<CoreFilter<E>, CoreError> {
        self.check()?;
        let plain = match self {
            Self::Basic(filter) => filter.to_plain().map(CoreFilter::Basic),
            Self::BasicSaved(filter) => filter.to_plain().map(CoreFilter::Basic),
            Self::BasicShared(filter) => filter.to_plain().map(CoreFilter::Basic),
            Self::Blocked(filter) => filter.to_plain().map(CoreFilter::Blocked),
            Self::BlockedSaved(filter) => filter.to_plain().map(CoreFilter::Blocked),
            Self::BlockedShared(filter) => filter.to_plain().map(CoreFilter::Blocked),
            Self::Partitioned(filter) => filter.to_plain().map(CoreFilter::Partitioned),
            Self::PartitionedSaved(filter) => filter.to_plain().map(CoreFilter::Partitioned),
            Self::Counting(filter) => filter.to_plain().map(CoreFilter::Counting),
            Self::CountingSaved(filter) => filter.to_plain().map(CoreFilter::Counting),
            Self::Scalable(filter) => filter.to_plain().map(CoreFilter::Scalable),
        };
        Ok(plain?)
    }

    /// Refuses a filter in place whose bytes do not match their checksum. All bytes are read.
    fn check(&self) -> Result<(), CoreError> {
        let checked = match self {
            Self::BasicSaved(filter) => filter.verify_checksum(),
            Self::BlockedSaved(filter) => filter.verify_checksum(),
            Self::PartitionedSaved(filter) => filter.verify_checksum(),
            Self::CountingSaved(filter) => filter.verify_checksum(),
            _ => Ok(()),
        };
        checked.map_err(|error| CoreError::refused(&error))
    }

    /// Returns the filter in the saved format of bloom-core.
    ///
    /// # Errors
    ///
    /// As for [`to_plain`](Self::to_plain).
    pub fn to_bytes(&self) -> Result<Vec<u8>, CoreError> {
        self.check()?;
        Ok(each!(self, filter => filter.to_bytes())?)
    }

    /// Returns whether both filters have the same kind, size, hasher, hash quality, and bits or counters. Both filters are
    /// copied.
    ///
    /// # Errors
    ///
    /// As for [`to_plain`](Self::to_plain).
    pub fn equals(&self, other: &Self) -> Result<bool, CoreError> {
        Ok(match (self.to_plain::<D>()?, other.to_plain::<D>()?) {
            (Self::Basic(ours), Self::Basic(theirs)) => ours == theirs,
            (Self::Blocked(ours), Self::Blocked(theirs)) => ours == theirs,
            (Self::Partitioned(ours), Self::Partitioned(theirs)) => ours == theirs,
            (Self::Counting(ours), Self::Counting(theirs)) => ours == theirs,
            (Self::Scalable(ours), Self::Scalable(theirs)) => ours == theirs,
            _ => false,
        })
    }

    /// Returns whether a key may be in the filter; `false` is certain.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        each!(self, filter => filter.contains_hash(hash))
    }

    /// Stores in `answers`, for each hash, whether its key may be in the filter.
    ///
    /// # Errors
    ///
    /// `answers` must have the length of `hashes`; otherwise nothing is stored.
    pub fn contains_hashes_into(
        &self,
        hashes: &[u64],
        answers: &mut [bool],
    ) -> Result<(), AnswersError> {
        each!(self, filter => filter.contains_hashes_into(hashes, answers))
    }

    /// Inserts a key and returns whether it was certainly new.
    ///
    /// # Errors
    ///
    /// The filter must not be in place. A scalable filter must be able to grow if its last stage is full.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> Result<bool, CoreError> {
        each_in_memory!(
            self,
            filter => filter.insert_hash(hash),
            filter => filter.insert_hash(hash).map_err(|error| CoreError::refused(&error))
        )
    }

    /// Inserts keys and returns how many were certainly new.
    ///
    /// # Errors
    ///
    /// As for [`insert_hash`](Self::insert_hash).
    pub fn insert_hashes(&mut self, hashes: &[u64]) -> Result<u64, CoreError> {
        each_in_memory!(
            self,
            filter => filter.insert_hashes(hashes),
            filter => filter.insert_hashes(hashes).map_err(|error| CoreError::refused(&error))
        )
    }

    /// Inserts keys while other threads may insert keys, too. Returns how many keys were certainly new, or `None` if the
    /// filter is not shared.
    pub fn insert_hashes_shared(&self, hashes: &[u64]) -> Option<u64> {
        match self {
            Self::BasicShared(filter) => Some(filter.insert_hashes(hashes)),
            Self::BlockedShared(filter) => Some(filter.insert_hashes(hashes)),
            _ => None,
        }
    }

    /// Removes a key and returns whether it may have been there. Removing a key that is certainly absent changes nothing.
    ///
    /// # Errors
    ///
    /// The filter must be a counting filter, and must not be in place.
    pub fn remove_hash(&mut self, hash: u64) -> Result<bool, CoreError> {
        match self {
            Self::Counting(filter) => Ok(filter.remove_hash(hash)),
            Self::CountingSaved(_) => Err(CoreError::InPlace),
            _ => Err(CoreError::Kind(
                "keys can be removed only from a counting filter".into(),
            )),
        }
    }

    /// Removes all keys.
    ///
    /// # Errors
    ///
    /// The filter must not be in place.
    pub fn clear(&mut self) -> Result<(), CoreError> {
        each_in_memory!(self, filter => filter.clear(), filter => { filter.clear(); Ok(()) })
    }

    /// Inserts all keys of another filter.
    ///
    /// # Errors
    ///
    /// Both filters must have the same kind, size, hasher and hash quality, and must not be scalable. This filter must not be
    /// in place; if it is shared, there must be memory for a copy. If the other filter is in place, its bytes must match their
    /// checksum.
    pub fn union_with<E: StableBytes>(&mut self, other: &CoreFilter<E>) -> Result<(), CoreError> {
        other.check()?;
        combine!(self, other, union_with, "union")
    }

    /// Keeps the bits that are set in both filters; of two counters, keeps the lower one.
    ///
    /// # Errors
    ///
    /// As for [`union_with`](Self::union_with).
    pub fn intersect_with<E: StableBytes>(
        &mut self,
        other: &CoreFilter<E>,
    ) -> Result<(), CoreError> {
        other.check()?;
        combine!(self, other, intersect_with, "intersection")
    }

    /// Unites or intersects a shared filter with another filter of the same kind, through an owned copy. Refuses all other
    /// pairs of filters.
    fn combine_otherwise<E: StableBytes>(
        &mut self,
        other: &CoreFilter<E>,
        what: &str,
        method: fn(&mut Self, &CoreFilter<E>) -> Result<(), CoreError>,
    ) -> Result<(), CoreError> {
        let (ours, theirs) = (self.kind(), other.kind());
        if ours != theirs {
            let message = format!("kind of both filters must be equal, got {ours} and {theirs}");
            return Err(CoreError::Kind(message));
        }
        match self {
            Self::BasicShared(_) | Self::BlockedShared(_) => {
                let mut plain = self.to_plain()?;
                method(&mut plain, other)?;
                *self = plain.into_shared()?;
                Ok(())
            }
            Self::Scalable(_) => Err(CoreError::Kind(format!(
                "a scalable filter has no {what}: its stages depend on the order of keys"
            ))),
            _ => Err(CoreError::InPlace),
        }
    }

    /// Returns the number of bits, or of counters; for a scalable filter, the bits of all stages.
    pub fn bits(&self) -> u64 {
        each!(
            self,
            filter => filter.shape().bits(),
            filter => filter.stages().map(|stage| stage.shape.bits()).sum()
        )
    }

    /// Returns the number of hashes; for a scalable filter, the hashes of its last stage.
    pub fn hashes(&self) -> u8 {
        each!(
            self,
            filter => filter.shape().hashes(),
            filter => filter.stages().last().map_or(0, |stage| stage.shape.hashes())
        )
    }

    /// Returns the share of bits that are set, or of counters that are not 0. O(m).
    pub fn fill(&self) -> f64 {
        let ones = each!(
            self,
            filter => return filter.fill(),
            filter => filter.stages().map(|stage| stage.ones).sum::<u64>()
        );
        ones as f64 / self.bits().max(1) as f64
    }

    /// Returns the false-positive rate at the present fill. O(m).
    pub fn false_positive_rate(&self) -> f64 {
        each!(self, filter => filter.false_positive_rate())
    }

    /// Returns the mean rate of filters of this size with `items` items; `None` for a scalable filter, which grows.
    pub fn expected_false_positive_rate(&self, items: u64) -> Option<f64> {
        each!(self, filter => Some(filter.expected_false_positive_rate(items)), _ => None)
    }

    /// Estimates the number of distinct items. O(m).
    ///
    /// # Errors
    ///
    /// There is no estimate after an intersection, nor if all bits are set. For a partitioned filter, one full part is enough;
    /// for a scalable filter, one full stage.
    pub fn estimated_items(&self) -> Result<Estimate, EstimateError> {
        each!(self, filter => filter.estimated_items())
    }

    /// Returns whether no bit or counter is set, so that no key is found. O(m).
    pub fn is_empty(&self) -> bool {
        each!(self, filter => filter.is_empty())
    }
}

/// Returns the kind of the filter in these bytes. For bytes that are not a filter it returns `Basic`, and the error of reading
/// them as a basic filter then says what is wrong.
fn stored_kind(bytes: &[u8]) -> FilterKind {
    match BloomFilterRef::<[u8]>::open(bytes) {
        Err(LoadError::Kind { stored, .. }) => stored,
        _ => FilterKind::Basic,
    }
}
