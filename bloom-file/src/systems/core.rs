//! The filters of bloom-core, in their own saved format.

use std::hash::{BuildHasher, Hash};

use bloom_core::math::Estimate;
use bloom_core::{
    BlockedBloomFilter, BlockedBloomFilterRef, BloomFilter, BloomFilterRef, CountingBloomFilter,
    EstimateError, FixedState, IncompatibleError, LoadError, PartitionedBloomFilter,
    ScalableBloomFilter, Shape, Stage,
};
use bloom_formats::Key;
use bloom_params::InputError;

use super::{Build, Extra, Opened, System, Unread};
use crate::facts::Facts;
use crate::key::KeyType;

/// A filter of any kind: the two most common also in place.
pub(crate) enum Own<'a> {
    Classic(BloomFilter<[u8]>),
    ClassicInPlace(BloomFilterRef<'a, [u8]>),
    Blocked(BlockedBloomFilter<[u8]>),
    BlockedInPlace(BlockedBloomFilterRef<'a, [u8]>),
    Partitioned(PartitionedBloomFilter<[u8]>),
    Counting(CountingBloomFilter<[u8]>),
    Scalable(ScalableBloomFilter<[u8]>),
}

/// Evaluates an expression of the filter, and another one if it is a scalable one, which has no shape.
macro_rules! each {
    ($own:expr, $filter:ident => $fixed:expr, $scalable:pat => $other:expr) => {
        match $own {
            Own::Classic($filter) => $fixed,
            Own::ClassicInPlace($filter) => $fixed,
            Own::Blocked($filter) => $fixed,
            Own::BlockedInPlace($filter) => $fixed,
            Own::Partitioned($filter) => $fixed,
            Own::Counting($filter) => $fixed,
            Own::Scalable($scalable) => $other,
        }
    };
}

impl Own<'_> {
    fn kind(&self) -> &'static str {
        match self {
            Self::Classic(_) | Self::ClassicInPlace(_) => "classic",
            Self::Blocked(_) | Self::BlockedInPlace(_) => "blocked",
            Self::Partitioned(_) => "partitioned",
            Self::Counting(_) => "counting",
            Self::Scalable(_) => "scalable",
        }
    }

    pub(super) fn facts(&self) -> Facts {
        let kind = self.kind();
        let (bits, hashes, fill) = each!(
            self,
            filter => (filter.shape().bits(), filter.shape().hashes(), filter.fill()),
            filter => of_stages(filter)
        );
        let items = self.estimated_items();
        // Why there is no estimate, where the fill does not show it.
        let warnings = match items {
            Err(error @ EstimateError::Intersected) => vec![error.to_string()],
            _ => Vec::new(),
        };
        Facts {
            what: format!("bloom-core {kind} filter"),
            fields: vec![("kind", kind.into())],
            bits,
            hashes: hashes.into(),
            fill,
            items: items.ok(),
            counted: None,
            is_bare: false,
            rate: self.rate(),
            warnings,
        }
    }

    pub(super) fn rate(&self) -> f64 {
        each!(self, filter => filter.false_positive_rate(), filter => filter.false_positive_rate())
    }

    pub(super) fn estimated_items(&self) -> Result<Estimate, EstimateError> {
        each!(self, filter => filter.estimated_items(), filter => filter.estimated_items())
    }

    pub(super) fn expected_rate(&self, items: u64) -> Option<f64> {
        each!(self, filter => Some(filter.expected_false_positive_rate(items)), _ => None)
    }

    pub(super) fn contains(&self, key: Key<'_>) -> Option<bool> {
        let hash = hash(key)?;
        Some(
            each!(self, filter => filter.contains_hash(hash), filter => filter.contains_hash(hash)),
        )
    }

    /// Inserts a key into a filter of a kind that is created here.
    pub(super) fn insert(&mut self, key: Key<'_>) -> Option<bool> {
        let hash = hash(key)?;
        match self {
            Self::Classic(filter) => Some(filter.insert_hash(hash)),
            Self::Blocked(filter) => Some(filter.insert_hash(hash)),
            _ => None,
        }
    }

    /// Returns the filter as one that owns its bits.
    pub(super) fn owned(self) -> Result<Own<'static>, InputError> {
        match self {
            Self::ClassicInPlace(filter) => filter.to_plain().map(Own::Classic),
            Self::BlockedInPlace(filter) => filter.to_plain().map(Own::Blocked),
            Self::Classic(filter) => return Ok(Own::Classic(filter)),
            Self::Blocked(filter) => return Ok(Own::Blocked(filter)),
            Self::Partitioned(filter) => return Ok(Own::Partitioned(filter)),
            Self::Counting(filter) => return Ok(Own::Counting(filter)),
            Self::Scalable(filter) => return Ok(Own::Scalable(filter)),
        }
        .map_err(|error| refused(&error))
    }

    /// Inserts all keys of a filter of the same kind into one that owns its bits.
    pub(super) fn merge(&mut self, other: &Own<'_>) -> Result<(), InputError> {
        let united: Result<(), IncompatibleError> = match (&mut *self, other) {
            (Self::Classic(ours), Own::ClassicInPlace(theirs)) => ours.union_with(theirs),
            (Self::Blocked(ours), Own::BlockedInPlace(theirs)) => ours.union_with(theirs),
            (Self::Partitioned(ours), Own::Partitioned(theirs)) => ours.union_with(theirs),
            (Self::Counting(ours), Own::Counting(theirs)) => ours.union_with(theirs),
            (Self::Scalable(_), Own::Scalable(_)) => {
                return Err(InputError::new("bloom-core merges no scalable filters"));
            }
            (ours, theirs) => {
                let (ours, theirs) = (ours.kind(), theirs.kind());
                let message =
                    format!("kind of both filters must be equal, got {ours} and {theirs}");
                return Err(InputError::new(message));
            }
        };
        united.map_err(|error| refused(&error))
    }

    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, InputError> {
        let bytes = match self {
            Self::Classic(filter) => filter.to_bytes(),
            Self::Blocked(filter) => filter.to_bytes(),
            Self::Partitioned(filter) => filter.to_bytes(),
            Self::Counting(filter) => filter.to_bytes(),
            Self::Scalable(filter) => filter.to_bytes(),
            _ => return Err(InputError::new("filters in place are not written")),
        };
        bytes.map_err(|error| refused(&error))
    }
}

