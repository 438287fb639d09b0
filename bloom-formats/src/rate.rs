//! Defines [`Rate`], a false-positive rate that states how well it is known, and measures rates with random keys.
//!
//! If the positions of a key depend on one another, this crate computes, for most systems, only the mean rate of filters with
//! the same number of items. The standard deviation of single filters from this mean is about [`SPREAD`] sqrt(p)/m or less. If
//! only bounds of the mean are known, the mean may be anywhere between these. A rate that is measured with random keys has the
//! standard deviation sqrt(p/keys). So the rate is measured in small filters, and in larger ones if their mean has wide bounds.

use bloom_systems::Positions;
use bloom_systems::double_hashing::Excess;
use bloom_systems::random::split_mix;

/// A false-positive rate, computed or measured.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Rate {
    /// The rate, from 0 to 1.
    pub value: f64,
    /// The standard deviation of the filter's own rate from this value; 0 where the value is the filter's own rate.
    pub standard_deviation: f64,
    /// The number of random keys on which the rate was measured, always the same keys; 0 if it was computed.
    pub keys: u64,
}

/// The maximum number of keys on which a rate is measured. Their queries take 16 to 78 ms on an Intel Xeon (family 6, model 207).
pub(crate) const KEYS: u64 = 1 << 20;

/// The standard deviation of the rates of single filters from their mean, times m / sqrt(p). It was 0.3 to 4.6 in half full
/// filters of 512 and 4,096 bits with 4 to 10 hashes, 24 filters each of Guava, Redis, Spark, DataSketches and Go.
const SPREAD: f64 = 4.0;

/// After this many false positives no more keys are drawn, as the standard deviation is 0.8 % of the rate by then. Without this
/// limit, a nearly full filter with 255 hashes would take a second.
const ENOUGH_POSITIVES: u64 = 1 << 14;

/// The number of keys between two checks of [`ENOUGH_POSITIVES`].
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

    /// Returns a mean rate of filters of this size as the rate of one filter. `excess` is the part of the mean above the rate of
    /// independent positions.
    pub(crate) fn mean(value: f64, bits: u64, excess: &Excess) -> Self {
        let spread = SPREAD * libm::sqrt(value) / bits as f64;
        let margin = if excess.measured {
            0.0
        } else {
            (excess.high - excess.expected).max(excess.expected - excess.low)
        };
        Self {
            standard_deviation: libm::hypot(spread, margin),
            ..Self::computed(value)
        }
    }

    /// Returns the rate as measured on up to `most` keys, rounded up to whole batches.
    ///
    /// Returns `self` without a measurement if its standard deviation is 0, or smaller than that of a measurement. Returns
    /// `self` also if the measurement does not refute it and is too weak. It is too weak if no key was a false positive, or if
    /// fewer than one was expected and `self` has the smaller standard deviation.
    pub(crate) fn or_measured(self, most: u64, contains: impl Fn(&[u8]) -> bool) -> Self {
        // The deviation is at least that of one false positive.
        let deviation = |rate: f64, keys: u64| {
            let keys = keys as f64;
            libm::sqrt(rate.max(1.0 / keys) / keys)
        };
        let expected = deviation(self.value, most);
        let is_known = self.standard_deviation < libm::sqrt(self.value / most as f64);
        if is_known || self.standard_deviation == 0.0 {
            return self;
        }
        let (mut state, mut keys, mut positives) = (0, 0, 0);
        while keys < most && positives < ENOUGH_POSITIVES {
            let mut is_positive = |_: &u64| contains(&split_mix(&mut state).to_le_bytes());
            positives += (0..BATCH).filter(|key| is_positive(key)).count() as u64;
            keys += BATCH;
        }
        let value = positives as f64 / keys as f64;
        // A measurement can refute a mean. For example, an item whose hash values are 0 sets one bit, and the rate of its
        // filter may be far from the mean.
        let both = libm::hypot(self.standard_deviation, expected);
        let refuted = libm::fabs(value - self.value) > 5.0 * both;
        if !refuted && (self.standard_deviation < expected || positives == 0) {
            return self;
        }
        Self {
            value,
            standard_deviation: deviation(value * (1.0 - value), keys),
            keys,
        }
    }
}

/// Returns whether only the mean over filters is computed for these positions, and not the rate of this filter.
pub(crate) fn is_mean(positions: Positions) -> bool {
    matches!(
        positions,
        Positions::Double(_) | Positions::Signed | Positions::Halved | Positions::FourHashes
    )
}
