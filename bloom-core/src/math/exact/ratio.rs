//! Computes the relative excess of the second moment of a filter's rate over the squared mean rate,
//! in numbers of 106 bits.
//!
//! The second moment is the rate of a query of 2k probes, and the mean is the rate of k probes. In
//! large filters the second moment and the squared mean agree to more digits than `f64` has, so
//! their difference needs twice the digits. The methods are those of `contour.rs`, which explains
//! F, and of `recurrence.rs`. The integrals of F0 = 1, of F1 = F for k and of F2 = F for 2k are
//! taken along the same contour, so that their common terms cancel:
//!
//! ```text
//! E2 / E1^2 - 1 = (S2 S0 - S1^2) / S1^2,  Si = contour integral of e^z Fi(z) z^(-N-1) dz
//! ```

use super::contour::saddle;
use super::query::distinct;
use super::{FEW_THROWS, THROWS_PER_PROBE, binary_exponent, scaled_sum};
use crate::math::double::{Double, Real};
use crate::math::real::ln_clear;
use crate::math::row::Row;

/// The step of the trapezoidal rule, in units of 1/sqrt(N): the error of the rule is below 10^-36.
const STEP: f64 = 0.45;

/// Points above the real axis, not counting the point on the axis: enough for the integrand to fall
/// to 10^-34.
const POINTS: u32 = 28;

/// Terms of a Taylor series for arguments up to 0.4: the first omitted one is below 10^-34.
const TERMS: u64 = 24;

/// Returns E[(X/m)^(2 power)] / E[(X/m)^power]^2 - 1 after `throws` throws, for bits > 1.
///
/// Absolute error: about 1e-29.
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

/// Returns the integrals of 1, of F for `power` and of F for twice `power`, up to a common factor; each
/// F is in units of 2^(exponent power) for its own power.
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
        // q = 1 - e^(-z/m).
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

/// Returns cos t - 1 and sin t - t for small t by their series.
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

    /// Returns E(w) = e^w - 1. The series computes E for w divided by a power of two. Then the
    /// argument is doubled back by E(2w) = E(w) (E(w) + 2).
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
