//! Is a measured rate the promised one? Tests whose false alarms and power are numbers.
//!
//! Of a filter that is filled and then left alone, every query for another item is found with the
//! same chance p, independently: so of q queries, the hits are binomial, exactly. A [`Band`] is
//! what they stay in but for a stated chance, by exact sums and not by a normal curve.

use crate::subject::Subject;

/// The chance of a false alarm of each band: with a hundred of them, one in 10^8.
pub const ALARM: f64 = 1e-10;

/// How many hits are right for a rate, or for any between two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    queries: u64,
    least: u64,
    most: u64,
}

impl Band {
    /// Returns the hits that a filter with a rate from `lowest` to `highest` has, but for a chance
    /// of `alarm`.
    pub fn new(queries: u64, lowest: f64, highest: f64, alarm: f64) -> Self {
        let from = Binomial::new(queries, lowest);
        let to = Binomial::new(queries, highest);
        Self {
            queries,
            least: from.lower_quantile(alarm / 2.0),
            most: to.upper_quantile(alarm / 2.0),
        }
    }

    /// Returns whether so many hits are right.
    pub fn holds(self, hits: u64) -> bool {
        (self.least..=self.most).contains(&hits)
    }

    /// Returns the chance that a filter of this rate falls outside.
    pub fn power(self, rate: f64) -> f64 {
        let hits = Binomial::new(self.queries, rate);
        hits.chance(0..self.least) + hits.chance(self.most + 1..self.queries + 1)
    }

    /// Returns the lowest rate above the band that falls outside with this power.
    pub fn detects_from(self, power: f64) -> f64 {
        let (mut low, mut high) = (self.most as f64 / self.queries as f64, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.power(middle) < power {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

/// The chances of the numbers of hits that are not beyond all chance (1e-40).
struct Binomial {
    first: u64,
    chances: Vec<f64>,
}

impl Binomial {
    fn new(queries: u64, rate: f64) -> Self {
        let rate = rate.clamp(0.0, 1.0);
        let mode = (((queries + 1) as f64 * rate) as u64).min(queries);
        let odds = rate / (1.0 - rate);
        // Each chance from its neighbour, away from the likeliest; the sum makes them whole.
        let up = |hits: u64| (queries - hits) as f64 / (hits + 1) as f64 * odds;
        let (mut above, mut below) = (vec![1.0_f64], Vec::new());
        let mut hits = mode;
        while hits < queries && above[above.len() - 1] > 1e-40 && rate < 1.0 {
            above.push(above[above.len() - 1] * up(hits));
            hits += 1;
        }
        hits = mode;
        let mut chance = 1.0;
        while hits > 0 && chance > 1e-40 && rate > 0.0 && rate < 1.0 {
            chance /= up(hits - 1);
            below.push(chance);
            hits -= 1;
        }
        below.reverse();
        below.extend(above);
        let sum: f64 = below.iter().sum();
        for chance in &mut below {
            *chance /= sum;
        }
        Self {
            first: hits,
            chances: below,
        }
    }

    fn chance(&self, hits: std::ops::Range<u64>) -> f64 {
        let numbered = (self.first..).zip(&self.chances);
        let inside = numbered.filter(|(number, _)| hits.contains(number));
        inside.map(|(_, chance)| chance).sum()
    }

    /// The most hits below which there are less often than `tail`.
    fn lower_quantile(&self, tail: f64) -> u64 {
        let mut sum = 0.0;
        for (hits, chance) in (self.first..).zip(&self.chances) {
            sum += chance;
            if sum > tail {
                return hits;
            }
        }
        self.first
    }

    /// The fewest hits above which there are less often than `tail`.
    fn upper_quantile(&self, tail: f64) -> u64 {
        let mut sum = 0.0;
        for (above, chance) in self.chances.iter().enumerate().rev() {
            sum += chance;
            if sum > tail {
                return self.first + above as u64;
            }
        }
        self.first
    }
}

/// Returns how far above an asked rate a single sound filter of the usual design (k = log2(1/p)
/// hashes, half of the bits set) may be, as a factor, but for a chance of `alarm`.
///
/// ```text
/// P(|X - E X| >= t) <= 2 exp(-2 t^2 / N),  N = k n throws
/// ```
///
/// Source: McDiarmid (1989): throws are independent, and each changes the set bits X by at most 1.
/// The rate goes with the k-th power of X.
pub fn single_filter_slack(items: u64, rate: f64, alarm: f64) -> f64 {
    let hashes = (-rate.log2()).max(1.0);
    let throws = hashes * items as f64;
    let off = (throws * (2.0 / alarm).ln() / 2.0).sqrt();
    let half = throws / std::f64::consts::LN_2 / 2.0;
    (1.0 + off / half).powf(hashes)
}

/// Asks a filter for so many others than `0..items`, and returns how many it finds.
pub fn hits<F: Subject<u64>>(filter: &F, items: u64, queries: u64) -> u64 {
    let others = items..items + queries;
    others.filter(|item| filter.contains(item)).count() as u64
}
