//! Filters that are queried in place, in the bytes of their file.

use core::hash::BuildHasher;
use core::marker::PhantomData;

use super::error::LoadError;
use super::header::Header;
use super::kind::FilterKind;
use super::opened::Opened;
use super::words::check_same;
#[cfg(feature = "alloc")]
use crate::BloomFilter;
#[cfg(feature = "alloc")]
use crate::blocked::BlockedBloomFilter;
#[cfg(feature = "alloc")]
use crate::error::MemoryError;
use crate::hash::FixedState;
#[cfg(feature = "alloc")]
use crate::hash::check_hashers;
#[cfg(feature = "alloc")]
use crate::incompatible::{IncompatibleError, check_blocks, check_shapes};
use crate::methods::{impl_blocked_readings, impl_queries, impl_readings};
use crate::shape::{BlockedShape, Shape};
use crate::storage::{Bits, Blocks};

/// A saved [`BloomFilter`], queried in place: in flash, in a mapped file, in shared memory.
///
/// Nothing is copied or allocated, and opening reads only the header and the last word, whatever the size of the
/// filter. Its answers are exactly those of the filter that was saved.
///
/// # What is checked, and when
///
/// [`from_bytes`](Self::from_bytes) checks the header, the sizes and the hasher, so that every query reads within the
/// bytes. It does *not* read the whole file: damaged bits change answers, and only
/// [`verify_checksum`](Self::verify_checksum) detects them, which reads all bytes;
/// [`from_verified_bytes`](Self::from_verified_bytes) does both. As on [loading](crate::persist), the checksum
/// detects damage and no deliberate changes, and the type of the items is not stored.
///
/// The bytes must not change while they are borrowed: map a file that nobody writes. To replace the file, write a new
/// one and rename it over the old: if a mapped file becomes shorter, the next query of the missing pages kills the
/// process (SIGBUS on Unix).
///
/// # Alignment and byte order
///
/// The bytes may have any alignment, on a machine of either byte order: words are read as little-endian bytes. This
/// takes no instruction on processors that load words at any address (x86, 64-bit ARM); elsewhere, and on big-endian
/// machines, it takes a few per word. A file that starts on a cache line, as in a mapping, has its words on cache
/// lines, and is queried as fast as the filter in memory. At another address the blocks of a [`BlockedBloomFilterRef`]
/// lie on two lines each: a query took 2.2 ns instead of 2.1 in cache and 12.6 instead of 9.5 in memory, one of a
/// batch 10.3 instead of 6.4 (20 million items, Intel with AMX; to prefetch both lines gained nothing).
///
/// # Examples
///
/// ```
/// use bloom_core::{BloomFilter, BloomFilterRef};
///
/// let mut filter = BloomFilter::<str>::with_rate(1_000, 0.01)?;
/// filter.insert("ant");
/// let file = filter.to_bytes()?; // or mapped: see the example `mapped_blocklist`
///
/// let saved = BloomFilterRef::<str>::from_bytes(&file)?;
/// assert!(saved.contains("ant"));
/// saved.verify_checksum()?; // reads all of it, when there is time
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BloomFilterRef<'a, T: ?Sized, S = FixedState> {
    shape: Shape,
    bits: Bits<&'a [[u8; 8]]>,
    file: Opened<'a>,
    hash_builder: S,
    // As in `BloomFilter`.
    items: PhantomData<fn(&T)>,
}

/// A saved [`BlockedBloomFilter`], queried in place; see [`BloomFilterRef`].
///
/// # Examples
///
/// ```
/// use bloom_core::{BlockedBloomFilter, BlockedBloomFilterRef};
///
/// let mut filter = BlockedBloomFilter::<str>::with_rate(1_000, 0.01)?;
/// filter.insert("ant");
/// let file = filter.to_bytes()?; // or mapped: see the example `mapped_blocklist`
///
/// let saved = BlockedBloomFilterRef::<str>::from_bytes(&file)?;
/// assert!(saved.contains("ant"));
/// saved.verify_checksum()?; // reads all of it, when there is time
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BlockedBloomFilterRef<'a, T: ?Sized, S = FixedState> {
    blocks: Blocks<&'a [[u8; 64]]>,
    file: Opened<'a>,
    hash_builder: S,
    items: PhantomData<fn(&T)>,
}

