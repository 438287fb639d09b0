//! Keys: values of Python, hashed as bloom-core hashes the `str`, `[u8]`, `i64`, `u64` and `u32` of Rust, and tuples of
//! them. A value of another type is refused, since its hash would make the filter answer *no* about a key that it has.

use std::fmt::{self, Display};
use std::hash::{BuildHasher, Hash, Hasher};

use bloom_core::FixedState;
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyString, PyTuple};

use crate::column::Column;
use crate::error::{check, mistyped, value};
use crate::part::{NOT_A_TIME, Part, is_kind, nanoseconds, wrong};

/// The type of the keys of a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Keys {
    One(Part),
    Tuple(Vec<Part>),
}

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
                Self::Tuple(_) => Err(mistyped(
                    "a column has no tuples: give an iterable of them, of zip for instance",
                )),
            };
        }
        let has_numbers = keys.hasattr("dtype")?;
        if has_numbers && keys.hasattr("filled")? {
            let masked = keys.py().import("numpy.ma")?;
            if !keys.is_instance(&masked.getattr("MaskedArray")?)? {
                let got = keys.get_type().name()?;
                return Err(mistyped(format!(
                    "keys that are filled must be a masked array, got {got}"
                )));
            }
            // A masked array has values also where it is masked.
            let column = self.hashes(&keys.call_method0("filled")?)?;
            let masked = masked.call_method1("getmaskarray", (keys,))?;
            let places = masked.call_method0("nonzero")?.get_item(0)?;
            return Ok(column.without(places.call_method0("tolist")?.extract()?));
        }
        let mut keys = keys.clone();
        if has_numbers {
            // An index of pandas is no array of NumPy, but has one.
            let numpy = keys.py().import("numpy")?;
            keys = numpy.call_method1("asarray", (keys,))?;
        }
        let keys = &keys;
        match self {
            // Of NumPy's moments one value is none.
            Self::One(Part::I64) if is_kind(keys, "M").unwrap_or(false) => {
                let is_time = |moment: &i64| *moment != NOT_A_TIME;
                array(&nanoseconds(keys)?, Part::I64, is_time)
            }
            Self::One(Part::I64) if has_numbers => array::<i64>(keys, Part::I64, |_| true),
            Self::One(Part::U64) if has_numbers => array::<u64>(keys, Part::U64, |_| true),
            Self::One(Part::U32) if has_numbers => array::<u32>(keys, Part::U32, |_| true),
            _ => {
                let mut column = Column::default();
                for key in all_of(keys)? {
                    let hash = self.hash(&key?)?;
                    check(keys.py(), &mut column.hashes)?;
                    column.hashes.push(hash);
                }
                Ok(column)
            }
        }
    }
}

/// Returns the hashes of an array of NumPy. The lock of the interpreter is kept meanwhile: without it another thread could
/// change the array.
fn array<T: Element + Copy + Hash>(
    keys: &Bound<'_, PyAny>,
    part: Part,
    is_key: impl Fn(&T) -> bool,
) -> PyResult<Column> {
    let Ok(array) = fitting::<T>(keys) else {
        let (name, got) = (part.name(), keys.getattr("dtype")?);
        let shape = keys.getattr("shape")?;
        let message = format!(
            "array of keys must have one dimension and numbers of {name}, got {got} of shape {shape}"
        );
        return Err(mistyped(message));
    };
    let array = array.try_readonly().map_err(value)?;
    let keys = array.as_array();
    let keys = keys.iter().map(|key| is_key(key).then_some(*key));
    Ok(Column::of(keys))
}

/// Returns an array of integers as one of these, if NumPy knows that every value of its type is one.
fn fitting<'py, T: Element>(keys: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<T>>> {
    if !is_kind(keys, "i")? && !is_kind(keys, "u")? {
        return Err(mistyped("no integers"));
    }
    // Order, casting, whether subclasses stay, and whether an array is copied that has the type.
    let arguments = (T::get_dtype(keys.py()), "K", "safe", true, false);
    Ok(keys.call_method1("astype", arguments)?.cast_into()?)
}

/// Returns an iterator over keys; a text or bytes are one key, not many.
pub(crate) fn all_of<'py>(keys: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    if keys.is_instance_of::<PyString>() || keys.is_instance_of::<PyBytes>() {
        let got = keys.get_type().name()?;
        return Err(mistyped(format!(
            "keys must be a list or another iterable of keys, got {got}"
        )));
    }
    keys.try_iter()
}
