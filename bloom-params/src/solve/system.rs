//! Solves for the filter that another system (a library or a database) builds. Which quantities must be given depends on the
//! system: n with p, with m or with both; m and p; or n alone, if all filters of the system have one size.

use bloom_core::math::MathError;
use bloom_systems::rule::Takes;
use bloom_systems::{Rates, Refusal, Request, System};

use crate::answer::Solution;
use crate::kind::of_system::{AsBuilt, WhyNoMore};
use crate::question::{Quantity, Query, QueryError, Unbuilt};

impl Query {
    /// Returns the filter that a system builds for the given quantities. If the system takes m and not p, n and p give the
    /// filter with the least m that keeps p, of at least one bit per item.
    pub(super) fn solve_by_rule(self, system: &'static System) -> Result<Solution, QueryError> {
        if self.bits == Some(0) {
            return Err(MathError::NoBits.into());
        }
        let refused = |why| QueryError::OfSystem { system, why };
        let given = (self.items, self.bits, self.hashes, self.rate);
        let finds_bits = !system.takes_rate() && self.bits_per_item.is_none();
        if let ((Some(items), None, None, Some(_)), true) = (given, finds_bits) {
            // The search starts from one bit per item. If that keeps p, which only a high p allows, it is the answer.
            let (bits, rate) = (Some(items), self.rate);
            let first = Request { items, bits, rate };
            let first = self.answer_by_rule(system, first)?;
            if first.met != Some(false) {
                return Ok(first);
            }
            let pass = first.pass(system);
            let pass = pass.ok_or_else(|| {
                refused(Unbuilt::NoBits {
                    items,
                    rate: self.rate,
                })
            })?;
            return self.answer_by_rule(system, pass.request);
        }
        if !fits(system.sizing.takes, &self) {
            return Err(refused(Unbuilt::Mix(self.given())));
        }
        let request = match (self.items, self.bits, self.rate) {
            (None, Some(bits), Some(rate)) => {
                let rates = Rates::new(system);
                let most = system.most(bits, rate, &rates.judge(rate));
                let most = most.map_err(|refusal| {
                    let request = Request {
                        items: 0,
                        bits: Some(bits),
                        rate: Some(rate),
                    };
                    refused(Unbuilt::Refused {
                        refusal,
                        most: None,
                        request,
                    })
                })?;
                let rate = Some(rate);
                Request { rate, ..most }
            }
            (items, bits, rate) => Request {
                items: items.unwrap_or_default(),
                bits,
                rate,
            },
        };
        self.answer_by_rule(system, request)
    }

    /// Returns the filter that the system builds for `request`, and whether it meets the target rate of this question.
    fn answer_by_rule(
        self,
        system: &'static System,
        request: Request,
    ) -> Result<Solution, QueryError> {
        let refused = |refusal: Refusal| {
            let most = system.most_items_at(request);
            let why = Unbuilt::Refused {
                refusal,
                most,
                request,
            };
            QueryError::OfSystem { system, why }
        };
        let built = system.build(request).map_err(refused)?;
        let (items, bits, hashes) = (request.items, built.bits, built.hashes);
        let full = (self.items.is_none() && self.bits.is_some()).then(|| {
            let more = items.checked_add(1);
            let more = more.and_then(|items| system.build(Request { items, ..request }).ok());
            match (request.bits, more) {
                (Some(_), _) => WhyNoMore::Rate,
                (None, Some(more)) => more.capped.map_or(WhyNoMore::Memory, WhyNoMore::Cap),
                (None, None) if self.bits == Some(bits) => WhyNoMore::Memory,
                (None, None) => WhyNoMore::Program,
            }
        });
        let mut solved = vec![Quantity::Bits, Quantity::Hashes];
        if self.items.is_none() {
            solved.insert(0, Quantity::Items);
        }
        if self.rate.is_none() {
            solved.push(Quantity::Rate);
        }
        let built = AsBuilt {
            request,
            built,
            full,
        };
        Ok(Solution {
            built: Some(Box::new(built)),
            ..Solution::new(self, &solved, (items, bits, hashes))?
        })
    }
}

/// Returns whether a system takes the given quantities.
fn fits(takes: Takes, query: &Query) -> bool {
    let (m, p) = (query.bits.is_some(), query.rate.is_some());
    query.hashes.is_none()
        && query.bits_per_item.is_none()
        && match takes {
            Takes::OneSize if query.items.is_none() => false,
            _ if query.items.is_none() => m && p,
            Takes::Rate => p && !m,
            Takes::Bits | Takes::WholeBitsPerItem => m,
            Takes::OneSize => !m,
            _ => p || m,
        }
}
