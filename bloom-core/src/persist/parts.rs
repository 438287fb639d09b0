//! The interface between a filter and the code that writes and reads files.

use core::hash::BuildHasher;

use super::error::LoadError;
use super::header::Header;
use super::kind::FilterKind;
use super::opened::Opened;

/// A filter as a header and words.
pub(super) trait Parts: Sized {
    /// The builder of its hasher.
    type Hasher: BuildHasher;

    /// The kind of the filter in its files.
    const KIND: FilterKind;

    /// Returns the header of its file.
    fn header(&self) -> Header;

    /// Returns the words of the payload, as many as the header specifies.
    fn payload(&self) -> impl Iterator<Item = u64>;

    /// Builds the filter from a file of its kind, which is checked as a whole, and its hasher.
    /// Header fields that are not used here are checked by the caller.
    fn read(file: Opened<'_>, hash_builder: Self::Hasher) -> Result<Self, LoadError>;
}
