//! The ways in which four well-known programs and this project derive positions from an item, and the items
//! that the charts hash.

use bloom_listings::go::basic;
use bloom_listings::{digits, polynomials, visit_queue};

/// A function of `bloom-listings`, which rebuilds the programs. It takes an item, the bits m and the hashes k, and returns
/// the positions.
pub(crate) type Positions = fn(&str, u64, u64) -> Vec<u64>;

/// A hashing scheme: how positions are derived from an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hashing {
    /// For each hash a polynomial over the characters of the item, in wrapping 32-bit arithmetic, modulo m.
    Polynomials,
    /// Double hashing with the 32-bit halves of 64-bit FNV-1.
    Fnv1Halves,
    /// The digits in base m of MD5 digests.
    Md5Digits,
    /// Double hashing with the 64-bit halves of murmur3.
    Murmur3Halves,
    /// The hashing of this project's filters.
    Ours,
}

impl Hashing {
    /// Every scheme.
    pub const ALL: [Self; 5] = [
        Self::Polynomials,
        Self::Fnv1Halves,
        Self::Md5Digits,
        Self::Murmur3Halves,
        Self::Ours,
    ];

    /// Returns the name that the chart shows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Polynomials => "polynomials",
            Self::Fnv1Halves => "FNV-1",
            Self::Md5Digits => "MD5 digits",
            Self::Murmur3Halves => "murmur3",
            Self::Ours => "ours",
        }
    }

    /// Returns the function that computes positions, or `None` for this project's filter, which does
    /// not expose its positions.
    pub(crate) fn positions(self) -> Option<Positions> {
        match self {
            Self::Polynomials => Some(polynomials::positions),
            Self::Fnv1Halves => Some(basic::positions),
            Self::Md5Digits => Some(digits::positions),
            Self::Murmur3Halves => Some(visit_queue::positions),
            Self::Ours => None,
        }
    }
}

/// The form of the items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// Decimal numbers of up to eight digits, in no particular order.
    Numbers,
    /// URLs that end with such a number.
    Urls,
}

impl Keys {
    /// Returns the item with this index. The first ten million items are distinct.
    pub fn item(self, index: u64) -> String {
        let number = index * 3_141_593 % 10_000_019;
        match self {
            Self::Numbers => number.to_string(),
            Self::Urls => format!("https://example.org/page/{number}"),
        }
    }

    /// Returns the word for these items in the title of the chart.
    pub fn name(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::Urls => "URLs",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_differ() {
        let mut items: Vec<String> = (0..10_000).map(|i| Keys::Urls.item(i)).collect();
        items.sort();
        items.dedup();
        assert_eq!(items.len(), 10_000);
    }
}
