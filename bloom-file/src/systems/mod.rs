//! The systems whose filters are read: one entry each.

mod about;
mod core;
mod opened;
mod recognise;
mod table;

use bloom_params::InputError;

use crate::key::KeyType;

pub(crate) use opened::{Opened, Unread};
pub(crate) use recognise::{bare, candidates, likely};

/// Reads a filter in place, as the system does or only if it fills all of the bytes, and returns how many follow it.
type Open = for<'a> fn(&'a [u8], Reading) -> Result<(Opened<'a>, usize), Unread>;

type Create = fn(u64, f64) -> Result<Opened<'static>, InputError>;

/// What may follow a filter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Nothing.
    Whole,
    /// What the system ignores.
    Part,
}

/// A system: how its filters are read and created.
pub(crate) struct System {
    pub(crate) name: &'static str,
    /// What it is, in words.
    pub(crate) about: &'static str,
    /// The types of its keys.
    pub(crate) keys: &'static [KeyType],
    pub(crate) open: Open,
    /// Whether the system merges filters.
    pub(crate) merges: bool,
    /// The filters that are created, with the name of each.
    pub(crate) builds: &'static [Build],
}

impl System {
    /// Reads a filter that fills all of the bytes, in place.
    pub(crate) fn read<'a>(&self, bytes: &'a [u8]) -> Result<Opened<'a>, Unread> {
        Ok((self.open)(bytes, Reading::Whole)?.0)
    }
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
