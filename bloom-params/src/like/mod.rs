//! What another system would build for the same request, and the true rate of that filter: the calculator's view of
//! [`bloom_systems`].

pub(crate) mod call;

use bloom_core::math::MathError;
use bloom_systems::double_hashing::Excess;
use bloom_systems::rule::Takes;
use bloom_systems::{Pass, Rates, Refusal, Request, Verdict};
pub use bloom_systems::{SYSTEMS, System, system};

pub use call::{Argument, Call, Passed, Remedy};

use crate::answer::{Origin, Solution, WhyNoMore};
use crate::kind::of_system::raised;
use crate::question::{Quantity, Query, QueryError, Unbuilt};

impl Query {
    /// Returns the filter that a system builds for n and p, n and m, or m and p, whichever it
    /// takes, and the true rate of that filter; of a system that takes m, for n and p, the filter of the
    /// least m that keeps p.
    ///
    /// # Errors
    ///
    /// The system takes another mix, or builds no such filter.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_params::{Query, like};
    ///
    /// let guava = like::system("guava").ok_or("not known")?;
    /// let query = Query { items: Some(2_000), rate: Some(0.01), ..Query::default() };
    /// let built = query.solve_like(guava)?;
    /// assert_eq!((built.bits, built.hashes), (19_200, 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_like(self, system: &'static System) -> Result<Solution, QueryError> {
        in_range(&self)?;
        let refused = |why| QueryError::OfSystem { system, why };
        let given = (self.items, self.bits, self.hashes, self.rate);
        if let ((Some(items), None, None, Some(_)), false) = (given, system.takes_rate()) {
            // One bit per item misses every rate but those near 1.
            let (bits, rate) = (Some(items), self.rate);
            let first = Request { items, bits, rate };
            let first = self.answer_like(system, first)?;
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
            return self.answer_like(system, pass.request);
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
        self.answer_like(system, request)
    }

    /// Returns the filter that the system builds for `request`, judged for this question.
    fn answer_like(
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
            let more = items.saturating_add(1);
            let more = || {
                system
                    .build(Request {
                        items: more,
                        ..request
                    })
                    .ok()
            };
            match request.bits {
                Some(_) => WhyNoMore::Rate,
                None if items < u64::MAX && more().is_some_and(|more| more.capped.is_none()) => {
                    WhyNoMore::Memory
                }
                None if self.bits == Some(bits) => WhyNoMore::Memory,
                None => WhyNoMore::Program,
            }
        });
        let mut solved = vec![Quantity::Bits, Quantity::Hashes];
        if self.items.is_none() {
            solved.insert(0, Quantity::Items);
        }
        if self.rate.is_none() {
            solved.push(Quantity::Rate);
        }
        let (mut solution, ideal_met, added) =
            self.judged_like(system, &solved, (items, bits, hashes))?;
        solution.like = Some(Origin {
            system,
            promised: self.rate.filter(|_| system.promises(request.bits)),
            full,
            request,
            built,
            expansion: None,
            ideal: solution.ideal,
            ideal_met,
            added,
        });
        Ok(solution)
    }

    /// Returns a filter of this size, judged by the upper end of its rate, with whether ideal hashes would keep the rate
    /// and what dependent positions add.
    pub(crate) fn judged_like(
        self,
        system: &'static System,
        solved: &[Quantity],
        size: (u64, u64, u8),
    ) -> Result<(Solution, Option<bool>, Excess), QueryError> {
        let filter = system.layout.into();
        let mut solution = Solution::new(Query { filter, ..self }, solved, size)?;
        let ideal_met = solution.met;
        let (rate, added) = raised(solution.rate, system, size);
        if added != Excess::default() {
            let kept = self.rate.map(|target| rate.value() <= target);
            // A share of single filters that keep the target is known for ideal hashes only.
            solution.met = match self.confidence {
                Some(_) => ideal_met.zip(kept).map(|(met, kept)| met && kept),
                None => kept,
            };
        }
        solution.rate = rate;
        Ok((solution, ideal_met, added))
    }
}

impl Solution {
    /// Returns the request that the system has answered.
    fn request(&self) -> Request {
        Request {
            items: self.items,
            bits: self.like.as_ref().and_then(|like| like.request.bits),
            rate: self.asked.rate,
        }
    }

    /// Returns the request whose filter of a system keeps the rate that this one misses; `None` if none does.
    fn pass(&self, system: &'static System) -> Option<Pass> {
        system.least(self.request(), &|items, bits, hashes| {
            let judged = self.asked.judged_like(system, &[], (items, bits, hashes));
            let (solution, ..) = judged.ok()?;
            Some(Verdict {
                rate: solution.rate.value(),
                keeps: solution.met == Some(true),
            })
        })
    }
}

/// Refuses quantities that no filter has.
fn in_range(query: &Query) -> Result<(), QueryError> {
    match (query.items, query.bits, query.rate) {
        (Some(0), ..) => Err(MathError::NoItems.into()),
        (_, Some(0), _) => Err(MathError::NoBits.into()),
        (.., Some(rate)) if !(rate > 0.0 && rate < 1.0) => {
            Err(MathError::RateOutOfRange(rate).into())
        }
        _ => Ok(()),
    }
}

/// Returns whether the given quantities are those that a system takes.
fn fits(takes: Takes, query: &Query) -> bool {
    let (m, p) = (query.bits.is_some(), query.rate.is_some());
    query.hashes.is_none()
        && match takes {
            Takes::OneSize if query.items.is_none() => false,
            _ if query.items.is_none() => m && p,
            Takes::Rate => p && !m,
            Takes::Bits | Takes::WholeBitsPerItem => m,
            Takes::OneSize => !m,
            _ => p || m,
        }
}