/// Returns the bits, the hashes of the last stage and the fill.
fn of_stages(filter: &ScalableBloomFilter<[u8]>) -> (u64, u8, f64) {
    let last = filter.stages().last().map(|stage| stage.shape.hashes());
    let all = |number: fn(&Stage) -> u64| filter.stages().map(|stage| number(&stage)).sum::<u64>();
    let (ones, bits) = (all(|stage| stage.ones), all(|stage| stage.shape.bits()));
    (bits, last.unwrap_or(0), ones as f64 / bits.max(1) as f64)
}

/// Returns the hash of a key, as filters of `str`, `[u8]`, `i64` and `i32` have it; `None` for other types, and
/// for text that is not UTF-8.
fn hash(key: Key<'_>) -> Option<u64> {
    fn of(item: &(impl Hash + ?Sized)) -> u64 {
        FixedState::default().hash_one(item)
    }
    match key {
        Key::Text(bytes) => std::str::from_utf8(bytes).ok().map(of),
        Key::Bytes(bytes) => Some(of(bytes)),
        Key::Long(value) => Some(of(&value)),
        Key::Int(value) => Some(of(&value)),
        _ => None,
    }
}

fn refused(error: &impl ToString) -> InputError {
    InputError::new(error.to_string())
}

/// Reads a filter of any kind: the two most common in place, and all with their checksum.
fn read(bytes: &[u8]) -> Result<Own<'_>, LoadError> {
    let first = match BloomFilterRef::open_verified(bytes) {
        Ok(filter) => return Ok(Own::ClassicInPlace(filter)),
        Err(error) => error,
    };
    if let Ok(filter) = BlockedBloomFilterRef::open_verified(bytes) {
        return Ok(Own::BlockedInPlace(filter));
    }
    if let Ok(filter) = PartitionedBloomFilter::from_bytes(bytes) {
        return Ok(Own::Partitioned(filter));
    }
    if let Ok(filter) = CountingBloomFilter::from_bytes(bytes) {
        return Ok(Own::Counting(filter));
    }
    let scalable = ScalableBloomFilter::from_bytes(bytes);
    scalable.map(Own::Scalable).map_err(|_| first)
}

pub(super) static SYSTEMS: &[System] = &[System {
    name: "bloom-core",
    about: "this project's own filters: to_bytes, of str, [u8], i64 or i32",
    keys: &[KeyType::Text, KeyType::Hex, KeyType::I64, KeyType::I32],
    open: |bytes, _| match read(bytes) {
        Ok(own) => Ok((Opened::Own(own), 0)),
        Err(error) => Err(Unread::Own(error)),
    },
    form: None,
    merges: true,
    commands: None,
    key_hint: None,
    builds: &[
        Build {
            name: "bloom-core",
            about: "a Bloom filter, of the least bits that keep the rate",
            takes: &[Extra::Bits, Extra::Hashes],
            create: |asked| {
                let filter = match asked.size {
                    Some((bits, hashes)) => {
                        let shape = Shape::new(bits, hashes).map_err(|error| refused(&error))?;
                        BloomFilter::new(shape)
                    }
                    None => BloomFilter::with_rate(asked.items, asked.rate),
                };
                filter
                    .map(Own::Classic)
                    .map(Opened::Own)
                    .map_err(|error| refused(&error))
            },
        },
        Build {
            name: "bloom-core-blocked",
            about: "blocks of a cache line, for speed",
            takes: &[],
            create: |asked| {
                let filter = BlockedBloomFilter::with_rate(asked.items, asked.rate);
                filter
                    .map(Own::Blocked)
                    .map(Opened::Own)
                    .map_err(|error| refused(&error))
            },
        },
    ],
}];
