//! The keys of a case, drawn so that the same key comes up again: only a repeated key can be lost.

use std::fmt;
use std::hash::{BuildHasher, Hash};

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::repro::List;
use crate::state::AnyState;

/// A key that a case owns, and the item that a filter is typed on.
pub trait Key: Clone + fmt::Debug + Ord + for<'a> Arbitrary<'a> {
    /// What the filter takes.
    type Item: Hash + ?Sized;
    /// Several keys for one call.
    type Many: Keys<Self>;

    /// Returns the item of this key.
    fn item(&self) -> &Self::Item;

    /// Returns the hash that a filter with this hasher takes the key for.
    fn hash(&self, state: AnyState) -> u64 {
        state.hash_one(self.item())
    }
}

/// Several keys.
pub trait Keys<K>: Clone + fmt::Debug + Eq + for<'a> Arbitrary<'a> {
    /// Returns the keys.
    fn keys(&self) -> Vec<K>;
}

impl<K: Key> Keys<K> for List<K> {
    fn keys(&self) -> Vec<K> {
        self.0.clone()
    }
}

/// An integer, most often a small one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Integer(pub u64);

impl Key for Integer {
    type Item = u64;
    type Many = List<Self>;

    fn item(&self) -> &u64 {
        &self.0
    }
}

impl<'a> Arbitrary<'a> for Integer {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self(match u.arbitrary::<u8>()? {
            small @ 0..240 => small.into(),
            large @ 240..248 => u64::MAX - u64::from(large - 240),
            _ => u.arbitrary()?,
        }))
    }
}

/// A hash, for a filter that is used by its hashes: drawn like an [`Integer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hashed(pub u64);

impl Key for Hashed {
    type Item = u64;
    type Many = Run;

    fn item(&self) -> &u64 {
        &self.0
    }

    fn hash(&self, _: AnyState) -> u64 {
        self.0
    }
}

impl<'a> Arbitrary<'a> for Hashed {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self(u.arbitrary::<Integer>()?.0))
    }
}

/// Hashes in a row: `from`, `from + step` and so on, modulo 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The first.
    pub from: u64,
    /// From one to the next.
    pub step: u64,
    /// How many.
    pub count: u16,
}

impl Run {
    /// Returns the hashes.
    pub fn hashes(self) -> Vec<u64> {
        let hash = |number: u16| {
            self.from
                .wrapping_add(self.step.wrapping_mul(number.into()))
        };
        (0..self.count).map(hash).collect()
    }
}

impl Keys<Hashed> for Run {
    fn keys(&self) -> Vec<Hashed> {
        self.hashes().into_iter().map(Hashed).collect()
    }
}

impl<'a> Arbitrary<'a> for Run {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let from = u.arbitrary::<Integer>()?.0;
        let step = match u.int_in_range(0..=3)? {
            0 => 1,
            1 => 0x9e37_79b9_7f4a_7c15,
            2 => u.arbitrary::<Integer>()?.0,
            _ => 1 << u.int_in_range(0..=63)?,
        };
        // Few, or around the sizes of the groups that batches work in.
        let count = match u.int_in_range(0..=3)? {
            0 => *u.choose(&[0, 1, 31, 32, 33, 127, 128, 129, 255, 256, 257])?,
            1 => u.int_in_range(0..=700)?,
            _ => u.int_in_range(0..=20)?,
        };
        Ok(Self { from, step, count })
    }
}

/// A string of 0 to 126 bytes, most often a short one.
///
/// Long enough to reach every branch of a hash that treats short and long input apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub Vec<u8>);

impl Key for Bytes {
    type Item = [u8];
    type Many = List<Self>;

    fn item(&self) -> &[u8] {
        &self.0
    }
}

impl<'a> Arbitrary<'a> for Bytes {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let wanted = match u.arbitrary::<u8>()? {
            short @ 0..192 => short % 8,
            long => (long - 192) * 2,
        };
        let bytes = u.bytes(u.len().min(wanted.into()))?;
        Ok(Self(bytes.to_vec()))
    }
}

/// As Rust, with a byte string literal.
impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes(b\"{}\".to_vec())", self.0.escape_ascii())
    }
}
