//! Computes the share of filters of one size whose rate is above a given rate.

use core::f64::consts::{FRAC_1_SQRT_2, PI};

use super::distribution::set_bits;
use super::error::{MathError, check_rate, check_size};
use super::real::{ln_clear, throws};
use super::spread::third_cumulant;

/// Returns the share of single filters of this size whose own rate (X/m)^k is above `rate`.
///
/// ```text
/// P(X > x),  x = the most set bits with (x/m)^k <= p
/// ```
///
/// with X the number of set bits. The share is exact where min(k n, m) k n is at most 2e6. Beyond
/// that, X is taken to have a normal distribution with the exact mean, the variance and the
/// skewness of X (Edgeworth's first term). If few throws land on a set bit, or few bits are left
/// clear, the number of these throws or bits is taken to have a binomial distribution with the same
/// mean and variance instead. The error is less than 2e-4 at loads k n/m up to 2 and less than 5e-4
/// at higher loads.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63, `hashes` at least 1 and `0 < rate < 1`.
///
/// # Examples
///
/// ```
/// // About half of all filters that are sized exactly for 1 % have a higher rate.
/// let share = bloom_core::math::share_above(2_000, 19_188, 7, 0.01)?;
/// assert!(share > 0.45 && share < 0.55);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn share_above(items: u64, bits: u64, hashes: u8, rate: f64) -> Result<f64, MathError> {
    check_size(bits, hashes)?;
    check_rate(rate)?;
    if items == 0 {
        return Ok(0.0);
    }
    let most = most_set_bits(bits, hashes, rate);
    if most >= bits {
        return Ok(0.0);
    }
    let throws = throws(items, hashes.into());
    if let Some(chances) = set_bits(throws, bits) {
        return Ok(beyond(&chances, most));
    }
    Ok(approximately(throws, bits, most))
}

/// Returns the maximum number of set bits whose rate is at most `rate`.
fn most_set_bits(bits: u64, hashes: u8, rate: f64) -> u64 {
    let m = bits as f64;
    let within = |ones: u64| libm::pow(ones as f64 / m, f64::from(hashes)) <= rate * (1.0 + 4e-16);
    let mut ones = (m * libm::exp(libm::log(rate) / f64::from(hashes))) as u64;
    // Rounding may put the root a few bits off, and the loop corrects it. Above 2^50 bits, a small
    // error may remain, which does not matter.
    for _ in 0..4 {
        if ones < bits && within(ones + 1) {
            ones += 1;
        } else if ones > 0 && !within(ones) {
            ones -= 1;
        }
    }
    ones
}

/// Returns P(X > most) as a sum over the distribution of X.
fn beyond(chances: &[f64], most: u64) -> f64 {
    let (within, beyond) = chances.split_at(chances.len().min(most as usize + 1));
    by_the_smaller(beyond.iter().sum(), within.iter().sum())
}

/// Approximates P(X > most) where computing the distribution of X would take too long.
fn approximately(throws: f64, bits: u64, most: u64) -> f64 {
    // Hardly any filter has a clear bit, however many bits there are: e^-60 times 2^63 bits is less
    // than 1e-7 bits.
    if throws / bits as f64 > 60.0 {
        return 1.0;
    }
    let missing = Missing::of(throws, bits, most);
    if missing.bound < 0.21 && missing.mean < 500.0 {
        missing.at_most()
    } else {
        by_normal(throws, bits as f64, most as f64)
    }
}

/// The distance of X from its maximum: at small loads k n - X, the throws that land on a set bit;
/// at large loads m - X, the clear bits.
struct Missing {
    mean: f64,
    /// 1 - variance/mean of the number of these throws or bits: 0 if they are independent.
    bound: f64,
    /// X is above the requested number of set bits if at most this many throws or bits are missing.
    allowed: f64,
}

