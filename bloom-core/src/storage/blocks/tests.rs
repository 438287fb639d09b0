//! Checks every kernel of blocked filters against [`BlockProbe`], which defines the bits of a hash.
//! A kernel is a function that sets or tests these bits, perhaps with vector instructions. The
//! kernels are not compared with each other, because two kernels could be wrong in the same way.
//!
//! A test runs every kernel that this machine has. It skips a vector kernel only if the machine or
//! the build does not have the instructions of the kernel.

#![allow(unsafe_code)]

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::view::Kernel;
use super::*;
use crate::probe::BlockProbe;
use crate::storage::cache::CACHED_BYTES;
use crate::storage::testing::{check_answers, levels, mix, prehashed};

/// The largest number of blocks for which batches do not prefetch.
const NEAR: u64 = CACHED_BYTES / 64;

const CLEAR: Block = Block([0; 8]);
const FULL: Block = Block([u64::MAX; 8]);

fn view(lines: &[Block]) -> BlocksView<'_> {
    assert!(!lines.is_empty());
    // SAFETY: there is at least one line.
    unsafe { BlocksView::new(lines) }
}

fn view_mut(lines: &mut [Block]) -> BlocksMut<'_> {
    assert!(!lines.is_empty());
    // SAFETY: there is at least one line.
    unsafe { BlocksMut::new(lines) }
}

/// [`Kernel`] as an object-safe trait, with batches.
#[cfg_attr(any(not(unix), miri), allow(dead_code))]
trait AnyKernel {
    fn insert(&self, lines: &mut [Block], hash: Mixed) -> bool;
    fn contains(&self, lines: &[Block], hash: Mixed) -> bool;
    fn insert_each(&self, lines: &mut [Block], hashes: &[Mixed]) -> u64;
    fn contains_each(&self, lines: &[Block], hashes: &[Mixed], answers: &mut [bool]);
}

impl<K: Kernel> AnyKernel for K {
    fn insert(&self, lines: &mut [Block], hash: Mixed) -> bool {
        Kernel::insert(*self, view_mut(lines), hash)
    }

    fn contains(&self, lines: &[Block], hash: Mixed) -> bool {
        Kernel::contains(*self, view(lines), hash)
    }

    fn insert_each(&self, lines: &mut [Block], hashes: &[Mixed]) -> u64 {
        batch::insert_each(*self, view_mut(lines), prehashed(hashes))
    }

    fn contains_each(&self, lines: &[Block], hashes: &[Mixed], answers: &mut [bool]) {
        batch::contains_each(*self, view(lines), prehashed(hashes), answers);
    }
}

/// Returns every kernel that this machine has.
fn kernels() -> Vec<(&'static str, Box<dyn AnyKernel>)> {
    let mut all: Vec<(_, Box<dyn AnyKernel>)> = vec![("portable", Box::new(Portable))];
    for (name, cpu) in levels() {
        all.extend(Vectors::of(cpu).map(|vectors| (name, Box::new(vectors) as _)));
    }
    all
}

fn clear(count: u64) -> Blocks {
    Blocks::new(count).expect("a few blocks fit in memory")
}

/// Returns clear blocks for every level (set of instructions) that this machine has.
fn clear_at_each_level(count: u64) -> Vec<(&'static str, Blocks)> {
    let levels = levels().into_iter();
    levels
        .map(|(name, cpu)| (name, clear(count).at(cpu)))
        .collect()
}

impl<S> Blocks<S> {
    /// Returns the same blocks with the kernel of this level.
    pub(super) fn at(self, cpu: Cpu) -> Self {
        let vectors = Vectors::of(cpu);
        Self {
            cpu,
            vectors,
            ..self
        }
    }
}

fn insert_by_definition(blocks: &mut Blocks, hash: Mixed) -> bool {
    let probe = BlockProbe::new(hash, blocks.count());
    let line = &mut blocks.lines[probe.block as usize].0;
    let before = *line;
    line.iter_mut()
        .zip(probe.bits())
        .for_each(|(lane, bit)| *lane |= bit);
    *line != before
}

fn contains_by_definition(blocks: &Blocks, hash: Mixed) -> bool {
    let probe = BlockProbe::new(hash, blocks.count());
    let lanes = blocks.lines[probe.block as usize].0.into_iter();
    lanes.zip(probe.bits()).all(|(lane, bit)| lane & bit != 0)
}

/// Packs the bit numbers of all lanes like [`BlockProbe::lanes`]: six bits for each lane, from bit
/// 16 on. The 16 bits below are `low_bits`, which must not matter.
fn lanes_of(numbers: [u64; 8], low_bits: u64) -> u64 {
    let lanes = numbers.into_iter().rev();
    lanes.fold(0, |lanes, number| lanes << 6 | number) << 16 | low_bits & 0xffff
}

