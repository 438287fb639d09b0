//! The methods that save and load a filter, the same for every type.

use alloc::vec::Vec;
use core::hash::BuildHasher;

use super::error::LoadError;
use super::read::load;
use super::write::{to_vec, write};
use crate::error::MemoryError;
use crate::hash::FixedState;
#[cfg(target_has_atomic = "64")]
use crate::{AtomicBlockedBloomFilter, AtomicBloomFilter};
use crate::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, PartitionedBloomFilter,
    ScalableBloomFilter,
};

/// Adds the methods that save to `$filter`. `$content` names what its file holds besides 136 bytes, which the lines
/// `$size` show; `$meanwhile` is the rule for other threads.
macro_rules! impl_save {
    ($filter:ident, $content:literal, $size:literal, $meanwhile:literal) => {
        impl<T: ?Sized, S: BuildHasher> $filter<T, S> {
            /// Returns the filter as bytes, in the [layout](crate::persist) that is the same
            #[doc = concat!("everywhere: ", $content, " and 136 additional bytes.", $meanwhile)]
            ///
            /// # Errors
            ///
            /// The bytes must fit in memory in addition to the filter;
            /// [`write_bytes`](Self::write_bytes) avoids this copy.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = $size]
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn to_bytes(&self) -> Result<Vec<u8>, MemoryError> {
                to_vec(self)
            }

            /// Passes the bytes of [`to_bytes`](Self::to_bytes) to `sink` in chunks of 4096 and a
            #[doc = concat!("shorter last one, so that saving needs no second copy.", $meanwhile)]
            ///
            /// # Errors
            ///
            /// The first error of `sink`, which is not called again after it.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use bloom_core::", stringify!($filter), ";")]
            /// use std::io::Write;
            ///
            #[doc = concat!("let filter = ", stringify!($filter), "::<str>::with_rate(10_000, 0.01)?;")]
            /// let mut file = Vec::new(); // or a `std::fs::File`, or any other `Write`
            /// filter.write_bytes(|chunk| file.write_all(chunk))?;
            /// assert_eq!(file, filter.to_bytes()?);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn write_bytes<E>(
                &self,
                sink: impl FnMut(&[u8]) -> Result<(), E>,
            ) -> Result<(), E> {
                write(self, sink)
            }
        }
    };
}

/// Adds all four methods to each `$filter`; `$checks` are the conditions of loading that only this filter has.
macro_rules! impl_bytes {
    ($($filter:ident, $content:literal, $size:literal, $checks:literal;)*) => {$(
        impl_save!($filter, $content, $size, "");

        impl<T: ?Sized> $filter<T> {
            /// Loads a filter that was saved with the default hasher.
            ///
            /// The item type is not stored: load with the one that was saved. The whole
            /// [layout](crate::persist) is checked, so the loaded filter is the one that was saved.
            ///
            /// # Errors
            ///
            #[doc = concat!("`bytes` must be the whole of a saved `", stringify!($filter), "`,")]
            #[doc = concat!("undamaged, with the default hasher; ", $checks, "and the filter must fit in")]
            /// memory.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use bloom_core::", stringify!($filter), ";")]
            ///
            #[doc = concat!("let mut filter = ", stringify!($filter), "::<str>::with_rate(100, 0.01)?;")]
            /// let _ = filter.insert("ant");
            #[doc = concat!("let loaded = ", stringify!($filter), "::<str>::from_bytes(&filter.to_bytes()?)?;")]
            /// assert!(loaded.contains("ant"));
            /// assert_eq!(loaded, filter);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
                Self::from_bytes_with_hasher(bytes, FixedState::new())
            }
        }

        impl<T: ?Sized, S: BuildHasher> $filter<T, S> {
            /// Loads a filter that was saved with the hasher of `hash_builder`.
            ///
            /// Seeds and keys are never stored; the hashes of four fixed integers show whether the
            /// hasher is the same.
            ///
            /// # Errors
            ///
            /// As for [`from_bytes`](Self::from_bytes), but with this hasher.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use bloom_core::{", stringify!($filter), ", FixedState};")]
            ///
            /// let state = FixedState::with_seed(42);
            #[doc = concat!("let filter = ", stringify!($filter), "::<str, _>::with_rate_and_hasher(100, 0.01, state)?;")]
            /// let bytes = filter.to_bytes()?;
            #[doc = concat!("let loaded = ", stringify!($filter), "::from_bytes_with_hasher(&bytes, state)?;")]
            /// assert_eq!(loaded, filter);
            /// // Another seed would look up other positions.
            #[doc = concat!("assert!(", stringify!($filter), "::<str>::from_bytes(&bytes).is_err());")]
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn from_bytes_with_hasher(bytes: &[u8], hash_builder: S) -> Result<Self, LoadError> {
                load(bytes, hash_builder)
            }
        }
    )*};
}

