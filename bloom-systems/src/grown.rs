//! What happens to a system's filter with more items than it was built for.

use alloc::vec;

use bloom_core::math::scalable::compound_rate;

use crate::rates::Judge;
use crate::request::Request;
use crate::rule::Full;
use crate::system::System;

/// A filter that adds others once it is full.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct First {
    /// The items that it was built for.
    pub items: u64,
    /// Its bits.
    pub bits: u64,
    /// Its rate with these items.
    pub rate: f64,
    /// The rate that was asked for.
    pub asked: Option<f64>,
}

/// A rate that is smaller by this factor adds nothing to another one.
const NOTHING: f64 = f64::EPSILON / 4.0;

impl System {
    /// Returns whether a filter refuses so many items, more than it was built for; `expansion` stands for that of a system
    /// that [grows](Full::Grows).
    pub fn refuses(
        &self,
        first: First,
        expansion: Option<u64>,
        items: u64,
        judge: Judge<'_>,
    ) -> bool {
        match self.full {
            Full::TakesMore => items > self.sizing.most_items,
            Full::Refuses => true,
            Full::Grows { .. } => self.grown(first, expansion, items, judge).is_none(),
        }
    }

    /// Returns the highest rate, and the bits, of all filters with so many items; `None` where none is added, or a further
    /// one is refused.
    ///
    /// Of a filter with more hashes than rates are computed for, the rate is taken that it is built for.
    pub fn grown(
        &self,
        first: First,
        expansion: Option<u64>,
        items: u64,
        judge: Judge<'_>,
    ) -> Option<(f64, u128)> {
        let Full::Grows {
            items: times,
            rate: tighter,
            most_bits,
        } = self.full
        else {
            return None;
        };
        let times = expansion.unwrap_or(times);
        let mut left = items.checked_sub(first.items).filter(|left| *left > 0)?;
        let mut holds = first.items;
        let mut stage_rate = self.rate_taken(first.asked);
        // Further filters use p as it is: the system changes p for the first filter only.
        let mut sizing = self.sizing;
        (sizing.rate, sizing.most_items) = (&[], u64::MAX);
        let further = System { sizing, ..*self };
        let mut rates = vec![first.rate];
        let mut bits = u128::from(first.bits);
        if times == 1 && tighter == 1.0 {
            // All are alike: of the full ones, the chance that none of them hits at once.
            let full = left / holds;
            let ln_none = full as f64 * libm::log1p(-first.rate);
            rates.push(-libm::expm1(ln_none));
            bits += u128::from(first.bits) * u128::from(full);
            left -= full * holds;
        }
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
            bits += further.bits(request).ok()?.bits;
            if stage_rate <= NOTHING * first.rate {
                continue;
            }
            let rate = further.build(request).ok().and_then(|built| {
                let verdict = judge(inside, built.bits, built.hashes);
                Some(verdict?.rate)
            });
            rates.push(rate.unwrap_or(stage_rate));
        }
        (bits <= most_bits.into()).then(|| (compound_rate(rates), bits))
    }
}
