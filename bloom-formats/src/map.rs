//! Maps files into memory, so that only the parts of a file that queries need are read.
//!
//! This module has the only unsafe code of the crate. A file must not be truncated while it is mapped: the operating system
//! ends a program that reads bytes that are no longer there. If the file is changed in place meanwhile, queries read partly old
//! and partly new bytes. If another file replaces it under its name, the map keeps the old bytes.

#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;
use std::vec::Vec;

use bloom_core::StableBytes;
use memmap2::Mmap;

/// The bytes of a file: mapped, or read into memory if it is a pipe or another input without a length.
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
        // Pipes and files of the kernel have no length.
        if !file.metadata()?.is_file() || file.metadata()?.len() == 0 {
            return Self::read(file);
        }
        // SAFETY: the bytes are only read. The user must see to it that nobody truncates or changes the file; filters are
        // checked where they are read, and their queries read no bytes beyond the filter.
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

// SAFETY: the bytes are those of a map or on the heap, which do not move with their owner, and nothing here changes them.
// In a mapped file the user must see to it that nobody else changes them.
unsafe impl StableBytes for FileBytes {
    fn bytes(&self) -> &[u8] {
        self
    }
}