impl_bytes! {
    BloomFilter, "its words", "use bloom_core::{BloomFilter, Shape};

let filter = BloomFilter::<str>::new(Shape::new(6_400, 7)?)?;
assert_eq!(filter.to_bytes()?.len(), 800 + 136);", "";

    BlockedBloomFilter, "its blocks", "use bloom_core::{BlockedBloomFilter, BlockedShape};

let filter = BlockedBloomFilter::<str>::new(BlockedShape::new(20)?)?;
assert_eq!(filter.to_bytes()?.len(), 20 * 64 + 136);", "";

    CountingBloomFilter, "its counters", "use bloom_core::{CountingBloomFilter, Shape};

let filter = CountingBloomFilter::<str>::new(Shape::new(6_400, 7)?)?;
assert_eq!(filter.to_bytes()?.len(), 3_200 + 136);", "";

    PartitionedBloomFilter, "its words", "use bloom_core::{PartitionedBloomFilter, Shape};

let filter = PartitionedBloomFilter::<str>::new(Shape::new(6_400, 7)?)?;
assert_eq!(filter.to_bytes()?.len(), 800 + 136);", "";

    ScalableBloomFilter, "its stages, each with 64 bytes more and rounded up to a multiple of 64,",
        "use bloom_core::ScalableBloomFilter;

let filter = ScalableBloomFilter::<str>::with_rate(100, 0.01)?;
assert_eq!(filter.stages().next().map(|stage| stage.shape.bits()), Some(1_357));
// 22 words, rounded up to 24.
assert_eq!(filter.to_bytes()?.len(), 136 + 64 + 24 * 8);",
        "every stage must have the size that the growth gives, keep its rate, be full unless it is the \
        last, and have at most its expected items; ";
}

#[cfg(target_has_atomic = "64")]
impl_save!(
    AtomicBloomFilter,
    "its words",
    "use bloom_core::{AtomicBloomFilter, BloomFilter};

let seen = AtomicBloomFilter::<str>::with_rate(1_000, 0.01)?;
seen.insert(\"ant\");
let bytes = seen.to_bytes()?; // `seen` stays in use
assert!(BloomFilter::<str>::from_bytes(&bytes)?.contains(\"ant\"));",
    " Threads may insert meanwhile: the bytes contain every insert that happens before the call, and may contain later
ones, wholly or in part. They load as a plain filter."
);
#[cfg(target_has_atomic = "64")]
impl_save!(
    AtomicBlockedBloomFilter,
    "its blocks",
    "use bloom_core::{AtomicBlockedBloomFilter, BlockedBloomFilter};

let seen = AtomicBlockedBloomFilter::<str>::with_rate(1_000, 0.01)?;
seen.insert(\"ant\");
let bytes = seen.to_bytes()?; // `seen` stays in use
assert!(BlockedBloomFilter::<str>::from_bytes(&bytes)?.contains(\"ant\"));",
    " Threads may insert meanwhile, as in [`AtomicBloomFilter`]. The bytes load as a plain filter."
);
