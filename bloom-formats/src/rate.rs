//! False-positive rates, and how well they are known.
//!
//! Where the positions of a key depend on one another, only the mean over filters with as many items is computed. The
//! standard deviation of a filter from that mean is [`SPREAD`] sqrt(p)/m at most; that of a rate measured with random keys
//! is sqrt(p/keys). So measuring is more accurate for a small filter.

use bloom_systems::Positions;
use bloom_systems::random::split_mix;

/// A false-positive rate, computed or measured.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Rate {
    /// The rate, from 0 to 1.
    pub value: f64,
    /// The standard deviation of the filter's own rate from this value; 0 where the value is that of the filter.
    pub standard_deviation: f64,
    /// The random keys on which it was measured, always the same; 0 if it was computed.
    pub keys: u64,
}

/// The most keys that a filter is queried for: 16 to 78 ms on an Intel Xeon (family 6, model 207).
pub(crate) const KEYS: u64 = 1 << 20;

/// In filters of 512 and 4,096 bits with 4 to 10 hashes, half full, of Guava, Redis, Spark, DataSketches and Go, 24 of each,
/// this was 0.3 to 4.6.
const SPREAD: f64 = 4.0;

/// The most bits for which measuring with [`KEYS`] keys beats the mean: [`SPREAD`] times the root of [`KEYS`].
pub(crate) const SMALL: u64 = 1 << 12;

/// With 100 false positives, the standard deviation is 10 % of the rate. That of the mean is about as much in the largest
/// of these filters, and more in smaller ones.
const MIN_POSITIVES: u64 = 100;

/// With 2^14 it is 0.8 %, and no more keys are drawn: with 255 hashes, a filter that is nearly full would take a second.
const ENOUGH_POSITIVES: u64 = 1 << 14;

/// The keys that are drawn at a time.
const BATCH: u64 = 1 << 16;

impl Rate {
    /// Returns the filter's own rate, which is exact.
    pub(crate) fn computed(value: f64) -> Self {
        Self {
            value,
            standard_deviation: 0.0,
            keys: 0,
        }
    }

    /// Returns the mean rate of filters of this size.
    pub(crate) fn mean(value: f64, bits: u64) -> Self {
        Self {
            standard_deviation: SPREAD * libm::sqrt(value) / bits as f64,
            ..Self::computed(value)
        }
    }

    /// Measures a rate on at most about `most` keys; `None` if too few of them are false positives.
    pub(crate) fn measured(most: u64, contains: impl Fn(&[u8]) -> bool) -> Option<Self> {
        let (mut state, mut keys, mut positives) = (0, 0, 0);
        while keys < most && positives < ENOUGH_POSITIVES {
            let mut is_positive = |_: &u64| contains(&split_mix(&mut state).to_le_bytes());
            positives += (0..BATCH).filter(|key| is_positive(key)).count() as u64;
            keys += BATCH;
        }
        let value = positives as f64 / keys as f64;
        (positives >= MIN_POSITIVES).then_some(Self {
            value,
            standard_deviation: libm::sqrt(value * (1.0 - value) / keys as f64),
            keys,
        })
    }
}

/// Returns whether only the mean over filters is computed for such positions, and not the rate of this filter.
pub(crate) fn is_mean(positions: Positions) -> bool {
    matches!(
        positions,
        Positions::Double(_) | Positions::Signed | Positions::Halved | Positions::FourHashes
    )
}
