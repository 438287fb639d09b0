//! Chooses the ticks of an axis. For a linear axis, the crate Plotters finds round numbers when it is told their approximate
//! count, and this module chooses the largest count for whose labels there is room. For a logarithmic axis, this module also
//! finds the numbers, because Plotters finds none below 2e-16.

use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordi64;

use crate::curves::{Axis, Scale};
use crate::labels::labels;

/// A logarithmic axis shorter than this many powers of ten has labels between powers of ten.
const SHORT: f64 = 2.5;

/// An axis of bits has a minor tick at every power of two without a label. If there would be more minor ticks than this, it has
/// none.
const MAX_MINOR: usize = 40;

/// The binary logarithm of the bits of a byte.
const BYTE: i32 = 3;

/// A difference below this, of two logarithms or of two shares of an axis, is a rounding error.
const TOLERANCE: f64 = 1e-9;

/// The ticks of an axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Ticks {
    /// The major ticks, in order: the position of each on the axis, from 0 to 1, and its label.
    pub(crate) major: Vec<(f64, String)>,
    /// The positions of the minor ticks, which have no label.
    pub(crate) minor: Vec<f64>,
}

/// Ticks before they are labelled: the positions on the axis and, for the major ticks, the numbers at these positions.
#[derive(Default)]
struct Places {
    major: Vec<(f64, f64)>,
    minor: Vec<f64>,
}

impl Places {
    /// Labels the major ticks, and puts all ticks in the order of their positions.
    fn labelled(mut self, axis: &Axis) -> Ticks {
        if axis.from > axis.to {
            self.major.reverse();
            self.minor.reverse();
        }
        let (shares, numbers): (Vec<f64>, Vec<f64>) = self.major.into_iter().unzip();
        let labels = labels(&numbers, axis.scale);
        Ticks {
            major: shares.into_iter().zip(labels).collect(),
            minor: self.minor,
        }
    }
}

/// Returns the ticks of an axis: at as many round numbers as `fits` accepts together, and at two at least if possible, because
/// a single tick shows no scale. An axis of zero length has no ticks.
pub(crate) fn ticks(axis: &Axis, fits: impl Fn(&Ticks) -> bool) -> Ticks {
    if axis.share(axis.to).is_none() {
        return Ticks::default();
    }
    let steps = (2..=11).rev().map(|count| linear(axis, count, 1));
    let candidates: Vec<Places> = match axis.scale {
        Scale::Names => Vec::new(),
        Scale::Linear | Scale::Counts => {
            // These ticks are at less round numbers, but are better than a single tick.
            let rest = [(2, 2), (4, 3), (4, 4)].map(|(count, factor)| linear(axis, count, factor));
            steps.chain(rest).collect()
        }
        Scale::Log if (axis.to / axis.from).log10().abs() < SHORT => {
            let digits: [&[i64]; 6] = [
                &[1, 2, 3, 4, 5, 6, 7, 8, 9],
                &[1, 2, 5],
                &[1, 3],
                &[1],
                &[2],
                &[5],
            ];
            let digits = digits.map(|digits| log_digits(axis, digits));
            // If the axis lies between two neighbouring numbers of one digit, these candidates have no ticks. The last
            // candidates, with ticks at equal steps, have some.
            digits.into_iter().chain(steps).collect()
        }
        Scale::Log => [1, 2, 3, 5, 10, 20, 50, 100]
            .map(|step| powers(axis, 10.0, step, 0))
            .into(),
        Scale::Bits => {
            // With steps of 10, the ticks are at a byte, a KiB, a MiB and so on.
            let powers = [1, 2, 5, 10, 20, 50, 100].map(|step| powers(axis, 2.0, step, BYTE));
            powers.into_iter().chain(steps).collect()
        }
    };
    let labelled = candidates.into_iter().map(|places| places.labelled(axis));
    let fitting: Vec<Ticks> = labelled.filter(fits).collect();
    let several = fitting.iter().find(|ticks| ticks.major.len() > 1);
    several.or(fitting.first()).cloned().unwrap_or_default()
}

/// Returns ticks at equal steps: at `factor` times round numbers, and at most about `count` along the axis.
fn linear(axis: &Axis, count: usize, factor: i64) -> Places {
    let (low, high) = (axis.from.min(axis.to), axis.from.max(axis.to));
    // Plotters adds up fractions inexactly. So the ends of the axis are passed to it as whole numbers of a unit, a power of ten
    // (times `factor`) of which fewer than about 100 fit on the axis.
    let is_whole = matches!(axis.scale, Scale::Counts | Scale::Bits);
    let least = if is_whole { 0 } else { f64::MIN_10_EXP };
    let exponent = ((high - low).log10().floor() as i32 - 1).max(least);
    let unit = decimal(factor, exponent);
    let (low, high) = (low / unit - TOLERANCE, high / unit + TOLERANCE);
    let mut places = Places::default();
    for units in RangedCoordi64::from(low.ceil() as i64..high.floor() as i64).key_points(count) {
        let number = decimal(factor * units, exponent);
        // If the axis is below 0, or has no whole number of units between its ends, Plotters returns numbers beyond the ends.
        if (low..=high).contains(&(units as f64))
            && let Some(share) = axis.share(number)
        {
            places.major.push((share, number));
        }
    }
    places
}

/// Returns `digits` times a power of ten. The number is parsed from decimal text, so that it is 0.3 and not
/// 0.30000000000000004.
fn decimal(digits: i64, exponent: i32) -> f64 {
    format!("{digits}e{exponent}").parse().unwrap_or(f64::NAN)
}

