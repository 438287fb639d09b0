//! Defines blocks of a blocked filter that several threads set and query at the same time. The
//! memory order of the accesses is relaxed: while threads share the blocks, they only set bits and
//! clear none, so an answer needs no order between lanes. If one thread has to see the insert of
//! another, the two threads must synchronize by other means, as with a lock or a join.
#![allow(unsafe_code)]

use alloc::vec::Vec;
use core::sync::atomic::Ordering::Relaxed;

use super::view::AtomicBlock;
use super::{AnyBlock, Blocks};
use crate::probe::{BlockProbe, LANE_SHIFTS, Mixed};
use crate::storage::batch::{Hashes, in_groups};
use crate::storage::cache::prefetch;
use crate::storage::cpu::Pairs;
use crate::storage::words::{Store, transmuted};

/// The blocks of a filter that threads share.
pub(crate) type AtomicBlocks = Blocks<Shared>;

/// The memory of blocks that threads share.
#[derive(Debug)]
pub struct Shared {
    lines: Vec<AtomicBlock>,
    /// The token of CMPXCHG16B, which sets bits in two lanes at once; `None` if the machine does
    /// not have it. An insert takes 22 ns with four of these locked instructions, and 35 ns with
    /// eight that set bits in one lane each (Intel with AMX).
    pairs: Option<Pairs>,
}

impl Store for Shared {
    type Item = AtomicBlock;

    #[inline]
    fn get(&self) -> &[AtomicBlock] {
        &self.lines
    }
}

impl From<Blocks> for AtomicBlocks {
    fn from(blocks: Blocks) -> Self {
        let lines = Shared {
            // SAFETY: both types of block are eight words, with the same valid values and the same alignment.
            lines: unsafe { transmuted(blocks.lines) },
            pairs: Pairs::detect(),
        };
        Self::of(lines, blocks.count)
    }
}

impl From<AtomicBlocks> for Blocks {
    fn from(blocks: AtomicBlocks) -> Self {
        // SAFETY: as in the conversion from `Blocks`.
        let lines = unsafe { transmuted(blocks.lines.lines) };
        Self::of(lines, blocks.count)
    }
}

impl AtomicBlocks {
    /// Sets the bits of a hash and returns whether one of them was clear. The insert queries the
    /// hash first, and writes nothing if all of its bits are set.
    #[inline]
    pub(crate) fn insert(&self, hash: Mixed) -> bool {
        let BlockProbe { block, lanes } = BlockProbe::new(hash, self.count());
        // Loads wait for the locked instructions of the previous insert; prefetches do not.
        prefetch(&self.lines.get()[block as usize]);
        if self.contains(hash) {
            return false;
        }
        let bits = LANE_SHIFTS.map(|shift| 1 << (lanes >> shift & 63));
        self.lines.set(block as usize, bits);
        true
    }

    /// Inserts every hash in turn, and returns how many of the inserts found a clear bit.
    pub(crate) fn insert_each(&self, hashes: impl Hashes) -> u64 {
        let mut new = 0;
        let prefetches = self.view().prefetches();
        in_groups(hashes, |group| {
            if prefetches {
                for hash in group {
                    let BlockProbe { block, .. } = BlockProbe::new(*hash, self.count());
                    prefetch(&self.lines.get()[block as usize]);
                }
            }
            for hash in group {
                new += u64::from(self.insert(*hash));
            }
        });
        new
    }

    /// Sets every bit that is set in `other`, which has the same number of blocks. A block that
    /// gains no bit is not written.
    pub(crate) fn union_with<O: Store<Item: AnyBlock>>(&self, other: &Blocks<O>) {
        for (index, other) in other.iter().enumerate() {
            let lanes = self.lines.lines[index].0.iter().zip(other);
            if lanes.fold(0, |new, (lane, other)| new | other & !lane.load(Relaxed)) != 0 {
                self.lines.set(index, other);
            }
        }
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        let lanes = self.lines.lines.iter_mut().flat_map(|line| &mut line.0);
        lanes.for_each(|lane| *lane.get_mut() = 0);
    }
}

impl Shared {
    /// Sets bits in the block with index `line`: `bits` has those of each lane.
    #[inline]
    fn set(&self, line: usize, bits: [u64; 8]) {
        let lanes = &self.lines[line].0;
        let Some(pairs) = self.pairs else {
            for (lane, bits) in lanes.iter().zip(bits) {
                lane.fetch_or(bits, Relaxed);
            }
            return;
        };
        for (pair, bits) in lanes.as_chunks().0.iter().zip(bits.as_chunks().0) {
            pairs::set(pairs, pair, *bits);
        }
    }
}

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
))]
mod pairs {
    use core::arch::asm;
    use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use crate::storage::cpu::Pairs;

