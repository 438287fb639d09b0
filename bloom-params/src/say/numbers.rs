//! Formats numbers for people: counts in groups of three digits, rates rounded up, and sizes in binary units.

use std::f64::consts::LN_10;
use std::ops::RangeInclusive;

use crate::read::decimal::Decimal;

/// Formats a count with its digits in groups of three: `19,188`.
pub fn grouped(count: impl Into<u128>) -> String {
    grouped_digits(&count.into().to_string())
}

pub(crate) fn plural(count: u64, unit: &str) -> String {
    match (count, unit) {
        (1, unit) => unit.to_string(),
        (_, "hash") => "hashes".to_string(),
        (_, unit) => format!("{unit}s"),
    }
}

/// Formats a count with its unit: `2,000 items`. `unit` is the singular: `item`.
pub fn counted(count: u64, unit: &str) -> String {
    format!("{} {}", grouped(count), plural(count, unit))
}

/// Formats `x` rounded to `digits` significant digits (0 counts as 1), without trailing zeros in
/// its decimals. From 1e-4 to below 1e15 in magnitude the text is plain, with commas from 1,000 on
/// (`19,188.4`); elsewhere it is scientific (`1.2346e-9`). Values that are not finite read `inf`,
/// `-inf` or `NaN`.
pub fn nearest(x: f64, digits: usize) -> String {
    if !x.is_finite() {
        return x.to_string();
    }
    // An f64 has at most 767 significant digits.
    let (written, scale) = to_digits(x.abs(), digits.clamp(1, 767));
    let sign = if x < 0.0 { "-" } else { "" };
    format!("{sign}{}", layout(&written, scale))
}

/// Formats a probability `p` from 0 to 1, rounded up: the shortest decimal of at least 5 significant digits (without trailing
/// zeros) with these properties.
///
/// - It does not parse to less than `p`.
/// - It is below 1, unless `p` is 1.
/// - If `p` meets the target, the decimal is not above the target.
/// - If `p` misses the target, the decimal exceeds `p` by at most a hundredth of `p - target`, or by 1 part in 10^12 of `p` if
///   that is more.
///
/// The text is plain from 1e-4 on and scientific below.
///
/// `ln_p` is the natural logarithm of the probability. Below [`f64::MIN_POSITIVE`], where an `f64` does not hold `p` in full
/// precision, the text comes from `ln_p` (`3.8727e-400`). If `p` is 0 and `ln_p` is infinite, the text is `0`.
pub fn rate_up(p: f64, ln_p: f64, target: Option<f64>) -> String {
    rate_up_to(5, p, ln_p, target)
}

/// Formats a probability as [`rate_up`] does, with at least `least` significant digits.
pub(crate) fn rate_up_to(least: usize, p: f64, ln_p: f64, target: Option<f64>) -> String {
    let limit = match target {
        Some(target) if p <= target => target,
        // The margin is at least 1 part in 10^12, so that about 13 digits are enough.
        Some(target) => p + ((p - target) / 100.0).max(p * 1e-12),
        None => f64::INFINITY,
    };
    let fits = |value: f64| value <= limit && (value < 1.0 || p >= 1.0);
    if p < f64::MIN_POSITIVE && ln_p.is_finite() {
        // The margin covers the rounding of `ln_p`, of the quotient and of the power.
        let log = ln_p / LN_10 + 4.0 * f64::EPSILON * ln_p.abs();
        let (mantissa, scale) = mantissa(log, f64::ceil);
        if fits(value(&mantissa, scale)) {
            return layout(&mantissa, scale);
        }
    }
    if p <= 0.0 || !p.is_finite() {
        // Adding 0.0 removes the sign of a negative zero.
        return (p + 0.0).to_string();
    }
    for digits in least..=17 {
        let (mut written, scale) = to_digits(p, digits);
        if value(&written, scale) < p {
            written = next_up(&written).unwrap_or(written);
        }
        if fits(value(&written, scale)) {
            return layout(&written, scale);
        }
    }
    // Unreachable: 17 digits parse to `p` itself.
    p.to_string()
}

/// Formats the average number of trials for one event of probability `p`, rounded to 5 significant digits: `1 in 100.01`,
/// `1 in 1,000,000`. If `p` is below [`f64::MIN_POSITIVE`], the text comes from its natural logarithm `ln_p`: `1 in 5.1e435`. A
/// probability of 0 reads `never`.
pub fn one_in(p: f64, ln_p: f64) -> String {
    if p < f64::MIN_POSITIVE && ln_p.is_finite() {
        let (mantissa, scale) = mantissa(-ln_p / LN_10, f64::round);
        return format!("1 in {}", layout(&mantissa, scale));
    }
    if p == 0.0 {
        return "never".to_owned();
    }
    format!("1 in {}", nearest(1.0 / p, 5))
}

