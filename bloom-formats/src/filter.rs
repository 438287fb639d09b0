//! Defines the trait [`Filter`], for code that takes filters of any system, and the type [`Key`] of their keys.

use alloc::boxed::Box;
use alloc::vec::Vec;

use bloom_core::Shape;
use bloom_core::math::Estimate;

use crate::error::{Field, Format, FormatError, KeyType, Must, Value};
use crate::rate::Rate;
use crate::warning::Warning;

/// A filter of any system. A filter owns its bits, or it is in place: it then reads the bits in the bytes that it was made
/// from.
///
/// The methods of each filter type take only the keys of its system, so that a key of another type does not compile. This trait
/// takes any [`Key`], and returns an error for a type of key that the system does not have.
///
/// # Examples
///
/// ```
/// use bloom_formats::{Filter, GoBloom, GuavaBloom, GuavaStrategy, Key};
///
/// let mut filters: Vec<Box<dyn Filter>> = vec![
///     Box::new(GuavaBloom::with_rate(GuavaStrategy::Mitz64, 1_000, 0.01)?),
///     Box::new(GoBloom::with_rate(1_000, 0.01)?),
/// ];
/// for filter in &mut filters {
///     filter.insert(Key::from("user-7"))?;
///     assert!(filter.contains(Key::from("user-7"))?);
/// }
/// // Go's library takes bytes alone.
/// let error = filters[1].contains(Key::Long(7)).unwrap_err();
/// let message = "Go filter: key must be of a type that the system takes, got a 64-bit integer";
/// assert_eq!(error.to_string(), message);
/// # Ok::<(), bloom_formats::FormatError>(())
/// ```
pub trait Filter: Send + Sync {
    /// Returns the format.
    fn format(&self) -> Format;

    /// Returns the number of bits and the number of hashes. A filter of RedisBloom, and a dynamic filter of Hadoop, is a list
    /// of Bloom filters: its bits are those of the whole list, and its hashes are those of the last filter in the list.
    fn shape(&self) -> Shape;

