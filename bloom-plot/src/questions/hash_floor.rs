//! What a hash of finite width adds to the rate, however large the filter.

use bloom_core::math::{hash_floor, with_hash_floor};
use bloom_params::numbers::nearest;

use crate::axes::{axis, by_ratio, check, check_list, curve};
use crate::curves::{Figure, MOST_SERIES, Scale, Series};
use crate::error::FigureError;

/// Points of a curve.
const POINTS: u32 = 150;

/// The question: from how many items on are the hashes too narrow?
#[derive(Debug, Clone, PartialEq)]
pub struct HashFloor {
    /// The bits of a hash, two curves for each, from 8 to 128, up to 4.
    pub widths: Vec<u32>,
    /// The rate p that the filter itself keeps.
    pub rate: f64,
    /// The items n at the right end of the axis, from 10.
    pub items: u64,
}

impl HashFloor {
    /// Works out the figure: 1 - (1 - 2^-w)^n, and the rate p with it.
    ///
    /// # Errors
    ///
    /// See the fields; the rate must be from 1e-15 to below 1.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        check_list("hash bits", &self.widths, MOST_SERIES / 2)?;
        for width in &self.widths {
            check(
                "hash bits",
                "from 8 to 128",
                (8..=128).contains(width),
                *width,
            )?;
        }
        let (rate, items) = (self.rate, self.items);
        check(
            "p",
            "from 1e-15 to below 1",
            (1e-15..1.0).contains(&rate),
            rate,
        )?;
        check("n", "at least 10", items >= 10, items)?;
        let mut series = Vec::new();
        let mut ends = Vec::new();
        for width in &self.widths {
            let floor = |items: f64| Ok(hash_floor(items as u64, *width)?);
            let places = || by_ratio(1.0, items as f64, POINTS).map(f64::round);
            series.push(Series {
                label: format!("p, {width} bits"),
                curve: curve(places(), |items| Ok(with_hash_floor(rate, floor(items)?)))?,
                ..Series::default()
            });
            series.push(Series {
                label: format!("floor, {width}"),
                curve: curve(places(), floor)?,
                dashed: true,
                ..Series::default()
            });
            ends.push(format!(
                "{} for {width} bits",
                nearest(floor(items as f64)?, 2)
            ));
        }
        // Far below p the floor does not matter.
        let low = 10_f64.powf(rate.log10().floor() - 4.0);
        Ok(Figure {
            title: format!("What a hash of few bits adds to p = {}", nearest(rate, 3)),
            note:
                "Dashes: the chance that a query has the very hash of an item, 1 - (1 - 2^-w)^n. \
                   Lines: the rate of a filter behind such hashes."
                    .to_owned(),
            description: format!(
                "The floor that hashes put under any false-positive rate rises in proportion to \
                 the items n, on logarithmic axes; at the right end it is {}.",
                ends.join(" and ")
            ),
            x: axis("items n", Scale::Log, 1.0, items as f64),
            y: axis("false-positive rate p", Scale::Log, low, 1.5),
            series,
            marks: Vec::new(),
        })
    }
}
