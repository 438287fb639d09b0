//! How much single filters of one size differ in their rate.

use alloc::vec;

use super::error::{MathError, check_size};
use super::exact::mean_power;
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

/// Up to so many steps the distribution of the set bits is worked out throw by throw.
const FEW_STEPS: f64 = 1e6;

/// The series for the empty bits is used up to this expected number of them.
const FEW_EMPTY: f64 = 1.0;

/// Below this relative variance the second moment minus the squared mean would cancel.
const SMALL_VARIANCE: f64 = 1e-7;

/// Returns the mean and the standard deviation of the rate (X/m)^k of a single filter.
///
/// A filter is filled once and then asked many times: its own rate is (X/m)^k with the X bits it
/// happens to have set. About half of all filters are above the mean. Relative error of the
/// standard deviation: below 1e-6.
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
        mean.value() * libm::sqrt(relative_variance(throws, bits, hashes, mean))
    };
    Ok(Spread {
        mean,
        standard_deviation,
    })
}

/// Returns the variance of (X/m)^k over its squared mean.
fn relative_variance(throws: f64, bits: u64, hashes: u8, mean: Rate) -> f64 {
    let m = bits as f64;
    let clear = libm::exp(ln_clear(throws, bits));
    if throws * throws.min(m) <= FEW_STEPS {
        return by_distribution(throws as usize, bits, hashes);
    }
    if m * clear <= FEW_EMPTY {
        return by_empty_bits(throws, m, hashes);
    }
    let first_order = to_first_order(throws, m, clear, hashes);
    if first_order < SMALL_VARIANCE {
        return first_order;
    }
    let square = mean_power(throws, bits, 2 * u32::from(hashes));
    libm::expm1(square.ln() - 2.0 * mean.ln())
}

/// Sums over the distribution of X, built throw by throw: exact, all terms positive.
fn by_distribution(throws: usize, bits: u64, hashes: u8) -> f64 {
    let m = bits as f64;
    let most = (throws as u64).min(bits) as usize;
    let mut chance = vec![0.0; most + 1];
    chance[0] = 1.0;
    for throw in 1..=throws {
        for x in (1..=throw.min(most)).rev() {
            chance[x] =
                chance[x] * (x as f64 / m) + chance[x - 1] * ((bits - (x as u64 - 1)) as f64 / m);
        }
        chance[0] = 0.0;
    }
    // Seen from the likeliest X, so that a spread far below the mean keeps its digits.
    let likeliest = (1..=most).fold(1, |best, x| if chance[x] > chance[best] { x } else { best });
    let (mut first, mut second) = (0.0, 0.0);
    for (x, chance) in chance.iter().enumerate().skip(1) {
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

/// Returns k^2 Var X / (E X)^2, and the next term where the filter is nearly full.
///
/// ```text
/// Var X = m (z1 - z2) - m^2 (z1^2 - z2),  zj = (1 - j/m)^N
/// ```
fn to_first_order(throws: f64, m: f64, clear: f64, hashes: u8) -> f64 {
    let load = throws / m;
    let variance = if load < 1e-4 {
        // Nearly no two throws meet: the pairs that do, and the first correction.
        throws * (throws - 1.0) / (2.0 * m) * (1.0 - 5.0 / 3.0 * load)
    } else {
        let rest = m - 1.0;
        let single = -libm::expm1(throws * libm::log1p(-1.0 / rest));
        let pair = -libm::expm1(throws * libm::log1p(-1.0 / rest / rest));
        m * clear * (single - m * clear * pair)
    };
    let k = f64::from(hashes);
    let mean = -m * libm::expm1(throws * libm::log1p(-1.0 / m));
    k * k * variance / (mean * mean) * (1.0 - (k - 1.0) / mean)
}
