//! Prints a failing case as a test in Rust: where this module is in scope, the `Debug` text of a case is its
//! source.
//!
//! ```
//! use bloom_fuzz_kit::repro::*;
//!
//! let case = Script { steps: List(vec![Insert(Integer(7)), Reload, Contains(Integer(7))]) };
//! assert_eq!(
//!     format!("{case:?}"),
//!     "Script { steps: List(vec![Insert(Integer(7)), Reload, Contains(Integer(7))]) }"
//! );
//! ```

use std::fmt;

use arbitrary::{Arbitrary, Result, Unstructured};

pub use crate::case::FamilyCase;
pub use crate::foreign::{Size, System::*};
pub use crate::key::{Bytes, Hashed, Integer, Run};
pub use crate::script::Script;
pub use crate::spec::Spec::*;
pub use crate::state::AnyState::*;
pub use crate::step::Step::*;
pub use crate::targets::{
    BatchEqualsSingle, BytesIn, BytesInSource::*, CommandLine, CountingModel, Edit::*,
    ForeignBytesIn, ForeignRoundTrip, ForeignSource::*, Mend::*, NoFalseNegatives::*,
    ScalableGrowth, SetAlgebra, ShapeSolver, SimdEqualsPortable, UnitParser,
};

use crate::promise::Checked;

/// Longest list drawn as a part of a case.
const MOST_ENTRIES: usize = 15;

/// A number whose `Debug` text is Rust, even if it is infinite or NaN.
#[derive(Clone, Copy, PartialEq)]
pub struct Real(pub f64);

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_finite() {
            write!(f, "Real({:?})", self.0)
        } else {
            write!(f, "Real(f64::from_bits({:#x}))", self.0.to_bits())
        }
    }
}

/// A list whose `Debug` text is a `Vec` in Rust.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct List<T>(pub Vec<T>);

impl<'a, T: Arbitrary<'a>> List<T> {
    /// Draws all remaining bytes as a list of at most this many entries.
    pub(crate) fn rest(u: &mut Unstructured<'a>, most: usize) -> Result<Self> {
        let mut all = Vec::new();
        while !u.is_empty() && all.len() < most {
            all.push(u.arbitrary()?);
        }
        Ok(Self(all))
    }
}

impl<'a, T: Arbitrary<'a>> Arbitrary<'a> for List<T> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let count = u.int_in_range(0..=MOST_ENTRIES)?;
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

/// Returns a test that runs a case again, to be kept in a project.
pub fn as_test(case: &impl fmt::Debug) -> String {
    format!(
        "#[test]\nfn this_case_passes() {{\n    use bloom_fuzz_kit::repro::*;\n    \
         let case = {case:?};\n    case.run();\n}}\n"
    )
}

/// Panics if a promise was broken, which is how a fuzz target reports it.
pub(crate) fn expect_kept(case: &impl fmt::Debug, outcome: Checked) {
    if let Err(violation) = outcome {
        panic!("{violation}\n\n{}", as_test(case));
    }
}
