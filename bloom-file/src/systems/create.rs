//! Creates filters of the requested size as their systems do.

use bloom_formats::{
    Filter, FormatError, GoBloom, GuavaBloom, GuavaStrategy, HadoopBloom, HadoopDynamicBloom,
    HadoopHash, ParquetBloom, SparkBloom, SparkVersion,
};
use bloom_params::InputError;

use super::opened::{About, error};
use super::{Opened, Request};

/// A filter of a system, or the reason why it cannot be created.
type Made<F> = Result<F, FormatError>;

/// Wraps a created filter in [`Opened`], the type for filters of all systems.
pub(super) fn created(filter: Made<impl Filter + 'static>) -> Result<Opened<'static>, InputError> {
    Ok(Opened::foreign(filter.map_err(error)?, About::default()))
}

impl Request {
    /// Creates a filter of the requested bits and hashes or, if the request has none, a filter for its items at its rate.
    pub(super) fn create<F>(
        &self,
        of_size: impl Fn(u64, i64) -> Made<F>,
        of_rate: impl Fn(u64, f64) -> Made<F>,
    ) -> Made<F> {
        match self.size {
            Some((bits, hashes)) => of_size(bits, hashes.into()),
            None => of_rate(self.items, self.rate),
        }
    }

    /// Does what [`create`](Self::create) does, for a system whose filters also have a strategy, hash function or seed:
    /// `differing`.
    pub(super) fn create_with<D: Copy, F>(
        &self,
        differing: D,
        of_size: impl Fn(D, u64, i64) -> Made<F>,
        of_rate: impl Fn(D, u64, f64) -> Made<F>,
    ) -> Made<F> {
        self.create(
            |bits, hashes| of_size(differing, bits, hashes),
            |items, rate| of_rate(differing, items, rate),
        )
    }
}

pub(super) fn spark(version: SparkVersion, request: &Request) -> Made<SparkBloom<'static>> {
    request.create(
        |bits, _| SparkBloom::with_bits(version, request.items, bits),
        |items, rate| SparkBloom::with_rate(version, items, rate),
    )
}

pub(super) fn guava(strategy: GuavaStrategy, request: &Request) -> Made<GuavaBloom<'static>> {
    request.create_with(strategy, GuavaBloom::with_bits, GuavaBloom::with_rate)
}

pub(super) fn go(request: &Request) -> Made<GoBloom<'static>> {
    request.create(GoBloom::with_bits, GoBloom::with_rate)
}

pub(super) fn parquet(request: &Request) -> Made<ParquetBloom<'static>> {
    // Bits that do not fill the last byte are rounded up to whole bytes.
    let of_bits = |bits: u64, _| ParquetBloom::with_bitset_bytes(bits.div_ceil(8));
    request.create(of_bits, ParquetBloom::with_rate)
}

pub(super) fn hadoop(hash: HadoopHash, request: &Request) -> Made<HadoopBloom<'static>> {
    request.create_with(hash, HadoopBloom::with_bits, HadoopBloom::with_rate)
}

pub(super) fn dynamic(request: &Request) -> Made<HadoopDynamicBloom<'static>> {
    let hash = HadoopHash::Murmur;
    request.create(
        |bits, hashes| HadoopDynamicBloom::with_bits(hash, bits, hashes, request.items),
        |items, rate| HadoopDynamicBloom::with_rate(hash, items, rate),
    )
}

pub(super) fn wide_seed(seed: i128) -> InputError {
    let (low, high) = (i32::MIN, i32::MAX);
    InputError::new(format!(
        "--seed of a spark filter must be from {low} to {high}, got {seed}"
    ))
}
