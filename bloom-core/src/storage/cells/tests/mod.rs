//! Checks every kernel, a function that tests or sets the cells (bits or counters) of a hash,
//! against a definition that takes the positions of a hash one by one. No kernel is compared with
//! another kernel, because both could be wrong in the same way.
//!
//! Tests that call `each_choice` run the kernels of every level (set of instructions) that this
//! machine has.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Debug;

use super::*;
use crate::probe::{Positions, ProbeSequence, reduce};
use crate::storage::cache::CACHED_BYTES;
use crate::storage::testing::{any, check_answers, levels, mix, prehashed};

/// The tested numbers of cells: a few cells, about 64 (a word of bits), and about the assumed size
/// of the caches in unit tests: 4,096 counters of eight bits, or 32,768 bits.
const COUNTS: &[u64] = if cfg!(miri) {
    &[5, 65, FAR]
} else {
    &[1, 5, 63, 64, 65, 4_099, NEAR, FAR]
};

/// The maximum number of bits for which batches do not prefetch.
const NEAR: u64 = 8 * CACHED_BYTES;
/// A number of bits for which batches prefetch.
const FAR: u64 = NEAR + 65;

/// The tested numbers of hashes, among them those around the limits in the kernels: a probe state
/// serves four probes, a batch with vectors may end after seven probes, and kernels are unrolled
/// for up to 16 hashes.
const KS: &[u8] = if cfg!(miri) {
    &[1, 4, 9, 17]
} else {
    &[
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 20, 40, 255,
    ]
};

mod borrowed;
#[cfg(all(unix, not(miri)))]
mod guarded;

/// A layout (the kind of cells, and where a hash has its positions) with the definition of the
/// positions.
trait Defined: Layout + Sized + Debug {
    /// The possible numbers of bits of a cell.
    const WIDTHS: &[u8];

    /// Returns the positions of a hash, as the documentation of the file format defines them.
    fn positions(hash: Mixed, shape: Shape) -> Vec<u64> {
        Positions::new(hash, shape.bits(), shape.hashes()).collect()
    }
}

impl Defined for Anywhere {
    const WIDTHS: &[u8] = &[1];
}

impl Defined for Counted {
    const WIDTHS: &[u8] = &[4, 8];
}

impl Defined for Sliced {
    const WIDTHS: &[u8] = &[1];

    fn positions(hash: Mixed, shape: Shape) -> Vec<u64> {
        let (bits, k) = (shape.bits(), u64::from(shape.hashes()));
        let mut start = 0;
        let position = |(slice, probe)| {
            let length = bits / k + u64::from(slice < bits % k);
            start += length;
            start - length + reduce(probe, length)
        };
        (0..k).zip(ProbeSequence::new(hash)).map(position).collect()
    }
}

fn shape(count: u64, k: u8) -> Shape {
    Shape::new(count, k).expect("valid")
}

fn clear<L: Layout>(count: u64, k: u8, width: u8) -> Cells<L> {
    Cells::new(shape(count, k), width).expect("these cells fit in memory")
}

/// Calls `check` with clear cells for every level: with the kernels for filters that are larger
/// than the caches and, below 2^32 cells, also with the kernels for filters in cache. Outside these
/// tests, a filter picks only one of the two kinds, by its number of cells.
fn each_choice<L: Layout>(count: u64, k: u8, width: u8, mut check: impl FnMut(&str, Cells<L>)) {
    for (name, cpu) in levels() {
        for far in [false, true] {
            // Miri has time for only one of the two kinds of kernels.
            let skipped = cfg!(miri) && far != k.is_multiple_of(2);
            if skipped || !far && count >> 32 > 0 {
                continue;
            }
            let mut cells = clear::<L>(count, k, width);
            cells.choose(cpu, far);
            let far = if far { "far" } else { "near" };
            check(
                &alloc::format!("{name}, {far}, {count} cells of {width} bits, k = {k}"),
                cells,
            );
        }
    }
}

