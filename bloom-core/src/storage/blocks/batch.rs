//! Many hashes in a row, with any kernel.
//!
//! In the caches one after the other. Beyond them a group of hashes is found and its lines are fetched while the
//! group before is looked at, whose lines have come meanwhile.
#![allow(unsafe_code)]
// Everything is compiled for the instructions of the kernel, as part of `Avx2::run` and `Avx512::run`: a
// function that the compiler left out of line would be compiled for every machine.
#![allow(clippy::inline_always)]

use core::mem::swap;

use super::line::{Kernel, Line, find, find_mut};
use crate::probe::BlockProbe;
use crate::storage::batch::{Hashes, PREFETCHES, prefetch};

/// Up to so many lines, half a megabyte, stay in the second-level cache: fetching them early gains nothing.
pub(super) const NEAR: usize = 8_192;

/// How many hashes, of one line each, are a group.
const GROUP: usize = 128;

/// The probes of a group.
struct Group {
    probes: [BlockProbe; GROUP],
    /// How many there are; those after them are left from before.
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

    /// Finds the next hashes among the lines, of which there must be one, and fetches their lines early.
    #[inline(always)]
    fn find(&mut self, lines: &[Line], hashes: &mut impl Hashes, group: &mut [u64; GROUP]) {
        self.count = hashes.next_group(group);
        for (probe, hash) in self.probes.iter_mut().zip(&group[..self.count]) {
            *probe = BlockProbe::new(*hash, lines.len() as u64);
            // SAFETY: as in `line::find`.
            prefetch(unsafe { lines.get_unchecked(probe.block as usize) });
        }
    }

    #[inline(always)]
    fn probes(&self) -> &[BlockProbe] {
        &self.probes[..self.count]
    }
}

/// Inserts every hash in turn into the lines, of which there must be one; returns how many were new.
#[inline(always)]
pub(super) fn insert_each(kernel: impl Kernel, lines: &mut [Line], mut hashes: impl Hashes) -> u64 {
    let mut new = 0;
    if lines.len() <= NEAR || !PREFETCHES {
        for hash in hashes.one_by_one() {
            let (line, lanes) = find_mut(lines, hash);
            new += u64::from(kernel.insert(line, lanes));
        }
        return new;
    }
    let mut group = [0; GROUP];
    let (mut now, mut next) = (&mut Group::new(), &mut Group::new());
    now.find(lines, &mut hashes, &mut group);
    while now.count > 0 {
        next.find(lines, &mut hashes, &mut group);
        for probe in now.probes() {
            // SAFETY: the probe was found among these lines.
            let line = unsafe { lines.get_unchecked_mut(probe.block as usize) };
            new += u64::from(kernel.insert(line, probe.lanes));
        }
        swap(&mut now, &mut next);
    }
    new
}

/// Looks for every hash in turn among the lines, of which there must be one: as many as there are
/// `answers`.
#[inline(always)]
pub(super) fn contains_each(
    kernel: impl Kernel,
    lines: &[Line],
    mut hashes: impl Hashes,
    mut answers: &mut [bool],
) {
    if lines.len() <= NEAR || !PREFETCHES {
        for (hash, answer) in hashes.one_by_one().zip(answers) {
            let (line, lanes) = find(lines, hash);
            *answer = kernel.contains(line, lanes);
        }
        return;
    }
    let mut group = [0; GROUP];
    let (mut now, mut next) = (&mut Group::new(), &mut Group::new());
    now.find(lines, &mut hashes, &mut group);
    while now.count > 0 {
        next.find(lines, &mut hashes, &mut group);
        let (these, later) = answers.split_at_mut(now.count);
        for (probe, answer) in now.probes().iter().zip(these) {
            // SAFETY: the probe was found among these lines.
            let line = unsafe { lines.get_unchecked(probe.block as usize) };
            *answer = kernel.contains(line, probe.lanes);
        }
        answers = later;
        swap(&mut now, &mut next);
    }
}
