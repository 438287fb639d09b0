//! The filters of bloom-core as one type: each kind, owned or in the bytes of its file. They take hashes, so that the type of
//! the keys is left to `keys`.

use bloom_core::math::Estimate;
use bloom_core::{
    AtomicBlockedBloomFilter, AtomicBloomFilter, BlockedBloomFilter, BloomFilter, BloomFilterRef,
    CountingBloomFilter, EstimateError, FilterKind, FixedState, LoadError, MemoryError,
    PartitionedBloomFilter, Saved, ScalableBloomFilter,
};
use bloom_formats::map::FileBytes;
use pyo3::PyResult;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};

use crate::error::value;

type Mapped = Saved<FileBytes>;

/// A filter of any kind.
pub(crate) enum Any {
    Classic(BloomFilter<[u8]>),
    ClassicMapped(BloomFilter<[u8], FixedState, Mapped>),
    ClassicShared(AtomicBloomFilter<[u8]>),
    Blocked(BlockedBloomFilter<[u8]>),
    BlockedMapped(BlockedBloomFilter<[u8], FixedState, Mapped>),
    BlockedShared(AtomicBlockedBloomFilter<[u8]>),
    Partitioned(PartitionedBloomFilter<[u8]>),
    PartitionedMapped(PartitionedBloomFilter<[u8], FixedState, Mapped>),
    Counting(CountingBloomFilter<[u8]>),
    CountingMapped(CountingBloomFilter<[u8], FixedState, Mapped>),
    Scalable(ScalableBloomFilter<[u8]>),
}

/// Evaluates an expression of the filter, or another one if it is a scalable one, which has no shape.
macro_rules! each {
    ($any:expr, $filter:ident => $all:expr) => {
        each!($any, $filter => $all, $filter => $all)
    };
    ($any:expr, $filter:ident => $fixed:expr, $scalable:pat => $other:expr) => {
        match $any {
            Any::Classic($filter) => $fixed,
            Any::ClassicMapped($filter) => $fixed,
            Any::ClassicShared($filter) => $fixed,
            Any::Blocked($filter) => $fixed,
            Any::BlockedMapped($filter) => $fixed,
            Any::BlockedShared($filter) => $fixed,
            Any::Partitioned($filter) => $fixed,
            Any::PartitionedMapped($filter) => $fixed,
            Any::Counting($filter) => $fixed,
            Any::CountingMapped($filter) => $fixed,
            Any::Scalable($scalable) => $other,
        }
    };
}

/// Calls a method of an owned filter with another one of its kind, which may be in place.
macro_rules! combined {
    ($ours:expr, $theirs:expr, $method:ident, $what:expr) => {
        match (&mut *$ours, $theirs) {
            (Any::Classic(ours), Any::Classic(theirs)) => ours.$method(theirs),
            (Any::Classic(ours), Any::ClassicMapped(theirs)) => ours.$method(theirs),
            (Any::Classic(ours), Any::ClassicShared(theirs)) => ours.$method(theirs),
            (Any::Blocked(ours), Any::Blocked(theirs)) => ours.$method(theirs),
            (Any::Blocked(ours), Any::BlockedMapped(theirs)) => ours.$method(theirs),
            (Any::Blocked(ours), Any::BlockedShared(theirs)) => ours.$method(theirs),
            (Any::Partitioned(ours), Any::Partitioned(theirs)) => ours.$method(theirs),
            (Any::Partitioned(ours), Any::PartitionedMapped(theirs)) => ours.$method(theirs),
            (Any::Counting(ours), Any::Counting(theirs)) => ours.$method(theirs),
            (Any::Counting(ours), Any::CountingMapped(theirs)) => ours.$method(theirs),
            (ours, theirs) => return Err(ours.not_with(theirs, $what)),
        }
        .map_err(value)
    };
}

impl Any {
    pub(crate) fn kind(&self) -> FilterKind {
        match self {
            Self::Classic(_) | Self::ClassicMapped(_) | Self::ClassicShared(_) => FilterKind::Basic,
            Self::Blocked(_) | Self::BlockedMapped(_) | Self::BlockedShared(_) => {
                FilterKind::Blocked
            }
            Self::Partitioned(_) | Self::PartitionedMapped(_) => FilterKind::Partitioned,
            Self::Counting(_) | Self::CountingMapped(_) => FilterKind::Counting,
            Self::Scalable(_) => FilterKind::Scalable,
        }
    }