impl<L: Layout, S: Store<Item: Word>> Cells<L, S> {
    /// Switches to the kernels of this level: if `far`, to those for filters that are larger than
    /// the caches.
    fn choose(&mut self, cpu: Cpu, far: bool) {
        self.cpu = cpu;
        self.kernels = L::kernels(self.width, cpu, self.hashes, far);
    }
}

/// Sets the cell at `position` to `value`.
fn set<L: Layout>(cells: &mut Cells<L>, position: u64, value: u8) {
    let at = position * u64::from(cells.width);
    let highest = u64::from(u8::MAX >> (8 - cells.width));
    let word = &mut cells.words_mut()[(at / WORD) as usize];
    *word = *word & !(highest << (at % WORD)) | u64::from(value) << (at % WORD);
}

fn contains_by_definition<L: Defined>(cells: &Cells<L>, hash: Mixed) -> bool {
    let mut positions = L::positions(hash, cells.shape()).into_iter();
    positions.all(|position| cells.get(position) > 0)
}

fn insert_by_definition<L: Defined>(cells: &mut Cells<L>, hash: Mixed) -> bool {
    let new = !contains_by_definition(cells, hash);
    let highest = u8::MAX >> (8 - cells.width);
    for position in L::positions(hash, cells.shape()) {
        let value = cells.get(position);
        set(cells, position, value.saturating_add(1).min(highest));
    }
    new
}

/// Queries a hash by a single call, in a batch of eight hashes, and in a batch of one hash. Kernels
/// for batches take eight or four hashes together.
fn answers<L: Layout>(cells: &Cells<L>, hash: Mixed) -> [bool; 3] {
    let mut eight = [false; 8];
    cells.contains_each(prehashed(&[hash; 8]), &mut eight);
    let mut one = [false];
    cells.contains_each(prehashed(&[hash]), &mut one);
    assert!(eight.iter().all(|answer| *answer == eight[0]));
    [cells.contains(hash), eight[0], one[0]]
}

/// Sets all cells of a hash, so that every kernel must find the hash. Then clears each of these
/// cells in turn: no kernel may find the hash without this cell, and an insert must set the cell
/// again.
fn every_kernel_needs_and_sets_every_position<L: Defined>(count: u64, k: u8, seeds: &[Mixed]) {
    for width in L::WIDTHS.iter().copied() {
        each_choice::<L>(count, k, width, |name, mut cells| {
            for hash in seeds.iter().copied() {
                let mut positions = L::positions(hash, cells.shape());
                positions.sort_unstable();
                positions.dedup();
                for position in &positions {
                    set(&mut cells, *position, 1);
                }
                assert_eq!(answers(&cells, hash), [true; 3], "{name}, {hash:?}");
                for missing in &positions {
                    set(&mut cells, *missing, 0);
                    assert_eq!(answers(&cells, hash), [false; 3], "{name}, {hash:?}");
                    assert!(cells.insert(hash), "{name}, {hash:?}");
                    assert!(contains_by_definition(&cells, hash), "{name}, {hash:?}");
                    assert!(!cells.insert(hash), "{name}, {hash:?}");
                    for position in &positions {
                        set(&mut cells, *position, 1);
                    }
                }
                for position in positions {
                    set(&mut cells, position, 0);
                }
            }
            // No insert has changed a cell of another position. Above 2^30 cells, this check would
            // take too long.
            assert!(count > 1 << 30 || cells.is_empty(), "{name}");
        });
    }
}

#[test]
fn every_kernel_needs_and_sets_every_position_of_a_hash() {
    let seeds = [0, u64::MAX].into_iter().map(any);
    let seeds: Vec<Mixed> = seeds.chain((1..3).map(mix)).collect();
    let seeds = if cfg!(miri) { &seeds[1..3] } else { &seeds };
    for count in COUNTS.iter().copied() {
        for k in KS.iter().copied() {
            every_kernel_needs_and_sets_every_position::<Anywhere>(count, k, seeds);
            if cfg!(miri) && count > 65 {
                continue;
            }
            every_kernel_needs_and_sets_every_position::<Counted>(count, k, &seeds[..1]);
            if count >= k.into() {
                every_kernel_needs_and_sets_every_position::<Sliced>(count, k, &seeds[..1]);
            }
        }
    }
}

