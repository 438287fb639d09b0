//! What happens to a library's filter with more items than it was built for.

use bloom_core::math::scalable::compound_rate;
use bloom_core::math::{Rate, exact};

use super::build::Request;
use super::raised;
use super::rule::{Full, Library};
use crate::filters::rate_of;
use crate::solution::{Beyond, Solution};

impl Beyond for Library {
    fn refuses(&self, solution: &Solution, items: u64) -> bool {
        let further = || self.with_items(solution, items);
        match self.full {
            Full::TakesMore => false,
            Full::Refuses => true,
            Full::Grows { .. } => further().is_none(),
        }
    }

    fn with_items(&self, solution: &Solution, items: u64) -> Option<(Rate, u128)> {
        let Full::Grows {
            items: times,
            rate: tighter,
        } = self.full
        else {
            return None;
        };
        let given = solution.like.as_ref().and_then(|like| like.expansion);
        let times = given.unwrap_or(times);
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
            if stage_rate == 0.0 {
                // No filter is built for a rate below the range of f64.
                return None;
            }
            let inside = left.min(holds);
            left -= inside;
            let request = Request::for_rate(holds, stage_rate);
            bits += further.bits(request).ok()?;
            // With more hashes than rates are computed for, assume the rate it is built for.
            let rate = further.build(request).ok().and_then(|built| {
                let size = (inside, built.bits, built.hashes);
                let ideal = exact::rate(inside, built.bits, built.hashes).ok()?;
                Some(raised(ideal, self.positions, size).0.value())
            });
            rates.push(rate.unwrap_or(stage_rate));
        }
        Some((rate_of(compound_rate(rates)), bits))
    }
}
