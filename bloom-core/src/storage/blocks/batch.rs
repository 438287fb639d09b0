//! Inserts and queries batches of hashes in the blocks of a blocked filter. The kernel, which sets
//! or tests the bits of one hash, is a parameter.
//!
//! If the blocks stay in the caches, the hashes are taken one after the other. If the blocks are
//! larger than the caches, the cache lines of the next group of hashes are prefetched while the
//! kernel works on the current group, whose lines were prefetched before.
// Everything is inlined into `Avx2::run` and `Avx512::run`, and so compiled for AVX2 or AVX-512: a
// function that the compiler left out of line would be compiled without these instructions.
#![allow(clippy::inline_always)]

use core::mem::swap;

use super::view::{AnyBlock, BlocksMut, BlocksView, Kernel};
use crate::probe::Mixed;
use crate::storage::batch::{GROUP, Hashes};

/// Reads the next hashes into `group`, prefetches their cache lines, and returns the number of
/// hashes.
#[inline(always)]
fn prefetch_next<L: AnyBlock>(
    blocks: BlocksView<'_, L>,
    hashes: &mut impl Hashes,
    group: &mut [Mixed; GROUP],
) -> usize {
    let count = hashes.next_group(group);
    group[..count]
        .iter()
        .for_each(|hash| blocks.prefetch(*hash));
    count
}

/// Inserts every hash in turn, and returns how many of the inserts set a clear bit.
#[inline(always)]
pub(super) fn insert_each(
    kernel: impl Kernel,
    mut blocks: BlocksMut<'_>,
    mut hashes: impl Hashes,
) -> u64 {
    let mut new = 0;
    if !blocks.view().prefetches() {
        for hash in hashes.one_by_one() {
            new += u64::from(kernel.insert(blocks.again(), hash));
        }
        return new;
    }
    let (mut now, mut next) = (
        &mut [Mixed::default(); GROUP],
        &mut [Mixed::default(); GROUP],
    );
    let mut count = prefetch_next(blocks.view(), &mut hashes, now);
    while count > 0 {
        let later = prefetch_next(blocks.view(), &mut hashes, next);
        for hash in &now[..count] {
            new += u64::from(kernel.insert(blocks.again(), *hash));
        }
        swap(&mut now, &mut next);
        count = later;
    }
    new
}

/// Queries every hash in turn, and writes each answer to the next place of `answers`.
#[inline(always)]
pub(super) fn contains_each<L: AnyBlock>(
    kernel: impl Kernel,
    blocks: BlocksView<'_, L>,
    mut hashes: impl Hashes,
    mut answers: &mut [bool],
) {
    if !blocks.prefetches() {
        for (hash, answer) in hashes.one_by_one().zip(answers) {
            *answer = kernel.contains(blocks, hash);
        }
        return;
    }
    let (mut now, mut next) = (
        &mut [Mixed::default(); GROUP],
        &mut [Mixed::default(); GROUP],
    );
    let mut count = prefetch_next(blocks, &mut hashes, now);
    while count > 0 {
        let later = prefetch_next(blocks, &mut hashes, next);
        let (these, rest) = answers.split_at_mut(count);
        for (hash, answer) in now.iter().zip(these) {
            *answer = kernel.contains(blocks, *hash);
        }
        answers = rest;
        swap(&mut now, &mut next);
        count = later;
    }
}
