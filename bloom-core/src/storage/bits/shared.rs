//! Bits that threads set and query at once.
//!
//! Each operation is on one word and [`Relaxed`]: bits are only ever set, so an answer needs no order between
//! words. What orders an insert before a query is whatever lets the querying thread know of the insert.

use super::{Bits, WORD};
use crate::error::MemoryError;
use crate::probe::{ProbeSequence, reduce};
use crate::storage::batch::{Hashes, in_groups};
use crate::storage::words::{Shared, set_shared};

/// Bits that threads share.
pub(crate) type AtomicBits = Bits<Shared>;

impl From<Bits> for AtomicBits {
    fn from(bits: Bits) -> Self {
        Self::of(bits.words.into(), bits.count)
    }
}

impl From<AtomicBits> for Bits {
    fn from(bits: AtomicBits) -> Self {
        Self::of(bits.words.into(), bits.count)
    }
}

impl AtomicBits {
    /// Sets the bits of a hash and returns whether this call set one of them.
    #[inline]
    pub(crate) fn insert(&self, hash: u64, k: u8) -> bool {
        let mut probes = ProbeSequence::new(hash);
        let mut new = false;
        for _ in 0..k {
            let position = reduce(probes.step(), self.count);
            new |= set_shared(
                &self.words[(position / WORD) as usize],
                1 << (position % WORD),
            );
        }
        new
    }

    /// [`insert`](Self::insert) for every hash in turn; returns how many were new.
    pub(crate) fn insert_each(&self, hashes: impl Hashes, k: u8) -> u64 {
        let mut new = 0;
        in_groups(
            self.is_far(),
            &mut &*self,
            hashes,
            |bits, hash| bits.prefetch(hash, k),
            |bits, hash| new += u64::from(bits.insert(hash, k)),
        );
        new
    }

    /// Sets every bit that is set in `other`, of the same length.
    pub(crate) fn union_with(&self, other: &Bits) {
        for (word, other) in self.words.iter().zip(other.words()) {
            set_shared(word, *other);
        }
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        for word in &mut self.words {
            *word.get_mut() = 0;
        }
    }

    /// Copies the bits as they are, word by word, or returns that the allocator refused the copy.
    pub(crate) fn to_owned(&self) -> Result<Bits, MemoryError> {
        let mut copy = Bits::new(self.count)?;
        copy.copy_from(self);
        Ok(copy)
    }
}