/// Most pages of these filters are never touched, so the system does not allocate them.
#[test]
#[cfg(target_pointer_width = "64")]
#[cfg_attr(miri, ignore = "Miri allocates all of it")]
fn every_kernel_needs_and_sets_positions_beyond_32_bits() {
    let seeds: Vec<Mixed> = (0..40).map(mix).collect();
    let count = (1 << 32) + (1 << 30);
    every_kernel_needs_and_sets_every_position::<Anywhere>(count, 7, &seeds);
    every_kernel_needs_and_sets_every_position::<Sliced>(count, 7, &seeds);
    every_kernel_needs_and_sets_every_position::<Counted>(count, 7, &seeds[..2]);
}

fn an_insert_changes_the_cells_of_a_hash<L: Defined>(count: u64, k: u8) {
    let number = if cfg!(miri) { 12 } else { 300 };
    for width in L::WIDTHS.iter().copied() {
        let mut model = clear::<L>(count, k, width);
        // Every fifth insert repeats the insert before it.
        let hashes: Vec<Mixed> = (0..number)
            .map(|index| mix(index - index % 5 / 4))
            .collect();
        let new: Vec<bool> = hashes
            .iter()
            .map(|hash| insert_by_definition(&mut model, *hash))
            .collect();
        each_choice::<L>(count, k, width, |name, mut cells| {
            for (hash, new) in hashes.iter().zip(&new) {
                assert_eq!(cells.insert(*hash), *new, "{name}, {hash:?}");
            }
            assert!(cells == model, "{name}");
        });
    }
}

#[test]
fn an_insert_changes_the_positions_of_a_hash_and_returns_whether_one_was_0() {
    for count in COUNTS.iter().copied() {
        for k in KS.iter().copied() {
            an_insert_changes_the_cells_of_a_hash::<Anywhere>(count, k);
            if cfg!(miri) && count > 65 {
                continue;
            }
            an_insert_changes_the_cells_of_a_hash::<Counted>(count, k);
            if count >= k.into() {
                an_insert_changes_the_cells_of_a_hash::<Sliced>(count, k);
            }
        }
    }
}

/// Compares batches of inserts and queries with the definition. The lengths of the batches include
/// those around multiples of a group of 64 hashes, and around multiples of the eight or four hashes
/// that a kernel takes together.
fn batches_do_as_single_calls_do<L: Defined>(count: u64, k: u8) {
    let lengths = || (0..71).chain([127, 128, 129, 255, 256, 257, 300]);
    let lengths = || lengths().step_by(if cfg!(miri) { 25 } else { 1 });
    for width in L::WIDTHS.iter().copied() {
        each_choice::<L>(count, k, width, |name, mut cells| {
            let mut model = clear::<L>(count, k, width);
            for length in lengths() {
                // The cells are cleared, so that the filters never fill up.
                cells.clear();
                model.clear();
                // Every sixth insert repeats an earlier insert, of the same group of 64 hashes or
                // of an earlier group.
                let inserted: Vec<Mixed> = (0..length)
                    .map(|index| mix(length << 32 | if index % 3 == 2 { index / 2 } else { index }))
                    .collect();
                let new = inserted
                    .iter()
                    .map(|hash| u64::from(insert_by_definition(&mut model, *hash)));
                let new: u64 = new.sum();
                assert_eq!(
                    cells.insert_each(prehashed(&inserted)),
                    new,
                    "{name}, {length}"
                );
                assert!(cells == model, "{name}, {length}");

                // Inserted hashes and others, in random order.
                let queried: Vec<Mixed> = (0..length)
                    .map(|index| match mix(index).hash % 2 {
                        0 => inserted[index as usize],
                        _ => mix(!length << 32 | index),
                    })
                    .collect();
                check_answers((name, length), &cells, &queried, |hash| {
                    contains_by_definition(&model, hash)
                });
            }
        });
    }
}

