//! Computes the relative variance of the rate (X/m)^k of single filters, where X is the number of
//! set bits of m: E[(X/m)^(2k)] / E[(X/m)^k]^2 - 1.
//!
//! In large filters, E2 = E[(X/m)^(2k)] and the square of E1 = E[(X/m)^k] agree to more digits than
//! `f64` has, so the numbers here have 106 bits. E1 is the mean rate of queries with k probes, and
//! E2 that of queries with 2k probes. After few throws, both are computed as in `recurrence.rs`.
//! Otherwise they are computed as in `contour.rs`, from integrals along the same contour:
//!
//! ```text
//! E1 = S1 / S0,  E2 = S2 / S0,  E2 / E1^2 - 1 = (S2 S0 - S1^2) / S1^2
//! Si = contour integral of e^z Fi(z) z^(-N-1) dz
//! ```
//!
//! with N throws and F0 = 1. F1 is the polynomial F of `contour.rs` for a query of k probes, and F2
//! is the one for 2k probes.

use super::contour::saddle;
use super::query::distinct;
use super::{FEW_THROWS, THROWS_PER_PROBE, binary_exponent, scaled_sum};
use crate::math::double::{Double, Real};
use crate::math::real::ln_clear;
use crate::math::row::Row;

/// The step of the trapezoidal rule, in units of 1/sqrt(N) for N throws: the relative error of the
/// rule is below 10^-36.
const STEP: f64 = 0.45;

/// The number of points above the real axis. At the last of them, the integrand has fallen to
/// 10^-34 of its value on the axis. The points below the axis are mirror images.
const POINTS: u32 = 28;

/// The number of terms of a Taylor series for arguments up to 0.4: the first omitted term is below
/// 10^-34.
const TERMS: u64 = 24;

/// Returns E[(X/m)^(2 × power)] / E[(X/m)^power]^2 - 1 after `throws` throws at m = `bits` bits,
/// for `bits` above 1. X is the number of set bits.
///
/// The absolute error is about 1e-29.
pub(in crate::math) fn relative_variance(throws: f64, bits: u64, power: u32) -> f64 {
    let exponent = binary_exponent(-libm::expm1(ln_clear(throws, bits)));
    let [none, one, two] =
        if throws <= FEW_THROWS || throws < THROWS_PER_PROBE * f64::from(2 * power) {
            let moment = |power| scaled_sum(throws as u64, bits, power, exponent);
            [Double::from(1.0), moment(power), moment(2 * power)]
        } else {
            integrals(throws, bits, power, exponent)
        };
    let square = one * one;
    (two * none - square).value() / square.value()
}

/// Returns S0, S1 / 2^(exponent × power) and S2 / 2^(exponent × 2 × power), each times the same
/// factor, which cancels in the result. S0 to S2 are the integrals of the module's comment, for k =
/// `power`.
fn integrals(throws: f64, bits: u64, power: u32, exponent: i32) -> [Double; 3] {
    let single: Row<Double> = distinct(bits, power, exponent, power);
    let double: Row<Double> = distinct(bits, 2 * power, exponent, 2 * power);
    let unit = Double::from(libm::scalbn(1.0, -exponent));
    let (_, shift) = saddle(throws, bits as f64, f64::from(power));
    let radius = throws - shift;
    // The shift is computed again, because the radius was rounded.
    let shift = Double::from(throws) - Double::from(radius);
    let radius = Double::from(radius);
    let load = radius.over(bits);

    let step = Double::from(STEP / libm::sqrt(throws));
    let mut sums = [Double::from(0.0); 3];
    for point in 0..=POINTS {
        let angle = Double::from(f64::from(point)) * step;
        let (versine, excess) = small_turn(angle);
        // e^z z^(-N) relative to its value on the real axis, with z = r e^(i t).
        let weight = Complex {
            re: radius * versine,
            im: radius * excess - shift * angle,
        };
        let weight = weight.exp_m1().plus(Double::from(1.0));
        // q = (1 - e^(-z/m)) / 2^exponent.
        let exponential = Complex {
            re: Double::from(0.0) - (load + load * versine),
            im: Double::from(0.0) - load * (excess + angle),
        };
        let q = exponential.exp_m1().times(Double::from(-1.0) * unit);
        let half = Double::from(if point == 0 { 0.5 } else { 1.0 });
        let parts = [
            weight.re,
            weight.product(polynomial(&single, q)).re,
            weight.product(polynomial(&double, q)).re,
        ];
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum = *sum + half * part;
        }
    }
    sums
}

/// Returns cos t - 1 and sin t - t by their series, for t up to 0.4.
fn small_turn(t: Double) -> (Double, Double) {
    let (mut even, mut odd) = (Double::from(0.0), Double::from(0.0));
    let mut term = t;
    for n in 2..=TERMS {
        term = term * t.over(n);
        let signed = if n % 4 < 2 {
            term
        } else {
            Double::from(-1.0) * term
        };
        if n % 2 == 0 {
            even = even + signed;
        } else {
            odd = odd + signed;
        }
    }
    (even, odd)
}

/// Returns the sum of c_d v^d.
fn polynomial(c: &[Double], v: Complex) -> Complex {
    let zero = Complex {
        re: Double::from(0.0),
        im: Double::from(0.0),
    };
    c.iter().rev().fold(zero, |sum, &c| sum.product(v).plus(c))
}

/// The complex arithmetic that the integrals need.
#[derive(Clone, Copy)]
struct Complex {
    re: Double,
    im: Double,
}

impl Complex {
    fn plus(self, real: Double) -> Self {
        Self {
            re: self.re + real,
            im: self.im,
        }
    }

    fn times(self, real: Double) -> Self {
        Self {
            re: self.re * real,
            im: self.im * real,
        }
    }

    fn product(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }

    /// Returns E(w) = e^w - 1. The series computes E for w divided by a power of two. The identity
    /// E(2v) = E(v) (E(v) + 2) then doubles the argument until it is w again.
    fn exp_m1(self) -> Self {
        let size = self.re.value().abs().max(self.im.value().abs());
        let halvings = (libm::frexp(size).1 + 2).max(0);
        let w = self.times(Double::from(libm::scalbn(1.0, -halvings)));
        // w (1 + w/2 (1 + w/3 (1 + ...))), from the innermost factor outwards.
        let mut sum = w.times(Double::ratio(1, TERMS));
        for n in (1..TERMS).rev() {
            sum = sum
                .plus(Double::from(1.0))
                .product(w)
                .times(Double::ratio(1, n));
        }
        for _ in 0..halvings {
            sum = sum.product(sum.plus(Double::from(2.0)));
        }
        sum
    }
}
