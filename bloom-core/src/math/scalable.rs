//! Computes the sizes of a scalable filter. It is a list of filters, its stages, to which another
//! stage is added when the last one is full. The module computes the items, rate, bits and hashes
//! of each stage, and the compound rate of all stages.
//!
//! Stage i, counted from 0, takes n0 s^i items at the rate P_i, where n0 is the number of items of
//! the first stage and s the growth factor. The scalable filter finds an item if any stage finds
//! it. With the requested rate P and the tightening ratio r,
//!
//! ```text
//! P_i = P (1 - r) r^i,  compound rate = 1 - product of (1 - P_i) <= sum of P_i < P
//! ```
//!
//! So the compound rate is below P for any number of stages, as long as each stage keeps its share
//! P_i. The product assumes that the false positives of the stages are independent; the bound by
//! the sum of the P_i holds in any case. Source: Almeida, Baquero, Preguiça and Hutchison (2007),
//! *Scalable Bloom filters*.

use alloc::vec::Vec;

use super::Model;
use super::error::{MathError, check_items, check_rate};

/// How a scalable filter grows: the four parameters of Almeida et al. (2007).
///
/// # Examples
///
/// ```
/// use bloom_core::math::Model;
/// use bloom_core::math::scalable::Growth;
///
/// let growth = Growth { items: 1_000, rate: 0.01, growth: 2, tightening: 0.5 };
/// growth.check()?;
/// assert_eq!((growth.stage_items(3), growth.capacity(4)), (Some(8_000), Some(15_000)));
/// assert_eq!(growth.stages(15_000)?, 4);
/// // The first stage gets half of the requested rate, the second a quarter.
/// assert_eq!((growth.stage_rate(0), growth.stage_rate(1)), (0.005, 0.0025));
/// assert!(growth.full_rate(4) < 0.01);
/// let stage = growth.stage(Model::Exact, 3)?;
/// assert_eq!((stage.bits, stage.hashes), Model::Exact.min_size(8_000, growth.stage_rate(3))?);
/// // With whole numbers of hashes, a filter needs a little more than the ideal number of bits.
/// assert!(growth.ideal_bits(1) < growth.stage(Model::Exact, 0)?.bits as f64);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// Expected items n0 of the first stage, at least 1.
    pub items: u64,
    /// The upper bound P on the compound rate of all stages, between 0 and 1 (exclusive).
    pub rate: f64,
    /// The growth factor s, at least 1: the expected items of a stage divided by the expected items
    /// of the previous stage.
    pub growth: u32,
    /// The tightening ratio r, between 0 and 1 (exclusive): the rate of a stage divided by the rate
    /// of the previous stage.
    pub tightening: f64,
}

/// The size of one stage of a scalable filter.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct StageSize {
    /// The expected number of items.
    pub items: u64,
    /// The rate that the stage is sized for.
    pub rate: f64,
    /// The number of bits.
    pub bits: u64,
    /// The number of hashes.
    pub hashes: u8,
}

impl Growth {
    /// Checks that every field is in the range that its documentation gives.
    ///
    /// # Errors
    ///
    /// Names the first field that is outside its range.
    pub fn check(&self) -> Result<(), MathError> {
        check_items(self.items)?;
        check_rate(self.rate)?;
        if self.growth == 0 {
            return Err(MathError::NoGrowth);
        }
        if !(self.tightening > 0.0 && self.tightening < 1.0) {
            return Err(MathError::TighteningOutOfRange(self.tightening));
        }
        Ok(())
    }

    /// Returns the items of stage i, counted from 0: n0 s^i; `None` beyond the range of `u64`, and for a growth of 0.
    #[must_use]
    pub fn stage_items(&self, stage: u32) -> Option<u64> {
        let growth = Some(u64::from(self.growth)).filter(|growth| *growth > 0)?;
        growth.checked_pow(stage)?.checked_mul(self.items)
    }

