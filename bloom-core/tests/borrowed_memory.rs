//! Tests the memory that a filter reads and allocates. A filter that is queried in the bytes of its file, even of a cut or
//! changed one, reads nothing outside these bytes and allocates nothing. A filter that is loaded by `read_from` allocates at
//! most a tenth more than its own memory. A scalable filter allocates nothing for a stage (one of its Bloom filters) that
//! exceeds its limit.
//!
//! This is a program of its own, because it counts the allocations of the whole program.

#![cfg(unix)]
#![allow(unsafe_code)]

use std::alloc::System;
use std::hint::black_box;
use std::io::Read;

use bloom_core::{
    BlockedBloomFilter, BlockedBloomFilterRef, BloomFilter, BloomFilterRef, ScalableBloomFilter,
    ScalableShape,
};
use bloom_testing::in_child;
use memmap2::MmapMut;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

// Only the tests in `suite` use all of this module.
#[allow(dead_code)]
#[path = "suite/forged.rs"]
mod forged;

use forged::{PAYLOAD, put, repair_checksum};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Memory between two pages that cannot be read: a read just outside the memory kills the process with SIGSEGV.
struct Guarded {
    pages: MmapMut,
    page: usize,
}

impl Guarded {
    fn new(bytes: usize) -> Self {
        // SAFETY: the call only reads a setting.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap();
        let pages = MmapMut::map_anon(bytes.next_multiple_of(page) + 2 * page).unwrap();
        for guard in [0, pages.len() - page] {
            // SAFETY: the page is part of the mapping, and nothing accesses this page from here on.
            let refused = unsafe {
                let guard = pages.as_ptr().add(guard).cast_mut().cast();
                libc::mprotect(guard, page, libc::PROT_NONE)
            };
            assert_eq!(refused, 0);
        }
        Self { pages, page }
    }

    /// Copies bytes to the start of the memory, or to its end, and returns the copy.
    fn place(&mut self, bytes: &[u8], at_end: bool) -> &[u8] {
        let end = self.pages.len() - self.page;
        let start = if at_end { end - bytes.len() } else { self.page };
        let place = &mut self.pages[start..][..bytes.len()];
        place.copy_from_slice(bytes);
        place
    }
}

/// Opens, verifies and queries the bytes as a standard and as a blocked filter; returns how many of the two could be opened.
fn open_and_query(bytes: &[u8], hashes: &[u64; 200]) -> usize {
    let mut answers = [false; 200];
    let mut opened = 0;
    macro_rules! check {
        ($borrowed:ident) => {
            _ = black_box($borrowed::<u64>::open_verified(bytes).is_ok());
            if let Ok(filter) = $borrowed::<u64>::open(bytes) {
                opened += 1;
                _ = black_box(filter.verify_checksum());
                filter.contains_hashes_into(hashes, &mut answers).unwrap();
                assert!(
                    hashes
                        .iter()
                        .zip(answers)
                        .all(|(hash, answer)| filter.contains_hash(*hash) == answer)
                );
                assert!((0.0..=1.0).contains(&filter.fill()));
                assert!((0.0..=1.0).contains(&filter.false_positive_rate()));
                _ = black_box((filter.is_empty(), filter.estimated_items().is_ok()));
            }
        };
    }
    check!(BloomFilterRef);
    check!(BlockedBloomFilterRef);
    opened
}

/// Calls `pass` with the file whole, cut to each shorter length, with each bit flipped, with each word replaced by each of
/// several extreme values, and with wrong sizes in the header. Each changed file that is not cut is passed a second time, with
/// checksums that match the change.
fn each_variant(file: &[u8], mut pass: impl FnMut(&[u8])) {
    pass(file);
    (0..file.len()).for_each(|length| pass(&file[..length]));
    let mut both = |mut changed: Vec<u8>| {
        pass(&changed);
        repair_checksum(&mut changed);
        pass(&changed);
    };
    for bit in 0..8 * file.len() {
        let mut changed = file.to_vec();
        changed[bit / 8] ^= 1 << (bit % 8);
        both(changed);
    }
    for word in 0..file.len() / 8 {
        for value in [0, 1, 64, 1 << 32, 1 << 54, 1 << 63, u64::MAX] {
            let mut changed = file.to_vec();
            put(&mut changed, 8 * word, value);
            both(changed);
        }
    }
    // Two fields of the header: the size of the filter and the number of words after the header. In most of these pairs, the
    // size (in bits or in blocks) agrees with the number of words, but the length of the file agrees with neither.
    for (size, words) in [
        (64, 1),
        (64, 8),
        (1, 8),
        (2, 16),
        (u64::MAX, 1 << 61),
        (1 << 58, 1 << 61),
    ] {
        let mut changed = file.to_vec();
        put(&mut changed, 16, size);
        put(&mut changed, 24, words);
        both(changed);
    }
}