impl Missing {
    fn of(throws: f64, bits: u64, most: u64) -> Self {
        let m = bits as f64;
        let load = throws / m;
        let ln_clear = ln_clear(throws, bits);
        if load > 1.0 {
            return Self {
                mean: m * libm::exp(ln_clear),
                bound: (1.0 + load) * libm::exp(-load),
                allowed: (bits - most) as f64 - 1.0,
            };
        }
        // At small loads the differences cancel, so the colliding pairs of throws are counted
        // instead.
        let (mean, bound) = if load < 1e-3 {
            let pairs = throws * (throws - 1.0) / (2.0 * m);
            (pairs * (1.0 - load / 3.0), load * 4.0 / 3.0)
        } else {
            let variance = libm::exp(-2.0 * load) * (libm::expm1(load) - load);
            let bound = 1.0 - variance / (libm::expm1(-load) + load);
            (throws + m * libm::expm1(ln_clear), bound)
        };
        Self {
            mean,
            bound,
            allowed: throws - most as f64 - 1.0,
        }
    }

    /// Returns the binomial probability that at most `allowed` throws or bits are missing.
    fn at_most(&self) -> f64 {
        let trials = self.mean / self.bound;
        let odds = self.bound / (1.0 - self.bound);
        let mut chance = libm::exp(trials * libm::log1p(-self.bound));
        let (mut within, mut beyond, mut count) = (0.0, 0.0, 0.0);
        while count < self.mean || chance > 1e-18 {
            if count <= self.allowed {
                within += chance;
            } else {
                beyond += chance;
            }
            chance *= (trials - count) / (count + 1.0) * odds;
            count += 1.0;
        }
        by_the_smaller(within, beyond)
    }
}

/// Returns the first of two probabilities that sum to 1. The result follows from the smaller of the
/// two, which is more accurate, so that certainty is exactly 1.
fn by_the_smaller(one: f64, other: f64) -> f64 {
    if one < other { one } else { 1.0 - other }
}

