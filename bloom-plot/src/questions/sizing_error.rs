//! The rate that sizing rules really give, over the rate they were asked for.

use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, bottoms, by_ratio, check, curve, tops};
use crate::curves::{Figure, Scale, Series};
use crate::error::FigureError;
use crate::interval::measured;
use crate::measure::{Effort, Work};
use crate::measuring::{fewest_hits, measured_note};
use crate::rules::Rule;
use crate::words::counted;

/// Points of a curve, and of one that is slow to work out.
const POINTS: u32 = 500;
const SEARCHED_POINTS: u32 = 60;

/// The highest rate on the axis.
const HIGHEST: f64 = 0.25;

/// Measured points of a rule, and the hits that each is to have: then it is known within 3 %.
const MEASURED_POINTS: u32 = 5;
const HITS: f64 = 10_000.0;

/// The rates whose ratios the description tells.
const TOLD: [f64; 2] = [0.01, 1e-4];

/// The question: what rate does the size of a rule really have?
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SizingError {
    /// The items n.
    pub items: u64,
    /// The lowest rate on the axis, from 1e-12 to 0.1.
    pub rate: f64,
    /// What to measure beside the theory, if anything.
    pub effort: Option<Effort>,
}

impl SizingError {
    /// Works out the figure: the exact rate of each rule's size over the rate asked for.
    ///
    /// Measured are filters of those sizes, at rates high enough for some 10,000 hits a point.
    ///
    /// # Errors
    ///
    /// See the fields; no rule may need more than 2^63 bits; what is to be measured must fit in
    /// memory and in a bounded number of steps.
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
        if let Some(effort) = self.effort {
            self.measure(effort, &mut series)?;
        }
        // The axis is made for the others: Parquet's rule, shown whole, would hide their misses.
        let others = series
            .iter()
            .filter(|series| series.label != Rule::Parquet.name());
        let others: Vec<Series> = others.cloned().collect();
        let theory: Vec<Series> = others.iter().map(Series::theory).collect();
        let top = tops(&others).fold(1.0, f64::max);
        let low = bottoms(&others).fold(1.0, f64::min);
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
                "Exact rates of the sizes that rules give. Above 1 the promise is broken.{}{}",
                if told.is_empty() {
                    told.clone()
                } else {
                    format!(" Parquet's rule: {told}.")
                },
                measured_note(self.effort, &series)
            ),
            description: format!(
                "The true false-positive rate over the asked one, by the asked rate, for {}: \
                 by the textbook, Guava and Redis rules it wavers, up to {} at most;{} and by the \
                 exact sizes of this project it is never above 1.",
                counted(items, "item"),
                nearest(tops(&theory).fold(1.0, f64::max), 4),
                if told.is_empty() {
                    String::new()
                } else {
                    format!(" by Parquet's rule it is {told};")
                },
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

    /// Measures filters of each rule's size.
    fn measure(&self, effort: Effort, series: &mut [Series]) -> Result<(), FigureError> {
        let rules = Rule::ALL.len() as f64;
        let lowest = fewest_hits(effort, HITS).max(self.rate).min(HIGHEST);
        let step = (lowest / HIGHEST).ln() / f64::from(MEASURED_POINTS);
        let mut places = Vec::new();
        for (index, rule) in Rule::ALL.into_iter().enumerate() {
            for point in 0..MEASURED_POINTS {
                // Set apart, so that points of rules do not hide each other.
                let place = f64::from(point) + (index as f64 + 0.5) / rules;
                let rate = HIGHEST * (place * step).exp();
                places.push((index, rate, rule.size(self.items, rate)?));
            }
        }
        let steps = places.iter();
        let steps = steps.map(|(.., size)| effort.steps(self.items, size.bits()));
        let mut work = Work::new(effort, steps.sum())?;
        for (index, rate, size) in places {
            let sample = size.measure(&mut work, self.items)?;
            let point = measured(rate, &sample).map_y(|got| got / rate);
            series[index].measured.push(point);
        }
        Ok(())
    }
}
