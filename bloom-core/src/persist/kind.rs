//! Defines the kinds of filters, and the number by which a file states each kind.

use core::fmt;

/// The kind of a saved filter.
///
/// # Examples
///
/// ```
/// use bloom_core::{BlockedBloomFilter, BloomFilter, FilterKind, LoadError};
///
/// let bytes = BloomFilter::<str>::with_rate(100, 0.01)?.to_bytes()?;
/// let error = BlockedBloomFilter::<str>::from_bytes(&bytes).unwrap_err();
/// assert_eq!(
///     error,
///     LoadError::Kind { requested: FilterKind::Blocked, stored: FilterKind::Basic }
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FilterKind {
    /// [`BloomFilter`](crate::BloomFilter): number 1 in a file.
    Basic = 1,
    /// [`BlockedBloomFilter`](crate::BlockedBloomFilter): number 2 in a file.
    Blocked = 2,
    /// [`CountingBloomFilter`](crate::CountingBloomFilter): number 3 in a file.
    Counting = 3,
    /// [`PartitionedBloomFilter`](crate::PartitionedBloomFilter): number 4 in a file.
    Partitioned = 4,
    /// [`ScalableBloomFilter`](crate::ScalableBloomFilter): number 5 in a file.
    Scalable = 5,
}

impl FilterKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 5] = [
        Self::Basic,
        Self::Blocked,
        Self::Counting,
        Self::Partitioned,
        Self::Scalable,
    ];

    /// Returns the number of the kind in a file.
    pub(super) fn code(self) -> u8 {
        self as u8
    }

    /// Returns the kind with this number, if there is one.
    pub(super) fn of_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// Returns the name of the filter type.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Basic => "BloomFilter",
            Self::Blocked => "BlockedBloomFilter",
            Self::Counting => "CountingBloomFilter",
            Self::Partitioned => "PartitionedBloomFilter",
            Self::Scalable => "ScalableBloomFilter",
        }
    }
}

/// Displays the name of the filter type.
impl fmt::Display for FilterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
