//! Narrows the bounds of what dependent positions add to the rate, by formulas that were fitted to simulated filters.
//!
//! ```text
//! F (1 + x (...)) + D (...)
//! ```
//!
//! F is what dependent positions add to the rate at first order in 1/m. D is the same for sums without overflows, minus F. x is
//! k²/m, damped where it is large. The brackets are polynomials of k, x, the fill, and u. u is 1 over the odd part of m, or
//! depends on the exponent of 2 in m. Some terms apply only to exactly 16 hashes, only from 15, 16 or 17 hashes on, or only
//! where m is a power of two. For signed and halved sums, a fitted factor, linear in k, takes the place of the 1. The terms in
//! the brackets are not derived. The coefficients are fitted by least squares to half of the filters in
//! `measured/simulated.csv`. Tests compare the bounds with both halves, with filters of further sizes and with the libraries
//! themselves.

use bloom_core::math::{Rate, exact, expected_fill};

use crate::excess::Excess;

/// The number of terms of a formula.
const TERMS: usize = 28;

/// From this many items on, the bounds differ from a formula by at most 5 % of the rate. Exceptions are filters with a low
/// fill, and filters with fewer than twice as many items and more than 11 hashes whose bits are no multiple of 8.
const MANY: u64 = 50;

/// With fewer items than [`MANY`], the narrowed bounds differ from a formula by at most this share of the rate.
const FEW_SHARE: f64 = 0.148;
/// Below this fill, the lower bounds of most formulas differ from the formula by [`FEW_SHARE`] even for many items, and so do
/// the upper bounds of the formula for signed sums.
const LOOSE: f64 = 0.38;

/// A fitted formula.
#[derive(Debug)]
pub(crate) struct Formula {
    coefficients: [f64; TERMS],
    /// The fewest bits of the filters that systems build with these positions. All their sizes are multiples of this number; it
    /// is 0 if they build any size. For filters of just this size, the formula also covers any low fill.
    fewest: u64,
    /// Whether the formula also fits sizes that are no multiple of `fewest`, where k²/m is small.
    alike: bool,
    /// The fill below which lower bounds for many items differ from the formula as much as those
    /// for few items.
    emptier: f64,
    /// The fill below which upper bounds for many items differ from the formula as much as those
    /// for few items.
    loose: f64,
    /// The most hashes that the formula covers.
    hashes: u8,
    /// The highest k²/m that the formula covers.
    most: f64,
    /// The highest fill that the formula covers where k²/m is above 1.3, or above 1 in filters of at most twice `fewest` bits.
    fullest: f64,
    /// Whether u in the terms is a quarter of the exponent of 2 in m, at most 1, instead of 1 over the odd part of m.
    by_powers: bool,
}

/// The most hashes that any formula covers.
pub(crate) const HASHES: u8 = 18;

/// The highest fill that any formula covers.
const FULLEST: f64 = 0.92;

/// The least k²/m that the formulas cover.
const MIN: f64 = 0.0005;

/// What dependent positions add to the rate, at first order in 1/m.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct First {
    pub(crate) value: f64,
    /// The same for sums that do not overflow.
    pub(crate) plain: f64,
    /// The sum of the absolute values of the terms of `value`.
    pub(crate) size: f64,
}

