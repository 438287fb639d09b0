//! What another system would build for the same request, and the true rate of that filter: the calculator's view of
//! [`bloom_systems`].

pub(crate) mod call;
pub(crate) mod words;

use std::cell::RefCell;

use bloom_core::math::{MathError, Rate};
use bloom_systems::double_hashing::Excess;
use bloom_systems::rule::Takes;
use bloom_systems::{First, Layout, Pass, Rates, Refusal, Request, Verdict};
pub use bloom_systems::{SYSTEMS, System, system};

pub use call::{Argument, Call, Passed, Remedy};
pub(crate) use words::{double_hashing_misses, notes};

use crate::error::InputError;
use crate::filters::{Filter, rate_of};
use crate::query::{Query, QueryError};
use crate::solution::{Origin, Quantity, Solution, WhyNoMore};

impl From<Layout> for Filter {
    fn from(layout: Layout) -> Self {
        match layout {
            Layout::Slices => Self::Partitioned,
            Layout::Blocks(block_bits) => Self::PlainBlocked { block_bits },
            Layout::SplitBlocks(block_bits) => Self::SplitBlock { block_bits },
            _ => Self::Classic,
        }
    }
}

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
    pub fn solve_like(self, system: &'static System) -> Result<Solution, InputError> {
        in_range(&self)?;
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
            let pass = pass.ok_or_else(|| words::keeps_with_no_bits(system, items, self.rate))?;
            return self.answer_like(system, pass.request);
        }
        if !fits(system.sizing.takes, &self) {
            return Err(words::takes_another_mix(system, &self));
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
                    words::refused(system, refusal, None, request)
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
    ) -> Result<Solution, InputError> {
        let refused = |refusal: Refusal| {
            let most = system.most_items_at(request);
            words::refused(system, refusal, most, request)
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
            story: words::story(&built, request, full.and(self.bits)),
            capped: built.capped,
            full,
            given: request.bits,
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
            bits: self.like.as_ref().and_then(|like| like.given),
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

    /// Returns the filter of its system as the first of some that are added when it is full.
    fn first(&self) -> First {
        First {
            items: self.items,
            bits: self.bits,
            rate: self.rate.value(),
            asked: self.asked.rate,
        }
    }

    /// Returns the rate and the bits of all filters that the system has with so many items; `None` where it adds none.
    pub(crate) fn beyond(&self, items: u64) -> Option<(Rate, u128)> {
        let like = self.like.as_ref()?;
        let (system, first) = (like.system, self.first());
        let grown = system.grown(first, like.expansion, items, &judge(system));
        grown.map(|(rate, bits)| (rate_of(rate), bits))
    }

    /// Returns whether the filter takes so many items.
    pub fn takes(&self, items: u64) -> bool {
        let refuses = |like: &Origin| {
            let (system, first) = (like.system, self.first());
            system.refuses(first, like.expansion, items, &judge(system))
        };
        items <= self.items || !self.like.as_ref().is_some_and(refuses)
    }
}

/// Returns the highest rate that a filter of this size can have in this system, and the bounds of what dependent positions
/// add to the rate of ideal hashes.
pub(crate) fn raised(
    ideal: Rate,
    system: &'static System,
    (items, bits, hashes): (u64, u64, u8),
) -> (Rate, Excess) {
    let added = with_rates(system, |rates| rates.excess(items, bits, hashes));
    let added = added.unwrap_or_default();
    let high = ideal.value() + added.high;
    // An addition that rounds to nothing leaves ln p as exact as it is.
    if high == ideal.value() {
        return (ideal, added);
    }
    (rate_of(high.min(1.0)), added)
}

/// Returns a judge of the filters of a system that nothing is asked of.
fn judge(system: &'static System) -> impl Fn(u64, u64, u8) -> Option<Verdict> {
    move |items, bits, hashes| with_rates(system, |rates| rates.judge(1.0)(items, bits, hashes))
}

thread_local! {
    /// The rates of the system that this thread was last asked about, kept for its next questions.
    static RATES: RefCell<Option<Rates<'static>>> = const { RefCell::new(None) };
}

fn with_rates<T>(system: &'static System, ask: impl FnOnce(&Rates<'static>) -> T) -> T {
    RATES.with_borrow_mut(|rates| {
        if rates.as_ref().is_none_or(|rates| rates.system != system) {
            *rates = Some(Rates::new(system));
        }
        ask(rates.as_ref().expect("one was put there"))
    })
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