/// Queries a block with one kernel, and inserts into a block between two others, which must not
/// change.
fn check_line(what: &str, kernel: &dyn AnyKernel, numbers: [u64; 8], random: u64) {
    // The hash belongs to the first block, which is the only one that the kernel receives.
    let hash = Mixed::of_lanes(lanes_of(numbers, random));
    let bits = numbers.map(|number| 1_u64 << number);
    let insert = |line: Block, expected: Block, new: bool| {
        let beside = Block([random; 8]);
        let mut lines = [beside, line, beside];
        assert_eq!(
            kernel.insert(&mut lines[1..2], hash),
            new,
            "{what}: {numbers:?}"
        );
        assert_eq!(lines, [beside, expected, beside], "{what}: {numbers:?}");
    };
    let contains = |line: Block, expected: bool| {
        assert_eq!(
            kernel.contains(&[line], hash),
            expected,
            "{what}: {numbers:?} in {line:x?}"
        );
    };
    let (exact, more) = (Block(bits), Block(bits.map(|bit| bit | random)));
    contains(CLEAR, false);
    insert(CLEAR, exact, true);
    for line in [exact, more, FULL] {
        contains(line, true);
        insert(line, line, false);
        for (lane, bit) in bits.into_iter().enumerate() {
            let mut missing = line;
            missing.0[lane] &= !bit;
            contains(missing, false);
            insert(missing, line, true);
        }
    }
}

#[test]
fn every_bit_of_every_lane_is_set_and_tested() {
    for (name, kernel) in kernels() {
        for lane in 0..8 {
            for number in (0..64).step_by(if cfg!(miri) { 9 } else { 1 }) {
                let random = mix(lane << 6 | number).hash;
                let mut numbers =
                    [0, 1, 2, 3, 4, 5, 6, 7].map(|other| mix(random ^ other).hash % 64);
                numbers[lane as usize] = number;
                check_line(name, &*kernel, numbers, random);
            }
        }
    }
}

#[test]
fn a_hash_sets_and_finds_the_bits_of_its_probe_among_any_number_of_blocks() {
    let (more, each): (&[u64], _) = if cfg!(miri) {
        (&[64], 1)
    } else {
        (&[64, 1_000, NEAR, NEAR + 1], 40)
    };
    for count in (1..=20).chain(more.iter().copied()) {
        let mut model = clear(count);
        let mut all = clear_at_each_level(count);
        // These blocks are used with the portable kernel only.
        let mut portably = clear(count);
        // If there are few blocks, each block gets dozens of hashes. Every third insert repeats the
        // insert before it.
        for hash in
            (0..each * count.min(20)).map(|index| mix((count << 32) + index - index % 3 / 2))
        {
            let found = contains_by_definition(&model, hash);
            let new = insert_by_definition(&mut model, hash);
            for (name, blocks) in &mut all {
                let what = (name, count, hash);
                assert_eq!(blocks.contains(hash), found, "{what:?}");
                assert_eq!(blocks.insert(hash), new, "{what:?}");
                assert!(blocks.contains(hash), "{what:?}");
            }
            assert_eq!(portably.contains_portably(hash), found);
            assert_eq!(portably.insert_portably(hash), new);
            assert!(portably.contains_portably(hash));
        }
        assert!(portably == model);
        assert!(
            all.into_iter().all(|(_, blocks)| blocks == model),
            "{count} blocks"
        );
    }
}

#[test]
fn every_bit_of_a_hash_is_needed_among_any_number_of_blocks() {
    for count in [1, 2, 3, 20, 1_000] {
        for (name, mut blocks) in clear_at_each_level(count) {
            for hash in (0..if cfg!(miri) { 5 } else { 100 }).map(mix) {
                let BlockProbe { block, lanes } = BlockProbe::new(hash, count);
                let bits = BlockProbe { block, lanes }.bits();
                blocks.clear();
                blocks.lines[block as usize] = FULL;
                assert!(blocks.contains(hash), "{name}: {hash:x?} of {count}");
                for (lane, bit) in bits.into_iter().enumerate() {
                    blocks.lines[block as usize].0[lane] ^= bit;
                    assert!(!blocks.contains(hash), "{name}: {hash:x?} of {count}");
                    let mut answer = [true];
                    blocks.contains_each(prehashed(&[hash]), &mut answer);
                    assert_eq!(answer, [false], "{name}: {hash:x?} of {count}");
                    assert!(blocks.insert(hash), "{name}: {hash:x?} of {count}");
                    assert_eq!(blocks.lines[block as usize], FULL);
                }
            }
        }
    }
}

