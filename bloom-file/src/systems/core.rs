//! The filters of bloom-core, in their own saved format.

use std::hash::{BuildHasher, Hash};

use bloom_core::math::Estimate;
use bloom_core::{
    BlockedBloomFilter, BlockedBloomFilterRef, BloomFilter, BloomFilterRef, CountingBloomFilter,
    EstimateError, FixedState, PartitionedBloomFilter, ScalableBloomFilter, Stage,
};
use bloom_params::InputError;

use super::{Build, Fillable, Filter, Refused, System};
use crate::facts::Facts;
use crate::key::{Key, KeyType};

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

/// Says why there is no estimate where the fill does not show it.
fn warnings(estimate: Result<Estimate, EstimateError>) -> Vec<String> {
    match estimate {
        Err(error @ EstimateError::Intersected) => vec![error.to_string()],
        _ => Vec::new(),
    }
}

/// Implements [`Filter`]: `fill` is the share of set bits, `rate` is the expected rate with more items, if the filter does not grow.
macro_rules! filter {
    ($type:ty, $kind:literal, $size:expr, $fill:expr, $rate:expr) => {
        impl Filter for $type {
            fn facts(&self) -> Facts {
                let (bits, hashes) = $size(self);
                Facts {
                    what: concat!("bloom-core ", $kind, " filter").to_string(),
                    fields: vec![("kind", $kind.into())],
                    bits,
                    hashes,
                    fill: $fill(self),
                    items: self.estimated_items().ok(),
                    counted: None,
                    rate: self.false_positive_rate(),
                    warnings: warnings(self.estimated_items()),
                }
            }

            fn expected_rate(&self, items: u64) -> Option<f64> {
                $rate(self, items)
            }

            fn contains(&self, key: Key<'_>) -> Option<Result<bool, InputError>> {
                Some(Ok(self.contains_hash(hash(key)?)))
            }
        }
    };
}

/// Implements [`Fillable`].
macro_rules! fillable {
    ($type:ty) => {
        impl Fillable for $type {
            fn insert(&mut self, key: Key<'_>) -> Option<Result<bool, InputError>> {
                Some(Ok(self.insert_hash(hash(key)?)))
            }

            fn to_bytes(&self) -> Result<Vec<u8>, InputError> {
                <$type>::to_bytes(self).map_err(|error| refused(&error))
            }
        }
    };
}

macro_rules! of_shape {
    () => {
        |filter: &Self| (filter.shape().bits(), u32::from(filter.shape().hashes()))
    };
}

macro_rules! expected {
    () => {
        |filter: &Self, items| Some(filter.expected_false_positive_rate(items))
    };
}

filter!(
    BloomFilterRef<'_, [u8]>,
    "classic",
    of_shape!(),
    Self::fill,
    expected!()
);
filter!(
    BloomFilter<[u8]>,
    "classic",
    of_shape!(),
    Self::fill,
    expected!()
);
filter!(
    BlockedBloomFilterRef<'_, [u8]>,
    "blocked",
    of_shape!(),
    Self::fill,
    expected!()
);
filter!(
    BlockedBloomFilter<[u8]>,
    "blocked",
    of_shape!(),
    Self::fill,
    expected!()
);
filter!(
    PartitionedBloomFilter<[u8]>,
    "partitioned",
    of_shape!(),
    Self::fill,
    expected!()
);
filter!(
    CountingBloomFilter<[u8]>,
    "counting",
    of_shape!(),
    Self::fill,
    expected!()
);
filter!(
    ScalableBloomFilter<[u8]>,
    "scalable",
    |filter: &Self| {
        let last = filter.stages().last().map(|stage| stage.shape.hashes());
        let bits = filter.stages().map(|stage| stage.shape.bits()).sum();
        (bits, u32::from(last.unwrap_or(0)))
    },
    |filter: &Self| {
        let all =
            |number: fn(&Stage) -> u64| filter.stages().map(|stage| number(&stage)).sum::<u64>();
        all(|stage| stage.ones) as f64 / all(|stage| stage.shape.bits()).max(1) as f64
    },
    |_: &Self, _| None
);
fillable!(BloomFilter<[u8]>);
fillable!(BlockedBloomFilter<[u8]>);
fillable!(PartitionedBloomFilter<[u8]>);
fillable!(CountingBloomFilter<[u8]>);

/// Reads a filter of any kind: the two most common in place, and all with their checksum.
fn read(bytes: &[u8]) -> Result<Box<dyn Filter + '_>, InputError> {
    let first = match BloomFilterRef::<[u8]>::open_verified(bytes) {
        Ok(filter) => return Ok(Box::new(filter)),
        Err(error) => error,
    };
    if let Ok(filter) = BlockedBloomFilterRef::<[u8]>::open_verified(bytes) {
        return Ok(Box::new(filter));
    }
    if let Ok(filter) = PartitionedBloomFilter::<[u8]>::from_bytes(bytes) {
        return Ok(Box::new(filter));
    }
    if let Ok(filter) = CountingBloomFilter::<[u8]>::from_bytes(bytes) {
        return Ok(Box::new(filter));
    }
    match ScalableBloomFilter::<[u8]>::from_bytes(bytes) {
        Ok(filter) => Ok(Box::new(filter)),
        Err(_) => Err(refused(&first)),
    }
}

/// Merges filters of the kind of the first.
fn merge(files: &[&[u8]]) -> Result<Box<dyn Fillable>, Refused> {
    macro_rules! union {
        ($type:ident) => {
            if let Ok(mut all) = $type::<[u8]>::from_bytes(files[0]) {
                for (index, file) in files.iter().enumerate().skip(1) {
                    let of_this = |error: InputError| (index, error);
                    let other =
                        $type::from_bytes(file).map_err(|error| of_this(refused(&error)))?;
                    all.union_with(&other)
                        .map_err(|error| of_this(refused(&error)))?;
                }
                return Ok(Box::new(all));
            }
        };
    }
    union!(BloomFilter);
    union!(BlockedBloomFilter);
    union!(PartitionedBloomFilter);
    union!(CountingBloomFilter);
    let reason = match read(files[0]) {
        Ok(_) => InputError::new("bloom-core merges no scalable filters"),
        Err(error) => error,
    };
    Err((0, reason))
}

pub(super) static SYSTEMS: &[System] = &[System {
    name: "bloom-core",
    about: "this project's own filters: to_bytes, of str, [u8], i64 or i32",
    keys: &[KeyType::Text, KeyType::Hex, KeyType::I64, KeyType::I32],
    read,
    read_part: |bytes| Ok((read(bytes)?, 0)),
    merge: Some(merge),
    is_bare: false,
    builds: &[
        Build {
            name: "bloom-core",
            about: "a Bloom filter, of the least bits that keep the rate",
            create: |items, rate| {
                let filter = BloomFilter::<[u8]>::with_rate(items, rate);
                Ok(Box::new(filter.map_err(|error| refused(&error))?))
            },
        },
        Build {
            name: "bloom-core-blocked",
            about: "blocks of a cache line, for speed",
            create: |items, rate| {
                let filter = BlockedBloomFilter::<[u8]>::with_rate(items, rate);
                Ok(Box::new(filter.map_err(|error| refused(&error))?))
            },
        },
    ],
}];