impl<'a, T: ?Sized, S: BuildHasher> BloomFilterRef<'a, T, S> {
    fn open(file: Opened<'a>, hash_builder: S) -> Result<Self, LoadError> {
        let shape = Shape::new(file.header.size(), file.header.hashes())?;
        file.payload.check_units(shape.bits(), 1)?;
        let header = Header::of_bits(FilterKind::Basic, shape, &hash_builder);
        check_same(&header.encode(), file.header.0, 0)?;
        Ok(Self {
            shape,
            bits: Bits::borrowed(file.payload.bytes().as_chunks().0, shape.bits()),
            file,
            hash_builder,
            items: PhantomData,
        })
    }
}

impl<'a, T: ?Sized, S: BuildHasher> BlockedBloomFilterRef<'a, T, S> {
    fn open(file: Opened<'a>, hash_builder: S) -> Result<Self, LoadError> {
        let shape = BlockedShape::new(file.header.size())?;
        file.payload.check_units(shape.bits(), 1)?;
        check_same(
            &Header::of_blocks(shape, &hash_builder).encode(),
            file.header.0,
            0,
        )?;
        Ok(Self {
            blocks: Blocks::borrowed(file.payload.bytes().as_chunks().0),
            file,
            hash_builder,
            items: PhantomData,
        })
    }
}