    /// Returns the rate of stage i, counted from 0: P (1 - r) r^i.
    #[must_use]
    pub fn stage_rate(&self, stage: u32) -> f64 {
        self.rate * (1.0 - self.tightening) * libm::pow(self.tightening, f64::from(stage))
    }

    /// Returns the total expected items of this many stages; `None` beyond the range of `u64`, and
    /// for one or more stages with a growth of 0.
    #[must_use]
    pub fn capacity(&self, stages: u32) -> Option<u64> {
        if self.growth == 1 {
            return self.items.checked_mul(stages.into());
        }
        // The sum overflows after at most 64 stages.
        let mut sum = 0_u64;
        for stage in 0..stages {
            sum = sum.checked_add(self.stage_items(stage)?)?;
        }
        Some(sum)
    }

    /// Returns the smallest number of stages, at least 1, whose expected items together are at
    /// least `items`.
    ///
    /// A [`ScalableBloomFilter`](crate::ScalableBloomFilter) may add a stage before the last one
    /// has its expected items, and so may need more stages.
    ///
    /// # Errors
    ///
    /// Every field must be in its range, as for [`Self::check`]. With a growth of 1, there must be
    /// at most 2^32 - 1 stages.
    pub fn stages(&self, items: u64) -> Result<u32, MathError> {
        self.check()?;
        if self.growth == 1 {
            let stages = items.div_ceil(self.items).max(1);
            return u32::try_from(stages).map_err(|_| MathError::StagesOutOfRange(stages));
        }
        let holds = |stages: &u32| self.capacity(*stages).is_none_or(|held| held >= items);
        Ok((1..u64::BITS).find(holds).unwrap_or(u64::BITS))
    }

    /// Returns the size of the stage with this number, counted from 0, under `model`.
    ///
    /// # Errors
    ///
    /// Every field must be in its range, as for [`Self::check`]. The stage must have at most 2^63
    /// bits, its items must fit in a `u64`, and its rate must be an `f64` above 0.
    pub fn stage(&self, model: Model, stage: u32) -> Result<StageSize, MathError> {
        self.check()?;
        let items = self
            .stage_items(stage)
            .ok_or(MathError::TooManyStages(stage.saturating_add(1)))?;
        let rate = self.stage_rate(stage);
        if rate == 0.0 {
            let (rate, tightening) = (self.rate, self.tightening);
            return Err(MathError::StageRateTooLow {
                stage,
                rate,
                tightening,
            });
        }
        let (bits, hashes) = model.min_size(items, rate)?;
        Ok(StageSize {
            items,
            rate,
            bits,
            hashes,
        })
    }

    /// Returns the sizes of all stages that a filter needs for `items` items, under `model`.
    ///
    /// # Errors
    ///
    /// As for [`Self::stages`] and [`Self::stage`]; the list must also fit in memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::math::Model;
    /// use bloom_core::math::scalable::Growth;
    ///
    /// let growth = Growth { items: 1_000, rate: 0.01, growth: 2, tightening: 0.85 };
    /// let stages = growth.all_stages(Model::Exact, 1_000_000)?;
    /// assert_eq!(stages.len(), 10);
    /// let bits: u64 = stages.iter().map(|stage| stage.bits).sum();
    /// // The stages have less than 17 bits per item. A single filter for a million items at 1 % has 9.59.
    /// assert!(bits / 1_000_000 < 17);
    /// # Ok::<(), bloom_core::math::MathError>(())
    /// ```
    pub fn all_stages(&self, model: Model, items: u64) -> Result<Vec<StageSize>, MathError> {
        let stages = self.stages(items)?;
        let mut all = Vec::new();
        all.try_reserve_exact(stages as usize)
            .map_err(|_| MathError::StagesDoNotFit(stages))?;
        for stage in 0..stages {
            all.push(self.stage(model, stage)?);
        }
        Ok(all)
    }

