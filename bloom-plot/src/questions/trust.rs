//! The chance that a positive answer is true (the positive predictive value), by the prevalence of
//! members among the queries.

use bloom_core::math::Model;
use bloom_core::{BloomFilter, Shape};
use bloom_params::numbers::nearest;

use crate::axes::{axis, by_ratio, check, check_list, curve};
use crate::curves::{Figure, MOST_SERIES, Measured, Point, Scale, Series};
use crate::error::FigureError;
use crate::interval::measured;
use crate::measure::{Effort, Sample, Work};
use crate::measuring::measured_note;

/// Points per curve.
const POINTS: u32 = 150;

/// Measured points per curve, and the items of each filter.
const MEASURED_POINTS: u32 = 7;
const ITEMS: u64 = 10_000;

/// The highest prevalence on the axis.
const MOST: f64 = 0.5;

/// The question: how far can a positive answer be trusted?
#[derive(Debug, Clone, PartialEq)]
pub struct Trust {
    /// The false-positive rates p, one curve for each, up to 8.
    pub rates: Vec<f64>,
    /// The smallest share of members among the queries, from 1e-12 to 0.1.
    pub prevalence: f64,
    /// What to measure beside the theory, if anything.
    pub effort: Option<Effort>,
}

impl Trust {
    /// Returns the chance that a positive answer is true: members are always found, other items
    /// with probability p.
    ///
    /// ```text
    /// s / (s + (1 - s) p),   s = share of members among the queries
    /// ```
    ///
    /// Exact: Bayes' rule.
    pub fn of_yes(prevalence: f64, rate: f64) -> f64 {
        prevalence / (prevalence + (1.0 - prevalence) * rate)
    }

    /// Computes the figure.
    ///
    /// Measures filters of 10,000 items, sized for each rate, and queries them for members and
    /// other items in the share of each point. Without any false positive, only the interval is
    /// known.
    ///
    /// # Errors
    ///
    /// Every field must be in its range; rates must be above 0 and below 1; the measurement must
    /// fit within the step limit.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        check_list("p", &self.rates, MOST_SERIES)?;
        for rate in &self.rates {
            let holds = *rate > 0.0 && *rate < 1.0;
            check("p", "between 0 and 1 (exclusive)", holds, *rate)?;
        }
        let least = self.prevalence;
        let holds = (1e-12..=0.1).contains(&least);
        check("prevalence", "from 1e-12 to 0.1", holds, least)?;
        let mut series = Vec::new();
        for rate in &self.rates {
            series.push(Series {
                label: format!("p = {rate:?}"),
                curve: curve(by_ratio(least, MOST, POINTS), |share| {
                    Ok(Self::of_yes(share, *rate))
                })?,
                // Where members are about as rare as false positives.
                dots: vec![Point {
                    x: *rate,
                    y: Self::of_yes(*rate, *rate),
                }],
                ..Series::default()
            });
        }
        if let Some(effort) = self.effort {
            self.measure(effort, &mut series)?;
        }
        let rate = self.rates[0];
        let shown = (10.0 * least).min(0.01);
        Ok(Figure {
            title: "The chance that a yes is true".to_owned(),
            note: format!(
                "By how rare members are among the queries. Discs: as rare as p itself, where \
                 about every second yes is false.{}",
                measured_note(self.effort, &series)
            ),
            description: format!(
                "The chance that a yes of a Bloom filter is true rises with the share of members \
                 among the queries, on a logarithmic axis, from nearly 0 to nearly 1: with p = \
                 {rate:?} and one member in {} queries it is {}.",
                nearest(1.0 / shown, 3),
                nearest(Self::of_yes(shown, rate), 2),
            ),
            x: axis(
                "share of members among the queries",
                Scale::Log,
                least,
                MOST,
            ),
            y: axis("chance that a yes is true", Scale::Linear, 0.0, 1.0),
            series,
            marks: Vec::new(),
        })
    }

    /// Measures the share of positive answers that are true.
    fn measure(&self, effort: Effort, series: &mut [Series]) -> Result<(), FigureError> {
        let queries = effort.queries();
        let lowest = (1.0 / queries as f64).max(self.prevalence).min(MOST);
        let step = (MOST / lowest).ln() / f64::from(MEASURED_POINTS);
        let mut places = Vec::new();
        for (index, rate) in self.rates.iter().enumerate() {
            let (bits, hashes) = Model::Exact.min_size(ITEMS, *rate)?;
            let shape = Shape::new(bits, hashes)?;
            // Staggered, so that points of close curves do not hide each other.
            let offset = (index as f64 + 0.5) / self.rates.len() as f64;
            for point in 0..MEASURED_POINTS {
                let share = lowest * ((f64::from(point) + offset) * step).exp();
                let members = (share * queries as f64).round() as u64;
                places.push((index, shape, members.clamp(1, queries)));
            }
        }
        let steps = |shape: Shape| effort.steps(ITEMS, shape.bits());
        let all = places.iter().map(|(_, shape, _)| steps(*shape)).sum();
        let mut work = Work::new(effort, all)?;
        for (index, shape, members) in places {
            let key = (shape.bits(), shape.hashes(), members);
            let others = queries - members;
            let false_yeses = work.each(key, steps(shape), |hasher| {
                let mut filter = BloomFilter::with_hasher(shape, hasher)?;
                filter.extend(0..ITEMS);
                let asked = (0..members).map(|member| member % ITEMS);
                let yes = asked.filter(|item| filter.contains(item)).count() as u64;
                let false_yes = (ITEMS..ITEMS + others).filter(|item| filter.contains(item));
                // Members are always found; a missing one would count as a false positive.
                Ok::<_, FigureError>(false_yes.count() as u64 + (members - yes))
            })?;
            if others == 0 {
                continue;
            }
            let sample = Sample {
                hits: false_yeses,
                queries: others,
            };
            let x = members as f64 / queries as f64;
            // The share of true positives falls as the rate rises, so the ends of the interval
            // swap.
            let point = match measured(x, &sample) {
                Measured::Value { y, low, high, .. } => Measured::Value {
                    x,
                    y: Self::of_yes(x, y),
                    low: Self::of_yes(x, high),
                    high: Self::of_yes(x, low),
                },
                Measured::Below { bound, .. } => Measured::Value {
                    x,
                    y: 1.0,
                    low: Self::of_yes(x, bound),
                    high: 1.0,
                },
                other => other,
            };
            series[index].measured.push(point);
        }
        Ok(())
    }
}
