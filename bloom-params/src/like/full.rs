//! What happens to a library's filter with more items than it was built for.

use bloom_core::math::scalable::compound_rate;
use bloom_core::math::{Rate, exact};

use super::build::Request;
use super::rule::{Full, Library};
use crate::filters::rate_of;
use crate::solution::{Beyond, Solution};

impl Beyond for Library {
    fn refuses(&self) -> bool {
        self.full == Full::Refuses
    }

    fn with_items(&self, solution: &Solution, items: u64) -> Option<(Rate, u128)> {
        let Full::Grows {
            items: times,
            rate: tighter,
        } = self.full
        else {
            return None;
        };
        let mut left = items.checked_sub(solution.items).filter(|left| *left > 0)?;
        let mut holds = solution.items;
        let mut stage_rate = self.rate_taken(solution.asked.rate);
        // Further filters use p as it is: the library changes p for the first filter only.
        let further = Library {
            rate: &[],
            most_items: u64::MAX,
            ..*self
        };
        let mut rates = vec![solution.rate.value()];
        let mut bits = u128::from(solution.bits);
        while left > 0 {
            holds = holds.saturating_mul(times);
            stage_rate *= tighter;
            let inside = left.min(holds);
            left -= inside;
            let built = further.build(Request::for_rate(holds, stage_rate));
            // If it cannot be built, assume the rate it would be built for.
            let rate = built.ok().and_then(|built| {
                bits += u128::from(built.bits);
                let rate = exact::rate(inside, built.bits, built.hashes).ok()?;
                Some(rate.value())
            });
            rates.push(rate.unwrap_or(stage_rate));
        }
        Some((rate_of(compound_rate(rates)), bits))
    }
}
