//! Formats the numbers along an axis as people write them: 50M, 256 KiB, 10⁻⁶.

use bloom_params::numbers::nearest;

use crate::curves::Scale;

/// A linear axis with a number of at least this is labelled with letters, such as 1.5M, if all its labels are then short.
const LARGE: f64 = 1e6;

/// Numbers from `HUGE` on and below `TINY` are written with a power of ten.
const HUGE: f64 = 1e15;
const TINY: f64 = 1e-4;

/// A logarithmic axis with a number below this, or from `HUGE` on, is labelled with powers of ten, if all its numbers are
/// powers of ten.
const SMALL: f64 = 0.01;

/// The significant digits of a number with decimals: enough for an axis, and few enough to hide rounding errors.
const DIGITS: usize = 12;

/// The significant digits of a whole number: enough for each number below `HUGE`.
const WHOLE_DIGITS: usize = 15;

/// The most digits of a number with a letter, as in 1.125M. If a number needs more digits, all numbers of the axis are written
/// without letters.
const SHORT_DIGITS: usize = 4;

/// The letters for powers of 1000, as `bloom-params` writes them.
const LETTERS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];

/// The units of bytes, each 1024 times the one before.
const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// Returns the labels of the numbers along an axis. All labels have the same notation.
pub(crate) fn labels(numbers: &[f64], scale: Scale) -> Vec<String> {
    let each = |label: &dyn Fn(f64) -> Option<String>| -> Option<Vec<String>> {
        numbers.iter().map(|number| label(*number)).collect()
    };
    let sizes = numbers.iter().map(|number| number.abs());
    let sizes = sizes.filter(|size| *size > 0.0);
    let (least, largest) = sizes.fold((1.0, 0.0), |(least, largest): (f64, f64), size| {
        (least.min(size), largest.max(size))
    });
    let is_log = scale == Scale::Log;
    let mut found = None;
    if scale == Scale::Bits {
        found = each(&bytes);
    } else if is_log && (least < SMALL || largest >= HUGE) {
        found = each(&power);
    }
    if largest < HUGE && (largest >= LARGE || is_log && least >= 1.0) {
        found = found.or_else(|| each(&in_letters));
    }
    if largest < HUGE && least >= TINY {
        found = found.or_else(|| each(&|number| Some(in_full(number))));
    }
    found.unwrap_or_else(|| {
        let scientific = numbers.iter().map(|number| {
            // On a linear axis, all labels have the exponent of the axis's largest number.
            let unit = if is_log { number.abs() } else { largest };
            scientific(*number, unit.log10().floor() as i32)
        });
        scientific.collect()
    })
}

/// Formats a number with all its digits.
fn in_full(number: f64) -> String {
    let is_whole = number.fract() == 0.0;
    nearest(number, if is_whole { WHOLE_DIGITS } else { DIGITS })
}

/// Formats a number of bits that is a power of two: as bytes, or as bits if it is less than a byte.
fn bytes(bits: f64) -> Option<String> {
    let exponent = bits.log2();
    if exponent < 0.0 || exponent.fract() != 0.0 {
        return None;
    }
    let exponent = exponent as usize;
    let Some(of_a_byte) = exponent.checked_sub(3) else {
        let noun = if exponent == 0 { "bit" } else { "bits" };
        return Some(format!("{bits} {noun}"));
    };
    let unit = (of_a_byte / 10).min(UNITS.len() - 1);
    let count = 2_f64.powi((of_a_byte - 10 * unit) as i32);
    Some(format!("{} {}", nearest(count, DIGITS), UNITS[unit]))
}

/// Formats a number with a letter, if at most [`SHORT_DIGITS`] digits are enough.
fn in_letters(number: f64) -> Option<String> {
    let mut letters = LETTERS.iter();
    let fits = |(unit, _): &&(f64, &str)| number.abs() >= *unit;
    let (unit, letter) = letters.find(fits).copied().unwrap_or((1.0, ""));
    let digits = nearest(number / unit, SHORT_DIGITS);
    (digits == nearest(number / unit, DIGITS)).then(|| digits + letter)
}

