//! Filters that are created as a system creates them, of the size that is asked for.

use bloom_formats::{
    Filter, FormatError, GoBloom, GuavaBloom, GuavaStrategy, HadoopBloom, HadoopDynamicBloom,
    HadoopHash, ParquetBloom, SparkBloom, SparkVersion,
};
use bloom_params::InputError;

use super::opened::{About, error};
use super::{Opened, Request};

/// Returns a filter that was created.
pub(super) fn created(
    filter: Result<impl Filter + 'static, FormatError>,
) -> Result<Opened<'static>, InputError> {
    Ok(Opened::foreign(filter.map_err(error)?, About::default()))
}

pub(super) fn spark(
    version: SparkVersion,
    asked: &Request,
) -> Result<SparkBloom<'static>, FormatError> {
    match asked.size {
        Some((bits, _)) => SparkBloom::with_bits(version, asked.items, bits),
        None => SparkBloom::with_rate(version, asked.items, asked.rate),
    }
}

pub(super) fn guava(
    strategy: GuavaStrategy,
    asked: &Request,
) -> Result<GuavaBloom<'static>, FormatError> {
    match asked.size {
        Some((bits, hashes)) => GuavaBloom::with_bits(strategy, bits, hashes.into()),
        None => GuavaBloom::with_rate(strategy, asked.items, asked.rate),
    }
}

pub(super) fn go(asked: &Request) -> Result<GoBloom<'static>, FormatError> {
    match asked.size {
        Some((bits, hashes)) => GoBloom::with_bits(bits, hashes.into()),
        None => GoBloom::with_rate(asked.items, asked.rate),
    }
}

pub(super) fn parquet(asked: &Request) -> Result<ParquetBloom<'static>, FormatError> {
    match asked.size {
        // Bits that are no bytes are no block, either.
        Some((bits, _)) => ParquetBloom::with_bitset_bytes(bits.div_ceil(8)),
        None => ParquetBloom::with_rate(asked.items, asked.rate),
    }
}

pub(super) fn hadoop(
    hash: HadoopHash,
    asked: &Request,
) -> Result<HadoopBloom<'static>, FormatError> {
    match asked.size {
        Some((bits, hashes)) => HadoopBloom::with_bits(hash, bits, hashes.into()),
        None => HadoopBloom::with_rate(hash, asked.items, asked.rate),
    }
}

pub(super) fn dynamic(asked: &Request) -> Result<HadoopDynamicBloom<'static>, FormatError> {
    let (hash, items) = (HadoopHash::Murmur, asked.items);
    match asked.size {
        Some((bits, hashes)) => HadoopDynamicBloom::with_bits(hash, bits, hashes.into(), items),
        None => HadoopDynamicBloom::with_rate(hash, items, asked.rate),
    }
}

pub(super) fn wide_seed(seed: i64) -> InputError {
    let (low, high) = (i32::MIN, i32::MAX);
    InputError::new(format!(
        "--seed of a spark filter must be from {low} to {high}, got {seed}"
    ))
}
