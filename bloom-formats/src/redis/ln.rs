//! Computes the natural logarithm, right to the last digit. RedisBloom computes a filter's bits per item from a logarithm, and
//! writes them into the filter's header: if the last digit were wrong, the header would not have the bytes that RedisBloom
//! writes.

use core::f64::consts::FRAC_1_SQRT_2;

/// The number of binary digits after the point that the fixed-point numbers in this module have.
const DIGITS: u32 = 112;

/// ln 2.
const LN_2: i128 = (0xb172_17f7_d1cf_79ab_c9e3_b398_03f2_f6af_u128 >> (128 - DIGITS)) as i128;

/// Returns the natural logarithm of a number above 0, rounded to the nearest `f64`. Before the rounding, the error is below
/// 2^-100. So of the logarithms of numbers up to 1/2, fewer than one in 2^40 are rounded to the wrong side.
///
/// ```text
/// x = m 2^e,  z = (m - 1)/(m + 1),  ln x = e ln 2 + 2 (z + z^3/3 + z^5/5 + ...)
/// ```
///
/// x is `number`, and e is the integer for which m is between the square roots of 1/2 and of 2.
pub(super) fn ln(number: f64) -> f64 {
    const ONE: i128 = 1 << 53;
    let (mut part, mut exponent) = libm::frexp(number);
    if part < FRAC_1_SQRT_2 {
        (part, exponent) = (2.0 * part, exponent - 1);
    }
    let part = (part * ONE as f64) as i128;
    let z = quotient(part - ONE, part + ONE);
    let square = product(z, z);
    let (mut power, mut sum) = (z, 0);
    // |z| is below 0.172, so the terms after z^45 are below the last of the binary digits that are kept.
    for odd in (1..=45).step_by(2) {
        sum += power / odd;
        power = product(power, square);
    }
    let scale = 1.0 / (1_u128 << DIGITS) as f64;
    (i128::from(exponent) * LN_2 + 2 * sum) as f64 * scale
}

/// Returns a quotient of whole numbers below 2^55 as a fixed-point number with [`DIGITS`] binary digits.
fn quotient(dividend: i128, divisor: i128) -> i128 {
    const HALF: u32 = DIGITS / 2;
    let (high, rest) = ((dividend << HALF) / divisor, (dividend << HALF) % divisor);
    (high << HALF) + (rest << HALF) / divisor
}

/// Returns the product of two numbers below 1, too low by less than 2 in its last binary digit.
fn product(one: i128, other: i128) -> i128 {
    const HALF: u32 = DIGITS / 2;
    let halves = |number: i128| (number >> HALF, number & ((1 << HALF) - 1));
    let ((a, b), (c, d)) = (halves(one), halves(other));
    a * c + ((a * d + b * c) >> HALF)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers, each with the bits of its logarithm, computed by Python's `decimal` with 60 digits. Some of the numbers are
    /// hard cases: rates with two significant digits, some of them halved several times, whose logarithms are nearest to the
    /// middle between two neighbouring `f64`. glibc rounds one of these logarithms to the wrong side.
    const REFERENCES: [(f64, u64); 21] = [
        (0.01, 0xc012_6bb1_bbb5_5515),
        (0.001, 0xc01b_a18a_998f_ffa0),
        (0.1, 0xc002_6bb1_bbb5_5515),
        (0.25, 0xbff6_2e42_fefa_39ef),
        (5e-05, 0xc023_ce95_eba4_f8b4),
        (0.005, 0xc015_317a_1b94_9c53),
        (0.03, 0xc00c_0d6e_3a14_28a6),
        (0.0025, 0xc017_f742_7b73_e391),
        (2.34375e-09, 0xc033_df1b_845a_96ef),
        (8.8e-05, 0xc022_ad25_1be1_46f1),
        (0.00058, 0xc01d_cf57_8f7f_0e69),
        (5.9375e-06, 0xc028_1185_98cf_afaa),
        (0.000_290_625, 0xc020_4975_c9e9_9bf9),
        (0.000_306_25, 0xc020_2ea5_cfe7_4cfb),
        (4.6875e-05, 0xc023_efa1_1d10_3529),
        (1.725e-08, 0xc031_e01d_bbb6_9ca9),
        (5e-324, 0xc087_4385_446d_71c3),
        (0.999_999_999_999_999_9, 0xbca0_0000_0000_0000),
        (0.707_106_781_186_547_5, 0xbfd6_2e42_fefa_39f1),
        (FRAC_1_SQRT_2, 0xbfd6_2e42_fefa_39ee),
        (2.225_073_858_507_201_4e-308, 0xc086_232b_dd7a_bcd2),
    ];

    #[test]
    fn logarithms_are_rounded_to_the_nearest() {
        for (number, expected) in REFERENCES {
            assert_eq!(ln(number).to_bits(), expected, "{number}");
        }
    }

    #[test]
    fn logarithms_of_all_magnitudes_are_within_a_digit_of_those_of_libm() {
        let mut state = 1_u64;
        for _ in 0..100_000 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            // A number above 0 and up to 1. It may be subnormal.
            let number = f64::from_bits((state >> 2) % 0x3ff0_0000_0000_0000 + 1);
            let (ours, theirs) = (ln(number).to_bits(), libm::log(number).to_bits());
            assert!(ours.abs_diff(theirs) <= 1, "{number:e}");
        }
        assert_eq!(ln(1.0), 0.0);
    }
}
