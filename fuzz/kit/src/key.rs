//! The keys of a case: drawn so that the same come again, for only those can be lost.

use std::fmt;
use std::hash::Hash;

use arbitrary::{Arbitrary, Result, Unstructured};

/// A key that a case owns, and the item that a filter is typed on.
pub trait Key: Clone + fmt::Debug + Ord + for<'a> Arbitrary<'a> {
    /// What the filter takes.
    type Item: Hash + ?Sized;

    /// Returns the item of this key.
    fn item(&self) -> &Self::Item;
}

/// An integer, most often a small one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Integer(pub u64);

impl Key for Integer {
    type Item = u64;

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

/// A string of 0 to 126 bytes, most often a short one.
///
/// Long enough to reach every branch of a hash that treats short and long input apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub Vec<u8>);

impl Key for Bytes {
    type Item = [u8];

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
