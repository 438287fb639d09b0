//! How some well-known programs turn an item into positions, and the items they are given.
//!
//! The programs are rebuilt, whole and with their faults, among the book's listings. Those are no
//! crate to depend on, so what is needed of them is here again; the test holds one to the other.

use md5::{Digest, Md5};

/// A way from an item to its positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hashing {
    /// One polynomial a hash, with the factors 5, 7, 11, 13, 31, 37 and 61, in wrapping 32-bit
    /// arithmetic, masked to the size.
    Polynomials,
    /// FNV-1 with 64 bits, and double hashing with its 32-bit halves in 32-bit arithmetic.
    Fnv1Halves,
    /// The digits in base m of MD5 digests of the item with dots appended.
    Md5Digits,
    /// Double hashing with the 64-bit halves of murmur3, of 128 bits.
    Murmur3Halves,
    /// This project's filter.
    Ours,
}

/// The factors of the polynomials.
const FACTORS: [u32; 7] = [5, 7, 11, 13, 31, 37, 61];

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

    /// Calls `found` with each of k positions of an item among m bits, a power of two; none for
    /// [`Hashing::Ours`], which has a filter of its own.
    pub(crate) fn positions(self, item: &str, m: u64, k: u8, mut found: impl FnMut(u64)) {
        match self {
            Self::Polynomials => {
                for factor in FACTORS.into_iter().take(k.into()) {
                    let hash = item.encode_utf16().fold(0_u32, |hash, unit| {
                        hash.wrapping_mul(factor).wrapping_add(unit.into())
                    });
                    found(u64::from(hash) & (m - 1));
                }
            }
            Self::Fnv1Halves => {
                let hash = item.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                    hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte)
                });
                let (low, high) = (hash as u32, (hash >> 32) as u32);
                for i in 0..u32::from(k) {
                    found(u64::from(low.wrapping_add(high.wrapping_mul(i))) % m);
                }
            }
            Self::Md5Digits => {
                let (mut text, mut digest) = (item.to_owned(), 0_u128);
                for _ in 0..k {
                    if digest < m.into() {
                        text.push('.');
                        digest = u128::from_be_bytes(Md5::digest(&text).into());
                    }
                    found((digest % u128::from(m)) as u64);
                    digest /= u128::from(m);
                }
            }
            Self::Murmur3Halves => {
                let hash = fastmurmur3::hash(item.as_bytes());
                let (low, high) = (hash & u128::from(u64::MAX), hash >> 64);
                for i in 0..u128::from(k) {
                    found(((low + high * i) % u128::from(m)) as u64);
                }
            }
            Self::Ours => {}
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
    use bloom_listings::go::basic;
    use bloom_listings::{digits, polynomials, visit_queue};

    use super::*;

    /// From an item, the bits and the hashes to the positions.
    type Program = fn(&str, u64, u64) -> Vec<u64>;

    #[test]
    fn positions_are_those_of_the_programs_that_the_book_rebuilds() {
        let programs: [(Hashing, Program); 4] = [
            (Hashing::Polynomials, polynomials::positions),
            (Hashing::Fnv1Halves, basic::positions),
            (Hashing::Md5Digits, digits::positions),
            (Hashing::Murmur3Halves, visit_queue::positions),
        ];
        let items = (0..100).flat_map(|i| [Keys::Numbers.item(i), Keys::Urls.item(i)]);
        for item in items.chain([String::new(), "a".to_owned(), "ÄΩ🐜".to_owned()]) {
            for (hashing, program) in programs {
                for (m, k) in [(1 << 10, 1), (1 << 17, 7), (1 << 25, 7), (1 << 28, 5)] {
                    let mut all = Vec::new();
                    hashing.positions(&item, m, k, |position| all.push(position));
                    assert_eq!(all, program(&item, m, k.into()), "{item:?} by {hashing:?}");
                }
            }
        }
    }

    #[test]
    fn items_differ() {
        let mut items: Vec<String> = (0..10_000).map(|i| Keys::Urls.item(i)).collect();
        items.sort();
        items.dedup();
        assert_eq!(items.len(), 10_000);
    }
}
