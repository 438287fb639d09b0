//! The chance that a yes is true, by how rare members are among the queries.

use bloom_params::numbers::nearest;

use crate::axes::{axis, by_ratio, check, check_list, curve};
use crate::curves::{Figure, MOST_SERIES, Point, Scale, Series};
use crate::error::FigureError;

/// Points of a curve.
const POINTS: u32 = 150;

/// The largest prevalence on the axis.
const MOST: f64 = 0.5;

/// The question: how far can a yes be trusted?
#[derive(Debug, Clone, PartialEq)]
pub struct Trust {
    /// The false-positive rates p, a curve for each, up to 8.
    pub rates: Vec<f64>,
    /// The smallest share of members among the queries, from 1e-12 to 0.1.
    pub prevalence: f64,
}

impl Trust {
    /// Returns the chance that a yes is true: members are always found, others with the rate p.
    ///
    /// ```text
    /// s / (s + (1 - s) p),   s = share of members among the queries
    /// ```
    ///
    /// Exact: Bayes' rule.
    pub fn of_yes(prevalence: f64, rate: f64) -> f64 {
        prevalence / (prevalence + (1.0 - prevalence) * rate)
    }

    /// Works out the figure.
    ///
    /// # Errors
    ///
    /// See the fields; rates must be above 0 and below 1.
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
                label: format!("p = {rate}"),
                curve: curve(by_ratio(least, MOST, POINTS), |share| {
                    Ok(Self::of_yes(share, *rate))
                })?,
                // Where members are as rare as false positives, nearly.
                dots: vec![Point {
                    x: *rate,
                    y: Self::of_yes(*rate, *rate),
                }],
                ..Series::default()
            });
        }
        let rate = self.rates[0];
        let shown = (10.0 * least).min(0.01);
        Ok(Figure {
            title: "The chance that a yes is true".to_owned(),
            note: "By how rare members are among the queries. Discs: as rare as p itself, where \
                   about every second yes is false."
                .to_owned(),
            description: format!(
                "The chance that a yes of a Bloom filter is true rises with the share of members \
                 among the queries, on a logarithmic axis, from nearly 0 to nearly 1: with p = \
                 {rate} and one member in {} queries it is {}.",
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
}
