//! Defines [`Rate`], a false-positive rate that states how well it is known, and measures rates with random keys.
//!
//! If the positions of a key depend on one another, this crate computes for most systems only a mean: that of the rates of all
//! filters with the same numbers of bits, hashes and items. The rates of single filters deviate from this mean p with a
//! standard deviation of about [`SPREAD`] sqrt(p) / m, where m is the number of bits. If only bounds of the mean are known, the
//! mean may be anywhere between the bounds. A rate that is measured with random keys has the standard deviation sqrt(p / keys).
//! This is smaller than the deviation from the mean if m is small or the bounds are wide: then the rate is measured.

use bloom_systems::Positions;
use bloom_systems::double_hashing::Excess;
use bloom_systems::random::split_mix;

/// A false-positive rate, computed or measured.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Rate {
    /// The rate, from 0 to 1.
    pub value: f64,
    /// The standard deviation of the filter's own rate from `value`; 0 if `value` is the filter's own rate.
    pub standard_deviation: f64,
    /// The number of random keys with which the rate was measured; 0 if it was computed. The keys are drawn with a fixed seed.
    pub keys: u64,
}

/// The maximum number of keys with which a rate is measured. Querying so many keys takes 16 to 78 ms on an Intel Xeon (family
/// 6, model 207).
pub(crate) const KEYS: u64 = 1 << 20;

/// The standard deviation of the rates of single filters from their mean p, times m / sqrt(p). This product was 0.3 to 4.6 in
/// half full filters of m = 512 and 4,096 bits with 4 to 10 hashes: 24 filters for each of Guava, Redis, Spark, DataSketches
/// and Go.
const SPREAD: f64 = 4.0;

/// After this many false positives no more keys are drawn, as the standard deviation of the measured rate is 0.8 % of the rate
/// by then. Without this limit, a nearly full filter with 255 hashes would take a second.
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

    /// Returns the rate of a filter of which only the mean `value` over filters of this size is known. `excess` has the bounds
    /// of what dependent positions add to the mean. They widen the standard deviation, unless [`Excess::measured`] is true.
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

    /// Measures the rate with up to `most` random keys, a number that is rounded up to a multiple of [`BATCH`]. Returns `self`
    /// or the measured rate, whichever is better known.
    ///
    /// Returns `self` without a measurement if its standard deviation is 0, or smaller than that of a measurement would be.
    /// After a measurement that does not refute `self`, returns `self` in two cases: if no key was a false positive, or if
    /// fewer than one false positive was expected and `self` has the smaller standard deviation.
    pub(crate) fn or_measured(self, most: u64, contains: impl Fn(&[u8]) -> bool) -> Self {
        // A rate below one false positive in `keys` gets the standard deviation of the rate of one false positive.
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
        // A measurement refutes a mean that is more than five standard deviations away. For example, an item whose hash values
        // are 0 sets only one bit, and the rate of a filter with this item may be far from the mean.
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

/// Returns whether, for positions derived as `positions` says, only a mean over filters can be computed, and not the rate of a
/// single filter.
pub(crate) fn is_mean(positions: Positions) -> bool {
    matches!(
        positions,
        Positions::Double(_) | Positions::Signed | Positions::Halved | Positions::FourHashes
    )
}
