//! Helpers for the tests of kernels, the functions that set and test bits: the levels (sets of
//! instructions) of this machine, memory between unreadable pages, a caller that uses vector
//! registers itself, threads that insert at the same time, and memory that must not be written.
#![allow(unsafe_code)]

use alloc::vec::Vec;
use core::fmt::Debug;
#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
#[cfg(all(unix, not(miri)))]
use core::{mem::size_of_val, ptr, slice};
#[cfg(target_has_atomic = "64")]
use std::time::{Duration, Instant};

use lack::{Need, has};

use crate::probe::{self, Mixed};
use crate::quality::HashQuality;
use crate::storage::batch::{Hashes, hashes_of as hashes_of_items};
use crate::storage::cpu::{Avx2, Avx512, Cpu};
use crate::storage::{AnyBlock, Blocks, Cells, Layout, Store, Word};

// Parts of these two modules are not used in this crate. The crate `bloom-testing`, which has the
// same files, uses all of them.
#[allow(dead_code, unreachable_pub)]
pub(in crate::storage) mod child;
#[allow(dead_code, unreachable_pub)]
mod lack;

/// Returns every level that this machine has, with the name of the level. AVX-512 is returned
/// twice: with single loads of words and with gathers, which load eight words by one instruction.
/// Reports once which levels are not tested because the machine does not have them.
pub(super) fn levels() -> Vec<(&'static str, Cpu)> {
    static LEVELS: std::sync::OnceLock<Vec<(&'static str, Cpu)>> = std::sync::OnceLock::new();
    // A disabled level is not reported. Under Miri, the flags of Miri decide which levels there are.
    let may_lack = cfg!(all(target_arch = "x86_64", not(miri)));
    let has = |disabled, need, what| disabled || !may_lack || has(need, what);
    let find = || {
        let mut levels = alloc::vec![("portable", Cpu::Portable)];
        let disabled = cfg!(bloom_vectors = "none");
        if has(disabled, Need::Avx2, "the kernels of storage for AVX2") {
            levels.extend(Avx2::detect().map(|avx2| ("AVX2", Cpu::Avx2(avx2))));
        }
        let disabled = disabled || cfg!(bloom_vectors = "avx2");
        if has(disabled, Need::Avx512, "the kernels of storage for AVX-512")
            && let Some(avx512) = Avx512::detect()
        {
            for (name, gathers) in [("AVX-512", false), ("AVX-512, gathered", true)] {
                levels.push((name, Cpu::Avx512(avx512.with_gathers(gathers))));
            }
        }
        levels
    };
    LEVELS.get_or_init(find).clone()
}

/// Blocks or cells, which answer single queries and batches.
pub(super) trait Answers {
    fn contains(&self, hash: Mixed) -> bool;
    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]);
}

impl<B: Store<Item: AnyBlock>> Answers for Blocks<B> {
    fn contains(&self, hash: Mixed) -> bool {
        self.contains(hash)
    }

    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        self.contains_each(hashes, answers);
    }
}

impl<L: Layout, W: Store<Item: Word>> Answers for Cells<L, W> {
    fn contains(&self, hash: Mixed) -> bool {
        self.contains(hash)
    }

    fn contains_each(&self, hashes: impl Hashes, answers: &mut [bool]) {
        self.contains_each(hashes, answers);
    }
}

/// Compares the answers of single queries and of a batch with the answers of `by_definition`.
#[track_caller]
pub(super) fn check_answers(
    what: impl Debug,
    filter: &impl Answers,
    queried: &[Mixed],
    by_definition: impl Fn(Mixed) -> bool,
) {
    let expected: Vec<bool> = queried.iter().map(|hash| by_definition(*hash)).collect();
    let singly = queried.iter().map(|hash| filter.contains(*hash));
    assert!(singly.eq(expected.iter().copied()), "{what:?}");
    let mut answers: Vec<bool> = expected.iter().map(|answer| !answer).collect();
    filter.contains_each(prehashed(queried), &mut answers);
    assert_eq!(answers, expected, "{what:?}");
}

