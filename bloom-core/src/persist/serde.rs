//! Saves and loads filters through serde, as one byte string: the bytes of a saved filter.

use alloc::vec::Vec;
use core::fmt;
use core::hash::BuildHasher;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use super::parts::{Load, Parts};
use crate::filter::{Bloom, Kind, Table};
use crate::memory::Owned;

/// The maximum number of bytes that are reserved for the size hint of a sequence, because the hint
/// may be wrong.
const CAUTIOUS_BYTES: usize = 4096;

/// Serializes the bytes of [`to_bytes`](Bloom::to_bytes).
impl<K: Kind<B, Table: Parts>, T: ?Sized, S: BuildHasher, B> Serialize for Bloom<K, T, S, B> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_bytes(&self.to_bytes().map_err(Z::Error::custom)?)
    }
}

/// Loads like [`from_bytes_with_hasher`](Bloom::from_bytes_with_hasher) with `S::default()`.
impl<'de, K, T: ?Sized, S> Deserialize<'de> for Bloom<K, T, S>
where
    K: Kind<Owned, Table: Load>,
    S: BuildHasher + Default,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(Loader(PhantomData))
    }
}

/// Accepts bytes in any form that a format provides: borrowed, owned or one by one.
struct Loader<F>(PhantomData<fn() -> F>);

impl<'de, K, T: ?Sized, S> Visitor<'de> for Loader<Bloom<K, T, S>>
where
    K: Kind<Owned, Table: Load>,
    S: BuildHasher + Default,
{
    type Value = Bloom<K, T, S>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the bytes of a {}", K::Table::KIND)
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Bloom::from_bytes_with_hasher(bytes, S::default()).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut bytes = Vec::new();
        let hint = sequence.size_hint().unwrap_or(0);
        let reserved = bytes.try_reserve(hint.min(CAUTIOUS_BYTES));
        reserved.map_err(A::Error::custom)?;
        while let Some(byte) = sequence.next_element()? {
            bytes.try_reserve(1).map_err(A::Error::custom)?;
            bytes.push(byte);
        }
        self.visit_bytes(&bytes)
    }
}
