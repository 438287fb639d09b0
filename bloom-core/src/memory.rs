//! Where the bits of a filter are: the types that the last parameter of [`Bloom`](crate::Bloom) can be.

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use alloc::sync::Arc;
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};
use core::marker::PhantomData;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use core::sync::atomic::AtomicU64;

use crate::persist::header::{CHECKSUM_BYTES, HEADER_BYTES};
use crate::sealed::Sealed;
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
use crate::storage::SharedBlocks;
use crate::storage::{Block, Store, StoreMut};

/// The bits are on the heap and have one owner.
#[derive(Debug)]
pub enum Owned {}

/// The bits are on the heap, and threads set them through `&self`; see [`AtomicBloomFilter`](crate::AtomicBloomFilter).
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
#[derive(Debug)]
pub enum Shared {}

/// The bits are in the bytes of a saved file and are queried in place; see
/// [`BloomFilterRef`](crate::BloomFilterRef). `D` owns or borrows the bytes.
#[derive(Debug)]
pub struct Saved<D>(PhantomData<D>);

/// The bits are in the bytes of a file and are set in place; see [`create_file`](crate::Bloom::create_file).
#[derive(Debug)]
pub struct FileMut<'a>(PhantomData<&'a mut [u8]>);

/// Bytes that a filter owns or borrows and queries in place.
///
/// Implemented for borrowed bytes, vectors, boxes, `Arc<[u8]>` and, with the feature `memmap2`, for maps of files.
///
/// # Safety
///
/// [`bytes`](Self::bytes) always returns the same bytes, of the same length, as long as the value lives, even if the
/// value is moved, and nobody changes them meanwhile. (If another program shortens a mapped file, a query may kill
/// the process: see [`BloomFilterRef`](crate::BloomFilterRef).)
///
/// # Examples
///
/// ```
/// use bloom_core::{BloomFilter, FixedState, Saved};
///
/// let mut filter = BloomFilter::<str>::with_rate(1_000, 0.01)?;
/// filter.insert("ant");
/// // The filter takes the vector and so borrows nothing.
/// let saved = BloomFilter::<str, FixedState, Saved<Vec<u8>>>::open(filter.to_bytes()?)?;
/// assert!(saved.contains("ant"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(unsafe_code)]
pub unsafe trait StableBytes {
    /// Returns the bytes.
    fn bytes(&self) -> &[u8];
}

/// Implements [`StableBytes`] for types that dereference to bytes whose address stays the same when
/// the value moves.
macro_rules! impl_stable {
    ($($bytes:ty)*) => {$(
        // SAFETY: the bytes cannot change while they are borrowed or owned, and do not move with their owner.
        #[allow(unsafe_code)]
        unsafe impl StableBytes for $bytes {
            #[inline]
            fn bytes(&self) -> &[u8] {
                self
            }
        }
    )*};
}

impl_stable! { &[u8] }
#[cfg(feature = "alloc")]
impl_stable! { Vec<u8> Box<[u8]> }
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
impl_stable! { Arc<[u8]> }
// `Mmap::map` is unsafe: its caller has promised that the file does not change.
#[cfg(feature = "memmap2")]
impl_stable! { memmap2::Mmap }

/// Memory for units of the type `U`: words (`u64`), or blocks of 512 bits. Sealed.
pub trait Memory<U>: Sealed {
    /// The type that holds the units.
    #[doc(hidden)]
    type Store: Store;
}

/// Memory that one owner changes, through `&mut`. Sealed.
pub trait Exclusive: Sealed {}

impl Exclusive for Owned {}
impl Exclusive for FileMut<'_> {}
impl<U, const N: usize> Exclusive for [U; N] {}
impl<U> Exclusive for &mut [U] {}

impl Sealed for Owned {}
#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl Sealed for Shared {}
impl<D> Sealed for Saved<D> {}
impl Sealed for FileMut<'_> {}
impl<U, const N: usize> Sealed for [U; N] {}
impl<U> Sealed for &mut [U] {}

#[cfg(feature = "alloc")]
impl Memory<u64> for Owned {
    type Store = Vec<u64>;
}

#[cfg(feature = "alloc")]
impl Memory<Block> for Owned {
    type Store = Vec<Block>;
}

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl Memory<u64> for Shared {
    type Store = Vec<AtomicU64>;
}

#[cfg(all(feature = "alloc", target_has_atomic = "64"))]
impl Memory<Block> for Shared {
    type Store = SharedBlocks;
}

impl<U, const N: usize> Memory<U> for [U; N] {
    type Store = Self;
}

impl<U> Memory<U> for &mut [U] {
    type Store = Self;
}

impl<D: StableBytes> Memory<u64> for Saved<D> {
    type Store = SavedUnits<D, 8>;
}

impl<D: StableBytes> Memory<Block> for Saved<D> {
    type Store = SavedUnits<D, 64>;
}

impl<'a, U: 'a> Memory<U> for FileMut<'a> {
    type Store = FileUnits<'a, U>;
}

/// A saved filter, with its payload (the bytes between header and checksum) as units of `BYTES`
/// bytes.
#[derive(Debug, Clone)]
pub struct SavedUnits<D, const BYTES: usize> {
    data: D,
    /// The number of units, checked when the file was opened.
    units: usize,
}

impl<D: StableBytes, const BYTES: usize> SavedUnits<D, BYTES> {
    /// Wraps a whole file, from the header to the checksum.
    pub(crate) fn new(data: D) -> Self {
        let units = Self::payload(&data).len();
        Self { data, units }
    }

    /// Returns the bytes of the file.
    pub(crate) fn data(&self) -> &D {
        &self.data
    }

    #[inline]
    fn payload(data: &D) -> &[[u8; BYTES]] {
        let bytes = data.bytes();
        let end = bytes.len().saturating_sub(CHECKSUM_BYTES);
        bytes.get(HEADER_BYTES..end).unwrap_or(&[]).as_chunks().0
    }
}

impl<D: StableBytes, const BYTES: usize> Store for SavedUnits<D, BYTES> {
    type Item = [u8; BYTES];

    #[inline]
    fn get(&self) -> &[[u8; BYTES]] {
        let payload = Self::payload(&self.data);
        // Queries read units without a bounds check, so there must be at least as many units as when the file was
        // opened. The cost of this comparison is too small to measure.
        assert!(
            payload.len() >= self.units,
            "the bytes of the filter have become fewer since it was opened"
        );
        payload
    }
}

/// A file whose payload (the bytes between header and checksum) is filled in place, as units of 8
/// or 64 bytes.
#[derive(Debug)]
pub struct FileUnits<'a, U> {
    pub(crate) header: &'a mut [u8; HEADER_BYTES],
    pub(crate) units: &'a mut [U],
    pub(crate) checksum: &'a mut [u8; CHECKSUM_BYTES],
}

impl<U> Store for FileUnits<'_, U> {
    type Item = U;

    #[inline]
    fn get(&self) -> &[U] {
        self.units
    }
}

impl<U> StoreMut for FileUnits<'_, U> {
    #[inline]
    fn get_mut(&mut self) -> &mut [U] {
        self.units
    }
}
