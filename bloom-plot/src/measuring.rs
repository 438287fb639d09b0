//! Adds measured points to the curves of a figure, after a check of the total work.

use bloom_core::{BlockedBloomFilter, BlockedShape, Shape};
use bloom_params::numbers::grouped;

use crate::curves::{Measured, Series};
use crate::error::FigureError;
use crate::interval::measured;
use crate::measure::{Effort, Sample, Work, measure_as};
use crate::words::counted;

/// A point to measure.
pub(crate) struct Place {
    /// The index of its series.
    pub(crate) series: usize,
    /// Its value on the horizontal axis.
    pub(crate) x: f64,
    /// The items of each filter.
    pub(crate) items: u64,
    /// The shape of each filter.
    pub(crate) shape: Shape,
}

/// Measures the rate at every place and adds it to its series.
pub(crate) fn measure_places(
    places: &[Place],
    series: &mut [Series],
    effort: Effort,
) -> Result<(), FigureError> {
    let steps = places.iter();
    let steps = steps.map(|place| effort.steps(place.items, place.shape.bits()));
    let mut work = Work::new(effort, steps.sum())?;
    for place in places {
        let sample = measure_as(&mut work, place.items, place.shape)?;
        let points = &mut series[place.series].measured;
        points.push(measured(place.x, &sample));
    }
    Ok(())
}

/// Measures blocked filters of this project.
pub(crate) fn measure_blocked(
    work: &mut Work,
    items: u64,
    blocks: u64,
) -> Result<Sample, FigureError> {
    let shape = BlockedShape::new(blocks)?;
    work.hits(("blocked", blocks), items, shape.bits(), |inserts| {
        let mut filter = BlockedBloomFilter::<u64>::new(shape)?;
        inserts.for_each(|hash| {
            filter.insert_hash(hash);
        });
        Ok(move |hash| filter.contains_hash(hash))
    })
}

/// Returns the lowest rate at which a point has `hits` hits on average.
pub(crate) fn fewest_hits(effort: Effort, hits: f64) -> f64 {
    hits / effort.all_queries()
}

/// Returns the sentences that explain the measured points, with a leading space, or nothing without
/// measurement.
pub(crate) fn measured_note(effort: Option<Effort>, series: &[Series]) -> String {
    let Some(effort) = effort else {
        return String::new();
    };
    if series.iter().all(|series| series.measured.is_empty()) {
        return " Nothing is measured: so few queries are to have no hits.".to_owned();
    }
    let mut note = format!(
        " Points: mean of {} real filters asked {} each, with 99% interval.",
        grouped(effort.filters()),
        counted(effort.queries(), "query")
    );
    let mut all = series.iter().flat_map(|series| &series.measured);
    let is_bound =
        |point: &Measured| matches!(point, Measured::Below { .. } | Measured::AcrossBelow { .. });
    if all.any(is_bound) {
        note += " Arrows: no hit, 99% upper bound.";
    }
    note
}