/// The end of [`Guarded`] memory at which values are placed, next to an unreadable page.
#[cfg(all(unix, not(miri)))]
#[derive(Debug, Clone, Copy)]
pub(super) enum Edge {
    Start,
    End,
}

/// Memory between two pages that can be neither read nor written.
///
/// A kernel that reads or writes a byte beyond the edge at which its slice was placed kills its process with SIGSEGV.
/// Tests with such memory run [in a child](child::in_child), so that the failed test is reported.
#[cfg(all(unix, not(miri)))]
pub(super) struct Guarded {
    pages: *mut u8,
    page_bytes: usize,
    /// The bytes between the two pages.
    bytes: usize,
}

#[cfg(all(unix, not(miri)))]
impl Guarded {
    /// Maps at least `bytes` bytes between two unreadable pages.
    pub(super) fn new(bytes: usize) -> Self {
        // SAFETY: the call only reads a setting.
        let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page_bytes = usize::try_from(page_bytes).expect("the system has pages");
        let bytes = bytes.next_multiple_of(page_bytes);
        // SAFETY: a new mapping, whose middle becomes readable and writable.
        unsafe {
            let pages = libc::mmap(
                ptr::null_mut(),
                bytes + 2 * page_bytes,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANON,
                -1,
                0,
            );
            assert_ne!(pages, libc::MAP_FAILED, "mmap failed");
            let pages = pages.cast::<u8>();
            let middle = pages.add(page_bytes).cast();
            let readable = libc::PROT_READ | libc::PROT_WRITE;
            assert_eq!(libc::mprotect(middle, bytes, readable), 0);
            Self {
                pages,
                page_bytes,
                bytes,
            }
        }
    }

    /// Copies `values` so that they adjoin the unreadable page at `edge`.
    pub(super) fn place<T: Copy>(&mut self, edge: Edge, values: &[T]) -> &mut [T] {
        let bytes = size_of_val(values);
        assert!(bytes <= self.bytes);
        let offset = match edge {
            Edge::Start => 0,
            Edge::End => self.bytes - bytes,
        };
        // SAFETY: the `bytes` bytes from `place` on are writable, and are borrowed with `self`.
        unsafe {
            let place = self.pages.add(self.page_bytes + offset).cast::<T>();
            assert!(place.is_aligned());
            place.copy_from_nonoverlapping(values.as_ptr(), values.len());
            slice::from_raw_parts_mut(place, values.len())
        }
    }
}

#[cfg(all(unix, not(miri)))]
impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: this is the mapping of `new`, and nobody borrows it any more.
        unsafe { libc::munmap(self.pages.cast(), self.bytes + 2 * self.page_bytes) };
    }
}

/// The test reads each byte through `write(2)`: if the byte is unreadable, the system returns an
/// error, whereas a plain read would kill the program.
#[cfg(all(unix, not(miri)))]
#[test]
fn the_bytes_next_to_guarded_memory_cannot_be_read() {
    let mut guarded = Guarded::new(1);
    for edge in [Edge::Start, Edge::End] {
        let words = guarded.place(edge, &[1_u64, 2]).as_ptr_range();
        let (inside, outside) = match edge {
            Edge::Start => (words.start.cast(), words.start.cast::<u8>().wrapping_sub(1)),
            Edge::End => (words.end.cast::<u8>().wrapping_sub(1), words.end.cast()),
        };
        let mut pipe = [0; 2];
        // SAFETY: two numbers are written to `pipe`.
        assert_eq!(unsafe { libc::pipe(pipe.as_mut_ptr()) }, 0);
        // SAFETY: the system checks that the byte can be read.
        let read = |byte: *const u8| unsafe { libc::write(pipe[1], byte.cast(), 1) };
        assert_eq!(read(inside), 1, "{edge:?}");
        assert_eq!(read(outside), -1, "{edge:?}");
        for end in pipe {
            // SAFETY: the end was opened above.
            assert_eq!(unsafe { libc::close(end) }, 0);
        }
    }
}

