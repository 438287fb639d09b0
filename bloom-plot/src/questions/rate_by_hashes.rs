//! A chart of the rate by the number of hashes k, with marks at the best whole k and at the real number (m/n) ln 2.

use bloom_core::Shape;
use bloom_core::math::{Model, exact, ideal_hashes};
use bloom_params::numbers::{counted, grouped, nearest};

use crate::axes::{axis, by_difference, check, curve, floor, rate_axis};
use crate::curves::{Figure, Mark, Scale, Series};
use crate::error::FigureError;
use crate::filter::Filter;
use crate::measure::Effort;
use crate::measuring::{Measurable, Place, measure_places};
use crate::sampling::POINTS;

/// The question: how many hashes are best for the given items and bits?
///
/// Discs are the rates of the exact model at whole k, and a thin line joins these discs. The dashed curve is the asymptotic
/// rate (1 - e^(-k n/m))^k, which is also defined for real numbers of hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateByHashes {
    /// Items n.
    pub items: u64,
    /// Bits m of the filter.
    pub bits: u64,
    /// The most hashes k on the axis; without a value, the axis ends at 2.2 (m/n) ln 2, rounded up, but at least 4 and at most
    /// 255.
    pub hashes: Option<u8>,
}

impl Measurable for RateByHashes {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        let (items, bits) = (self.items, self.bits);
        let best = Model::Exact.best_hashes(items, bits)?;
        let ideal = ideal_hashes(items, bits);
        let twice = (2.2 * ideal).ceil().clamp(4.0, 255.0) as u8;
        let most = self.hashes.unwrap_or(twice);
        check("k", "at least 2 to make a curve", most >= 2, most)?;
        let whole = (1..=most).map(f64::from);
        let points = curve(whole, |hashes| {
            Ok(exact::rate(items, bits, hashes as u8)?.value())
        })?;
        let load = items as f64 / bits as f64;
        let real = curve(by_difference(1.0, most.into(), POINTS), |hashes| {
            Ok((-(-hashes * load).exp_m1()).powf(hashes))
        })?;
        let mut series = vec![
            Series {
                dots: points.clone(),
                thin: true,
                ..Series::line("exact", points)
            },
            Series::dashed("asymptotic", real),
        ];
        let floor = floor(&series);
        measure_places(effort, &mut series, |_, _| {
            let places = (1..=most).map(|hashes| {
                let filter = Filter::Plain(Shape::new(bits, hashes)?);
                Ok(Place::new(0, hashes.into(), items, filter))
            });
            places.collect()
        })?;
        let lowest = exact::rate(items, bits, best)?.value();
        let marks = vec![
            Mark::new(best.into(), format!("best k = {best}")),
            Mark::new(ideal, format!("(m/n) ln 2 = {}", nearest(ideal, 3))),
        ];
        let [n, m] = [items, bits].map(grouped);
        Ok(Figure {
            title: format!("False-positive rate by hashes, n = {n}, m = {m}"),
            note:
                "Discs: exact model, at whole k; the thin line only joins them. Dashes: asymptotic \
                 formula, at real k."
                    .to_owned(),
            description: format!(
                "The false-positive rate p of a Bloom filter of {} with \
                 {} falls with its hashes k to {} at k = {best}, the best, and rises again; the \
                 formula (m/n) ln 2 says {}.",
                counted(bits, "bit"),
                counted(items, "item"),
                nearest(lowest, 3),
                nearest(ideal, 3),
            ),
            x: axis("hashes k", Scale::Counts, 0.0, most.into()),
            y: rate_axis(&series, floor),
            series,
            marks,
        }
        .measured(effort))
    }
}
