//! Computes the binomial distribution of the number of throws, out of N uniform throws at m bits,
//! that land on one given bit. The results are accurate in the far tail and for large N and m.

use core::f64::consts::{LN_2, TAU};

use super::real::{LN_2_HIGH, LN_2_LOW, ln_clear};

/// The largest count of throws on the bit whose probability is computed as a product. For larger
/// counts, the product would take too long.
const MAX_FACTORS: u64 = 1024;

/// The largest mean for which the product is used. For larger means, the first factor of the
/// product, about e^-mean, has too few correct digits.
const MAX_MEAN: f64 = 128.0;

/// Returns P(Bin(N, 1/m) >= `least`) for N = `throws` throws at m = `bits` bits.
///
/// The sum goes in the direction in which its terms shrink, away from the mean: up from `least` if
/// the terms shrink from there on, or else down from `least` - 1, with 1 - sum as the result. The
/// number of terms is therefore at most about ten standard deviations.
pub(super) fn tail(throws: u128, bits: u64, least: u64) -> f64 {
    if least == 0 {
        return 1.0;
    }
    if throws < least.into() {
        return 0.0;
    }
    if bits == 1 {
        return 1.0;
    }
    // With P(j) the probability of j throws on the bit, P(j+1) = P(j) (N - j)/(j + 1)/(m - 1).
    let (all, others) = (throws as f64, bits as f64 - 1.0);
    let ratio = |j: f64| (all - j) / (j + 1.0) / others;
    let mut sum = 0.0;
    let mut add = |term: f64| {
        sum += term;
        term > 1e-18 * sum
    };
    let first = least as f64;
    if ratio(first) < 1.0 {
        let (mut j, mut term) = (first, point(throws, bits, least));
        while add(term) {
            term *= ratio(j);
            j += 1.0;
        }
        sum
    } else {
        let (mut j, mut term) = (first - 1.0, point(throws, bits, least - 1));
        while add(term) && j > 0.0 {
            j -= 1.0;
            term /= ratio(j);
        }
        1.0 - sum
    }
}

/// Returns P(Bin(N, 1/m) = `count`) for N >= `count` throws at m >= 2 bits.
fn point(throws: u128, bits: u64, count: u64) -> f64 {
    let mean = throws as f64 / bits as f64;
    if count <= MAX_FACTORS && mean <= MAX_MEAN {
        product(throws as f64, bits, count)
    } else if count == 0 {
        libm::exp(ln_clear(throws as f64, bits))
    } else if u128::from(count) == throws {
        libm::exp(-(count as f64) * libm::log(bits as f64))
    } else {
        saddle(throws, bits, count)
    }
}

/// Computes [`point`] as a product of factors.
fn product(throws: f64, bits: u64, count: u64) -> f64 {
    let others = bits as f64 - 1.0;
    // Every step splits off a power of two from the product, so that no intermediate product
    // overflows or underflows.
    let ln = ln_clear(throws, bits);
    let halvings = libm::round(ln / LN_2);
    let mut product = libm::exp((ln - halvings * LN_2_HIGH) - halvings * LN_2_LOW);
    let mut exponent = halvings as i32;
    for j in 0..count {
        let j = j as f64;
        let (mantissa, shift) = libm::frexp(product * ((throws - j) / (j + 1.0) / others));
        product = mantissa;
        exponent += shift;
    }
    libm::scalbn(product, exponent)
}

/// Computes [`point`] for a count x from 1 to N - 1 by Stirling's formula.
///
/// ```text
/// sqrt(N / (2 pi x (N - x))) exp(d(N) - d(x) - d(N - x) - D(x, N/m) - D(N - x, N - N/m))
/// d(x) = ln x! - ln(sqrt(2 pi x) (x/e)^x),  D(x, y) = x ln(x/y) - x + y
/// ```
///
/// Source: Loader (2000), *Fast and accurate computation of binomial probabilities*.
fn saddle(throws: u128, bits: u64, count: u64) -> f64 {
    let (all, m) = (throws as f64, bits as f64);
    let (x, rest) = (count as f64, (throws - u128::from(count)) as f64);
    // x - N/m is computed from integers, because near the mean every digit of the deviance depends
    // on this difference.
    let excess = u128::from(count) * u128::from(bits);
    let off = if excess >= throws {
        (excess - throws) as f64 / m
    } else {
        -((throws - excess) as f64 / m)
    };
    let (mean, mean_rest) = (all / m, all / m * (m - 1.0));
    let corrections = correction(all) - correction(x) - correction(rest);
    let deviances = deviance(x, mean, off) + deviance(rest, mean_rest, -off);
    libm::sqrt(all / (TAU * x * rest)) * libm::exp(corrections - deviances)
}

/// Returns x ln(x/y) - x + y for x - y = `off`.
fn deviance(x: f64, y: f64, off: f64) -> f64 {
    let v = off / (x + y);
    if v.abs() >= 0.5 {
        return x * libm::log(x / y) - off;
    }
    // ln(x/y) = 2 (v + v^3/3 + v^5/5 + ...)
    let mut sum = off * v;
    let mut power = 2.0 * x * v;
    for j in 1..64 {
        power *= v * v;
        let next = sum + power / (2.0 * f64::from(j) + 1.0);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// Returns ln x! minus Stirling's formula for it, about 1/(12 x), for a whole x of 1 or more.
fn correction(x: f64) -> f64 {
    let (mut x, mut below) = (x, 0.0);
    while x < 16.0 {
        below += (x + 0.5) * libm::log1p(1.0 / x) - 1.0;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = [
        1.0 / 1188.0,
        -1.0 / 1680.0,
        1.0 / 1260.0,
        -1.0 / 360.0,
        1.0 / 12.0,
    ];
    below + series.iter().fold(0.0, |sum, term| sum * square + term) / x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_correction_is_the_error_of_stirlings_formula() {
        for x in [1_u32, 2, 7, 15, 16, 17, 20, 40] {
            let ln_factorial: f64 = (2..=x).map(|factor| libm::log(factor.into())).sum();
            let x = f64::from(x);
            let stirling = 0.5 * libm::log(TAU * x) + x * libm::log(x) - x;
            let left = ln_factorial - stirling;
            assert!((correction(x) - left).abs() < 5e-13, "{x}: {left}");
        }
    }

    #[test]
    fn all_n_throws_fall_on_one_bit_with_probability_m_to_the_power_minus_n() {
        // The means of the first two cases, 150 and 200, are too large for the product. The mean of
        // the third case, 125, is not.
        for (throws, bits, power) in [(300, 2, -300), (400, 2, -400), (500, 4, -1000)] {
            let chance = tail(throws, bits, throws as u64);
            let expected = libm::scalbn(1.0, power);
            assert!(
                (chance / expected - 1.0).abs() < 1e-12,
                "{throws}: {chance}"
            );
        }
    }
}
