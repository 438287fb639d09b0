//! Defines the API with which other programs recognise, query, fill and merge filters of all systems, by the rules of the
//! command `bloom-file`.

use std::path::Path;

use bloom_formats::Key;
use bloom_params::InputError;
use bloom_params::report::Value;
use clap::ValueEnum;

use crate::args::{ExtraArgs, by_name};
use crate::commands::build::request;
use crate::file;
use crate::finding::Finding;
use crate::key::KeyType;
use crate::systems::{Opened, System, all, builds};

/// A filter of any system, in memory.
///
/// # Examples
///
/// ```
/// use bloom_file::{AnyFilter, KeyValue, Size};
///
/// let size = Size { n: Some("1000".into()), p: Some("1%".into()), ..Size::default() };
/// let mut filter = AnyFilter::create("guava", &size)?;
/// filter.insert(KeyValue::Text("user-7"), None)?;
///
/// // The system is recognised by the bytes of the filter.
/// let read = AnyFilter::from_bytes(&filter.to_bytes()?, None)?;
/// assert_eq!(read.format(), "guava");
/// assert!(read.contains(KeyValue::Text("user-7"), None)?);
/// // An integer is not text.
/// assert!(read.contains(KeyValue::Integer("7"), Some("text")).is_err());
/// # Ok::<(), bloom_params::InputError>(())
/// ```
pub struct AnyFilter {
    system: &'static System,
    filter: Opened<'static>,
    /// How many bytes followed the filter.
    rest: usize,
    /// The type of keys that are inserted or queried without the name of a type.
    keys: Option<KeyType>,
    /// Whether keys may have been inserted, or a filter merged into this one, since the bytes were read.
    is_changed: bool,
}

/// A key as a value of the calling program. How the system hashes the key depends on the type of the key, which the caller can
/// name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KeyValue<'a> {
    /// A text.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// The digits of an integer.
    Integer(&'a str),
    /// A floating-point number.
    Number(f64),
}

/// The size of a filter to be created, as the flags of `bloom-file build` take it.
#[derive(Debug, Clone, Default)]
pub struct Size {
    /// Expected items.
    pub n: Option<String>,
    /// False-positive rate.
    pub p: Option<String>,
    /// Bits, in place of p.
    pub m: Option<String>,
    /// Hashes, with m.
    pub k: Option<String>,
    /// Seed of the hash function.
    pub seed: Option<i128>,
    /// Growth of a Redis filter, which adds a part when its last part is full: each part is for this many times as many items
    /// as the part before.
    pub growth: Option<u32>,
}

impl AnyFilter {
    /// Reads a file as a filter of this format. If no format is given, the format is the only one that the bytes fit.
    ///
    /// # Errors
    ///
    /// The file must be readable, the format must be known, and the bytes must be a filter of the format. If no format is
    /// given, the bytes must fit exactly one. There must be memory for a copy.
    pub fn open(path: &Path, format: Option<&str>) -> Result<Self, InputError> {
        Self::read(path, &file::open(path)?, format)
    }

    /// Reads bytes as a filter of this format. If no format is given, the format is the only one that the bytes fit.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open).
    pub fn from_bytes(bytes: &[u8], format: Option<&str>) -> Result<Self, InputError> {
        Self::read(Path::new("bytes"), bytes, format)
    }

    fn read(path: &Path, bytes: &[u8], format: Option<&str>) -> Result<Self, InputError> {
        let (system, (filter, rest)) = if let Some(name) = format {
            let system = by_name(format).ok_or_else(|| unknown(name, all().map(|s| s.name)))?;
            (system, file::by_name(path, bytes, system)?)
        } else {
            let (system, filter) = file::only(path, bytes)?;
            (system, (filter, 0))
        };
        Ok(Self {
            system,
            filter: filter.owned()?,
            rest,
            keys: None,
            is_changed: false,
        })
    }

    /// Creates an empty filter as the system of this format does.
    ///
    /// # Errors
    ///
    /// The format must be one that can be built, and must take the given parameters.
    pub fn create(format: &str, size: &Size) -> Result<Self, InputError> {
        let mut known = builds();
        let (system, build) = known
            .find(|(_, build)| build.name == format)
            .ok_or_else(|| unknown(format, builds().map(|(_, build)| build.name)))?;
        if size.m.is_some() && size.p.is_some() {
            return Err(InputError::new(
                "m takes the place of p: give only one of them",
            ));
        }
        let extra = ExtraArgs {
            m: size.m.clone(),
            k: size.k.clone(),
            seed: size.seed,
            growth: size.growth,
        };
        let filter = (build.create)(&request(
            size.n.as_deref(),
            size.p.as_deref(),
            &extra,
            build,
        )?)?;
        // The bytes are read again, so that the reported facts are those of a filter from a file.
        Self::from_bytes(&system.written(&filter)?, Some(system.name))
    }

