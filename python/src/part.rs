//! The types of keys of the Python package. Each type hashes a value of Python as bloom-core hashes the equal value of Rust,
//! and refuses values of other types.

use std::fmt::Display;
use std::hash::{BuildHasher, Hash};

use bloom_core::{FixedHasher, FixedState};
use pyo3::CastError;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBool, PyBytes, PyInt, PyString, PyTuple};

use crate::error::{mistyped, value};
use crate::size::{digits, plain};

/// The type of a key, or of a part of a tuple that is a key. The variants from `I64` on are integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum Part {
    Str,
    Bytes,
    I64,
    U64,
    U32,
}

const NAMES: [&str; 5] = ["str", "bytes", "i64", "u64", "u32"];
const ALL: [Part; 5] = [Part::Str, Part::Bytes, Part::I64, Part::U64, Part::U32];

impl Part {
    pub(crate) fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Returns the type with this name.
    pub(crate) fn from_name(name: &Bound<'_, PyAny>) -> PyResult<Self> {
        let names = NAMES.join(", ");
        let rule = format!("keys must be one of {names}, or a tuple of them");
        let part = ALL
            .into_iter()
            .find(|part| name.eq(part.name()).unwrap_or(false));
        part.ok_or_else(|| value(format!("{rule}, got {name}")))
    }

    /// Hashes a key, or a part of a tuple.
    pub(crate) fn feed(self, key: &Bound<'_, PyAny>, hasher: &mut FixedHasher) -> PyResult<()> {
        let bad = |_: CastError<'_, '_>| wrong(self.name(), key);
        match self {
            Self::Str => key.cast::<PyString>().map_err(bad)?.to_str()?.hash(hasher),
            Self::Bytes => key.cast::<PyBytes>().map_err(bad)?.as_bytes().hash(hasher),
            Self::I64 if is_kind(key, "M") => match nanoseconds(key)?.extract()? {
                NOT_A_TIME => return Err(value("NaT (not a time) is not a key")),
                moment => moment.hash(hasher),
            },
            Self::I64 => self.integer::<i64>(key)?.hash(hasher),
            Self::U64 => self.integer::<u64>(key)?.hash(hasher),
            Self::U32 => self.integer::<u32>(key)?.hash(hasher),
        }
        Ok(())
    }

    /// Returns the value of an integer of Python or NumPy; a bool is refused.
    fn integer<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
        self,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<T> {
        // Truth values count as integers in Python, and in NumPy 2.2.
        if key.is_instance_of::<PyBool>() || is_kind(key, "b") {
            return Err(wrong(self.name(), key));
        }
        match key.extract() {
            Err::<T, PyErr>(error) if error.is_instance_of::<PyTypeError>(key.py()) => {
                Err(wrong(self.name(), key))
            }
            Err(error) if error.is_instance_of::<PyOverflowError>(key.py()) => {
                let got = plain(key.clone()).and_then(|key| digits(&key));
                Err(self.too_large(got.as_deref().unwrap_or("one of thousands of digits")))
            }
            integer => integer,
        }
    }

    /// Returns an integer of an array or a column as a key; refuses an integer that does not fit the type.
    pub(crate) fn fit<K: TryFrom<i128>>(self, number: i128) -> PyResult<K> {
        K::try_from(number).map_err(|_| self.too_large(number))
    }

    fn too_large(self, got: impl Display) -> PyErr {
        let rule = format!("key must be an integer that fits {}", self.name());
        PyOverflowError::new_err(format!("{rule}, got {got}"))
    }
}

/// Returns the error for a key, or a part of a key, that has another type.
pub(crate) fn wrong(keys: impl Display, key: &Bound<'_, PyAny>) -> PyErr {
    let got = match (key.cast::<PyTuple>(), key.get_type().name()) {
        (Ok(tuple), _) => format!("a tuple of length {}", tuple.len()),
        (_, Ok(name)) => name.to_string(),
        _ => "another type".to_string(),
    };
    mistyped(format!("keys of this filter must be {keys}, got {got}"))
}

/// The rule for datetimes: their nanoseconds must fit in an `i64`. The text names only the days at the two ends of this range,
/// where versions of NumPy differ.
pub(crate) const DATES: &str = "datetimes must be whole nanoseconds from 1677-09-21 to 2262-04-11";

/// NumPy's value for not-a-time.
pub(crate) const NOT_A_TIME: i64 = i64::MIN;

/// Returns a NumPy datetime, or an array of datetimes, as nanoseconds since 1970. Without this conversion, equal datetimes in
/// different units would be different keys.
pub(crate) fn nanoseconds<'py>(moments: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = moments.py();
    let unit = moments.getattr("dtype")?;
    let refused = || value(format!("{DATES}, got others of {unit}"));
    // Older versions of NumPy turn a year that is too large into another year, and all versions round finer units. So the
    // result is converted back and compared with the original.
    let exact = moments.call_method1("astype", ("datetime64[ns]",));
    let exact = exact.map_err(|error| {
        let is_far = error.is_instance_of::<PyOverflowError>(py);
        if is_far { refused() } else { error }
    })?;
    let back = exact.call_method1("astype", (&unit,))?;
    let same = [("equal_nan", true)].into_py_dict(py)?;
    let numpy = py.import("numpy")?;
    let same = numpy.call_method("array_equal", (back, moments), Some(&same))?;
    if !same.is_truthy()? {
        return Err(refused());
    }
    exact.call_method1("astype", ("int64",))
}

/// Returns whether a NumPy value has one of these kinds, one letter each.
pub(crate) fn is_kind(value: &Bound<'_, PyAny>, kinds: &str) -> bool {
    // Most keys are integers of Python, and to look up an attribute that they do not have would take long.
    if value.is_exact_instance_of::<PyInt>() {
        return false;
    }
    let dtype = value.getattr("dtype");
    let kind = dtype.and_then(|dtype| dtype.getattr("kind")?.extract());
    kind.is_ok_and(|kind: char| kinds.contains(kind))
}

/// Returns the hash that bloom-core's default hasher computes.
pub(crate) fn of(key: &(impl Hash + ?Sized)) -> u64 {
    FixedState::new().hash_one(key)
}