impl Formula {
    /// Returns narrower bounds than `theory` where the formula covers filters of this size, else `theory`.
    pub(crate) fn narrowed(
        &self,
        first: First,
        theory: Excess,
        items: u64,
        bits: u64,
        hashes: u8,
    ) -> Excess {
        let ideal = exact::rate(items, bits, hashes).map_or(0.0, Rate::value);
        // If the first order is 0, apart from rounding, the formula has nothing to scale and is not used.
        let is_none = first.size <= 1e-9 * ideal;
        if is_none || theory.low == theory.high || !self.is_simulated(items, bits, hashes) {
            return theory;
        }
        let fill = expected_fill(items, bits, hashes).unwrap_or(1.0);
        let terms = self.terms(first, fill, bits, hashes);
        let products = self.coefficients.iter().zip(terms);
        let expected: f64 = products.map(|(coefficient, term)| coefficient * term).sum();
        let share = if items < MANY || fill < self.loose {
            FEW_SHARE
        } else {
            // The formula fits less well where the odd part of m is small.
            let wider = 1.0 + 2.0 / odd_part(bits) as f64;
            (0.098 * wider * libm::sqrt(ratio(bits, hashes))).clamp(0.02, 0.049)
        };
        let expected = expected.clamp(theory.low, theory.high);
        let rate = ideal + expected;
        let most = rate.min(0.3 * rate + 2.0 * first.size.max(expected.abs()));
        let apart = share * most;
        // The rates of filters with a low fill may be further below the formula.
        let below = if fill < self.emptier {
            FEW_SHARE * most
        } else {
            apart
        };
        // For few items, in sizes that the formula fits less well, the lower bound is not narrowed.
        let is_other = if self.by_powers {
            items < MANY && ratio(bits, hashes) > 1.5
        } else {
            items < 2 * MANY && hashes > 11 && !bits.is_multiple_of(8)
        };
        let lowest = if is_other {
            theory.low
        } else {
            expected - below
        };
        let excess = Excess {
            low: theory.low.max(lowest),
            expected,
            high: theory.high.min(expected + apart),
            measured: true,
        };
        let narrower = excess.low > theory.low || excess.high < theory.high;
        Excess {
            measured: narrower,
            ..excess
        }
    }

    fn is_simulated(&self, items: u64, bits: u64, hashes: u8) -> bool {
        let fill = expected_fill(items, bits, hashes).unwrap_or(1.0);
        let emptiest = if bits <= self.fewest {
            0.0
        } else if self.fewest < 64 {
            0.36
        } else {
            0.28
        };
        let is_alike = self.by_powers && bits.is_power_of_two();
        let x = ratio(bits, hashes);
        // The formula fits sizes that are no multiple of `fewest` only where k²/m is small.
        let near = if items < 10 { 0.3 } else { 1.1 };
        // Where m is 1, 3 or 5 times a power of two, rates of rather full filters with more than 16
        // hashes are up to 4 % above the formula, so it does not cover them.
        let is_full = items >= MANY && x < 0.2 && fill > 0.52;
        let is_unlike = is_full && hashes > 16 && odd_part(bits) <= 5;
        // The formula fits the smallest filters less well.
        let many = if bits <= 2 * self.fewest { 1.0 } else { 1.3 };
        let fullest = if x > many { self.fullest } else { FULLEST };
        !is_alike
            && !is_unlike
            && (self.is_multiple(bits) || self.alike && x < near)
            && (emptiest..=fullest).contains(&fill)
            && hashes <= self.hashes
            && (MIN..=self.most).contains(&x)
    }

    fn is_multiple(&self, bits: u64) -> bool {
        self.fewest == 0 || bits.is_multiple_of(self.fewest)
    }

    /// Returns the terms that the coefficients multiply.
    fn terms(&self, of: First, fill: f64, bits: u64, hashes: u8) -> [f64; TERMS] {
        let k = f64::from(hashes) / 16.0;
        let x = ratio(bits, hashes);
        let x = x / (1.0 + x / 6.0);
        let powers = bits.trailing_zeros();
        let odd = odd_part(bits);
        let u = if self.by_powers {
            f64::from(powers.min(4)) / 4.0
        } else {
            1.0 / odd as f64
        };
        let is = |condition| f64::from(u8::from(condition));
        let power = is(odd == 1);
        let (f, d) = (of.value * x, of.plain - of.value);
        [
            of.value,
            of.value * k,
            f,
            f * k,
            f * k * k,
            f * u,
            f * u * k,
            f * u * k * k,
            f * fill,
            f * u * is(hashes == 16),
            f * u * fill * is(hashes == 16),
            f * u * is(hashes >= 15),
            f * u * is(hashes >= 16),
            f * u * (k - 1.0).max(0.0),
            f * fill * fill,
            f * fill * u,
            f * x,
            f * x * u,
            d * u * u * k,
            d * u * u * k * k,
            d * u * x,
            d * u * u * x,
            d * u * k * x,
            d * power,
            d * power * k,
            d * power * x,
            d * power * k * k,
            d * power * k * x,
        ]
    }
}

fn odd_part(bits: u64) -> u64 {
    bits >> bits.trailing_zeros()
}

/// Returns k²/m.
fn ratio(bits: u64, hashes: u8) -> f64 {
    f64::from(hashes) * f64::from(hashes) / bits as f64
}