/// Runs a kernel while the caller has live values in some vector and mask registers, and checks
/// that the values survive. The kernels of blocks clobber most of these registers, and a caller
/// that is compiled for AVX-512 may have values in them.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    target_pointer_width = "64"
))]
#[target_feature(enable = "avx2,bmi2,popcnt,avx512f,avx512dq,avx512bw,avx512vl")]
#[inline]
pub(super) fn with_own_registers<R>(kernel: impl FnOnce() -> R) -> R {
    use core::arch::asm;
    use core::arch::x86_64::{_mm512_cmpeq_epi64_mask, _mm512_set1_epi64};

    let [mut a, mut b, mut c, mut d, mut e] = [1, 2, 3, 4, 5].map(|word| _mm512_set1_epi64(word));
    let (mut k, mut l) = (0x5a_u8, 0xa5_u8);
    // SAFETY: no instruction.
    unsafe {
        asm!("", inout("zmm16") a, inout("zmm17") b, inout("zmm18") c, inout("zmm0") d, inout("zmm5") e,
            inout("k1") k, inout("k2") l);
    }
    let result = kernel();
    // SAFETY: no instruction.
    unsafe {
        asm!("", inout("zmm16") a, inout("zmm17") b, inout("zmm18") c, inout("zmm0") d, inout("zmm5") e,
            inout("k1") k, inout("k2") l);
    }
    for (vector, word) in [a, b, c, d, e].into_iter().zip(1..) {
        let kept = _mm512_cmpeq_epi64_mask(vector, _mm512_set1_epi64(word));
        assert_eq!(kept, 0xff, "vector {word}");
    }
    assert_eq!((k, l), (0x5a, 0xa5));
    result
}

/// Returns a pseudorandom hash.
pub(super) fn mix(number: u64) -> Mixed {
    any(probe::mix(number))
}

/// Returns `hash`, folded twice, as filters do if nothing is promised about the hashes.
pub(super) fn any(hash: u64) -> Mixed {
    Mixed::new(hash, HashQuality::Any)
}

/// Returns hashes as the input of a batch.
pub(super) fn prehashed(hashes: &[Mixed]) -> impl Hashes {
    hashes_of_items(hashes, |hash| *hash)
}

/// The number of threads in [`meet`]. On a machine with two processors, a third thread would wait
/// for a processor.
#[cfg(target_has_atomic = "64")]
const THREADS: u64 = 2;

/// The maximum number of rounds of [`meet`]. On a busy machine, the threads seldom run at the same
/// time, so they also stop when the time [`MEET`] is over. When inserts used instructions that can
/// lose bits, the tests failed in each of ten runs, whichever of these two limits ended a run.
#[cfg(target_has_atomic = "64")]
pub(super) const ROUNDS: u64 = if cfg!(miri) { 6 } else { 40_000 };

#[cfg(target_has_atomic = "64")]
const MEET: Duration = Duration::from_secs(1);

/// Returns the hashes that a thread inserts in a round. The last of these hashes is also inserted
/// by the other thread.
#[cfg(target_has_atomic = "64")]
fn hashes_of(round: u64, thread: u64) -> [Mixed; 8] {
    core::array::from_fn(|index| match index {
        7 => mix(round << 8),
        _ => mix(round << 8 | (thread + 1) << 4 | index as u64),
    })
}

