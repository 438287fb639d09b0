//! A chart of the probability that any counter of a counting filter saturates, by the number of items, for counters of several
//! widths.

use bloom_core::math::counter_overflow;
use bloom_core::{CounterBits, CountingBloomFilter, FixedState, Shape};
use bloom_params::numbers::{counted, grouped, nearest};

use crate::axes::{axis, by_ratio, check, check_each, curve};
use crate::curves::{Figure, MAX_SERIES, Mark, Scale, Series};
use crate::error::FigureError;
use crate::filter::half_full;
use crate::interval::share;
use crate::measure::{Effort, Work};
use crate::measuring::{Measurable, places_where};
use crate::sampling::POINTS;

/// A point is measured if at least this many of its filters are expected to have a stuck (saturated) counter.
const STUCK: f64 = 3.0;

/// The axis runs from n/`OVERFULL` to n × `OVERFULL` items, where n is the number of items with which the filter is half full.
const OVERFULL: f64 = 4.0;

/// The lowest chance on the axis.
const MIN: f64 = 1e-20;

/// The question: how many bits must a counter have so that no counter saturates?
///
/// The curves are upper bounds of the chance that any counter of b bits reaches 2^b - 1, where it saturates (sticks). The
/// chance for one counter is exact; its sum over all counters is an upper bound of the chance for any counter (union bound).
/// The share of real filters in which a counter has saturated is measured for counters of up to 8 bits, at numbers of items
/// with which some filters are expected to have such a counter and some to have none. The counters are read; the filters are
/// not queried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterOverflow {
    /// Counters m and hashes k.
    pub shape: Shape,
    /// Up to 8 numbers of bits of a counter, with a curve for each.
    pub widths: Vec<u32>,
}

impl Measurable for CounterOverflow {
    fn figure(&self, effort: Option<Effort>) -> Result<Figure, FigureError> {
        let range = 1..=16;
        check_each("counter bits", &self.widths, MAX_SERIES, range)?;
        let (counters, hashes) = (self.shape.bits(), self.shape.hashes());
        let design = half_full(self.shape);
        check(
            "m",
            "large enough for 4 items with k hashes",
            design >= 4.0,
            counters,
        )?;
        let (first, last) = ((design / OVERFULL).round(), (design * OVERFULL).round());
        let mut series = Vec::new();
        let mut phrases = Vec::new();
        for width in &self.widths {
            let chance = |items: f64| {
                let top = (1_u32 << width) - 1;
                let overflow = counter_overflow(items as u64, counters, hashes, top)?;
                Ok::<_, FigureError>(overflow.any_at_most)
            };
            let label = counted(u64::from(*width), "bit");
            let half_full = match chance(design.round())? {
                unseen if unseen < MIN => format!("below {MIN:?}"),
                seen => nearest(seen, 2),
            };
            phrases.push(format!("{half_full} with {label}"));
            let places = by_ratio(first, last, POINTS).map(f64::round);
            series.push(Series::line(label, curve(places, chance)?));
        }
        let measure = |effort| self.measure(effort, &mut series);
        effort.map_or(Ok(()), measure)?;
        let measured_note = effort.map_or_else(String::new, |effort| {
            if series.iter().all(|series| series.measured.is_empty()) {
                return " Nothing is measured: a counter sticks in no filter or in all.".to_owned();
            }
            format!(
                " Points: share of {} real filters, with 99% interval.",
                grouped(effort.filters())
            )
        });
        let (m, k) = (grouped(counters), hashes);
        Ok(Figure {
            title: format!("Chance that any counter sticks, m = {m}, k = {k}"),
            note: format!(
                "Upper bound (exact for one counter, summed over all) for reaching 2^b - 1. A \
                 counter that sticks is never lowered again.{measured_note}"
            ),
            description: format!(
                "The upper bound of the chance that any counter of a counting Bloom filter reaches \
                 its top, by the items n; half full, with {} items, it is {}.",
                nearest(design.round(), 6),
                phrases.join(", ")
            ),
            x: axis("items n", Scale::Log, first, last),
            y: axis("chance of any stuck counter", Scale::Log, MIN, 2.0),
            series,
            marks: vec![Mark::new(design.round(), "half full")],
        })
    }
}

impl CounterOverflow {
    /// Measures, for each width of up to 8 bits, the share of filters in which a counter saturates. The counters of the same
    /// filters are read for every point while the filters fill, so the points of a curve are not independent of one another.
    /// Each interval holds for its point alone.
    fn measure(&self, effort: Effort, series: &mut [Series]) -> Result<(), FigureError> {
        let (counters, hashes) = (self.shape.bits(), self.shape.hashes());
        let mut places = Vec::new();
        let widths = self.widths.iter().enumerate();
        for (index, width) in widths.filter(|(_, width)| **width <= 8) {
            let top = (1_u32 << width) - 1;
            let counts = places_where(&series[index].curve, |point| {
                let known = counter_overflow(point.x as u64, counters, hashes, top)?;
                let some = known.any_at_most * effort.filters() as f64 >= STUCK;
                Ok(some && known.any_at_least <= 0.95)
            })?;
            places.extend(counts.into_iter().map(|items| (items, index, top)));
        }
        places.sort_unstable();
        let Some((last, ..)) = places.last() else {
            return Ok(());
        };
        // A counter takes a byte, so a 64-bit word holds eight. Every word is cleared once, and read once for each point.
        let words = (places.len() as u128 + 1) * u128::from(counters.div_ceil(8));
        let steps = u128::from(effort.filters()) * (u128::from(*last) + words);
        let mut work = Work::new(effort, steps)?;
        let key = (counters, hashes);
        let highest = work.each(key, steps, |hasher| highest(&places, self.shape, hasher))?;
        for (place, (items, index, top)) in places.iter().enumerate() {
            let stuck = highest.iter().filter(|tops| tops[place] >= *top).count();
            let point = share(*items as f64, stuck as u64, effort.filters());
            series[*index].measured.push(point);
        }
        Ok(())
    }
}

/// Fills a filter, and returns its highest counter at the number of items of each place.
fn highest(
    places: &[(u64, usize, u32)],
    shape: Shape,
    hasher: FixedState,
) -> Result<Vec<u32>, FigureError> {
    let width = CounterBits::Eight;
    let mut filter =
        CountingBloomFilter::<u64>::with_counter_bits_and_hasher(shape, width, hasher)?;
    let mut held = 0;
    let tops = places.iter().map(|(items, ..)| {
        filter.extend(held..*items);
        held = *items;
        filter.counts().max().unwrap_or_default().into()
    });
    Ok(tops.collect())
}