    /// Returns the name of the filter's system, as in the flag `--format`.
    pub fn format(&self) -> &'static str {
        self.system.name
    }

    /// Returns what `bloom-file inspect --json` prints about the filter. O(m) or more.
    ///
    /// # Errors
    ///
    /// There must be memory for a copy of the filter.
    pub fn facts(&self) -> Result<String, InputError> {
        let found = if self.is_changed {
            // The filter is written and read again, because the system's own count of items is taken from the bytes when they
            // are read.
            let bytes = self.to_bytes()?;
            Finding::new(self.system, &self.system.read(&bytes)?, self.rest, None)
        } else {
            Finding::new(self.system, &self.filter, self.rest, None)
        };
        Ok(Value::from(found.json()).to_string())
    }

    /// Returns the false-positive rate at the present fill. O(m) or more.
    pub fn rate(&self) -> f64 {
        self.filter.rate()
    }

    /// Estimates the number of distinct items; `None` if every bit of the filter or of a part of it is set, or after an
    /// intersection. O(m) or more.
    pub fn estimated_items(&self) -> Option<f64> {
        let estimate = self.filter.estimated_items();
        estimate.map(|estimate| estimate.items)
    }

    /// Returns whether a key may be in the filter; `false` is certain if keys of the same type were inserted. `keys` is the
    /// name of a type, as for `--keys`. If `keys` is `None`, the type is the one that was [set](Self::set_keys). If no type was
    /// set, a text is queried as text, bytes are queried as bytes, and integers and other numbers are queried as numbers of 64
    /// bits.
    ///
    /// # Errors
    ///
    /// The system must have keys of the type, and the key must be of the type.
    pub fn contains(&self, key: KeyValue<'_>, keys: Option<&str>) -> Result<bool, InputError> {
        let keys = self.key_type(key, keys)?;
        with_key(keys, key, |key| self.filter.contains(key))?
    }

    /// Inserts a key and returns whether it was certainly new.
    ///
    /// # Errors
    ///
    /// As for [`contains`](Self::contains). The filter must also have room for the key.
    pub fn insert(&mut self, key: KeyValue<'_>, keys: Option<&str>) -> Result<bool, InputError> {
        let keys = self.key_type(key, keys)?;
        self.is_changed = true;
        with_key(keys, key, |key| self.filter.insert(key))?
    }

    /// Sets the type of keys that are inserted and queried without the name of a type. A filter does not record the type of
    /// its keys.
    ///
    /// # Errors
    ///
    /// `keys` must be the name of a type that the system has.
    pub fn set_keys(&mut self, keys: &str) -> Result<(), InputError> {
        self.keys = Some(self.key_type(KeyValue::Text(""), Some(keys))?);
        Ok(())
    }

    /// Returns the name of the type that was [set](Self::set_keys), if one was.
    pub fn keys(&self) -> Option<String> {
        self.keys.map(KeyType::name)
    }

    fn key_type(&self, key: KeyValue<'_>, keys: Option<&str>) -> Result<KeyType, InputError> {
        let keys = match (keys, self.keys, key) {
            (Some(name), ..) => KeyType::from_str(name, false).map_err(|_| {
                let names = KeyType::value_variants().iter().map(|keys| keys.name());
                let names: Vec<_> = names.collect();
                InputError::new(format!(
                    "keys must be one of {}, got {name}",
                    names.join(", ")
                ))
            })?,
            (None, Some(keys), _) => keys,
            (None, None, KeyValue::Text(_)) => KeyType::Text,
            (None, None, KeyValue::Bytes(_)) => KeyType::Hex,
            (None, None, KeyValue::Integer(_)) => KeyType::I64,
            (None, None, KeyValue::Number(_)) => KeyType::F64,
        };
        self.system.check_type(keys)?;
        Ok(keys)
    }

    /// Inserts all keys of another filter.
    ///
    /// # Errors
    ///
    /// Both must be filters of one system, with equal parameters, and the system must support merging.
    pub fn merge(&mut self, other: &Self) -> Result<(), InputError> {
        if self.system.name != other.system.name {
            return Err(self.system.differs(other.system));
        }
        self.system.check_merges()?;
        let bytes = other.to_bytes()?;
        self.is_changed = true;
        self.system.merge(&mut self.filter, &bytes).map(drop)
    }

    /// Returns the bytes that the system itself writes for this filter.
    ///
    /// # Errors
    ///
    /// There must be memory for the bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, InputError> {
        self.system.written(&self.filter)
    }
}

/// Passes the value to `with` as a key of this type.
fn with_key<R>(
    keys: KeyType,
    value: KeyValue<'_>,
    with: impl FnOnce(Key<'_>) -> R,
) -> Result<R, InputError> {
    let mut buffer = Vec::new();
    let digits;
    let line = match (value, keys) {
        (KeyValue::Text(text), keys) if keys.is_text() => text.as_bytes(),
        (KeyValue::Bytes(bytes), KeyType::Hex) => return Ok(with(Key::Bytes(bytes))),
        (
            KeyValue::Integer(digits),
            KeyType::I64
            | KeyType::I32
            | KeyType::I64Be
            | KeyType::I64Le
            | KeyType::I32Be
            | KeyType::I32Le
            | KeyType::Xxhash64I64
            | KeyType::Xxhash64I32,
        ) => digits.as_bytes(),
        (KeyValue::Number(number), KeyType::F64 | KeyType::F32) => {
            digits = number.to_string();
            digits.as_bytes()
        }
        (value, keys) => {
            let got = match value {
                KeyValue::Text(_) => "text",
                KeyValue::Bytes(_) => "bytes",
                KeyValue::Integer(_) => "an integer",
                KeyValue::Number(_) => "a float",
            };
            let message = format!("key must be of type {}, got {got}", keys.name());
            return Err(InputError::new(message));
        }
    };
    Ok(with(keys.read(line, &mut buffer)?))
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> InputError {
    let known: Vec<_> = known.collect();
    let got = bloom_params::units::displayed(name);
    InputError::new(format!(
        "format must be one of {}, got {got}",
        known.join(", ")
    ))
}