/// Calls `insert` in two threads for every round, with the round, the thread and the hashes of the
/// thread. `insert` returns whether it finds these hashes after it inserted them. The function
/// returns how many rounds both threads finished.
///
/// The threads live for all rounds and wait for each other by a counter before each round, so that
/// they insert at the same time. A thread that was started or woken for each round would begin its
/// inserts too late.
#[cfg(target_has_atomic = "64")]
pub(super) fn meet(insert: impl Fn(u64, u64, [Mixed; 8]) -> bool + Sync) -> u64 {
    // Two of these tests at once would have four threads, which would wait for two processors.
    static ONE_TEST: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _only = ONE_TEST.lock();
    // On one processor lost bits go unnoticed, except under Miri, which switches between threads on any machine.
    _ = cfg!(miri) || has(Need::Processors, "lost bits of two threads");
    let (start, arrived) = (Instant::now(), AtomicU64::new(0));
    let run = &|thread| {
        pin(thread);
        let mut found = true;
        for round in 0..ROUNDS {
            let hashes = hashes_of(round, thread);
            arrived.fetch_add(1, Relaxed);
            let mut spins = 0;
            while arrived.load(Relaxed) < THREADS * (round + 1) {
                core::hint::spin_loop();
                spins += 1;
                if spins % 1_000 == 0 && start.elapsed() > MEET {
                    return (round, found);
                }
            }
            // There is no assertion here: after a panic, the other thread would wait for this
            // thread in vain.
            found &= insert(round, thread, hashes);
        }
        (ROUNDS, found)
    };
    let (rounds, found) = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| scope.spawn(move || run(thread)))
            .collect();
        let done = threads.into_iter().map(|thread| thread.join().unwrap());
        done.fold((ROUNDS, true), |all, one| (all.0.min(one.0), all.1 & one.1))
    });
    assert!(found, "a thread does not find what it inserted");
    rounds
}

/// Gives each thread a processor of its own if there are two. Without this, a busy system may leave
/// both threads on one processor for seconds.
#[cfg(all(target_os = "linux", target_has_atomic = "64", not(miri)))]
fn pin(thread: u64) {
    let bytes = size_of::<libc::cpu_set_t>();
    // SAFETY: a set whose bytes are all 0 is empty, and the calls read and write one set of `bytes`
    // bytes.
    unsafe {
        let [mut all, mut one] = [core::mem::zeroed::<libc::cpu_set_t>(); 2];
        assert_eq!(libc::sched_getaffinity(0, bytes, &raw mut all), 0);
        let allowed = (0..8 * bytes).filter(|cpu| libc::CPU_ISSET(*cpu, &all));
        if let Some(cpu) = allowed.take(thread as usize + 1).last() {
            libc::CPU_SET(cpu, &mut one);
            // If the system refuses, the test may miss lost bits, but does not fail.
            libc::sched_setaffinity(0, bytes, &raw const one);
        }
    }
}

#[cfg(all(any(not(target_os = "linux"), miri), target_has_atomic = "64"))]
fn pin(_: u64) {}

/// Returns the hashes that the threads of [`meet`] inserted in a round.
#[cfg(target_has_atomic = "64")]
pub(super) fn hashes_of_all(round: u64) -> Vec<Mixed> {
    (0..THREADS)
        .flat_map(|thread| hashes_of(round, thread))
        .collect()
}

/// Runs `body` while the pages that lie entirely in `values` (at least one page) cannot be written: a write to them
/// kills the process with SIGSEGV.
#[cfg(all(unix, not(miri), target_has_atomic = "64"))]
pub(super) fn read_only<T>(values: &[T], body: impl FnOnce()) {
    // SAFETY: the call only reads a setting.
    let page_bytes = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap();
    let bytes = values.as_ptr_range();
    let start = bytes.start.addr().next_multiple_of(page_bytes);
    let end = bytes.end.addr() / page_bytes * page_bytes;
    assert!(start < end, "there is a whole page");
    let protect = |protection| {
        let first = bytes.start.with_addr(start).cast_mut().cast();
        // SAFETY: the pages hold nothing but values.
        assert_eq!(unsafe { libc::mprotect(first, end - start, protection) }, 0);
    };
    protect(libc::PROT_READ);
    body();
    protect(libc::PROT_READ | libc::PROT_WRITE);
}