    /// Loads a filter of a kind, or of the kind that the bytes have.
    pub(crate) fn load(bytes: &[u8], kind: Option<FilterKind>) -> PyResult<Self> {
        let loaded = match kind.unwrap_or_else(|| stored(bytes)) {
            FilterKind::Blocked => BlockedBloomFilter::from_bytes(bytes).map(Self::Blocked),
            FilterKind::Partitioned => {
                PartitionedBloomFilter::from_bytes(bytes).map(Self::Partitioned)
            }
            FilterKind::Counting => CountingBloomFilter::from_bytes(bytes).map(Self::Counting),
            FilterKind::Scalable => ScalableBloomFilter::from_bytes(bytes).map(Self::Scalable),
            _ => BloomFilter::from_bytes(bytes).map(Self::Classic),
        };
        loaded.map_err(value)
    }

    /// Opens a filter in place: its header is checked, its bits are not read.
    pub(crate) fn open(bytes: FileBytes, kind: Option<FilterKind>) -> PyResult<Self> {
        let opened = match kind.unwrap_or_else(|| stored(&bytes)) {
            FilterKind::Blocked => BlockedBloomFilter::open(bytes).map(Self::BlockedMapped),
            FilterKind::Partitioned => {
                PartitionedBloomFilter::open(bytes).map(Self::PartitionedMapped)
            }
            FilterKind::Counting => CountingBloomFilter::open(bytes).map(Self::CountingMapped),
            FilterKind::Scalable => {
                let message = "a scalable filter is not read in place: use load";
                return Err(PyTypeError::new_err(message));
            }
            _ => BloomFilter::open(bytes).map(Self::ClassicMapped),
        };
        opened.map_err(value)
    }

    /// Makes the filter one that threads fill at once.
    pub(crate) fn shared(self) -> PyResult<Self> {
        match self {
            Self::Classic(filter) => Ok(Self::ClassicShared(filter.into_shared())),
            Self::Blocked(filter) => Ok(Self::BlockedShared(filter.into_shared())),
            other => {
                let message = format!("a {} cannot be shared", other.kind());
                Err(PyTypeError::new_err(message))
            }
        }
    }

    /// Returns a copy that one owner fills.
    pub(crate) fn copy(&self) -> PyResult<Self> {
        let copy = match self {
            Self::Classic(filter) => filter.to_plain().map(Self::Classic),
            Self::ClassicMapped(filter) => filter.to_plain().map(Self::Classic),
            Self::ClassicShared(filter) => filter.to_plain().map(Self::Classic),
            Self::Blocked(filter) => filter.to_plain().map(Self::Blocked),
            Self::BlockedMapped(filter) => filter.to_plain().map(Self::Blocked),
            Self::BlockedShared(filter) => filter.to_plain().map(Self::Blocked),
            Self::Partitioned(filter) => filter.to_plain().map(Self::Partitioned),
            Self::PartitionedMapped(filter) => filter.to_plain().map(Self::Partitioned),
            Self::Counting(filter) => filter.to_plain().map(Self::Counting),
            Self::CountingMapped(filter) => filter.to_plain().map(Self::Counting),
            Self::Scalable(filter) => filter.to_plain().map(Self::Scalable),
        };
        copy.map_err(no_memory)
    }

    pub(crate) fn to_bytes(&self) -> PyResult<Vec<u8>> {
        each!(self, filter => filter.to_bytes()).map_err(no_memory)
    }

    /// Returns whether both copies have one size and the same bits.
    pub(crate) fn equals(self, other: Self) -> bool {
        match (self, other) {
            (Self::Classic(ours), Self::Classic(theirs)) => ours == theirs,
            (Self::Blocked(ours), Self::Blocked(theirs)) => ours == theirs,
            (Self::Partitioned(ours), Self::Partitioned(theirs)) => ours == theirs,
            (Self::Counting(ours), Self::Counting(theirs)) => ours == theirs,
            (Self::Scalable(ours), Self::Scalable(theirs)) => ours == theirs,
            _ => false,
        }
    }

    pub(crate) fn contains(&self, hash: u64) -> bool {
        each!(self, filter => filter.contains_hash(hash))
    }

    pub(crate) fn contains_many(&self, hashes: &[u64]) -> Vec<bool> {
        let mut answers = vec![false; hashes.len()];
        let counted = each!(self, filter => filter.contains_hashes_into(hashes, &mut answers));
        counted.expect("there are as many places as hashes");
        answers
    }