/// Returns the ticks of a logarithmic axis. Major ticks are at powers of `base` whose exponents are `offset` plus a multiple of
/// `step`. The axis may be reversed.
fn powers(axis: &Axis, base: f64, step: i32, offset: i32) -> Places {
    let exponent = |number: f64| {
        if base == 2.0 {
            number.log2()
        } else {
            number.log10()
        }
    };
    let (start, end) = (exponent(axis.from), exponent(axis.to));
    // If the axis ends at a power, the computed exponent may be just short of this power because of rounding.
    let (from, to) = (start.min(end) - TOLERANCE, start.max(end) + TOLERANCE);
    let share = |exponent: f64| ((exponent - start) / (end - start)).clamp(0.0, 1.0);
    let inside = |exponent: &i32| f64::from(*exponent) >= from;
    let all = || (from.floor() as i32..=to.floor() as i32).filter(inside);
    let is_major = |exponent: &i32| (exponent - offset) % step == 0;
    let mut places = Places::default();
    for exponent in all().filter(is_major) {
        let at = f64::from(exponent);
        places.major.push((share(at), base.powi(exponent)));
    }
    if base == 2.0 {
        let between = all().filter(|exponent| !is_major(exponent));
        let between = between.map(|exponent| share(f64::from(exponent)));
        places.minor.extend(between);
        if places.minor.len() > MAX_MINOR {
            places.minor.clear();
        }
    } else if step == 1 {
        for decade in from.floor() as i32..=to.floor() as i32 {
            let minor = (2..10).map(|digit| f64::from(decade) + f64::from(digit).log10());
            let minor = minor.filter(|place| *place > from && *place < to);
            places.minor.extend(minor.map(share));
        }
    }
    places
}

/// Returns ticks at powers of ten times one of these digits, for a logarithmic axis that is too short for ticks at powers of
/// ten alone.
fn log_digits(axis: &Axis, digits: &[i64]) -> Places {
    let (low, high) = (axis.from.min(axis.to), axis.from.max(axis.to));
    let mut places = Places::default();
    for exponent in low.log10().floor() as i32..=high.log10().ceil() as i32 {
        for digit in 1..10 {
            let number = decimal(digit, exponent);
            let inside = |share: &f64| (-TOLERANCE..=1.0 + TOLERANCE).contains(share);
            match axis.share(number).filter(inside) {
                Some(share) if digits.contains(&digit) => places.major.push((share, number)),
                share => places.minor.extend(share),
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(scale: Scale, from: f64, to: f64) -> Axis {
        crate::axes::axis("", scale, from, to)
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
    fn large_numbers_on_an_axis_are_written_as_people_write_them() {
        let all = texts(&axis(Scale::Linear, 0.0, 3.7e8), 5);
        assert_eq!(all, ["0", "100M", "200M", "300M"]);
        let all = texts(&axis(Scale::Counts, 0.0, 2e6), 5);
        assert_eq!(all, ["0", "500k", "1M", "1.5M", "2M"]);
        let all = texts(&axis(Scale::Log, 1.0, 1e12), 7);
        assert_eq!(all, ["1", "100", "10k", "1M", "100M", "10G", "1T"]);
        let largest = texts(&axis(Scale::Linear, 0.0, u64::MAX as f64), 3);
        assert_eq!(largest, ["0", "1×10¹⁹"]);
    }

    #[test]
    fn an_axis_of_bits_has_powers_of_two_in_bytes() {
        let all = texts(&axis(Scale::Bits, 64.0, 16_384.0), 5);
        assert_eq!(all, ["16 B", "64 B", "256 B", "1 KiB"]);
        let all = texts(&axis(Scale::Bits, 100.0, 1e7), 4);
        assert_eq!(all, ["32 B", "1 KiB", "32 KiB", "1 MiB"]);
        let all = texts(&axis(Scale::Bits, 8.0, 2e13), 5);
        assert_eq!(all, ["1 B", "1 KiB", "1 MiB", "1 GiB", "1 TiB"]);
        let all = texts(&axis(Scale::Bits, 2_f64.powi(31), 1.0), 4);
        assert_eq!(all, ["1 MiB", "1 KiB", "1 B"]);
        // An axis without a power of two between its ends is labelled in bits.
        let narrow = texts(&axis(Scale::Bits, 1_100.0, 1_900.0), 5);
        assert_eq!(narrow, ["1,200", "1,400", "1,600", "1,800"]);
        let every = ticks(&axis(Scale::Bits, 64.0, 16_384.0), |ticks| {
            ticks.major.len() <= 5
        });
        assert_eq!(every.major.len() + every.minor.len(), 9);
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
        // On the linear axis, steps of 5 would give only the tick 0. On the logarithmic axis, 10 is the only power of ten.
        let few = |ticks: &Ticks| ticks.major.len() <= 3;
        let linear = ticks(&axis(Scale::Linear, -4.4, 4.4), few);
        let log = ticks(&axis(Scale::Log, 2.0, 60.0), |ticks| ticks.major.len() <= 2);
        let texts = |ticks: &Ticks| {
            let texts = ticks.major.iter().map(|(_, text)| text.clone());
            texts.collect::<Vec<_>>()
        };
        assert_eq!(texts(&linear), ["-3", "0", "3"]);
        assert_eq!(texts(&log), ["2", "20"]);
        // From 0.1 to 0.13, all numbers but 0.1 have more than one digit.
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
    fn an_axis_too_fine_for_f64_still_has_few_ticks() {
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