#[test]
fn the_first_and_the_last_of_any_number_of_blocks_are_used() {
    for count in 1..=20 {
        let probes = (0..10 * count).map(|step| BlockProbe::new(mix(count << 32 | step), count));
        let blocks: Vec<u64> = probes.map(|probe| probe.block).collect();
        assert!(blocks.iter().all(|block| *block < count));
        // With ten random hashes per block, a given block stays empty less than once in 20,000
        // runs.
        assert!(
            blocks.contains(&0) && blocks.contains(&(count - 1)),
            "{count} blocks"
        );
    }
}

/// Checks batches of 0 to 400 hashes, among them lengths around multiples of 128, because 128
/// hashes are two groups.
fn batches_do_as_single_calls_do(count: u64) {
    for (name, mut blocks) in clear_at_each_level(count) {
        let lengths = [
            0, 1, 2, 127, 128, 129, 255, 256, 257, 300, 383, 384, 385, 400,
        ];
        for length in lengths.into_iter().step_by(if cfg!(miri) { 9 } else { 1 }) {
            let what = (name, count, length);
            // Every sixth insert repeats an earlier insert, of the same group of 64 hashes or of an
            // earlier group.
            let inserted: Vec<Mixed> = (0..length)
                .map(|index| mix(length << 32 | if index % 3 == 2 { index / 2 } else { index }))
                .collect();
            blocks.clear();
            let mut model = clear(count);
            let new: u64 = inserted
                .iter()
                .map(|hash| u64::from(insert_by_definition(&mut model, *hash)))
                .sum();
            assert_eq!(blocks.insert_each(prehashed(&inserted)), new, "{what:?}");
            assert!(blocks == model, "{what:?}");

            // Queries up to nine inserted hashes, too few to fill a block, and hashes that were not inserted, in random
            // order.
            let known = &inserted[..inserted.len().min(9)];
            blocks.clear();
            for hash in known {
                insert_by_definition(&mut blocks, *hash);
            }
            let queried: Vec<Mixed> = (0..inserted.len())
                .map(|index| match mix(index as u64).hash % 2 {
                    0 => known[index % known.len()],
                    _ => mix(!length << 32 | index as u64),
                })
                .collect();
            check_answers(what, &blocks, &queried, |hash| {
                contains_by_definition(&blocks, hash)
            });
        }
    }
}

#[test]
fn batches_in_the_caches_do_as_single_calls_do() {
    let counts: &[u64] = if cfg!(miri) { &[9] } else { &[1, 9, NEAR] };
    counts
        .iter()
        .copied()
        .for_each(batches_do_as_single_calls_do);
}

#[test]
fn batches_beyond_the_caches_do_as_single_calls_do() {
    batches_do_as_single_calls_do(NEAR + 1);
}

#[test]
fn blocks_are_united_intersected_counted_and_copied_by_lanes() {
    let of = |blocks: &mut Blocks, seed: u64| {
        let lanes = blocks.words_mut().iter_mut().zip(0..);
        lanes.for_each(|(lane, index)| *lane = mix(seed ^ index).hash);
    };
    for (name, mut blocks) in clear_at_each_level(3) {
        of(&mut blocks, 1 << 32);
        let mut other = clear(3);
        of(&mut other, 2 << 32);
        let copy = || Blocks::copy_of(&blocks).expect("a few blocks fit in memory");
        let (mut union, mut intersection) = (copy(), copy());
        assert!(
            union == blocks && union != other && union != clear(4),
            "{name}"
        );
        union.union_with(&other);
        intersection.intersect_with(&other);
        let pairs = || blocks.lanes().zip(other.lanes());
        assert!(
            union.lanes().eq(pairs().map(|(one, two)| one | two)),
            "{name}"
        );
        assert!(
            intersection.lanes().eq(pairs().map(|(one, two)| one & two)),
            "{name}"
        );
        let ones: u32 = blocks.iter().flatten().map(u64::count_ones).sum();
        assert_eq!(blocks.ones(), u64::from(ones), "{name}");
        blocks.clear();
        assert!(blocks == clear(3) && blocks.ones() == 0, "{name}");
    }
}

/// Checks the answers of the blocks in `bytes`, at every level that this machine has. `bytes` are
/// the bytes of `blocks`.
fn check_borrowed(blocks: &Blocks, bytes: &[u8], hashes: &[Mixed]) {
    for (name, cpu) in levels() {
        let borrowed = Blocks::of(bytes.as_chunks::<64>().0, blocks.count()).at(cpu);
        let what = (name, blocks.count());
        check_answers(what, &borrowed, hashes, |hash| {
            contains_by_definition(blocks, hash)
        });
        assert_eq!(borrowed.ones(), blocks.ones(), "{what:?}");
        assert!(borrowed.lanes().eq(blocks.lanes()), "{what:?}");
    }
}

