//! How many filters of one size are above a rate.

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
/// Exact where min(k n, m) k n is at most 10^6; beyond, the normal distribution of X with its exact
/// mean, its variance and its skewness (Edgeworth's first term), off by less than 2e-4.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63, `hashes` at least 1 and `0 < rate < 1`.
///
/// # Examples
///
/// ```
/// // Sized exactly for 1 %, about half of all filters are above it.
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
    Ok(by_normal(throws, bits as f64, most as f64))
}

/// Returns the most set bits whose rate is at most `rate`.
fn most_set_bits(bits: u64, hashes: u8, rate: f64) -> u64 {
    let m = bits as f64;
    let within = |ones: u64| libm::pow(ones as f64 / m, f64::from(hashes)) <= rate * (1.0 + 4e-16);
    let mut ones = (m * libm::exp(libm::log(rate) / f64::from(hashes))) as u64;
    // The root is off by a few last digits at most; above 2^50 bits that is no matter.
    for _ in 0..4 {
        if ones < bits && within(ones + 1) {
            ones += 1;
        } else if ones > 0 && !within(ones) {
            ones -= 1;
        }
    }
    ones
}

/// Sums P(X > most).
fn beyond(chances: &[f64], most: u64) -> f64 {
    let beyond = chances.iter().skip(most as usize + 1);
    beyond.sum::<f64>().min(1.0)
}

/// The normal tail with the correction for skewness, X being whole.
///
/// With q = e^-a and a = k n/m, the variance per bit is q (1 - (1 + a) q).
fn by_normal(throws: f64, m: f64, most: f64) -> f64 {
    let load = throws / m;
    let clear = libm::exp(ln_clear(throws, m as u64));
    let q = libm::exp(-load);
    // No bit is left clear, however many there are: e^-60 of 2^63 bits is less than one in 10^7.
    if load > 60.0 {
        return 1.0;
    }
    // q (1 - q - a q), whose parts cancel for small loads: a^2/2 then.
    let per_bit = if load < 1e-3 {
        q * q * load * load / 2.0 * (1.0 + load / 3.0)
    } else {
        q * q * (libm::expm1(load) - load)
    };
    let third = third_cumulant(load);
    let deviation = libm::sqrt(m * per_bit);
    let mean = m - m * clear;
    let z = (most + 0.5 - mean) / deviation;
    let skewness = if load < 1e-3 {
        0.0
    } else {
        m * third / (deviation * deviation * deviation)
    };
    let density = libm::exp(-z * z / 2.0) / libm::sqrt(2.0 * PI);
    let tail = 0.5 * libm::erfc(z * FRAC_1_SQRT_2);
    if density == 0.0 {
        // So far out that z^2 may be infinite.
        return tail;
    }
    let above = tail + density * skewness * (z * z - 1.0) / 6.0;
    above.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

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
                assert!(
                    (exact - normal).abs() < 2e-4,
                    "{n} {m} {k} {off}: {exact} {normal}"
                );
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
    fn the_share_is_that_of_the_distribution_in_a_case_worked_by_hand() {
        // Two throws at two bits: one bit set in half of the filters, both in the other half.
        assert_eq!(share_above(2, 2, 1, 0.5), Ok(0.5));
        assert_eq!(share_above(2, 2, 1, 0.49), Ok(1.0));
        assert_eq!(share_above(2, 2, 1, 0.99), Ok(0.5));
        assert_eq!(share_above(0, 2, 1, 0.01), Ok(0.0));
    }
}
