//! Defines how the 64-bit words and the 512-bit blocks of a filter are stored (with one owner,
//! shared by threads, or in the bytes of a file), and how a word is read.
#![allow(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A 64-bit word of a filter, in one of the forms in which words are stored.
pub trait Word: Sized {
    /// Returns the word as an integer of this machine.
    fn load(&self) -> u64;

    /// A function that returns the bytes of the word, so that a vector instruction can load them.
    /// `None` if the stored bytes are not those of a `u64` on this machine, or if other code may
    /// change the word meanwhile, because a reference to its bytes would then be unsound.
    const BYTES: Option<fn(&Self) -> &[u8; 8]> = None;
}

impl Word for u64 {
    // SAFETY: every integer of 64 bits is eight bytes.
    const BYTES: Option<fn(&Self) -> &[u8; 8]> =
        Some(|word| unsafe { &*core::ptr::from_ref(word).cast() });

    #[inline]
    fn load(&self) -> u64 {
        *self
    }
}

/// A word with one owner, in the form in which functions that change bits or counters receive it.
impl Word for core::cell::Cell<u64> {
    #[inline]
    fn load(&self) -> u64 {
        self.get()
    }
}

/// A word in the bytes of a file: little-endian, at any alignment.
impl Word for [u8; 8] {
    const BYTES: Option<fn(&Self) -> &[u8; 8]> = if cfg!(target_endian = "little") {
        Some(|word| word)
    } else {
        None
    };

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
    /// Sets `bits`, and keeps the bits that other threads set at the same time.
    fn set(&self, bits: u64);
}

#[cfg(target_has_atomic = "64")]
impl SharedWord for AtomicU64 {
    #[inline]
    fn set(&self, bits: u64) {
        self.fetch_or(bits, Relaxed);
    }
}

/// A word of Loom, a model checker that runs a test with every order in which threads can access
/// memory.
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

/// The memory in which the words or blocks of a filter are stored: at least one word or block.
pub trait Store {
    /// A word or a block as it is stored.
    type Item;

    /// Returns the words or blocks of the filter, perhaps followed by unused ones. Every call
    /// returns the same number of them.
    fn get(&self) -> &[Self::Item];
}

/// Words or blocks with one owner, which may change them.
pub trait StoreMut: Store {
    /// Returns all words or blocks for writing.
    fn get_mut(&mut self) -> &mut [Self::Item];
}

/// Words on the heap with one owner.
#[cfg(feature = "alloc")]
pub(crate) type OwnedWords = Vec<u64>;

/// Without an allocator, no filter owns words on the heap. This type is only a stand-in, because
/// `Cells` needs a default type.
#[cfg(not(feature = "alloc"))]
pub(crate) type OwnedWords = [u64; 1];

/// Implements [`Store`] and [`StoreMut`] for types that dereference to a slice.
macro_rules! impl_store {
    ($([$($generics:tt)*] $store:ty;)*) => {$(
        impl<$($generics)*> Store for $store {
            type Item = T;

            #[inline]
            fn get(&self) -> &[T] {
                self
            }
        }

        impl<$($generics)*> StoreMut for $store {
            #[inline]
            fn get_mut(&mut self) -> &mut [T] {
                self
            }
        }
    )*};
}

#[cfg(feature = "alloc")]
impl_store! { [T] Vec<T>; }
impl_store! { [T, const N: usize] [T; N]; [T] &mut [T]; }

/// A borrowed slice of words or blocks. Tests use it for filters in the bytes of a file.
#[cfg(test)]
impl<T> Store for &[T] {
    type Item = T;

    fn get(&self) -> &[T] {
        self
    }
}

/// Makes words atomic. The words stay in their allocation, unless an atomic word needs a larger
/// alignment.
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(super) fn into_atomic(words: Vec<u64>) -> Vec<AtomicU64> {
    // SAFETY: every value of a `u64` is one of an `AtomicU64`.
    unsafe { converted(words, AtomicU64::new) }
}

/// Makes atomic words plain. The words stay in their allocation, unless a plain word has a smaller
/// alignment.
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(super) fn from_atomic(words: Vec<AtomicU64>) -> Vec<u64> {
    // SAFETY: every value of an `AtomicU64` is one of a `u64`.
    unsafe { converted(words, AtomicU64::into_inner) }
}

/// Converts words: in their allocation if both types have the same alignment, otherwise one by one
/// into a new allocation.
///
/// # Safety
///
/// As for [`transmuted`].
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
unsafe fn converted<A, B>(words: Vec<A>, convert: fn(A) -> B) -> Vec<B> {
    if align_of::<A>() == align_of::<B>() {
        // SAFETY: the caller promises that every `A` is a valid `B`, and the alignments are equal.
        unsafe { transmuted(words) }
    } else {
        words.into_iter().map(convert).collect()
    }
}

/// Reinterprets an allocation as values of another type, of the same size and alignment.
///
/// # Safety
///
/// Every `A` is a valid `B`. (The function itself compares sizes and alignments.)
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
pub(super) unsafe fn transmuted<A, B>(values: Vec<A>) -> Vec<B> {
    assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>());
    let mut values = core::mem::ManuallyDrop::new(values);
    let (first, count, capacity) = (values.as_mut_ptr(), values.len(), values.capacity());
    // SAFETY: `ManuallyDrop` leaves the allocation to the new vector; the allocation was made with
    // the same layout and holds `count` values.
    unsafe { Vec::from_raw_parts(first.cast(), count, capacity) }
}
