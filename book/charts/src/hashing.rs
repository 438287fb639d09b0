//! The ways in which well-known programs turn an item into positions, and the items they are given.

use bloom_listings::go::basic;
use bloom_listings::{digits, polynomials, visit_queue};

/// A listing's positions of an item, for the bits m and the hashes k.
pub(crate) type Positions = fn(&str, u64, u64) -> Vec<u64>;

/// A way from an item to its positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hashing {
    /// One polynomial a hash, in wrapping 32-bit arithmetic, masked to the size.
    Polynomials,
    /// Double hashing with the 32-bit halves of 64-bit FNV-1.
    Fnv1Halves,
    /// The digits in base m of MD5 digests.
    Md5Digits,
    /// Double hashing with the 64-bit halves of murmur3.
    Murmur3Halves,
    /// This project's filter.
    Ours,
}

impl Hashing {
    /// Every way.
    pub const ALL: [Self; 5] = [
        Self::Polynomials,
        Self::Fnv1Halves,
        Self::Md5Digits,
        Self::Murmur3Halves,
        Self::Ours,
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Polynomials => "polynomials",
            Self::Fnv1Halves => "FNV-1",
            Self::Md5Digits => "MD5 digits",
            Self::Murmur3Halves => "murmur3",
            Self::Ours => "ours",
        }
    }

    /// Returns the listing that has it; `None` for this project's filter, which shows no positions.
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

/// What the items look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// Numbers of up to eight digits, in no order.
    Numbers,
    /// The addresses of pages with such numbers.
    Urls,
}

impl Keys {
    /// Returns the item with this index; the first ten million differ.
    pub fn item(self, index: u64) -> String {
        let number = index * 3_141_593 % 10_000_019;
        match self {
            Self::Numbers => number.to_string(),
            Self::Urls => format!("https://example.org/page/{number}"),
        }
    }

    /// Returns what they are, in a word.
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
