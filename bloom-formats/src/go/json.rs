//! Reads and writes the JSON form of a filter of the Go library bits-and-blooms/bloom.

use alloc::borrow::Cow;
use alloc::string::String;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use serde::Deserialize;

use super::{GoBloom, of_bitset};
use crate::error::{Format, FormatError, Rule};
use crate::filter::Filter;
use crate::reader::{Reader, complete};
use crate::text;

/// The object as Go's package `encoding/json` writes it.
#[derive(Deserialize)]
struct Object<'a> {
    m: u64,
    k: u64,
    #[serde(borrow)]
    b: Cow<'a, str>,
}

/// The number of bytes of m and k, which precede the bitset in a binary file. In JSON, m and k are fields of their own.
const NUMBERS: usize = 16;

impl GoBloom<'static> {
    /// Reads the JSON form, in UTF-8: an object with the numbers `m` and `k`, and with the text `b`, which is the length and
    /// the words of the bitset in URL-safe base64.
    ///
    /// # Errors
    ///
    /// The text must be such an object, and `m`, `k` and the bitset must be as for [`from_bytes`](Self::from_bytes); further
    /// fields are ignored. The memory must be available.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_formats::{Filter, GoBloom};
    ///
    /// let filter = GoBloom::from_json(br#"{"m":9,"k":1,"b":"AAAAAAAAAAkAAAAAAAABAA=="}"#)?;
    /// assert_eq!((filter.shape().bits(), filter.fill()), (9, 1.0 / 9.0));
    /// assert!(GoBloom::from_json(b"{}").is_err());
    /// # Ok::<(), bloom_formats::FormatError>(())
    /// ```
    pub fn from_json(json: &[u8]) -> Result<Self, FormatError> {
        let object: Object<'_> = serde_json::from_slice(json).map_err(|error| {
            Format::Go.error(Rule::Json {
                line: error.line() as u64,
                column: error.column() as u64,
            })
        })?;
        let bitset = text::decoded(Format::Go, &URL_SAFE, &object.b)?;
        let mut reader = Reader::new(Format::Go, &bitset);
        let filter = of_bitset(object.m, object.k, &mut reader)?;
        complete(Format::Go, &bitset, (filter, reader.rest()))?.copied()
    }
}

impl GoBloom<'_> {
    /// Returns the JSON form that Go's package `encoding/json` writes.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    pub fn to_json(&self) -> Result<String, FormatError> {
        let bytes = self.to_bytes()?;
        let bitset = &bytes[NUMBERS..];
        let (m, k) = (self.shape().bits(), self.shape().hashes());
        let start = alloc::format!("{{\"m\":{m},\"k\":{k},\"b\":\"");
        let end = "\"}";
        let length = base64::encoded_len(bitset.len(), true).unwrap_or(usize::MAX);
        let length = length.saturating_add(start.len() + end.len());
        let mut json = String::new();
        json.try_reserve_exact(length)
            .map_err(|_| Format::Go.memory(length as u64))?;
        json.push_str(&start);
        URL_SAFE.encode_string(bitset, &mut json);
        json.push_str(end);
        Ok(json)
    }
}
