//! An operation on a filter as data, for scripts that suit any filter.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::key::{Key, Keys};
use crate::repro::List;

/// An operation on a filter, with keys, which stand for items. If the filter has no batches, the keys of a batch are inserted
/// or queried one by one. Any other operation that the filter lacks is skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step<K: Key> {
    /// Inserts a key.
    Insert(K),
    /// Inserts a key several times.
    InsertOften(K, u16),
    /// Inserts keys in one call.
    InsertMany(K::Many),
    /// Queries a key.
    Contains(K),
    /// Queries keys in one call.
    ContainsMany(K::Many),
    /// Removes a key. If the key was not inserted but is found (a false positive), this is skipped, unless the
    /// [`Model`](crate::Model) asks for such removals.
    Remove(K),
    /// Merges a new filter, which has these keys, into the filter.
    Union(K::Many),
    /// Intersects the filter with a new filter, which has these keys.
    Intersect(K::Many),
    /// Saves and loads the filter. The script continues with the loaded one.
    Reload,
    /// Copies the filter and clears the original. The script continues with the copy.
    Copy,
    /// Removes every key.
    Clear,
}

impl<K: Key> Step<K> {
    /// Returns the keys of a step that takes several keys; `None` for other steps.
    pub(crate) fn many(&mut self) -> Option<&mut K::Many> {
        match self {
            Self::InsertMany(keys)
            | Self::ContainsMany(keys)
            | Self::Union(keys)
            | Self::Intersect(keys) => Some(keys),
            _ => None,
        }
    }

    /// Returns the number of keys that the step inserts, queries or removes, including repetitions.
    pub fn uses(&self) -> u64 {
        match self {
            Self::InsertOften(_, times) => (*times).into(),
            _ => self.keys().len() as u64,
        }
    }

    /// Returns every key of the step, without the repetitions of an [`InsertOften`](Self::InsertOften).
    pub(crate) fn keys(&self) -> Vec<K> {
        match self {
            Self::Insert(key)
            | Self::InsertOften(key, _)
            | Self::Contains(key)
            | Self::Remove(key) => vec![key.clone()],
            _ => self.clone().many().map_or(Vec::new(), |keys| keys.keys()),
        }
    }
}

impl<K: Key<Many = List<K>>> Step<K> {
    /// Replaces every key.
    pub(crate) fn change_keys(&mut self, change: impl Fn(&K) -> K) {
        match self {
            Self::Insert(key)
            | Self::InsertOften(key, _)
            | Self::Contains(key)
            | Self::Remove(key) => *key = change(key),
            _ => {
                if let Some(keys) = self.many() {
                    keys.0.iter_mut().for_each(|key| *key = change(key));
                }
            }
        }
    }
}

impl<'a, K: Key> Arbitrary<'a> for Step<K> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.int_in_range(0..=31)? {
            0..=10 => Self::Insert(u.arbitrary()?),
            11 => Self::InsertOften(u.arbitrary()?, u.int_in_range(0..=300)?),
            12..=14 => Self::Contains(u.arbitrary()?),
            15 => Self::Copy,
            16..=20 => Self::Remove(u.arbitrary()?),
            21..=23 => Self::InsertMany(u.arbitrary()?),
            24..=25 => Self::ContainsMany(u.arbitrary()?),
            26..=27 => Self::Union(u.arbitrary()?),
            28 => Self::Intersect(u.arbitrary()?),
            29..=30 => Self::Reload,
            _ => Self::Clear,
        })
    }
}
