//! Computes the share of filters with given n, m and k whose own rate is above a given rate.

use core::f64::consts::{FRAC_1_SQRT_2, PI};

use super::distribution::set_bits;
use super::error::{MathError, check_rate, check_size};
use super::real::{ln_clear, throws};
use super::spread::third_cumulant;

/// Returns the share of filters with n = `items`, m = `bits` and k = `hashes` whose own rate
/// (X/m)^k is above p = `rate`.
///
/// ```text
/// P(X > x),  x = the most set bits with (x/m)^k <= p
/// ```
///
/// with X the number of bits set by k n uniform throws. The share is exact if k n × min(k n, m) is
/// at most 2e6. Otherwise the distribution of X is approximated in one of two ways:
///
/// - If few throws land on a set bit, the number of these throws is taken to be binomial. If few
///   bits are left clear, the number of clear bits is taken to be binomial.
///
/// - Otherwise X is taken to be normal, with a correction for its skewness (Edgeworth's first
///   term).
///
/// The error of the share is less than 2e-4 if k n/m is at most 2, and otherwise less than 5e-4.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63, `hashes` at least 1 and `0 < rate < 1`.
///
/// # Examples
///
/// ```
/// // 19,188 bits are the fewest with a mean rate of at most 1 %: about half of the filters are above 1 %.
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

/// Returns the maximum number of set bits at which the rate of a filter is at most `rate`.
fn most_set_bits(bits: u64, hashes: u8, rate: f64) -> u64 {
    let m = bits as f64;
    let within = |ones: u64| libm::pow(ones as f64 / m, f64::from(hashes)) <= rate * (1.0 + 4e-16);
    let mut ones = (m * libm::exp(libm::log(rate) / f64::from(hashes))) as u64;
    // Rounding may put this number a few bits off, and the loop corrects it. Above 2^50 bits, a
    // relative error of about 1e-15 may remain.
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

/// Approximates P(X > most) if computing the distribution of X would take too long.
fn approximately(throws: f64, bits: u64, most: u64) -> f64 {
    // With more than 60 throws per bit, hardly any filter has a clear bit: even of 2^63 bits, fewer
    // than 2^63 × e^-60 = 8e-8 are expected to be clear.
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

/// The distance of X from its maximum. If k n/m is at most 1, it is k n - X, the number of throws
/// that land on a set bit; otherwise it is m - X, the number of clear bits.
struct Missing {
    mean: f64,
    /// 1 - variance/mean of the distance. It is 0 for a Poisson distribution.
    bound: f64,
    /// X is above the given number of set bits exactly if the distance is at most this number.
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
        // At small loads, the differences in the formulas below cancel. So the result follows from
        // the expected number of pairs of throws that set the same bit.
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

    /// Returns the binomial probability that the distance is at most `allowed`.
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

/// Returns `one`, where `one` and `other` are probabilities that sum to 1 except for rounding. If
/// `other` is the smaller one, the result is 1 - `other`, which is more accurate than `one`, and
/// exactly 1 for a sure event.
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
    // q (1 - q - a q) = q^2 (e^a - 1 - a), which is near a^2/2 at small loads. There the difference
    // e^a - 1 - a would lose its digits, so the code uses the first terms of its series.
    let per_bit = if load < 1e-3 {
        q * q * load * load / 2.0 * (1.0 + load / 3.0)
    } else {
        q * q * (libm::expm1(load) - load)
    };
    let deviation = libm::sqrt(m * per_bit);
    let mean = -m * libm::expm1(ln_clear(throws, m as u64));
    let z = (most + 0.5 - mean) / deviation;
    // At small loads, k n - X is nearly Poisson, because hardly any two throws set the same bit. So
    // the skewness of X is -1/deviation.
    let skewness = if load < 1e-3 {
        -1.0 / deviation
    } else {
        m * third_cumulant(load) / (deviation * deviation * deviation)
    };
    let density = libm::exp(-z * z / 2.0) / libm::sqrt(2.0 * PI);
    let tail = 0.5 * libm::erfc(z * FRAC_1_SQRT_2);
    if density == 0.0 {
        // Here z^2 may be infinite, and its product with a density of 0 would be NaN.
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
        // The expected distance of X from its maximum is 419 to 450, slightly below the 500 up to
        // which the binomial distribution is used.
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
