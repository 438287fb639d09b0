//! Defines the kernels, the functions that test, set or prefetch the cells (bits or counters) of a
//! hash: for single queries, inserts and batches. Each kernel is defined once; on x86-64 it is
//! compiled twice, for AVX2 and BMI2 and without them. `avx512.rs` has one more kernel, for
//! batches.
//!
//! A filter picks its [`Kernels`] when it is created: by the instructions of the machine, by the
//! number of hashes, and by whether the filter is larger than the caches. The filter calls its
//! kernels by pointer, so a query is one call without branches on these three conditions. In the
//! kernels of single hashes, a number of hashes up to 16 is a constant, except where programs
//! should be small ([`UNROLLED`]). The compiler then sees which probes are rotations of a 64-bit
//! state and which start a new state, and overlaps the probes.
//!
//! BMI2 saves 15 % of the time of a query: its multiplication does not need fixed registers, and
//! its shifts and rotations do not change the flags. Single queries use no vectors. With a gather,
//! which loads the words of several probes by one instruction, queries that are independent of each
//! other were as fast as without. Queries that depend on the previous answer took nearly twice as
//! long (18.9 ns from item to answer instead of 10.5, Zen 5).
#![allow(unsafe_code)]
#![allow(clippy::inline_always)]

use super::cell::{Cell, Counter};
use super::view::{ContainsEach, View};
use crate::probe::{Mixed, PROBES_PER_STATE, ProbeSequence, ROTATION, next_state};
use crate::storage::cache::prefetch;
use crate::storage::cpu::Cpu;
use crate::storage::opaque::{predicted, scalar};
use crate::storage::words::Word;

/// A word with one owner, which a kernel may change.
pub(super) type Writable = core::cell::Cell<u64>;

/// A kernel that returns whether no cell of a hash is 0.
pub(super) type Contains<W> = for<'cells> unsafe fn(View<'cells, W>, Mixed, u8) -> bool;

/// Prefetches the words of a hash.
pub(super) type Prefetch<W> = for<'cells> unsafe fn(View<'cells, W>, Mixed, u8);

/// A kernel that sets the bit of each probe of a hash, or adds 1 to the counter of each probe
/// unless the counter is saturated. It returns whether one of these cells was 0.
pub(super) type Insert = for<'cells> unsafe fn(View<'cells, Writable>, Mixed, u8) -> bool;

/// The kernels of a filter. They are safe to call on the machine on which the filter was created,
/// with the words of the filter and with at most as many hashes as the filter has.
pub struct Kernels<W> {
    pub(super) contains: Contains<W>,
    pub(super) contains_each: ContainsEach<W>,
    pub(super) insert: Insert,
    pub(super) prefetch: Prefetch<W>,
    /// Prefetches the words of the first two probes of a hash; for k = 1, of the only probe.
    pub(super) prefetch_two: Prefetch<W>,
}

impl<W> Clone for Kernels<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Kernels<W> {}

/// Whether each kernel of a single hash has a copy for every number of hashes from 1 to 16. In
/// WebAssembly and without an operating system, where programs should be small, the kernels have
/// loops instead, because the copies take 40 KB (x86-64).
const UNROLLED: bool = !cfg!(any(target_family = "wasm", target_os = "none"));