/// Formats the whole bytes that hold `bits` bits, from 1,024 bytes on also in binary units, rounded to 3 significant digits (4
/// from 1,000 on): `113 bytes`, `2,399 bytes (2.34 KiB)`.
pub fn bytes_of_bits(bits: impl Into<u128>) -> String {
    let bytes = bits.into().div_ceil(8);
    if bytes == 1 {
        return "1 byte".to_owned();
    }
    let exact = format!("{} bytes", grouped(bytes));
    match bytes {
        ..1024 => exact,
        _ => format!("{exact} ({})", binary_size(bytes * 8)),
    }
}

/// Formats the whole bytes that hold `bits` bits in binary units, rounded to 3 significant digits (4 from
/// 1,000 on): `113 bytes`, `2.34 KiB`.
pub fn binary_size(bits: impl Into<u128>) -> String {
    let bytes = bits.into().div_ceil(8);
    if bytes < 1024 {
        return format!("{bytes} {}", if bytes == 1 { "byte" } else { "bytes" });
    }
    let mut size = bytes as f64 / 1024.0;
    let mut unit = "KiB";
    for larger in ["MiB", "GiB", "TiB", "PiB", "EiB"] {
        // A size that rounds to 1,024 of a unit is printed as 1 of the next unit.
        if size.round() < 1024.0 {
            break;
        }
        size /= 1024.0;
        unit = larger;
    }
    let digits = if size < 1000.0 { 3 } else { 4 };
    format!("{} {unit}", nearest(size, digits))
}

/// Formats memory that is given in bits, or the range of memory that single filters may have.
#[cfg(feature = "json")]
pub(crate) fn memory(bits: u128, range: Option<(u128, u128)>) -> String {
    let (min, max) = range.unwrap_or((bits, bits));
    if min == max {
        return binary_size(min);
    }
    format!("{} to {}", binary_size(min), binary_size(max))
}

