//! Bits that threads set and query concurrently.
//!
//! Each operation is on one word and [`Relaxed`]: bits are only ever set, so an answer needs no order between words.
//! If one thread has to see the insert of another, the two must synchronize by other means, as with a lock or a join.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::view::BitsView;
use super::{Bits, Store, Word};
use crate::probe::{Mixed, ProbeSequence};
use crate::storage::batch::{Hashes, in_groups};
use crate::storage::words::{SharedWord, from_atomic, into_atomic};

/// Bits that threads share.
pub(crate) type AtomicBits = Bits<Vec<AtomicU64>>;

impl From<Bits> for AtomicBits {
    fn from(bits: Bits) -> Self {
        Self::of(into_atomic(bits.words), bits.count)
    }
}

impl From<AtomicBits> for Bits {
    fn from(bits: AtomicBits) -> Self {
        Self::of(from_atomic(bits.words), bits.count)
    }
}

impl AtomicBits {
    /// Sets the bits of a hash and returns whether one of them was clear.
    #[inline]
    pub(crate) fn insert(&self, hash: Mixed, k: u8) -> bool {
        if self.is_far() {
            // Loads wait for the locked instructions of the previous insert; prefetches do not.
            self.prefetch(hash, k);
        }
        insert_unless(self.contains(hash, k), self.view(), hash, k)
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
    pub(crate) fn union_with<O: Store<Item: Word>>(&self, other: &Bits<O>) {
        for (word, other) in self.words.iter().zip(other.iter()) {
            if other & !word.load(Relaxed) != 0 {
                word.fetch_or(other, Relaxed);
            }
        }
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        for word in &mut self.words {
            *word.get_mut() = 0;
        }
    }
}

/// Sets every bit of a hash unless a query just `found` it; returns `!found`.
///
/// A hash that is found is not written: that costs no locked instruction and takes no line from another thread's
/// cache. If several threads set a clear bit at once, each that found it clear returns `true`, so at least one does.
#[inline]
fn insert_unless(found: bool, bits: BitsView<'_, impl SharedWord>, hash: Mixed, k: u8) -> bool {
    if found {
        return false;
    }
    let mut probes = ProbeSequence::new(hash);
    for _ in 0..k {
        let (word, bit) = bits.word(probes.step());
        word.set(1 << bit);
    }
    true
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::storage::testing::{ROUNDS, hashes_of_all, meet, mix, prehashed};

    #[test]
    fn threads_lose_no_bit() {
        // Few words each, so that the threads collide.
        let shared: Vec<AtomicBits> = (0..ROUNDS)
            .map(|_| Bits::new(100).unwrap().into())
            .collect();
        let rounds = meet(|round, thread, hashes| {
            let shared = &shared[round as usize];
            match (thread, round % 3) {
                (1, 0) => _ = shared.insert_each(prehashed(&hashes), 3),
                (1, 1) => {
                    for hash in hashes {
                        shared.union_with(&plain(&[hash]));
                    }
                }
                _ => hashes.iter().for_each(|hash| _ = shared.insert(*hash, 3)),
            }
            hashes.iter().all(|hash| shared.contains(*hash, 3))
        });
        for (shared, round) in shared.into_iter().zip(0..rounds) {
            let plain = plain(&hashes_of_all(round));
            assert_eq!(Bits::copy_of(&shared).unwrap(), plain);
            assert_eq!(Bits::from(shared), plain, "round {round}");
        }
    }

    /// A hundred bits with these hashes.
    fn plain(hashes: &[Mixed]) -> Bits {
        let mut plain = Bits::new(100).unwrap();
        plain.insert_each(prehashed(hashes), 3);
        plain
    }

    #[cfg(all(unix, not(miri)))]
    #[test]
    fn what_adds_nothing_writes_nothing() {
        use crate::storage::testing::read_only;

        let hashes: Vec<Mixed> = (0..3_000).map(mix).collect();
        let mut plain = Bits::new(1 << 21).unwrap();
        plain.insert_each(prehashed(&hashes), 3);
        let shared = AtomicBits::from(Bits::copy_of(&plain).unwrap());
        read_only(&shared.words, || {
            shared.union_with(&plain);
            assert!(!shared.insert(hashes[7], 3));
            assert_eq!(shared.insert_each(prehashed(&hashes), 3), 0);
        });
    }

    /// Every interleaving of two threads that insert into one word.
    #[cfg(loom)]
    #[test]
    fn every_order_of_two_inserts_keeps_the_promises() {
        use loom::sync::Arc;
        use loom::sync::atomic::AtomicU64;

        use crate::storage::bits::portable;
        use crate::storage::testing::any;

        const K: u8 = 2;
        let insert = |words: &[AtomicU64], hash| {
            // SAFETY: one word for 64 bits.
            let bits = unsafe { BitsView::new(words, 64) };
            let new = insert_unless(portable::contains(bits, hash, K), bits, hash, K);
            assert!(
                portable::contains(bits, hash, K),
                "found by the thread that inserted it"
            );
            new
        };
        let set = |hashes: &[Mixed]| {
            let mut plain = Bits::new(64).unwrap();
            hashes.iter().for_each(|hash| _ = plain.insert(*hash, K));
            plain.words()[0]
        };
        for [one, other] in [[1, 1], [1, 2], [3, 9]].map(|hashes| hashes.map(any)) {
            loom::model(move || {
                let words = Arc::new([AtomicU64::new(0)]);
                let theirs = Arc::clone(&words);
                let thread = loom::thread::spawn(move || insert(&theirs[..], other));
                let ours_new = insert(&words[..], one);
                let theirs_new = thread.join().unwrap();
                assert_eq!(words[0].load(Relaxed), set(&[one, other]), "no bit is lost");
                assert!(ours_new || theirs_new, "new to at least one");
            });
        }
    }
}