/// Picks the function whose last constant is this number of hashes. If there is none, picks the
/// function with the constant 0, which takes any number of hashes.
macro_rules! by_k {
    ($k:expr, $function:ident $generics:tt) => {
        by_k!($k, $function $generics 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
    ($k:expr, $function:ident $generics:tt $($usual:literal)*) => {
        match $k {
            $($usual if super::UNROLLED => by_k!(@ $function $generics $usual),)*
            _ => by_k!(@ $function $generics 0),
        }
    };
    (@ $function:ident [$($generic:ident)*] $k:literal) => {
        $function::<$($generic,)* $k>
    };
}

/// Defines a module with the kernels compiled for these instructions.
macro_rules! level {
    ($(#[$features:meta])? $level:ident) => {
        mod $level {
            use super::{Cell, Contains, Insert, Kernels, Mixed, Prefetch, View, Word, Writable};

            $(#[$features])?
            fn contains<W: Word, C: Cell, const K: u8>(cells: View<'_, W>, hash: Mixed, k: u8) -> bool {
                super::contains::<W, C, K>(cells, hash, k)
            }

            $(#[$features])?
            fn contains_far<W: Word, C: Cell, const K: u8>(
                cells: View<'_, W>,
                hash: Mixed,
                k: u8,
            ) -> bool {
                super::contains_far::<W, C, K>(cells, hash, k)
            }

            $(#[$features])?
            fn contains_each<W: Word, C: Cell>(
                cells: View<'_, W>,
                hashes: &[Mixed],
                k: u8,
                answers: &mut [bool],
            ) {
                super::contains_each::<W, C>(cells, hashes, k, answers);
            }

            $(#[$features])?
            fn insert<C: Cell, const K: u8>(cells: View<'_, Writable>, hash: Mixed, k: u8) -> bool {
                super::insert::<C, K>(cells, hash, k)
            }

            $(#[$features])?
            fn prefetch<W: Word, C: Cell, const K: u8>(cells: View<'_, W>, hash: Mixed, k: u8) {
                super::prefetch_all::<W, C, K>(cells, hash, k);
            }

            pub(super) fn kernels<W: Word, C: Cell>(k: u8, far: bool) -> Kernels<W> {
                let contains: Contains<W> = if far {
                    by_k!(k, contains_far[W C])
                } else {
                    by_k!(k, contains[W C])
                };
                let insert: Insert = by_k!(k, insert[C]);
                let prefetch_two: Prefetch<W> = by_k!(k.min(2), prefetch[W C] 1 2);
                let prefetch: Prefetch<W> = by_k!(k, prefetch[W C]);
                Kernels { contains, contains_each: contains_each::<W, C>, insert, prefetch, prefetch_two }
            }
        }
    };
}

level!(portable);
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
))]
level!(
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    bmi2
);
#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
)))]
use portable as bmi2;

/// Picks the kernels for `k` hashes. `far` means that the filter is larger than the caches.
pub(super) fn kernels<W: Word, C: Cell>(cpu: Cpu, k: u8, far: bool) -> Kernels<W> {
    let kernels = match cpu.avx2() {
        Some(_) => bmi2::kernels::<W, C>(k, far),
        None => portable::kernels::<W, C>(k, far),
    };
    #[cfg(all(
        target_arch = "x86_64",
        target_feature = "sse2",
        target_pointer_width = "64"
    ))]
    if let Some(contains_each) = super::avx512::chosen::<W, C>(cpu, far) {
        return Kernels {
            contains_each,
            ..kernels
        };
    }
    kernels
}

/// Returns the constant `K`; if this is 0, returns `k`.
#[inline(always)]
fn number<const K: u8>(k: u8) -> u8 {
    if K == 0 { k } else { K }
}

/// Queries a hash in a filter that stays in the caches, without branches: a branch on a cell would
/// often be mispredicted, and cost more than the probes that it saves.
#[inline(always)]
fn contains<W: Word, C: Cell, const K: u8>(cells: View<'_, W>, hash: Mixed, k: u8) -> bool {
    let k = number::<K>(k);
    let (mut probes, mut slots) = (ProbeSequence::new(hash), cells.slots::<C>());
    let mut all = C::START;
    for index in 0..k {
        let (word, shift) = slots.step(index).word::<C>(probes.step());
        all = C::fold(all, word.load() >> shift);
    }
    C::all(all)
}

/// Queries a hash in a filter that is larger than the caches, with branches: after the first cell
/// of 0, no further word need be fetched, and the processor starts the next query before the words
/// of this query arrive.
///
/// If there are more than two probes, the first two share a branch. If half of the bits are set,
/// three of four queries for absent items end at this branch, with one possible misprediction
/// instead of two.
#[inline(always)]
fn contains_far<W: Word, C: Cell, const K: u8>(cells: View<'_, W>, hash: Mixed, k: u8) -> bool {
    let k = number::<K>(k);
    let (mut probes, mut slots) = (ProbeSequence::new(hash), cells.slots::<C>());
    let mut next = |all, index| {
        let (word, shift) = slots.step(index).word::<C>(probes.step());
        C::fold(all, word.load() >> shift)
    };
    let mut index = 0;
    if k > 2 {
        let first = next(C::START, 0);
        if !C::all(next(first, 1)) {
            return false;
        }
        index = 2;
    }
    while index + 1 < k {
        if !C::all(next(C::START, index)) {
            return false;
        }
        index += 1;
    }
    // The answer, too, comes from a branch, so that code that uses the answer does not wait for the
    // last cell.
    predicted(C::all(next(C::START, index)))
}

