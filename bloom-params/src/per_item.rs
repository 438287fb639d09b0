//! Answers questions without a number of items: computes bits per item for large n.

#[cfg(feature = "json")]
use bloom_core::math::MAX_BITS;
use bloom_core::math::{MathError, Model, Rate, lower_bound_bits_at};

use crate::kind::filter::{Filter, bits_per_item};
use crate::kind::scalable::rate_of;
use crate::question::{Query, QueryError, Round, Unbuilt};

/// The number of items that stands for many items in filters of blocks. With more items, the printed digits of the bits per
/// item stay the same.
pub(crate) const MANY: u64 = 1_000_000_000_000;

/// The bits per item for large n.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PerItem {
    /// The question.
    pub asked: Query,
    /// Hashes k: as given; otherwise the number that needs the fewest bits for p or, if the bits per item are given, has the
    /// lowest rate.
    pub hashes: u8,
    /// The rate p: as requested or, if the bits per item are given, the rate that they give.
    pub rate: Rate,
    /// Bits per item m/n in the limit of large n.
    pub bits_per_item: f64,
    /// Whether these bits per item keep the requested p; `None` where not both were given.
    pub met: Option<bool>,
}

impl PerItem {
    /// Returns the fewest bits per item that any structure needs: log2(1/p).
    pub fn bound_bits(&self) -> f64 {
        lower_bound_bits_at(1, self.rate)
    }

    /// Returns whether k is 255 and more hashes would be better still; always false in filters of blocks.
    #[cfg(feature = "json")]
    pub(crate) fn wants_more_hashes(&self) -> bool {
        let positions = self.bits_per_item / self.asked.filter.width() as f64;
        let bits = ((positions * MANY as f64) as u64).min(MAX_BITS);
        let judge = self.asked.judge();
        self.hashes == u8::MAX && judge.wants_more_hashes(MANY, bits).unwrap_or(false)
    }

    /// Returns the expected share of set bits.
    pub fn fill(&self) -> f64 {
        let positions = self.bits_per_item / self.asked.filter.width() as f64;
        let of_item = match self.asked.filter {
            // Positions of an item may coincide in a block, so on average an item sets fewer than k bits.
            Filter::PlainBlocked { block_bits } => {
                let block = f64::from(block_bits);
                -block * libm::expm1(f64::from(self.hashes) * libm::log1p(-1.0 / block))
            }
            _ => self.hashes.into(),
        };
        -libm::expm1(-of_item / positions)
    }
}

impl Query {
    /// Solves for the bits per item in the limit of large n, from p with or without k; or for the rate
    /// of given bits per item.
    ///
    /// # Errors
    ///
    /// - n or m is given: use [`solve`](Self::solve).
    /// - Neither p nor the bits per item are given.
    /// - The filter grows, or another system builds it for a number of items.
    /// - An option needs n or m, or the filter does not have it.
    /// - A number is out of its range.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_params::Query;
    ///
    /// let query = Query { rate: Some(0.01), ..Query::default() };
    /// let each = query.per_item()?;
    /// assert_eq!((each.hashes, format!("{:.3}", each.bits_per_item)), (7, "9.593".into()));
    /// # Ok::<(), bloom_params::QueryError>(())
    /// ```
    pub fn per_item(self) -> Result<PerItem, QueryError> {
        self.check()?;
        if let Some(system) = self.filter.system() {
            let why = Unbuilt::Mix(self.given());
            return Err(QueryError::OfSystem { system, why });
        }
        let grows = self.filter.grows();
        if self.items.is_some() || self.bits.is_some() || grows {
            return Err(QueryError::Underdetermined(self.given()));
        }
        let filter = self.filter;
        let sized = match (self.confidence, self.round) {
            (Some(_), _) => Some("--confidence"),
            (None, Round::None) if self.hash_bits.is_some() => Some("--hash-bits"),
            (None, Round::None) if self.distinct.is_some() => Some("--distinct"),
            (None, Round::None) => None,
            _ => Some("--round"),
        };
        if let Some(option) = sized {
            return Err(QueryError::NeedsSize { option });
        }
        self.check_rate()?;
        let p = match (self.bits_per_item, self.rate) {
            (Some(bits), _) => return self.rate_per_item(bits),
            (None, Some(p)) => p,
            _ => return Err(QueryError::Underdetermined(self.given())),
        };
        let (hashes, bits) = if filter.unit() > 1 {
            let judge = self.judge();
            let size = match self.hashes.or(filter.fixed_hashes()) {
                Some(k) => judge.min_bits(MANY, k, p).map(|bits| (bits, k)),
                None => judge.min_size(MANY, p),
            };
            // The error of the formulas names `MANY` items, which nobody gave, so it is replaced by one that names no n.
            let (bits, hashes) = size.map_err(|error| match error {
                MathError::NeedsTooManyBits { rate, .. } => {
                    QueryError::ManyNeedTooManyBits { rate }
                }
                error => error.into(),
            })?;
            (hashes, bits as f64 / MANY as f64)
        } else {
            let given = self.hashes.map_or(1..=u8::MAX, |k| k..=k);
            let each = given.map(|k| (k, bits_per_item(k, p)));
            let least = each.min_by(|a, b| a.1.total_cmp(&b.1));
            let (hashes, bits) = least.expect("k is given, or from 1 to 255");
            (hashes, bits * filter.width() as f64)
        };
        Ok(PerItem {
            asked: self,
            hashes,
            rate: rate_of(p),
            bits_per_item: bits,
            met: None,
        })
    }

