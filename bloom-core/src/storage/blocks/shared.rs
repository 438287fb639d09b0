//! Blocks that threads set and query at once: see [`bits/shared.rs`](crate::storage::bits), whose memory order is
//! that of these.

use super::view::AtomicLine;
use super::{Blocks, batch};
use crate::error::MemoryError;
use crate::probe::{BlockProbe, LANE_SHIFTS};
use crate::storage::batch::{Hashes, in_groups};
use crate::storage::cache::{PREFETCHES, prefetch};
use crate::storage::words::{set_shared, transmuted};
use alloc::vec::Vec;

/// Blocks that threads share.
pub(crate) type AtomicBlocks = Blocks<Vec<AtomicLine>>;

impl From<Blocks> for AtomicBlocks {
    fn from(blocks: Blocks) -> Self {
        Self {
            // SAFETY: both are eight words, of the same values, aligned alike.
            lines: unsafe { transmuted(blocks.lines) },
            cpu: blocks.cpu,
        }
    }
}

impl From<AtomicBlocks> for Blocks {
    fn from(blocks: AtomicBlocks) -> Self {
        Self {
            // SAFETY: as above.
            lines: unsafe { transmuted(blocks.lines) },
            cpu: blocks.cpu,
        }
    }
}

impl AtomicBlocks {
    /// Sets the bits of a hash and returns whether this call set one of them.
    #[inline]
    pub(crate) fn insert(&self, hash: u64) -> bool {
        let BlockProbe { block, lanes } = BlockProbe::new(hash, self.count());
        let line = &self.lines[block as usize];
        let mut new = false;
        for (lane, shift) in line.0.iter().zip(LANE_SHIFTS) {
            new |= set_shared(lane, 1 << (lanes >> shift & 63));
        }
        new
    }

    /// [`insert`](Self::insert) for every hash in turn; returns how many were new.
    pub(crate) fn insert_each(&self, hashes: impl Hashes) -> u64 {
        let mut new = 0;
        in_groups(
            PREFETCHES && self.lines.len() > batch::NEAR,
            &mut &*self,
            hashes,
            |blocks, hash| {
                let BlockProbe { block, .. } = BlockProbe::new(hash, blocks.count());
                prefetch(&blocks.lines[block as usize]);
            },
            |blocks, hash| new += u64::from(blocks.insert(hash)),
        );
        new
    }

    /// Sets every bit that is set in `other`, of as many blocks.
    pub(crate) fn union_with(&self, other: &Blocks) {
        for (line, other) in self.lines.iter().zip(&other.lines) {
            for (lane, other) in line.0.iter().zip(other.0) {
                set_shared(lane, other);
            }
        }
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        let lanes = self.lines.iter_mut().flat_map(|line| &mut line.0);
        lanes.for_each(|lane| *lane.get_mut() = 0);
    }

    /// Copies the blocks as they are, lane by lane, or returns that the allocator refused the copy.
    pub(crate) fn to_owned(&self) -> Result<Blocks, MemoryError> {
        let mut copy = Blocks::new(self.count())?;
        copy.copy_from(self);
        Ok(copy)
    }
}
