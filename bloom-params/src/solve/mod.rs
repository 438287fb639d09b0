//! Solves a question: the given quantities decide which formula applies.

mod growing;
mod system;

use std::f64::consts::LN_2;

use bloom_core::math::{MAX_BITS, MathError, Model, first_true, hash_floor};

use crate::answer::{HashesRange, Solution};
use crate::kind::filter::Filter;
use crate::kind::judge::{behind_hash, items_by_set_bits};
use crate::kind::scalable::rate_of;
use crate::question::Quantity::{Bits, Hashes, Items, Rate};
use crate::question::{Cost, Query, QueryError, Round, Unbuilt, least_common};

impl Query {
    /// Solves for the quantities that are not given.
    ///
    /// These mixes are valid if neither set bits nor costs are given. Each line names a mix and
    /// what is solved for it. Scalable filters and the filters of other systems take fewer mixes.
    ///
    #[doc = concat!("```text\n", include_str!("../mixes.txt"), "```")]
    ///
    /// The last two need no number of items and have no [`Solution`]: call [`per_item`](Self::per_item).
    ///
    /// # Errors
    ///
    /// The mix is not one of these; a quantity is outside its range (see the fields of [`Query`]);
    /// the filter does not have an option; or the answer is outside its range.
    pub fn solve(self) -> Result<Solution, QueryError> {
        self.check()?;
        // Without n and m the question is refused below, and the error does not depend on the rate.
        if self.items.or(self.bits).is_some() {
            self.check_rate()?;
        }
        if let Some(system) = self.filter.system() {
            return self.solve_by_rule(system);
        }
        if let Some(ones) = self.set_bits {
            return self.solve_for_set_bits(ones);
        }
        if let (Some(cost), Some(n)) = (self.cost, self.items) {
            return self.solve_for_cost(n, cost);
        }
        if let (Some(items), None, Some(rate), Some(hash_bits)) =
            (self.items, self.bits, self.rate, self.hash_bits)
        {
            let floor = hash_floor(items, hash_bits)?;
            if floor >= rate {
                return Err(QueryError::HashTooNarrow {
                    hash_bits,
                    items,
                    floor,
                });
            }
        }
        if let Some(growth) = self.filter.growth(self.rate) {
            return self.solve_growing(growth);
        }
        let judge = self.judge();
        let bits = self.bits.map(|bits| self.whole_blocks(bits)).transpose()?;
        match (self.items, bits, self.hashes, self.rate) {
            (Some(n), None, None, Some(p)) => {
                let (m, k) = judge.min_size(n, p)?;
                if self.round == Round::None {
                    return Solution::new(self, &[Bits, Hashes], (n, m, k));
                }
                self.solve_for_hashes(n, self.rounded(m)?, p, &[Bits, Hashes])
            }
            (Some(n), None, Some(k), Some(p)) => {
                let m = self.rounded(judge.min_bits(n, k, p)?)?;
                Solution::new(self, &[Bits], (n, m, k))
            }
            (Some(n), Some(m), None, None) => {
                let k = judge.best_hashes(n, m)?;
                Solution::new(self, &[Hashes, Rate], (n, m, k))
            }
            (Some(n), Some(m), Some(k), None) => Solution::new(self, &[Rate], (n, m, k)),
            (None, Some(m), None, Some(p)) => {
                let (n, k) = judge.max_items_and_hashes(m, p)?;
                Solution::new(self, &[Items, Hashes], (n, m, k))
            }
            (None, Some(m), Some(k), Some(p)) => {
                let n = judge.max_items(m, k, p)?;
                Solution::new(self, &[Items], (n, m, k))
            }
            (Some(n), Some(m), None, Some(p)) => self.solve_for_hashes(n, m, p, &[Hashes]),
            (Some(n), Some(m), Some(k), Some(_)) => Solution::new(self, &[], (n, m, k)),
            (None, Some(m), Some(k), None) => {
                let n = (m as f64 * LN_2 / f64::from(k)) as u64;
                let found = Solution::new(self, &[Items, Rate], (n, m, k))?;
                Ok(Solution {
                    half_full: true,
                    ..found
                })
            }
            (Some(n), None, Some(k), None) => {
                let m = (f64::from(k) * n as f64 / LN_2).ceil();
                if m > MAX_BITS as f64 {
                    return Err(MathError::NeedsTooManyBits {
                        items: n,
                        rate: 0.5_f64.powi(k.into()),
                    }
                    .into());
                }
                let whole = (m as u64).next_multiple_of(self.filter.unit());
                let m = self.rounded(whole)?;
                let found = Solution::new(self, &[Bits, Rate], (n, m, k))?;
                Ok(Solution {
                    half_full: true,
                    ..found
                })
            }
            _ => Err(QueryError::Underdetermined(self.given())),
        }
    }

