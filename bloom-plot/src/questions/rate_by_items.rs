//! A chart of the rate while a filter fills: p by n for one m and several k, computed and measured.

use bloom_core::Shape;
use bloom_core::math::{Model, exact};
use bloom_params::numbers::{counted, grouped, nearest};

use crate::axes::{MIN_DECADE, axis, check, check_count, check_list, curve, ends, rate_axis};
use crate::curves::{Figure, MAX_SERIES, Point, Scale, Series};
use crate::error::FigureError;
use crate::filter::{Filter, half_full};
use crate::measure::Effort;
use crate::measuring::{Measurable, Place, measure_places};
use crate::sampling::{curve_places, offset, places_along};
use crate::words::listed;

/// By default, the axis of items ends where the last of the curves reaches this rate. With this many items, all filters are
/// clearly overfull.
const OVERFULL: f64 = 0.3;

/// The fewest items at the right end of the axis, if its end is not given, however few bits the filter has.
const MIN_ITEMS: u64 = 10;

/// The number of measured points of each curve.
const MEASURED_POINTS: u32 = 12;

/// How many powers of ten the axis of rates reaches below the right end of the lowest curve.
const DECADES_BELOW: f64 = 5.0;

/// The question: how does the rate of a filter rise with its items?
///
/// The curves show the rates of the exact model. At its right end, each curve must have a rate of at least 1e-300. On each
/// curve of a given k, 12 points are measured on real filters, or fewer if the curve has fewer whole numbers of items. These
/// points are at equal distances along the computed curve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateByItems {
    /// Bits m of the filter.
    pub bits: u64,
    /// Numbers of hashes k, a curve for each: up to 8.
    pub hashes: Vec<u8>,
    /// Items n at the right end of the axis; without a value the axis ends where every rate is 0.3 or more.
    pub items: Option<u64>,
    /// Whether to draw a curve of the rate with the best k at each n, too.
    pub best: bool,
}

impl Measurable for RateByItems {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        let shapes = self.shapes()?;
        let items = self.last_items()?;
        let floor = lowest(effort, &shapes, items)?;
        let mut series = Vec::with_capacity(shapes.len());
        for shape in &shapes {
            series.push(rising(*shape, items, floor)?);
        }
        measure_places(effort, &mut series, |_, series| {
            Ok(places(&shapes, series, floor))
        })?;
        if self.best {
            let best = above_zero(curve_places(1, items), |items| {
                let hashes = Model::Exact.best_hashes(items as u64, self.bits)?;
                Ok(exact::rate(items as u64, self.bits, hashes)?.value())
            });
            series.push(Series::dashed("best k", best?));
        }
        Ok(Figure {
            title: format!("False-positive rate by items, m = {}", grouped(self.bits)),
            note: self.note(),
            description: self.description(effort, &series, items),
            x: axis("items n", Scale::Counts, 0.0, items as f64),
            y: rate_axis(&series, floor),
            series,
            marks: Vec::new(),
        }
        .measured(effort))
    }
}

impl RateByItems {
    fn shapes(&self) -> Result<Vec<Shape>, FigureError> {
        check_list("k", &self.hashes, MAX_SERIES)?;
        if self.best {
            check_count("k beside the best", self.hashes.len(), MAX_SERIES - 1)?;
        }
        let shapes = self.hashes.iter().map(|k| Shape::new(self.bits, *k));
        Ok(shapes.collect::<Result<_, _>>()?)
    }

    fn last_items(&self) -> Result<u64, FigureError> {
        if let Some(items) = self.items {
            check("n", "at least 2 to make a curve", items >= 2, items)?;
            return Ok(items);
        }
        let mut last = MIN_ITEMS;
        for hashes in &self.hashes {
            last = last.max(Model::Exact.max_items(self.bits, *hashes, OVERFULL)?);
        }
        Ok(two_digits_up(last))
    }

    fn note(&self) -> String {
        let best = if self.best {
            ", and the best whole k at each n"
        } else {
            ""
        };
        format!(
            "Lines: exact model. Discs: half full, the design for this k; dashes: over capacity{best}."
        )
    }