#[test]
fn no_file_makes_a_query_read_outside_it_or_allocate() {
    in_child(|| {
        let mut bits = BloomFilter::<u64>::with_rate(60, 0.01).unwrap();
        bits.extend(0..60);
        let mut blocks = BlockedBloomFilter::<u64>::with_rate(60, 0.01).unwrap();
        blocks.extend(0..60);
        let mut memory = Guarded::new(4_096);
        // Most of the hashes are random, but 0 and `u64::MAX` select the first and the last block.
        let mut hashes: [u64; 200] = std::array::from_fn(|hash| bits.hash_of(&(hash as u64)));
        hashes[..2].copy_from_slice(&[0, u64::MAX]);
        for file in [bits.to_bytes().unwrap(), blocks.to_bytes().unwrap()] {
            let (mut variants, mut opened) = (0, 0);
            each_variant(&file, |bytes| {
                for at_end in [false, true] {
                    let bytes = memory.place(bytes, at_end);
                    // The thread of the test runner may allocate at the same time, but not during each of five tries.
                    let without = (0..5).find_map(|_| {
                        let region = Region::new(ALLOCATOR);
                        let opened = open_and_query(bytes, &hashes);
                        let change = region.change();
                        (change.allocations + change.reallocations == 0).then_some(opened)
                    });
                    opened += without.expect("opening and querying allocate nothing");
                    variants += 1;
                }
            });
            assert!(file.len() > PAYLOAD && variants > 5_000, "{variants}");
            // The unchanged file opens, and so does every changed file in which only bits of the filter differ.
            assert!(opened > 500, "{opened} of {variants}");
        }
    });
}

#[test]
fn reading_a_filter_piece_by_piece_allocates_at_most_a_tenth_more_than_the_filter() {
    macro_rules! check {
        ($filter:ident, $expected:expr) => {{
            let mut saved = $filter::<u64>::with_rate($expected, 0.01).unwrap();
            let items: Vec<u64> = (0..200_000).collect();
            _ = saved.insert_many(&items);
            let file = saved.to_bytes().unwrap();
            let mut source = &file[..];
            let region = Region::new(ALLOCATOR);
            let read = $filter::<u64>::read_from(|bytes| source.read_exact(bytes)).unwrap();
            let allocated = region.change().bytes_allocated as u64;
            assert!(read == saved);
            let own = saved.memory_bytes();
            assert!(own > 200_000, "{own} bytes");
            assert!(allocated <= own + own / 10, "{allocated} bytes for {own}");
        }};
    }
    in_child(|| {
        check!(BloomFilter, 200_000);
        check!(ScalableBloomFilter, 1_000);
    });
}

#[test]
fn a_stage_beyond_the_limit_of_its_filter_takes_no_memory() {
    in_child(|| {
        let shape = ScalableShape::new(200_000, 0.01).unwrap();
        let shape = shape.with_max_bytes(1 << 30).unwrap();
        let filter = ScalableBloomFilter::<u64>::new(shape).unwrap();
        let mut file = filter.to_bytes().unwrap();
        put(&mut file, 104, filter.memory_bytes() - 1);
        repair_checksum(&mut file);
        let mut source = &file[..];
        let region = Region::new(ALLOCATOR);
        let read = ScalableBloomFilter::<u64>::read_from(|bytes| source.read_exact(bytes));
        let allocated = region.change().bytes_allocated;
        assert!(read.is_err());
        // The stage alone would take about 340,000 bytes.
        assert!(allocated < 100_000, "{allocated} bytes");
    });
}