    /// Solves a filter whose number X of set bits is given: its items, unless they are given, and its rate (X/m)^k.
    fn solve_for_set_bits(self, ones: u64) -> Result<Solution, QueryError> {
        let (Some(m), Some(k)) = (self.bits, self.hashes) else {
            return Err(QueryError::SetBitsNeedSize(self.given()));
        };
        let held = items_by_set_bits(m, k, ones)?;
        let solved: &[_] = match (self.items, self.rate) {
            (None, None) => &[Items, Rate],
            (None, Some(_)) => &[Items],
            (Some(_), None) => &[Rate],
            (Some(_), Some(_)) => &[],
        };
        let items = self.items.unwrap_or(held);
        let found = Solution::new(self, solved, (items, m, k))?;
        let now = power(ones as f64, m as f64, k);
        // Below the smallest normal `f64`, `now` loses digits. If the mean rate of filters of this size is below it, too, the
        // mean rate takes the place of `now`.
        let is_lower = now.max(found.ideal.value()) < f64::MIN_POSITIVE;
        let ideal = if is_lower { found.ideal } else { rate_of(now) };
        let rate = behind_hash(self.hash_bits, items, &|_| Ok(ideal))?;
        Ok(Solution {
            met: self.rate.map(|target| rate.value() <= target),
            rate,
            ideal,
            ..found
        })
    }

    /// Solves for the filter of n items with the least sum of what its false positives and its bits cost.
    fn solve_for_cost(self, n: u64, cost: Cost) -> Result<Solution, QueryError> {
        let judge = self.judge();
        let (unit, width) = (self.filter.unit(), self.filter.width() as f64);
        let rate = |m, k| {
            judge
                .rate(n, m, k)
                .map_or(1.0, bloom_core::math::Rate::value)
        };
        let sum = |m: u64, k: u8| cost.false_hits(rate(m, k)) + cost.per_bit * width * m as f64;
        // Maps an index from 1 on to a candidate size.
        let powers = self.round == Round::PowerOfTwo;
        let step = match self.round {
            Round::Multiple(of) => least_common(of, unit),
            _ => unit,
        };
        let size = |number: u64| {
            if powers {
                unit << (number - 1)
            } else {
                number * step
            }
        };
        let number_of = |bits: u64| match (bits / step).max(1) {
            units if powers => u64::from(units.ilog2()) + 1,
            units => units,
        };
        let last = number_of(self.rounded(unit).map(|_| MAX_BITS)?);
        // The best filter may have another rate. The search only starts at the size for this rate.
        let many = cost.rate_of_many(n, self.filter.width());
        let many = many.clamp(f64::MIN_POSITIVE, 0.5);
        let size_of_many = judge.min_size(n, many);
        let (guess, k) = size_of_many.or_else(|_| Model::Exact.min_size(n, many))?;
        let least = |k: u8| {
            // Filters so small that they answer yes to nearly every query differ only in the cost of their bits. That the next
            // size costs more is then no sign that this one costs least.
            let is_least = |number| {
                let [this, next] = [number, number + 1].map(size);
                rate(this, k) < 1.0 - 1e-9 && sum(next, k) >= sum(this, k)
            };
            let number = first_true(1, last - 1, number_of(guess), is_least);
            let m = size(number.unwrap_or(last));
            (sum(m, k), m)
        };
        let given = self.hashes.or(self.filter.fixed_hashes());
        let near = given.map_or(k.saturating_sub(4).max(1)..=k.saturating_add(4), |k| k..=k);
        let found = near.map(least).min_by(|a, b| a.0.total_cmp(&b.0));
        let (_, m) = found.expect("there is at least one k");
        // An m rounded to a power of two may have room for more hashes, so k is chosen again.
        let k = given.map_or_else(|| judge.best_hashes(n, m), Ok)?;
        let without = cost.false_hits(1.0);
        if sum(m, k) >= without {
            return Err(QueryError::NoFilterPays { without });
        }
        let solved: &[_] = match self.hashes {
            Some(_) => &[Bits, Rate],
            None => &[Bits, Hashes, Rate],
        };
        Solution::new(self, solved, (n, m, k))
    }

    /// Refuses a rate that is not between 0 and 1. The searches assume that it is, and may not end otherwise.
    pub(crate) fn check_rate(&self) -> Result<(), QueryError> {
        let invalid = self.rate.filter(|p| !(*p > 0.0 && *p < 1.0));
        invalid.map_or(Ok(()), |p| Err(MathError::RateOutOfRange(p).into()))
    }

