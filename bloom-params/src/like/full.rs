//! What becomes of a library's filter with more items than it was asked for.

use bloom_core::math::scalable::compound_rate;
use bloom_core::math::{Rate, exact};

use super::build::Request;
use super::library;
use super::rule::{Full, Library};
use crate::args::InputError;
use crate::filters::rate_of;
use crate::solution::Solution;

/// What a library has made of its filter by then.
pub(crate) struct Beyond {
    pub(crate) rate: Rate,
    /// Of all its filters.
    pub(crate) bits: u128,
}

/// Returns what the library has made of its filter with so many items; `None` where that is the
/// filter itself.
pub(crate) fn beyond(solution: &Solution, items: u64) -> Option<Beyond> {
    let library = library(solution.like.as_ref()?.name)?;
    let Full::Grows {
        items: times,
        rate: tighter,
    } = library.full
    else {
        return None;
    };
    let mut left = items.checked_sub(solution.items).filter(|left| *left > 0)?;
    let mut holds = solution.items;
    let mut stage_rate = library.rate_taken(solution.asked.rate, &mut Vec::new());
    // p of a further filter is taken as it is: what the library does to the first is done.
    let further = Library {
        rate: &[],
        most_items: u64::MAX,
        ..*library
    };
    let mut rates = vec![solution.rate.value()];
    let mut bits = u128::from(solution.bits);
    while left > 0 {
        holds = holds.saturating_mul(times);
        stage_rate *= tighter;
        let inside = left.min(holds);
        left -= inside;
        let built = further.build(Request {
            items: holds,
            bits: None,
            rate: Some(stage_rate),
        });
        // Beyond what can be built, the rate that it would be built for.
        let rate = built.ok().and_then(|built| {
            bits += u128::from(built.bits);
            let rate = exact::rate(inside, built.bits, built.hashes).ok()?;
            Some(rate.value())
        });
        rates.push(rate.unwrap_or(stage_rate));
    }
    Some(Beyond {
        rate: rate_of(compound_rate(rates)),
        bits,
    })
}

/// Refuses to tell the rate with more items than a library takes.
pub(crate) fn refuse_overfill(solution: &Solution) -> Result<(), InputError> {
    let like = solution.like.as_ref();
    match like.and_then(|like| library(like.name)) {
        Some(library) if library.full == Full::Refuses => Err(InputError::Like {
            reason: format!(
                "{} takes no more than n items, so there is nothing to tell with --overfill",
                library.name
            ),
            hint: None,
        }),
        _ => Ok(()),
    }
}
