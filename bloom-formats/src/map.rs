//! Maps files into memory, so that only the parts of a file that queries need are read.
//!
//! This module has the only unsafe code of the crate. A file must not be truncated while it is mapped: the operating system
//! ends a program that reads bytes that are no longer there. If a program writes into the file while it is mapped, queries may
//! read partly old and partly new bytes. If a new file is renamed to the name of the mapped file, the map keeps the bytes of
//! the old file.

#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;
use std::vec::Vec;

use bloom_core::StableBytes;
use memmap2::Mmap;

/// The bytes of a file. They are mapped, or read into memory if the input has no length, as a pipe has none.
///
/// # Examples
///
/// ```
/// use bloom_formats::map::FileBytes;
/// use bloom_formats::{Filter, GoBloom};
///
/// let path = std::env::temp_dir().join(format!("{}.bloom", std::process::id()));
/// std::fs::write(&path, GoBloom::with_rate(1_000, 0.01)?.to_bytes()?)?;
/// let bytes = FileBytes::open(&path)?;
/// assert!(!GoBloom::borrowed(&bytes)?.contains(b"user-7"));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FileBytes(Bytes);

#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl FileBytes {
    /// Maps a file. A pipe, or another input without a length, is read into memory.
    ///
    /// # Errors
    ///
    /// The file must exist, be readable, and fit into the address space.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        // The length of pipes is not known, and files of the kernel, such as those in /proc, state 0 as their length.
        if !file.metadata()?.is_file() || file.metadata()?.len() == 0 {
            return Self::read(file);
        }
        // SAFETY: the bytes are only read. The user must see to it that nobody truncates or changes the file. A filter in these
        // bytes is checked when it is read, and its queries read no bytes beyond the filter.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Self(Bytes::Mapped(map)))
    }

    /// Reads all bytes of an input, such as a pipe.
    ///
    /// # Errors
    ///
    /// The input must be readable.
    pub fn read(mut input: impl Read) -> io::Result<Self> {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes)?;
        Ok(Self(Bytes::Read(bytes)))
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Bytes::Mapped(map) => map,
            Bytes::Read(bytes) => bytes,
        }
    }
}

// SAFETY: the bytes are in a map or on the heap. They stay where they are if the `FileBytes` moves, and nothing here changes
// them. If they are in a map, the user must see to it that nobody changes the file.
unsafe impl StableBytes for FileBytes {
    fn bytes(&self) -> &[u8] {
        self
    }
}
