//! A chart of the probability that a positive answer is true (the positive predictive value), by the share of queries that are
//! for members, which are items that were inserted.

use bloom_core::math::Model;
use bloom_core::{BloomFilter, Shape};
use bloom_params::numbers::nearest;

use crate::axes::{axis, by_ratio, check, check_list, curve, within};
use crate::curves::{Figure, MAX_SERIES, Measured, Scale, Series};
use crate::error::FigureError;
use crate::interval::measured;
use crate::measure::{Effort, Sample};
use crate::measuring::{Measurable, measure_each};
use crate::sampling::{POINTS, staggered};

/// The number of measured points of each curve.
const MEASURED_POINTS: u32 = 7;
/// The items of each measured filter.
const ITEMS: u64 = 10_000;

/// The highest share of members on the axis.
const MAX: f64 = 0.5;

/// The question: how far can a positive answer be trusted?
///
/// For a measured point, filters of 10,000 items are sized for the rate of the curve, and are queried for members and for other
/// items; each point has its own share of members. If there is no false positive, the point is at 1, with its interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Trust {
    /// Rates p, a curve for each: up to 8.
    pub rates: Vec<f64>,
    /// The smallest share of members among the queries on the axis.
    pub prevalence: f64,
}

impl Measurable for Trust {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        check_list("p", &self.rates, MAX_SERIES)?;
        for rate in &self.rates {
            let holds = *rate > 0.0 && *rate < 1.0;
            check("p", "between 0 and 1 (exclusive)", holds, *rate)?;
        }
        let least = self.prevalence;
        within("prevalence", 1e-12..=0.1, least)?;
        let mut series = Vec::new();
        for rate in &self.rates {
            let of_yes = |share| Ok(Self::of_yes(share, *rate));
            // The label is where the share of members is p: at the right end all curves of small p are nearly 1, and labels
            // would collide.
            let dots = curve([*rate], of_yes)?;
            let chances = curve(by_ratio(least, MAX, POINTS), of_yes)?;
            series.push(Series {
                label_at: dots.first().copied(),
                dots,
                ..Series::line(format!("p = {rate:?}"), chances)
            });
        }
        let measure = |effort| self.measure(effort, &mut series);
        effort.map_or(Ok(()), measure)?;
        let rate = self.rates[0];
        Ok(Figure {
            title: "The chance that a yes is true".to_owned(),
            note: "By how rare members are among the queries. Discs: as rare as p itself, where, \
                 for a small p, about every second yes is false."
                .to_owned(),
            description: format!(
                "The chance that a yes of a Bloom filter is true rises with the share of members \
                 among the queries: with p = {rate:?} from {} at one member in {} queries to {} at \
                 one in {}.",
                nearest(Self::of_yes(least, rate), 2),
                nearest(1.0 / least, 3),
                nearest(Self::of_yes(MAX, rate), 6),
                1.0 / MAX,
            ),
            x: axis("share of members among the queries", Scale::Log, least, MAX),
            y: axis("chance that a yes is true", Scale::Linear, 0.0, 1.0),
            series,
            marks: Vec::new(),
        }
        .measured(effort))
    }
}

impl Trust {
    /// Returns the probability that a positive answer is true: members are always found, other items with probability
    /// p.
    ///
    /// ```text
    /// s / (s + (1 - s) p),   s = share of members among the queries
    /// ```
    ///
    /// The formula is Bayes' rule, which is exact.
    pub fn of_yes(prevalence: f64, rate: f64) -> f64 {
        prevalence / (prevalence + (1.0 - prevalence) * rate)
    }

    /// Measures the share of positive answers that are true.
    fn measure(&self, effort: Effort, series: &mut [Series]) -> Result<(), FigureError> {
        let all = effort.queries();
        let lowest = (1.0 / all as f64).max(self.prevalence).min(MAX);
        let place = |index: usize, share: f64| {
            let (bits, hashes) = Model::Exact.min_size(ITEMS, self.rates[index])?;
            let members = (share * all as f64).round() as u64;
            Ok((index, Shape::new(bits, hashes)?, members.clamp(1, all)))
        };
        let places = staggered((lowest, MAX), MEASURED_POINTS, self.rates.len(), place)?;
        let cost = |(_, shape, _): &(usize, Shape, u64)| (ITEMS, shape.bits());
        measure_each(effort, places, cost, |work, (index, shape, members)| {
            let key = (shape.bits(), shape.hashes(), members);
            let queries = all - members;
            let steps = effort.steps(ITEMS, shape.bits());
            let hits = work.each(key, steps, |hasher| {
                let mut filter = BloomFilter::with_seed(shape, hasher.seed())?;
                filter.extend(0..ITEMS);
                let queried = (0..members).map(|member| member % ITEMS);
                let yes = queried.filter(|item| filter.contains(item)).count() as u64;
                let false_yes = (ITEMS..ITEMS + queries).filter(|item| filter.contains(item));
                // Members are always found. If one were not found, it would be counted as a false positive.
                Ok::<_, FigureError>(false_yes.count() as u64 + (members - yes))
            })?;
            if queries == 0 {
                return Ok(());
            }
            let x = members as f64 / all as f64;
            let sample = Sample { hits, queries };
            // The share of true answers falls as the rate rises, so the upper end of the rate's interval gives the lower end of
            // the share's interval.
            let point = measured(x, &sample);
            // If there was no false positive, the measured rate is 0, and every positive answer was true.
            let rate = if point.is_bound { 0.0 } else { point.y };
            let [y, low, high] = [rate, point.high, point.low].map(|rate| Self::of_yes(x, rate));
            let point = Measured::value(x, y, low, high);
            series[index].measured.push(point);
            Ok(())
        })
    }
}
