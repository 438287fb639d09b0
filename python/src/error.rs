//! Turns errors of the Rust crates into exceptions of Python with the same message; a hint is on a line of its own, as in the
//! commands. Also reads and writes files; the exceptions for these name the file.

use std::fmt::Display;
use std::io;
use std::path::Path;

use bloom_file::CoreError;
use bloom_params::InputError;
use bloom_terminal::target::Target;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Returns the exception for a refused input.
pub(crate) fn refused(error: InputError) -> PyErr {
    match error.hint() {
        Some(hint) => value(format!("{error}\nhint: {hint}")),
        None => value(error),
    }
}

/// Returns a `ValueError` with the message of an error.
pub(crate) fn value(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the exception for a value of a wrong type.
pub(crate) fn mistyped(error: impl Display) -> PyErr {
    PyTypeError::new_err(error.to_string())
}

/// Returns the exception for an error of bloom-core: a `TypeError` for a kind that does not support an operation, a
/// `MemoryError` for missing memory, a `ValueError` for all else.
pub(crate) fn core(error: impl Into<CoreError>) -> PyErr {
    match error.into() {
        CoreError::Kind(error) => mistyped(error),
        CoreError::Memory(error) => memory(error),
        error => value(error),
    }
}

/// Returns the exception for missing memory.
pub(crate) fn memory(error: impl Display) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// The number of keys between two pauses. A pause gives the lock of the interpreter to a waiting thread only if that thread has
/// requested the lock, which a thread does after it has waited for 5 ms. A key takes 20 to 1,000 ns, so the pauses are 5 to 260
/// ms apart.
const CHECKED: usize = 1 << 18;

/// Makes room for one more result. Once for every `CHECKED` results it lets other threads run and checks for a signal, which
/// may end the call.
pub(crate) fn check<T>(py: Python<'_>, results: &mut Vec<T>) -> PyResult<()> {
    results.try_reserve(1).map_err(memory)?;
    pause(py, results.len())
}

/// Lets other threads run and checks for a signal, once for every `CHECKED` keys.
pub(crate) fn pause(py: Python<'_>, number: usize) -> PyResult<()> {
    if number.is_multiple_of(CHECKED) {
        py.detach(|| ());
        py.check_signals()?;
    }
    Ok(())
}

/// Returns Python bytes with this content, or an error if there is no memory for them.
pub(crate) fn bytes_of<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |all| {
        all.copy_from_slice(bytes);
        Ok(())
    })
}

/// Returns an exception that names the file, for an error of this file. If the file cannot be opened, the exception is Python's
/// own.
pub(crate) fn named(py: Python<'_>, path: &Path, error: &PyErr) -> PyErr {
    let opened = || py.import("io")?.call_method1("open", (path, "rb"));
    let opened = opened().and_then(|file| file.call_method0("close"));
    opened.err().unwrap_or_else(|| {
        let file = path.display().to_string();
        let text = error.value(py).to_string().replacen(&file, "", 1);
        let text = format!("{file}: {}", text.trim_start_matches([':', ' ']));
        PyErr::from_type(error.get_type(py), text)
    })
}

/// Returns what was read from a file, or the exception for the error.
pub(crate) fn read<B>(py: Python<'_>, path: &Path, read: io::Result<B>) -> PyResult<B> {
    read.map_err(|error| named(py, path, &error.into()))
}

/// Writes a file. An existing file is replaced as a whole.
pub(crate) fn write(py: Python<'_>, path: &Path, bytes: &[u8]) -> PyResult<()> {
    let written = py.detach(|| Target::File(path.to_owned()).write(bytes));
    written.map_err(|error| {
        let text = error.to_string();
        let text = text.split(" (os error").next().unwrap_or_default();
        let (text, path) = (text.to_owned(), path.as_os_str().to_owned());
        PyOSError::new_err((error.raw_os_error(), text, path))
    })
}
