//! A chart of what a hash of few bits adds to the rate: a query whose hash is also that of an inserted item is a false
//! positive, however large the filter is.

use bloom_core::Shape;
use bloom_core::math::{Model, distinct_hashes, hash_floor, with_hash_floor};
use bloom_params::numbers::{counted, nearest};

use crate::axes::{axis, bottoms, check, check_each, curve, whole_by_ratio};
use crate::curves::{Figure, MAX_SERIES, Scale, Series};
use crate::error::FigureError;
use crate::filter::Filter;
use crate::measure::Effort;
use crate::measuring::{Measurable, Place, fewest_hits, measure_places, places_where};
use crate::sampling::POINTS;

/// The height of the first curve's label: a share of the way down from 1 to p on the logarithmic axis.
const LABEL: f64 = 0.35;
/// How much lower each further label is, as a share of the way from 1 to p.
const LABEL_STEP: f64 = 0.1;

/// A point is measured if at least this many false positives are expected.
const HITS: f64 = 10.0;
/// A point is measured if it has at most this many items.
const MAX_MEASURED: f64 = 1e6;

/// The question: from how many items on do the hashes have too few bits?
///
/// For each width of w bits, one curve is the chance 1 - (1 - 2^-w)^n that a query has the hash of one of the n items. The
/// other curve is the rate of a filter sized for n items at p, combined with this chance. This filter would be half full with n
/// different hashes, but it receives fewer, because some items share a hash. Filters whose hashes are truncated to w bits, up
/// to 64, are measured with up to a million items, and only where about 10 or more false positives are expected.
#[derive(Debug, Clone, PartialEq)]
pub struct HashFloor {
    /// Up to 4 numbers of bits of a hash, with two curves for each number.
    pub widths: Vec<u32>,
    /// The rate p for which the filter is sized, as if no two items shared a hash.
    pub rate: f64,
    /// Items n at the right end of the axis.
    pub items: u64,
}

impl Measurable for HashFloor {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        let range = 8..=128;
        check_each("hash bits", &self.widths, MAX_SERIES / 2, range)?;
        let (rate, items) = (self.rate, self.items);
        let holds = (1e-15..1.0).contains(&rate);
        check("p", "from 1e-15 to below 1", holds, rate)?;
        check("n", "at least 10", items >= 10, items)?;
        // At the start of the axis, several steps round to the same whole number of items, which is taken once.
        let counts = whole_by_ratio(1.0, items as f64, POINTS);
        let mut series = Vec::new();
        let mut ends = Vec::new();
        for (index, width) in self.widths.iter().enumerate() {
            let floor = |items: f64| Ok(hash_floor(items as u64, *width)?);
            let combined = curve(counts.iter().copied(), |items| {
                // The filter would be half full with n different hashes, but it gets only a share of n: `share`.
                let share = distinct_hashes(items as u64, *width)? / items.floor();
                let of_hashes = (1.0 - (-share).exp2()).powf(-rate.log2());
                Ok(with_hash_floor(of_hashes, floor(items)?))
            })?;
            // At the right end, all curves of hashes with few bits are 1. So each label is where its curve rises, because the
            // curves are apart there. Each label is lower than the label of the curve before, so that the labels of close
            // curves do not overlap.
            let height = rate.powf(LABEL + LABEL_STEP * index as f64);
            let mut upper = combined.iter().filter(|point| point.y >= height);
            series.push(Series {
                label_at: upper.next().copied(),
                ..Series::line(format!("{width} bits"), combined)
            });
            let floors = curve(counts.iter().copied(), floor)?;
            series.push(Series {
                joined: true,
                ..Series::dashed(format!("floor, {width} bits"), floors)
            });
            let end = nearest(floor(items as f64)?, 2);
            ends.push(format!("{end} for {width} bits"));
        }
        let places = |effort, series: &[Series]| self.places(effort, series);
        measure_places(effort, &mut series, places)?;
        // The axis ends at most five powers of ten below p: where the chance of a collision is far below p, it does not matter.
        let lows = bottoms(&series).filter(|low| *low > 0.0);
        let low = lows.fold(1.0, f64::min).log10().floor();
        let low = 10_f64.powf(low.max(rate.log10().floor() - 4.0));
        Ok(Figure {
            title: format!("What a hash of few bits adds to p = {}", nearest(rate, 3)),
            note:
                "Dashes: the chance that a query has the very hash of an item, 1 - (1 - 2^-w)^n. \
                 Lines: the rate of a filter behind such hashes."
                    .to_owned(),
            description: format!(
                "The floor that hashes put under any false-positive rate rises with \
                 the items n; with {} it is {}.",
                counted(items, "item"),
                ends.join(" and ")
            ),
            x: axis("items n", Scale::Log, 1.0, items as f64),
            y: axis("false-positive rate p", Scale::Log, low, 1.5),
            series,
            marks: Vec::new(),
        }
        .measured(effort))
    }
}

impl HashFloor {
    /// Returns the points to measure: filters whose hashes are truncated to few bits, each sized for its number of items.
    fn places(&self, effort: Effort, series: &[Series]) -> Result<Vec<Place>, FigureError> {
        let most = MAX_MEASURED.min(self.items as f64);
        let mut places = Vec::new();
        for (index, width) in self.widths.iter().enumerate() {
            let counts = places_where(&series[2 * index].curve, |point| {
                let seen = point.y >= fewest_hits(effort, HITS) && point.y <= 0.9;
                Ok(point.x <= most && *width <= 64 && seen)
            })?;
            for items in counts {
                let (bits, hashes) = Model::Exact.min_size(items, self.rate)?;
                let filter = Filter::Narrow(*width, Shape::new(bits, hashes)?);
                places.push(Place::new(2 * index, items as f64, items, filter));
            }
        }
        Ok(places)
    }
}
