//! Where the words of bits are kept, and how one is read: words that one owner changes, words that threads share,
//! and the bytes of a file.
#![allow(unsafe_code)]

use alloc::vec::Vec;
#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::memory::{Clearable, cleared, copied};

/// A word as it is kept.
pub(crate) trait Word {
    /// Returns the word as an integer of this machine.
    fn load(&self) -> u64;
}

impl Word for u64 {
    #[inline]
    fn load(&self) -> u64 {
        *self
    }
}

/// Eight bytes of a file: little-endian, and aligned as they happen to be.
impl Word for [u8; 8] {
    #[inline]
    fn load(&self) -> u64 {
        u64::from_le_bytes(*self)
    }
}

#[cfg(target_has_atomic = "64")]
impl Word for AtomicU64 {
    #[inline]
    fn load(&self) -> u64 {
        Self::load(self, Relaxed)
    }
}

/// A word that threads share.
#[cfg(target_has_atomic = "64")]
pub(crate) trait SharedWord: Word {
    /// Sets bits; none that another thread sets meanwhile is lost.
    fn set(&self, bits: u64);
}

#[cfg(target_has_atomic = "64")]
impl SharedWord for AtomicU64 {
    #[inline]
    fn set(&self, bits: u64) {
        self.fetch_or(bits, Relaxed);
    }
}

/// Each access is one step of a thread in a model that tries every order of them.
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

/// Where the words, or the lines, of a filter are kept: at least one.
pub(crate) trait Store {
    /// A word or a line as it is kept.
    type Item;

    /// Returns all of them.
    fn get(&self) -> &[Self::Item];
}

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

/// A `u64` aligned as an [`AtomicU64`] is, which on some 32-bit machines is more than a `u64` is: so the
/// allocation of [`Owned`] can become one of atomic words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(8))]
struct Aligned(u64);

// SAFETY: 0 is an integer.
unsafe impl Clearable for Aligned {}

/// Words on the heap that one owner changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owned(Vec<Aligned>);

impl Owned {
    /// Creates words of 0; `None` if the allocator refuses them.
    pub(crate) fn new(count: u64) -> Option<Self> {
        cleared(count).map(Self)
    }

    /// Copies the words; `None` if the allocator refuses them.
    pub(crate) fn try_clone(&self) -> Option<Self> {
        copied(&self.0).map(Self)
    }

    /// Returns all words, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut [u64] {
        let (first, count) = (self.0.as_mut_ptr(), self.0.len());
        // SAFETY: an `Aligned` is a `u64` and nothing else.
        unsafe { core::slice::from_raw_parts_mut(first.cast(), count) }
    }
}

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
#[cfg(target_has_atomic = "64")]
pub(crate) type Shared = Vec<AtomicU64>;

#[cfg(target_has_atomic = "64")]
impl From<Owned> for Shared {
    fn from(words: Owned) -> Self {
        // SAFETY: `Aligned` and `AtomicU64` have the same values.
        unsafe { transmuted(words.0) }
    }
}

#[cfg(target_has_atomic = "64")]
impl From<Shared> for Owned {
    fn from(words: Shared) -> Self {
        // SAFETY: as above.
        Self(unsafe { transmuted(words) })
    }
}

/// Returns the same allocation as values of another type.
///
/// # Safety
///
/// Every `A` is a valid `B`. (Sizes and alignments are compared here.)
#[cfg(target_has_atomic = "64")]
pub(super) unsafe fn transmuted<A, B>(values: Vec<A>) -> Vec<B> {
    const { assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>()) };
    let mut values = core::mem::ManuallyDrop::new(values);
    let (first, count, capacity) = (values.as_mut_ptr(), values.len(), values.capacity());
    // SAFETY: the allocation is given up above, has the layout that it was made with, and holds as many values.
    unsafe { Vec::from_raw_parts(first.cast(), count, capacity) }
}
