//! Computes the axes of a chart and the places along them, and checks the parameters of charts: the lengths of lists and the
//! ranges of numbers.

use std::ops::RangeInclusive;

use bloom_params::numbers::nearest;

use crate::curves::{Axis, MAX_SERIES, Measured, Point, Scale, Series};
use crate::data::written;
use crate::error::FigureError;

/// The margin at the top of a logarithmic axis, which keeps the highest values off its edge: as a share of the length of an
/// axis of rates, and as a share of a power of ten on an axis of ratios.
const MARGIN: f64 = 0.02;

/// The exponent of the lowest power of ten that an axis can show.
pub(crate) const MIN_DECADE: f64 = -300.0;

/// Creates an axis.
pub(crate) fn axis(name: &str, scale: Scale, from: f64, to: f64) -> Axis {
    Axis {
        name: name.to_owned(),
        scale,
        from,
        to,
    }
}

/// Returns the axis of rates. It begins at `floor`, or at 0.5 if `floor` is higher. It ends at the lowest power of ten that no
/// value exceeds, or at 10 times its start if that is higher, but at 1 at the latest. A small margin is added to its end.
pub(crate) fn rate_axis(series: &[Series], floor: f64) -> Axis {
    // If every rate is nearly 1, `floor` may be nearly 1 too, which would leave no room for the axis.
    let floor = floor.min(0.5);
    let top = tops(series).fold(floor, f64::max);
    let decades = (top.log10().ceil() - floor.log10()).max(1.0);
    // The axis ends at 1 at the latest; a margin is added beyond its end.
    let decades = decades.min(-floor.log10()) * (1.0 + MARGIN);
    let to = 10_f64.powf(floor.log10() + decades);
    axis("false-positive rate p", Scale::Log, floor, to)
}

/// Returns a logarithmic axis of ratios of rates, which begins at 0.9.
pub(crate) fn ratio_axis(name: &str, series: &[Series]) -> Axis {
    let top = tops(series).fold(1.0, f64::max).log10();
    axis(name, Scale::Log, 0.9, 10_f64.powf(top * 1.03 + MARGIN))
}

/// Returns a round number at or below every positive value of the curves, from 1e-300 to 1: the highest such power of ten. If
/// the highest value is at most 100 times the lowest, returns 5 or 2 times this power instead, if the product is also at or
/// below every positive value.
pub(crate) fn floor(series: &[Series]) -> f64 {
    let lows = series.iter().flat_map(|series| &series.curve);
    let low = lows.map(|point| point.y).filter(|y| *y > 0.0);
    let low = low.fold(1.0, f64::min);
    let decade = 10_f64.powf((low.log10() + 1e-9).floor().max(MIN_DECADE));
    if tops(series).fold(0.0, f64::max) / low > 100.0 {
        return decade;
    }
    let round = [5.0, 2.0].map(|digit| digit * decade);
    round
        .into_iter()
        .find(|round| *round <= low)
        .unwrap_or(decade)
}

/// Returns the values of curves and dots, and the upper ends of bands and of measured intervals. If the interval of a point is
/// along the horizontal axis, returns the y of the point.
pub(crate) fn tops(series: &[Series]) -> impl Iterator<Item = f64> {
    spans(series).map(|[_, high]| high)
}

/// Returns the values of curves and dots, and the lower ends of bands and of measured intervals, like [`tops`]. A measured
/// upper bound has no lower end, so its upper end is returned.
pub(crate) fn bottoms(series: &[Series]) -> impl Iterator<Item = f64> {
    spans(series).map(|[low, _]| low)
}

fn spans(series: &[Series]) -> impl Iterator<Item = [f64; 2]> {
    series.iter().flat_map(|series| {
        let points = series.curve.iter().chain(&series.dots);
        let bands = series.band.iter().map(|span| [span.low, span.high]);
        let measured = series.measured.iter().map(|point| match *point {
            Measured {
                across: true, y, ..
            } => [y; 2],
            Measured { low, high, .. } => [if point.is_bound { high } else { low }, high],
        });
        points
            .map(|point| [point.y; 2])
            .chain(bands)
            .chain(measured)
    })
}

/// Returns `count` + 1 numbers from `from` to `to`, at equal ratios.
pub(crate) fn by_ratio(from: f64, to: f64, count: u32) -> impl Iterator<Item = f64> {
    let step = (to / from).ln() / f64::from(count);
    (0..=count).map(move |index| match index {
        // The last number is exactly `to`, without rounding.
        index if index == count => to,
        index => from * (f64::from(index) * step).exp(),
    })
}

