//! The filter classes of the Python package. pyo3 has no generic classes, so the class `Filter` has the methods of all kinds of
//! filter, and each kind has a subclass.
//!
//! Each filter has a lock, because a thread gives up the lock of the interpreter while it inserts or queries an array.

use std::fs;
use std::path::PathBuf;

use bloom_core::FilterKind;
use bloom_file::{CoreError, CoreFilter};
use bloom_formats::map::FileBytes;
use numpy::PyArray1;
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::error::{bytes_of, core, mistyped, named, read, value, write};
use crate::keys::Keys;
use crate::lock::Lock;
use crate::part::Part;

/// A filter of any kind, whose bits are in memory, in memory that threads may share, or in the bytes of its file.
pub(crate) type Any = CoreFilter<FileBytes>;
/// A union or an intersection.
type Change = fn(&mut Any, &Any) -> Result<(), CoreError>;

/// The base class of all filters, with the methods of every kind.
///
/// `load`, `open` and `from_bytes` of this class take a filter of any kind; the same methods of a subclass take only its kind.
#[pyclass(frozen, subclass, module = "bloom_suite")]
pub(crate) struct Filter {
    pub(crate) keys: Keys,
    /// Whether several threads may fill the filter at once.
    is_shared: bool,
    pub(crate) any: Lock<Any>,
}

/// A Bloom filter with the fewest bits that keep the rate.
///
/// Either `items` and `rate` are given, or `bits` and `hashes`. Keys are str unless `keys` names another type.
///
/// >>> from bloom_suite import BloomFilter
/// >>> seen = BloomFilter(2000, 0.01)
/// >>> seen.add("ant"), "ant" in seen, "bee" in seen
/// (True, True, False)
/// >>> seen.bits, seen.hashes
/// (19188, 7)
/// >>> seen.add(7)
/// Traceback (most recent call last):
/// ...
/// TypeError: keys of this filter must be str, got int
#[pyclass(frozen, extends = Filter, module = "bloom_suite")]
pub(crate) struct BloomFilter;

/// A Bloom filter for speed: all bits of a key are in one block, which is a cache line. It is for rates down to about
/// 1 in 10,000.
///
/// >>> from bloom_suite import BlockedBloomFilter
/// >>> seen = BlockedBloomFilter(2000, 0.01, keys=("str", "i64"))
/// >>> seen.add(("ann", 7)), ("ann", 7) in seen, ("ann", 8) in seen
/// (True, True, False)
#[pyclass(frozen, extends = Filter, module = "bloom_suite")]
pub(crate) struct BlockedBloomFilter;

/// A Bloom filter in which each hash has its own bits: for teaching and comparison.
#[pyclass(frozen, extends = Filter, module = "bloom_suite")]
pub(crate) struct PartitionedBloomFilter;

/// A Bloom filter of counters: keys can be removed again.
///
/// >>> from bloom_suite import CountingBloomFilter
/// >>> seen = CountingBloomFilter(2000, 0.01, keys="bytes")
/// >>> seen.add(b"ant"), seen.remove(b"ant"), b"ant" in seen
/// (True, True, False)
#[pyclass(frozen, extends = Filter, module = "bloom_suite")]
pub(crate) struct CountingBloomFilter;

/// A Bloom filter that grows: for a number of items unknown in advance.
///
/// >>> from bloom_suite import ScalableBloomFilter
/// >>> seen = ScalableBloomFilter(100, 0.01, keys="i64")
/// >>> before = seen.bits
/// >>> seen.update(range(1000))
/// >>> seen.bits > before, 999 in seen
/// (True, True)
#[pyclass(frozen, extends = Filter, module = "bloom_suite")]
pub(crate) struct ScalableBloomFilter;

impl Filter {
    pub(crate) fn new(keys: Option<Keys>, is_shared: bool, mut any: Any) -> PyResult<Self> {
        if is_shared {
            any = any.into_shared().map_err(core)?;
        }
        Ok(Self {
            keys: keys.unwrap_or(Keys::One(Part::Str)),
            is_shared,
            any: Lock::new(any),
        })
    }

