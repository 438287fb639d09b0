//! How likely any counter of a counting filter reaches its top, by its width and its load.

use std::f64::consts::LN_2;

use bloom_core::math::counter_overflow;
use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, by_ratio, check, check_list, curve};
use crate::curves::{Figure, MOST_SERIES, Mark, Scale, Series};
use crate::error::FigureError;
use crate::words::counted;

/// Points of a curve.
const POINTS: u32 = 120;

/// How many times the items of a half-full filter the axis ends at, and begins at a part of.
const OVERFULL: f64 = 4.0;

/// The lowest chance on the axis.
const LOWEST: f64 = 1e-20;

/// The question: are counters of so many bits wide enough?
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterOverflow {
    /// The counters m.
    pub counters: u64,
    /// The hashes k.
    pub hashes: u8,
    /// The bits of a counter, a curve for each, from 1 to 16, up to 8.
    pub widths: Vec<u32>,
}

impl CounterOverflow {
    /// Works out the figure: an upper bound of the chance that any counter reaches 2^b - 1, where
    /// it sticks; exact but for the sum over counters.
    ///
    /// # Errors
    ///
    /// See the fields; there must be counters for some items.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        check_list("counter bits", &self.widths, MOST_SERIES)?;
        for width in &self.widths {
            check(
                "counter bits",
                "from 1 to 16",
                (1..=16).contains(width),
                *width,
            )?;
        }
        let design = self.counters as f64 * LN_2 / f64::from(self.hashes.max(1));
        check("m", "enough for 4 items at k", design >= 4.0, self.counters)?;
        let (first, last) = ((design / OVERFULL).round(), (design * OVERFULL).round());
        let mut series = Vec::new();
        let mut told = Vec::new();
        for width in &self.widths {
            let chance = |items: f64| {
                let top = (1_u32 << width) - 1;
                let overflow = counter_overflow(items as u64, self.counters, self.hashes, top)?;
                Ok::<_, FigureError>(overflow.any_at_most)
            };
            series.push(Series {
                label: counted(u64::from(*width), "bit"),
                curve: curve(by_ratio(first, last, POINTS).map(f64::round), chance)?,
                ..Series::default()
            });
            told.push(format!(
                "{} with {}",
                nearest(chance(design.round())?, 2),
                counted(u64::from(*width), "bit")
            ));
        }
        Ok(Figure {
            title: format!(
                "Chance that any of {} counters sticks, k = {}",
                grouped(self.counters),
                self.hashes
            ),
            note: "Upper bound (exact for one counter, summed over all) for reaching 2^b - 1. A \
                   counter that sticks is never lowered again."
                .to_owned(),
            description: format!(
                "The chance that any counter of a counting Bloom filter reaches its top rises with \
                 the items n, on logarithmic axes; half full, with {} items, it is {}.",
                nearest(design.round(), 6),
                told.join(", ")
            ),
            x: axis("items n", Scale::Log, first, last),
            y: axis("chance of any stuck counter", Scale::Log, LOWEST, 2.0),
            series,
            marks: vec![Mark {
                x: design.round(),
                label: "half full".to_owned(),
            }],
        })
    }
}
