//! The systems whose filters are read: one entry each.

mod core;
mod filters;
mod table;

use bloom_formats::FormatError;
use bloom_params::InputError;

use crate::facts::Facts;
use crate::key::{Key, KeyType};

/// A filter to query.
pub(crate) trait Filter: Sync {
    fn facts(&self) -> Facts;

    /// Returns the mean rate of filters of this size with so many items; `None` if no formula
    /// is known.
    fn expected_rate(&self, items: u64) -> Option<f64>;

    /// Returns whether a key may be in the filter; `None` if the system has no keys of this type.
    fn contains(&self, key: Key<'_>) -> Option<Result<bool, InputError>>;
}

/// A filter that takes keys.
pub(crate) trait Fillable: Filter {
    /// Inserts a key and returns whether it was certainly new; `None` if the system has no keys of this type.
    fn insert(&mut self, key: Key<'_>) -> Option<Result<bool, InputError>>;

    fn to_bytes(&self) -> Result<Vec<u8>, InputError>;
}

type Read = for<'a> fn(&'a [u8]) -> Result<Box<dyn Filter + 'a>, InputError>;
type ReadPart = for<'a> fn(&'a [u8]) -> Result<(Box<dyn Filter + 'a>, usize), InputError>;
type Merge = fn(&[&[u8]]) -> Result<Box<dyn Fillable>, Refused>;

/// Why files are not merged, with the index of the one that does not fit.
type Refused = (usize, InputError);

type Create = fn(u64, f64) -> Result<Box<dyn Fillable>, InputError>;

/// A system: how its filters are read and merged.
pub(crate) struct System {
    pub(crate) name: &'static str,
    /// What it is, in words.
    pub(crate) about: &'static str,
    /// The types of its keys.
    pub(crate) keys: &'static [KeyType],
    /// Reads a filter that fills all of the bytes, in place.
    pub(crate) read: Read,
    /// Reads a filter as the system does, and returns how many bytes follow it.
    pub(crate) read_part: ReadPart,
    /// Merges filters. `None` if the system merges none.
    pub(crate) merge: Option<Merge>,
    /// Whether all bytes of some lengths are such a filter, so that one is not recognised by its bytes.
    pub(crate) is_bare: bool,
    /// The filters that are created, with the name of each.
    pub(crate) builds: &'static [Build],
}

/// A filter that is created: its name, what it is, and how.
pub(crate) struct Build {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) create: Create,
}

/// Returns all systems, in the order of their names on the command line.
pub(crate) fn all() -> impl Iterator<Item = &'static System> {
    table::SYSTEMS.iter().chain(core::SYSTEMS)
}

/// Returns the system of this name, or that has a filter of this name.
pub(crate) fn named(name: &str) -> Option<&'static System> {
    all().find(|system| system.name == name || system.builds.iter().any(|build| build.name == name))
}

/// Returns all filters that are created, with their systems.
pub(crate) fn builds() -> impl Iterator<Item = (&'static System, &'static Build)> {
    all().flat_map(|system| system.builds.iter().map(move |build| (system, build)))
}

/// Returns the filters that the bytes can be: those that a system reads without a byte left. One without a header
/// counts only if there is no other.
pub(crate) fn candidates(bytes: &[u8]) -> Vec<(&'static System, Box<dyn Filter + '_>)> {
    let read = |system: &'static System| Some((system, (system.read)(bytes).ok()?));
    let mut found: Vec<_> = all().filter_map(read).collect();
    if found.iter().any(|(system, _)| !system.is_bare) {
        found.retain(|(system, _)| !system.is_bare);
    }
    found
}

fn error(error: FormatError) -> InputError {
    InputError::new(error.to_string())
}