    /// Sets bits in two adjacent lanes.
    #[inline]
    pub(super) fn set(_: Pairs, pair: &[AtomicU64; 2], bits: [u64; 2]) {
        let [low, high] = [0, 1].map(|lane: usize| pair[lane].load(Relaxed));
        debug_assert!((&raw const *pair).addr().is_multiple_of(16));
        // SAFETY: the token proves that the machine has the instruction, which is atomic. The
        // memory of the instruction is a pair of lanes of one block, and so aligned to 16 bytes.
        // The assembly restores rbx, which the compiler reserves.
        unsafe {
            asm!(
                "mov r9, rbx",
                "2:",
                "mov rbx, rax",
                "or rbx, rsi",
                "mov rcx, rdx",
                "or rcx, r8",
                "lock cmpxchg16b xmmword ptr [rdi]",
                "jne 2b",
                "mov rbx, r9",
                in("rdi") pair,
                in("rsi") bits[0],
                in("r8") bits[1],
                inout("rax") low => _,
                inout("rdx") high => _,
                out("rcx") _,
                out("r9") _,
                options(nostack),
            );
        }
    }
}

/// A stand-in that is never called: on this architecture no value of `Pairs` exists.
#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
)))]
mod pairs {
    use core::sync::atomic::AtomicU64;

    use crate::storage::cpu::Pairs;

    pub(super) fn set(pairs: Pairs, _: &[AtomicU64; 2], _: [u64; 2]) {
        match pairs {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::cache::CACHED_BYTES;
    use crate::storage::testing::{ROUNDS, hashes_of_all, meet, mix, prehashed};

    #[test]
    fn threads_lose_no_bit() {
        // Each round has a filter of one block, so that the threads write to the same lanes. Every
        // second filter does not use CMPXCHG16B.
        let mut shared: Vec<AtomicBlocks> = (0..ROUNDS)
            .map(|_| Blocks::new(1).unwrap().into())
            .collect();
        for blocks in shared.iter_mut().step_by(2) {
            blocks.lines.pairs = None;
        }
        let rounds = meet(|round, thread, hashes| {
            let shared = &shared[round as usize];
            match (thread, round / 2 % 3) {
                (1, 0) => _ = shared.insert_each(prehashed(&hashes)),
                (1, 1) => {
                    for hash in hashes {
                        shared.union_with(&plain(&[hash]));
                    }
                }
                _ => hashes.iter().for_each(|hash| _ = shared.insert(*hash)),
            }
            hashes.iter().all(|hash| shared.contains(*hash))
        });
        for (shared, round) in shared.into_iter().zip(0..rounds) {
            let plain = plain(&hashes_of_all(round));
            assert_eq!(Blocks::copy_of(&shared).unwrap(), plain);
            assert_eq!(Blocks::from(shared), plain, "round {round}");
        }
    }

    /// Returns one block in which these hashes are inserted.
    fn plain(hashes: &[Mixed]) -> Blocks {
        let mut plain = Blocks::new(1).unwrap();
        plain.insert_each(prehashed(hashes));
        plain
    }

    #[test]
    fn shared_blocks_answer_as_plain_ones_at_each_level() {
        let counts = [1, 3, 20, CACHED_BYTES / 64 + 1];
        for (name, cpu) in crate::storage::testing::levels() {
            for count in counts.into_iter().skip(if cfg!(miri) { 2 } else { 0 }) {
                let hashes: Vec<Mixed> = (0..if cfg!(miri) { 9 } else { 300 }).map(mix).collect();
                let mut plain = Blocks::new(count).unwrap();
                plain.insert_each(prehashed(&hashes[..hashes.len() / 3]));
                let shared = AtomicBlocks::from(Blocks::copy_of(&plain).unwrap()).at(cpu);
                let mut answers = alloc::vec![false; hashes.len()];
                shared.contains_each(prehashed(&hashes), &mut answers);
                for (hash, answer) in hashes.iter().zip(answers) {
                    let expected = plain.contains_portably(*hash);
                    assert_eq!(
                        (shared.contains(*hash), answer),
                        (expected, expected),
                        "{name}"
                    );
                }
            }
        }
    }

    /// Two lanes of a block may gain the same bits. These bits must not cancel out when the union
    /// checks whether the block gains a bit.
    #[test]
    fn a_union_adds_any_bits_of_any_lanes() {
        for lanes in 1..=u8::MAX {
            for bit in [0, 5, 63] {
                let mut plain = Blocks::new(2).unwrap();
                let words = plain.words_mut().iter_mut().skip(8).enumerate();
                words.for_each(|(lane, word)| *word = u64::from(lanes >> lane & 1) << bit);
                let shared = AtomicBlocks::from(Blocks::new(2).unwrap());
                shared.union_with(&plain);
                assert_eq!(Blocks::from(shared), plain, "bit {bit} of lanes {lanes:#b}");
            }
        }
    }

    #[cfg(all(unix, not(miri)))]
    #[test]
    fn inserts_and_unions_that_add_no_bit_write_nothing() {
        use crate::storage::testing::child::in_child;

        use crate::storage::testing::{any, read_only};

        in_child(|| {
            let hashes: Vec<Mixed> = (0..3_000).map(mix).collect();
            let mut plain = Blocks::new(4_096).unwrap();
            plain.insert_each(prehashed(&hashes));
            let shared = AtomicBlocks::from(Blocks::copy_of(&plain).unwrap());
            read_only(&shared.lines.lines, || {
                shared.union_with(&plain);
                assert!(!shared.insert(hashes[7]));
                assert_eq!(shared.insert_each(prehashed(&hashes)), 0);
            });
            let mut one = Blocks::new(4_096).unwrap();
            one.insert(any(7));
            shared.union_with(&one);
            plain.insert(any(7));
            assert_eq!(Blocks::from(shared), plain);
        });
    }
}
