//! Sizes, by the questions of the command `bloom-params`: keyword arguments are its flags, and the answer is its JSON.

use std::fmt::Write;

use bloom_params::json;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use crate::error::refused;

/// The answer to a question of size: see `size`.
///
/// >>> import bloom_suite
/// >>> answer = bloom_suite.size(n=2000, p=0.01)
/// >>> answer.m, answer.k, answer.met
/// (19188, 7, True)
#[pyclass(frozen, module = "bloom_suite")]
pub(crate) struct Size {
    flags: Vec<(String, String)>,
    json: String,
    /// The same as a dict.
    facts: Py<PyDict>,
}

/// Sizes a Bloom filter: give some of items n, bits m, hashes k and false-positive rate p, and the rest is solved, exactly.
///
/// Each flag of the command `bloom-params` is a keyword with `_` in place of `-`: `like="guava"`, `filter="blocked"`,
/// `hash_bits=32`, `overfill=True`. Texts are read as the command reads them.
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
    let mut texts = Vec::new();
    for (name, value) in [("n", n), ("p", p)] {
        if let Some(text) = value.map_or(Ok(None), |value| text(name, &value))? {
            texts.push((name.to_string(), text));
        }
    }
    for (name, value) in flags.iter().flatten() {
        let name: String = name.extract()?;
        if let Some(text) = text(&name, &value)? {
            texts.push((name, text));
        }
    }
    let json = answer(&texts)?;
    let facts = parsed(py, &json)?.unbind();
    Ok(Size {
        flags: texts,
        json,
        facts,
    })
}

/// Returns a value as it is typed on the command line; `None` if the flag is not given.
pub(crate) fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.is_none() {
        return Ok(None);
    }
    // Before integers, which truth values are to Python.
    if let Ok(is) = value.cast::<PyBool>() {
        return Ok(is.is_true().then(|| "true".to_string()));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Some(text.to_str()?.to_string()));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Some(value.str()?.to_str()?.to_string()));
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        // The shortest text that is this number.
        return Ok(Some(format!("{:?}", number.value())));
    }
    let got = value.get_type().name()?;
    let message = format!("{name} must be a number, a text or a bool, got {got}");
    Err(PyTypeError::new_err(message))
}

fn answer(flags: &[(String, String)]) -> PyResult<String> {
    let flags: Vec<_> = flags
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    json::answer(&flags).map_err(refused)
}

/// Returns a JSON object as a dict.
pub(crate) fn parsed<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyDict>> {
    let parsed = py.import("json")?.call_method1("loads", (json,))?;
    Ok(parsed.cast_into::<PyDict>()?)
}

impl Size {
    fn fact<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        self.facts.bind(py).as_any().get_item(key)
    }
}

#[pymethods]
impl Size {
    /// The items; None where the answer is bits per item.
    #[getter]
    fn n<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.fact(py, "n")
    }

    /// The bits; None where the answer is bits per item.
    #[getter]
    fn m<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.fact(py, "m")
    }

    /// The hashes.
    #[getter]
    fn k<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.fact(py, "k")
    }

    /// The false-positive rate.
    #[getter]
    fn p<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.fact(py, "p")
    }

    /// Whether the target rate is kept; None without one.
    #[getter]
    fn met<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.fact(py, "met")
    }

    /// What to know of the answer, one text each.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.fact(py, "notes")
    }

    /// All of the answer: a copy, with the keys of `json`.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        parsed(py, &self.json)
    }

    /// The text of `bloom-params --json`, without the line break at its end.
    #[getter]
    fn json(&self) -> &str {
        &self.json
    }

    /// Returns the derivation of the answer, as lines.
    ///
    /// >>> import bloom_suite
    /// >>> lines = bloom_suite.size(n=2000, p=0.01).explain()
    /// >>> all(isinstance(line, str) for line in lines), len(lines) > 3
    /// (True, True)
    fn explain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut flags = self.flags.clone();
        if flags.iter().all(|(name, _)| name != "explain") {
            flags.push(("explain".to_string(), "true".to_string()));
        }
        let facts = parsed(py, &answer(&flags)?)?;
        facts.as_any().get_item("explain")
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = "Size(".to_string();
        for (at, key) in ["n", "m", "k", "p", "met"].into_iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            let value = self.fact(py, key)?.repr()?;
            // Writing to a text cannot fail.
            let _ = write!(text, "{comma}{key}={value}");
        }
        Ok(text + ")")
    }
}
