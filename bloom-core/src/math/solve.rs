//! Finds the integers n, m and k (items, bits and hashes) with which a filter keeps a
//! false-positive rate.
//!
//! Under every model (formula for the rate), the rate rises with n, falls with m, and first falls
//! and then rises with k. Each search starts at a guess from a closed formula, and evaluates the
//! rate at the answer and at the integer next to it. So a poor guess costs time but never
//! correctness.

use core::ops::RangeInclusive;

use super::Model;
use super::decide::{is_below, is_surely_above, meets};
use super::error::{
    MAX_BITS, MathError, check_bits, check_hashes, check_items, check_rate, check_size,
};
use super::rate::Rate;
use super::real::{ln_one_minus_exp, throws};
use super::search::first_true;

impl Model {
    /// Returns the smallest number of bits with which `items` items and `hashes` hashes have at
    /// most the false-positive rate `rate`.
    ///
    /// # Errors
    ///
    /// `items` and `hashes` must be at least 1, `0 < rate < 1`, and the answer at most 2^63.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::math::Model;
    ///
    /// assert_eq!(Model::Exact.min_bits(2_000, 7, 0.01)?, 19_188);
    /// assert_eq!(Model::Asymptotic.min_bits(2_000, 7, 0.01)?, 19_186);
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    pub fn min_bits(self, items: u64, hashes: u8, rate: f64) -> Result<u64, MathError> {
        check_items(items)?;
        check_hashes(hashes)?;
        check_rate(rate)?;
        let guess = self.guess_bits(items, hashes, rate);
        first_true(1, MAX_BITS, guess, |bits| {
            meets(self, items, bits, hashes, rate)
        })
        .ok_or(MathError::NeedsTooManyBits { items, rate })
    }

    /// Returns the smallest size that keeps `items` items within the false-positive rate `rate`, as
    /// (bits, hashes): the smallest number of bits that keep the rate with some number of hashes
    /// from 1 to 255, and the smallest number of hashes that keeps the rate with these bits.
    ///
    /// # Errors
    ///
    /// `items` must be at least 1, `0 < rate < 1`, and the answer at most 2^63 bits.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::math::Model;
    ///
    /// assert_eq!(Model::Exact.min_size(2_000, 0.01)?, (19_188, 7));
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    pub fn min_size(self, items: u64, rate: f64) -> Result<(u64, u8), MathError> {
        check_items(items)?;
        check_rate(rate)?;
        let mut hashes = guess_hashes(rate);
        let mut found = self.min_bits(items, hashes, rate);
        // While another k keeps the rate with fewer bits, move to that k. No k is visited twice.
        for _ in 1..u8::MAX {
            let fewer = found.map_or(MAX_BITS, |bits| bits - 1);
            let better = self.best_hashes_from(items, fewer, hashes);
            if better == hashes || !meets(self, items, fewer, better, rate) {
                break;
            }
            hashes = better;
            found = self.min_bits(items, hashes, rate);
        }
        let bits = found?;
        Ok((bits, self.fewest_hashes(items, bits, hashes, rate)))
    }

    /// Returns the largest number of items with which `bits` bits and `hashes` hashes have at most
    /// the false-positive rate `rate`.
    ///
    /// The result is 0 if even one item would exceed the rate.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^63, `hashes` at least 1, `0 < rate < 1`, and the answer must
    /// fit in a `u64`.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::math::Model;
    ///
    /// assert_eq!(Model::Exact.max_items(20_000, 5, 0.01)?, 2_030);
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    pub fn max_items(self, bits: u64, hashes: u8, rate: f64) -> Result<u64, MathError> {
        check_size(bits, hashes)?;
        check_rate(rate)?;
        let guess = self.guess_items(bits, hashes, rate);
        match first_true(1, u64::MAX, guess, |items| {
            !meets(self, items, bits, hashes, rate)
        }) {
            Some(too_many) => Ok(too_many - 1),
            None => Err(MathError::HoldsTooManyItems { bits, rate }),
        }
    }

