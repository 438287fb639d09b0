//! Filters of other systems: the highest rate of a size, and what is known of the filters that they add.

use std::cell::RefCell;

use bloom_core::math::Rate;
use bloom_systems::double_hashing::Excess;
use bloom_systems::{Layout, Rates, System, Verdict};

use super::filter::Filter;
use super::scalable::rate_of;

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
pub(crate) fn judge(system: &'static System) -> impl Fn(u64, u64, u8) -> Option<Verdict> {
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
