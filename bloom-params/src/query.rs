//! A question: what is known of a filter.

use std::error::Error;
use std::fmt;

use bloom_core::math::{MathError, Model};

use crate::numbers::grouped;

/// What is known of a filter; the rest is asked.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Query {
    /// Items n, at least 1.
    pub items: Option<u64>,
    /// Bits m, from 1 to 2^63.
    pub bits: Option<u64>,
    /// Hashes k, from 1 to 255.
    pub hashes: Option<u8>,
    /// The false-positive rate p to keep, between 0 and 1 (exclusive).
    pub rate: Option<f64>,
    /// The formula that sizes and judges.
    pub model: Model,
}

/// Says why a question has no answer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum QueryError {
    /// From what is given nothing follows.
    Underdetermined(Query),
    /// A number is outside the domain of the formulas, or the answer is.
    Math(MathError),
}

impl From<MathError> for QueryError {
    fn from(error: MathError) -> Self {
        Self::Math(error)
    }
}

impl QueryError {
    /// Returns a line that says how to ask instead.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Underdetermined(_) => Some(
                "give n and p, or n, k and p, to size a filter; n and m, or n, m and k, for its \
                 rate; m and p, or m, k and p, for the items it holds; n, m and p for its hashes; \
                 all four to check it",
            ),
            Self::Math(_) => None,
        }
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let query = match self {
            Self::Math(error) => return in_letters(error, f),
            Self::Underdetermined(query) => query,
        };
        let given = [
            ("n", query.items.is_some()),
            ("m", query.bits.is_some()),
            ("k", query.hashes.is_some()),
            ("p", query.rate.is_some()),
        ];
        let names: Vec<_> = given
            .iter()
            .filter_map(|(name, is_given)| is_given.then_some(*name))
            .collect();
        match names.as_slice() {
            [] => f.write_str("nothing follows from none of n, m, k and p"),
            [one] => write!(f, "nothing follows from {one} alone"),
            names => write!(f, "nothing follows from {} alone", names.join(" and ")),
        }
    }
}

/// Says what is out of range in the letters of the question.
fn in_letters(error: &MathError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match *error {
        MathError::NeedsTooManyBits { items, rate } => write!(
            f,
            "m must be at most 2^63 bits, but n = {} at p = {rate:?} needs more",
            grouped(items)
        ),
        MathError::HoldsTooManyItems { bits, rate } => write!(
            f,
            "n must be at most {}, but m = {} at p = {rate:?} holds more",
            grouped(u64::MAX),
            grouped(bits)
        ),
        _ => write!(f, "{error}"),
    }
}

impl Error for QueryError {}