/// Formats a power of ten as 10 with an exponent; 1 and 10 are written without an exponent.
fn power(number: f64) -> Option<String> {
    let exponent = number.log10().round();
    let is_one = (number / 10_f64.powf(exponent) - 1.0).abs() < 1e-9;
    is_one.then(|| match exponent {
        0.0 => "1".to_owned(),
        1.0 => "10".to_owned(),
        _ => format!("10{}", superscript(exponent as i32)),
    })
}

/// Formats a number as a multiple of a power of ten.
fn scientific(number: f64, exponent: i32) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let digits = nearest(number / 10_f64.powi(exponent), DIGITS);
    format!("{digits}×10{}", superscript(exponent))
}

fn superscript(number: i32) -> String {
    let raised = |letter| match letter {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    number.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_labels(scale: Scale, numbers: &[f64], expected: &[&str]) {
        assert_eq!(labels(numbers, scale), expected, "{scale:?}");
    }

    #[test]
    fn counts_have_letters_where_they_are_large() {
        let linear = |numbers: &[f64], expected: &[&str]| {
            assert_labels(Scale::Linear, numbers, expected);
        };
        linear(&[0.0, 250e3, 500e3], &["0", "250,000", "500,000"]);
        linear(&[0.0, 500e3, 1e6, 1.5e6], &["0", "500k", "1M", "1.5M"]);
        linear(&[5e7, 1e8], &["50M", "100M"]);
        linear(&[2e9, 4e12], &["2G", "4T"]);
        linear(&[-2e6, 0.0], &["-2M", "0"]);
        let log = |numbers: &[f64], expected: &[&str]| {
            assert_labels(Scale::Log, numbers, expected);
        };
        log(
            &[1.0, 10.0, 100.0, 1e3, 1e4],
            &["1", "10", "100", "1k", "10k"],
        );
        log(&[5e4, 1e5, 2e5], &["50k", "100k", "200k"]);
        log(&[1e3, 1e9, 1e15], &["10³", "10⁹", "10¹⁵"]);
    }

    #[test]
    fn a_number_is_never_shortened_to_another() {
        let numbers = [1_000_000.0, 1_000_001.0, 1_000_002.0];
        let expected = ["1,000,000", "1,000,001", "1,000,002"];
        assert_labels(Scale::Counts, &numbers, &expected);
        let numbers = [123_456_789_012_341.0, 123_456_789_012_342.0];
        let expected = ["123,456,789,012,341", "123,456,789,012,342"];
        assert_labels(Scale::Log, &numbers, &expected);
        let numbers = [0.1 + 0.2, 1.234_567_8];
        assert_labels(Scale::Linear, &numbers, &["0.3", "1.2345678"]);
    }

    #[test]
    fn bits_are_bytes_where_they_are_powers_of_two() {
        let bits = [
            1.0,
            2.0,
            8.0,
            4_096.0,
            8_192.0,
            2_f64.powi(31),
            2_f64.powi(63),
        ];
        let expected = [
            "1 bit", "2 bits", "1 B", "512 B", "1 KiB", "256 MiB", "1 EiB",
        ];
        assert_labels(Scale::Bits, &bits, &expected);
        assert_labels(Scale::Bits, &[2_f64.powi(83)], &["1,048,576 EiB"]);
        assert_labels(Scale::Bits, &[8.0, 10.0], &["8", "10"]);
        assert_labels(Scale::Bits, &[0.5, 1.0], &["0.5", "1"]);
    }

    #[test]
    fn small_numbers_have_powers_of_ten() {
        assert_labels(Scale::Log, &[1e-3, 0.1, 10.0], &["10⁻³", "10⁻¹", "10"]);
        assert_labels(Scale::Log, &[0.01, 0.1, 1.0], &["0.01", "0.1", "1"]);
        assert_labels(Scale::Log, &[1e-6, 2e-6], &["1×10⁻⁶", "2×10⁻⁶"]);
        assert_labels(Scale::Log, &[0.002, 0.005], &["0.002", "0.005"]);
        let expected = ["0", "0.5×10⁻⁵", "1×10⁻⁵"];
        assert_labels(Scale::Linear, &[0.0, 5e-6, 1e-5], &expected);
        assert_labels(Scale::Linear, &[0.0, 1e19], &["0", "1×10¹⁹"]);
    }
}
