//! Computes how much the rates of single filters with the same n, m and k differ.

use super::distribution::set_bits;
use super::error::{MathError, check_size};
use super::exact::{self, mean_power};
use super::rate::Rate;
use super::real::{ln_clear, throws};

/// The mean and the standard deviation of the rates of single filters with the same n, m and k.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Spread {
    /// The mean over filters, which is the exact rate.
    pub mean: Rate,
    /// The standard deviation between filters. It is absolute, not relative to the mean.
    pub standard_deviation: f64,
}

/// The variance is a sum over the number of clear bits if at most this many are expected to be
/// clear.
const FEW_EMPTY: f64 = 1.0;

/// A bound on the absolute error of [`exact::relative_variance`]. Where the terms that
/// [`by_series`] leaves out are smaller, the result is that of the series.
const MOMENTS_ERROR: f64 = 1e-28;

/// Returns the mean and the standard deviation of the rate (X/m)^k of a single filter.
///
/// A filter is filled once and then queried many times: its own rate is (X/m)^k, where X is the
/// number of its set bits. About half of all filters have a rate above the mean. The relative error
/// of the standard deviation is below 1e-11.
///
/// # Errors
///
/// `bits` must be from 1 to 2^63 and `hashes` at least 1.
///
/// # Examples
///
/// ```
/// let spread = bloom_core::math::spread(1_000, 10_000, 7)?;
/// let relative = spread.standard_deviation / spread.mean.value();
/// assert!((relative - 0.0387).abs() < 0.0001);
/// # Ok::<(), bloom_core::math::MathError>(())
/// ```
pub fn spread(items: u64, bits: u64, hashes: u8) -> Result<Spread, MathError> {
    check_size(bits, hashes)?;
    let throws = throws(items, hashes.into());
    let mean = mean_power(throws, bits, hashes.into());
    Ok(Spread {
        mean,
        standard_deviation: mean.value() * libm::sqrt(relative_variance(throws, bits, hashes)),
    })
}

/// Returns the variance of (X/m)^k divided by the square of its mean.
fn relative_variance(throws: f64, bits: u64, hashes: u8) -> f64 {
    let m = bits as f64;
    let clear = libm::exp(ln_clear(throws, bits));
    if let Some(chances) = set_bits(throws, bits) {
        return by_distribution(&chances, hashes);
    }
    if m * clear <= FEW_EMPTY {
        return by_empty_bits(throws, m, hashes);
    }
    let (series, left_out) = by_series(throws, m, clear, hashes);
    if left_out * series <= MOMENTS_ERROR {
        return series;
    }
    exact::relative_variance(throws, bits, hashes.into())
}

/// Computes the relative variance from the distribution of X. The method is exact.
fn by_distribution(chances: &[f64], hashes: u8) -> f64 {
    // The sums add up relative differences from the most likely rate, so that a variance far below
    // the squared mean stays accurate.
    let more_likely = |best, x| if chances[x] > chances[best] { x } else { best };
    let mode = (1..chances.len()).fold(1, more_likely);
    let (mut first, mut second) = (0.0, 0.0);
    for (x, chance) in chances.iter().enumerate().skip(1) {
        let ratio = libm::pow(x as f64 / mode as f64, f64::from(hashes));
        first += chance * (ratio - 1.0);
        second += chance * (ratio - 1.0) * (ratio - 1.0);
    }
    (second - first * first) / ((1.0 + first) * (1.0 + first))
}

/// Computes the relative variance as a sum over the number Y of clear bits. It is used for filters
/// of m bits that after N throws are expected to have at most one clear bit. C are binomial
/// coefficients.
///
/// ```text
/// P(Y = y) = sum over j >= y of (-1)^(j-y) C(j, y) C(m, j) (1 - j/m)^N
/// ```
fn by_empty_bits(throws: f64, m: f64, hashes: u8) -> f64 {
    const MAX: usize = 24;
    // C(m, j) (1 - j/m)^N for each j, computed from the value for j - 1, because the binomial
    // coefficient may overflow.
    let mut subsets = [0.0; MAX];
    let mut subset = 1.0;
    for (j, value) in subsets.iter_mut().enumerate() {
        *value = subset;
        let rest = m - j as f64;
        if rest <= 1.0 {
            break;
        }
        subset *= rest / (j as f64 + 1.0) * libm::exp(throws * libm::log1p(-1.0 / rest));
    }
    let (mut first, mut second) = (0.0, 0.0);
    for y in 1..MAX {
        let mut chance = 0.0;
        let mut choose = 1.0;
        for (j, subset) in subsets.iter().enumerate().skip(y) {
            chance += choose * subset;
            choose *= -(j as f64 + 1.0) / ((j + 1 - y) as f64);
        }
        let share = (y as f64 / m).min(1.0);
        let missing = -libm::expm1(f64::from(hashes) * libm::log1p(-share));
        first += chance * missing;
        second += chance * missing * missing;
    }
    (second - first * first) / ((1.0 - first) * (1.0 - first))
}

