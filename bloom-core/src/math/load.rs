//! Computes the rate and the size of a blocked filter. Such a filter keeps all bits of an item in
//! one block, so its rate depends on the load, the number of items in a block. This code needs no
//! allocator.

use super::error::{MAX_BITS, MathError, check_items, check_rate};
use super::real::{ln_clear, ln_one_minus_exp};
use super::search::first_true;

/// The blocks of a filter: each has `bits` bits, and each item sets `hashes` bits of one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub(super) bits: u64,
    pub(super) hashes: u8,
}

impl Load {
    /// Returns a number of items from which on the rate inside a block rounds to 1 in `f64`.
    pub(super) fn full(self) -> u64 {
        60 * self.bits / u64::from(self.hashes) + 1
    }

    /// Returns the smallest number of blocks with which the rate of a filter of `items` items is at
    /// most `rate`. `inside` returns the rate inside a block for a number of items in the block.
    pub(super) fn min_blocks(
        self,
        items: u64,
        rate: f64,
        inside: impl Fn(u64) -> f64,
    ) -> Result<u64, MathError> {
        check_items(items)?;
        check_rate(rate)?;
        let hashes = f64::from(self.hashes);
        let load = -ln_one_minus_exp(-libm::log(rate) / hashes);
        // This number would be enough if all blocks had equally many items. In fact more blocks are
        // needed, so it is only the start of the search.
        let guess = (items as f64 * hashes / load / self.bits as f64) as u64;
        first_true(1, MAX_BITS / self.bits, guess, |blocks| {
            self.mean(items, blocks, &inside) <= rate
        })
        .ok_or(MathError::NeedsTooManyBits { items, rate })
    }

    /// Returns the rate of the filter: the mean of the rate `inside` a block over the distribution
    /// of the load of the block. The distribution is binomial with `items` trials of probability
    /// 1/`blocks`.
    pub(super) fn mean(self, items: u64, blocks: u64, inside: impl Fn(u64) -> f64) -> f64 {
        if blocks == 1 {
            return inside(items);
        }
        let (n, others) = (items as f64, blocks as f64 - 1.0);
        let mode = ((u128::from(items) + 1) / u128::from(blocks)) as u64;
        if mode > self.full() {
            return 1.0;
        }
        // Steps down from the mode, the most likely load, to 0 or to a load whose weight is at most
        // 1e-25 times that of the mode.
        let (mut first, mut weight) = (mode, 1.0);
        while first > 0 && weight > 1e-25 {
            let i = first as f64;
            weight *= i / (n - i + 1.0) * others;
            first -= 1;
        }
        // The weights are probabilities except for a common factor, so the result is divided by
        // their sum.
        let (mut total, mut hits) = (0.0, 0.0);
        for i in first..=items {
            total += weight;
            hits += weight * inside(i);
            let ratio = (n - i as f64) / (i as f64 + 1.0) / others;
            weight *= ratio;
            // Even if the rate inside the block were 1, all larger loads together would add at most
            // 1e-18 × `hits` to `hits`.
            if ratio < 1.0 && weight / (1.0 - ratio) <= 1e-18 * hits {
                break;
            }
        }
        hits / total
    }
}

/// Returns the rate inside a split block with `items` items: each item sets one bit in each of the
/// `lanes` lanes of `lane_bits` bits.
pub(super) fn split_rate(items: u64, lanes: u8, lane_bits: u32) -> f64 {
    match (items, lane_bits) {
        (0, _) => 0.0,
        (_, 1) => 1.0,
        _ => libm::pow(
            -libm::expm1(ln_clear(items as f64, lane_bits.into())),
            lanes.into(),
        ),
    }
}

/// Returns the smallest number of split blocks (see [`split_rate`]) with which the rate of a filter
/// of `items` items is at most `rate`.
///
/// With an allocator, `blocked::min_blocks` is used instead. It takes a tenth of the time of this
/// function, because it caches the rates inside a block.
#[cfg(not(feature = "alloc"))]
pub(crate) fn min_split_blocks(
    items: u64,
    lanes: u8,
    lane_bits: u32,
    rate: f64,
) -> Result<u64, MathError> {
    let load = Load {
        bits: u64::from(lanes) * u64::from(lane_bits),
        hashes: lanes,
    };
    let inside = |items| {
        if items < load.full() {
            split_rate(items, lanes, lane_bits)
        } else {
            1.0
        }
    };
    load.min_blocks(items, rate, inside)
}
