//! The portable kernel of blocked filters: sets and tests the bits of a hash in its block, lane by
//! lane. A block has eight lanes of 64 bits, and a hash has one bit in each lane. The kernels with
//! vector instructions set and test the same bits.
use super::view::{AnyBlock, BlocksMut, BlocksView, Kernel};
use crate::probe::{LANE_SHIFTS, Mixed};

/// The kernel that runs on every machine.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Kernel for Portable {
    #[inline]
    fn insert(self, blocks: BlocksMut<'_>, hash: Mixed) -> bool {
        let (line, lanes) = blocks.find(hash);
        let mut changed = 0;
        for (lane, shift) in line.0.iter_mut().zip(LANE_SHIFTS) {
            let now = *lane | 1 << (lanes >> shift & 63);
            changed |= now ^ *lane;
            *lane = now;
        }
        changed != 0
    }

    #[inline]
    fn contains<L: AnyBlock>(self, blocks: BlocksView<'_, L>, hash: Mixed) -> bool {
        let (line, lanes) = blocks.find(hash);
        let words: [u64; 8] = core::array::from_fn(|lane| line.lane(lane));
        let words = words.iter().zip(LANE_SHIFTS);
        // There is no branch after each lane. Such a branch would save no access to memory, because
        // the load of the first lane brings the whole cache line into the cache. And it would often
        // be mispredicted.
        words.fold(1, |all_set, (lane, shift)| {
            all_set & lane >> (lanes >> shift & 63)
        }) & 1
            == 1
    }
}
