//! The hashes of items in a row, one by one or a group of them at once.
#![allow(unsafe_code)]
// Where it says so, code is to be compiled with the instructions of its caller.
#![allow(clippy::inline_always)]

use super::groups::fetch_at;

/// So many items are hashed by straight code.
const EIGHT: usize = 8;

/// Bytes that are fetched at once.
const LINE_BYTES: usize = 64;

/// Hashes in turn, to be had one by one or many at once.
pub(crate) trait Hashes {
    /// Returns how many are left.
    fn left(&self) -> usize;

    /// Returns those that are left.
    fn one_by_one(self) -> impl Iterator<Item = u64>;

    /// Fills `group`, which has a place, with the next, and returns how many they are; `None` after the
    /// last.
    fn next_group(&mut self, group: &mut [u64]) -> Option<usize>;
}

/// Returns the hashes of items in a row.
#[inline]
pub(crate) fn hashes_of<Q>(items: &[Q], hash: impl Fn(&Q) -> u64) -> impl Hashes {
    HashesOf { items, hash }
}

/// Returns hashes that are there already.
#[inline]
pub(crate) fn ready(hashes: &[u64]) -> impl Hashes {
    hashes_of(hashes, |hash| *hash)
}

struct HashesOf<'items, Q, H> {
    items: &'items [Q],
    hash: H,
}

impl<Q, H: Fn(&Q) -> u64> Hashes for HashesOf<'_, Q, H> {
    #[inline]
    fn left(&self) -> usize {
        self.items.len()
    }

    #[inline]
    fn one_by_one(self) -> impl Iterator<Item = u64> {
        self.items.iter().map(self.hash)
    }

    #[inline]
    fn next_group(&mut self, group: &mut [u64]) -> Option<usize> {
        // The next group is a group ahead.
        let ahead = group.len();
        let (now, later) = self.items.split_at(self.items.len().min(ahead));
        self.items = later;
        let (eights, rest) = now.as_chunks::<EIGHT>();
        let (places, _) = group.as_chunks_mut::<EIGHT>();
        for (places, items) in places.iter_mut().zip(eights) {
            fetch_items(items.as_ptr().wrapping_add(ahead));
            for (place, item) in places.iter_mut().zip(items) {
                *place = alone((self.hash)(item));
            }
        }
        let places = &mut group[EIGHT * eights.len()..];
        for (place, item) in places.iter_mut().zip(rest) {
            *place = (self.hash)(item);
        }
        (!now.is_empty()).then_some(now.len())
    }
}

/// Asks for the eight items from this address on, of large ones for the first lines; there need not be any.
/// What comes in a row the processor asks for itself, but not always beside the lines of a filter.
#[inline]
fn fetch_items<Q>(address: *const Q) {
    let lines = (EIGHT * size_of::<Q>()).div_ceil(LINE_BYTES).min(4);
    for line in 0..lines {
        fetch_at(address.cast::<u8>().wrapping_add(line * LINE_BYTES));
    }
}

/// Keeps the compiler from hashing several items in one vector: it takes each out for its multiplication and
/// puts it back, which takes longer than hashing it.
#[inline(always)]
fn alone(hash: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", not(miri), not(bloom_vectors = "none")))]
    // SAFETY: no instruction.
    unsafe {
        core::arch::asm!("/* {} */", in(reg) hash, options(nomem, nostack, preserves_flags));
    }
    hash
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::probe::mix;

    /// Every hash comes once and in turn, by groups, one by one, and one by one after a group.
    fn come_in_turn<Q>(items: &[Q], hash: impl Fn(&Q) -> u64 + Copy) {
        let all: Vec<u64> = items.iter().map(hash).collect();
        assert!(hashes_of(items, hash).one_by_one().eq(all.iter().copied()));
        for size in [1, 7, 8, 9, 32, 128] {
            let (mut hashes, mut group) = (hashes_of(items, hash), [!0; 128]);
            assert_eq!(hashes.left(), items.len());
            let mut found = Vec::new();
            while let Some(count) = hashes.next_group(&mut group[..size]) {
                assert!((1..=size).contains(&count));
                found.extend_from_slice(&group[..count]);
            }
            assert_eq!(found, all, "{} items by {size}", items.len());
            assert_eq!(hashes.one_by_one().next(), None);
            let mut hashes = hashes_of(items, hash);
            let first = hashes.next_group(&mut group[..size]).unwrap_or(0);
            assert_eq!(hashes.left(), items.len() - first);
            assert!(hashes.one_by_one().eq(all[first..].iter().copied()));
            assert!(group[size..].iter().all(|place| *place == !0));
        }
    }

    #[test]
    fn groups_are_the_hashes_in_turn() {
        for count in (0..40).chain([127, 128, 129, 300]) {
            let words: Vec<u64> = (0..count).map(mix).collect();
            come_in_turn(&words, |word| *word);
            let large: Vec<[u64; 40]> = words.iter().map(|word| [*word; 40]).collect();
            come_in_turn(&large, |item| item[39]);
            let bytes: Vec<u8> = (0..count).map(|index| index as u8).collect();
            come_in_turn(&bytes, |byte| mix(u64::from(*byte)));
            let nothing: Vec<()> = (0..count).map(|_| ()).collect();
            come_in_turn(&nothing, |()| 5);
        }
    }
}
