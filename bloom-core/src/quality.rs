//! How random the hashes of a filter are promised to be.

use core::fmt;

/// How random the hashes of a filter are promised to be, and so how often the filter folds each hash before use.
///
/// A filter derives all positions of an item from one 64-bit hash, and needs every bit of this hash to be as random as
/// the others. A fold (the two halves of a 128-bit product, XORed) makes the bits equally random, and costs a query some
/// 0.4 ns. The default hasher is made for one fold; the hashes of any other hasher are folded twice unless
/// `with_hash_quality` promises more. The quality is part of the filter: the positions depend on it, a file states it,
/// and filters are equal or united only if they agree on it.
///
/// A promise that does not hold raises the rate, but loses no item. Measured for sequential and otherwise
/// structured integers: an identity hasher (or FNV) promised as [`Folded`](Self::Folded) gave up to
/// 2.8 times the expected rate, and `foldhash::fast` or the default hasher promised as
/// [`Avalanching`](Self::Avalanching) up to 7.6 times.
///
/// # Examples
///
/// ```
/// use bloom_core::{BloomFilter, HashQuality};
/// use std::hash::RandomState;
///
/// // SipHash avalanches, so nothing need be folded.
/// let mut seen = BloomFilter::<str, _>::with_rate_and_hasher(1_000, 0.01, RandomState::new())?
///     .with_hash_quality(HashQuality::Avalanching)?;
/// assert_eq!(seen.hash_quality().folds(), 0);
/// seen.insert("ant");
/// assert!(seen.contains("ant"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HashQuality {
    /// Unequal items nearly always have unequal hashes, and no more is promised: an identity hasher on
    /// sequential integers, FNV. Folded twice.
    Any,
    /// The hasher ends with a folded multiplication, like [`FixedState`](crate::FixedState) and `foldhash::fast`.
    /// Folded once.
    Folded,
    /// Each bit of an item changes each bit of its hash with probability one half: SipHash, `XXH3`,
    /// a full rapidhash or wyhash, what Boost calls *avalanching*. Not folded.
    Avalanching,
}

impl HashQuality {
    /// Returns how often a filter folds hashes of this quality: 2, 1 or 0. A file stores this
    /// number.
    #[must_use]
    pub const fn folds(self) -> u8 {
        match self {
            Self::Any => 2,
            Self::Folded => 1,
            Self::Avalanching => 0,
        }
    }

    /// Returns the quality whose hashes are folded this often, if there is one.
    pub(crate) fn of_folds(folds: u8) -> Option<Self> {
        let all = [Self::Any, Self::Folded, Self::Avalanching];
        all.into_iter().find(|quality| quality.folds() == folds)
    }
}

/// Displays the promise: "any hash", "a folded hash" or "an avalanching hash".
impl fmt::Display for HashQuality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => "any hash",
            Self::Folded => "a folded hash",
            Self::Avalanching => "an avalanching hash",
        })
    }
}
