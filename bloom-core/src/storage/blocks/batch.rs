//! Batches of hashes among blocks, with any kernel.
//!
//! In cache the hashes are taken one after the other. Out of cache the lines of the next group are prefetched while the
//! kernel works on the current group, whose lines have arrived meanwhile.
#![allow(unsafe_code)]
// Everything is inlined into `Avx2::run` and `Avx512::run`, and so compiled for the instructions of the kernel: a
// function that the compiler left out of line would be compiled without them.
#![allow(clippy::inline_always)]

use core::mem::swap;

use super::view::{AnyBlock, BlocksMut, BlocksView, Kernel};
use crate::probe::{BlockProbe, Mixed};
use crate::storage::batch::{GROUP, Hashes};

/// The probes of a group.
struct Group {
    probes: [BlockProbe; GROUP],
    /// The number of valid probes; those after them are left from an earlier group.
    count: usize,
}

impl Group {
    #[inline]
    fn new() -> Self {
        Self {
            probes: [BlockProbe::default(); GROUP],
            count: 0,
        }
    }

    /// Computes the probes of the next hashes, and prefetches their lines.
    #[inline(always)]
    fn find<L: AnyBlock>(
        &mut self,
        blocks: BlocksView<'_, L>,
        hashes: &mut impl Hashes,
        group: &mut [Mixed; GROUP],
    ) {
        self.count = hashes.next_group(group);
        for (probe, hash) in self.probes.iter_mut().zip(&group[..self.count]) {
            *probe = blocks.find(*hash);
            // SAFETY: just found.
            unsafe { blocks.line(probe.block) }.prefetch();
        }
    }

    #[inline(always)]
    fn probes(&self) -> &[BlockProbe] {
        &self.probes[..self.count]
    }
}

/// Inserts every hash in turn; returns how many were new.
#[inline(always)]
pub(super) fn insert_each(
    kernel: impl Kernel,
    mut blocks: BlocksMut<'_>,
    mut hashes: impl Hashes,
) -> u64 {
    let mut new = 0;
    if !blocks.view().prefetches() {
        for hash in hashes.one_by_one() {
            new += u64::from(blocks.insert(kernel, hash));
        }
        return new;
    }
    let mut group = [Mixed::default(); GROUP];
    let (mut now, mut next) = (&mut Group::new(), &mut Group::new());
    now.find(blocks.view(), &mut hashes, &mut group);
    while now.count > 0 {
        next.find(blocks.view(), &mut hashes, &mut group);
        for probe in now.probes() {
            // SAFETY: found among these blocks.
            new += u64::from(kernel.insert(unsafe { blocks.line(probe.block) }, probe.lanes));
        }
        swap(&mut now, &mut next);
    }
    new
}

/// Queries every hash in turn; there is one place in `answers` for each.
#[inline(always)]
pub(super) fn contains_each<L: AnyBlock>(
    kernel: impl Kernel,
    blocks: BlocksView<'_, L>,
    mut hashes: impl Hashes,
    mut answers: &mut [bool],
) {
    if !blocks.prefetches() {
        for (hash, answer) in hashes.one_by_one().zip(answers) {
            *answer = blocks.contains(kernel, hash);
        }
        return;
    }
    let mut group = [Mixed::default(); GROUP];
    let (mut now, mut next) = (&mut Group::new(), &mut Group::new());
    now.find(blocks, &mut hashes, &mut group);
    while now.count > 0 {
        next.find(blocks, &mut hashes, &mut group);
        let (these, later) = answers.split_at_mut(now.count);
        for (probe, answer) in now.probes().iter().zip(these) {
            // SAFETY: found among these blocks.
            *answer = kernel.contains(unsafe { blocks.line(probe.block) }, probe.lanes);
        }
        answers = later;
        swap(&mut now, &mut next);
    }
}
