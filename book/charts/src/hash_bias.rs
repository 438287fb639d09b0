//! The chart of which bits the hashes of well-known programs set. It shows for each program the share
//! of set bits in each part of a filter: weak hashes fill some parts more than others.

use std::error::Error;

use bloom_core::math::measured::share_interval;
use bloom_core::math::{exact, expected_fill};
use bloom_core::{BloomFilter, Shape};
use bloom_listings::row::Row;
use bloom_params::numbers::{grouped, nearest};
use bloom_plot::Figure;
use bloom_plot::curves::{Axis, Point, Scale, Series, Span};
use bloom_plot::interval::CONFIDENCE;

use crate::hashing::{Hashing, Keys};

/// The number of slices of equal length into which the bits of a filter are divided.
const SLICES: u64 = 64;

/// The number of queries for absent items. The note of the chart has the number of false positives.
const QUERIES: u64 = 200_000;

/// The hashes k of every filter. It is 7 because one of the programs, which hashes by polynomials, has 7.
const HASHES: u8 = 7;

/// The length of the header of a saved filter, in bytes.
const HEADER_BYTES: usize = 128;

/// What the chart is drawn for: which items, and filters of which size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashBias {
    /// The form of the items.
    pub keys: Keys,
    /// The items n.
    pub items: u64,
    /// The bits m, a power of two of at least 2^10.
    pub bits: u64,
}

impl HashBias {
    /// Computes the figure: fills a bit array with the hashes of each program, and plots the share of
    /// set bits in each of 64 slices. The dashed line is the expected share, with a band of two
    /// standard deviations on either side. The figure is the same in every run.
    ///
    /// # Errors
    ///
    /// Fails if the items or the bits are outside the domain of the formulas, or if the bits do not fit in memory.
    pub fn figure(&self) -> Result<Figure, Box<dyn Error>> {
        let (items, bits) = (self.items, self.bits);
        let expected = expected_fill(items, bits, HASHES)?;
        let rate = exact::rate(items, bits, HASHES)?.value();
        let (mut series, mut found) = (Vec::new(), Vec::new());
        for hashing in Hashing::ALL {
            let (row, hits) = self.fill(hashing)?;
            let slice = bits / SLICES;
            let points = (0..SLICES).map(|index| {
                let positions = index * slice..(index + 1) * slice;
                let ones = positions.filter(|position| row.is_set(*position)).count();
                Point {
                    x: 100.0 * (index as f64 + 0.5) / SLICES as f64,
                    y: ones as f64 / slice as f64,
                }
            });
            series.push(Series::line(hashing.name(), points.collect()));
            let share = share_interval(hits, QUERIES, 1.0 - CONFIDENCE)?;
            let [low, high] = [share.low, share.high].map(|end| nearest(QUERIES as f64 * end, 2));
            let name = hashing.name();
            found.push(format!("{name} {} ({low} to {high})", grouped(hits)));
        }
        let both = 2.0 * self.deviation();
        let (low, high) = (expected - both, expected + both);
        let ends = [0.0, 100.0];
        series.push(Series {
            band: ends.map(|x| Span { x, low, high }).to_vec(),
            ..Series::dashed("expected", ends.map(|x| Point { x, y: expected }).to_vec())
        });
        let hits = found.join(", ");
        let points = series.iter().flat_map(|series| &series.curve);
        let top = points.map(|point| point.y).fold(0.0, f64::max);
        let axis = |name: &str, to| Axis {
            name: name.to_owned(),
            scale: Scale::Linear,
            from: 0.0,
            to,
        };
        Ok(Figure {
            title: format!(
                "Which of {} bits {} {} set, k = {HASHES}",
                grouped(bits),
                grouped(items),
                self.keys.name()
            ),
            note: format!(
                "Share of set bits in each 64th of a real filter. Band at the dashes: two standard \
                 deviations, ±{}. False positives of {} others, {} expected, with 99% intervals: {hits}.",
                nearest(both, 2),
                grouped(QUERIES),
                nearest(QUERIES as f64 * rate, 3),
            ),
            description: format!(
                "The share of set bits along a Bloom filter, by the way it hashes: good hashes set \
                 {} % everywhere, weak ones crowd into some parts and leave others empty. Of {} \
                 queries for others these were found, with 99% intervals: {hits}.",
                nearest(100.0 * expected, 3),
                grouped(QUERIES),
            ),
            x: axis("position in % of m", 100.0),
            y: axis("share of set bits", (1.05 * top).min(1.0)),
            series,
            marks: Vec::new(),
        })
    }

    /// Returns the standard deviation of the share of set bits in a slice of s bits, if all positions are independent. The
    /// number of clear bits in the slice has the variance
    ///
    /// ```text
    /// s × (q - q^2) + s × (s - 1) × (q2 - q^2),   q = (1 - 1/m)^(k × n),   q2 = (1 - 2/m)^(k × n)
    /// ```
    ///
    /// This variance is exact. q is the probability that a bit stays clear, and q2 the probability that two given bits both
    /// stay clear.
    fn deviation(&self) -> f64 {
        let (bits, throws) = (self.bits as f64, self.items as f64 * f64::from(HASHES));
        let slice = bits / SLICES as f64;
        let clear = (throws * (-1.0 / bits).ln_1p()).exp();
        // Each throw multiplies q2 / q^2 by a factor so close to 1 that only its logarithm is accurate.
        let both = clear * clear * (throws * (-(bits - 1.0).powi(-2)).ln_1p()).exp_m1();
        let variance = slice * clear * (1.0 - clear) + slice * (slice - 1.0) * both;
        variance.sqrt() / slice
    }

    /// Fills a bit array with the items, queries it for absent items, and returns the array and the number of false positives.
    fn fill(&self, hashing: Hashing) -> Result<(Row, u64), Box<dyn Error>> {
        let bits = self.bits;
        let mut row = Row::new(bits);
        let inserts = (0..self.items).map(|index| self.keys.item(index));
        let others = (self.items..self.items + QUERIES).map(|index| self.keys.item(index));
        let hits = if let Some(positions) = hashing.positions() {
            let positions = |item: String| positions(&item, bits, HASHES.into());
            inserts.flat_map(positions).for_each(|position| {
                row.set(position);
            });
            let found = |item: &String| {
                let mut all = positions(item.clone()).into_iter();
                all.all(|position| row.is_set(position))
            };
            others.filter(found).count()
        } else {
            let mut filter = BloomFilter::<str>::new(Shape::new(bits, HASHES)?)?;
            filter.extend(inserts);
            let bytes = filter.to_bytes()?;
            let is_set = |position: &u64| {
                bytes[HEADER_BYTES + (position / 8) as usize] >> (position % 8) & 1 == 1
            };
            (0..bits).filter(is_set).for_each(|position| {
                row.set(position);
            });
            others.filter(|item| filter.contains(item.as_str())).count()
        };
        Ok((row, hits as u64))
    }
}
