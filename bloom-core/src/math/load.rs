//! Computes the rate and the size of a blocked filter from the load, the number of items in a
//! block. This code needs no allocator.

use super::error::{MAX_BITS, MathError, check_items, check_rate};
use super::real::{ln_clear, ln_one_minus_exp};
use super::search::first_true;

/// Blocks of `bits` bits with `hashes` hashes per item.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub(super) bits: u64,
    pub(super) hashes: u8,
}

impl Load {
    /// Returns a load at and above which the rate inside a block is 1 to the last digit.
    pub(super) fn full(self) -> u64 {
        60 * self.bits / u64::from(self.hashes) + 1
    }

    /// Returns the smallest number of blocks that keep `items` items within `rate`. `inside`
    /// returns the rate inside a block for the number of items in the block.
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
        // Enough blocks if all had the same load: too few, but a starting point.
        let guess = (items as f64 * hashes / load / self.bits as f64) as u64;
        first_true(1, MAX_BITS / self.bits, guess, |blocks| {
            self.mean(items, blocks, &inside) <= rate
        })
        .ok_or(MathError::NeedsTooManyBits { items, rate })
    }

    /// Returns the mean of the rate `inside` a block, over the distribution of its load.
    pub(super) fn mean(self, items: u64, blocks: u64, inside: impl Fn(u64) -> f64) -> f64 {
        if blocks == 1 {
            return inside(items);
        }
        let (n, others) = (items as f64, blocks as f64 - 1.0);
        let mode = ((u128::from(items) + 1) / u128::from(blocks)) as u64;
        if mode > self.full() {
            return 1.0;
        }
        // Steps down from the mode to the first load whose weight is not negligible beside the weight of the mode.
        let (mut first, mut weight) = (mode, 1.0);
        while first > 0 && weight > 1e-25 {
            let i = first as f64;
            weight *= i / (n - i + 1.0) * others;
            first -= 1;
        }
        // Dividing by the sum of the weights makes them probabilities.
        let (mut total, mut hits) = (0.0, 0.0);
        for i in first..=items {
            total += weight;
            hits += weight * inside(i);
            let ratio = (n - i as f64) / (i as f64 + 1.0) / others;
            weight *= ratio;
            // The rest of the tail is negligible, even if the rate is 1 there.
            if ratio < 1.0 && weight / (1.0 - ratio) <= 1e-18 * hits {
                break;
            }
        }
        hits / total
    }
}

/// Returns the rate inside a split block with `items` items.
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

/// Returns the smallest number of split blocks that keep `items` items within `rate`.
///
/// With an allocator, `blocked::min_blocks` is used instead. It takes a tenth of the time, because
/// it caches the rates inside a block.
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
