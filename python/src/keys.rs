//! Keys: values of Python, hashed as bloom-core hashes the `str`, `[u8]`, `i64`, `u64` and `u32` of Rust, and tuples of
//! them. A value of another type is refused, since its hash would make the filter answer *no* about a key that it has.

use std::fmt::{self, Display};
use std::hash::{BuildHasher, Hash, Hasher};

use bloom_core::{FixedHasher, FixedState};
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::PyTypeCheck;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyIterator, PyString, PyTuple};

use crate::column::Column;

/// The type of the keys of a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Keys {
    One(Part),
    Tuple(Vec<Part>),
}

/// The type of a key, or of a part of one that is a tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Str,
    Bytes,
    I64,
    U64,
    U32,
}

const ALL: [Part; 5] = [Part::Str, Part::Bytes, Part::I64, Part::U64, Part::U32];

impl<'py> FromPyObject<'_, 'py> for Keys {
    type Error = PyErr;

    fn extract(named: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match named.cast::<PyTuple>() {
            Ok(tuple) if !tuple.is_empty() => {
                let parts = tuple.iter().map(|part| Part::named(&part));
                Ok(Self::Tuple(parts.collect::<PyResult<_>>()?))
            }
            _ => Ok(Self::One(Part::named(&named)?)),
        }
    }
}

impl Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(part) => f.write_str(part.name()),
            Self::Tuple(parts) => {
                let names: Vec<_> = parts.iter().map(|part| part.name()).collect();
                write!(f, "({})", names.join(", "))
            }
        }
    }
}

impl Keys {
    /// Returns the type as it is given to a constructor.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Self::One(part) => PyString::new(py, part.name()).into_any(),
            Self::Tuple(parts) => {
                PyTuple::new(py, parts.iter().map(|part| part.name()))?.into_any()
            }
        })
    }

    /// Returns the hash of a key.
    pub(crate) fn hash(&self, key: &Bound<'_, PyAny>) -> PyResult<u64> {
        let mut hasher = FixedState::new().build_hasher();
        match self {
            Self::One(part) => part.feed(key, &mut hasher)?,
            Self::Tuple(parts) => {
                let tuple = key.cast::<PyTuple>().ok();
                let tuple = tuple.filter(|tuple| tuple.len() == parts.len());
                let tuple = tuple.ok_or_else(|| wrong(self, key))?;
                for (part, key) in parts.iter().zip(tuple) {
                    part.feed(&key, &mut hasher)?;
                }
            }
        }
        Ok(hasher.finish())
    }

    /// Returns the hashes of all keys of an array or an iterable.
    pub(crate) fn hashes(&self, keys: &Bound<'_, PyAny>) -> PyResult<Column> {
        if keys.hasattr("__arrow_c_array__")? || keys.hasattr("__arrow_c_stream__")? {
            return match self {
                Self::One(part) => Column::of_arrow(keys, *part),
                Self::Tuple(_) => {
                    let message =
                        "a column has no tuples: give an iterable of them, of zip for instance";
                    Err(PyTypeError::new_err(message))
                }
            };
        }
        let hashes = match self {
            Self::One(Part::I64) if keys.hasattr("dtype")? => array::<i64>(keys, Part::I64),
            Self::One(Part::U64) if keys.hasattr("dtype")? => array::<u64>(keys, Part::U64),
            Self::One(Part::U32) if keys.hasattr("dtype")? => array::<u32>(keys, Part::U32),
            _ => all_of(keys)?.map(|key| self.hash(&key?)).collect(),
        };
        Ok(Column::from(hashes?))
    }
}