/// Returns the numbers of hashes with which batches are tested; Miri has time only for the first.
fn batch_ks() -> impl Iterator<Item = u8> {
    let all = [7, 1, 3, 4, 8, 10, 16, 17, 40];
    all.into_iter().take(if cfg!(miri) { 1 } else { 9 })
}

#[test]
fn batches_in_the_caches_do_as_single_calls_do() {
    for k in batch_ks() {
        batches_do_as_single_calls_do::<Anywhere>(4_000, k);
        if !cfg!(miri) {
            batches_do_as_single_calls_do::<Sliced>(4_000, k);
            batches_do_as_single_calls_do::<Counted>(4_000, k);
        }
    }
}

#[test]
fn batches_beyond_the_caches_do_as_single_calls_do() {
    assert!(clear::<Anywhere>(FAR, 1, 1).is_far() && !clear::<Anywhere>(NEAR, 1, 1).is_far());
    batch_ks().for_each(|k| batches_do_as_single_calls_do::<Anywhere>(FAR, k));
    if !cfg!(miri) {
        batches_do_as_single_calls_do::<Sliced>(FAR, 7);
        batches_do_as_single_calls_do::<Counted>(FAR / 4, 7);
    }
}

/// Queries a batch of inserted hashes, two groups of 64 and two more, and then absent ones. After a
/// group in which all hashes were found, a batch tests all probes of the next group at once. After
/// a group of absent hashes, it tests two probes first, which do not reject about a quarter of the
/// absent hashes, as half of the bits are set.
#[test]
fn a_batch_in_a_full_filter_beyond_the_caches_tests_every_probe() {
    for k in [1, 2, 3, 7, 40] {
        each_choice::<Anywhere>(FAR, k, 1, |name, mut cells| {
            for (word, index) in cells.words_mut().iter_mut().zip(0..) {
                *word = mix(index).hash;
            }
            let length = if cfg!(miri) { 140 } else { 400 };
            let hashes: Vec<Mixed> = (0..length).map(|index| mix(!index)).collect();
            for hash in &hashes[..130] {
                insert_by_definition(&mut cells, *hash);
            }
            check_answers((name, k), &cells, &hashes, |hash| {
                contains_by_definition(&cells, hash)
            });
        });
    }
}

#[test]
fn a_removal_undoes_an_insert_and_a_refused_removal_changes_nothing() {
    // There are few counters, so that probes of one hash coincide, and many items, so that some
    // counters saturate.
    let all = [(5, 7), (12, 7), (1, 1), (300, 7), (300, 20), (3, 255)];
    for (count, k) in all.into_iter().take(if cfg!(miri) { 3 } else { 6 }) {
        for width in [4, 8] {
            let mut counters = clear::<Counted>(count, k, width);
            let highest = u8::MAX >> (8 - width);
            for hash in (0..if cfg!(miri) { 20 } else { 60 }).map(mix) {
                let before = counters.clone();
                let positions = Counted::positions(hash, counters.shape());
                let times = |position| positions.iter().filter(|at| **at == position).count();
                let enough = |position: &u64| {
                    let value = counters.get(*position);
                    value == highest || usize::from(value) >= times(*position)
                };
                let expected = positions.iter().all(enough);
                assert_eq!(counters.remove(hash), expected, "{count}, {k}, {width}");
                for position in 0..count {
                    let was = before.get(position);
                    let now = match () {
                        () if !expected || was == highest => was,
                        () => was - times(position) as u8,
                    };
                    assert_eq!(
                        counters.get(position),
                        now,
                        "{count}, {k}, {width}, {hash:?}"
                    );
                }
                counters = before;
                counters.insert(hash);
                if counters.words().iter().all(|word| *word != u64::MAX) && count == 300 {
                    let mut removed = counters.clone();
                    assert!(removed.remove(hash));
                }
            }
        }
    }
}