#[test]
fn blocks_in_bytes_answer_alike_at_any_alignment() {
    for count in [1, 2, 3, 20, NEAR + 1] {
        let mut blocks = clear(count);
        let queried = if cfg!(miri) { 20 } else { 200 };
        let hashes: Vec<Mixed> = (0..queried).map(mix).collect();
        blocks.insert_each(prehashed(&hashes[..queried as usize / 3]));
        let step = if cfg!(miri) { 27 } else { 1 };
        for offset in (if count > 20 { 7..9 } else { 0..65 }).step_by(step) {
            let lanes = blocks.lanes().flat_map(u64::to_le_bytes);
            let bytes: Vec<u8> = core::iter::repeat_n(0xff, offset).chain(lanes).collect();
            check_borrowed(&blocks, &bytes[offset..], &hashes);
        }
    }
}

/// Returns hashes of the first and the last block, if there are `count` blocks.
#[cfg(all(unix, not(miri)))]
fn at_the_ends(count: u64) -> Vec<Mixed> {
    let is_at_an_end = |hash: &Mixed| [0, count - 1].contains(&BlockProbe::new(*hash, count).block);
    let hashes = (count << 32..).map(mix).filter(is_at_an_end);
    hashes.take(300).collect()
}

#[cfg(all(unix, not(miri)))]
#[test]
fn no_kernel_reads_outside_the_bytes_of_blocks() {
    use crate::storage::testing::child::in_child;

    use crate::storage::testing::{Edge, Guarded};

    in_child(|| {
        let mut memory = Guarded::new(64 * (NEAR as usize + 1));
        for edge in [Edge::Start, Edge::End] {
            for count in (1..=9).chain([NEAR + 1]) {
                let mut blocks = clear(count);
                let hashes = at_the_ends(count);
                blocks.insert_each(prehashed(&hashes[..70]));
                let bytes: Vec<u8> = blocks.lanes().flat_map(u64::to_le_bytes).collect();
                check_borrowed(&blocks, memory.place(edge, &bytes), &hashes);
            }
        }
    });
}

/// The blocks adjoin an unreadable page, and so do the hashes and the answers of the batches.
#[cfg(all(unix, not(miri)))]
#[test]
fn no_kernel_reads_or_writes_outside_its_lines() {
    use crate::storage::testing::child::in_child;

    use crate::storage::testing::{Edge, Guarded};

    in_child(|| {
        let lines_bytes = 64 * (NEAR as usize + 1);
        let [mut lines, mut seeds, mut answers] = [lines_bytes, 16 * 300, 300].map(Guarded::new);
        for edge in [Edge::Start, Edge::End] {
            for count in (1..=9).chain([NEAR + 1]) {
                let at_the_ends = at_the_ends(count);
                for (name, kernel) in kernels() {
                    let lines = lines.place(edge, &vec![CLEAR; count as usize]);
                    for length in [1, 2, 7, 8, 9, 127, 128, 129, 300] {
                        let what = (name, edge, count, length);
                        let hashes = seeds.place(edge, &at_the_ends[..length]);
                        for hash in hashes.iter() {
                            kernel.insert(lines, *hash);
                            assert!(kernel.contains(lines, *hash), "{what:?}");
                        }
                        assert_eq!(kernel.insert_each(lines, hashes), 0, "{what:?}");
                        let answers = answers.place(edge, &[false; 300][..hashes.len()]);
                        kernel.contains_each(lines, hashes, answers);
                        assert!(answers.iter().all(|answer| *answer), "{what:?}");
                    }
                }
            }
        }
    });
}

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
))]
#[test]
fn the_vector_registers_of_a_caller_survive() {
    use crate::storage::testing::with_own_registers;

    #[target_feature(enable = "avx2,bmi2,popcnt,avx512f,avx512dq,avx512bw,avx512vl")]
    fn insert_and_find(vectors: Vectors) {
        let mut line = [CLEAR];
        for hash in (0..100).map(mix) {
            with_own_registers(|| vectors.insert(view_mut(&mut line), hash));
            assert!(with_own_registers(|| vectors.contains(view(&line), hash)));
        }
    }

    let levels = levels();
    if levels.iter().any(|(_, cpu)| matches!(cpu, Cpu::Avx512(_))) {
        for (_, level) in levels {
            if let Some(vectors) = Vectors::of(level) {
                // SAFETY: the token proves that the machine has the instructions.
                unsafe { insert_and_find(vectors) };
            }
        }
    }
}
