//! The class `SystemFilter` of the Python package, for filters of other systems such as Spark and Redis, and the functions that
//! read and build them. They follow the rules of the command `bloom-file`.

use std::path::PathBuf;

use bloom_file::{AnyFilter, KeyValue, Size};
use bloom_params::InputError;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyIterator, PyString, PyTuple};

use crate::error::{bytes_of, check, mistyped, named, pause, refused, write};
use crate::keys::all_of;
use crate::lock::Lock;
use crate::part::is_kind;
use crate::size::{digits, parsed, plain, text};

/// A filter of any system, in memory: see `open` and `build`.
///
/// `keys` names the type that the system hashes: `"i64"`, `"i32"`, `"i64-be"` and so on, as for `bloom-file query --keys`.
/// Without `keys` the type is the `key_type` that `build`, `open` or `read_bytes` was given. Without either, a str is hashed as
/// text, bytes as bytes, an int as 64 bits and a float as a double. A key of a type that the system does not have raises a
/// ValueError.
#[pyclass(frozen, module = "bloom_suite")]
pub(crate) struct SystemFilter(Lock<AnyFilter>);

/// Reads the filter of a file of Spark, Guava, Redis, Parquet, ORC, Hadoop, Hudi, Hive, DataSketches, Go, DCSO or
/// bloom-core.
///
/// Without `format` the system is recognised by the bytes of the file. The file is refused if they fit no system, or several.
/// The file must not be truncated while it is read: the signal SIGBUS ends a program that reads beyond the new end.
///
/// >>> import bloom_suite
/// >>> bloom_suite.build("guava", n=1000, p=0.01, keys=["ant"]).save("users.bloom")
/// >>> read = bloom_suite.open("users.bloom")
/// >>> read, "ant" in read, "bee" in read
/// (SystemFilter(format='guava'), True, False)
#[pyfunction]
#[pyo3(name = "open", signature = (path, format = None, key_type = None))]
pub(crate) fn open_file(
    py: Python<'_>,
    path: PathBuf,
    format: Option<&str>,
    key_type: Option<&str>,
) -> PyResult<SystemFilter> {
    let filter = SystemFilter::new(py, key_type, || AnyFilter::open(&path, format));
    filter.map_err(|error| named(py, &path, &error))
}

/// Reads a filter from bytes, as `open` reads a file.
///
/// >>> import bloom_suite
/// >>> made = bloom_suite.build("spark", n=1000, p=0.01, keys=[7], key_type="i32")
/// >>> bloom_suite.read_bytes(bytes(made), key_type="i32").contains(7)
/// True
#[pyfunction]
#[pyo3(signature = (bytes, format = None, key_type = None))]
pub(crate) fn read_bytes(
    py: Python<'_>,
    bytes: &[u8],
    format: Option<&str>,
    key_type: Option<&str>,
) -> PyResult<SystemFilter> {
    SystemFilter::new(py, key_type, || AnyFilter::from_bytes(bytes, format))
}

/// Builds the filter that a system would build. `format` names the system. It and the other arguments are as for the command
/// `bloom-file build`.
///
/// >>> import bloom_suite
/// >>> made = bloom_suite.build("spark", n=1000, p=0.03, keys=["ant", "bee"])
/// >>> "ant" in made, made.format
/// (True, 'spark')
/// >>> bloom_suite.read_bytes(made.to_bytes()).contains("bee")
/// True
#[pyfunction]
#[pyo3(signature = (
    format, n = None, p = None, *, m = None, k = None, seed = None, growth = None, keys = None, key_type = None
))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn build(
    py: Python<'_>,
    format: &str,
    n: Option<Bound<'_, PyAny>>,
    p: Option<Bound<'_, PyAny>>,
    m: Option<Bound<'_, PyAny>>,
    k: Option<Bound<'_, PyAny>>,
    seed: Option<i128>,
    growth: Option<u32>,
    keys: Option<Bound<'_, PyAny>>,
    key_type: Option<&str>,
) -> PyResult<SystemFilter> {
    let size = Size {
        n: text("n", n)?,
        p: text("p", p)?,
        m: text("m", m)?,
        k: text("k", k)?,
        seed,
        growth,
    };
    let made = SystemFilter::new(py, key_type, || AnyFilter::create(format, &size))?;
    if let Some(keys) = keys {
        made.update(&keys, None)?;
    }
    Ok(made)
}

/// Calls `with` with the value of a key, which must be a str, bytes, int or float; refuses any other type, also a bool.
fn with_key<R>(
    key: &Bound<'_, PyAny>,
    with: impl FnOnce(KeyValue<'_>) -> PyResult<Result<R, InputError>>,
) -> PyResult<R> {
    let (key, number) = (&plain(key.clone())?, &mut String::new());
    let value = if let Ok(text) = key.cast::<PyString>() {
        KeyValue::Text(text.to_str()?)
    } else if let Ok(bytes) = key.cast::<PyBytes>() {
        KeyValue::Bytes(bytes.as_bytes())
    } else if let Ok(number) = key.cast::<PyFloat>() {
        KeyValue::Number(number.value())
    } else if key.is_instance_of::<PyInt>() && !key.is_instance_of::<PyBool>() {
        *number = digits(key)?;
        KeyValue::Integer(number)
    } else {
        let (rule, got) = ("str, bytes, int or float", key.get_type().name()?);
        return Err(mistyped(format!("key must be {rule}, got {got}")));
    };
    with(value)?.map_err(refused)
}

/// Returns an iterator over the values of an array, a column or any iterable, as Python values with None for a null.
fn values<'py>(items: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    let mut items = items.clone();
    if is_kind(&items, "Mm") {
        // NumPy would convert datetimes in nanoseconds to integers, and all other datetimes to objects, so all are refused.
        return Err(mistyped("keys must be integers, got datetimes"));
    }
    // The nulls of pandas have several types, one of which is float.
    if items.hasattr("isna")? {
        let (py, nulls) = (items.py(), items.call_method0("isna")?);
        let objects = items.call_method1("astype", ("object",))?;
        let numpy = py.import("numpy")?;
        items = numpy.call_method1("where", (nulls, py.None(), objects))?;
    }
    for method in ["to_pylist", "to_list", "tolist"] {
        if items.hasattr(method)? {
            return all_of(&items.call_method0(method)?);
        }
    }
    all_of(&items)
}

