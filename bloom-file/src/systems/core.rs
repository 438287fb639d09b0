//! Reads, creates and describes filters of bloom-core, in their own saved format.

use std::hash::{BuildHasher, Hash};

use bloom_core::{
    BlockedBloomFilter, BloomFilter, BloomFilterRef, EstimateError, FilterKind, FixedState,
    LoadError, Shape,
};
use bloom_formats::Key;
use bloom_params::InputError;

use super::{Build, Extra, Opened, Options, System, Unread};
use crate::core_filter::CoreFilter;
use crate::facts::Facts;
use crate::key::{KeyType, utf8};

pub(super) fn facts(filter: &CoreFilter<&[u8]>) -> Facts {
    let kind = match filter.kind() {
        FilterKind::Blocked => "blocked",
        FilterKind::Partitioned => "partitioned",
        FilterKind::Counting => "counting",
        FilterKind::Scalable => "scalable",
        _ => "classic",
    };
    let items = filter.estimated_items();
    // For a filter that is an intersection, a warning says why there is no estimate: the fill does not show the reason.
    let warnings = match items {
        Err(error @ EstimateError::Intersected) => vec![error.to_string()],
        _ => Vec::new(),
    };
    Facts {
        what: format!("bloom-core {kind} filter"),
        fields: vec![("kind", kind.into())],
        bits: filter.bits(),
        hashes: filter.hashes().into(),
        fill: filter.fill(),
        items: items.ok(),
        counted: None,
        needs_name: false,
        rate: filter.false_positive_rate(),
        deviation: 0.0,
        measured: 0,
        warnings,
    }
}

/// Returns the hash that bloom-core filters of `str`, `[u8]`, `i64` and `i32` compute for a key. Text must be UTF-8.
pub(super) fn hash(key: Key<'_>) -> Result<u64, InputError> {
    fn of(item: &(impl Hash + ?Sized)) -> u64 {
        FixedState::default().hash_one(item)
    }
    match key {
        Key::Text(bytes) => utf8(bytes).map(of),
        Key::Bytes(bytes) => Ok(of(bytes)),
        Key::Long(value) => Ok(of(&value)),
        Key::Int(value) => Ok(of(&value)),
        _ => Err(refused("key must be text, bytes or an integer")),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
pub(super) fn refused(error: impl ToString) -> InputError {
    InputError::new(error.to_string())
}

/// Reads a filter of any kind in place; only a scalable filter is copied. The checksum is verified first, so that damage is
/// reported as damage.
fn read(bytes: &[u8]) -> Result<Opened<'_>, LoadError> {
    match BloomFilterRef::<[u8]>::open_verified(bytes) {
        Ok(_) | Err(LoadError::Kind { .. }) => CoreFilter::open(bytes, None).map(Opened::Own),
        Err(error) => Err(error),
    }
}

pub(super) static SYSTEMS: &[System] = &[System {
    name: "bloom-core",
    about: "this project's own filters of str, [u8], i64 or i32, as to_bytes writes them",
    keys: &[KeyType::Text, KeyType::Hex, KeyType::I64, KeyType::I32],
    open: |bytes, _| match read(bytes) {
        Ok(filter) => Ok((filter, 0)),
        Err(error) => Err(Unread::Own(error)),
    },
    options: Options::USUAL,
    builds: &[
        Build {
            name: "bloom-core",
            about: "a Bloom filter with the fewest bits that keep the rate",
            takes: &[Extra::Bits, Extra::Hashes],
            create: |request| {
                let filter = match request.size {
                    Some((bits, hashes)) => {
                        let shape = Shape::new(bits, hashes).map_err(refused)?;
                        BloomFilter::new(shape)
                    }
                    None => BloomFilter::with_rate(request.items, request.rate),
                };
                filter
                    .map(CoreFilter::Basic)
                    .map(Opened::Own)
                    .map_err(refused)
            },
        },
        Build {
            name: "bloom-core-blocked",
            about: "a blocked filter, faster: each key sets bits in one cache line",
            takes: &[],
            create: |request| {
                let filter = BlockedBloomFilter::with_rate(request.items, request.rate);
                filter
                    .map(CoreFilter::Blocked)
                    .map(Opened::Own)
                    .map_err(refused)
            },
        },
    ],
}];
