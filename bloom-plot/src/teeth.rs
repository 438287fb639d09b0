//! Detects jagged curves whose teeth (changes between up and down) are closer together than a picture can show, and computes a
//! smooth mean and a band for such a curve.

use crate::curves::{Point, Span};

/// A change between up and down counts as a turn if the curve then goes back by more than the share `DEPTH` of its range. If a
/// curve has more than `MAX_TURNS` turns, its teeth are too close to be drawn.
const DEPTH: f64 = 0.05;
const MAX_TURNS: u32 = 100;

/// The approximate number of parts into which a curve is divided. Each part has one mean.
const PARTS: usize = 120;

/// A point of a curve, the bounds of its value, and the number of the group that the point belongs to. Between groups the curve
/// jumps.
pub(crate) type Grouped = (Point, Span, u8);

/// Returns whether a curve turns so often that its line would cover an area.
pub(crate) fn run_together(curve: &[Grouped]) -> bool {
    let heights = || curve.iter().map(|(point, ..)| point.y);
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

/// Returns the mean of every part of a curve, and a band from the lowest to the highest bound in each part.
pub(crate) fn mean_and_range(curve: &[Grouped]) -> (Vec<Point>, Vec<Span>) {
    let (mut means, mut band) = (Vec::new(), Vec::new());
    for group in curve.chunk_by(|(.., one), (.., other)| one == other) {
        let parts = group.chunks(curve.len().div_ceil(PARTS));
        let last = parts.len() - 1;
        for (index, part) in parts.enumerate() {
            let y = part.iter().map(|(point, ..)| point.y).sum::<f64>() / part.len() as f64;
            let spans = || part.iter().map(|(_, span, _)| span);
            let low = spans().map(|span| span.low).fold(f64::INFINITY, f64::min);
            let high = spans().map(|span| span.high).fold(0.0, f64::max);
            // The mean of a group's first part is drawn from the start of the group, and the mean of its last part up to the
            // end of the group, so that the jump between two groups is upright.
            let ends = [
                (index == 0).then_some(0),
                (index == last).then_some(part.len() - 1),
            ];
            let places = ends.into_iter().flatten();
            let inside = (index > 0 && index < last).then_some(part.len() / 2);
            for place in places.chain(inside) {
                let x = part[place].0.x;
                means.push(Point { x, y });
                band.push(Span { x, low, high });
            }
        }
    }
    (means, band)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a curve of ten groups, each of which is a slope with teeth of this height. A tooth has eight points.
    fn teeth(height: f64) -> Vec<Grouped> {
        let points = (0..4_000_u32).map(|index| {
            let tooth = height * f64::from(index % 8) / 7.0;
            let y = 1.0 + f64::from(index % 400) / 400.0 + tooth;
            let x = f64::from(index);
            let bounds = Span {
                x,
                low: y - 0.25,
                high: y + 0.5,
            };
            (Point { x, y }, bounds, (index / 400) as u8)
        });
        points.collect()
    }

    #[test]
    fn only_teeth_of_visible_height_run_together() {
        assert!(run_together(&teeth(0.5)));
        assert!(!run_together(&teeth(0.01)));
        assert!(!run_together(&teeth(0.0)));
        assert!(!run_together(&[]));
    }

    #[test]
    fn the_band_spans_every_bound_and_contains_the_mean() {
        let curve = teeth(0.5);
        let (means, band) = mean_and_range(&curve);
        assert_eq!(means.len(), band.len());
        // The last mean must be at the end of the curve, and at least 1 right of the mean before. If the last part had only one
        // point, there would be an upright line at the end.
        let [.., before, last] = &means[..] else {
            panic!("two means");
        };
        assert!((last.x, last.x - before.x >= 1.0) == (3_999.0, true));
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
        assert_eq!((lowest, highest), (0.75, 2.9975));
        // A group ends where the next begins.
        let jump = means
            .windows(2)
            .find(|pair| pair[1].y < pair[0].y - 0.5)
            .unwrap();
        assert_eq!(jump[1].x - jump[0].x, 1.0);
    }

    /// The last group may have only a few points.
    #[test]
    fn a_short_group_reaches_from_end_to_end() {
        let curve = teeth(0.5);
        let (means, band) = mean_and_range(&curve[..3_605]);
        let [.., before, first, last] = &means[..] else {
            panic!("three means");
        };
        assert_eq!((before.x, first.x, last.x), (3_599.0, 3_600.0, 3_604.0));
        assert!(first.y == last.y && band.last().unwrap().x == last.x);
    }
}
