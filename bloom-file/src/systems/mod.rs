//! Defines what the commands need to know about a system, such as Spark or Redis, to read, create and merge its filters. Each
//! system has one entry, in `table` or `core`.

mod about;
mod core;
mod create;
mod forms;
mod opened;
mod recognise;
mod table;

use bloom_formats::FormatError;
use bloom_params::InputError;

use crate::key::KeyType;

pub(crate) use opened::{Opened, Unread};
pub(crate) use recognise::{bare, candidates, likely};

/// Reads a filter and returns how many bytes follow it; [`Reading`] says whether any may follow. Most filters are read in
/// place. Text, commands of Redis, old streams of ORC and scalable filters of bloom-core are copied.
type Open = for<'a> fn(&'a [u8], Reading) -> Result<(Opened<'a>, usize), Unread>;

type Create = fn(&Request) -> Result<Opened<'static>, InputError>;

/// A function that turns the bytes of a filter into those of another form, such as text.
type Form = fn(&[u8]) -> Result<Vec<u8>, FormatError>;

/// A function that turns the bytes of a filter into the commands that store the filter in a server under a key.
type Commands = fn(&[u8], &[u8]) -> Result<Vec<u8>, FormatError>;

/// The parameters with which a filter is created.
pub(crate) struct Request {
    pub(crate) items: u64,
    pub(crate) rate: f64,
    /// The bits and hashes in place of those that the system computes; some systems ignore these hashes and compute k.
    pub(crate) size: Option<(u64, u8)>,
    pub(crate) seed: Option<i128>,
    pub(crate) growth: Option<u32>,
}

/// What a filter can be created with besides n and p.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extra {
    /// The bits m, in place of n and p.
    Bits,
    /// The hashes k, with m.
    Hashes,
    /// The items n, which are needed even if m is given.
    Items,
    Seed,
    Growth,
}

/// What may follow a filter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Nothing.
    Whole,
    /// Bytes that the system ignores.
    Part,
}

/// A system: how its filters are read and created.
pub(crate) struct System {
    pub(crate) name: &'static str,
    /// What the system is, in words.
    pub(crate) about: &'static str,
    /// The types of its keys.
    pub(crate) keys: &'static [KeyType],
    pub(crate) open: Open,
    pub(crate) options: Options,
    /// The filters of the system that can be created.
    pub(crate) builds: &'static [Build],
}

/// Options that have the same value for most systems.
pub(crate) struct Options {
    /// The function that turns the bytes of another system into the bytes of this system, and the name of the other system.
    /// `None` if the filters of this system are not made from those of another system.
    pub(crate) form: Option<(Form, &'static str)>,
    /// Whether `form` writes base64.
    pub(crate) is_base64: bool,
    /// Whether the system merges filters.
    pub(crate) merges: bool,
    /// Which of the inserted keys a filter stores. This decides how the keys of a built filter are counted.
    pub(crate) stored: Stored,
    /// The function that writes the commands for a server; `None` if no server takes filters of the system in chunks.
    pub(crate) commands: Option<Commands>,
    /// A hint for keys of a type that the system does not have, in place of the usual hint.
    pub(crate) key_hint: Option<&'static str>,
}

/// Which of the inserted keys a filter stores.
#[derive(Clone, Copy)]
pub(crate) enum Stored {
    /// Each key once: a repeated key sets no further bit.
    Distinct,
    /// Only keys for which the filter answers no before the insertion.
    New,
    /// All keys, even repeated ones. The filter is a series of filters, called rows, and several rows may store the same key.
    All,
}

impl Options {
    /// The values of most systems: binary filters that can be merged, without a hint about keys.
    const USUAL: Self = Self {
        form: None,
        is_base64: false,
        merges: true,
        stored: Stored::Distinct,
        commands: None,
        key_hint: None,
    };

    /// The values of a system whose filters are another form of the filters of `system`.
    const fn of_form(form: Form, system: &'static str) -> Self {
        Self {
            form: Some((form, system)),
            ..Self::USUAL
        }
    }
}

impl System {
    /// Reads a filter that fills all of the bytes.
    pub(crate) fn read<'a>(&self, bytes: &'a [u8]) -> Result<Opened<'a>, Unread> {
        Ok((self.open)(bytes, Reading::Whole)?.0)
    }

    /// Refuses to merge filters of a system that merges none.
    pub(crate) fn check_merges(&self) -> Result<(), InputError> {
        if self.options.merges {
            return Ok(());
        }
        let message = format!("{} filters cannot be merged", self.name);
        Err(InputError::new(message).with_hint("build one filter from all keys"))
    }

    /// Returns the error for a merge with a filter of another system.
    pub(crate) fn differs(&self, other: &Self) -> InputError {
        let (ours, theirs) = (self.name, other.name);
        let message = format!("systems of all filters must be equal, got {ours} and {theirs}");
        InputError::new(message)
    }

    /// Inserts all keys of the filter in these bytes into `merged`, a filter of this system. Leaves out data that is attached
    /// to the filter, and returns how many bytes of data are left out.
    pub(crate) fn merge(&self, merged: &mut Opened<'_>, bytes: &[u8]) -> Result<u64, InputError> {
        let other = self.read(bytes)?;
        merged.merge(&other, self.options.form.is_none().then_some(bytes))?;
        Ok(other.data_bytes())
    }

    /// Returns the bytes of a filter in the form of this system.
    pub(crate) fn written(&self, filter: &Opened<'_>) -> Result<Vec<u8>, InputError> {
        let bytes = filter.to_bytes()?;
        match self.options.form {
            Some((form, _)) => form(&bytes).map_err(opened::error),
            None => Ok(bytes),
        }
    }
}

/// A kind of filter that can be created.
pub(crate) struct Build {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// What it takes besides n and p.
    pub(crate) takes: &'static [Extra],
    pub(crate) create: Create,
}

/// Returns all systems, in the order of their names on the command line.
pub(crate) fn all() -> impl Iterator<Item = &'static System> {
    table::SYSTEMS.iter().chain(core::SYSTEMS)
}

/// Returns the system with this name, or the system that has a kind of filter with this name.
pub(crate) fn by_name(name: &str) -> Option<&'static System> {
    all().find(|system| system.name == name || system.builds.iter().any(|build| build.name == name))
}

/// Returns all filters that can be created, with their systems.
pub(crate) fn builds() -> impl Iterator<Item = (&'static System, &'static Build)> {
    all().flat_map(|system| system.builds.iter().map(move |build| (system, build)))
}

impl System {
    /// Refuses a type of keys that the system does not have.
    pub(crate) fn check_type(&self, keys: KeyType) -> Result<(), InputError> {
        if self.keys.contains(&keys) {
            return Ok(());
        }
        let names: Vec<_> = self.keys.iter().map(|key| key.name()).collect();
        let message = format!(
            "keys of a {} filter must be one of {}, got {}",
            self.name,
            names.join(", "),
            keys.name()
        );
        let of_bytes =
            "the system takes bytes: i64-be and i64-le give the bytes of a number, text its digits";
        let takes_bytes = self.keys.contains(&KeyType::I64Be);
        let hint = self.options.key_hint;
        let hint = hint.or(takes_bytes.then_some(of_bytes));
        Err(InputError::new(message).with_hint(hint.unwrap_or_default()))
    }
}
