//! From question to answer: which quantities are given decides which formula is asked.

use bloom_core::math::MathError;

use crate::query::{Query, QueryError};
use crate::solution::Quantity::{Bits, Hashes, Items, Rate};
use crate::solution::{HashesRange, Solution};

/// What may be given, and what is answered.
pub(crate) const MIXES: &str = include_str!("mixes.txt");

impl Query {
    /// Solves for what is not given.
    ///
    /// What may be given, and what is answered:
    ///
    #[doc = concat!("```text\n", include_str!("mixes.txt"), "```")]
    ///
    /// # Errors
    ///
    /// Another mix of quantities; a quantity outside its range (see the fields of [`Query`]); or an
    /// answer outside it.
    pub fn solve(self) -> Result<Solution, QueryError> {
        let model = self.model;
        if self.items == Some(0) {
            return Err(MathError::NoItems.into());
        }
        match (self.items, self.bits, self.hashes, self.rate) {
            (Some(n), None, None, Some(p)) => {
                let (m, k) = model.min_size(n, p)?;
                Solution::new(self, &[Bits, Hashes], (n, m, k))
            }
            (Some(n), None, Some(k), Some(p)) => {
                let m = model.min_bits(n, k, p)?;
                Solution::new(self, &[Bits], (n, m, k))
            }
            (Some(n), Some(m), None, None) => {
                let k = model.best_hashes(n, m)?;
                Solution::new(self, &[Hashes, Rate], (n, m, k))
            }
            (Some(n), Some(m), Some(k), None) => Solution::new(self, &[Rate], (n, m, k)),
            (None, Some(m), None, Some(p)) => {
                let (n, k) = model.max_items_and_hashes(m, p)?;
                Solution::new(self, &[Items, Hashes], (n, m, k))
            }
            (None, Some(m), Some(k), Some(p)) => {
                let n = model.max_items(m, k, p)?;
                Solution::new(self, &[Items], (n, m, k))
            }
            (Some(n), Some(m), None, Some(p)) => self.solve_for_hashes(n, m, p),
            (Some(n), Some(m), Some(k), Some(_)) => Solution::new(self, &[], (n, m, k)),
            _ => Err(QueryError::Underdetermined(self)),
        }
    }

    /// n, m and p: the fewest hashes that do, beside all that do and the best.
    fn solve_for_hashes(self, n: u64, m: u64, p: f64) -> Result<Solution, QueryError> {
        let best = self.model.best_hashes(n, m)?;
        let range = self.model.hashes_range(n, m, p)?;
        let range = range.map(|range| HashesRange {
            min: *range.start(),
            max: *range.end(),
            best,
        });
        let k = range.map_or(best, |range| range.min);
        let mut solution = Solution::new(self, &[Hashes], (n, m, k))?;
        if best == u8::MAX {
            // The best is told beside the fewest, and so is that it is the best only up to 255.
            solution.wants_more_hashes = self.model.wants_more_hashes(n, m)?;
        }
        solution.hashes_range = range;
        Ok(solution)
    }
}
