//! Computes what a chart draws to show how a value, such as the rate, varies between filters of one size: its mean over such
//! filters, a band of two standard deviations on either side, and the values of real filters as discs.

use bloom_core::{BloomFilter, Shape};
use bloom_params::numbers::grouped;

use crate::axes::{by_ratio, curve, whole_by_ratio};
use crate::curves::{Point, Series, Span};
use crate::error::FigureError;
use crate::measure::{Effort, filled};
use crate::measuring::measure_each;

/// Returns a horizontal line at `mean` from `first` to `last` items, with a band of two standard deviations on either side.
/// `deviation` returns the standard deviation for a number of items.
pub(crate) fn deviations(
    label: &str,
    mean: f64,
    (first, last): (f64, f64),
    points: u32,
    deviation: impl Fn(f64) -> Result<f64, FigureError>,
) -> Result<Series, FigureError> {
    let places = whole_by_ratio(first, last, points);
    let band = places.iter().map(|&x| {
        let both = 2.0 * deviation(x)?;
        let (low, high) = (mean - both, mean + both);
        Ok(Span { x, low, high })
    });
    Ok(Series {
        band: band.collect::<Result<_, FigureError>>()?,
        ..Series::line(label, curve(places.iter().copied(), |_| Ok(mean))?)
    })
}

/// Fills real filters, and returns the value that `read` takes from each, divided by the mean. There are filters for each of
/// `count` + 1 numbers of items, from `first` to `last` at equal ratios; `kind` returns the shape and the mean for a number of
/// items. If `effort`, which has the number of filters, is `None`, no filter is filled.
pub(crate) fn single_filters(
    effort: Option<Effort>,
    (first, last): (f64, f64),
    count: u32,
    kind: impl Fn(u64) -> Result<(Shape, f64), FigureError>,
    read: impl Fn(&BloomFilter<u64>) -> Option<f64>,
) -> Result<Vec<Point>, FigureError> {
    let Some(effort) = effort else {
        return Ok(Vec::new());
    };
    let places = by_ratio(first, last, count).map(|items| {
        let items = items.round() as u64;
        Ok((items, kind(items)?))
    });
    let places = places.collect::<Result<Vec<_>, FigureError>>()?;
    let mut dots = Vec::new();
    let cost = |(items, (shape, _)): &(u64, (Shape, f64))| (*items, shape.bits());
    measure_each(effort, places, cost, |work, (items, (shape, mean))| {
        let known = filled(work, items, shape, &read)?.into_iter().flatten();
        let x = items as f64;
        dots.extend(known.map(|known| Point { x, y: known / mean }));
        Ok(())
    })?;
    Ok(dots)
}

/// Returns the sentence that explains the discs of real filters, with a leading space; an empty text if there are no such
/// discs.
pub(crate) fn discs_note(effort: Option<Effort>, each: &str) -> String {
    let filters = effort.map(|effort| grouped(effort.filters()));
    filters.map_or_else(String::new, |filters| {
        format!(" Discs: {filters} real filters {each}.")
    })
}
