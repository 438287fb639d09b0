//! Where the words of bits are stored, and how one is read: words with one owner, words that threads share, and the
//! bytes of a file.
#![allow(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::sync::atomic::{Ordering::Acquire, compiler_fence};

#[cfg(feature = "alloc")]
use super::memory::{Clearable, cleared, copied};

/// A word as it is stored.
pub(crate) trait Word {
    /// Whether other threads may set its bits at the same time.
    // Only kernels in assembly and with vector intrinsics read it.
    #[allow(dead_code)]
    const SHARED: bool = false;

    /// Returns the word as an integer of this machine.
    fn load(&self) -> u64;
}

impl Word for u64 {
    #[inline]
    fn load(&self) -> u64 {
        *self
    }
}

/// Eight bytes of a file: little-endian, at any alignment.
impl Word for [u8; 8] {
    #[inline]
    fn load(&self) -> u64 {
        u64::from_le_bytes(*self)
    }
}

#[cfg(target_has_atomic = "64")]
impl Word for AtomicU64 {
    const SHARED: bool = true;

    #[inline]
    fn load(&self) -> u64 {
        Self::load(self, Relaxed)
    }
}

/// A word that threads share.
#[cfg(target_has_atomic = "64")]
pub(crate) trait SharedWord: Word {
    /// Sets bits, and keeps those that other threads set at the same time.
    fn set(&self, bits: u64);
}

#[cfg(target_has_atomic = "64")]
impl SharedWord for AtomicU64 {
    #[inline]
    fn set(&self, bits: u64) {
        self.fetch_or(bits, Relaxed);
    }
}

/// Loom's word: the model runs every interleaving of its accesses.
#[cfg(all(test, loom))]
impl Word for loom::sync::atomic::AtomicU64 {
    fn load(&self) -> u64 {
        Self::load(self, Relaxed)
    }
}

#[cfg(all(test, loom))]
impl SharedWord for loom::sync::atomic::AtomicU64 {
    fn set(&self, bits: u64) {
        self.fetch_or(bits, Relaxed);
    }
}

/// Keeps a query in assembly, which the compiler may take for a function of unchanging memory, from being moved out of a
/// loop if other threads may set the bits meanwhile: a thread that waited for an item would wait forever. It is no
/// instruction.
#[allow(dead_code)]
#[inline]
pub(super) fn reread_if(shared: bool) {
    if shared {
        compiler_fence(Acquire);
    }
}

/// Where the words or lines of a filter are stored: at least one.
pub(crate) trait Store {
    /// A word or a line as it is stored.
    type Item;

    /// Returns all of them.
    fn get(&self) -> &[Self::Item];
}

#[cfg(feature = "alloc")]
impl<T> Store for Vec<T> {
    type Item = T;

    #[inline]
    fn get(&self) -> &[T] {
        self
    }
}

impl<T> Store for &[T] {
    type Item = T;

    #[inline]
    fn get(&self) -> &[T] {
        self
    }
}

/// A `u64` with the alignment of an [`AtomicU64`], so that the allocation of [`Owned`] can become one of atomic
/// words. On some 32-bit machines a plain `u64` has a smaller alignment.
#[cfg(feature = "alloc")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(8))]
struct Aligned(u64);

// SAFETY: 0 is a valid integer.
#[cfg(feature = "alloc")]
unsafe impl Clearable for Aligned {}

/// Words on the heap with one owner.
#[cfg(feature = "alloc")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owned(Vec<Aligned>);

/// Nobody owns words without an allocator.
#[cfg(not(feature = "alloc"))]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owned {}

#[cfg(feature = "alloc")]
impl Owned {
    /// Creates `count` words of 0; `None` if the allocator refuses the memory.
    pub(crate) fn new(count: u64) -> Option<Self> {
        cleared(count).map(Self)
    }

    /// Copies the words; `None` if the allocator refuses the memory.
    pub(crate) fn try_clone(&self) -> Option<Self> {
        copied(&self.0).map(Self)
    }

    /// Returns all words for writing.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut [u64] {
        let (first, count) = (self.0.as_mut_ptr(), self.0.len());
        // SAFETY: an `Aligned` is a `u64` and nothing else.
        unsafe { core::slice::from_raw_parts_mut(first.cast(), count) }
    }
}

#[cfg(feature = "alloc")]
impl Store for Owned {
    type Item = u64;

    #[inline]
    fn get(&self) -> &[u64] {
        let (first, count) = (self.0.as_ptr(), self.0.len());
        // SAFETY: an `Aligned` is a `u64` and nothing else.
        unsafe { core::slice::from_raw_parts(first.cast(), count) }
    }
}

/// Words on the heap that threads share.
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(crate) type Shared = Vec<AtomicU64>;

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl From<Owned> for Shared {
    fn from(words: Owned) -> Self {
        // SAFETY: `Aligned` and `AtomicU64` have the same values.
        unsafe { transmuted(words.0) }
    }
}

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl From<Shared> for Owned {
    fn from(words: Shared) -> Self {
        // SAFETY: as above.
        Self(unsafe { transmuted(words) })
    }
}

/// Reinterprets an allocation as values of another type.
///
/// # Safety
///
/// Every `A` is a valid `B`. (The function itself compares sizes and alignments.)
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(super) unsafe fn transmuted<A, B>(values: Vec<A>) -> Vec<B> {
    const { assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>()) };
    let mut values = core::mem::ManuallyDrop::new(values);
    let (first, count, capacity) = (values.as_mut_ptr(), values.len(), values.capacity());
    // SAFETY: the vector above gave up the allocation, the layout is the one that it was made with, and it holds as
    // many values.
    unsafe { Vec::from_raw_parts(first.cast(), count, capacity) }
}