    /// Returns the largest number of items that `bits` bits keep within the false-positive rate
    /// `rate` with some number of hashes from 1 to 255, and the smallest number of hashes that
    /// keeps the rate with these items, as (items, hashes).
    ///
    /// The result is (0, 1) if even one item would exceed the rate.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^63, `0 < rate < 1`, and the answer must fit in a `u64`.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::math::Model;
    ///
    /// assert_eq!(Model::Exact.max_items_and_hashes(19_188, 0.01)?, (2_000, 7));
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    pub fn max_items_and_hashes(self, bits: u64, rate: f64) -> Result<(u64, u8), MathError> {
        check_bits(bits)?;
        check_rate(rate)?;
        let mut hashes = guess_hashes(rate);
        let mut items = self.max_items(bits, hashes, rate)?;
        // While another k keeps the rate with one item more, move to that k. No k is visited twice.
        for _ in 1..u8::MAX {
            let better = self.best_hashes_from(items + 1, bits, hashes);
            if better == hashes || !meets(self, items + 1, bits, better, rate) {
                break;
            }
            hashes = better;
            items = self.max_items(bits, hashes, rate)?;
        }
        if items == 0 {
            return Ok((0, 1));
        }
        Ok((items, self.fewest_hashes(items, bits, hashes, rate)))
    }

    /// Returns the number of hashes, from 1 to 255, with the lowest rate for `items` items in
    /// `bits` bits; of several with the same rate, the smallest.
    ///
    /// # Errors
    ///
    /// `items` must be at least 1 and `bits` from 1 to 2^63.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::math::Model;
    ///
    /// assert_eq!(Model::Exact.best_hashes(2_000, 20_000)?, 7);
    /// // For one item in 64 bits, the usual formula (m/n) ln 2 gives 44.
    /// assert_eq!(Model::Exact.best_hashes(1, 64)?, 34);
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    pub fn best_hashes(self, items: u64, bits: u64) -> Result<u8, MathError> {
        check_items(items)?;
        check_bits(bits)?;
        let ideal = super::ideal_hashes(items, bits);
        Ok(self.best_hashes_from(items, bits, ideal as u8))
    }

    /// Returns whether some number of hashes above 255 would have a lower rate than any number up to 255.
    ///
    /// # Errors
    ///
    /// `items` must be at least 1 and `bits` from 1 to 2^63.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::math::Model;
    ///
    /// assert!(!Model::Exact.wants_more_hashes(2_000, 20_000)?);
    /// assert!(Model::Exact.wants_more_hashes(10, 20_000)?);
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    pub fn wants_more_hashes(self, items: u64, bits: u64) -> Result<bool, MathError> {
        check_items(items)?;
        check_bits(bits)?;
        let rate = |hashes| self.unchecked(items, bits, hashes);
        Ok(is_below(rate(256), rate(255)))
    }

    /// Returns the range of the numbers of hashes, from 1 to 255, with which the rate of `items`
    /// items in `bits` bits is at most `rate`; `None` if there is no such number.
    ///
    /// # Errors
    ///
    /// `items` must be at least 1, `bits` from 1 to 2^63 and `0 < rate < 1`.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::math::Model;
    ///
    /// assert_eq!(Model::Exact.hashes_range(2_000, 20_000, 0.01)?, Some(5..=9));
    /// assert_eq!(Model::Exact.hashes_range(2_000, 19_187, 0.01)?, None);
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    pub fn hashes_range(
        self,
        items: u64,
        bits: u64,
        rate: f64,
    ) -> Result<Option<RangeInclusive<u8>>, MathError> {
        check_rate(rate)?;
        let best = self.best_hashes(items, bits)?;
        if !meets(self, items, bits, best, rate) {
            return Ok(None);
        }
        let first = self.fewest_hashes(items, bits, best, rate);
        let beyond = first_true(best.into(), u8::MAX.into(), best.into(), |hashes| {
            !meets(self, items, bits, hashes as u8, rate)
        });
        let last = beyond.map_or(u8::MAX, |beyond| (beyond - 1) as u8);
        Ok(Some(first..=last))
    }

    /// Returns whether the rate of `items` items in `bits` bits with `hashes` hashes is at most
    /// `rate`.
    ///
    /// The comparison uses the exact value of `rate` as a binary floating-point number: 0.01 is
    /// slightly more than 1/100, and 1e-6 slightly less than 1/10^6.
    ///
    /// # Errors
    ///
    /// `bits` must be from 1 to 2^63, `hashes` at least 1 and `0 < rate < 1`.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::math::Model;
    ///
    /// assert!(Model::Exact.meets(2_000, 19_188, 7, 0.01)?);
    /// assert!(!Model::Exact.meets(2_000, 19_187, 7, 0.01)?);
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    pub fn meets(self, items: u64, bits: u64, hashes: u8, rate: f64) -> Result<bool, MathError> {
        check_size(bits, hashes)?;
        check_rate(rate)?;
        Ok(meets(self, items, bits, hashes, rate))
    }

