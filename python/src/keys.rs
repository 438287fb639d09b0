//! Keys: values of Python, hashed as bloom-core hashes the `str`, `[u8]`, `i64`, `u64` and `u32` of Rust. A value of another
//! type is refused, since its hash would make the filter answer *no* about a key that it has.

use std::hash::{BuildHasher, Hash};

use bloom_core::FixedState;
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyIterator, PyString};

/// The type of the keys of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keys {
    Str,
    Bytes,
    I64,
    U64,
    U32,
}

const ALL: [Keys; 5] = [Keys::Str, Keys::Bytes, Keys::I64, Keys::U64, Keys::U32];

impl Keys {
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
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        let keys = ALL.into_iter().find(|keys| keys.name() == name);
        keys.ok_or_else(|| {
            let names = ALL.map(Self::name).join(", ");
            PyValueError::new_err(format!("keys must be one of {names}, got {name}"))
        })
    }

    /// Returns the hash of a key.
    pub(crate) fn hash(self, key: &Bound<'_, PyAny>) -> PyResult<u64> {
        match self {
            Self::Str => match key.cast::<PyString>() {
                Ok(text) => Ok(of(text.to_str()?)),
                Err(_) => Err(self.wrong(key)),
            },
            Self::Bytes => match key.cast::<PyBytes>() {
                Ok(bytes) => Ok(of(bytes.as_bytes())),
                Err(_) => Err(self.wrong(key)),
            },
            Self::I64 => self.integer::<i64>(key),
            Self::U64 => self.integer::<u64>(key),
            Self::U32 => self.integer::<u32>(key),
        }
    }

    /// Returns the hash of an integer, which may be one of NumPy; a truth value is none.
    fn integer<'py, T: Hash + for<'a> FromPyObject<'a, 'py>>(
        self,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<u64> {
        if key.is_instance_of::<PyBool>() {
            return Err(self.wrong(key));
        }
        match key.extract::<T>() {
            Ok(value) => Ok(of(&value)),
            Err(error) => {
                let error: PyErr = error.into();
                if !error.is_instance_of::<PyOverflowError>(key.py()) {
                    return Err(self.wrong(key));
                }
                let message = format!("key must be an integer of {}, got {key}", self.name());
                Err(PyOverflowError::new_err(message))
            }
        }
    }

    fn wrong(self, key: &Bound<'_, PyAny>) -> PyErr {
        let got = key.get_type();
        let got = got
            .name()
            .map_or("another type".to_string(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "keys of this filter must be {}, got {got}",
            self.name()
        ))
    }

    /// Returns the hashes of all keys of an array of NumPy or of an iterable.
    pub(crate) fn hashes(self, keys: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
        let is_array = !matches!(self, Self::Str | Self::Bytes) && keys.hasattr("dtype")?;
        match self {
            Self::I64 if is_array => self.array::<i64>(keys),
            Self::U64 if is_array => self.array::<u64>(keys),
            Self::U32 if is_array => self.array::<u32>(keys),
            _ => all_of(keys)?.map(|key| self.hash(&key?)).collect(),
        }
    }

    /// Returns the hashes of an array. The lock of the interpreter is kept meanwhile: without it another thread could change
    /// the array.
    fn array<T: Element + Copy + Hash>(self, keys: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
        let Ok(array) = keys.cast::<PyArray1<T>>() else {
            let (name, got) = (self.name(), keys.getattr("dtype")?);
            let message =
                format!("array of keys must have one dimension and numbers of {name}, got {got}");
            return Err(PyTypeError::new_err(message));
        };
        let array = array.try_readonly().map_err(crate::error::value)?;
        Ok(array.as_array().iter().map(of).collect())
    }
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
fn of(key: &(impl Hash + ?Sized)) -> u64 {
    FixedState::new().hash_one(key)
}