    /// Solves for the rate that a filter with `bits` bits per item has, with the hashes given or else the best number of
    /// hashes.
    fn rate_per_item(self, bits: f64) -> Result<PerItem, QueryError> {
        let filter = self.filter;
        let of_many = filter.unit() > 1;
        let (judge, unit) = (self.judge(), filter.unit());
        let many = (bits * MANY as f64) as u64 / unit * unit;
        let rate = |k: u8| {
            if of_many {
                return judge.rate(MANY, many, k);
            }
            // (1 - e^(-k n/m))^k. The formula takes a whole m, and n is so large that rounding m hardly changes m/n.
            let items = 1 << 40;
            let positions = (bits * items as f64).max(1.0);
            Model::Asymptotic.rate(items * filter.width(), positions as u64, k)
        };
        let hashes = match self.hashes.or(filter.fixed_hashes()) {
            Some(k) => k,
            None if of_many => judge.best_hashes(MANY, many)?,
            None => {
                let all = (1..=u8::MAX).map(|k| (k, rate(k).map_or(0.0, Rate::ln)));
                let least = all.min_by(|a, b| a.1.total_cmp(&b.1));
                least.map_or(1, |(k, _)| k)
            }
        };
        let rate = rate(hashes)?;
        Ok(PerItem {
            asked: self,
            hashes,
            rate,
            bits_per_item: bits,
            met: self.rate.map(|target| rate.value() <= target),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::LN_2;

    use bloom_core::math::{Model, Rate, exact};

    use super::*;
    use crate::Filter;

    #[test]
    fn bits_per_item_are_the_limit_for_many_items() {
        let (n, p) = (10_000_000_000_u64, 0.001);
        for k in [1, 3, 10, 30] {
            let m = Model::Exact.min_bits(n, k, p).unwrap();
            let each = bits_per_item(k, p);
            assert!((m as f64 / n as f64 / each - 1.0).abs() < 1e-8, "{k}");
            let rate: Rate = exact::rate(n, m, k).unwrap();
            assert!(rate.value() <= p);
        }
    }

    /// For k = 1 the bits per item are -1 / ln(1 - p): nearly 1/p - 1/2 where p is small. For k = 2
    /// and p = q^2 they are twice those for k = 1 and p = q.
    #[test]
    fn bits_of_an_item_keep_their_digits_at_both_ends() {
        let near = |k, p, bits: f64| {
            let found = bits_per_item(k, p);
            assert!(
                (found / bits - 1.0).abs() < 1e-12,
                "{k} {p:e}: {found:e} {bits:e}"
            );
        };
        near(1, 1e-30, 1e30);
        near(1, 1e-9, 1e9 - 0.5);
        near(2, 1e-60, 2e30);
        for clear in [0.25, 1e-3, 1e-9, 1e-15] {
            let q = 1.0 - clear;
            near(1, q, -1.0 / (1.0 - q).ln());
        }
        // q * q is exact in `f64`.
        let q = 1.0 - 0.5_f64.powi(20);
        near(2, q * q, 2.0 / (20.0 * LN_2));
        // The cube root of 1 - c is 1 - c/3 - c^2/9 - ...
        let c = 0.5_f64.powi(40);
        near(3, 1.0 - c, -3.0 / (c / 3.0 + c * c / 9.0).ln());
    }

    #[test]
    fn every_filter_without_stages_has_its_bits_per_item() {
        let each = |filter| {
            let query = Query {
                rate: Some(0.01),
                filter,
                ..Query::default()
            };
            let each = query.per_item().unwrap();
            (each.hashes, (each.bits_per_item * 1000.0).round() / 1000.0)
        };
        // For large n and the best whole k, rounded to three decimals.
        assert_eq!(each(Filter::Classic), (7, 9.593));
        assert_eq!(each(Filter::Partitioned), (7, 9.593));
        assert_eq!(each(Filter::Counting { counter_bits: 4 }), (7, 38.372));
        assert_eq!(each(Filter::PlainBlocked { block_bits: 512 }), (6, 9.918));
        assert_eq!(each(Filter::PlainBlocked { block_bits: 64 }), (5, 12.139));
        assert_eq!(each(Filter::SplitBlock { block_bits: 256 }), (8, 10.529));
        assert_eq!(each(Filter::SplitBlock { block_bits: 512 }), (8, 10.099));
    }
}
