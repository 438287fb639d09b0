//! Defines [`Opened`], a filter of any system with what is reported about it.

use bloom_core::LoadError;
use bloom_core::math::Estimate;
use bloom_formats::{Filter, Format, FormatError, Key, Rule};
use bloom_params::InputError;
use bloom_params::report::Value;

use super::core;
use crate::core_filter::CoreFilter;
use crate::facts::Facts;

/// A filter that is read or created.
pub(crate) enum Opened<'a> {
    /// A filter of another system than bloom-core.
    Foreign(Foreign<'a>),
    /// A filter of bloom-core.
    Own(CoreFilter<&'a [u8]>),
}

/// A filter of another system than bloom-core, with what is reported about it.
pub(crate) struct Foreign<'a> {
    filter: Box<dyn Filter + 'a>,
    about: About,
}

/// What is reported about a filter and depends on its system.
#[derive(Default)]
pub(super) struct About {
    /// The system, version and the like, for people.
    pub(super) what: String,
    /// The same facts as `what` for programs: names and values.
    pub(super) fields: Vec<(&'static str, Value)>,
    /// The number of items that the system has counted, if it counts items.
    pub(super) counted: Option<u64>,
    /// How many bytes of data are attached to the filter.
    pub(super) data_bytes: u64,
    /// Whether the filter grows as it fills.
    pub(super) grows: bool,
    /// Whether nothing in the bytes proves the format, so that the format must be named.
    pub(super) needs_name: bool,
}

impl<'a> Opened<'a> {
    /// Wraps a filter of another system than bloom-core.
    pub(super) fn foreign(filter: impl Filter + 'a, about: About) -> Self {
        let filter = Box::new(filter);
        Self::Foreign(Foreign { filter, about })
    }

    /// Returns whether nothing in the bytes proves the format, so that the format must be named.
    pub(crate) fn needs_name(&self) -> bool {
        matches!(self, Self::Foreign(foreign) if foreign.about.needs_name)
    }

    /// Returns how many bytes of data are attached to the filter.
    pub(crate) fn data_bytes(&self) -> u64 {
        match self {
            Self::Foreign(foreign) => foreign.about.data_bytes,
            Self::Own(_) => 0,
        }
    }

    /// Marks the filter as one whose format must be named.
    pub(super) fn bare(mut self) -> Self {
        if let Self::Foreign(foreign) = &mut self {
            foreign.about.needs_name = true;
        }
        self
    }

    /// Returns the false-positive rate at the present fill. O(m) or more.
    pub(crate) fn rate(&self) -> f64 {
        match self {
            Self::Foreign(foreign) => foreign.filter.false_positive_rate(),
            Self::Own(own) => own.false_positive_rate(),
        }
    }

    /// Estimates the number of distinct items; `None` if there is no estimate. O(m).
    pub(crate) fn estimated_items(&self) -> Option<Estimate> {
        match self {
            Self::Foreign(foreign) => foreign.filter.estimated_items(),
            Self::Own(own) => own.estimated_items().ok(),
        }
    }

    pub(crate) fn facts(&self) -> Facts {
        let Foreign { filter, about } = match self {
            Self::Foreign(foreign) => foreign,
            Self::Own(own) => return core::facts(own),
        };
        let rate = filter.present_rate();
        Facts {
            what: about.what.clone(),
            fields: about.fields.clone(),
            bits: filter.shape().bits(),
            hashes: filter.shape().hashes().into(),
            fill: filter.fill(),
            items: filter.estimated_items(),
            counted: about.counted,
            needs_name: about.needs_name,
            rate: rate.value,
            deviation: rate.standard_deviation,
            measured: rate.keys,
            warnings: filter.warnings().iter().map(ToString::to_string).collect(),
        }
    }