    /// Returns `false` only if the key was certainly not inserted.
    ///
    /// # Errors
    ///
    /// The system must have keys of this type, and a key of Hadoop must have at least one byte.
    fn contains(&self, key: Key<'_>) -> Result<bool, FormatError>;

    /// Inserts a key and returns whether it was certainly new. A filter in place copies its bits first.
    ///
    /// # Errors
    ///
    /// As for [`contains`](Self::contains). The memory must be available, and a filter of RedisBloom that does not grow must
    /// not be full.
    fn insert(&mut self, key: Key<'_>) -> Result<bool, FormatError>;

    /// Inserts all keys of another filter. A filter in place copies its bits first.
    ///
    /// # Errors
    ///
    /// The other filter must be of the same type as this one, and the parameters that the system compares before a merge must
    /// be equal. RedisBloom cannot merge. The memory for a copy of the other filter must be available, and for a copy of this
    /// filter if it is in place.
    fn merge(&mut self, other: &dyn Filter) -> Result<(), FormatError>;

    /// Inserts all keys of the filter in these bytes, which may be those of a mapped file. They are read in place.
    ///
    /// # Errors
    ///
    /// As for [`merge`](Self::merge), and the bytes must be a filter of the same type as this one.
    fn merge_bytes(&mut self, other: &[u8]) -> Result<(), FormatError>;

    /// Returns a copy that owns its bits.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    fn owned(&self) -> Result<Box<dyn Filter>, FormatError>;

    /// Returns the share of set bits, from 0 to 1. O(m).
    fn fill(&self) -> f64;

    /// Estimates the number of distinct items from the set bits, with its standard deviation. Returns `None` if no key can set
    /// a further bit in the filter, or in one of the Bloom filters of a list. O(m).
    fn estimated_items(&self) -> Option<Estimate>;

    /// Returns the false-positive rate at the present fill, with the system's hashing. O(m) or more. For most systems, only the
    /// mean rate of filters of this size can be computed. Then the rate is measured, with up to 2^20 queries, if the filter is
    /// small or the mean is known only within wide bounds.
    fn present_rate(&self) -> Rate;

    /// Returns the value of [`present_rate`](Self::present_rate).
    fn false_positive_rate(&self) -> f64 {
        self.present_rate().value
    }

    /// Returns the mean false-positive rate of filters of this size with `items` distinct items, or an upper bound of this
    /// mean where only bounds are known.
    fn expected_false_positive_rate(&self, items: u64) -> f64;

    /// Returns the reasons not to trust this filter, such as that it is full. O(m) or more.
    fn warnings(&self) -> Vec<Warning>;

    /// Returns the bytes that the system writes.
    ///
    /// # Errors
    ///
    /// The memory must be available.
    fn to_bytes(&self) -> Result<Vec<u8>, FormatError>;
}

/// A key of any type; numbers, strings and bytes convert into one.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Key<'a> {
    /// A string, given as the bytes that the system hashes: as a rule, its UTF-8.
    Text(&'a [u8]),
    /// Bytes.
    Bytes(&'a [u8]),
    /// A string that is hashed as UTF-16, by Guava's funnel of unencoded characters.
    Utf16(&'a str),
    /// An integer of 64 bits.
    Long(i64),
    /// An integer of 32 bits.
    Int(i32),
    /// A floating-point number of 64 bits.
    Double(f64),
    /// A floating-point number of 32 bits.
    Float(f32),
}

impl<'a> Key<'a> {
    /// Converts a text, bytes or an integer of 64 bits into a system's key, and refuses all other types. A text becomes its
    /// bytes.
    pub(crate) fn bytes_or_long<K>(self, format: Format) -> Result<K, FormatError>
    where
        K: From<&'a [u8]> + From<i64>,
    {
        match self {
            Self::Text(bytes) | Self::Bytes(bytes) => Ok(bytes.into()),
            Self::Long(value) => Ok(value.into()),
            other => Err(other.refused(format)),
        }
    }

    /// Returns the error for a key of a type that the system does not have.
    pub(crate) fn refused(self, format: Format) -> FormatError {
        let kind = match self {
            Self::Text(_) => KeyType::Text,
            Self::Bytes(_) => KeyType::Bytes,
            Self::Utf16(_) => KeyType::Utf16,
            Self::Long(_) => KeyType::Long,
            Self::Int(_) => KeyType::Int,
            Self::Double(_) => KeyType::Double,
            Self::Float(_) => KeyType::Float,
        };
        format.field(Field::Key, Must::TypeOfSystem, Value::Key(kind))
    }
}

/// Implements `From` for a system's type of keys, from each of the listed types. If variants of [`Key`] are listed before these
/// types, also implements [`SystemKey`]: texts, bytes, integers of 64 bits and the listed variants then become keys of the
/// system.
macro_rules! key_from {
    ($Key:ident<$life:lifetime>: $($Type:ident),+; $($from:tt)+) => {
        key_from! { $Key<$life> $($from)+ }

        impl<$life> SystemKey<$life> for $Key<$life> {
            fn of(key: Key<$life>, format: Format) -> Result<Self, FormatError> {
                match key {
                    $(Key::$Type(value) => Ok(value.into()),)+
                    other => other.bytes_or_long(format),
                }
            }
        }
    };
    ($Key:ident<$life:lifetime> $($value:ident: $From:ty => $key:expr),+ $(,)?) => {$(
        impl<$life> From<$From> for $Key<$life> {
            #[inline]
            fn from($value: $From) -> Self {
                $key
            }
        }
    )+};
}
#[allow(unused_imports, reason = "not every format has keys of its own")]
pub(crate) use key_from;

key_from! { Key<'a>
    text: &'a str => Self::Text(text.as_bytes()),
    bytes: &'a [u8] => Self::Bytes(bytes),
    value: i64 => Self::Long(value),
    value: i32 => Self::Int(value),
    value: f64 => Self::Double(value),
    value: f32 => Self::Float(value),
}

/// A key as a system hashes it. Each system takes only some of the types of [`Key`].
pub trait SystemKey<'k>: Sized {
    /// Returns a key as the system hashes it; an error if the system has no keys of its type.
    fn of(key: Key<'k>, format: Format) -> Result<Self, FormatError>;
}

/// A key of a system that hashes bytes alone. A reference to any type that is `AsRef<[u8]>` converts into this key: a string
/// becomes its UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ByteKey<'a>(pub &'a [u8]);

impl<'k> SystemKey<'k> for ByteKey<'k> {
    fn of(key: Key<'k>, format: Format) -> Result<Self, FormatError> {
        match key {
            Key::Text(bytes) | Key::Bytes(bytes) => Ok(Self(bytes)),
            other => Err(other.refused(format)),
        }
    }
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for ByteKey<'a> {
    #[inline]
    fn from(bytes: &'a T) -> Self {
        Self(bytes.as_ref())
    }
}
