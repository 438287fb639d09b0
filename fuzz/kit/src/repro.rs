//! Prints a script (a sequence of operations on a filter) as Rust source: the `Debug` text of a script compiles where
//! everything in this module is imported.
//!
//! ```
//! use bloom_fuzz_kit::repro::*;
//!
//! let script = Script { steps: List(vec![Insert(Integer(7)), Reload, Contains(Integer(7))]) };
//! assert_eq!(
//!     format!("{script:?}"),
//!     "Script { steps: List(vec![Insert(Integer(7)), Reload, Contains(Integer(7))]) }"
//! );
//! ```

use std::fmt;

use arbitrary::{Arbitrary, Result, Unstructured};

pub use crate::key::{Bytes, Integer};
pub use crate::script::Script;
pub use crate::state::AnyState::*;
pub use crate::step::Step::*;

/// The maximum length of a list that `Arbitrary` draws, such as the keys of a batch.
const MAX_ENTRIES: usize = 15;

/// A list whose `Debug` text is Rust source, with `vec!`.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct List<T>(pub Vec<T>);

impl<'a, T: Arbitrary<'a>> List<T> {
    /// Draws a list of at most `most` entries from the remaining bytes.
    ///
    /// # Errors
    ///
    /// The errors of [`Arbitrary`] for an entry.
    pub fn rest(u: &mut Unstructured<'a>, most: usize) -> Result<Self> {
        let mut all = Vec::new();
        while !u.is_empty() && all.len() < most {
            all.push(u.arbitrary()?);
        }
        Ok(Self(all))
    }
}

impl<'a, T: Arbitrary<'a>> Arbitrary<'a> for List<T> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let count = u.int_in_range(0..=MAX_ENTRIES)?;
        Ok(Self(
            (0..count).map(|_| u.arbitrary()).collect::<Result<_>>()?,
        ))
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("List(vec!")?;
        f.debug_list().entries(&self.0).finish()?;
        f.write_str(")")
    }
}