    /// Returns the mean rate of filters of this size with `items` items; `None` for a filter that grows, because its size
    /// changes.
    pub(crate) fn expected_rate(&self, items: u64) -> Option<f64> {
        match self {
            Self::Foreign(foreign) if foreign.about.grows => None,
            Self::Foreign(foreign) => Some(foreign.filter.expected_false_positive_rate(items)),
            Self::Own(own) => own.expected_false_positive_rate(items),
        }
    }

    /// Returns whether a key may be in the filter; the system must have keys of its type.
    pub(crate) fn contains(&self, key: Key<'_>) -> Result<bool, InputError> {
        match self {
            Self::Foreign(foreign) => foreign.filter.contains(key).map_err(error),
            Self::Own(own) => core::hash(key).map(|hash| own.contains_hash(hash)),
        }
    }

    /// Inserts a key and returns whether it was certainly new. The system must have keys of its type, and the filter must
    /// have room for it.
    pub(crate) fn insert(&mut self, key: Key<'_>) -> Result<bool, InputError> {
        match self {
            Self::Foreign(foreign) => foreign.filter.insert(key).map_err(error),
            Self::Own(own) => own.insert_hash(core::hash(key)?).map_err(core::refused),
        }
    }

    /// Returns the filter in memory of its own. The bytes from which it was read are then no longer needed.
    pub(crate) fn owned(self) -> Result<Opened<'static>, InputError> {
        let Foreign { filter, about } = match self {
            Self::Foreign(foreign) => foreign,
            Self::Own(own) => return own.to_plain().map(Opened::Own).map_err(core::refused),
        };
        let filter = filter.owned().map_err(error)?;
        Ok(Opened::Foreign(Foreign { filter, about }))
    }

    /// Inserts all keys of another filter of the same system. If the other filter was read from the binary form of the format,
    /// `bytes` are the bytes from which it was read: merging these bytes saves a copy.
    pub(super) fn merge(
        &mut self,
        other: &Opened<'_>,
        bytes: Option<&[u8]>,
    ) -> Result<(), InputError> {
        match (self, other) {
            (Self::Foreign(ours), Opened::Foreign(theirs)) => {
                let merged = match bytes {
                    Some(bytes) => ours.filter.merge_bytes(bytes),
                    None => ours.filter.merge(&*theirs.filter),
                };
                merged.map_err(error)
            }
            (Self::Own(ours), Opened::Own(theirs)) => {
                ours.union_with(theirs).map_err(core::refused)
            }
            _ => Err(InputError::new("filters of two systems cannot be merged")),
        }
    }

    /// Returns the bytes in the binary form of the format.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, InputError> {
        match self {
            Self::Foreign(foreign) => foreign.filter.to_bytes().map_err(error),
            Self::Own(own) => own.to_bytes().map_err(core::refused),
        }
    }
}

/// Why bytes are not read as a filter.
#[derive(Debug)]
pub(crate) enum Unread {
    /// The error of another system's format.
    Foreign(FormatError),
    /// The error of bloom-core.
    Own(LoadError),
}

impl Unread {
    /// If only the length is wrong, returns the format, how many bytes the header demands, and how many there are.
    pub(crate) fn length(&self) -> Option<(Format, u64, u64)> {
        match *self {
            Self::Foreign(FormatError {
                format,
                rule: Rule::TooShort { needed, bytes } | Rule::TrailingBytes { needed, bytes },
            }) => Some((format, needed, bytes)),
            _ => None,
        }
    }

    /// Returns what is wrong with a filter that has a whole header with the magic bytes of bloom-core; `None` for other bytes.
    pub(super) fn own(&self) -> Option<String> {
        match self {
            Self::Foreign(_) | Self::Own(LoadError::Magic(_) | LoadError::TooShort { .. }) => None,
            Self::Own(error) => Some(format!(
                "it has the magic bytes of a bloom-core filter, but {error}"
            )),
        }
    }
}

impl From<Unread> for InputError {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Foreign(refused) => error(refused),
            Unread::Own(refused) => Self::new(refused.to_string()),
        }
    }
}

pub(super) fn error(error: FormatError) -> InputError {
    InputError::new(error.to_string())
}
