//! Chooses the places on a horizontal axis at which a curve is computed, and those at which real filters are measured.

use crate::curves::Point;
use crate::error::FigureError;

/// The number of steps along a smooth curve.
pub(crate) const POINTS: u32 = 150;

/// The approximate height of the plot divided by its width.
const ASPECT: f64 = 0.6;

/// Returns integers from `first` to `last`, both at least 1, dense enough for a smooth curve: the ends of [`POINTS`] steps at
/// equal differences and, for a curve with a steep start, of as many steps at equal ratios.
pub(crate) fn curve_places(first: u64, last: u64) -> Vec<u64> {
    let last = last.max(first);
    let length = (last - first) as f64;
    let ratio = last as f64 / first as f64;
    let steps = 0..=POINTS;
    let mut all: Vec<u64> = steps
        .flat_map(|step| {
            let share = f64::from(step) / f64::from(POINTS);
            let by_difference = first.saturating_add((length * share) as u64);
            let by_ratio = (first as f64 * ratio.powf(share)) as u64;
            [by_difference, by_ratio]
        })
        .chain([last])
        // A figure stores places as `f64`. Only integers that `f64` represents exactly are used, so that a curve is computed at
        // exactly the place where it is plotted.
        .map(|place| place.clamp(first, last) as f64 as u64)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns `count` integers of at least 1, or fewer where integers coincide. On a rising curve, the integers are at equal
/// distances *along* the curve as it is drawn with a logarithmic vertical axis, so they are closer where the curve is steep. On
/// a falling curve, they are at equal distances on the horizontal axis. The first integer is `offset` of such a distance from
/// the start, with `offset` from 0 to 1.
pub(crate) fn places_along(curve: &[Point], count: u32, offset: f64) -> Vec<u64> {
    let seen: Vec<&Point> = curve.iter().filter(|point| point.y > 0.0).collect();
    let [first, .., last] = seen[..] else {
        return Vec::new();
    };
    let rise = (last.y / first.y).ln();
    let up = if rise > 0.0 { ASPECT / rise } else { 0.0 };
    let step_of = |pair: &[&Point]| {
        let across = (pair[1].x - pair[0].x) / last.x;
        across.hypot(up * (pair[1].y / pair[0].y).ln())
    };
    let length: f64 = seen.windows(2).map(step_of).sum();
    let mut all = Vec::new();
    let (mut walked, mut pairs) = (0.0, seen.windows(2).peekable());
    for point in 0..count {
        let goal = length * (f64::from(point) + offset) / f64::from(count);
        while let Some(pair) = pairs.peek() {
            let step = step_of(pair);
            if walked + step >= goal {
                let x = pair[0].x + (pair[1].x - pair[0].x) * (goal - walked) / step;
                all.push((x.round() as u64).max(1));
                break;
            }
            walked += step;
            pairs.next();
        }
    }
    all.dedup();
    all
}

/// Returns how far the first measured point of a curve is from the start, as a share of the distance between measured points.
/// Each of `all` curves has a share of its own, so that the points of different curves do not hide each other.
pub(crate) fn offset(index: usize, all: usize) -> f64 {
    (index as f64 + 0.5) / all as f64
}

/// Returns `count` places on each of `all` curves, from `from` to `to` at equal ratios. The places are shifted from curve to
/// curve, by [`offset`].
pub(crate) fn staggered<P>(
    (from, to): (f64, f64),
    count: u32,
    all: usize,
    place: impl Fn(usize, f64) -> Result<P, FigureError>,
) -> Result<Vec<P>, FigureError> {
    let step = (to / from).ln() / f64::from(count);
    let numbers = (0..all).flat_map(|index| {
        let shares = (0..count).map(move |share| f64::from(share) + offset(index, all));
        shares.map(move |share| (index, from * (share * step).exp()))
    });
    numbers
        .map(|(index, number)| place(index, number))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_both_its_ends_and_no_place_twice() {
        for (first, last) in [
            (1, 1),
            (1, 2),
            (1, 10),
            (64, 7_400),
            (1, u64::MAX),
            (u64::MAX, 5),
        ] {
            let all = curve_places(first, last);
            assert_eq!(all.first(), Some(&first));
            assert_eq!(all.last(), Some(&last.max(first)));
            assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
        }
        assert_eq!(curve_places(1, 10), (1..=10).collect::<Vec<_>>());
    }

    #[test]
    fn places_along_a_curve_are_closer_where_it_is_steep() {
        let point = |x: f64| Point {
            x,
            y: (x / 1_000.0).powi(7),
        };
        let curve: Vec<Point> = (100..=1_000).map(|x| point(f64::from(x))).collect();
        let places = places_along(&curve, 10, 0.5);
        assert_eq!(places.len(), 10);
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(places[1] - places[0] < places[9] - places[8]);
    }

    #[test]
    fn curves_of_zero_length_have_no_places() {
        assert!(places_along(&[], 10, 0.5).is_empty());
        assert!(places_along(&[Point { x: 1.0, y: 0.5 }; 1], 10, 0.5).is_empty());
        assert!(places_along(&[Point { x: 1.0, y: 0.0 }; 5], 10, 0.5).is_empty());
    }
}
