//! Double hashing, plain and enhanced: all positions derived from two hash values, and how much
//! this raises the rate.

use bloom_core::math::expected_fill;

use crate::error::FigureError;
use crate::row::Row;

/// How the k positions are derived from two hash values a and b.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// a + i b.
    Plain,
    /// a + i b + (i³ - i)/6: the increment b grows by i at step i (Dillinger and Manolios, 2004).
    Enhanced,
}

/// A filter that uses double hashing.
pub(crate) struct DoubleHashed {
    scheme: Scheme,
    row: Row,
    bits: u64,
    hashes: u8,
}

impl DoubleHashed {
    pub(crate) fn new(scheme: Scheme, bits: u64, hashes: u8) -> Result<Self, FigureError> {
        Ok(Self {
            scheme,
            row: Row::new(bits)?,
            bits,
            hashes,
        })
    }

    /// Inserts an item, given its two hash values.
    pub(crate) fn insert(&mut self, a: u64, b: u64) {
        for position in self.scheme.positions(a, b, self.bits, self.hashes) {
            self.row.set(position);
        }
    }

    /// Returns whether all bits of an item are set.
    pub(crate) fn contains(&self, a: u64, b: u64) -> bool {
        let mut positions = self.scheme.positions(a, b, self.bits, self.hashes);
        positions.all(|position| self.row.is_set(position))
    }
}

impl Scheme {
    /// Returns the positions, below `bits`, which must be at most 2^63.
    pub(crate) fn positions(
        self,
        a: u64,
        b: u64,
        bits: u64,
        hashes: u8,
    ) -> impl Iterator<Item = u64> {
        let (mut place, mut step) = (a % bits, b % bits);
        (1..=u64::from(hashes)).map(move |index| {
            let position = place;
            place = (place + step) % bits;
            if self == Self::Enhanced {
                step = (step + index % bits) % bits;
            }
            position
        })
    }
}

/// The ways in which an inserted item and a query share positions under enhanced double hashing.
pub(crate) struct Ways {
    /// N_j for each j from 0 to k, the number of ways to share j positions; 0 for j below 3.
    counts: Vec<u64>,
}

impl Ways {
    /// Counts the sets of at least 3 pairs (i, i'), position i of the item and i' of the query,
    /// that lie on one line, as do their cubic terms. These positions coincide whatever the hash
    /// values of the query are.
    pub(crate) fn new(hashes: u8) -> Self {
        let k = i64::from(hashes);
        let bend = |index: i64| (index * index * index - index) / 6;
        let mut found: Vec<Vec<(i64, i64)>> = Vec::new();
        for i in 0..k {
            for (j, next, other) in (0..k * k * k).map(|n| (n % k, n / k % k, n / k / k)) {
                if next <= i || other == j {
                    continue;
                }
                // The line from (i, j) to (next, other), and the line of the cubic terms.
                let cube = |i, j| bend(j) - bend(i);
                let on_line = |one: &i64, two: &i64| {
                    (two - j) * (next - i) == (other - j) * (one - i)
                        && (cube(*one, *two) - cube(i, j)) * (next - i)
                            == (cube(next, other) - cube(i, j)) * (one - i)
                };
                let mut points = Vec::new();
                for one in 0..k {
                    points.extend(
                        (0..k)
                            .filter(|two| on_line(&one, two))
                            .map(|two| (one, two)),
                    );
                }
                if points.len() >= 3 && !found.contains(&points) {
                    found.push(points);
                }
            }
        }
        let mut counts = vec![0; hashes as usize + 1];
        for points in found {
            counts[points.len()] += 1;
        }
        Self { counts }
    }

    /// Returns the excess of enhanced double hashing over the rate of independent positions, up to
    /// terms of order 1/m².
    ///
    /// ```text
    /// n/m² sum_j N_j [(r^(k-j) - r^k) - C(j,2) (r^(k-2) - r^k) + j (j-2) (r^(k-1) - r^k)]
    /// ```
    ///
    /// with the expected fill r and the [`Ways`] N_j. An item with independent positions shares
    /// them with a query one or two at a time; under enhanced double hashing it shares more at
    /// once, which the bracket counts.
    ///
    /// Not exact: within 20 % at 256 bits, k = 7 and m/n = 10, where the whole excess is 4 % of the
    /// rate.
    ///
    /// Source: own derivation, after Kirsch and Mitzenmacher (2008), who prove that the excess
    /// vanishes.
    pub(crate) fn excess(&self, items: u64, bits: u64) -> Result<f64, FigureError> {
        let hashes = (self.counts.len() - 1) as u8;
        let fill = expected_fill(items, bits, hashes)?;
        let k = i32::from(hashes);
        // The increase of the false-positive probability when `shared` bits of the query are known to be set.
        let more = |shared: i32| fill.powi(k - shared) - fill.powi(k);
        let mut together = 0.0;
        for (shared, ways) in self.counts.iter().enumerate() {
            let j = shared as i32;
            let pairs = f64::from(j * (j - 1) / 2);
            let ones = f64::from(j * (j - 2));
            together += *ways as f64 * (more(j) - pairs * more(2) + ones * more(1));
        }
        let m = bits as f64;
        Ok(items as f64 / (m * m) * together)
    }
}

#[cfg(test)]
mod tests {
    use bloom_core::math::exact;

    use super::*;
    use crate::enumeration;

    #[test]
    fn one_way_shares_all_positions_and_few_share_three_or_more() {
        let ways = Ways::new(7).counts;
        assert_eq!(ways[7], 1);
        assert!(ways.iter().sum::<u64>() < 20, "{ways:?}");
    }

    #[test]
    fn the_first_term_is_most_of_the_excess() {
        for (bits, per_item, hashes, off) in
            [(251, 10, 7, 0.2), (256, 10, 7, 0.2), (509, 5, 3, 0.1)]
        {
            let items = (bits + per_item / 2) / per_item;
            let truth = exact::rate(items, bits, hashes).unwrap().value();
            let first = Ways::new(hashes).excess(items, bits).unwrap();
            let all = enumeration::rate(Scheme::Enhanced, items, bits, hashes).unwrap() - truth;
            let got = first / all - 1.0;
            assert!(got.abs() < off, "{got} at m = {bits}, k = {hashes}");
        }
    }

    #[test]
    fn positions_are_those_of_the_formula() {
        let (a, b, m) = (40_i64, 33, 61);
        for (scheme, cubic) in [(Scheme::Plain, 0), (Scheme::Enhanced, 1)] {
            let at = |i: i64| a + i * b + cubic * (i * i * i - i) / 6;
            let expected = (0..9).map(|i| at(i).rem_euclid(m) as u64);
            let got = scheme.positions(a as u64, b as u64, m as u64, 9);
            assert!(got.eq(expected), "{scheme:?}");
        }
    }
}
