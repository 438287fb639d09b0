//! The function `size` of the Python package. It computes sizes of filters as the command `bloom-params` does: the flags of the
//! command are keyword arguments, and the answer is read from its JSON.

use bloom_params::json;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use crate::error::{mistyped, refused};
use crate::part::is_kind;

/// The answer of `size`.
#[pyclass(frozen, get_all, module = "bloom_suite")]
pub(crate) struct Size {
    /// The flags that `size` was given: names and texts.
    flags: Vec<(String, String)>,
    /// The text of `bloom-params --json`, without the line break at its end.
    json: String,
    /// The items n. None if only the bits per item are known.
    n: Py<PyAny>,
    /// The bits m. None if only the bits per item are known.
    m: Py<PyAny>,
    /// The hashes.
    k: Py<PyAny>,
    /// The false-positive rate.
    p: Py<PyAny>,
    /// Whether the target rate is kept; None without a target rate.
    met: Py<PyAny>,
    /// Notes on the answer, one text each.
    notes: Py<PyAny>,
}

/// Sizes a Bloom filter: give some of items n, bits m, hashes k and false-positive rate p; it computes the rest exactly.
///
/// The flags of the command `bloom-params` are keywords, with `_` in place of `-`: `like="guava"`, `filter="blocked"`,
/// `hash_bits=32`, `overfill=True`. A value may be a text, which is read as the command reads it.
///
/// >>> import bloom_suite
/// >>> bloom_suite.size(n="2k", p="1%").m
/// 19188
/// >>> bloom_suite.size(n=2000, p=0.01, like="guava").k
/// 7
/// >>> bloom_suite.size(n=2000, p=2)
/// Traceback (most recent call last):
/// ...
/// ValueError: p must be between 0 and 1 (exclusive), got 2
/// hint: for 2 percent write 2%
#[pyfunction]
#[pyo3(signature = (n = None, p = None, **flags))]
pub(crate) fn size(
    py: Python<'_>,
    n: Option<Bound<'_, PyAny>>,
    p: Option<Bound<'_, PyAny>>,
    flags: Option<Bound<'_, PyDict>>,
) -> PyResult<Size> {
    let flags = flags.unwrap_or_else(|| PyDict::new(py));
    flags.set_item("n", n)?;
    flags.set_item("p", p)?;
    let mut texts = Vec::new();
    for (name, value) in flags {
        let name: String = name.extract()?;
        texts.extend(text(&name, Some(value))?.map(|text| (name, text)));
    }
    let json = json::answer(&texts).map_err(refused)?;
    let facts = parsed(py, &json)?;
    let fact = |key| facts.as_any().get_item(key).map(Bound::unbind);
    Ok(Size {
        n: fact("n")?,
        m: fact("m")?,
        k: fact("k")?,
        p: fact("p")?,
        met: fact("met")?,
        notes: fact("notes")?,
        flags: texts,
        json,
    })
}

/// Returns a value as it is typed on the command line; `None` if the flag is not given.
pub(crate) fn text(name: &str, value: Option<Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    let Some(value) = value.filter(|value| !value.is_none()) else {
        return Ok(None);
    };
    let value = plain(value)?;
    // Truth values are handled before integers, because to Python they are integers.
    if let Ok(is) = value.cast::<PyBool>() {
        return Ok(is.is_true().then(|| "true".to_string()));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Some(text.to_str()?.to_string()));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Some(digits(&value)?));
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        // Returns the shortest text that is read as this number.
        return Ok(Some(format!("{:?}", number.value())));
    }
    let got = value.get_type().name()?;
    let rule = format!("{name} must be a number, a str or a bool");
    Err(mistyped(format!("{rule}, got {got}")))
}

/// Returns a number of NumPy as a number of Python. An array becomes a list, and a masked number None. Datetimes stay as they
/// are.
pub(crate) fn plain(value: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    if is_kind(&value, "iufb") {
        return value.call_method0("tolist");
    }
    Ok(value)
}

/// Returns the digits of an integer, even if it is of a subclass of int that prints another text.
pub(crate) fn digits(integer: &Bound<'_, PyAny>) -> PyResult<String> {
    let int = integer.py().get_type::<PyInt>();
    int.call_method1("__repr__", (integer,))?.extract()
}

/// Returns a JSON object as a dict.
pub(crate) fn parsed<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyDict>> {
    let parsed = py.import("json")?.call_method1("loads", (json,))?;
    Ok(parsed.cast_into::<PyDict>()?)
}

#[pymethods]
impl Size {
    /// The whole answer as a dict with the keys of `json`. Each access returns a new dict.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        parsed(py, &self.json)
    }

    /// Returns the derivation of the answer, as lines.
    fn explain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut flags = self.flags.clone();
        flags.retain(|(name, _)| name != "explain");
        flags.push(("explain".to_string(), "true".to_string()));
        let facts = parsed(py, &json::answer(&flags).map_err(refused)?)?;
        facts.as_any().get_item("explain")
    }

    fn __repr__(&self) -> String {
        let (n, m, k, p, met) = (&self.n, &self.m, &self.k, &self.p, &self.met);
        format!("Size(n={n}, m={m}, k={k}, p={p}, met={met})")
    }
}
