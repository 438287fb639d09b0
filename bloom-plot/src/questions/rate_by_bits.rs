//! A chart of the rate by the bits per item m/n: one curve for each k, one for the best k at each size, and the lower bound
//! 2^(-m/n).

use bloom_core::Shape;
use bloom_core::math::{Model, exact};
use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, by_difference, check, check_list, curve, ends, floor, rate_axis, within};
use crate::curves::{Figure, MAX_SERIES, Point, Scale, Series};
use crate::error::FigureError;
use crate::filter::Filter;
use crate::measure::Effort;
use crate::measuring::{Measurable, Place, measure_places};
use crate::sampling::{POINTS, offset, places_along};

/// The number of measured points for each k.
const MEASURED_POINTS: u32 = 7;

/// The question: which rate does each number of hashes give, by the bits per item?
///
/// All curves except the lower bound are rates of the exact model.
#[derive(Debug, Clone, PartialEq)]
pub struct RateByBits {
    /// Items n.
    pub items: u64,
    /// Numbers of hashes k, a curve for each: up to 6.
    pub hashes: Vec<u8>,
    /// Bits per item at the right end of the axis.
    pub bits_per_item: f64,
}

impl Measurable for RateByBits {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        check_list("k", &self.hashes, MAX_SERIES - 2)?;
        let most = self.bits_per_item;
        within("bits per item", 2.0..=1_000.0, most)?;
        check("n", "at least 1", self.items > 0, self.items)?;
        let items = self.items;
        let per_item = |bits: f64| bits / items as f64;
        // The numbers of bits are whole, so that every computed rate is that of a filter that can be built.
        let places = || {
            let all = by_difference(items as f64, items as f64 * most, POINTS);
            let mut all: Vec<f64> = all.map(f64::round).collect();
            all.dedup();
            all
        };
        let mut series = Vec::new();
        let mut measured = Vec::new();
        for (index, hashes) in self.hashes.iter().enumerate() {
            let bits = curve(places(), |bits| {
                Ok(exact::rate(items, bits as u64, *hashes)?.value())
            })?;
            let offset = offset(index, self.hashes.len());
            for bits in places_along(&bits, MEASURED_POINTS, offset) {
                // The curves begin at 1 bit per item.
                let bits = bits.max(items);
                let filter = Filter::Plain(Shape::new(bits, *hashes)?);
                measured.push(Place::new(index, per_item(bits as f64), items, filter));
            }
            let label = format!("k = {hashes}");
            series.push(Series::line(label, scaled(bits, per_item)));
        }
        let best = curve(places(), |bits| {
            let hashes = Model::Exact.best_hashes(items, bits as u64)?;
            Ok(exact::rate(items, bits as u64, hashes)?.value())
        })?;
        let bound = curve(places(), |bits| Ok((-per_item(bits)).exp2()))?;
        for (label, points) in [("best k", best), ("bound", bound)] {
            series.push(Series::dashed(label, scaled(points, per_item)));
        }
        let floor = floor(&series);
        measure_places(effort, &mut series, |_, _| Ok(measured))?;
        let ends: Vec<f64> = ends(&series).map(|(_, rate)| rate).collect();
        let n = grouped(items);
        Ok(Figure {
            title: format!("False-positive rate by bits per item, n = {n}"),
            note: "Lines: exact model. Dashes: the best k at each size, and the bound 2^(-m/n), which \
                 no filter is below.".to_owned(),
            description: format!(
                "The false-positive rate p of Bloom filters falls with \
                 the bits per item m/n: at {} it is {} with the best number of hashes, where no \
                 filter is below {}.",
                nearest(most, 4),
                nearest(ends[ends.len() - 2], 2),
                nearest(ends[ends.len() - 1], 2),
            ),
            x: axis("bits per item m/n", Scale::Linear, 0.0, most),
            y: rate_axis(&series, floor),
            series,
            marks: Vec::new(),
        }
        .measured(effort))
    }
}

fn scaled(mut points: Vec<Point>, x: impl Fn(f64) -> f64) -> Vec<Point> {
    for point in &mut points {
        point.x = x(point.x);
    }
    points
}
