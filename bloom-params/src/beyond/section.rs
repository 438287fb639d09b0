//! Defines a section: a part below the n, m, k and p of an answer.

use crate::say::value::Object;

/// A section: a title and lines. The columns of a line are two or more blanks apart.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    /// Its key in the JSON object.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
    /// Its object under that key; empty if the object of the answer already has the data.
    pub(crate) data: Object,
}
