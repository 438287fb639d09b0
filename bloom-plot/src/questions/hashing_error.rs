//! A chart of the cost of double hashing, which derives all k positions of an item from two hash values: the rate relative to
//! the rate with independent positions.

use bloom_core::Shape;
use bloom_core::math::Model;
use bloom_params::numbers::nearest;
use bloom_systems::double_hashing::excess;

use crate::axes::{axis, curve, ratio_axis, within};
use crate::curves::{Figure, Point, Scale, Series};
use crate::error::FigureError;
use crate::filter::{Filter, SCHEMES};
use crate::measure::Effort;
use crate::measuring::{Measurable, Place, measure_places};

/// The binary logarithm of the bits of the smallest filter.
const FIRST: u32 = 6;

/// The question: how much does double hashing raise the rate?
///
/// The curves are the predicted rates with plain and with enhanced double hashing, relative to the exact rate with independent
/// positions. For small filters (at k = 7, up to 256 bits) the predictions are exact, because all pairs of hash values are
/// enumerated; these predictions are drawn as discs. For larger filters the predictions are approximations to first order in
/// 1/m.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashingError {
    /// Bits m at the right end of the axis; sizes are powers of two.
    pub bits: u64,
    /// Hashes k, from 3 to 14; without a value, the best k is used.
    pub hashes: Option<u8>,
    /// Bits per item m/n.
    pub bits_per_item: u64,
}

impl Measurable for HashingError {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        let (per_item, most) = (self.bits_per_item, self.bits);
        within("bits per item", 4..=20, per_item)?;
        within("m", 128..=1 << 40, most)?;
        let best = Model::Exact.best_hashes(1_000_000, per_item * 1_000_000)?;
        let hashes = self.hashes.unwrap_or(best);
        within("k", 3..=14, hashes)?;
        // The last size may be beyond the end of the axis, so that the curves reach this end.
        let powers = FIRST..=most.next_power_of_two().ilog2();
        let sizes: Vec<u64> = powers.map(|power| 1 << power).collect();
        let items = |bits: u64| (bits + per_item / 2) / per_item;
        let shape = |bits: u64| Shape::new(bits, hashes);
        let independent = |bits: u64| {
            Ok::<_, FigureError>(Filter::Plain(shape(bits)?).rate(items(bits))?.value())
        };
        let places = || sizes.iter().map(|bits| *bits as f64);
        let mut series = Vec::new();
        for (label, scheme) in SCHEMES {
            let mut dots = Vec::new();
            let predicted = curve(places(), |x| {
                let bits = x as u64;
                let added = excess(scheme, items(bits), bits, hashes)?;
                let y = 1.0 + added.expected / independent(bits)?;
                // If what the scheme adds to the rate was computed exactly, by enumeration, its two bounds are equal.
                if added.low == added.high {
                    dots.push(Point { x, y });
                }
                Ok(y)
            })?;
            series.push(Series {
                dots,
                thin: true,
                ..Series::line(label, predicted)
            });
        }
        series.push(Series::line("ours", curve(places(), |_| Ok(1.0))?));
        measure_places(effort, &mut series, |_, series| {
            let mut places = Vec::new();
            for bits in sizes.iter().filter(|bits| **bits <= most) {
                for index in 0..series.len() {
                    let filter = Filter::Hashed(index, shape(*bits)?);
                    let place = Place::new(index, *bits as f64, items(*bits), filter);
                    places.push(place.over(independent(*bits)?));
                }
            }
            Ok(places)
        })?;
        let [plain, enhanced] = [0, 1].map(|scheme| {
            let curve: &[Point] = &series[scheme].curve;
            let mut inside = curve.iter().filter(|point| point.x <= most as f64);
            [curve[0], inside.next_back().copied().unwrap_or(curve[0])]
        });
        let [first, last] = plain;
        Ok(Figure {
            title: format!("What double hashing costs, m/n = {per_item}, k = {hashes}"),
            note:
                "Rate over the exact one of independent positions. Plain: a + ib; enhanced: a + ib \
                 + (i³ - i)/6. Discs: enumerated, exact; beyond them the excess falls as 1/m. Ours \
                 is meant to be at 1."
                    .to_owned(),
            description: format!(
                "The false-positive rate over that of independent positions, by the bits m: with \
                 plain double hashing {} at {} bits and {} at {}; with enhanced double hashing {} \
                 and {}; with ours 1.",
                nearest(first.y, 3),
                nearest(first.x, 3),
                nearest(last.y, 5),
                nearest(last.x, 13),
                nearest(enhanced[0].y, 3),
                nearest(enhanced[1].y, 5),
            ),
            x: axis("bits m", Scale::Bits, first.x, most as f64),
            y: ratio_axis("rate / rate of independent hashes", &series),
            series,
            marks: Vec::new(),
        }
        .measured(effort))
    }
}
