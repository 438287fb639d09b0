//! Chooses the ticks of an axis and formats their labels. The drawing library takes the
//! number of ticks from its caller, whatever the width of their labels, and its logarithmic axes
//! have steps of equal difference between powers of ten.

use bloom_params::numbers::nearest;

use crate::curves::{Axis, Scale};

/// From this value on, a linear axis is labelled in scientific notation.
const LARGE: f64 = 1e7;

/// A logarithmic axis shorter than this many powers of ten has labels between them.
const SHORT: f64 = 2.5;

/// Differences of logarithms and of shares below this are rounding errors.
const TOLERANCE: f64 = 1e-9;

/// The ticks of an axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Ticks {
    /// Major ticks: the position on the axis, from 0 to 1, and the label, in order.
    pub(crate) major: Vec<(f64, String)>,
    /// The positions of the minor ticks, which have no label.
    pub(crate) minor: Vec<f64>,
}

/// Chooses as many round numbers as `fits` accepts together, at least two if possible, because a
/// single tick shows no scale. An axis of zero length has no ticks.
pub(crate) fn ticks(axis: &Axis, fits: impl Fn(&Ticks) -> bool) -> Ticks {
    if axis.share(axis.to).is_none() {
        return Ticks::default();
    }
    let counts = (2..=10).rev();
    let steps = counts.map(|count| linear(axis, count, &[1.0, 2.0, 5.0]));
    let candidates: Vec<Ticks> = match axis.scale {
        Scale::Names => Vec::new(),
        Scale::Linear | Scale::Counts => {
            // Less round, but better than a single tick.
            let rest = [3.0, 4.0].map(|step| linear(axis, 3, &[step]));
            steps.chain(rest).collect()
        }
        Scale::Log if (axis.to / axis.from).log10().abs() < SHORT => {
            let digits: [&[u32]; 6] = [
                &[1, 2, 3, 4, 5, 6, 7, 8, 9],
                &[1, 2, 5],
                &[1, 3],
                &[1],
                &[2],
                &[5],
            ];
            let digits = digits.map(|digits| log_digits(axis, digits));
            // The fallback between two of these digits, where every number has more digits.
            digits.into_iter().chain(steps).collect()
        }
        Scale::Log => [1, 2, 3, 5, 10, 20, 50, 100]
            .map(|step| log(axis, step))
            .into(),
    };
    let ordered = candidates.into_iter().map(|mut ticks| {
        if axis.from > axis.to {
            ticks.major.reverse();
            ticks.minor.reverse();
        }
        ticks
    });
    let fitting: Vec<Ticks> = ordered.filter(fits).collect();
    let several = fitting.iter().find(|ticks| ticks.major.len() > 1);
    several.or(fitting.first()).cloned().unwrap_or_default()
}

/// Ticks at multiples of a step with at most `count` intervals; the step is one of `round` times a
/// power of ten.
fn linear(axis: &Axis, count: u32, round: &[f64]) -> Ticks {
    let (low, high) = (axis.from.min(axis.to), axis.from.max(axis.to));
    let raw = (high - low) / f64::from(count);
    let unit = 10_f64.powf(raw.log10().floor());
    let mut steps = round.iter().map(|round| round * unit);
    let step = steps.find(|step| *step >= raw * (1.0 - TOLERANCE));
    let mut step = step.unwrap_or(10.0 * round[0] * unit);
    if axis.scale == Scale::Counts {
        step = step.max(1.0);
    }
    let largest = low.abs().max(high.abs());
    let first = (low / step - TOLERANCE).ceil();
    let last = (high / step + TOLERANCE).floor();
    let mut ticks = Ticks::default();
    for index in 0..=count {
        let multiple = first + f64::from(index);
        if let Some(share) = axis.share(multiple * step).filter(|_| multiple <= last) {
            ticks.major.push((share, plain(multiple * step, largest)));
        }
    }
    ticks
}

/// Ticks at powers of ten whose exponents are multiples of `step`; the axis may be reversed.
fn log(axis: &Axis, step: i32) -> Ticks {
    let (start, end) = (axis.from.log10(), axis.to.log10());
    // Rounding may put the end of the axis just short of its power of ten.
    let (from, to) = (start.min(end) - TOLERANCE, start.max(end) + TOLERANCE);
    let share = |exponent: f64| ((exponent - start) / (end - start)).clamp(0.0, 1.0);
    let mut ticks = Ticks::default();
    for exponent in from.floor() as i32..=to.floor() as i32 {
        let decade = f64::from(exponent);
        if decade >= from && exponent % step == 0 {
            ticks.major.push((share(decade), power(exponent)));
        }
        if step == 1 {
            let minor = (2..10).map(|digit| decade + f64::from(digit).log10());
            let minor = minor.filter(|place| *place > from && *place < to);
            ticks.minor.extend(minor.map(share));
        }
    }
    ticks
}