    /// Returns the real number of bits that so many stages would need with ideal real numbers of
    /// hashes: the sum over the stages of n_i log2(1/P_i) / ln 2, where n_i is the expected items
    /// of stage i. The result is infinite beyond the range of `f64`, and NaN for a growth of 0.
    #[must_use]
    pub fn ideal_bits(&self, stages: u32) -> f64 {
        let (first, count) = (self.items as f64, f64::from(stages));
        let ln_first = libm::log(self.stage_rate(0));
        let ln_step = libm::log(self.tightening);
        let nats = if self.growth == 0 {
            f64::NAN
        } else if self.growth == 1 {
            0.0 - first * (count * ln_first + count * (count - 1.0) / 2.0 * ln_step)
        } else {
            let (mut sum, mut items) = (0.0, first);
            // The sum is infinite after at most 1024 stages.
            for stage in 0..stages {
                if sum == f64::INFINITY {
                    break;
                }
                sum -= items * (ln_first + f64::from(stage) * ln_step);
                items *= f64::from(self.growth);
            }
            sum
        };
        nats / (core::f64::consts::LN_2 * core::f64::consts::LN_2)
    }

    /// Returns the compound rate of l = `stages` stages that all have their expected items. Apart
    /// from rounding, it is below the requested rate. The code sums this series in j:
    ///
    /// ```text
    /// sum over i < l of ln(1 - P_i) = - sum over j >= 1 of (P_0^j / j) * (1 - r^(j l)) / (1 - r^j)
    /// ```
    #[must_use]
    pub fn full_rate(&self, stages: u32) -> f64 {
        const SMALL: f64 = 0.25;
        // The series converges quickly for rates up to 1/4. Only the first stage can have a higher
        // rate: that of the second is P (1 - r) r, and (1 - r) r is at most 1/4.
        let mut large = 0;
        let mut ln_none = 0.0;
        while large < stages && self.stage_rate(large) > SMALL {
            ln_none += libm::log1p(-self.stage_rate(large));
            large += 1;
        }
        let (rate, ln_step) = (self.stage_rate(large), libm::log(self.tightening));
        let count = f64::from(stages - large);
        let mut power = 1.0;
        // For rates up to 1/4, the term with j = 28 is below the last digit of the term with j = 1.
        for j in (1..28).map(f64::from) {
            power *= rate;
            let sum = libm::expm1(j * count * ln_step) / libm::expm1(j * ln_step);
            ln_none -= power / j * sum;
        }
        // The subtraction returns 0 for no stages, and not -0.
        0.0 - libm::expm1(ln_none)
    }
}

/// Returns the probability that at least one of several filters with the rates p_i reports an
/// absent item.
///
/// ```text
/// 1 - product of (1 - p_i)
/// ```
///
/// The formula is exact for filters whose false positives are independent. Those of the stages of a
/// scalable filter are not: all stages use the same hash of an item, and each stage holds only
/// items that the older stages do not find. The false positives of the stages therefore exclude one
/// another to some degree, and the true rate is between this result and the sum of the rates.
///
/// # Examples
///
/// ```
/// use bloom_core::math::scalable::{compound_rate, same_rate_compound};
///
/// assert_eq!(format!("{:.4}", compound_rate([0.01, 0.02])), "0.0298");
/// assert_eq!(format!("{:.4}", same_rate_compound(0.01, 10)), "0.0956");
/// ```
#[must_use]
pub fn compound_rate(rates: impl IntoIterator<Item = f64>) -> f64 {
    let ln_none: f64 = rates.into_iter().map(|rate| libm::log1p(-rate)).sum();
    -libm::expm1(ln_none)
}

/// Returns the [`compound_rate`] of l = `stages` filters that all have the same rate P = `rate`. It
/// is 1 - (1 - P)^l, and rises towards 1 as l grows.
#[must_use]
pub fn same_rate_compound(rate: f64, stages: u32) -> f64 {
    if stages == 0 {
        return 0.0;
    }
    -libm::expm1(f64::from(stages) * libm::log1p(-rate))
}
