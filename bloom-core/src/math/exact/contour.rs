//! Computes the exact false-positive rate of a filter with many items by a contour integral,
//! evaluated at seventeen points. A throw is one hash of one item and sets one of m bits; n items
//! with k hashes make N = k n throws.
//!
//! If the number of throws were Poisson with mean z, the bits would be independent, each set with
//! probability q(z) = 1 - e^(-z/m). The rate would be F(z) = sum over d of c_d q(z)^d, where c_d is
//! the probability that a query hits d distinct bits. The rate p for exactly N throws is N! times
//! the coefficient of z^N in e^z F(z):
//!
//! ```text
//! p = N! / (2 pi i) * contour integral of e^z F(z) z^(-N-1) dz
//! ```
//!
//! On the circle |z| = r through the saddle point of the integrand, the integrand is close to a
//! Gaussian in the angle of z. For a Gaussian, the trapezoidal rule converges faster than any power
//! of the step. With the step used here, the relative error of the rule is below 1e-28, and that of
//! leaving out the tails of the Gaussian is below 2e-17, so only rounding errors remain.

use super::query::distinct;
use crate::math::real::ln_clear;
use crate::math::row::Row;

/// The step of the trapezoidal rule, in units of 1/sqrt(N).
const STEP: f64 = 0.55;

/// The number of points above the real axis. One more point is on the axis; the points below it are
/// mirror images and are not computed.
const POINTS: u32 = 16;

/// Returns E[(X/m)^power] / 2^(exponent × power), where X is the number of bits set by `throws`
/// throws at m = `bits` bits.
///
/// `throws` must be above 1024 and at least 8 times `power`.
pub(super) fn scaled_mean(throws: f64, bits: u64, power: u32, exponent: i32) -> f64 {
    let m = bits as f64;
    let repeats = repeats_that_count(throws, bits, power);
    let c: Row<f64> = distinct(bits, power, exponent, repeats);
    let unit = libm::scalbn(1.0, -exponent);
    let (load, shift) = saddle(throws, m, f64::from(power));
    let radius = throws - shift;

    let step = STEP / libm::sqrt(throws);
    let mut sum = 0.5 * polynomial(&c, Complex::new(-libm::expm1(-load) * unit, 0.0)).re;
    for point in 1..=POINTS {
        let angle = f64::from(point) * step;
        let half = libm::sin(0.5 * angle);
        let weight = libm::exp(-2.0 * radius * half * half);
        let phase = radius * sin_minus_angle(angle) - shift * angle;
        let q = set_probability(load, angle, half);
        let value = polynomial(&c, Complex::new(q.re * unit, q.im * unit));
        sum += weight * (libm::cos(phase) * value.re - libm::sin(phase) * value.im);
    }
    // The factor 2 × step × sqrt(N / (2 pi)). The step is STEP / sqrt(N), so N cancels.
    let width = 2.0 * STEP / libm::sqrt(2.0 * core::f64::consts::PI);
    width * sum * libm::exp(stirling_error(throws) + log_excess(throws, shift))
}

/// Returns how many repeated throws of a query have to be counted. A throw of a query is repeated
/// if it hits a bit that an earlier throw of the query has hit. All terms of the rate with more
/// repeats than returned are together below 2^-62 of the rate.
///
/// For a query of k = `power` throws, the term with j repeats is at most x^j/j! times the term
/// without repeats, with
///
/// ```text
/// x = k (k-1)/2 / (m-k) * 8/7 / (1 - (1-1/m)^N)
/// ```
///
/// because S(k, k-j) <= (k (k-1)/2)^j/j!, and because f_(d+1) >= 7/8 × (1 - (1-1/m)^N) × f_d. Here
/// S are the Stirling numbers of the second kind, and f_d is the probability that the N throws of
/// the items hit all of d given bits. The second inequality holds because at least 7/8 of these
/// throws are not the first to hit one of the d bits, and the probability that such throws hit
/// another bit is concave in their number. The bound on the term was derived for this function.
fn repeats_that_count(throws: f64, bits: u64, power: u32) -> u32 {
    let k = f64::from(power);
    let fill = -libm::expm1(ln_clear(throws, bits));
    let x = 0.5 * k * (k - 1.0) / (bits as f64 - k) * (8.0 / 7.0) / fill;
    // From j = 2x on, each term is at most half of the previous one. If k is m or more, x is
    // infinite or negative, and all repeats are counted.
    let mut term = 1.0;
    let negligible = |repeats: &u32| {
        let j = f64::from(*repeats);
        term *= x / j;
        x >= 0.0 && j >= 2.0 * x && term < libm::scalbn(1.0, -63)
    };
    (1..power).find(negligible).unwrap_or(power)
}

/// Returns r/m and N - r for the saddle point r, where r + k (r/m) / (e^(r/m) - 1) = N = `throws`
/// and k = `power`.
///
/// The integral is the same for every radius r; the saddle point only avoids cancellation. So the r
/// after six steps of a fixed-point iteration is close enough.
pub(super) fn saddle(throws: f64, m: f64, power: f64) -> (f64, f64) {
    let mut shift = 0.0;
    for _ in 0..6 {
        let load = (throws - shift) / m;
        shift = power * load / libm::expm1(load);
    }
    ((throws - shift) / m, shift)
}