    /// Returns the number of hashes with the lowest rate; the search starts at `start` hashes.
    fn best_hashes_from(self, items: u64, bits: u64, start: u8) -> u8 {
        let rate = |hashes: u8| self.unchecked(items, bits, hashes.into());
        let is_higher = |hashes, than: Rate| is_surely_above(self, items, bits, hashes, than.ln());
        let mut best = start.max(1);
        let mut lowest = rate(best);
        let mut climbed = false;
        while best < u8::MAX && !is_higher(best + 1, lowest) {
            let next = rate(best + 1);
            if !is_below(next, lowest) {
                break;
            }
            (best, lowest, climbed) = (best + 1, next, true);
        }
        // A step down is also taken if the rate stays the same, so that the smallest k is found.
        while best > 1 && !climbed && !is_higher(best - 1, lowest) {
            let next = rate(best - 1);
            if is_below(lowest, next) {
                break;
            }
            (best, lowest) = (best - 1, next);
        }
        best
    }

    /// Returns the smallest number of hashes that keeps the rate. `best` is the number of hashes
    /// with the lowest rate, and keeps it.
    fn fewest_hashes(self, items: u64, bits: u64, best: u8, rate: f64) -> u8 {
        let meets = |hashes: u64| meets(self, items, bits, hashes as u8, rate);
        let fewer = u64::from(best - 1);
        if fewer == 0 || !meets(fewer) {
            return best;
        }
        first_true(1, fewer, fewer, meets).map_or(best, |hashes| hashes as u8)
    }

    /// Returns how many more bits a filter needs for a given rate under this model than under the
    /// asymptotic model, to first order in 1/m. `load` is a = k n/m. For the exact model, the
    /// number is 1/2 + (k-1)/2 × (1 - (1+a) e^-a) / (a (1 - e^-a)).
    fn extra_bits(self, load: f64, hashes: u8) -> f64 {
        match self {
            Self::Asymptotic => 0.0,
            Self::Textbook => 0.5,
            Self::Partitioned => 0.5 * f64::from(hashes),
            Self::Exact => {
                let clear = libm::exp(-load);
                let spread = (1.0 - (1.0 + load) * clear) / (load * (1.0 - clear));
                // For tiny loads, numerator and denominator lose their digits by cancellation; the
                // limit of the quotient is 1/2.
                let spread = if load < 1e-4 { 0.5 } else { spread };
                0.5 + 0.5 * f64::from(hashes - 1) * spread
            }
        }
    }

    /// Guesses the smallest number of bits, at most `u64::MAX`: the answer of the asymptotic model,
    /// m = -k n / ln(1 - p^(1/k)), plus the [extra bits](Self::extra_bits) of this model.
    fn guess_bits(self, items: u64, hashes: u8, rate: f64) -> u64 {
        let load = load_for(rate, hashes);
        let bits = throws(items, hashes.into()) / load;
        libm::ceil(bits + self.extra_bits(load, hashes)) as u64
    }

    /// Guesses the smallest number of items that exceeds the rate.
    fn guess_items(self, bits: u64, hashes: u8, rate: f64) -> u64 {
        let load = load_for(rate, hashes);
        let bits = (bits as f64 - self.extra_bits(load, hashes)).max(1.0);
        libm::ceil(bits * load / f64::from(hashes)) as u64
    }
}

/// Returns the load a = k n/m at which the asymptotic rate is `rate`: -ln(1 - p^(1/k)).
fn load_for(rate: f64, hashes: u8) -> f64 {
    -ln_one_minus_exp(-libm::log(rate) / f64::from(hashes))
}

/// Returns the number of hashes at which the search for the best number of hashes starts: -log2 p,
/// rounded and limited to the range from 1 to 255.
fn guess_hashes(rate: f64) -> u8 {
    libm::round(-libm::log2(rate)).clamp(1.0, 255.0) as u8
}
