//! Computes rates of filters that another system, such as a library or a database, builds. In many systems the k positions of
//! an item depend on each other: this module computes what that adds to the rate. Some systems add a filter when one is full:
//! for these, it computes the rate and the bits of all filters together.

use std::cell::RefCell;

use bloom_core::math::Rate;
use bloom_systems::double_hashing::Excess;
use bloom_systems::{Built, First, Rates, Request, System, Verdict};

use super::scalable::rate_of;

/// The request to a system, and what it built.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AsBuilt {
    /// The request.
    pub request: Request,
    /// What the system builds for the request, with the steps of its rule.
    pub built: Built,
    /// Why no more items fit, if n was solved for the memory given.
    pub full: Option<WhyNoMore>,
}

/// Why a system takes no more items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyNoMore {
    /// One more item takes more than the memory given.
    Memory,
    /// With one more item, the filter that the system builds in the memory given misses the rate.
    Rate,
    /// With more items, the system's filter stays at this number of bits, whatever the rate.
    Cap(u64),
    /// The system sizes no filter for more items at this rate, whatever the memory.
    Program,
}

/// Returns the bounds of what the dependent positions of a system add to the rate of ideal hashes.
pub(crate) fn excess(system: &'static System, (items, bits, hashes): (u64, u64, u8)) -> Excess {
    let excess = with_rates(system, |rates| rates.excess(items, bits, hashes));
    excess.unwrap_or_default()
}

/// Returns the rate of ideal hashes plus the upper bound of what dependent positions add, at most 1.
pub(crate) fn raised(ideal: Rate, excess: Excess) -> Rate {
    let high = ideal.value() + excess.high;
    // If the sum rounds to the ideal rate, return the ideal rate itself, because its ln p is exact.
    if high == ideal.value() {
        ideal
    } else {
        rate_of(high.min(1.0))
    }
}

/// Returns the rate and the bits of all filters that a system has with this many items; `None` if it adds no filters.
pub(crate) fn grown(
    system: &'static System,
    first: First,
    expansion: Option<u64>,
    items: u64,
) -> Option<(Rate, u128)> {
    let grown = system.grown(first, expansion, items, &judge(system));
    grown.map(|(rate, bits)| (rate_of(rate), bits))
}

/// Returns whether a system refuses this many items.
pub(crate) fn refuses(
    system: &'static System,
    first: First,
    expansion: Option<u64>,
    items: u64,
) -> bool {
    system.refuses(first, expansion, items, &judge(system))
}

/// Returns a function that judges a system's filters by the target rate 1, which every filter keeps.
fn judge(system: &'static System) -> impl Fn(u64, u64, u8) -> Option<Verdict> {
    move |items, bits, hashes| with_rates(system, |rates| rates.judge(1.0)(items, bits, hashes))
}

thread_local! {
    /// The rates of the last system that this thread solved for, kept for the next questions about the same system.
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