    /// Inserts the keys of all hashes and returns how many were certainly new.
    pub(crate) fn insert_many(&mut self, hashes: &[u64]) -> PyResult<u64> {
        match self {
            Self::Classic(filter) => Ok(filter.insert_hashes(hashes)),
            Self::Blocked(filter) => Ok(filter.insert_hashes(hashes)),
            Self::Partitioned(filter) => Ok(filter.insert_hashes(hashes)),
            Self::Counting(filter) => Ok(filter.insert_hashes(hashes)),
            Self::Scalable(filter) => filter.insert_hashes(hashes).map_err(value),
            _ => Err(in_place()),
        }
    }

    /// Does so while other threads do; `None` if the filter is not shared.
    pub(crate) fn insert_shared(&self, hashes: &[u64]) -> Option<u64> {
        match self {
            Self::ClassicShared(filter) => Some(filter.insert_hashes(hashes)),
            Self::BlockedShared(filter) => Some(filter.insert_hashes(hashes)),
            _ => None,
        }
    }

    /// Removes a key from a counting filter; `false` if it is certainly absent.
    pub(crate) fn remove(&mut self, hash: u64) -> PyResult<bool> {
        match self {
            Self::Counting(filter) => Ok(filter.remove_hash(hash)),
            Self::CountingMapped(_) => Err(in_place()),
            _ => Err(PyTypeError::new_err("only counting filters remove keys")),
        }
    }

    pub(crate) fn clear(&mut self) -> PyResult<()> {
        match self {
            Self::Classic(filter) => filter.clear(),
            Self::ClassicShared(filter) => filter.clear(),
            Self::Blocked(filter) => filter.clear(),
            Self::BlockedShared(filter) => filter.clear(),
            Self::Partitioned(filter) => filter.clear(),
            Self::Counting(filter) => filter.clear(),
            Self::Scalable(filter) => filter.clear(),
            _ => return Err(in_place()),
        }
        Ok(())
    }

    /// Inserts all keys of another filter.
    pub(crate) fn unite(&mut self, other: &Self) -> PyResult<()> {
        combined!(self, other, union_with, "union")
    }

    /// Keeps the bits that are set in both filters.
    pub(crate) fn intersect(&mut self, other: &Self) -> PyResult<()> {
        combined!(self, other, intersect_with, "intersection")
    }

    fn not_with(&self, other: &Self, what: &str) -> pyo3::PyErr {
        let (ours, theirs) = (self.kind(), other.kind());
        if ours != theirs {
            let message = format!("kind of both filters must be equal, got {ours} and {theirs}");
            return PyTypeError::new_err(message);
        }
        if matches!(self, Self::Scalable(_)) {
            let message =
                format!("a scalable filter has no {what}: its stages depend on the order of keys");
            return PyTypeError::new_err(message);
        }
        in_place()
    }

    /// Returns the bits, or counters, of all stages.
    pub(crate) fn bits(&self) -> u64 {
        each!(
            self,
            filter => filter.shape().bits(),
            filter => filter.stages().map(|stage| stage.shape.bits()).sum()
        )
    }

    /// Returns the hashes, of a scalable filter those of its last stage.
    pub(crate) fn hashes(&self) -> u8 {
        each!(
            self,
            filter => filter.shape().hashes(),
            filter => filter.stages().last().map_or(0, |stage| stage.shape.hashes())
        )
    }

    pub(crate) fn fill(&self) -> f64 {
        let bits = self.bits().max(1);
        each!(
            self,
            filter => filter.fill(),
            filter => filter.stages().map(|stage| stage.ones).sum::<u64>() as f64 / bits as f64
        )
    }

    pub(crate) fn rate(&self) -> f64 {
        each!(self, filter => filter.false_positive_rate())
    }

    pub(crate) fn estimate(&self) -> Result<Estimate, EstimateError> {
        each!(self, filter => filter.estimated_items())
    }

    pub(crate) fn is_empty(&self) -> bool {
        each!(self, filter => filter.is_empty())
    }
}

/// Returns the kind that bytes have; of bytes that are no filter the first, whose error says why.
fn stored(bytes: &[u8]) -> FilterKind {
    match BloomFilterRef::<[u8]>::open(bytes) {
        Err(LoadError::Kind { stored, .. }) => stored,
        _ => FilterKind::Basic,
    }
}

fn in_place() -> pyo3::PyErr {
    PyValueError::new_err("a filter that is read in place is not changed: use load, or copy it")
}

fn no_memory(error: MemoryError) -> pyo3::PyErr {
    PyMemoryError::new_err(error.to_string())
}