fn grouped_digits(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Splits a finite number of at least 0 into digits and a power of ten: `digits × 10^scale`.
fn to_digits(x: f64, digits: usize) -> (String, i64) {
    let text = format!("{x:.*e}", digits - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let written = mantissa.replace('.', "");
    let decimals = written.len() as u64 - 1;
    let scale = exponent
        .parse::<i64>()
        .unwrap_or(0)
        .saturating_sub_unsigned(decimals);
    (written, scale)
}

/// Returns `10^log` as 5 digits (6 after a carry) and a power of ten.
fn mantissa(log: f64, round: fn(f64) -> f64) -> (String, i64) {
    let exponent = log.floor();
    let digits = round(libm::pow(10.0, log - exponent) * 1e4) as u64;
    (digits.to_string(), (exponent as i64).saturating_sub(4))
}

/// Returns `digits × 10^scale` as the `f64` that its text parses to.
fn value(digits: &str, scale: i64) -> f64 {
    Decimal::new(digits, scale).to_f64()
}

/// Returns the number that is one higher in the last digit.
fn next_up(digits: &str) -> Option<String> {
    digits
        .parse::<u64>()
        .ok()
        .map(|below| (below + 1).to_string())
}

/// Returns the shortest digits that parse to this finite number of at least 0, and a power of ten.
pub(crate) fn shortest(x: f64) -> (String, i64) {
    // If a text of at most 15 digits parses to a normal number, the number rounded to 15 digits is that text, followed by
    // zeros. Subnormal numbers have fewer exact digits, so they are tried with one digit and more.
    let least = if x < f64::MIN_POSITIVE { 1 } else { 15 };
    for digits in least..17 {
        let (written, scale) = to_digits(x, digits);
        // Above a power of two, neighbouring numbers are farther apart than below it. So a text that is not the nearest of its
        // length may parse to the power.
        let above = next_up(&written);
        for written in [Some(written), above].into_iter().flatten() {
            if value(&written, scale) == x {
                return (written, scale);
            }
        }
    }
    to_digits(x, 17)
}

/// Formats `digits × 10^scale`.
pub(crate) fn layout(digits: &str, scale: i64) -> String {
    let (whole, decimals, exponent) = split(digits, scale, -4..=14);
    let point = if decimals.is_empty() { "" } else { "." };
    let exponent = exponent.map_or(String::new(), |exponent| format!("e{exponent}"));
    format!("{}{point}{decimals}{exponent}", grouped_digits(&whole))
}

/// Splits `digits × 10^scale` into the digits before the point, the decimals without trailing zeros and the exponent. The
/// exponent is `None` if it is in `plain`.
pub(crate) fn split(
    digits: &str,
    scale: i64,
    plain: RangeInclusive<i64>,
) -> (String, String, Option<i64>) {
    let exponent = scale.saturating_add_unsigned(digits.len() as u64 - 1);
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() {
        return ("0".to_owned(), String::new(), None);
    }
    let is_plain = plain.contains(&exponent);
    let zeros = |count: i64| "0".repeat(count.max(0) as usize);
    let (text, before) = match exponent {
        _ if !is_plain => (digits.to_owned(), 1),
        ..0 => (zeros(-exponent) + digits, 1),
        _ => {
            let before = exponent as usize + 1;
            let missing = before.saturating_sub(digits.len());
            (format!("{digits}{}", zeros(missing as i64)), before)
        }
    };
    let (whole, decimals) = text.split_at(before);
    let exponent = (!is_plain).then_some(exponent);
    (whole.to_owned(), decimals.to_owned(), exponent)
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use proptest::prelude::*;

    use super::*;
    use crate::read::units::parse_rate;

    fn assert_written<T: Copy + Debug>(cases: &[(T, &str)], write: impl Fn(T) -> String) {
        for (number, text) in cases {
            assert_eq!(write(*number), *text, "{number:?}");
        }
    }

    #[test]
    fn counts_are_grouped_by_three() {
        let written = [
            (0_u64, "0"),
            (999, "999"),
            (1000, "1,000"),
            (19_188, "19,188"),
        ];
        assert_written(&written, grouped);
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn the_nearest_decimal_is_plain_in_the_middle_and_scientific_at_the_ends() {
        let written = [
            (9.585_058, 5, "9.5851"),
            (9.5, 5, "9.5"),
            (0.25, 1, "0.2"),
            (123_456.0, 3, "123,000"),
            (19_188.4, 6, "19,188.4"),
            (999.96, 4, "1,000"),
            (0.000_1, 5, "0.0001"),
            (0.000_099_999_99, 5, "0.0001"),
            (0.000_067_142, 3, "6.71e-5"),
            (1.234_56e-9, 5, "1.2346e-9"),
            (123_456_789_012_345.0, 15, "123,456,789,012,345"),
            (9.999_999e14, 3, "1e15"),
            (5.1e20, 5, "5.1e20"),
            (-1234.5, 5, "-1,234.5"),
            (0.0, 5, "0"),
            (-0.0, 5, "0"),
            (f64::INFINITY, 5, "inf"),
            (1.5, 0, "2"),
            (1.5, usize::MAX, "1.5"),
        ];
        for (x, digits, text) in written {
            assert_eq!(nearest(x, digits), text, "{x} to {digits}");
        }
    }

    #[test]
    fn a_rate_is_rounded_up_to_five_digits() {
        let written = [
            (0.01, "0.01"),
            (0.010_000_000_000_1, "0.010001"),
            (0.009_999_999, "0.01"),
            (6.714_19e-5, "6.7142e-5"),
            (9.999_99e-5, "0.0001"),
            (1e-9, "1e-9"),
            (0.5, "0.5"),
            (0.999_99, "0.99999"),
            (0.999_991, "0.999991"),
            (1.0, "1"),
            (0.0, "0"),
        ];
        assert_written(&written, |p| rate_up(p, p.ln(), None));
        let below_one = 1.0 - f64::EPSILON / 2.0;
        assert_eq!(rate_up(below_one, 0.0, None), "0.9999999999999999");
    }

    #[test]
    fn a_rate_gets_more_digits_where_five_would_break_its_bound() {
        assert_eq!(rate_up(0.010_039_01, 0.0, Some(0.010_04)), "0.01004");
        assert_eq!(rate_up(0.010_039_01, 0.0, Some(0.010_039_9)), "0.0100391");
        assert_eq!(
            rate_up(0.012_345_678, 0.0, Some(0.012_345_679)),
            "0.012345678"
        );
        assert_eq!(rate_up(0.012_345_678, 0.0, Some(0.001)), "0.012346");
        // If the target is missed, the text has the digits that show by how much.
        assert_eq!(rate_up(0.001_000_024_53, 0.0, Some(0.001)), "0.0010000246");
        assert_eq!(rate_up(0.010_039_15, 0.0, Some(0.01)), "0.0100392");
        let p = 1.0 / 3.0;
        assert_eq!(rate_up(p, p.ln(), Some(p)), "0.3333333333333333");
    }

    #[test]
    fn a_rate_below_the_range_of_f64_is_written_from_its_logarithm() {
        assert_eq!(rate_up(0.0, -2000.0 * 2_f64.ln(), None), "8.7099e-603");
        assert_eq!(one_in(0.0, -2000.0 * 2_f64.ln()), "1 in 1.1481e602");
        assert_eq!(rate_up(0.0, f64::NEG_INFINITY, Some(0.5)), "0");
        assert_eq!(one_in(0.0, f64::NEG_INFINITY), "never");
        // A subnormal has only a few bits of precision; its logarithm has all of them.
        assert_eq!(rate_up(5e-324, -744.0, None), "7.672e-324");
        assert_eq!(rate_up(-0.0, f64::NEG_INFINITY, None), "0");
        let tight = f64::from_bits(f64::MIN_POSITIVE.to_bits() - 1);
        let text = rate_up(tight, tight.ln(), Some(f64::MIN_POSITIVE));
        assert_eq!(text, "2.225073858507201e-308");
    }

    /// A rate just above a five-digit number is not printed as that number, however its logarithm is rounded.
    #[test]
    fn a_rate_from_its_logarithm_is_never_shown_smaller() {
        for digits in (10_000..100_000).step_by(7) {
            let short: f64 = format!("{digits}e-254").parse().expect("a decimal");
            for p in [short.next_up(), short * (1.0 + 5e-13)] {
                let text = rate_up(0.0, p.ln(), None);
                let read = text.parse::<f64>().expect("a decimal");
                assert!(p <= read && read <= p * 1.000_100_1, "{text} for {p:e}");
            }
        }
    }

    #[test]
    fn one_in_counts_the_trials_per_event() {
        let written = [
            (0.01, "1 in 100"),
            (0.009_999, "1 in 100.01"),
            (0.3, "1 in 3.3333"),
            (1.0, "1 in 1"),
            (1e-6, "1 in 1,000,000"),
            (1e-15, "1 in 1e15"),
            (3e-300, "1 in 3.3333e299"),
        ];
        assert_written(&written, |p| one_in(p, p.ln()));
        assert_eq!(one_in(0.0, -(5.1_f64.ln() + 435.0 * LN_10)), "1 in 5.1e435");
    }

    #[test]
    fn sizes_are_whole_bytes_and_binary_units() {
        let written: [(u64, &str); 12] = [
            (0, "0 bytes"),
            (1, "1 byte"),
            (8, "1 byte"),
            (9, "2 bytes"),
            (900, "113 bytes"),
            (8 * 1023, "1,023 bytes"),
            (8 * 1024, "1,024 bytes (1 KiB)"),
            (19_188, "2,399 bytes (2.34 KiB)"),
            (8 * 1_047_552, "1,047,552 bytes (1,023 KiB)"),
            (8 * 1_048_575, "1,048,575 bytes (1 MiB)"),
            (1 << 63, "1,152,921,504,606,846,976 bytes (1 EiB)"),
            (u64::MAX, "2,305,843,009,213,693,952 bytes (2 EiB)"),
        ];
        for (bits, text) in written {
            assert_eq!(bytes_of_bits(bits), text, "{bits}");
            assert_eq!(bytes_of_bits(u128::from(bits)), text, "{bits}");
        }
    }

    /// A probability of at least 1e-300, of any magnitude and any bit pattern.
    fn probability() -> impl Strategy<Value = f64> {
        (1e-300_f64.to_bits()..1_f64.to_bits()).prop_map(f64::from_bits)
    }

    proptest! {
        #[test]
        fn a_printed_rate_never_parses_to_less_than_the_rate(p in probability(), q in 1e-7..1.0) {
            for p in [p, q] {
                let text = rate_up(p, p.ln(), None);
                let read = parse_rate(&text).expect(&text);
                prop_assert!(p <= read && read <= p * 1.000_100_1, "{text} for {p:e}");
            }
        }

        #[test]
        fn a_printed_rate_keeps_its_bound(p in probability(), above in 0..4_u64, wide in 0..1_u64 << 48) {
            for steps in [above, wide] {
                let limit = f64::from_bits(p.to_bits() + steps);
                let text = rate_up(p, p.ln(), Some(limit));
                let read = parse_rate(&text).expect(&text);
                prop_assert!(p <= read && read <= limit, "{text} for {p:e} to {limit:e}");
            }
        }

        #[test]
        fn a_rate_from_its_logarithm_agrees_with_its_value(p in 1e-300..1e-200_f64) {
            let rate = rate_up(0.0, p.ln(), None).parse::<f64>().expect("a decimal");
            prop_assert!(p <= rate && rate <= p * 1.000_100_1);
            let text = one_in(0.0, p.ln());
            let trials = text.trim_start_matches("1 in ").parse::<f64>().expect("a decimal");
            prop_assert!((trials * p - 1.0).abs() <= 5.001e-5);
        }

        #[test]
        fn the_nearest_decimal_is_within_half_a_digit(x in 1e-20..1e20_f64, digits in 1..=15_u8) {
            let read = nearest(x, digits.into()).replace(',', "").parse::<f64>().expect("a decimal");
            let half = 0.5 * 10_f64.powi(1 - i32::from(digits)) * (1.0 + 1e-9);
            prop_assert!((read - x).abs() <= half * x.abs() + x * f64::EPSILON);
        }
    }
}
