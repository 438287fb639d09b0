//! Checks every kernel of bits against the definition, [`Positions`]. Two kernels are not compared, since both could
//! be wrong in the same way.
//!
//! A test runs every kernel that this machine has; it skips vector kernels only if their tokens do not exist.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::storage::cpu::levels;
use crate::storage::cpu::{Avx2, Avx512};
use crate::storage::testing::{any, mix, prehashed};

/// Counts on both sides of a word's size, and of the size of the caches.
const COUNTS: &[u64] = if cfg!(miri) {
    &[1, 5, 63, 64, 65, 700]
} else {
    &[1, 5, 63, 64, 65, 4_099, 1 << 26, FAR]
};

const FAR: u64 = (1 << 26) + 65;

/// Numbers of hashes around each number of states, vectors and unrolled loops.
const KS: &[u8] = if cfg!(miri) {
    &[1, 2, 4, 5, 8, 9, 16, 17]
} else {
    &[
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 20, 40, 255,
    ]
};

mod borrowed;
#[cfg(all(unix, not(miri)))]
mod guarded;

type Contains = Box<dyn Fn(BitsView<'_>, Mixed, u8) -> bool>;
type Insert = Box<dyn Fn(BitsMut<'_>, Mixed, u8) -> bool>;

/// Returns the kernels that test `k` of `count` bits.
fn contains_kernels(count: u64, k: u8) -> Vec<(&'static str, Contains)> {
    let mut all: Vec<(_, Contains)> = vec![
        ("portable", Box::new(portable::contains)),
        (
            "portable, branch-free",
            Box::new(portable::contains_branch_free),
        ),
    ];
    if let Some(avx2) = Avx2::detect() {
        let kernel = move |bits: BitsView<'_>, hash, k| avx2::contains(avx2, bits, hash, k);
        all.push(("BMI2", Box::new(kernel)));
        let kernel =
            move |bits: BitsView<'_>, hash, k| avx2::contains_branch_free(avx2, bits, hash, k);
        all.push(("BMI2, branch-free", Box::new(kernel)));
    }
    if let Some(gather) = Gather::detect()
        && k <= avx512::MOST_PROBES
        && count < 1 << 32
    {
        let kernel = move |bits: BitsView<'_>, hash, k| avx512::contains(gather, bits, hash, k);
        all.push(("AVX-512", Box::new(kernel)));
    }
    all
}

fn insert_kernels() -> Vec<(&'static str, Insert)> {
    let mut all: Vec<(_, Insert)> = vec![("portable", Box::new(portable::insert))];
    if let Some(avx2) = Avx2::detect() {
        let kernel = move |bits: BitsMut<'_>, hash, k| avx2::insert(avx2, bits, hash, k);
        all.push(("BMI2", Box::new(kernel)));
    }
    all
}

type Choose = Box<dyn Fn(&mut Bits)>;

/// Returns every setting by which `Bits` chooses a kernel.
fn choices(count: u64) -> Vec<(&'static str, Choose)> {
    let Bits { cpu, gather, .. } = clear(count);
    let made = move |bits: &mut Bits| (bits.cpu, bits.gather) = (cpu, gather);
    let mut all: Vec<(_, Choose)> = vec![("as made", Box::new(made))];
    for (name, cpu) in levels() {
        let choose = move |bits: &mut Bits| (bits.cpu, bits.gather) = (cpu, None);
        all.push((name, Box::new(choose)));
    }
    if let (Some(avx512), Some(gather)) = (Avx512::detect(), Gather::detect())
        && count < 1 << 32
    {
        let choose =
            move |bits: &mut Bits| (bits.cpu, bits.gather) = (Cpu::Avx512(avx512), Some(gather));
        all.push(("AVX-512, gathering", Box::new(choose)));
    }
    all
}

fn clear(count: u64) -> Bits {
    Bits::new(count).expect("little memory")
}

fn insert_by_definition(bits: &mut Bits, hash: Mixed, k: u8) -> bool {
    let positions = Positions::new(hash, bits.count, k);
    positions.fold(false, |new, position| bits.set(position) | new)
}

fn contains_by_definition(bits: &Bits, hash: Mixed, k: u8) -> bool {
    Positions::new(hash, bits.count, k).all(|position| bits.get(position))
}

fn unset(bits: &mut Bits, position: u64) {
    bits.words_mut()[(position / WORD) as usize] &= !(1 << (position % WORD));
}

/// For some hashes, sets all their bits and then all but one, and queries and inserts with every kernel.
fn every_kernel_needs_and_sets_every_position(count: u64, k: u8, seeds: &[Mixed]) {
    let mut bits = clear(count);
    let (contain, insert) = (contains_kernels(count, k), insert_kernels());
    let choices = choices(count);
    for hash in seeds.iter().copied() {
        let found = |bits: &mut Bits, expected: bool| {
            for (name, contains) in &contain {
                let what = (name, count, k, hash);
                assert_eq!(contains(bits.view(), hash, k), expected, "{what:?}");
            }
            for (name, choose) in &choices {
                let what = (name, count, k, hash);
                choose(bits);
                assert_eq!(bits.contains(hash, k), expected, "{what:?}");
                let mut answer = [!expected];
                bits.contains_each(prehashed(&[hash]), k, &mut answer);
                assert_eq!(answer, [expected], "{what:?}, in a batch");
            }
        };
        let is_set = |bits: &Bits| contains_by_definition(bits, hash, k);
        let mut positions: Vec<u64> = Positions::new(hash, count, k).collect();
        positions.sort_unstable();
        positions.dedup();

        insert_by_definition(&mut bits, hash, k);
        found(&mut bits, true);
        for missing in positions.iter().copied() {
            unset(&mut bits, missing);
            found(&mut bits, false);
            for (name, insert) in &insert {
                let what = (name, count, k, hash);
                assert!(insert(bits.view_mut(), hash, k), "{what:?}");
                assert!(is_set(&bits), "{what:?}");
                assert!(!insert(bits.view_mut(), hash, k), "{what:?}");
                unset(&mut bits, missing);
            }
            for (name, choose) in &choices {
                let what = (name, count, k, hash);
                choose(&mut bits);
                assert!(bits.insert(hash, k) && is_set(&bits), "{what:?}");
                assert!(!bits.insert(hash, k), "{what:?}");
                unset(&mut bits, missing);
            }
            bits.set(missing);
        }
        for position in positions {
            unset(&mut bits, position);
        }
    }
    // An insert sets no other bit.
    assert!(bits.is_empty(), "{count} bits, k = {k}");
}

#[test]
fn every_kernel_needs_and_sets_every_position_of_a_hash() {
    let seeds = [0, u64::MAX].into_iter().map(any);
    let seeds: Vec<Mixed> = seeds.chain((1..4).map(mix)).collect();
    let seeds = if cfg!(miri) { &seeds[1..3] } else { &seeds };
    for count in COUNTS.iter().copied() {
        for k in KS.iter().copied() {
            every_kernel_needs_and_sets_every_position(count, k, seeds);
        }
    }
}

/// Most pages are never touched, so the system does not allocate them.
#[test]
#[cfg(target_pointer_width = "64")]
#[cfg_attr(miri, ignore = "Miri allocates all of it")]
fn every_kernel_needs_and_sets_positions_beyond_32_bits() {
    let seeds: Vec<Mixed> = (0..40).map(mix).collect();
    every_kernel_needs_and_sets_every_position((1 << 32) + (1 << 30), 7, &seeds);
}

#[test]
fn an_insert_sets_the_positions_of_a_hash_and_returns_whether_one_was_clear() {
    let number = if cfg!(miri) { 12 } else { 300 };
    for count in COUNTS.iter().copied() {
        // Large filters take long to compare.
        let step = if count < 1 << 20 { 1 } else { 3 };
        for k in KS.iter().copied().step_by(step) {
            let mut model = clear(count);
            let mut filters: Vec<Bits> = Vec::new();
            let (kernels, choices) = (insert_kernels(), choices(count));
            filters.resize_with(kernels.len() + choices.len(), || clear(count));
            let (by_kernel, by_choice) = filters.split_at_mut(kernels.len());
            for (bits, (_, choose)) in by_choice.iter_mut().zip(&choices) {
                choose(bits);
            }
            // Every fifth hash is repeated.
            for hash in (0..number).map(|index| mix(index - index % 5 / 4)) {
                let new = insert_by_definition(&mut model, hash, k);
                for (bits, (name, insert)) in by_kernel.iter_mut().zip(&kernels) {
                    let what = (name, count, k, hash);
                    assert_eq!(insert(bits.view_mut(), hash, k), new, "{what:?}");
                }
                for (bits, (name, _)) in by_choice.iter_mut().zip(&choices) {
                    let what = (name, count, k, hash);
                    assert_eq!(bits.insert(hash, k), new, "{what:?}");
                }
            }
            assert!(filters.iter().all(|bits| *bits == model), "{count}, {k}");
        }
    }
}

/// Batches of lengths around multiples of the group of 32, and of the eight that are hashed together.
fn batches_do_as_single_calls_do(count: u64, k: u8) {
    let lengths = || (0..71).chain([127, 128, 129, 255, 256, 257, 300]);
    let lengths = || lengths().step_by(if cfg!(miri) { 11 } else { 1 });
    for (name, choose) in choices(count) {
        let (mut bits, mut model) = (clear(count), clear(count));
        choose(&mut bits);
        for length in lengths() {
            let what = (name, count, k, length);
            if !is_far(count) {
                // So that the filters never fill up.
                bits.clear();
                model.clear();
            }
            // Every third hash is inserted twice, the second time in the same group or a later one.
            let inserted: Vec<Mixed> = (0..length)
                .map(|index| mix(length << 32 | if index % 3 == 2 { index / 2 } else { index }))
                .collect();
            let new: u64 = inserted
                .iter()
                .map(|hash| u64::from(insert_by_definition(&mut model, *hash, k)))
                .sum();
            let batched = bits.insert_each(prehashed(&inserted), k);
            assert_eq!(batched, new, "{what:?}");
            // Bits in cache are compared after each batch, those out of cache only once.
            assert!(is_far(count) || bits == model, "{what:?}");

            // Inserted hashes and others, in random order.
            let queried: Vec<Mixed> = (0..length)
                .map(|index| match mix(index).hash % 2 {
                    0 => inserted[index as usize],
                    _ => mix(!length << 32 | index),
                })
                .collect();
            let expected: Vec<bool> = queried
                .iter()
                .map(|hash| contains_by_definition(&model, *hash, k))
                .collect();
            let mut answers: Vec<bool> = expected.iter().map(|answer| !answer).collect();
            bits.contains_each(prehashed(&queried), k, &mut answers);
            assert_eq!(answers, expected, "{what:?}");
        }
        // Miri takes minutes for so many words; it has compared the answers.
        let is_compared = !(cfg!(miri) && is_far(count));
        assert!(
            !is_compared || bits == model,
            "{name}, {count} bits, k = {k}"
        );
    }
}

/// The k of the batches; Miri has time only for the first.
fn batch_ks() -> impl Iterator<Item = u8> {
    let all = [7, 1, 3, 4, 8, 10, 16, 17, 40];
    all.into_iter().take(if cfg!(miri) { 1 } else { 9 })
}

#[test]
fn batches_in_the_caches_do_as_single_calls_do() {
    assert!(!is_far(9_999));
    batch_ks().for_each(|k| batches_do_as_single_calls_do(9_999, k));
}

#[test]
fn batches_beyond_the_caches_do_as_single_calls_do() {
    assert!(is_far(FAR));
    batch_ks().for_each(|k| batches_do_as_single_calls_do(FAR, k));
}

#[test]
fn a_counted_insert_sets_the_bits_of_an_insert_and_counts_them() {
    // Few bits, so that probes of one hash also coincide.
    for (count, k) in [(5, 7), (300, 7), (300, 20)] {
        let (mut counted, mut model) = (clear(count), clear(count));
        for hash in (0..40).map(mix) {
            let clear = counted.clear_positions(hash, k);
            let at_clear = Positions::new(hash, count, k);
            let at_clear = at_clear.filter(|position| !model.get(*position));
            assert_eq!(clear, at_clear.count() as u64);
            let before = model.ones();
            insert_by_definition(&mut model, hash, k);
            assert_eq!(counted.insert_counted(hash, k), model.ones() - before);
            assert_eq!(counted, model);
        }
    }
}

#[test]
fn the_ones_of_any_range_are_those_inside_it() {
    let sets = [
        &[0, 1, 63, 64, 65, 127, 128, 199, 200, 255, 256, 299][..],
        &[2, 63, 66, 126, 129, 199, 298],
    ];
    let [mut bits, mut other] = sets.map(|set| {
        let mut bits = clear(300);
        assert!(set.iter().all(|position| bits.set(*position)));
        bits
    });
    let is_set = |position: &u64| sets[0].contains(position);
    let is_in_either = |position: &u64| is_set(position) || sets[1].contains(position);
    let step = if cfg!(miri) { 63 } else { 1 };
    for (name, choose) in choices(300) {
        choose(&mut bits);
        choose(&mut other);
        assert_eq!((bits.ones(), other.ones()), (12, 7), "{name}");
        for start in (0..300).step_by(step) {
            for end in (start..=300).step_by(step) {
                let what = (name, start..end);
                let (range, length) = (|| start..end, end - start);
                let ones = range().filter(is_set).count() as u64;
                assert_eq!(bits.ones_in(start, length), ones, "{what:?}");
                let ones = range().filter(is_in_either).count() as u64;
                assert_eq!(bits.ones_in_either(&other, start, length), ones, "{what:?}");
            }
        }
    }
}

#[test]
fn a_union_has_the_bits_of_either_and_an_intersection_those_of_both() {
    for count in [1, 64, 65, 700] {
        let of = |modulus: u64| {
            let mut bits = clear(count);
            for position in (0..count).step_by(modulus as usize) {
                bits.set(position);
            }
            bits
        };
        for (name, choose) in choices(count) {
            let (mut union, mut intersection) = (of(2), of(2));
            choose(&mut union);
            choose(&mut intersection);
            union.union_with(&of(3));
            intersection.intersect_with(&of(3));
            for position in 0..count {
                let (two, three) = (position % 2 == 0, position % 3 == 0);
                assert_eq!(union.get(position), two || three, "{name}");
                assert_eq!(intersection.get(position), two && three, "{name}");
            }
        }
    }
}

#[test]
fn a_copy_is_equal_until_a_bit_changes() {
    for count in [1, 64, 65, 700] {
        let mut bits = clear(count);
        bits.set(count / 2);
        let mut copy = Bits::copy_of(&bits).expect("little memory");
        assert_eq!(copy, bits);
        assert_eq!(
            copy.contains(any(3), 7),
            contains_by_definition(&bits, any(3), 7)
        );
        unset(&mut copy, count / 2);
        assert!(copy != bits && copy.is_empty() && !bits.is_empty());
        bits.clear();
        assert!(copy == bits && copy != clear(count + 1));
    }
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
    fn find<const K: u8>(gather: Gather) {
        let mut bits = clear(1_000);
        for hash in (0..100).map(mix) {
            let expected = contains_by_definition(&bits, hash, K);
            let view = bits.view();
            // With a constant number of hashes the kernel is short enough to be inlined here.
            let found = with_own_registers(|| avx512::contains(gather, view, hash, K));
            assert_eq!(found, expected);
            insert_by_definition(&mut bits, hash, K);
        }
    }

    if let Some(gather) = Gather::detect() {
        // SAFETY: the token proves that the machine has the instructions.
        unsafe {
            find::<7>(gather);
            find::<10>(gather);
        }
    }
}
