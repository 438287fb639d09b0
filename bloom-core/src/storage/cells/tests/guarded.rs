//! Checks that no kernel (a function that tests or sets the cells of a hash) reads or writes
//! outside the memory of the cells, which adjoins an unreadable page.

use super::borrowed::{bytes_of, check_borrowed};
use super::*;
use crate::storage::testing::child::in_child;
use crate::storage::testing::{Edge, Guarded};

/// Inserts half of the hashes one by one and the others in a batch, and then queries every hash in
/// both ways. Does this with the kernels of every instruction set of this machine, both those for
/// filters in cache and those for larger ones (`far`).
fn insert_and_find<L: Layout>(words: &mut [u64], shape: Shape, width: u8, seeds: &[Mixed]) {
    for (name, cpu) in levels() {
        for far in [false, true] {
            let mut cells = Cells::<L, _>::of(&mut *words, shape, width);
            cells.choose(cpu, far);
            seeds[..seeds.len() / 2]
                .iter()
                .for_each(|hash| _ = cells.insert(*hash));
            cells.insert_each(prehashed(&seeds[seeds.len() / 2..]));
            let mut answers = vec![false; seeds.len()];
            cells.contains_each(prehashed(seeds), &mut answers);
            for (hash, answer) in seeds.iter().zip(answers) {
                assert!(
                    answer && cells.contains(*hash),
                    "{name}, {far}, {shape:?}, {hash:x?}"
                );
                cells.prefetch(*hash);
            }
        }
    }
}

fn no_kernel_reads_or_writes_outside<L: Defined>() {
    let (mut words, mut seeds) = (Guarded::new(17 * 8), Guarded::new(300 * 16));
    let hashes: Vec<Mixed> = (0..300).map(mix).collect();
    for edge in [Edge::Start, Edge::End] {
        for count in 17..=17 * 64_u64 {
            for width in L::WIDTHS.iter().copied() {
                let length = words_of(count, width);
                if length > 17 {
                    continue;
                }
                let words = words.place(edge, &[0; 17][..length as usize]);
                for (k, hashes) in [1, 4, 7, 9, 12, 17].into_iter().zip(hashes.chunks(50)) {
                    // The lengths, 31 to 50, are multiples of 8 and of 4 and numbers between them,
                    // because kernels take 8 or 4 hashes together.
                    let length = 50 - count as usize % 20;
                    let hashes = seeds.place(edge, &hashes[..length]);
                    insert_and_find::<L>(words, shape(count, k), width, hashes);
                }
            }
        }
    }
}

#[test]
fn no_kernel_reads_or_writes_outside_its_words() {
    in_child(|| {
        no_kernel_reads_or_writes_outside::<Anywhere>();
        no_kernel_reads_or_writes_outside::<Sliced>();
        no_kernel_reads_or_writes_outside::<Counted>();
    });
}

#[test]
fn no_kernel_reads_outside_the_bytes_of_cells() {
    in_child(|| {
        let mut memory = Guarded::new(17 * 8);
        for edge in [Edge::Start, Edge::End] {
            for count in (1..=17 * 64_u64).step_by(7) {
                let hashes: Vec<Mixed> = (0..60).map(|hash| mix(count << 32 | hash)).collect();
                for k in [1, 4, 7, 9, 12, 17] {
                    let mut bits = clear::<Anywhere>(count, k, 1);
                    bits.insert_each(prehashed(&hashes[..20]));
                    let bytes = memory.place(edge, &bytes_of(&bits, 0));
                    check_borrowed(&bits, bytes, &hashes);
                }
            }
        }
    });
}

/// Checks more cells than the caches are assumed to hold, because queries of so many cells take
/// another path.
fn no_kernel_reads_or_writes_outside_many_words<L: Defined>(k: u8) {
    let mut memory = Guarded::new(8 * words_of(FAR, 1) as usize);
    for width in L::WIDTHS.iter().copied() {
        let count = FAR / u64::from(width);
        let (shape, last) = (shape(count, k), words_of(count, width) - 1);
        // Keeps the hashes with a position in the first or the last word, and some others.
        let mut hashes: Vec<Mixed> = (0..20_000).map(mix).collect();
        hashes.retain(|hash| {
            let positions = L::positions(*hash, shape).into_iter();
            let mut words = positions.map(|position| position * u64::from(width) / WORD);
            words.any(|word| word == 0 || word == last) || hash.hash.is_multiple_of(1_000)
        });
        for edge in [Edge::Start, Edge::End] {
            let mut cells = clear::<L>(count, k, width);
            assert!(cells.is_far());
            let words = memory.place(edge, cells.words());
            insert_and_find::<L>(words, shape, width, &hashes);
            cells.words_mut().copy_from_slice(words);
            let bytes = memory.place(edge, &bytes_of(&cells, 0));
            check_borrowed(&cells, bytes, &hashes);
        }
    }
}

#[test]
fn no_kernel_reads_or_writes_outside_its_words_out_of_cache() {
    in_child(|| {
        for k in [1, 4, 7, 17] {
            no_kernel_reads_or_writes_outside_many_words::<Anywhere>(k);
            no_kernel_reads_or_writes_outside_many_words::<Sliced>(k);
            no_kernel_reads_or_writes_outside_many_words::<Counted>(k);
        }
    });
}