/// Adds to `$borrowed` the methods that open, verify and copy a file of a `$plain`.
macro_rules! impl_borrowed {
    ($borrowed:ident, $plain:ident, $kind:expr, $check:expr, $storage:ident $(, $field:ident)*) => {
        impl<'a, T: ?Sized> $borrowed<'a, T> {
            /// Opens a filter that was saved with the default hasher. O(1): the checksum is left to
            /// [`verify_checksum`](Self::verify_checksum).
            ///
            /// # Errors
            ///
            #[doc = concat!("`bytes` must be the whole of a saved `", stringify!($plain), "` with the default")]
            /// hasher. Damage outside of the header and the last word is not noticed.
            pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, LoadError> {
                Self::from_bytes_with_hasher(bytes, FixedState::new())
            }

            /// Opens a filter that was saved with the default hasher, and verifies its checksum. O(m).
            ///
            /// # Errors
            ///
            /// As for [`from_bytes`](Self::from_bytes); the bytes must also be undamaged.
            pub fn from_verified_bytes(bytes: &'a [u8]) -> Result<Self, LoadError> {
                Self::from_verified_bytes_with_hasher(bytes, FixedState::new())
            }
        }

        impl<'a, T: ?Sized, S: BuildHasher> $borrowed<'a, T, S> {
            /// Opens a filter that was saved with the hasher of `hash_builder`, which is verified by
            /// the hashes of four fixed integers. O(1).
            ///
            /// # Errors
            ///
            /// As for [`from_bytes`](Self::from_bytes), but with this hasher.
            pub fn from_bytes_with_hasher(
                bytes: &'a [u8],
                hash_builder: S,
            ) -> Result<Self, LoadError> {
                let file = Opened::new(bytes)?;
                file.check_kind($kind)?;
                file.check_hasher(&hash_builder)?;
                Self::open(file, hash_builder)
            }

            /// Opens a filter that was saved with the hasher of `hash_builder`, and verifies its
            /// checksum. O(m).
            ///
            /// # Errors
            ///
            /// As for [`from_verified_bytes`](Self::from_verified_bytes), but with this hasher.
            pub fn from_verified_bytes_with_hasher(
                bytes: &'a [u8],
                hash_builder: S,
            ) -> Result<Self, LoadError> {
                // First, so that a damaged header is reported as damage.
                Opened::new(bytes)?.verify_checksum()?;
                Self::from_bytes_with_hasher(bytes, hash_builder)
            }
        }

        impl<T: ?Sized, S> $borrowed<'_, T, S> {
            /// Checks that the bytes are those that were saved. O(m): reads all of them.
            ///
            /// # Errors
            ///
            /// The checksum at the end of the file must be that of the bytes before it.
            pub fn verify_checksum(&self) -> Result<(), LoadError> {
                self.file.verify_checksum()
            }
        }

        #[cfg(feature = "alloc")]
        impl<T: ?Sized, S: BuildHasher> $borrowed<'_, T, S> {
            /// Returns whether a filter in memory answers by the same bits, so that
            /// [`to_plain`](Self::to_plain) can be combined with it: an error names the difference.
            ///
            /// # Errors
            ///
            /// Both filters must have the same shape and hasher.
            pub fn check_compatible(&self, other: &$plain<T, S>) -> Result<(), IncompatibleError> {
                $check(self.shape(), other.shape())?;
                check_hashers(&self.hash_builder, &other.hash_builder)
            }
        }

        #[cfg(feature = "alloc")]
        impl<T: ?Sized, S: BuildHasher + Clone> $borrowed<'_, T, S> {
            /// Copies the filter into memory, to insert into it.
            ///
            /// # Errors
            ///
            /// The copy must fit in memory.
            pub fn to_plain(&self) -> Result<$plain<T, S>, MemoryError> {
                let mut filter = $plain::with_hasher(self.shape(), self.hash_builder.clone())?;
                filter.$storage.copy_from(&self.$storage);
                Ok(filter)
            }
        }

        impl<T: ?Sized, S: Clone> Clone for $borrowed<'_, T, S> {
            fn clone(&self) -> Self {
                Self {
                    $storage: self.$storage.clone(),
                    $($field: self.$field,)*
                    file: self.file,
                    hash_builder: self.hash_builder.clone(),
                    items: PhantomData,
                }
            }
        }
    };
}

impl_borrowed!(
    BloomFilterRef,
    BloomFilter,
    FilterKind::Basic,
    check_shapes,
    bits,
    shape
);
impl_readings!(
    BloomFilterRef<'a>,
    "use bloom_core::{BloomFilter, BloomFilterRef};

let mut saved = BloomFilter::<u64>::with_rate(1_000, 0.01)?;
saved.extend(0..1_000);
let bytes = saved.to_bytes()?;
let filter = BloomFilterRef::<u64>::from_bytes(&bytes)?;"
);
impl_queries!(
    BloomFilterRef<'a>,
    "use bloom_core::{BloomFilter, BloomFilterRef};

let mut saved = BloomFilter::<str>::with_rate(1_000, 1e-6)?;
saved.insert(\"ant\");
let bytes = saved.to_bytes()?;
let filter = BloomFilterRef::<str>::from_bytes(&bytes)?;"
);

impl_borrowed!(
    BlockedBloomFilterRef,
    BlockedBloomFilter,
    FilterKind::Blocked,
    |ours: BlockedShape, theirs: BlockedShape| check_blocks(ours.blocks(), theirs.blocks()),
    blocks
);
impl_blocked_readings!(BlockedBloomFilterRef<'a>);
impl_queries!(
    BlockedBloomFilterRef<'a>,
    "use bloom_core::{BlockedBloomFilter, BlockedBloomFilterRef};

let mut saved = BlockedBloomFilter::<str>::with_rate(1_000, 1e-6)?;
saved.insert(\"ant\");
let bytes = saved.to_bytes()?;
let filter = BlockedBloomFilterRef::<str>::from_bytes(&bytes)?;"
);
