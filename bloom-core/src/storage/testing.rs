//! Helpers that the tests of several kernels share: memory between unreadable pages, a caller that uses the vector
//! registers itself, and threads that insert at once.
#![allow(unsafe_code)]
#[cfg(target_has_atomic = "64")]
extern crate std;

#[cfg(target_has_atomic = "64")]
use alloc::vec::Vec;
#[cfg(all(unix, not(miri)))]
use core::{mem::size_of_val, ptr, slice};

#[cfg(target_has_atomic = "64")]
use crate::probe::mix;

/// Which end of the memory adjoins an unreadable page.
#[cfg(all(unix, not(miri)))]
#[derive(Debug, Clone, Copy)]
pub(super) enum Edge {
    Start,
    End,
}

/// Memory between two pages that can be neither read nor written.
///
/// A kernel that reads or writes one byte before or after its slice kills the test program with SIGSEGV. That is the
/// failure; no failed test is reported.
#[cfg(all(unix, not(miri)))]
pub(super) struct Guarded {
    pages: *mut u8,
    page_bytes: usize,
    /// Without the two pages.
    bytes: usize,
}

#[cfg(all(unix, not(miri)))]
impl Guarded {
    /// Maps at least `bytes` between two unreadable pages.
    pub(super) fn new(bytes: usize) -> Self {
        // SAFETY: it only reads a setting.
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
            assert_ne!(pages, libc::MAP_FAILED, "little memory");
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

    /// Copies `values` so that they adjoin the unreadable page.
    pub(super) fn place<T: Copy>(&mut self, edge: Edge, values: &[T]) -> &mut [T] {
        let bytes = size_of_val(values);
        assert!(bytes <= self.bytes);
        let offset = match edge {
            Edge::Start => 0,
            Edge::End => self.bytes - bytes,
        };
        // SAFETY: `bytes` of the mapping from there on are writable, and are borrowed with `self`.
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
        // SAFETY: the mapping of `new`, no part of which is borrowed any more.
        unsafe { libc::munmap(self.pages.cast(), self.bytes + 2 * self.page_bytes) };
    }
}

/// Reads through `write(2)`: where the program itself would be killed, the system returns an error.
#[cfg(all(unix, not(miri)))]
#[test]
fn the_bytes_beside_guarded_memory_cannot_be_read() {
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
        // SAFETY: the system checks what it reads.
        let read = |byte: *const u8| unsafe { libc::write(pipe[1], byte.cast(), 1) };
        assert_eq!(read(inside), 1, "{edge:?}");
        assert_eq!(read(outside), -1, "{edge:?}");
        for end in pipe {
            // SAFETY: it was opened above.
            assert_eq!(unsafe { libc::close(end) }, 0);
        }
    }
}

/// Runs a kernel while the caller has live values in every register that the AVX-512 kernels clobber, and checks that
/// they survive. A caller that is compiled for AVX-512 may have such values.
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

    let [mut a, mut b, mut c] = [1, 2, 3].map(|word| _mm512_set1_epi64(word));
    let (mut k, mut l) = (0x5a_u8, 0xa5_u8);
    // SAFETY: no instruction.
    unsafe {
        asm!("", inout("zmm16") a, inout("zmm17") b, inout("zmm18") c, inout("k1") k, inout("k2") l);
    }
    let result = kernel();
    // SAFETY: no instruction.
    unsafe {
        asm!("", inout("zmm16") a, inout("zmm17") b, inout("zmm18") c, inout("k1") k, inout("k2") l);
    }
    for (vector, word) in [a, b, c].into_iter().zip(1..) {
        let kept = _mm512_cmpeq_epi64_mask(vector, _mm512_set1_epi64(word));
        assert_eq!(kept, 0xff, "vector {word}");
    }
    assert_eq!((k, l), (0x5a, 0xa5));
    result
}

/// Inserts hashes by threads that start together, some with hashes in common: half of the threads by `insert`, the
/// others by `insert_each`. Returns all hashes.
#[cfg(target_has_atomic = "64")]
pub(super) fn insert_by_threads(
    round: u64,
    insert: impl Fn(u64) + Sync,
    insert_each: impl Fn(&[u64]) + Sync,
) -> Vec<u64> {
    let (threads, inserts) = if cfg!(miri) { (3, 10) } else { (4, 40) };
    let hashes =
        |thread: u64| (0..inserts).map(move |hash| mix(round << 20 | (thread % 3) << 10 | hash));
    let start = std::sync::Barrier::new(threads as usize);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (insert, insert_each, start) = (&insert, &insert_each, &start);
            scope.spawn(move || {
                let hashes: Vec<u64> = hashes(thread).collect();
                start.wait();
                if thread % 2 == 0 {
                    hashes.into_iter().for_each(insert);
                } else {
                    insert_each(&hashes);
                }
            });
        }
    });
    (0..threads).flat_map(hashes).collect()
}

/// How often threads have to meet for a lost bit to show.
#[cfg(target_has_atomic = "64")]
pub(super) const ROUNDS: u64 = if cfg!(miri) { 2 } else { 2_000 };