impl SystemFilter {
    /// Returns the filter that the closure `make` makes, while other threads run.
    fn new(
        py: Python<'_>,
        key_type: Option<&str>,
        make: impl FnOnce() -> Result<AnyFilter, InputError> + Send,
    ) -> PyResult<Self> {
        let mut filter = py.detach(make).map_err(refused)?;
        let keys = key_type.map_or(Ok(()), |name| filter.set_keys(name));
        keys.map_err(refused)?;
        Ok(Self(Lock::new(filter)))
    }

    fn contents(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        self.0.ask(py, AnyFilter::to_bytes)?.map_err(refused)
    }
}

#[pymethods]
impl SystemFilter {
    /// The name of the system.
    #[getter]
    fn format(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.0.read(py, AnyFilter::format)
    }

    /// The object that `bloom-file inspect --json` prints, as a dict.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let json = self.0.ask(py, AnyFilter::facts)?.map_err(refused)?;
        parsed(py, &json)
    }

    /// The false-positive rate at the present fill, with the system's hashing.
    #[getter]
    fn rate(&self, py: Python<'_>) -> PyResult<f64> {
        self.0.ask(py, AnyFilter::rate)
    }

    /// The estimated number of distinct items. None if every bit of the filter or of one of its parts is set, or after an
    /// intersection.
    #[getter]
    fn estimated_items(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.0.ask(py, AnyFilter::estimated_items)
    }

    /// Returns whether a key may be in the filter. False is certain if the filter was filled with keys of the type that is
    /// queried.
    #[pyo3(signature = (key, keys = None))]
    fn contains(&self, key: &Bound<'_, PyAny>, keys: Option<&str>) -> PyResult<bool> {
        let py = key.py();
        with_key(key, |key| self.0.read(py, |f| f.contains(key, keys)))
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.contains(key, None)
    }

    /// Inserts a key and returns whether it was certainly new.
    #[pyo3(signature = (key, keys = None))]
    fn add(&self, key: &Bound<'_, PyAny>, keys: Option<&str>) -> PyResult<bool> {
        let py = key.py();
        with_key(key, |key| self.0.write(py, |f| f.insert(key, keys)))
    }

    /// Inserts the keys of an iterable, a NumPy array or a column (of pyarrow, pandas or Polars) one by one. A null or a key of
    /// a wrong type ends this with an exception, and the keys before it stay inserted.
    #[pyo3(signature = (items, keys = None))]
    fn update(&self, items: &Bound<'_, PyAny>, keys: Option<&str>) -> PyResult<()> {
        for (number, key) in values(items)?.enumerate() {
            pause(items.py(), number)?;
            self.add(&key?, keys)?;
        }
        Ok(())
    }

    /// Returns for each key of an iterable, an array or a column whether it may be in the filter, as a NumPy array. The
    /// answer for None, or a null of a column, is False.
    #[pyo3(signature = (items, keys = None))]
    fn contains_many<'py>(
        &self,
        py: Python<'py>,
        items: &Bound<'py, PyAny>,
        keys: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        // Without NumPy this raises an ImportError, where `from_vec` would panic.
        py.import("numpy")?;
        let mut answers = Vec::new();
        for key in values(items)? {
            let key = key?;
            check(py, &mut answers)?;
            answers.push(!key.is_none() && self.contains(&key, keys)?);
        }
        Ok(PyArray1::from_vec(py, answers))
    }

    /// Inserts all keys of another filter of the same system and size.
    ///
    /// >>> import bloom_suite
    /// >>> first, second = (bloom_suite.build("spark", n=9, p=0.01, keys=[key]) for key in ("ant", "bee"))
    /// >>> first.merge(second)
    /// >>> "ant" in first, "bee" in first
    /// (True, True)
    fn merge(&self, other: &Bound<'_, Self>) -> PyResult<()> {
        let (py, other) = (other.py(), other.get());
        if std::ptr::eq(self, other) {
            let why = "a filter must not be merged with itself: it would not change";
            return Err(mistyped(why));
        }
        let merged = self.0.change(py, &other.0, AnyFilter::merge)?;
        merged.map_err(refused)
    }

    /// Returns the filter in the bytes that the system would write.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        bytes_of(py, &self.contents(py)?)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.to_bytes(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let read = py.import("bloom_suite")?.getattr("read_bytes")?;
        let (format, keys) = self.0.read(py, |f| (f.format(), f.keys()))?;
        (read, (self.to_bytes(py)?, format, keys)).into_pyobject(py)
    }

    /// Writes the filter to a file. An existing file is replaced as a whole.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        write(py, &path, &self.contents(py)?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("SystemFilter(format='{}')", self.format(py)?))
    }
}
