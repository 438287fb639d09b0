//! A chart of how far two usual formulas for the rate are below the exact rate: the textbook's (1 - (1 - 1/m)^(k n))^k and the
//! asymptotic (1 - e^(-k n/m))^k.

use bloom_core::math::{Model, exact};
use bloom_params::numbers::nearest;

use crate::axes::{axis, check_each, curve, floor, whole_by_ratio, within};
use crate::curves::{Figure, MAX_SERIES, Scale, Series};
use crate::error::FigureError;
use crate::sampling::POINTS;

/// The bits at the left end of the axis. A curve begins at this number of bits or, if it is not a multiple of the curve's bits
/// per item, at the next multiple.
const MIN_BITS: u64 = 64;

/// The question: how far below the exact rate are the two usual formulas, for filters of various sizes?
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelError {
    /// Up to 4 values of the bits per item m/n, with a curve of each formula for each value.
    pub bits_per_item: Vec<u64>,
    /// Bits m at the right end of the axis.
    pub bits: u64,
}

/// The formulas, and their names in the labels.
const MODELS: [(Model, &str); 2] = [
    (Model::Textbook, "textbook"),
    (Model::Asymptotic, "asymptotic"),
];

/// Errors below this are rounding errors of numbers with 16 digits.
const ROUNDING: f64 = 1e-14;

impl ModelError {
    /// Computes the figure, whose curves are 1 - (rate by a formula) / (exact rate). For each m/n, k is the best one for a
    /// million items.
    ///
    /// # Errors
    ///
    /// Every field must be in its range.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        let range = 1..=360;
        check_each("bits per item", &self.bits_per_item, MAX_SERIES / 2, range)?;
        let bits = 1_000..=1_000_000_000_000;
        within("m", bits, self.bits)?;
        let several = self.bits_per_item.len() > 1;
        let mut series = Vec::new();
        let mut phrases = Vec::new();
        for per_item in &self.bits_per_item {
            let hashes = Model::Exact.best_hashes(1_000_000, per_item * 1_000_000)?;
            phrases.push(format!("m/n = {per_item}, k = {hashes}"));
            // Every m on the curve is m/n times a whole number of items, so that m/n is constant along the curve.
            let first = MIN_BITS.div_ceil(*per_item);
            let last = self.bits / per_item;
            let mut places = whole_by_ratio(first as f64, last as f64, POINTS);
            for items in &mut places {
                *items *= *per_item as f64;
            }
            for (model, name) in MODELS {
                let label = if several {
                    format!("{name} {per_item}")
                } else {
                    name.to_owned()
                };
                let errors = curve(places.iter().copied(), |bits| {
                    let (bits, items) = (bits as u64, bits as u64 / per_item);
                    let truth = exact::rate(items, bits, hashes)?.ln();
                    let said = model.rate(items, bits, hashes)?.ln();
                    let error = -(said - truth).exp_m1();
                    // With k = 1 the textbook formula is exact, so any computed error is due to rounding.
                    Ok(if error.abs() < ROUNDING { 0.0 } else { error })
                })?;
                series.push(Series {
                    dashed: model == Model::Asymptotic,
                    ..Series::line(label, errors)
                });
            }
        }
        let first = [0, 1].map(|model| series[model].curve[0]);
        let low = floor(&series);
        Ok(Figure {
            title: "How far the usual formulas are below the exact rate".to_owned(),
            note: format!(
                "1 - p/exact p at {}. Never below 0: the formulas promise too \
                 much, if anything.",
                phrases.join("; ")
            ),
            description: format!(
                "The textbook and the asymptotic formula never exceed the exact false-positive \
                 rate; what they lack falls with the bits m, in large filters as 1/m. With {} and \
                 {} bits the textbook formula lacks {} %, the asymptotic one {} %.",
                phrases[0],
                nearest(first[0].x, 6),
                nearest(100.0 * first[0].y, 2),
                nearest(100.0 * first[1].y, 2),
            ),
            x: axis("bits m", Scale::Bits, MIN_BITS as f64, self.bits as f64),
            y: axis("relative error", Scale::Log, low, 1.0),
            series,
            marks: Vec::new(),
        })
    }
}