impl Part {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Str => "str",
            Self::Bytes => "bytes",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::U32 => "u32",
        }
    }

    /// Returns the type with this name.
    fn named(name: &Bound<'_, PyAny>) -> PyResult<Self> {
        let part = ALL
            .into_iter()
            .find(|part| name.eq(part.name()).unwrap_or(false));
        part.ok_or_else(|| {
            let names = ALL.map(Self::name).join(", ");
            PyValueError::new_err(format!(
                "keys must be one of {names}, or a tuple of them, got {name}"
            ))
        })
    }

    /// Hashes a key.
    fn feed(self, key: &Bound<'_, PyAny>, hasher: &mut FixedHasher) -> PyResult<()> {
        match self {
            Self::Str => self.cast::<PyString>(key)?.to_str()?.hash(hasher),
            Self::Bytes => self.cast::<PyBytes>(key)?.as_bytes().hash(hasher),
            Self::I64 => self.integer::<i64>(key)?.hash(hasher),
            Self::U64 => self.integer::<u64>(key)?.hash(hasher),
            Self::U32 => self.integer::<u32>(key)?.hash(hasher),
        }
        Ok(())
    }

    fn cast<'a, 'py, T: PyTypeCheck>(
        self,
        key: &'a Bound<'py, PyAny>,
    ) -> PyResult<&'a Bound<'py, T>> {
        key.cast().map_err(|_| wrong(self.name(), key))
    }

    /// Returns the value of an integer, which may be one of NumPy; a truth value is none.
    fn integer<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
        self,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<T> {
        // Truth values are integers to Python, and to NumPy 2.2. The type alone tells most keys apart.
        let is_truth = || key.is_instance_of::<PyBool>() || is_kind(key, "b").unwrap_or(false);
        if !key.is_exact_instance_of::<PyInt>() && is_truth() {
            return Err(wrong(self.name(), key));
        }
        key.extract().map_err(|error: PyErr| {
            if !error.is_instance_of::<PyOverflowError>(key.py()) {
                return wrong(self.name(), key);
            }
            let message = format!("key must be an integer of {}, got {key}", self.name());
            PyOverflowError::new_err(message)
        })
    }
}

/// Returns the error of a key, or of a part of it, that has another type.
fn wrong(keys: impl Display, key: &Bound<'_, PyAny>) -> PyErr {
    let got = match (key.cast::<PyTuple>(), key.get_type().name()) {
        (Ok(tuple), _) => format!("a tuple of {}", tuple.len()),
        (_, Ok(name)) => name.to_string(),
        _ => "another type".to_string(),
    };
    PyTypeError::new_err(format!("keys of this filter must be {keys}, got {got}"))
}

/// Returns the hashes of an array of NumPy. The lock of the interpreter is kept meanwhile: without it another thread could
/// change the array.
fn array<T: Element + Copy + Hash>(keys: &Bound<'_, PyAny>, part: Part) -> PyResult<Vec<u64>> {
    let Ok(array) = fitting::<T>(keys) else {
        let (name, got) = (part.name(), keys.getattr("dtype")?);
        let message =
            format!("array of keys must have one dimension and numbers of {name}, got {got}");
        return Err(PyTypeError::new_err(message));
    };
    let array = array.try_readonly().map_err(crate::error::value)?;
    Ok(array.as_array().iter().map(of).collect())
}

/// Returns an array of integers as one of these, if NumPy knows that every value of its type is one.
fn fitting<'py, T: Element>(keys: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<T>>> {
    if !is_kind(keys, "i")? && !is_kind(keys, "u")? {
        return Err(PyTypeError::new_err("no integers"));
    }
    // Order, casting, whether subclasses stay, and whether an array is copied that has the type.
    let arguments = (T::get_dtype(keys.py()), "K", "safe", true, false);
    Ok(keys.call_method1("astype", arguments)?.cast_into()?)
}

/// Returns whether a value of NumPy has this kind.
fn is_kind(value: &Bound<'_, PyAny>, kind: &str) -> PyResult<bool> {
    value.getattr("dtype")?.getattr("kind")?.eq(kind)
}

/// Returns an iterator over keys; a text or bytes are one key, not many.
pub(crate) fn all_of<'py>(keys: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    if keys.is_instance_of::<PyString>() || keys.is_instance_of::<PyBytes>() {
        let got = keys.get_type().name()?;
        let message = format!("keys must be a list or another iterable of keys, got {got}");
        return Err(PyTypeError::new_err(message));
    }
    keys.try_iter()
}

/// Returns the hash that filters of Rust compute by default.
pub(crate) fn of(key: &(impl Hash + ?Sized)) -> u64 {
    FixedState::new().hash_one(key)
}