/// Approximates P(X > most) by the tail of a normal distribution, corrected for skewness and,
/// because X is an integer, for continuity.
///
/// With q = e^-a and a = k n/m, the variance per bit is q (1 - (1 + a) q).
fn by_normal(throws: f64, m: f64, most: f64) -> f64 {
    let load = throws / m;
    let q = libm::exp(-load);
    // q (1 - q - a q). At small loads its parts cancel, and the variance is near a^2/2.
    let per_bit = if load < 1e-3 {
        q * q * load * load / 2.0 * (1.0 + load / 3.0)
    } else {
        q * q * (libm::expm1(load) - load)
    };
    let deviation = libm::sqrt(m * per_bit);
    let mean = -m * libm::expm1(ln_clear(throws, m as u64));
    let z = (most + 0.5 - mean) / deviation;
    // The skewness of the colliding pairs of throws, which are nearly independent.
    let skewness = if load < 1e-3 {
        -1.0 / deviation
    } else {
        m * third_cumulant(load) / (deviation * deviation * deviation)
    };
    let density = libm::exp(-z * z / 2.0) / libm::sqrt(2.0 * PI);
    let tail = 0.5 * libm::erfc(z * FRAC_1_SQRT_2);
    if density == 0.0 {
        // z^2 may be infinite here, and infinity times a density of 0 would be NaN.
        return tail;
    }
    let above = tail + density * skewness * (z * z - 1.0) / 6.0;
    above.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use core::fmt::Debug;

    use super::*;

    #[track_caller]
    fn assert_near(got: f64, expected: f64, bound: f64, what: impl Debug) {
        let off = (got - expected).abs();
        assert!(off < bound, "{what:?}: {got}, not {expected}");
    }

    #[test]
    fn the_normal_tail_is_the_exact_one_within_2_parts_in_10_000() {
        for (n, m, k) in [(140_u64, 1_400_u64, 7_u8), (300, 1_500, 3), (90, 3_000, 10)] {
            let throws = throws(n, k.into());
            let mean = m as f64 * -libm::expm1(ln_clear(throws, m));
            let chances = set_bits(throws, m).unwrap();
            for off in -40..=40 {
                let most = (mean + f64::from(off)) as u64;
                let exact = beyond(&chances, most);
                let normal = by_normal(throws, m as f64, most as f64);
                assert_near(normal, exact, 2e-4, (n, m, k, off));
            }
        }
    }

    #[test]
    fn where_the_approximation_takes_over_it_is_near_the_exact_share_at_every_load() {
        for load in [
            1e-6, 1e-4, 9.9e-4, 1.01e-3, 0.01, 0.1, 0.17, 0.19, 0.3, 1.0, 1.01, 2.0, 2.9, 3.0, 4.0,
            6.0, 9.0, 14.0,
        ] {
            // min(N, m) N is slightly below 2e6, up to which `set_bits` has the exact distribution.
            let throws = libm::floor(1_410.0 * libm::sqrt(f64::max(load, 1.0)));
            let bits = libm::ceil(throws / load) as u64;
            let chances = set_bits(throws, bits).unwrap();
            let bound = if load > 2.0 { 5e-4 } else { 2e-4 };
            let mut exact = 0.0;
            for (most, chance) in chances.iter().enumerate().rev() {
                let got = approximately(throws, bits, most as u64);
                assert_near(got, exact, bound, (load, most));
                exact += chance;
            }
        }
    }

    #[test]
    fn the_normal_tail_and_the_binomial_one_agree_where_little_is_missing() {
        // 420 to 450 throws or bits are missing, slightly below the 500 up to which the binomial is
        // used.
        for load in [1e-7, 1e-5, 9e-4, 1.1e-3, 0.01, 8.0] {
            let throws = libm::round(if load < 1.0 { 900.0 / load } else { 1e7 });
            let bits = libm::round(throws / load) as u64;
            let mean = bits as f64 * -libm::expm1(ln_clear(throws, bits));
            for off in [-60.0, -30.0, -10.0, 0.0, 10.0, 30.0, 60.0] {
                let most = (mean + off) as u64;
                let binomial = Missing::of(throws, bits, most).at_most();
                let normal = by_normal(throws, bits as f64, most as f64);
                assert_near(normal, binomial, 1e-4, (load, off));
            }
        }
    }

    #[test]
    fn set_bits_are_recovered_from_their_rate() {
        for (bits, hashes) in [(1_000, 1_u8), (64, 2), (1_000, 7), (97, 40), (5_000, 255)] {
            for ones in (1..bits).step_by(7) {
                let rate = libm::pow(ones as f64 / bits as f64, hashes.into());
                if rate < f64::MIN_POSITIVE {
                    continue;
                }
                assert_eq!(most_set_bits(bits, hashes, rate), ones);
                assert_eq!(most_set_bits(bits, hashes, rate * (1.0 - 1e-14)), ones - 1);
            }
        }
    }

    #[test]
    fn the_share_is_a_number_however_full_or_empty_filters_are() {
        for (n, m, k) in [
            (1_000_000_000_000_000, 1 << 38, 7),
            (1_000_000_000_000_000_000, 64, 255),
            (1_000_000_000, 1 << 62, 1),
            (u64::MAX, 1 << 63, 255),
        ] {
            for rate in [f64::MIN_POSITIVE, 1e-300, 0.01, 0.5, 1.0 - f64::EPSILON] {
                let share = share_above(n, m, k, rate).unwrap();
                assert!((0.0..=1.0).contains(&share), "{n} {m} {k} {rate}: {share}");
            }
        }
        assert_eq!(share_above(1 << 60, 1 << 38, 7, 0.5), Ok(1.0));
    }

    #[test]
    fn a_share_within_a_rounding_error_of_1_is_1() {
        // The first share follows from the exact distribution of X. The other shares follow from a
        // binomial distribution: of clear bits in the second and fourth case, of throws on set bits
        // in the third case.
        for (n, m, k) in [
            (40, 100, 3),
            (2_000, 4_000, 7),
            (2_000, 1 << 40, 1),
            (9_000, 3_000, 1),
        ] {
            assert_eq!(share_above(n, m, k, 1e-200), Ok(1.0), "{n} {m} {k}");
        }
        assert_eq!(share_above(2_000, 4_000, 7, 0.5), Ok(1.0));
    }

    #[test]
    fn the_share_agrees_with_a_case_worked_by_hand() {
        // Two throws into two bits: half of the filters have one bit set, the other half both.
        assert_eq!(share_above(2, 2, 1, 0.5), Ok(0.5));
        assert_eq!(share_above(2, 2, 1, 0.49), Ok(1.0));
        assert_eq!(share_above(2, 2, 1, 0.99), Ok(0.5));
        assert_eq!(share_above(0, 2, 1, 0.01), Ok(0.0));
    }
}
