//! Defines bits of a filter that several threads set and query at the same time.
//!
//! Each atomic operation acts on one word, and is [`Relaxed`]: while threads share the bits, they
//! only set bits and clear none, so an answer needs no order between words. If one thread has to
//! see the insert of another, the two threads must synchronize by other means, as with a lock or a
//! join.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::cell::Bit;
use super::layout::Anywhere;
use super::view::View;
use super::{Cells, Store, Word};
use crate::probe::{Mixed, ProbeSequence};
use crate::storage::batch::{Hashes, in_groups};
use crate::storage::words::{SharedWord, from_atomic, into_atomic};

/// The bits of a filter that threads share.
pub(crate) type AtomicBits = Cells<Anywhere, Vec<AtomicU64>>;

impl From<Cells<Anywhere>> for AtomicBits {
    fn from(bits: Cells<Anywhere>) -> Self {
        let shape = bits.shape();
        Self::of(into_atomic(bits.words), shape, 1)
    }
}

impl From<AtomicBits> for Cells<Anywhere> {
    fn from(bits: AtomicBits) -> Self {
        let shape = bits.shape();
        Self::of(from_atomic(bits.words), shape, 1)
    }
}

impl AtomicBits {
    /// Sets the bits of a hash and returns whether one of them was clear.
    #[inline]
    pub(crate) fn insert_shared(&self, hash: Mixed) -> bool {
        if self.is_far() {
            // Loads wait for the locked instructions of the previous insert; prefetches do not.
            self.prefetch(hash);
        }
        insert_unless(self.contains(hash), self.view(), hash, self.hashes)
    }

    /// Inserts every hash in turn, and returns how many of the inserts found a clear bit.
    pub(crate) fn insert_each_shared(&self, hashes: impl Hashes) -> u64 {
        let mut new = 0;
        in_groups(hashes, |group| {
            if self.is_far() {
                self.prefetch_each(group);
            }
            for hash in group {
                let found = self.contains(*hash);
                new += u64::from(insert_unless(found, self.view(), *hash, self.hashes));
            }
        });
        new
    }

    /// Sets every bit that is set in `other`, which has the same number of bits.
    pub(crate) fn union_with_shared<O: Store<Item: Word>>(&self, other: &Cells<Anywhere, O>) {
        for (word, other) in self.words.iter().zip(other.iter()) {
            if other & !word.load(Relaxed) != 0 {
                word.fetch_or(other, Relaxed);
            }
        }
    }

    /// Clears every bit.
    pub(crate) fn clear_shared(&mut self) {
        for word in &mut self.words {
            *word.get_mut() = 0;
        }
    }
}