    /// Refuses what the filter or the mix does not support.
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        if self.items == Some(0) {
            return Err(MathError::NoItems.into());
        }
        if let Filter::OfSystem { system, expansion } = self.filter {
            let most = system.expansion.map_or(0, |option| option.most);
            if let Some(got) = expansion.filter(|times| !(1..=most).contains(times)) {
                let why = Unbuilt::Expansion { most, got };
                return Err(QueryError::OfSystem { system, why });
            }
            let options = [
                ("model", self.model != Model::Exact),
                ("round", self.round != Round::None),
                ("hash_bits", self.hash_bits.is_some()),
                ("confidence", self.confidence.is_some()),
                ("set_bits", self.set_bits.is_some()),
                ("cost_false_hit", self.cost.is_some()),
            ];
            let given = options.into_iter().find(|(_, is_given)| *is_given);
            return given.map_or(Ok(()), |(option, _)| {
                let why = Unbuilt::Decides { option };
                Err(QueryError::OfSystem { system, why })
            });
        }
        let not_of = |option, owners| QueryError::NotOfFilter {
            option,
            filter: self.filter,
            owners,
        };
        let grows = self.filter.grows();
        if self.model != Model::Exact && self.filter != Filter::Classic {
            return Err(not_of("model", "classic"));
        }
        if self.set_bits.is_some() && !self.filter.is_classic_inside() {
            return Err(not_of("set_bits", "classic and counting"));
        }
        let of_mean = [
            ("confidence", self.confidence.is_some()),
            ("model", self.model != Model::Exact),
        ];
        let of_mean = of_mean.into_iter().find(|(_, is_given)| *is_given);
        if let (Some((option, _)), true) = (of_mean, self.set_bits.is_some()) {
            return Err(QueryError::SetBitsAreOfOneFilter { option });
        }
        if self.cost.is_some() && grows {
            return Err(not_of("cost_false_hit", "all filters but scalable"));
        }
        let is_of_items = self.items.is_some() && self.bits.is_none() && self.rate.is_none();
        if self.cost.is_some() && !is_of_items {
            return Err(QueryError::CostNeedsItems(self.given()));
        }
        let fixed = self.filter.fixed_hashes();
        if let Some(hashes) = self.hashes
            && (grows || fixed.is_some_and(|only| only != hashes))
        {
            let filter = self.filter;
            return Err(QueryError::FixedHashes { filter, hashes });
        }
        if let Some(share) = self.confidence {
            if !self.filter.is_classic_inside() {
                return Err(not_of("confidence", "classic and counting"));
            }
            if !(share > 0.0 && share < 1.0) {
                return Err(QueryError::ConfidenceOutOfRange(share));
            }
            if self.rate.is_none() {
                return Err(QueryError::ConfidenceWithoutRate);
            }
            if self.hash_bits.is_some() {
                return Err(QueryError::ConfidenceBehindHash);
            }
        }
        if self.round != Round::None {
            if grows {
                return Err(not_of("round", "all filters but scalable"));
            }
            if self.bits.is_some() || self.bits_per_item.is_some() {
                return Err(QueryError::NothingToRound);
            }
        }
        Ok(())
    }

    /// Returns the bits rounded down to whole blocks.
    fn whole_blocks(&self, bits: u64) -> Result<u64, QueryError> {
        let block_bits = self.filter.unit();
        match bits / block_bits {
            0 if bits > 0 => Err(QueryError::LessThanOneBlock { bits, block_bits }),
            blocks => Ok(blocks * block_bits),
        }
    }

    fn rounded(&self, bits: u64) -> Result<u64, QueryError> {
        let up = self.round.up(bits, self.filter.unit());
        up.ok_or(QueryError::CannotRound {
            bits,
            block_bits: self.filter.unit(),
        })
    }

    /// Solves for the fewest hashes that meet p, given n, m and p. If no number of hashes meets p, takes the best one. Also
    /// finds the range of hashes that meet p.
    fn solve_for_hashes(
        self,
        n: u64,
        m: u64,
        p: f64,
        solved: &[crate::question::Quantity],
    ) -> Result<Solution, QueryError> {
        let judge = self.judge();
        let best = judge.best_hashes(n, m)?;
        let range = judge.hashes_range(n, m, p)?;
        let range = range.map(|range| HashesRange {
            min: *range.start(),
            max: *range.end(),
            best,
        });
        let k = range.map_or(best, |range| range.min);
        let mut solution = Solution::new(self, solved, (n, m, k))?;
        if best == u8::MAX {
            // The best k is printed beside the fewest. A remark follows if more than 255 hashes would be better.
            solution.wants_more_hashes = judge.wants_more_hashes(n, m)?;
        }
        solution.hashes_range = range;
        Ok(solution)
    }
}

/// Returns (x/m)^k to the last digit. With a plain power, a rate that is a short decimal might be printed, and compared, as a
/// neighbouring `f64`.
fn power(x: f64, m: f64, k: u8) -> f64 {
    let high = x / m;
    let low = libm::fma(-high, m, x) / m;
    // The power and its rounding error.
    let (mut power, mut rest) = (1.0, 0.0);
    for _ in 0..k {
        let product = power * high;
        let more = libm::fma(power, high, -product) + (power * low + rest * high);
        power = product + more;
        rest = more - (power - product);
    }
    power
}