#[inline(always)]
fn insert<C: Cell, const K: u8>(cells: View<'_, Writable>, hash: Mixed, k: u8) -> bool {
    let k = number::<K>(k);
    let (mut probes, mut slots) = (ProbeSequence::new(hash), cells.slots::<C>());
    let mut all = C::START;
    for index in 0..k {
        let (word, shift) = slots.step(index).word::<C>(probes.step());
        let was = word.get();
        all = C::fold(all, was >> shift);
        word.set(C::put(was, shift));
    }
    !C::all(all)
}

/// The number of hashes that a batch takes together: with four, all states and answers fit in
/// registers.
const TOGETHER: usize = 4;

/// Queries four hashes at a time: the first probe of each hash, then the second probe of each, and
/// so on. Up to three hashes that are left at the end are queried one by one. Queries of four
/// hashes are fast even though there is no copy of the function for every k.
#[inline(always)]
fn contains_each<W: Word, C: Cell>(
    cells: View<'_, W>,
    hashes: &[Mixed],
    k: u8,
    answers: &mut [bool],
) {
    let (chunks, rest) = hashes.as_chunks::<TOGETHER>();
    let (places, last) = answers.as_chunks_mut::<TOGETHER>();
    for (hashes, answers) in chunks.iter().zip(places) {
        let mut slots = cells.slots::<C>();
        let mut probes = hashes.map(Mixed::first_state);
        let mut all = [C::START; TOGETHER];
        for index in 0..k {
            if index > 0 && index.is_multiple_of(PROBES_PER_STATE) {
                // A state gives four probes, and the fourth rotation has brought back the first of
                // them. One rotation back is the fourth probe, from which the next state follows.
                for (probe, hash) in probes.iter_mut().zip(hashes) {
                    *probe = next_state(probe.rotate_right(ROTATION), hash.hash);
                }
            }
            let slot = slots.step(index);
            for (all, probe) in all.iter_mut().zip(&mut probes) {
                let (word, shift) = slot.word::<C>(*probe);
                // Without `scalar`, the compiler would collect the words of the four hashes in a
                // vector, which is slower.
                *all = C::fold(*all, scalar(word.load() >> shift));
                *probe = probe.rotate_left(ROTATION);
            }
        }
        *answers = all.map(C::all);
    }
    for (hash, answer) in rest.iter().zip(last) {
        *answer = contains::<W, C, 0>(cells, *hash, k);
    }
}

/// Prefetches the words of a hash.
#[inline(always)]
fn prefetch_all<W: Word, C: Cell, const K: u8>(cells: View<'_, W>, hash: Mixed, k: u8) {
    let k = number::<K>(k);
    let (mut probes, mut slots) = (ProbeSequence::new(hash), cells.slots::<C>());
    for index in 0..k {
        prefetch(slots.step(index).word::<C>(probes.step()).0);
    }
}

/// For each probe, subtracts one from its counter unless the counter is saturated; then returns
/// `true`. If a counter that is not saturated is smaller than the number of probes that fall on it,
/// the function changes nothing and returns `false`.
pub(super) fn remove<const BITS: u64>(cells: View<'_, Writable>, hash: Mixed, k: u8) -> bool {
    let highest = (1 << BITS) - 1;
    let (mut probes, mut slots) = (ProbeSequence::new(hash), cells.slots::<Counter<BITS>>());
    for index in 0..k {
        let (word, shift) = slots.step(index).word::<Counter<BITS>>(probes.step());
        match word.get() >> shift & highest {
            0 => {
                // The counter was 0, or earlier probes of the hash lowered it to 0. What these
                // probes subtracted is added again.
                insert::<Counter<BITS>, 0>(cells, hash, index);
                return false;
            }
            value if value == highest => {}
            _ => word.set(word.get() - (1 << shift)),
        }
    }
    true
}
