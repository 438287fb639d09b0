//! Defines a section of an answer: what is added below n, m, k and p, such as the cost or the union of several filters.

use crate::say::value::Object;

/// A section: a title and lines. The columns of a line are two or more blanks apart.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    /// The key of the section in the JSON object of the answer.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
    /// The value of the key `name`. It is empty if the JSON object of the answer has the data of the section under other keys.
    pub(crate) data: Object,
}