/// Returns q(z) = 1 - e^(-z/m) at z/m = load × e^(i × angle), without cancellation for small loads.
/// `half` is sin(angle/2).
fn set_probability(load: f64, angle: f64, half: f64) -> Complex {
    let a = load * (1.0 - 2.0 * half * half);
    let b = load * libm::sin(angle);
    let half_sine = libm::sin(0.5 * b);
    Complex::new(
        2.0 * half_sine * half_sine - libm::expm1(-a) * libm::cos(b),
        libm::exp(-a) * libm::sin(b),
    )
}

/// Returns the sum of c_d v^d, where the c_d of the lowest powers may be 0.
fn polynomial(c: &[f64], v: Complex) -> Complex {
    let zeros = c.iter().take_while(|c| **c == 0.0).count();
    let mut sum = Complex::new(0.0, 0.0);
    for &c in c[zeros..].iter().rev() {
        sum = sum.times(v);
        sum.re += c;
    }
    sum.times(v.raised(zeros))
}

/// Returns sin t - t for |t| < 1/2.
fn sin_minus_angle(t: f64) -> f64 {
    let s = t * t;
    let series = 1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0 * (1.0 - s / 110.0)));
    -t * s / 6.0 * series
}

/// Returns ln(N!) - ln(sqrt(2 pi N) (N/e)^N) for N > 1024.
fn stirling_error(throws: f64) -> f64 {
    (1.0 - 1.0 / (30.0 * throws * throws)) / (12.0 * throws)
}

/// Returns N (-ln(1 - K/N) - K/N) by its series, for N = `throws`, K = `shift` and 0 <= K/N <= 1/8.
fn log_excess(throws: f64, shift: f64) -> f64 {
    let x = shift / throws;
    let mut sum = 0.0;
    for i in (2..=19).rev() {
        sum = x * sum + 1.0 / f64::from(i);
    }
    shift * x * sum
}

/// The complex arithmetic that the integral needs.
#[derive(Clone, Copy)]
struct Complex {
    re: f64,
    im: f64,
}

impl Complex {
    fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    fn times(self, other: Self) -> Self {
        Self::new(
            self.re * other.re - self.im * other.im,
            self.re * other.im + self.im * other.re,
        )
    }

    /// Returns the power, by repeated squaring.
    fn raised(mut self, mut power: usize) -> Self {
        let mut product = Self::new(1.0, 0.0);
        while power > 0 {
            if power % 2 == 1 {
                product = product.times(self);
            }
            self = self.times(self);
            power /= 2;
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec::Vec;

    use super::*;
    use crate::math::exact::binary_exponent;

    #[test]
    fn repeats_that_are_left_out_change_no_digit() {
        for (throws, bits, power) in [
            (2_000.0, 2_900, 100),
            (247_000.0, 356_305, 247),
            (2_100.0, 256, 255),
            (1e6, 1_000, 60),
            (1_025.0, 50_000, 128),
        ] {
            let fill = -libm::expm1(ln_clear(throws, bits));
            let exponent = binary_exponent(fill);
            let at = libm::scalbn(fill, -exponent);
            let repeats = repeats_that_count(throws, bits, power);
            let c: Row<f64> = distinct(bits, power, exponent, power);
            let terms = c.iter().zip(0..).map(|(c, d)| c * at.powi(d));
            let terms: Vec<f64> = terms.collect();
            let (left_out, counted) = terms.split_at(terms.len() - 1 - repeats as usize);
            let [left_out, counted] = [left_out, counted].map(|part| part.iter().sum::<f64>());
            let share = left_out / counted;
            let what = format!("{throws} throws, {bits} bits, {power}: {repeats} repeats, {share}");
            // 2^-62 is 2.2e-19.
            assert!(share <= 2e-19, "{what}");
            // Unless all repeats are counted, counting half as many repeats would leave out too
            // much.
            let some = &terms[..terms.len() - 1 - repeats as usize / 2];
            let more = some.iter().sum::<f64>();
            assert!(repeats == power || more > 2e-19 * counted, "{what}");

            let cut: Row<f64> = distinct(bits, power, exponent, repeats);
            let (zeros, same) = cut.split_at(cut.len() - 1 - repeats as usize);
            assert!(zeros.iter().all(|c| *c == 0.0), "{what}");
            assert_eq!(same, &c[zeros.len()..], "{what}");
        }
    }

    #[test]
    fn the_sine_minus_its_angle_keeps_its_digits() {
        for t in [1e-6, 0.01, 0.1, 0.2, 0.3] {
            let (mut term, mut expected) = (t, 0.0);
            for n in (2..30).step_by(2).map(f64::from) {
                term *= -t * t / (n * (n + 1.0));
                expected += term;
            }
            let got = sin_minus_angle(t);
            assert!((got / expected - 1.0).abs() < 1e-13, "{t}: {got}");
        }
    }
}
