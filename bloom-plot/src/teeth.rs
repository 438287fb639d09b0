//! Curves whose steps are closer together than a picture can show: their mean and their range.

use crate::curves::{Point, Span};

/// A turn counts if the curve goes back by this share of its range; from this many turns on, they run
/// together.
const DEPTH: f64 = 0.05;
const MAX_TURNS: u32 = 100;

/// Parts of a curve with one mean each, at least.
const PARTS: usize = 120;

/// A point of a curve and the group that it belongs to: between groups the curve jumps.
pub(crate) type Grouped = (Point, u8);

/// Returns whether a curve turns so often that its line would cover an area.
pub(crate) fn run_together(curve: &[Grouped]) -> bool {
    let heights = || curve.iter().map(|(point, _)| point.y);
    let least = heights().fold(f64::INFINITY, f64::min);
    let depth = DEPTH * (heights().fold(0.0, f64::max) - least);
    let (mut turns, mut rises, mut extreme) = (0, true, least);
    for height in heights() {
        let beyond = if rises {
            height - extreme
        } else {
            extreme - height
        };
        if beyond > 0.0 {
            extreme = height;
        } else if -beyond > depth {
            (turns, rises, extreme) = (turns + 1, !rises, height);
        }
    }
    turns > MAX_TURNS
}

/// Returns the mean of every part of a curve, and a band from its least to its most. The last point is
/// that of the curve: its label is there, and so is the value that was asked for.
pub(crate) fn mean_and_range(curve: &[Grouped]) -> (Vec<Point>, Vec<Span>) {
    let (mut means, mut band) = (Vec::new(), Vec::new());
    for group in curve.chunk_by(|(_, one), (_, other)| one == other) {
        let parts = group.chunks(curve.len().div_ceil(PARTS));
        let last = parts.len() - 1;
        for (index, part) in parts.enumerate() {
            let heights = || part.iter().map(|(point, _)| point.y);
            // From end to end of the group, so that a jump is upright.
            let x = match index {
                0 => part[0].0.x,
                index if index == last => part[part.len() - 1].0.x,
                _ => part[part.len() / 2].0.x,
            };
            let y = heights().sum::<f64>() / part.len() as f64;
            means.push(Point { x, y });
            let low = heights().fold(f64::INFINITY, f64::min);
            let high = heights().fold(0.0, f64::max);
            band.push(Span { x, low, high });
        }
    }
    means.extend(curve.last().map(|(point, _)| *point));
    (means, band)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Teeth of this height on a slope, a few points each, in ten groups.
    fn teeth(height: f64) -> Vec<Grouped> {
        let points = (0..4_000_u32).map(|index| {
            let tooth = height * f64::from(index % 8) / 7.0;
            let y = 1.0 + f64::from(index % 400) / 400.0 + tooth;
            (
                Point {
                    x: f64::from(index),
                    y,
                },
                (index / 400) as u8,
            )
        });
        points.collect()
    }

    #[test]
    fn only_teeth_that_are_seen_run_together() {
        assert!(run_together(&teeth(0.5)));
        assert!(!run_together(&teeth(0.01)));
        assert!(!run_together(&teeth(0.0)));
        assert!(!run_together(&[]));
    }

    #[test]
    fn a_range_holds_every_point_and_a_mean_is_within() {
        let curve = teeth(0.5);
        let (means, band) = mean_and_range(&curve);
        assert_eq!(means.len(), band.len() + 1);
        assert_eq!(means.last(), curve.last().map(|(point, _)| point));
        assert!(
            (PARTS..=PARTS + 11).contains(&means.len()),
            "{}",
            means.len()
        );
        for (mean, span) in means.iter().zip(&band) {
            assert!(span.low < mean.y && mean.y < span.high && mean.x == span.x);
        }
        let lowest = band.iter().map(|span| span.low).fold(9.0, f64::min);
        let highest = band.iter().map(|span| span.high).fold(0.0, f64::max);
        assert_eq!((lowest, highest), (1.0, 2.4975));
        // A group ends where the next begins.
        let jump = means
            .windows(2)
            .find(|pair| pair[1].y < pair[0].y - 0.5)
            .unwrap();
        assert_eq!(jump[1].x - jump[0].x, 1.0);
    }
}
