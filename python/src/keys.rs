//! Hashes keys: values of Python, which get the hash that bloom-core gives to equal values of Rust's types `str`, `[u8]`,
//! `i64`, `u64` and `u32`, and of tuples of these. Each filter accepts keys of one type. It refuses a value of any other type:
//! the hash of that value might differ from the hash of an equal key, and the filter would answer *no* about a key that it has.

use std::hash::{BuildHasher, Hasher};

use bloom_core::FixedState;
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
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
                let parts = tuple.iter().map(|part| Part::from_name(&part));
                Ok(Self::Tuple(parts.collect::<PyResult<_>>()?))
            }
            _ => Ok(Self::One(Part::from_name(&named)?)),
        }
    }
}

impl Keys {
    /// Returns the type in the form in which a caller gives it to a constructor: a name, or a tuple of names.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Self::One(part) => PyString::new(py, part.name()).into_any(),
            Self::Tuple(parts) => PyTuple::new(py, parts.iter().map(|p| p.name()))?.into_any(),
        })
    }

    /// Returns the hash of a key.
    pub(crate) fn hash(&self, key: &Bound<'_, PyAny>) -> PyResult<u64> {
        let mut hasher = FixedState::new().build_hasher();
        match self {
            Self::One(part) => part.feed(key, &mut hasher)?,
            Self::Tuple(parts) => {
                let tuple = key.cast::<PyTuple>().ok();
                let Some(tuple) = tuple.filter(|tuple| tuple.len() == parts.len()) else {
                    return Err(wrong(self.object(key.py())?, key));
                };
                for (part, key) in parts.iter().zip(tuple) {
                    part.feed(&key, &mut hasher)?;
                }
            }
        }
        Ok(hasher.finish())
    }

    /// Returns the hashes of all keys of an array, a column or an iterable.
    pub(crate) fn hashes(&self, keys: &Bound<'_, PyAny>) -> PyResult<Column> {
        if keys.hasattr("__arrow_c_array__")? || keys.hasattr("__arrow_c_stream__")? {
            return match self {
                Self::One(part) => Column::of_arrow(keys, *part),
                Self::Tuple(_) => Err(mistyped("keys must be an iterable of tuples, got a column")),
            };
        }
        let (py, mut keys) = (keys.py(), keys.clone());
        let has_numbers = keys.hasattr("dtype")?;
        if has_numbers {
            let numpy = py.import("numpy")?;
            let masked = numpy.getattr("ma")?.getattr("MaskedArray")?;
            if keys.is_instance(&masked)? {
                // A masked array also has values at the masked places, and these would become keys.
                let rule = "keys must not be a masked array: give its";
                return Err(mistyped(format!("{rule} compressed() or filled() values")));
            }
            // A pandas index is not a NumPy array, but can be turned into one. A field of a structured array is copied if it is
            // not contiguous or not aligned.
            keys = numpy.call_method1("require", (keys, py.None(), ("C", "A", "E")))?;
        }
        match self {
            // NumPy's datetime NaT (not a time) counts as a null.
            Self::One(Part::I64) if is_kind(&keys, "M") => {
                array::<i64>(&nanoseconds(&keys)?, Part::I64, Some(NOT_A_TIME.into()))
            }
            Self::One(part) if has_numbers && *part >= Part::I64 => {
                let unsigned = is_kind(&keys, "u");
                let hash = if unsigned { array::<u64> } else { array::<i64> };
                hash(&keys, *part, None)
            }
            _ => {
                let mut column = Column::default();
                for key in all_of(&keys)? {
                    check(py, &mut column.hashes)?;
                    column.hashes.push(self.hash(&key?)?);
                }
                Ok(column)
            }
        }
    }
}

/// Returns the hashes of a NumPy array of integers, which are read as `T`. An integer equal to `null` counts as a null. This
/// thread keeps the lock of the interpreter, because without it another thread could change the array.
fn array<T: Element + Copy + Into<i128>>(
    keys: &Bound<'_, PyAny>,
    part: Part,
    null: Option<i128>,
) -> PyResult<Column> {
    // The arguments are, in order: the type; the memory order; the rule that a cast must keep every value; whether subclasses
    // stay; and whether an array that already has the type is copied.
    let arguments = (T::get_dtype(keys.py()), "K", "safe", true, false);
    let fit = keys.call_method1("astype", arguments);
    let fit = fit.and_then(|fit| Ok(fit.cast_into::<PyArray1<T>>()?));
    let array = match (is_kind(keys, "iu"), fit) {
        (true, Ok(array)) => array,
        (true, Err(error)) if !error.is_instance_of::<PyTypeError>(keys.py()) => return Err(error),
        _ => {
            let (got, shape) = (keys.getattr("dtype")?, keys.getattr("shape")?);
            let rule = "array of keys must have one dimension and integers";
            return Err(mistyped(format!("{rule}, got {got} of shape {shape}")));
        }
    };
    let array = array.try_readonly().map_err(value)?;
    let keys = array.as_array();
    let number = |key: &T| Some((*key).into()).filter(|number| Some(*number) != null);
    Column::default().integers(part, keys.iter().map(number))
}

/// Returns an iterator over keys. A text or bytes are refused, because they are one key.
pub(crate) fn all_of<'py>(keys: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    if keys.is_instance_of::<PyString>() || keys.is_instance_of::<PyBytes>() {
        let got = keys.get_type().name()?;
        let rule = "keys must be a list or another iterable of keys";
        return Err(mistyped(format!("{rule}, got {got}")));
    }
    keys.try_iter()
}