/// Returns `count` + 1 numbers from `from` to `to`, at equal differences.
pub(crate) fn by_difference(from: f64, to: f64, count: u32) -> impl Iterator<Item = f64> {
    (0..=count).map(move |index| from + (to - from) * f64::from(index) / f64::from(count))
}

/// Returns the numbers of [`by_ratio`], rounded to whole numbers, without repetitions.
pub(crate) fn whole_by_ratio(from: f64, to: f64, count: u32) -> Vec<f64> {
    let mut all: Vec<f64> = by_ratio(from, to, count).map(f64::round).collect();
    all.dedup();
    all
}

/// Returns the label and the last value of each curve.
pub(crate) fn ends(series: &[Series]) -> impl Iterator<Item = (&str, f64)> {
    let ends = series.iter();
    ends.filter_map(|series| Some((&*series.label, series.curve.last()?.y)))
}

/// Returns the labels of all curves, each with the last value of its curve, as a list in words.
pub(crate) fn ends_listed(series: &[Series]) -> String {
    let ends = ends(series).map(|(label, y)| format!("{label} {}", nearest(y, 3)));
    ends.collect::<Vec<_>>().join(", ")
}

/// Returns the points of a curve: `y` is called with each of `places`.
pub(crate) fn curve(
    places: impl IntoIterator<Item = f64>,
    mut y: impl FnMut(f64) -> Result<f64, FigureError>,
) -> Result<Vec<Point>, FigureError> {
    let points = places.into_iter().map(|x| Ok(Point { x, y: y(x)? }));
    points.collect()
}

/// Rejects a list that is empty, longer than `most`, or has duplicates.
pub(crate) fn check_list<T: PartialEq + ToString>(
    parameter: &'static str,
    list: &[T],
    most: usize,
) -> Result<(), FigureError> {
    debug_assert!(most <= MAX_SERIES);
    check_count(parameter, list.len(), most)?;
    require(
        parameter,
        "needs at least one number",
        !list.is_empty(),
        "none",
    )?;
    for (index, one) in list.iter().enumerate() {
        let (once, got) = (!list[..index].contains(one), short(one) + " twice");
        check(parameter, "a list without repetitions", once, &got)?;
    }
    Ok(())
}

/// Rejects a list that [`check_list`] rejects, or that has a number outside the range.
pub(crate) fn check_each<T: PartialOrd + ToString + Copy>(
    parameter: &'static str,
    list: &[T],
    most: usize,
    range: RangeInclusive<T>,
) -> Result<(), FigureError> {
    check_list(parameter, list, most)?;
    let mut all = list.iter();
    all.try_for_each(|one| within(parameter, range.clone(), *one))
}

/// Rejects a list with more than `most` entries, which a reader of the chart could not tell apart.
pub(crate) fn check_count(
    parameter: &'static str,
    got: usize,
    most: usize,
) -> Result<(), FigureError> {
    let rule = format!("must have at most {most} entries to be told apart");
    require(parameter, &rule, got <= most, got)
}

/// Rejects a number outside the range.
pub(crate) fn within<T: PartialOrd + ToString + Copy>(
    parameter: &'static str,
    range: RangeInclusive<T>,
    got: T,
) -> Result<(), FigureError> {
    let end = |end: &T| nearest(end.to_string().parse().unwrap_or(f64::NAN), 15);
    let rule = format!("from {} to {}", end(range.start()), end(range.end()));
    check(parameter, &rule, range.contains(&got), got)
}

/// Rejects a value if `holds` is false. `rule` completes `must be`.
pub(crate) fn check(
    parameter: &'static str,
    rule: &str,
    holds: bool,
    got: impl ToString + Copy,
) -> Result<(), FigureError> {
    require(parameter, &format!("must be {rule}"), holds, got)
}

/// Rejects a value if `holds` is false. `rule` begins with its verb.
pub(crate) fn require(
    parameter: &'static str,
    rule: &str,
    holds: bool,
    got: impl ToString + Copy,
) -> Result<(), FigureError> {
    if holds {
        return Ok(());
    }
    Err(FigureError::refused(parameter, rule, short(&got)))
}

/// Returns a value as short text: 1e-300 stays 1e-300, and is not written with 300 zeros.
fn short(got: &impl ToString) -> String {
    let got = got.to_string();
    let number = got.parse().ok();
    let number = number.filter(|_| got.contains('.') || got.len() > 25);
    number.map_or(got, written)
}
