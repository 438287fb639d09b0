//! Reads a file of a filter from its first byte on, field by field, and returns an error if the bytes end too early.

use alloc::vec::Vec;

use crate::error::{Field, Format, FormatError, Must, Rule, Value};

/// The bytes of a file, and how many of them were read.
pub struct Reader<'a> {
    format: Format,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(format: Format, bytes: &'a [u8]) -> Self {
        Self {
            format,
            bytes,
            at: 0,
        }
    }

    /// Returns the next `count` bytes.
    pub(crate) fn take(&mut self, count: u64) -> Result<&'a [u8], FormatError> {
        let needed = (self.at as u64).saturating_add(count);
        let end = usize::try_from(needed).ok();
        let Some(part) = end.and_then(|end| self.bytes.get(self.at..end)) else {
            let bytes = self.bytes.len() as u64;
            return Err(self.format.error(Rule::TooShort { needed, bytes }));
        };
        self.at += part.len();
        Ok(part)
    }

    /// Returns the next `N` bytes.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let part = self.take(N as u64)?;
        Ok(part.try_into().expect("the part has the length asked for"))
    }

    pub(crate) fn i32_be(&mut self) -> Result<i32, FormatError> {
        self.array().map(i32::from_be_bytes)
    }

    pub(crate) fn u64_be(&mut self) -> Result<u64, FormatError> {
        self.array().map(u64::from_be_bytes)
    }

    pub(crate) fn u32_le(&mut self) -> Result<u32, FormatError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64_le(&mut self) -> Result<u64, FormatError> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads as many bytes as `known` has, and refuses them unless they are equal to `known`.
    pub(crate) fn expect(&mut self, known: &[u8]) -> Result<(), FormatError> {
        for &expected in known {
            let offset = self.offset();
            let [got] = self.array()?;
            if got != expected {
                let (rule, got) = (Must::BeByte(expected), Value::Byte(got));
                return Err(self.format.field(Field::Byte(offset), rule, got));
            }
        }
        Ok(())
    }

    /// Reads a number of 64-bit words, a Java int that must be at least 1.
    pub(crate) fn word_count(&mut self) -> Result<u64, FormatError> {
        let words = self.i32_be()?;
        let count = u64::try_from(words).ok().filter(|&count| count > 0);
        count.ok_or_else(|| {
            self.format
                .field(Field::Words, Must::Range(1, i32::MAX as u64), words)
        })
    }

    /// Reads a varint of at most five bytes. Refuses a longer form than necessary, which [`push_varint`] would not write.
    pub(crate) fn varint(&mut self) -> Result<u64, FormatError> {
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let [byte] = self.array()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 && (byte > 0 || shift == 0) {
                return Ok(value);
            }
            if byte == 0 {
                break;
            }
        }
        Err(self.format.field(Field::Varint, Must::Shortest, value))
    }

    /// Returns the number of bytes that were read.
    pub(crate) fn offset(&self) -> u64 {
        self.at as u64
    }

    /// Returns the bytes that were not read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }
}

/// Appends a varint in its shortest form.
pub(crate) fn push_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Refuses bytes that follow a filter.
pub(crate) fn complete<T>(
    format: Format,
    bytes: &[u8],
    (filter, rest): (T, &[u8]),
) -> Result<T, FormatError> {
    if rest.is_empty() {
        return Ok(filter);
    }
    let needed = (bytes.len() - rest.len()) as u64;
    let bytes = bytes.len() as u64;
    Err(format.error(Rule::TrailingBytes { needed, bytes }))
}