    /// Returns what pyo3 needs to create an object of a subclass with this filter.
    pub(crate) fn init<C: PyClass<BaseType = Self>>(self, class: C) -> PyClassInitializer<C> {
        PyClassInitializer::from(self).add_subclass(class)
    }

    /// Returns the filter as an object of the class of its kind.
    fn object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let kind = self.any.read(py, Any::kind)?;
        Ok(match kind {
            FilterKind::Blocked => Py::new(py, self.init(BlockedBloomFilter))?.into_any(),
            FilterKind::Partitioned => Py::new(py, self.init(PartitionedBloomFilter))?.into_any(),
            FilterKind::Counting => Py::new(py, self.init(CountingBloomFilter))?.into_any(),
            FilterKind::Scalable => Py::new(py, self.init(ScalableBloomFilter))?.into_any(),
            _ => Py::new(py, self.init(BloomFilter))?.into_any(),
        })
    }

    /// Returns a copy in memory.
    fn duplicate(&self, py: Python<'_>) -> PyResult<Self> {
        let plain = self.any.ask(py, Any::to_plain)?.map_err(core)?;
        Self::new(Some(self.keys.clone()), self.is_shared, plain)
    }

    /// Returns the bytes of the filter's file.
    fn contents(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        self.any.ask(py, Any::to_bytes)?.map_err(core)
    }

    /// Returns a copy of this filter combined with the other filter.
    fn changed(&self, py: Python<'_>, other: &Self, change: Change) -> PyResult<Py<PyAny>> {
        let copy = self.duplicate(py)?;
        copy.change(py, other, change)?;
        copy.object(py)
    }

    /// Combines this filter with the other filter, which may be the same object.
    fn change(&self, py: Python<'_>, other: &Self, change: Change) -> PyResult<()> {
        if self.keys != other.keys {
            let (ours, theirs) = (self.keys.object(py)?, other.keys.object(py)?);
            let message = format!("keys of both filters must be equal, got {ours} and {theirs}");
            return Err(mistyped(message));
        }
        if std::ptr::eq(self, other) {
            return self.change(py, &self.duplicate(py)?, change);
        }
        self.any.change(py, &other.any, change)?.map_err(core)
    }
}

/// Returns the kind that has the name of a class; `None` for the class of all kinds.
fn kind_of(class: &Bound<'_, PyType>) -> PyResult<Option<FilterKind>> {
    let name = class.name()?.to_string();
    let mut kinds = FilterKind::ALL.into_iter();
    Ok(kinds.find(|kind| kind.to_string() == name))
}

#[pymethods]
impl Filter {
    /// Inserts a key and returns whether it was certainly new.
    fn add(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (py, hash) = (key.py(), self.keys.hash(key)?);
        if self.is_shared {
            let insert = |any: &Any| any.insert_hashes_shared(&[hash]);
            return Ok(self.any.read(py, insert)? == Some(1));
        }
        let new = self.any.write(py, |any| any.insert_hash(hash))?;
        new.map_err(core)
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let hash = self.keys.hash(key)?;
        self.any.read(key.py(), |any| any.contains_hash(hash))
    }

    /// Inserts all keys of an iterable, an array or a column: see `add_many`.
    fn update(&self, keys: &Bound<'_, PyAny>) -> PyResult<()> {
        self.add_many(keys.py(), keys).map(drop)
    }

    /// Inserts all keys of an iterable, a NumPy array or an Arrow column (of pyarrow, pandas, Polars or DuckDB). If any key is
    /// null or of another type, no key is inserted. Returns how many keys were certainly new. Other threads run while the
    /// filter is filled; they must not change the memory of an Arrow column, because Arrow forbids this.
    ///
    /// >>> import bloom_suite, numpy
    /// >>> seen = bloom_suite.BloomFilter(1000, 0.01, keys="i64")
    /// >>> seen.add_many(numpy.arange(100)), seen.add_many([1, 2])
    /// (100, 0)
    fn add_many(&self, py: Python<'_>, keys: &Bound<'_, PyAny>) -> PyResult<u64> {
        let column = self.keys.hashes(keys)?;
        let hashes = column.keys()?;
        if self.is_shared {
            let new = self.any.ask(py, |any| any.insert_hashes_shared(hashes))?;
            return Ok(new.expect("the filter is shared"));
        }
        let insert = |any: &mut Any| py.detach(|| any.insert_hashes(hashes));
        self.any.write(py, insert)?.map_err(core)
    }