/// Sets every bit of a hash unless `found`, which says whether a query has just found the hash.
/// Returns `!found`.
///
/// If the hash was found, the insert writes nothing, needs no locked instruction, and takes no
/// cache line from another processor. If several threads set a clear bit at the same time, each
/// thread whose query found the bit clear returns `true`, so at least one thread does.
#[inline]
fn insert_unless(found: bool, bits: View<'_, impl SharedWord>, hash: Mixed, k: u8) -> bool {
    if found {
        return false;
    }
    let (mut probes, mut slots) = (ProbeSequence::new(hash), bits.slots::<Bit>());
    for index in 0..k {
        let (word, bit) = slots.step(index).word::<Bit>(probes.step());
        word.set(1 << bit);
    }
    true
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::shape::Shape;
    use crate::storage::cache::CACHED_BYTES;
    use crate::storage::testing::{ROUNDS, check_answers, hashes_of_all, meet, mix, prehashed};

    #[test]
    fn threads_lose_no_bit() {
        // Each round has a filter of two words, so that the threads write to the same words.
        let shared: Vec<AtomicBits> = (0..ROUNDS).map(|_| clear().into()).collect();
        let rounds = meet(|round, thread, hashes| {
            let shared = &shared[round as usize];
            match (thread, round % 3) {
                (1, 0) => _ = shared.insert_each_shared(prehashed(&hashes)),
                (1, 1) => {
                    for hash in hashes {
                        shared.union_with_shared(&plain(&[hash]));
                    }
                }
                _ => hashes
                    .iter()
                    .for_each(|hash| _ = shared.insert_shared(*hash)),
            }
            hashes.iter().all(|hash| shared.contains(*hash))
        });
        for (shared, round) in shared.into_iter().zip(0..rounds) {
            let plain = plain(&hashes_of_all(round));
            assert_eq!(Cells::copy_of(&shared).unwrap(), plain);
            assert_eq!(Cells::from(shared), plain, "round {round}");
        }
    }

    #[test]
    fn shared_bits_are_set_and_found_as_plain_ones_in_cache_and_out_of_it() {
        for count in [700, 8 * CACHED_BYTES + 65] {
            let hashes: Vec<Mixed> = (0..if cfg!(miri) { 20 } else { 300 }).map(mix).collect();
            let mut plain = Cells::new(Shape::new(count, 7).unwrap(), 1).unwrap();
            let shared = AtomicBits::from(Cells::copy_of(&plain).unwrap());
            let (singly, batch) = hashes.split_at(hashes.len() / 3);
            for hash in singly {
                assert_eq!(shared.insert_shared(*hash), plain.insert(*hash));
            }
            let new = shared.insert_each_shared(prehashed(batch));
            assert_eq!(new, plain.insert_each(prehashed(batch)));
            let queried: Vec<Mixed> = (0..2 * hashes.len() as u64).map(mix).collect();
            check_answers(count, &shared, &queried, |hash| plain.contains(hash));
            assert_eq!(Cells::from(shared), plain);
        }
    }

    /// Returns a filter of a hundred clear bits, with three hashes per item.
    fn clear() -> Cells<Anywhere> {
        Cells::new(Shape::new(100, 3).unwrap(), 1).unwrap()
    }

    /// Returns a filter of a hundred bits into which these hashes were inserted.
    fn plain(hashes: &[Mixed]) -> Cells<Anywhere> {
        let mut plain = clear();
        plain.insert_each(prehashed(hashes));
        plain
    }

    #[cfg(all(unix, not(miri)))]
    #[test]
    fn inserts_and_unions_that_add_no_bit_write_nothing() {
        use crate::storage::testing::child::in_child;

        use crate::storage::testing::read_only;

        in_child(|| {
            let hashes: Vec<Mixed> = (0..3_000).map(mix).collect();
            let mut plain = Cells::new(Shape::new(1 << 21, 3).unwrap(), 1).unwrap();
            plain.insert_each(prehashed(&hashes));
            let shared = AtomicBits::from(Cells::copy_of(&plain).unwrap());
            read_only(&shared.words, || {
                shared.union_with_shared(&plain);
                assert!(!shared.insert_shared(hashes[7]));
                assert_eq!(shared.insert_each_shared(prehashed(&hashes)), 0);
            });
        });
    }

    /// Runs two threads that insert into one word, in every order of their memory accesses.
    #[cfg(loom)]
    #[test]
    fn every_order_of_two_inserts_keeps_the_promises() {
        use loom::sync::Arc;
        use loom::sync::atomic::AtomicU64;

        use crate::storage::testing::any;

        const K: u8 = 2;
        fn contains(bits: View<'_, AtomicU64>, hash: Mixed) -> bool {
            let (mut probes, mut slots) = (ProbeSequence::new(hash), bits.slots::<Bit>());
            (0..K).all(|index| {
                let (word, bit) = slots.step(index).word::<Bit>(probes.step());
                Word::load(word) >> bit & 1 == 1
            })
        }
        let insert = |words: &[AtomicU64], hash| {
            // SAFETY: one word for 64 bits.
            let bits = unsafe { View::new(words, 64) };
            let new = insert_unless(contains(bits, hash), bits, hash, K);
            assert!(contains(bits, hash), "found by the thread that inserted it");
            new
        };
        let set = |hashes: &[Mixed]| {
            let mut plain = Cells::<Anywhere>::new(Shape::new(64, K).unwrap(), 1).unwrap();
            hashes.iter().for_each(|hash| _ = plain.insert(*hash));
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