/// Ticks at numbers with one of these leading digits, for an axis too short for powers of ten.
fn log_digits(axis: &Axis, digits: &[u32]) -> Ticks {
    let (low, high) = (axis.from.min(axis.to), axis.from.max(axis.to));
    let mut ticks = Ticks::default();
    for exponent in low.log10().floor() as i32..=high.log10().ceil() as i32 {
        for digit in 1..10 {
            // Parsed from decimal, so that 0.3 is not 0.30000000000000004.
            let number: f64 = format!("{digit}e{exponent}").parse().unwrap_or(f64::NAN);
            let Some(share) = axis
                .share(number)
                .filter(|share| (-TOLERANCE..=1.0 + TOLERANCE).contains(share))
            else {
                continue;
            };
            if digits.contains(&digit) {
                ticks.major.push((share, nearest(number, 6)));
            } else {
                ticks.minor.push(share);
            }
        }
    }
    ticks
}

/// Formats a number of an axis whose largest is `largest`.
fn plain(number: f64, largest: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if largest < LARGE {
        return nearest(number, 6);
    }
    let exponent = largest.log10().floor();
    let digits = nearest(number / 10_f64.powf(exponent), 4);
    format!("{digits}×10{}", superscript(exponent as i32))
}

/// Formats a power of ten.
fn power(exponent: i32) -> String {
    match exponent {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10{}", superscript(exponent)),
    }
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

    fn axis(scale: Scale, from: f64, to: f64) -> Axis {
        Axis {
            name: String::new(),
            scale,
            from,
            to,
        }
    }

    fn texts(axis: &Axis, most: usize) -> Vec<String> {
        let ticks = ticks(axis, |ticks| ticks.major.len() <= most);
        ticks.major.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_linear_axis_has_ticks_at_round_steps() {
        let all = texts(&axis(Scale::Linear, 0.0, 7_400.0), 8);
        let expected = [
            "0", "1,000", "2,000", "3,000", "4,000", "5,000", "6,000", "7,000",
        ];
        assert_eq!(all, expected);
        let few = texts(&axis(Scale::Linear, 0.0, 7_400.0), 4);
        assert_eq!(few, ["0", "2,000", "4,000", "6,000"]);
        let small = texts(&axis(Scale::Linear, 0.9, 1.3), 5);
        assert_eq!(small, ["0.9", "1", "1.1", "1.2", "1.3"]);
    }

    #[test]
    fn an_axis_of_counts_has_no_halves() {
        assert_eq!(
            texts(&axis(Scale::Counts, 0.0, 3.0), 9),
            ["0", "1", "2", "3"]
        );
    }

    #[test]
    fn a_linear_axis_of_large_numbers_has_scientific_notation() {
        let all = texts(&axis(Scale::Linear, 0.0, 3.7e8), 5);
        assert_eq!(all, ["0", "1×10⁸", "2×10⁸", "3×10⁸"]);
        let largest = texts(&axis(Scale::Linear, 0.0, u64::MAX as f64), 3);
        assert_eq!(largest, ["0", "1×10¹⁹"]);
    }

    #[test]
    fn a_log_axis_has_every_power_of_ten_and_no_other_number() {
        let ticks = ticks(&axis(Scale::Log, 1e-6, 1.3), |_| true);
        let texts: Vec<&str> = ticks.major.iter().map(|(_, text)| &**text).collect();
        let expected = ["10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "1"];
        assert_eq!(texts, expected);
        assert_eq!(ticks.minor.len(), 6 * 8);
    }

    #[test]
    fn a_long_log_axis_skips_powers_evenly() {
        let all = texts(&axis(Scale::Log, 1e-42, 1e-16), 7);
        assert_eq!(all, ["10⁻⁴⁰", "10⁻³⁵", "10⁻³⁰", "10⁻²⁵", "10⁻²⁰"]);
        let longest = texts(&axis(Scale::Log, 1e-300, 1.0), 7);
        let expected = [
            "10⁻³⁰⁰",
            "10⁻²⁵⁰",
            "10⁻²⁰⁰",
            "10⁻¹⁵⁰",
            "10⁻¹⁰⁰",
            "10⁻⁵⁰",
            "1",
        ];
        assert_eq!(longest, expected);
    }

    #[test]
    fn a_linear_axis_may_be_reversed() {
        let all = texts(&axis(Scale::Linear, 1.0, 0.0), 3);
        assert_eq!(all, ["1", "0.5", "0"]);
    }

    #[test]
    fn a_log_axis_may_be_reversed() {
        let all = texts(&axis(Scale::Log, 0.5, 1e-4), 9);
        assert_eq!(all, ["10⁻¹", "10⁻²", "10⁻³", "10⁻⁴"]);
        let ticks = ticks(&axis(Scale::Log, 0.5, 1e-4), |_| true);
        assert!(ticks.major.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(ticks.minor.iter().all(|share| (0.0..=1.0).contains(share)));
    }

    #[test]
    fn a_short_log_axis_has_numbers_between_powers_of_ten() {
        let all = texts(&axis(Scale::Log, 0.3, 20.0), 7);
        assert_eq!(all, ["0.5", "1", "2", "5", "10", "20"]);
        let few = texts(&axis(Scale::Log, 0.3, 20.0), 5);
        assert_eq!(few, ["0.3", "1", "3", "10"]);
    }

    #[test]
    fn an_axis_has_two_numbers_at_least_if_they_fit() {
        // Steps of 5 would give only 0, and from 2 to 60 there is only one power of ten.
        let few = |ticks: &Ticks| ticks.major.len() <= 3;
        let linear = ticks(&axis(Scale::Linear, -4.4, 4.4), few);
        let log = ticks(&axis(Scale::Log, 2.0, 60.0), |ticks| ticks.major.len() <= 2);
        let texts = |ticks: &Ticks| {
            let texts = ticks.major.iter().map(|(_, text)| text.clone());
            texts.collect::<Vec<_>>()
        };
        assert_eq!(texts(&linear), ["-3", "0", "3"]);
        assert_eq!(texts(&log), ["2", "20"]);
        // Between the leading digits all numbers have more digits.
        for (from, to) in [(0.1, 0.13), (0.13, 0.1)] {
            let narrow = ticks(&axis(Scale::Log, from, to), |ticks| ticks.major.len() < 5);
            let mut found = texts(&narrow);
            assert!(narrow.major.windows(2).all(|pair| pair[0].0 < pair[1].0));
            found.sort();
            assert_eq!(found, ["0.1", "0.11", "0.12", "0.13"]);
        }
        // A single tick that fits is better than none.
        let one = ticks(&axis(Scale::Linear, -4.4, 4.4), |ticks| {
            ticks.major.len() == 1
        });
        assert_eq!(texts(&one), ["0"]);
    }

    #[test]
    fn an_axis_of_zero_length_has_no_ticks() {
        let wrong = [
            (Scale::Log, 0.0, 1.0),
            (Scale::Log, -1.0, 1.0),
            (Scale::Log, 1.0, 1.0),
            (Scale::Linear, 1.0, 1.0),
            (Scale::Linear, 0.0, f64::INFINITY),
            (Scale::Linear, f64::NAN, 1.0),
            (Scale::Counts, f64::MIN, f64::MAX),
        ];
        for (scale, from, to) in wrong {
            let ticks = ticks(&axis(scale, from, to), |_| true);
            assert_eq!(ticks, Ticks::default(), "{scale:?} from {from} to {to}");
        }
    }

    #[test]
    fn an_axis_finer_than_its_numbers_still_ends() {
        let ticks = ticks(&axis(Scale::Linear, 1e16, 1e16 + 4.0), |_| true);
        assert!(ticks.major.len() <= 11);
    }

    #[test]
    fn ticks_are_at_the_positions_of_their_numbers() {
        let axis = axis(Scale::Log, 1e-6, 2.0);
        for (share, text) in ticks(&axis, |_| true).major {
            let number = match &*text {
                "1" => 1.0,
                text => 10_f64
                    .powi(-("⁰¹²³⁴⁵⁶".chars().position(|c| text.ends_with(c)).unwrap() as i32)),
            };
            assert!((axis.share(number).unwrap() - share).abs() < 1e-9, "{text}");
        }
    }
}
