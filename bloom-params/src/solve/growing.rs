//! Solves for scalable filters, which consist of stages: filters that are added as items are inserted. Each stage has its own
//! number of hashes.

use bloom_core::math::scalable::Growth;
use bloom_core::math::{MAX_BITS, MathError};

use crate::answer::Solution;
use crate::kind::scalable::Grown;
use crate::question::Quantity::{Bits, Hashes, Items, Rate};
use crate::question::{Query, QueryError};

impl Query {
    /// Solves for the quantities of a scalable filter that are not given.
    pub(super) fn solve_growing(self, growth: Growth) -> Result<Solution, QueryError> {
        match (self.items, self.bits, self.rate) {
            (Some(n), None, Some(_)) => {
                let grown = Grown::for_items(growth, n)?;
                if grown.bits() > MAX_BITS {
                    let rate = growth.rate;
                    return Err(MathError::NeedsTooManyBits { items: n, rate }.into());
                }
                Ok(Solution::of_stages(
                    self,
                    &[Bits, Hashes],
                    n,
                    grown.bits(),
                    grown,
                ))
            }
            (None, Some(m), Some(_)) => {
                let grown = Grown::for_bits(growth, m)?;
                Ok(Solution::of_stages(
                    self,
                    &[Items, Hashes],
                    grown.items(),
                    m,
                    grown,
                ))
            }
            (Some(n), Some(m), p) => {
                let solved = if p.is_some() {
                    &[Hashes][..]
                } else {
                    &[Hashes, Rate]
                };
                if p.is_some() {
                    let grown = Grown::for_items(growth, n)?;
                    if grown.bits() <= m {
                        return Ok(Solution::of_stages(self, solved, n, m, grown));
                    }
                }
                let tightest = Grown::tightest(growth, n, m)?;
                let grown = tightest.ok_or(QueryError::StagesDoNotFit { items: n, bits: m })?;
                Ok(Solution::of_stages(self, solved, n, m, grown))
            }
            _ => Err(QueryError::Underdetermined(self.given())),
        }
    }
}
