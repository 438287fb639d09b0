//! No kernel reads or writes beside its memory, which adjoins an unreadable page.
#![allow(unsafe_code)]

use super::borrowed::{bytes_of, check_borrowed};
use super::*;
use crate::storage::testing::{Edge, Guarded};

fn bits_view(words: &[u64], count: u64) -> BitsView<'_> {
    assert_eq!(words.len() as u64, count.div_ceil(WORD));
    // SAFETY: there are as many words as `count` needs.
    unsafe { BitsView::new(words, count) }
}

fn bits_mut(words: &mut [u64], count: u64) -> BitsMut<'_> {
    assert_eq!(words.len() as u64, count.div_ceil(WORD));
    // SAFETY: there are as many words as `count` needs.
    unsafe { BitsMut::new(words, count) }
}

/// Inserts and queries each hash with every kernel, one by one and in a batch.
fn insert_and_find(words: &mut [u64], count: u64, k: u8, seeds: &[Mixed]) {
    let (contain, insert) = (contains_kernels(count, k), insert_kernels());
    for hash in seeds.iter().copied() {
        for (_, insert) in &insert {
            insert(bits_mut(words, count), hash, k);
        }
        for (name, contains) in &contain {
            let found = contains(bits_view(words, count), hash, k);
            assert!(found, "{name}, {count} bits, k = {k}, {hash:x?}");
        }
    }
    for (name, cpu) in levels() {
        let mut found = 0;
        cpu.run(|| {
            in_groups(
                true,
                &mut bits_view(words, count),
                prehashed(seeds),
                |bits, hash| portable::prefetch_all(*bits, hash, k),
                |bits, hash| found += usize::from(contains_fetched(cpu, *bits, hash, k)),
            );
        });
        assert_eq!(found, seeds.len(), "{name}, {count} bits, k = {k}");
    }
}

#[test]
fn no_kernel_reads_or_writes_beside_its_words() {
    let (mut words, mut seeds) = (Guarded::new(17 * 8), Guarded::new(300 * 16));
    let hashes: Vec<Mixed> = (0..300).map(mix).collect();
    for edge in [Edge::Start, Edge::End] {
        for count in 1..=17 * 64_u64 {
            let words = words.place(edge, &[0; 17][..count.div_ceil(64) as usize]);
            for (k, hashes) in [1, 4, 7, 9, 12, 17].into_iter().zip(hashes.chunks(50)) {
                // Lengths around a group of 32, and around the eight that are hashed together.
                let length = 50 - count as usize % 20;
                insert_and_find(words, count, k, seeds.place(edge, &hashes[..length]));
            }
        }
    }
}

#[test]
fn no_kernel_reads_beside_the_bytes_of_bits() {
    let mut memory = Guarded::new(17 * 8);
    for edge in [Edge::Start, Edge::End] {
        for count in (1..=17 * 64_u64).step_by(7) {
            let hashes: Vec<Mixed> = (0..60).map(|hash| mix(count << 32 | hash)).collect();
            for k in [1, 4, 7, 9, 12, 17] {
                let mut bits = clear(count);
                bits.insert_each(prehashed(&hashes[..20]), k);
                let bytes = memory.place(edge, &bytes_of(&bits, 0));
                check_borrowed(&bits, bytes, k, &hashes);
            }
        }
    }
}

/// Out of cache, where `portable::contains` takes its other path.
#[test]
fn no_kernel_reads_or_writes_beside_many_words() {
    let mut words = Guarded::new(8 * FAR.div_ceil(64) as usize);
    // Hashes with a position in the first or the last word, and some others.
    let mut hashes: Vec<Mixed> = (0..4_000_000).map(mix).collect();
    hashes.retain(|hash| {
        let mut words = Positions::new(*hash, FAR, 7).map(|position| position / 64);
        words.any(|word| word == 0 || word == FAR / 64) || hash.hash % 1_000 == 0
    });
    for edge in [Edge::Start, Edge::End] {
        let words = words.place(edge, clear(FAR).words());
        insert_and_find(words, FAR, 7, &hashes);
        let mut bits = clear(FAR);
        bits.words_mut().copy_from_slice(words);
        // SAFETY: the bytes of the words, borrowed as long.
        let bytes =
            unsafe { core::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) };
        if cfg!(target_endian = "little") {
            check_borrowed(&bits, bytes, 7, &hashes);
        }
    }
}
