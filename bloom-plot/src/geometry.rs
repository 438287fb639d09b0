//! Clips lines and areas to a rectangle, and moves places on a line apart, such as those of labels.

/// A position in pixels: the distance to the right, and the distance down.
pub(crate) type Place = (f64, f64);

/// A rectangle, including its edges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Rect {
    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(crate) fn contains(&self, (x, y): Place) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    pub(crate) fn is_apart(&self, other: &Self) -> bool {
        self.right < other.left
            || other.right < self.left
            || self.bottom <= other.top
            || other.bottom <= self.top
    }

    /// Returns the parts of a polyline that are inside the rectangle. Each part is a connected line.
    pub(crate) fn clip(&self, line: &[Place]) -> Vec<Vec<Place>> {
        let mut parts: Vec<Vec<Place>> = Vec::new();
        for ends in line.windows(2) {
            let Some((from, to)) = self.clip_segment(ends[0], ends[1]) else {
                continue;
            };
            match parts.last_mut() {
                Some(part) if part.last() == Some(&from) => part.push(to),
                _ => parts.push(vec![from, to]),
            }
        }
        parts
    }

    /// Returns the part of a polygon that is inside the rectangle, after Sutherland and Hodgman (1974).
    pub(crate) fn clip_area(&self, polygon: &[Place]) -> Vec<Place> {
        // Each function returns how far a place is inside of one edge of the rectangle.
        let edges: [&dyn Fn(Place) -> f64; 4] = [
            &|(x, _)| x - self.left,
            &|(x, _)| self.right - x,
            &|(_, y)| y - self.top,
            &|(_, y)| self.bottom - y,
        ];
        let mut inside = polygon.to_vec();
        for depth in edges {
            let corners = std::mem::take(&mut inside);
            let before = corners.last().copied();
            for (one, other) in before.into_iter().chain(corners.clone()).zip(&corners) {
                let (from, to) = (depth(one), depth(*other));
                if (from < 0.0) != (to < 0.0) {
                    let share = from / (from - to);
                    let between = |one: f64, other: f64| one + share * (other - one);
                    inside.push((between(one.0, other.0), between(one.1, other.1)));
                }
                if to >= 0.0 {
                    inside.push(*other);
                }
            }
        }
        inside
    }

    /// Clips a segment to the rectangle, after Liang and Barsky (1984).
    fn clip_segment(&self, (x0, y0): Place, (x1, y1): Place) -> Option<(Place, Place)> {
        let (dx, dy) = (x1 - x0, y1 - y0);
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let sides = [
            (-dx, x0 - self.left),
            (dx, self.right - x0),
            (-dy, y0 - self.top),
            (dy, self.bottom - y0),
        ];
        for (outwards, room) in sides {
            if outwards < 0.0 {
                enter = enter.max(room / outwards);
            } else if outwards > 0.0 {
                leave = leave.min(room / outwards);
            } else if room < 0.0 {
                return None;
            }
        }
        let inside = |share: f64, end: Place| match share {
            0.0 | 1.0 => end,
            _ => (x0 + share * dx, y0 + share * dy),
        };
        (enter <= leave).then(|| (inside(enter, (x0, y0)), inside(leave, (x1, y1))))
    }
}

