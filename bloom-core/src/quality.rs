//! How random the hashes of a filter are promised to be.

use core::fmt;

/// How random the hashes of a filter are promised to be, and so how often the filter folds each hash before use.
///
/// A filter derives all positions of an item from one 64-bit hash, and needs every bit of this hash to be as random as
/// the others. A *fold* multiplies the hash by a constant and XORs the two halves of the 128-bit product; it makes the
/// bits of the hash equally random, and costs a query some 0.4 ns. A constructor that takes no hasher uses the default
/// one, whose hashes are folded once. A constructor that takes a hasher folds its hashes twice, unless
/// `with_hash_quality` then promises a higher quality. The quality is part of the filter: the positions depend on it, a
/// file states it, and two filters can be equal or united only if their qualities are equal.
///
/// A false promise raises the false-positive rate, but loses no item. With sequential and otherwise
/// structured integers, the measured rates were up to 2.8 times the expected rate if an identity hasher
/// or FNV was promised to be [`Folded`](Self::Folded), and up to 7.6 times if `foldhash::fast` or the
/// default hasher was promised to be [`Avalanching`](Self::Avalanching).
///
/// # Examples
///
/// ```
/// use bloom_core::{BloomFilter, HashQuality};
/// use std::hash::RandomState;
///
/// // SipHash needs no fold: each bit of an item changes each bit of its hash with probability one
/// // half.
/// let mut seen = BloomFilter::<str, _>::with_rate_and_hasher(1_000, 0.01, RandomState::new())?
///     .with_hash_quality(HashQuality::Avalanching)?;
/// assert_eq!(seen.hash_quality().folds(), 0);
/// seen.insert("ant");
/// assert!(seen.contains("ant"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HashQuality {
    /// Unequal items nearly always have unequal hashes, and no more is promised. Examples: an identity
    /// hasher on sequential integers, FNV. The hashes are folded twice.
    Any,
    /// One more fold makes the hashes [`Avalanching`](Self::Avalanching), because the hasher has
    /// already folded its input. Examples: [`FixedState`](crate::FixedState), `foldhash::fast`. The
    /// hashes are folded once.
    Folded,
    /// Each bit of an item changes each bit of its hash with probability one half; Boost calls such
    /// a hash *avalanching*. Examples: SipHash, `XXH3`, and rapidhash or wyhash with their last
    /// step. The hashes are not folded.
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
