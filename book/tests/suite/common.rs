//! Compares a text that a test generates, such as a table, with the file of the book that shows it.

use std::path::Path;
use std::{env, fs};

/// Compares a generated text with the file `name` under `src/`. If `UPDATE_TABLES` is set, writes the
/// file first.
pub(crate) fn assert_is_file(text: &str, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name);
    if env::var_os("UPDATE_TABLES").is_some() {
        fs::write(&path, text).unwrap();
    }
    let file = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        text, file,
        "{name} is out of date: run again with UPDATE_TABLES=1"
    );
}
