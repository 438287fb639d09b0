//! The rate that sizing rules really give, over the rate they were asked for.

use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, by_ratio, check, curve, tops};
use crate::curves::{Figure, Scale, Series};
use crate::error::FigureError;
use crate::rules::Rule;

/// Points of a curve, and of one that is slow to work out.
const POINTS: u32 = 500;
const SEARCHED_POINTS: u32 = 60;

/// The highest rate on the axis.
const HIGHEST: f64 = 0.25;

/// The rates whose ratios the description tells.
const TOLD: [f64; 2] = [0.01, 1e-4];

/// The question: what rate does the size of a rule really have?
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SizingError {
    /// The items n.
    pub items: u64,
    /// The lowest rate on the axis, from 1e-12 to 0.1.
    pub rate: f64,
}

impl SizingError {
    /// Works out the figure: the exact rate of each rule's size over the rate asked for.
    ///
    /// # Errors
    ///
    /// See the fields; no rule may need more than 2^63 bits.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        let (items, lowest) = (self.items, self.rate);
        check("n", "at least 1", items > 0, items)?;
        let holds = (1e-12..=0.1).contains(&lowest);
        check("p", "from 1e-12 to 0.1", holds, lowest)?;
        let mut series = Vec::new();
        for rule in Rule::ALL {
            let points = if rule.is_closed() {
                POINTS
            } else {
                SEARCHED_POINTS
            };
            series.push(Series {
                label: rule.name().to_owned(),
                curve: curve(by_ratio(HIGHEST, lowest, points), |rate| {
                    rule.rate_over_asked(items, rate)
                })?,
                // The textbook's curve shows between the dashes where both are one.
                dashed: rule == Rule::Guava,
                ..Series::default()
            });
        }
        // Parquet's rule leaves the picture: shown whole, it would hide the others' misses.
        let others = series
            .iter()
            .filter(|series| series.label != Rule::Parquet.name());
        let others: Vec<Series> = others.cloned().collect();
        let top = tops(&others).fold(1.0, f64::max);
        let low = others.iter().flat_map(|series| &series.curve);
        let low = low.map(|point| point.y).fold(1.0, f64::min);
        let margin = 0.08 * (top - low).max(0.01);
        let mut told = Vec::new();
        for rate in TOLD.into_iter().filter(|rate| *rate >= lowest) {
            let ratio = Rule::Parquet.rate_over_asked(items, rate)?;
            told.push(format!("{} at p = {rate}", nearest(ratio, 3)));
        }
        let told = told.join(" and ");
        Ok(Figure {
            title: format!("True rate over asked rate, n = {}", grouped(items)),
            note: format!(
                "Exact rates of the sizes that rules give. Above 1 the promise is broken. Parquet's \
                 rule leaves the picture{}.",
                if told.is_empty() {
                    told.clone()
                } else {
                    format!(": {told}")
                }
            ),
            description: format!(
                "The true false-positive rate over the asked one, by the asked rate, for {} items: \
                 the textbook, Guava and Redis rules waver up to {}, Parquet's rule is far \
                 over, and the exact size of this project is never above 1.",
                grouped(items),
                nearest(top, 4),
            ),
            x: axis("asked rate p", Scale::Log, HIGHEST, lowest),
            y: axis(
                "true rate / asked rate",
                Scale::Linear,
                low - margin,
                top + margin,
            ),
            series,
            marks: Vec::new(),
        })
    }
}