    /// Returns for each key of an iterable, an array or a column whether it may have been inserted, as a NumPy array.
    /// The answer for a null of a column is False. Other threads run while the filter is queried.
    ///
    /// >>> import bloom_suite
    /// >>> seen = bloom_suite.BloomFilter(1000, 0.01)
    /// >>> seen.update(["ant", "bee"])
    /// >>> seen.contains_many(["ant", "cow"]).tolist()
    /// [True, False]
    fn contains_many<'py>(
        &self,
        py: Python<'py>,
        keys: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        // Without NumPy this raises an ImportError, where `from_vec` would panic.
        py.import("numpy")?;
        let column = self.keys.hashes(keys)?;
        let answers = self.any.ask(py, |any| column.answers(any))?;
        // Makes the array after the filter is unlocked, because a finalizer that uses the filter may run while the array is
        // made.
        Ok(PyArray1::from_vec(py, answers?))
    }

    /// Removes all keys.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.any.write(py, Any::clear)?.map_err(core)
    }

    fn __or__(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        self.changed(py, other.get(), Any::union_with)
    }

    fn __ior__(&self, other: &Bound<'_, Self>) -> PyResult<()> {
        self.change(other.py(), other.get(), Any::union_with)
    }

    fn __and__(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        self.changed(py, other.get(), Any::intersect_with)
    }

    fn __iand__(&self, other: &Bound<'_, Self>) -> PyResult<()> {
        self.change(other.py(), other.get(), Any::intersect_with)
    }

    fn __len__(&self) -> PyResult<usize> {
        Err(mistyped("keys are not counted: use estimated_items"))
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(!self.any.ask(py, Any::is_empty)?)
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> PyResult<bool> {
        let (py, other) = (other.py(), other.get());
        if std::ptr::eq(self, other) {
            return Ok(true);
        }
        // Locks both at once: two threads that lock them one by one in opposite orders would wait for ever.
        let equals = |ours: &mut Any, theirs: &Any| ours.equals(theirs);
        let equal = self.any.change(py, &other.any, equals)?;
        Ok(self.keys == other.keys && equal.map_err(core)?)
    }

    /// The type of the keys.
    #[getter]
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.keys.object(py)
    }

    /// The bits m: for a counting filter the number of counters, for a scalable filter the bits of all stages.
    #[getter]
    fn bits(&self, py: Python<'_>) -> PyResult<u64> {
        self.any.ask(py, Any::bits)
    }

    /// The hashes k of a key: for a scalable filter the hashes of its last stage.
    #[getter]
    fn hashes(&self, py: Python<'_>) -> PyResult<u8> {
        self.any.ask(py, Any::hashes)
    }

    /// The share of set bits, from 0 to 1.
    #[getter]
    fn fill(&self, py: Python<'_>) -> PyResult<f64> {
        self.any.ask(py, Any::fill)
    }

    /// The false-positive rate at the present fill.
    #[getter]
    fn rate(&self, py: Python<'_>) -> PyResult<f64> {
        self.any.ask(py, Any::false_positive_rate)
    }

    /// The estimated number of distinct items. Raises a ValueError if there is no estimate.
    #[getter]
    fn estimated_items(&self, py: Python<'_>) -> PyResult<f64> {
        let estimate = self.any.ask(py, Any::estimated_items)?;
        Ok(estimate.map_err(value)?.items)
    }

    /// Writes the filter to a file, which Rust's `from_bytes` reads, too. The file is replaced as a whole.
    ///
    /// >>> from bloom_suite import BloomFilter
    /// >>> seen = BloomFilter(1000, 0.01, keys="i64")
    /// >>> seen.update([7, 8])
    /// >>> seen.save("seen.bloom")
    /// >>> BloomFilter.load("seen.bloom", keys="i64") == seen
    /// True
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        write(py, &path, &self.contents(py)?)
    }

    /// Reads a filter from a file. The type of its keys is not in the file: give the type with which it was filled.
    ///
    /// With another type the filter answers False about keys that it has, since equal values of two types have different
    /// hashes.
    ///
    /// >>> from bloom_suite import BloomFilter
    /// >>> BloomFilter(1000, 0.01).save("words.bloom")
    /// >>> seen = BloomFilter.load("words.bloom", keys="str")
    /// >>> seen.add("ant"), BloomFilter.load("words.bloom", keys="str", shared=True)
    /// (True, BloomFilter(bits=9595, hashes=7, keys='str', shared=True))
    #[classmethod]
    #[pyo3(signature = (path, keys, shared = false))]
    fn load(
        class: &Bound<'_, PyType>,
        path: PathBuf,
        keys: Keys,
        shared: bool,
    ) -> PyResult<Py<PyAny>> {
        let (py, path) = (class.py(), &path);
        let bytes = read(py, path, py.detach(|| fs::read(path)))?;
        Self::from_bytes(class, &bytes, keys, shared).map_err(|error| named(py, path, &error))
    }

    /// Opens the filter of a file in place, for queries alone: the file is mapped and not read.
    ///
    /// While the filter exists, the file must neither change nor be truncated; `save` replaces the file, which does no harm. A
    /// scalable filter is loaded instead of mapped. `open` checks only the header. `load` also checks the bits, and so do
    /// `copy`, `save` and all other calls that copy the bits.
    ///
    /// >>> from bloom_suite import BloomFilter
    /// >>> BloomFilter(1000, 0.01).save("large.bloom")
    /// >>> mapped = BloomFilter.open("large.bloom", keys="str")
    /// >>> "ant" in mapped
    /// False
    /// >>> mapped.add("ant")
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: a filter that is read in place cannot be changed: use load, or copy it
    #[classmethod]
    fn open(class: &Bound<'_, PyType>, path: PathBuf, keys: Keys) -> PyResult<Py<PyAny>> {
        let py = class.py();
        let bytes = read(py, &path, FileBytes::open(&path))?;
        let any = Any::open(bytes, kind_of(class)?);
        let any = any.map_err(|error| named(py, &path, &core(error)))?;
        Self::new(Some(keys), false, any)?.object(py)
    }

    /// Returns the filter of these bytes; see `load`.
    #[classmethod]
    #[pyo3(signature = (bytes, keys, shared = false))]
    fn from_bytes(
        class: &Bound<'_, PyType>,
        bytes: &[u8],
        keys: Keys,
        shared: bool,
    ) -> PyResult<Py<PyAny>> {
        let (py, kind) = (class.py(), kind_of(class)?);
        let any = py.detach(|| Any::load(bytes, kind)).map_err(core)?;
        Self::new(Some(keys), shared, any)?.object(py)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        bytes_of(py, &self.contents(py)?)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, filter) = (slf.py(), slf.get());
        let make = slf.get_type().getattr("from_bytes")?;
        let (bytes, keys) = (filter.__bytes__(py)?, filter.keys.object(py)?);
        (make, (bytes, keys, filter.is_shared)).into_pyobject(py)
    }

    /// Returns a copy in memory, also of a filter that is opened in place.
    fn copy(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.duplicate(py)?.object(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let keys = self.keys.object(py)?.repr()?;
        let facts = |any: &Any| (any.kind(), any.bits(), any.hashes());
        let (kind, bits, hashes) = self.any.read(py, facts)?;
        let shared = if self.is_shared { ", shared=True" } else { "" };
        let size = format!("bits={bits}, hashes={hashes}");
        Ok(format!("{kind}({size}, keys={keys}{shared})"))
    }
}