#[test]
fn a_counted_insert_sets_the_bits_of_an_insert_and_counts_them() {
    // There are few bits, so that probes of one hash also coincide.
    for (count, k) in [(5, 7), (300, 7), (300, 20)] {
        let (mut counted, mut model) = (clear::<Anywhere>(count, k, 1), clear(count, k, 1));
        for hash in (0..40).map(mix) {
            let clear = counted.clear_positions(hash);
            let at_clear = Positions::new(hash, count, k);
            let at_clear = at_clear.filter(|position| model.get(*position) == 0);
            assert_eq!(clear, at_clear.count() as u64);
            let before = model.ones();
            insert_by_definition(&mut model, hash);
            assert_eq!(counted.insert_counted(hash), model.ones() - before);
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
    let is_set = |position: &u64| sets[0].contains(position);
    let is_in_either = |position: &u64| is_set(position) || sets[1].contains(position);
    let step = if cfg!(miri) { 63 } else { 1 };
    for width in [1, 4, 8] {
        each_choice::<Anywhere>(300, 1, width, |name, bits| {
            let [bits, other] = sets.map(|positions| {
                let mut bits = bits.clone();
                // Cells have various values, and each value but 0 must be counted.
                let value = |position: u64| (position as u8 | 1) & u8::MAX >> (8 - width);
                for at in positions {
                    set(&mut bits, *at, value(*at));
                }
                bits
            });
            assert_eq!((bits.ones(), other.ones()), (12, 7), "{name}");
            for start in (0..300).step_by(step) {
                for end in (start..=300).step_by(step) {
                    let (range, length) = (|| start..end, end - start);
                    let ones = range().filter(is_set).count() as u64;
                    assert_eq!(bits.ones_in(start, length), ones, "{name}, {start}..{end}");
                    let ones = range().filter(is_in_either).count() as u64;
                    assert_eq!(bits.ones_in_either(&other, start, length), ones, "{name}");
                }
            }
        });
    }
}

#[test]
fn a_union_has_the_items_of_both_and_an_intersection_the_common_ones() {
    for count in [1, 64, 65, 700] {
        for width in [1, 4, 8] {
            let highest = u16::from(u8::MAX >> (8 - width));
            let value = |modulus: u64, at: u64| (at % modulus * 40).min(highest.into()) as u8;
            let of = |modulus: u64, cells: &Cells<Counted>| {
                let mut cells = cells.clone();
                (0..count).for_each(|at| set(&mut cells, at, value(modulus, at)));
                cells
            };
            each_choice::<Counted>(count, 1, width, |name, cells| {
                let (mut union, mut intersection) = (of(2, &cells), of(2, &cells));
                union.union_with(&of(3, &cells));
                intersection.intersect_with(&of(3, &cells));
                for at in 0..count {
                    let (one, other) = (value(2, at), value(3, at));
                    let sum = (u16::from(one) + u16::from(other)).min(highest) as u8;
                    let both = if width == 1 { one | other } else { sum };
                    assert_eq!(union.get(at), both, "{name}");
                    assert_eq!(intersection.get(at), one.min(other), "{name}");
                }
            });
        }
    }
}

#[test]
fn a_copy_is_equal_until_a_cell_changes() {
    for count in [1, 64, 65, 700] {
        let mut bits = clear::<Anywhere>(count, 7, 1);
        bits.set(count / 2);
        let mut copy = Cells::copy_of(&bits).expect("these cells fit in memory");
        assert_eq!(copy, bits);
        assert_eq!(copy.contains(any(3)), contains_by_definition(&bits, any(3)));
        set(&mut copy, count / 2, 0);
        assert!(copy != bits && copy.is_empty() && !bits.is_empty());
        bits.clear();
        assert!(copy == bits && copy != clear(count + 1, 7, 1) && copy != clear(count, 6, 1));
    }
}
