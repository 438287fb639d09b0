//! A chart of the true rates of filters that are sized by various rules, such as the textbook's and those of libraries,
//! relative to the requested rate.

use bloom_params::numbers::{counted, grouped, nearest};

use crate::axes::{axis, bottoms, by_ratio, check, check_list, tops, within};
use crate::curves::{Figure, MAX_SERIES, Point, Scale, Series, Span};
use crate::error::FigureError;
use crate::measure::Effort;
use crate::measuring::{MEASURED_POINTS, Measurable, Place, fewest_hits, measure_places};
use crate::rules;
use crate::sampling::staggered;
use crate::teeth::{Grouped, mean_and_range, run_together};

/// The number of steps along a curve.
const POINTS: u32 = 500;
/// The number of steps along a curve on which each size is found by a search, which is slow.
const SEARCHED_POINTS: u32 = 60;

/// The number of steps along a curve whose teeth (the jumps where k or m is rounded) are close together: several steps for each
/// tooth.
const FINE_POINTS: u32 = 4_000;

/// The highest rate on the axis.
const MAX: f64 = 0.25;

/// The bounds of a rate are drawn if, somewhere on the curve, they are further apart than this share of the rate.
const APART: f64 = 1e-3;

/// The fewest false positives to expect at a measured point: enough to know the rate within 3 %.
const HITS: f64 = 10_000.0;

/// The question: which rate does a filter have if a rule chose its size for a target rate?
///
/// Each curve shows the true rate of a filter whose size a rule gives, divided by the target rate. A curve is exact if the
/// positions of its filters are independent. If the positions of a library are not independent, its curve is the best estimate,
/// between bounds. If the jumps of a curve, where k or m is rounded, are too close to be drawn, a mean and a band are drawn
/// instead. Real filters of these sizes, with the positions of the library, are measured at rates high enough for at least
/// about 10,000 false positives per point.
#[derive(Debug, Clone, PartialEq)]
pub struct SizingError {
    /// Items n.
    pub items: u64,
    /// Lowest rate p on the axis.
    pub rate: f64,
    /// The names of the rules: `textbook`, `ours` (the smallest size that suffices by the exact model), and libraries by their
    /// names in `bloom-params --like`.
    pub rules: Vec<String>,
}

impl Measurable for SizingError {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        let (items, lowest) = (self.items, self.rate);
        check("n", "at least 1", items > 0, items)?;
        within("p", 1e-12..=0.1, lowest)?;
        check_list("rules", &self.rules, MAX_SERIES)?;
        let mut series = Vec::new();
        let mut ranges = Vec::new();
        let (mut are_close, mut are_apart) = (false, false);
        for rule in &self.rules {
            self.check_lowest(rule)?;
            let is_slow = rules::is_slow(rule);
            let count = if is_slow { SEARCHED_POINTS } else { POINTS };
            let mut points = self.points(rule, count)?;
            let run_together = run_together(&points);
            if run_together {
                points = self.points(rule, FINE_POINTS)?;
            }
            let heights = || points.iter().map(|(point, ..)| point.y);
            let least = heights().fold(f64::INFINITY, f64::min);
            let most = heights().fold(0.0, f64::max);
            let is_apart = |(point, span, _): &Grouped| span.high - span.low > APART * point.y;
            let apart = points.iter().any(is_apart);
            are_close |= run_together;
            are_apart |= apart;
            let (curve, mut band): (_, Vec<Span>) = if run_together {
                mean_and_range(&points)
            } else {
                let each = |(point, span, _): &Grouped| (*point, *span);
                points.iter().map(each).unzip()
            };
            if !(run_together || apart) {
                band.clear();
            }
            // If the curve is a mean, a disc shows the exact value for the last rate.
            let last = points.last().filter(|_| run_together);
            let [least, most] = [least, most].map(|height| nearest(height, 3));
            ranges.push(format!("{least} to {most} by {rule}"));
            series.push(Series {
                // The curve of Guava is dashed, so that the textbook's curve is visible between the dashes where the two curves
                // coincide.
                dashed: rule == "guava",
                band,
                dots: last.iter().map(|(point, ..)| *point).collect(),
                ..Series::line(rule, curve)
            });
        }
        measure_places(effort, &mut series, |effort, _| self.places(effort))?;
        let sentence = |is_said: bool, sentence| if is_said { sentence } else { "" };
        let close = sentence(
            are_close,
            " Bands of close teeth: range, mean, and a disc at the last p.",
        );
        let apart = sentence(are_apart, " Bands around estimates: bounds of the rate.");
        let top = tops(&series).fold(1.0, f64::max);
        let low = bottoms(&series).fold(1.0, f64::min);
        let margin = 0.08 * (top - low).max(0.01);
        let (low, top) = ((low - margin).max(0.0), top + margin);
        Ok(Figure {
            title: format!("True rate over target rate, n = {}", grouped(items)),
            note: format!(
                "Rates of the sizes that rules give, with each library's own hashing. Above 1 the filter misses its target. Teeth: k and m are rounded (m to bits, words or a power of two).{close}{apart}"
            ),
            description: format!(
                "The true false-positive rate over the target, by the target, for {}: {}.",
                counted(items, "item"),
                ranges.join(", ")
            ),
            x: axis("target rate p", Scale::Log, MAX, lowest),
            y: axis("true rate / target rate", Scale::Linear, low, top),
            series,
            marks: Vec::new(),
        }
        .measured(effort))
    }
}

impl SizingError {
    /// Returns points along the axis, each with its true rate / target rate, the bounds of this ratio, and the number of
    /// hashes.
    fn points(&self, rule: &str, count: u32) -> Result<Vec<Grouped>, FigureError> {
        let points = by_ratio(MAX, self.rate, count).map(|x| {
            let (filter, excess) = rules::size(rule, self.items, x)?;
            let ideal = rules::rate(rule, self.items, x, filter)?;
            let [y, low, high] =
                [excess.expected, excess.low, excess.high].map(|more| (ideal + more) / x);
            Ok((Point { x, y }, Span { x, low, high }, filter.hashes()))
        });
        points.collect()
    }

    /// Rejects a rule that has no size for the lowest rate, and hints at a power of ten for which the rule has a size.
    /// Without this check, the error would come from a point of the curve and name a rate that nobody wrote.
    fn check_lowest(&self, rule: &str) -> Result<(), FigureError> {
        let refused = rules::size(rule, self.items, self.rate).err();
        let Some(FigureError::Library { error, .. }) = refused else {
            return refused.map_or(Ok(()), Err);
        };
        let mut decades =
            ((self.rate.log10().floor() as i32 + 1)..0).map(|decade| format!("1e{decade}"));
        let has_size = |rate: &String| {
            rate.parse()
                .is_ok_and(|rate| rules::size(rule, self.items, rate).is_ok())
        };
        let hint = decades.find(has_size);
        let hint = hint.map(|rate| format!("write --p {rate}, or leave {rule} out of --only"));
        Err(FigureError::Library { error, hint })
    }

    /// Returns the points to measure: filters that each rule sizes for rates along the axis.
    fn places(&self, effort: Effort) -> Result<Vec<Place>, FigureError> {
        let lowest = fewest_hits(effort, HITS).max(self.rate).min(MAX);
        let place = |index: usize, rate| {
            let (filter, _) = rules::size(&self.rules[index], self.items, rate)?;
            Ok(Place::new(index, rate, self.items, filter).over(rate))
        };
        staggered((MAX, lowest), MEASURED_POINTS, self.rules.len(), place)
    }
}
