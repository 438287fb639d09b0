//! Adds points that are measured on real filters to the curves of a figure. The total work is computed first, and must be
//! within a limit.

use bloom_params::numbers::grouped;

use crate::axes::whole_by_ratio;
use crate::curves::{Figure, Point, Series};
use crate::error::FigureError;
use crate::filter::Filter;
use crate::interval::measured;
use crate::measure::{Effort, Work};

/// The number of measured points per curve, in charts where each point needs filters of another size. [`places_where`] returns
/// up to one more.
pub(crate) const MEASURED_POINTS: u32 = 5;

/// A question, such as how the rate rises with the items, whose computed answer can be compared with measurements of real
/// filters.
pub trait Measurable {
    /// Computes the figure. With an effort (the number of filters and queries per point), the figure also has measured points.
    ///
    /// # Errors
    ///
    /// Every field must be in its range; it must be possible to build the filters; the measurement
    /// must fit in memory and within the step limit.
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError>;
}

/// A point to measure.
pub(crate) struct Place {
    /// The index of the series that the point belongs to.
    series: usize,
    /// The value of the point on the horizontal axis.
    x: f64,
    /// The items of each filter.
    items: u64,
    /// The kind and size of the filters.
    filter: Filter,
    /// The measured rate is divided by this rate for the plot.
    unit: f64,
}

impl Place {
    /// Creates a place where the rate itself is plotted.
    pub(crate) fn new(series: usize, x: f64, items: u64, filter: Filter) -> Self {
        Self {
            series,
            x,
            items,
            filter,
            unit: 1.0,
        }
    }

    /// Returns the place with its rate divided by `unit` for the plot.
    pub(crate) fn over(self, unit: f64) -> Self {
        Self { unit, ..self }
    }
}

/// If there is an effort, measures the rate at each place that `places` returns, and adds the measured point to the series of
/// the place.
pub(crate) fn measure_places(
    effort: Option<Effort>,
    series: &mut [Series],
    places: impl FnOnce(Effort, &[Series]) -> Result<Vec<Place>, FigureError>,
) -> Result<(), FigureError> {
    let Some(effort) = effort else {
        return Ok(());
    };
    let places = places(effort, series)?;
    let cost = |place: &Place| (place.items, place.filter.bits());
    measure_each(effort, places, cost, |work, place| {
        let sample = place.filter.measure(work, place.items)?;
        let point = measured(place.x, &sample).map_y(|rate| rate / place.unit);
        series[place.series].measured.push(point);
        Ok(())
    })
}

/// Calls `one` for every place, if the filters of all places together stay within the limit on steps. `cost` returns the items
/// and bits of a filter at a place.
pub(crate) fn measure_each<P>(
    effort: Effort,
    places: Vec<P>,
    cost: impl Fn(&P) -> (u64, u64),
    mut one: impl FnMut(&mut Work, P) -> Result<(), FigureError>,
) -> Result<(), FigureError> {
    let costs = places.iter().map(cost);
    let steps = costs.map(|(items, bits)| effort.steps(items, bits));
    let mut work = Work::new(effort, steps.sum())?;
    places
        .into_iter()
        .try_for_each(|place| one(&mut work, place))
}

/// Returns up to [`MEASURED_POINTS`] + 1 numbers of items at equal ratios, from the first to the last point of a curve for
/// which `seen` holds.
pub(crate) fn places_where(
    curve: &[Point],
    seen: impl Fn(Point) -> Result<bool, FigureError>,
) -> Result<Vec<u64>, FigureError> {
    let mut ends = Vec::new();
    for point in curve {
        if seen(*point)? {
            ends.push(point.x);
        }
    }
    let (Some(first), Some(last)) = (ends.first(), ends.last()) else {
        return Ok(Vec::new());
    };
    let counts = whole_by_ratio(*first, *last, MEASURED_POINTS);
    Ok(counts.into_iter().map(|items| items as u64).collect())
}

/// Returns the rate at which the queries of one point find `hits` false positives on average.
pub(crate) fn fewest_hits(effort: Effort, hits: f64) -> f64 {
    hits / effort.all_queries()
}

impl Figure {
    /// If there is an effort, adds sentences that explain the measured points to the note.
    pub(crate) fn measured(mut self, effort: Option<Effort>) -> Self {
        let Some(effort) = effort else {
            return self;
        };
        let mut all = self.series.iter().flat_map(|series| &series.measured);
        if all.clone().next().is_none() {
            self.note += " Nothing is measured: too few queries for a false positive.";
            return self;
        }
        let queries = match effort.queries() {
            1 => "1 query".to_owned(),
            queries => format!("{} queries", grouped(queries)),
        };
        let are_bounds = all.any(|point| point.is_bound);
        let filters = grouped(effort.filters());
        self.note += &format!(
            " Points: mean of {filters} real filters with {queries} each, and 99% interval."
        );
        if are_bounds {
            self.note += " Arrows: 99% upper bound, where there was no false positive.";
        }
        self
    }
}