/// Returns the relative variance to second order in 1/m, and the relative size of the terms of
/// third order, which are left out.
///
/// ```text
/// k^2 s2 (1 + (k-1) s3/s2 + (k^2/2 - 3k + 5/2) s2),  s2 = Var X / (E X)^2,  s3 = k3(X) / (E X)^3
/// Var X = m (z1 - z2) - m^2 (z1^2 - z2),  zj = (1 - j/m)^N
/// ```
///
/// after N throws, with k3 the third cumulant. The formula expresses the cumulants of ln X by the
/// cumulants of X, and is exact for k = 1.
fn by_series(throws: f64, m: f64, clear: f64, hashes: u8) -> (f64, f64) {
    let load = throws / m;
    let mean = -m * libm::expm1(throws * libm::log1p(-1.0 / m));
    let variance = if load < 1e-4 {
        // Hardly any two throws set the same bit. With a = N/m, the variance is the expected number
        // of pairs of throws that set the same bit, times e^(-2a) × (e^a - 1 - a) / (a^2/2), with a
        // correction of the first order in 1/m.
        let series = 1.0 + load / 3.0 * (1.0 + load / 4.0 * (1.0 + load / 5.0));
        let pairs = throws * (throws - 1.0) / (2.0 * m);
        pairs * libm::exp(-2.0 * load) * series * (1.0 + 7.0 / (3.0 * m))
    } else {
        let rest = m - 1.0;
        let single = -libm::expm1(throws * libm::log1p(-1.0 / rest));
        let pair = -libm::expm1(throws * libm::log1p(-1.0 / rest / rest));
        m * clear * (single - m * clear * pair)
    };
    // k3(X) / Var X, which is near -1 if nearly no bit is set.
    let third = if load < 1e-4 {
        -1.0
    } else {
        third_cumulant(load) * m / variance
    };
    let k = f64::from(hashes);
    let second = variance / (mean * mean);
    let order = (k - 1.0) * third / mean + (k * k / 2.0 - 3.0 * k + 2.5) * second;
    let left_out = (k - 1.0) * (k * k * second + k / mean) * (k * second + 1.0 / mean);
    (k * k * second * (1.0 + order), left_out)
}

/// Returns the third cumulant of the number of set bits, divided by m, in the limit of large m.
/// `load` is a = k n/m.
///
/// ```text
/// -(q (1 - q)(1 - 2q) - 3 a q^2 (1 - 2q) + a^2 q^3 (3 - 2/a)),  q = e^-a
/// ```
pub(super) fn third_cumulant(load: f64) -> f64 {
    let q = libm::exp(-load);
    -(q * (1.0 - q) * (1.0 - 2.0 * q) - 3.0 * load * q * q * (1.0 - 2.0 * q)
        + q * q * q * (3.0 * load * load - 2.0 * load))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values were computed from the factorial moments of X in 400 digits.
    #[test]
    fn the_spread_keeps_its_digits_if_throws_hardly_collide_and_in_the_largest_filters() {
        for (items, bits, hashes, expected) in [
            (1_500, 20_000_000, 1, 1.580_572_233_577_541_5e-4),
            (2_000, 100_000_000, 1, 7.069_252_742_427_296e-5),
            (10_737, 1 << 30, 1, 2.157_810_960_484_992_5e-5),
            (100_000, 1_000_000_000_000, 1, 7.071_032_220_741_661e-7),
            (
                1_000_000_000_000_000_000,
                1 << 62,
                2,
                5.669_712_051_893_154e-10,
            ),
            (1 << 61, 1 << 62, 3, 5.648_318_293_111_204e-10),
            (
                6_588_122_883_467_697_005,
                1 << 62,
                7,
                2.195_871_954_885_882_7e-11,
            ),
        ] {
            let spread = spread(items, bits, hashes).unwrap();
            let got = spread.standard_deviation / spread.mean.value();
            assert!((got / expected - 1.0).abs() < 1e-11, "{items}: {got}");
        }
    }

    #[test]
    fn filters_without_items_or_of_one_bit_do_not_differ() {
        for (items, bits) in [(0, 1), (0, 1 << 63), (1, 1), (1_000, 1), (u64::MAX, 1)] {
            let spread = spread(items, bits, 3).unwrap();
            assert_eq!(spread.standard_deviation.to_bits(), 0, "{items} {bits}");
        }
    }
}
