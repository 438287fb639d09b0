//! The bytes that a fuzz target loads as a filter: the fuzzer's input itself, or a saved filter with edits.

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_fuzz_kit::Bytes;

use super::Edit;
use crate::repro::List;

/// Where the bytes are from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source<F> {
    /// The input itself.
    Raw(Bytes),
    /// The bytes of a filter that is saved; then these bytes are edited.
    Saved {
        /// The description of the filter: its size and its items.
        filter: F,
        /// The edits.
        edits: List<Edit>,
    },
}

impl<F> Source<F> {
    /// Returns the bytes; `save` builds a filter and returns the bytes of its file.
    pub(super) fn bytes(&self, save: impl FnOnce(&F) -> Vec<u8>) -> Vec<u8> {
        match self {
            Self::Raw(bytes) => bytes.0.clone(),
            Self::Saved { filter, edits } => {
                let mut bytes = save(filter);
                edits.0.iter().for_each(|edit| edit.apply(&mut bytes));
                bytes
            }
        }
    }

    /// Draws a source from the rest of the input. If `is_raw`, the rest is taken as the bytes; otherwise a filter and at most 8
    /// edits are drawn from it.
    pub(super) fn rest<'a>(u: &mut Unstructured<'a>, is_raw: bool) -> Result<Self>
    where
        F: Arbitrary<'a>,
    {
        Ok(if is_raw {
            Self::Raw(Bytes(u.bytes(u.len())?.to_vec()))
        } else {
            Self::Saved {
                filter: u.arbitrary()?,
                edits: List::rest(u, 8)?,
            }
        })
    }
}
