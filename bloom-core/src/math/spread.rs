//! How much single filters of one size differ in their rate.

use super::distribution::set_bits;
use super::error::{MathError, check_size};
use super::exact::{self, mean_power};
use super::rate::Rate;
use super::real::{ln_clear, throws};

/// The rate of a filter taken at random among all of one size and load: mean and spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The mean over filters: the exact rate.
    pub mean: Rate,
    /// The standard deviation between filters, in the unit of the rate.
    pub standard_deviation: f64,
}

/// The series for the empty bits is used up to this expected number of them.
const FEW_EMPTY: f64 = 1.0;

/// Absolute error of the relative variance by the two moments.
const MOMENTS_ERROR: f64 = 1e-28;

/// Returns the mean and the standard deviation of the rate (X/m)^k of a single filter.
///
/// A filter is filled once and then asked many times: its own rate is (X/m)^k with the X bits it
/// happens to have set. About half of all filters are above the mean. Relative error of the
/// standard deviation: below 1e-11.
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
    let standard_deviation = if items == 0 || bits == 1 {
        0.0
    } else {
        mean.value() * libm::sqrt(relative_variance(throws, bits, hashes))
    };
    Ok(Spread {
        mean,
        standard_deviation,
    })
}

/// Returns the variance of (X/m)^k over its squared mean.
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

/// Sums over the distribution of X: exact, all terms positive.
fn by_distribution(chances: &[f64], hashes: u8) -> f64 {
    // Seen from the likeliest X, so that a spread far below the mean keeps its digits.
    let more_likely = |best, x| if chances[x] > chances[best] { x } else { best };
    let likeliest = (1..chances.len()).fold(1, more_likely);
    let (mut first, mut second) = (0.0, 0.0);
    for (x, chance) in chances.iter().enumerate().skip(1) {
        let ratio = libm::pow(x as f64 / likeliest as f64, f64::from(hashes));
        first += chance * (ratio - 1.0);
        second += chance * (ratio - 1.0) * (ratio - 1.0);
    }
    (second - first * first) / ((1.0 + first) * (1.0 + first))
}

/// Sums over the number Y of clear bits where there is hardly ever more than a few.
///
/// ```text
/// P(Y = y) = sum over j >= y of (-1)^(j-y) C(j, y) C(m, j) (1 - j/m)^N
/// ```
fn by_empty_bits(throws: f64, m: f64, hashes: u8) -> f64 {
    const MOST: usize = 24;
    // C(m, j) (1 - j/m)^N, each from the one before: the factors alone may overflow.
    let mut subsets = [0.0; MOST];
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
    for y in 1..MOST {
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

/// Returns the relative variance by its first two orders in 1/m, and the relative size of the third.
///
/// ```text
/// k^2 s2 (1 + (k-1) s3/s2 + (k^2/2 - 3k + 5/2) s2),  s2 = Var X / (E X)^2,  s3 = k3(X) / (E X)^3
/// Var X = m (z1 - z2) - m^2 (z1^2 - z2),  zj = (1 - j/m)^N
/// ```
///
/// with k3 the third cumulant: the cumulants of ln X in terms of those of X, which is exact for k = 1.
fn by_series(throws: f64, m: f64, clear: f64, hashes: u8) -> (f64, f64) {
    let load = throws / m;
    let mean = -m * libm::expm1(throws * libm::log1p(-1.0 / m));
    let variance = if load < 1e-4 {
        // Nearly no two throws meet: the pairs that do, and e^(-2a) (e^a - 1 - a) / (a^2/2).
        let series = 1.0 + load / 3.0 * (1.0 + load / 4.0 * (1.0 + load / 5.0));
        throws * (throws - 1.0) / (2.0 * m) * libm::exp(-2.0 * load) * series
    } else {
        let rest = m - 1.0;
        let single = -libm::expm1(throws * libm::log1p(-1.0 / rest));
        let pair = -libm::expm1(throws * libm::log1p(-1.0 / rest / rest));
        m * clear * (single - m * clear * pair)
    };
    // k3(X) / Var X: -1 where nearly no bit is set.
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

/// Returns the third cumulant of the set bits, for each of many bits, at the load a = k n/m.
///
/// ```text
/// q (1 - q)(1 - 2q) - 3 a q^2 (1 - 2q) + a^2 q^3 (3 - 2/a),  q = e^-a, with its sign turned
/// ```
pub(super) fn third_cumulant(load: f64) -> f64 {
    let q = libm::exp(-load);
    -(q * (1.0 - q) * (1.0 - 2.0 * q) - 3.0 * load * q * q * (1.0 - 2.0 * q)
        + q * q * q * (3.0 * load * load - 2.0 * load))
}
