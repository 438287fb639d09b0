//! Saves and loads through serde: one byte string, the same bytes as everywhere.

use alloc::vec::Vec;
use core::fmt;
use core::hash::BuildHasher;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use super::parts::{Load, Parts};
use super::read::load;
use super::write::to_vec;
use crate::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, PartitionedBloomFilter,
    ScalableBloomFilter,
};

/// The maximum number of bytes reserved because of a sequence's size hint.
const CAUTIOUS_BYTES: usize = 4096;

/// Implements serde's traits for each `$filter`.
macro_rules! impl_serde {
    ($($filter:ident)*) => {$(
        /// Serializes the bytes of [`to_bytes`](Self::to_bytes).
        impl<T: ?Sized, S: BuildHasher> Serialize for $filter<T, S> {
            fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                serialize(self, serializer)
            }
        }

        /// Loads like [`from_bytes_with_hasher`](Self::from_bytes_with_hasher) with `S::default()`.
        impl<'de, T: ?Sized, S: BuildHasher + Default> Deserialize<'de> for $filter<T, S> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserialize(deserializer)
            }
        }
    )*};
}

impl_serde! {
    BloomFilter BlockedBloomFilter CountingBloomFilter PartitionedBloomFilter ScalableBloomFilter
}

fn serialize<Z: Serializer>(filter: &impl Parts, serializer: Z) -> Result<Z::Ok, Z::Error> {
    serializer.serialize_bytes(&to_vec(filter).map_err(Z::Error::custom)?)
}

fn deserialize<'de, P, D>(deserializer: D) -> Result<P, D::Error>
where
    P: Load,
    P::Hasher: Default,
    D: Deserializer<'de>,
{
    deserializer.deserialize_bytes(Loader(PhantomData))
}

/// Accepts bytes in any form that a format provides: borrowed, owned or one by one.
struct Loader<P>(PhantomData<fn() -> P>);

impl<'de, P> Visitor<'de> for Loader<P>
where
    P: Load,
    P::Hasher: Default,
{
    type Value = P;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the bytes of a {}", P::KIND)
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<P, E> {
        load(bytes, P::Hasher::default()).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<P, A::Error> {
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
