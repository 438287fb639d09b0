//! The keys of a script, each of which stands for an item of a filter. They are drawn so that a script often has the same key
//! twice: a lost item is noticed only if a key that was inserted is queried.

use std::fmt;
use std::hash::{BuildHasher, Hash};

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::repro::List;
use crate::state::AnyState;

/// A key of a script. Its type determines the type of the filter's items.
pub trait Key: Clone + fmt::Debug + Ord + for<'a> Arbitrary<'a> {
    /// The item that the filter takes.
    type Item: Hash + ?Sized;
    /// The keys of a batch call.
    type Many: Keys<Self>;

    /// Returns the item of this key.
    fn item(&self) -> &Self::Item;

    /// Returns the hash of the key in a filter with this hasher.
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

/// An integer, usually a small one.
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

/// A string of 0 to 126 bytes, usually a short one.
///
/// Some strings are this long because a hasher may treat short and long input by different branches.
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

/// Prints Rust source, with a byte string literal.
impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes(b\"{}\".to_vec())", self.0.escape_ascii())
    }
}
