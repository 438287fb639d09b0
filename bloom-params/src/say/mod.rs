//! From numbers to words.

mod errors;
