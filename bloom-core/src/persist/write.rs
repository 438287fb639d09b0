//! Writes a saved filter chunk by chunk: a header, the words of the bits, and the checksum of both.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "alloc")]
use core::convert::Infallible;

use rapidhash::v3::{DEFAULT_RAPID_SECRETS, RapidSecrets, RapidStreamHasherV3};

use super::header::Header;
#[cfg(feature = "alloc")]
use super::header::MIN_BYTES;
#[cfg(feature = "alloc")]
use crate::error::MemoryError;

/// The bytes of every chunk but the last. The number is a multiple of 8, and so are the bytes of
/// the header, so no word crosses the end of a chunk.
const CHUNK_BYTES: usize = 4096;

/// The seed and the constants of the reference implementation of rapidhash.
pub(super) static SECRETS: RapidSecrets = DEFAULT_RAPID_SECRETS;

/// Passes the bytes of a file to `sink`, chunk by chunk, until all are passed or `sink` returns an error. The
/// last chunk ends with the checksum.
pub(super) fn write<E>(
    header: &Header,
    mut payload: impl Iterator<Item = u64>,
    sink: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut out = Chunks {
        sink,
        chunk: [0; CHUNK_BYTES],
        filled: 0,
        checksum: RapidStreamHasherV3::new(&SECRETS),
    };
    out.put(&header.encode())?;
    payload.try_for_each(|word| out.put(&word.to_le_bytes()))?;
    out.finish()
}

/// Returns the bytes of a file, or an error if the allocator refuses the memory.
#[cfg(feature = "alloc")]
pub(super) fn to_vec(
    header: &Header,
    payload: impl Iterator<Item = u64>,
) -> Result<Vec<u8>, MemoryError> {
    let length = u128::from(header.sizes.words) * 8 + u128::from(MIN_BYTES);
    let refused = MemoryError {
        bits: u64::try_from(length * 8).unwrap_or(u64::MAX),
    };
    let mut bytes = Vec::new();
    let length = usize::try_from(length).map_err(|_| refused)?;
    bytes.try_reserve_exact(length).map_err(|_| refused)?;
    // The bytes fit in the reserved capacity, so this allocates nothing more.
    let Ok(()) = write(header, payload, |chunk| {
        bytes.extend_from_slice(chunk);
        Ok::<(), Infallible>(())
    });
    Ok(bytes)
}

/// Collects bytes into chunks, and passes each full chunk to the checksum and to `sink`.
struct Chunks<F> {
    sink: F,
    chunk: [u8; CHUNK_BYTES],
    filled: usize,
    checksum: RapidStreamHasherV3<'static>,
}

impl<F> Chunks<F> {
    /// Adds bytes that must not cross the end of a chunk.
    fn put<E>(&mut self, bytes: &[u8]) -> Result<(), E>
    where
        F: FnMut(&[u8]) -> Result<(), E>,
    {
        self.chunk[self.filled..self.filled + bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
        if self.filled < CHUNK_BYTES {
            return Ok(());
        }
        self.filled = 0;
        self.checksum.write(&self.chunk);
        (self.sink)(&self.chunk)
    }

    /// Adds the checksum and passes on the last chunk.
    fn finish<E>(mut self) -> Result<(), E>
    where
        F: FnMut(&[u8]) -> Result<(), E>,
    {
        self.checksum.write(&self.chunk[..self.filled]);
        let checksum = self.checksum.finish().to_le_bytes();
        // A chunk that is not full has room for a word.
        let end = self.filled + checksum.len();
        self.chunk[self.filled..end].copy_from_slice(&checksum);
        (self.sink)(&self.chunk[..end])
    }
}