const fn formula(
    fewest: u64,
    hashes: u8,
    most: f64,
    fullest: f64,
    coefficients: [f64; TERMS],
) -> Formula {
    Formula {
        coefficients,
        fewest,
        alike: true,
        loose: 0.0,
        emptier: LOOSE,
        hashes,
        most,
        fullest,
        by_powers: fewest == 0,
    }
}

pub(crate) const MODULAR: Formula = formula(
    64,
    HASHES,
    7.0,
    FULLEST,
    [
        1.00000, 0.00000, -0.01254, 0.11650, 0.23618, -0.21201, -0.12416, -0.01393, 0.69625,
        0.11939, -0.24661, 0.06818, 0.13725, -1.19325, -1.27484, 0.16763, -0.05547, 0.09757,
        0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000,
    ],
);
pub(crate) const WRAPPING: Formula = formula(
    64,
    HASHES,
    7.0,
    FULLEST,
    [
        1.00000, 0.00000, -0.22538, 0.69808, 0.16564, -2.93349, 0.78101, 0.69276, 2.37008,
        -1.80505, 3.34753, -0.04115, -0.10857, -3.99784, -3.98114, 2.54407, -0.05096, 0.43954,
        2.97287, -0.82185, -0.15199, -0.01439, -0.12990, 0.00000, 0.00000, 0.00000, 0.00000,
        0.00000,
    ],
);
pub(crate) const WITHOUT_SECOND: Formula = formula(
    8,
    17,
    6.1,
    FULLEST,
    [
        1.00000, 0.00000, 0.21865, 1.05600, -0.17989, -0.97696, -0.49568, -0.16910, -0.88935,
        -0.27786, 0.96719, 0.06394, -0.21694, 1.84072, -0.47991, 1.88991, -0.04029, 0.02913,
        0.50446, 0.27083, 0.20669, -0.59801, 0.03831, 0.48010, -1.64759, 0.34356, 0.39156, 0.38820,
    ],
);
pub(crate) const REFLECTED: Formula = Formula {
    emptier: 0.31,
    ..formula(64, HASHES, 7.0, FULLEST, REFLECTED_TERMS)
};
const REFLECTED_TERMS: [f64; TERMS] = [
    1.00000, 0.00000, 0.31835, 0.41463, -0.00995, 0.09368, -0.12731, -0.36526, 0.80032, 0.37805,
    -0.50333, 0.08511, 0.00744, 0.29183, -2.27469, -0.06260, 0.21790, -0.04093, 0.29689, -0.14147,
    -0.04953, -0.05961, 0.06355, -0.06302, 0.28869, -0.05860, -0.18558, 0.12591,
];
pub(crate) const SIGNED: Formula = Formula {
    alike: false,
    loose: LOOSE,
    ..formula(64, HASHES, 4.6, 0.6, SIGNED_TERMS)
};
const SIGNED_TERMS: [f64; TERMS] = [
    0.64613, 0.27185, -0.70221, 0.88209, -0.02215, 0.13786, 1.06857, -0.55566, 3.82987, 0.05245,
    -0.20317, 0.02773, 0.08032, -0.89760, -6.49788, -0.70847, 0.06958, -0.06677, 0.16065, 0.02717,
    -0.08566, -0.03464, -0.03603, 0.02644, 0.07101, -0.02593, -0.06892, 0.08611,
];
pub(crate) const HALVED: Formula = Formula {
    alike: false,
    ..formula(64, HASHES, 7.0, FULLEST, HALVED_TERMS)
};
const HALVED_TERMS: [f64; TERMS] = [
    0.45298, 0.04442, 0.06753, -0.25196, 0.27469, 0.04286, -0.32940, 0.21251, 0.12641, 0.04281,
    -0.10418, 0.00451, 0.02765, -0.68895, -0.31186, 0.04673, 0.01257, 0.00838, 1.33899, -0.25897,
    0.08650, -0.17021, -0.05797, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000,
];
pub(crate) const FOUR_HASHES: Formula = formula(
    0,
    HASHES,
    2.2,
    FULLEST,
    [
        1.00000, 0.00000, 2.03253, 1.83437, -0.78029, 0.06095, 1.86198, 0.14871, -6.44579, 1.18830,
        -2.24438, 0.03046, 0.38246, -0.05505, 3.00415, -1.37845, 0.28706, -0.81329, 0.00000,
        0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000,
    ],
);

#[cfg(test)]
mod tests;