    fn description(&self, effort: Option<Effort>, series: &[Series], items: u64) -> String {
        let ends = ends(series).map(|(label, rate)| format!("{} for {label}", nearest(rate, 2)));
        let measured = effort.map_or_else(String::new, |effort| {
            let filters = grouped(effort.filters());
            format!("; the points beside the curves were measured on {filters} real filters each")
        });
        format!(
            "The false-positive rate p of a Bloom filter of {} rises with \
             its items n, up to {} items, where p is about {}{measured}.",
            counted(self.bits, "bit"),
            grouped(items),
            listed(&ends.collect::<Vec<_>>(), "and"),
        )
    }
}

/// Returns the lowest rate that is shown: a power of ten, at least 1e-300. It is at least five powers of ten below the right
/// end of every curve, or 1e-300 if that is not as far below. If rates are measured, it is also below the rates that the
/// measurement can distinguish from 0.
fn lowest(effort: Option<Effort>, shapes: &[Shape], items: u64) -> Result<f64, FigureError> {
    let mut decade = effort.map_or(0.0, |effort| (0.5 / effort.all_queries()).log10().floor());
    for shape in shapes {
        let (bits, hashes) = (shape.bits(), shape.hashes());
        let end = exact::rate(items, bits, hashes)?.ln() / std::f64::consts::LN_10;
        if end < MIN_DECADE {
            let [items, bits] = [items, bits].map(grouped);
            let got = format!("less up to n = {items} at m = {bits}, k = {hashes}");
            let rule = "must reach 1e-300 to be drawn";
            return Err(FigureError::refused("p", rule, got));
        }
        decade = decade.min(end.floor() - DECADES_BELOW);
    }
    Ok(10_f64.powf(decade.max(MIN_DECADE)))
}

/// Returns the exact curve of a filter's rate from one item to `last` items, with a disc where the filter is half full. The
/// points of the curve are dense where its rate is above `floor`, the lowest rate that is shown.
fn rising(shape: Shape, last: u64, floor: f64) -> Result<Series, FigureError> {
    let (bits, hashes) = (shape.bits(), shape.hashes());
    let rate = |items: f64| Ok(exact::rate(items as u64, bits, hashes)?.value());
    let first = Model::Exact.max_items(bits, hashes, floor)?.max(1);
    let mut places = [curve_places(1, first), curve_places(first, last)].concat();
    // From this number of items on, the curve is dashed. There is no disc if this number is beyond `last`.
    let design = half_full(shape).round() as u64;
    let half_full = Some(design).filter(|_| (1..=last).contains(&design));
    places.extend(half_full);
    places.retain(|items| *items <= last);
    places.sort_unstable();
    places.dedup();
    Ok(Series {
        dots: curve(half_full.map(|items| items as f64), rate)?,
        dashed_after: Some(design as f64),
        ..Series::line(format!("k = {hashes}"), above_zero(places, rate)?)
    })
}

/// Computes the points of a curve, without those whose rate is 0 as an `f64`.
fn above_zero(
    places: Vec<u64>,
    rate: impl FnMut(f64) -> Result<f64, FigureError>,
) -> Result<Vec<Point>, FigureError> {
    let mut points = curve(places.into_iter().map(|items| items as f64), rate)?;
    points.retain(|point| point.y > 0.0);
    Ok(points)
}

/// Returns the points to measure along every curve, where its rate is above `floor`.
fn places(shapes: &[Shape], series: &[Series], floor: f64) -> Vec<Place> {
    let mut places = Vec::new();
    for (index, (shape, theory)) in shapes.iter().zip(series).enumerate() {
        let below = theory.curve.partition_point(|point| point.y <= floor);
        let shown = &theory.curve[below.saturating_sub(1)..];
        let along = places_along(shown, MEASURED_POINTS, offset(index, shapes.len()));
        let filter = Filter::Plain(*shape);
        let along = along.into_iter();
        places.extend(along.map(|items| Place::new(index, items as f64, items, filter)));
    }
    places
}

/// Rounds a number up to at most two significant digits.
fn two_digits_up(count: u64) -> u64 {
    let unit = 10_u64.pow(count.max(10).ilog10() - 1);
    count.div_ceil(unit).saturating_mul(unit)
}