/// Moves places on a line so that neighbours are at least `gap` apart. The places keep their order, and stay between `from` and
/// `to` if there is room. The sum of the squares of their moves is as small as possible.
pub(crate) fn set_apart(places: &[f64], gap: f64, from: f64, to: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|one, other| places[*one].total_cmp(&places[*other]));
    // If the gaps before each place are subtracted from it, the places need only be nondecreasing. Neighbours that decrease are
    // merged into a group at their mean (isotonic regression). A group is stored as the sum of its places and their number.
    let mean = |group: (f64, usize)| group.0 / group.1 as f64;
    let mut groups: Vec<(f64, usize)> = Vec::new();
    for (rank, index) in order.iter().enumerate() {
        let mut group = (places[*index] - rank as f64 * gap, 1);
        while let Some(before) = groups.last().filter(|before| mean(**before) > mean(group)) {
            group = (before.0 + group.0, before.1 + group.1);
            groups.pop();
        }
        groups.push(group);
    }
    let last = to - gap * places.len().saturating_sub(1) as f64;
    let mut apart = vec![0.0; places.len()];
    let mut rank = 0;
    for group in groups {
        let place = mean(group).min(last).max(from);
        for _ in 0..group.1 {
            apart[order[rank]] = place + rank as f64 * gap;
            rank += 1;
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Rect = Rect {
        left: 0.0,
        top: 0.0,
        right: 10.0,
        bottom: 10.0,
    };

    #[test]
    fn a_line_inside_stays_whole() {
        let line = [(1.0, 1.0), (5.0, 9.0), (10.0, 0.0)];
        assert_eq!(BOX.clip(&line), [line.to_vec()]);
    }

    #[test]
    fn a_line_is_cut_where_it_crosses_an_edge() {
        let line = [
            (-5.0, 5.0),
            (5.0, 5.0),
            (5.0, 20.0),
            (8.0, 20.0),
            (8.0, 5.0),
        ];
        let expected = [
            vec![(0.0, 5.0), (5.0, 5.0), (5.0, 10.0)],
            vec![(8.0, 10.0), (8.0, 5.0)],
        ];
        assert_eq!(BOX.clip(&line), expected);
    }

    #[test]
    fn a_line_outside_vanishes() {
        assert!(BOX.clip(&[(-1.0, -1.0), (11.0, -1.0)]).is_empty());
        assert!(BOX.clip(&[(-5.0, 4.0), (4.0, -6.0)]).is_empty());
        assert!(BOX.clip(&[(5.0, 5.0)]).is_empty());
    }

    #[test]
    fn an_area_is_cut_at_the_edges() {
        let inside = [(1.0, 1.0), (9.0, 1.0), (5.0, 9.0)];
        assert_eq!(BOX.clip_area(&inside), inside);
        let across = [(-5.0, 2.0), (15.0, 2.0), (15.0, 4.0), (-5.0, 4.0)];
        let mut cut = BOX.clip_area(&across);
        cut.sort_by(|one, other| one.partial_cmp(other).unwrap());
        assert_eq!(cut, [(0.0, 2.0), (0.0, 4.0), (10.0, 2.0), (10.0, 4.0)]);
        let corner = BOX.clip_area(&[(5.0, 15.0), (15.0, 5.0), (15.0, 15.0)]);
        assert!(
            corner.iter().all(|place| BOX.contains(*place)),
            "{corner:?}"
        );
        let outside = [(11.0, 1.0), (19.0, 1.0), (15.0, 9.0)];
        assert!(BOX.clip_area(&outside).is_empty() && BOX.clip_area(&[]).is_empty());
    }

    #[test]
    fn places_far_apart_stay() {
        assert_eq!(set_apart(&[9.0, 1.0, 5.0], 2.0, 0.0, 10.0), [9.0, 1.0, 5.0]);
    }

    #[test]
    fn places_too_close_move_apart_evenly_in_the_same_order() {
        assert_eq!(set_apart(&[5.1, 4.9], 2.0, 0.0, 10.0), [6.0, 4.0]);
        assert_eq!(set_apart(&[5.0; 3], 2.0, 0.0, 10.0), [3.0, 5.0, 7.0]);
    }

    #[test]
    fn places_at_an_edge_move_inwards() {
        assert_eq!(set_apart(&[0.0, 0.5, 9.8], 2.0, 0.0, 10.0), [0.0, 2.0, 9.8]);
        assert_eq!(set_apart(&[9.0, 10.0], 2.0, 0.0, 10.0), [8.0, 10.0]);
    }

    #[test]
    fn places_of_every_kind_keep_their_gap_and_their_edges() {
        for count in 0..9 {
            let places: Vec<f64> = (0..count).map(|i| f64::from(i * i * 7 % 11)).collect();
            let mut apart = set_apart(&places, 1.2, 0.0, 11.0);
            apart.sort_by(f64::total_cmp);
            assert!(apart.windows(2).all(|pair| pair[1] - pair[0] >= 1.2 - 1e-9));
            assert!(
                apart
                    .iter()
                    .all(|place| (0.0..=11.0 + 1e-9).contains(place))
            );
        }
    }
}
