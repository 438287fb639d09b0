//! What writing and reading ask of a filter.

use core::hash::BuildHasher;

use super::error::LoadError;
use super::header::Header;
use super::kind::FilterKind;
use super::opened::Opened;

/// A filter as a header and words.
pub(super) trait Parts: Sized {
    /// Builds its hasher.
    type Hasher: BuildHasher;

    /// Tells it from the others.
    const KIND: FilterKind;

    /// Returns the header of its file.
    fn header(&self) -> Header;

    /// Returns as many words as the header says.
    fn payload(&self) -> impl Iterator<Item = u64>;

    /// Builds it from a file of its kind, checked as a whole, and its hasher. What the header has
    /// beyond the fields that are used here is checked by the caller.
    fn read(file: Opened<'_>, hash_builder: Self::Hasher) -> Result<Self, LoadError>;
}
