//! A failing case as Rust: the text that `Debug` gives compiles where this module is in scope.
//!
//! ```
//! use bloom_fuzz_kit::paste::*;
//!
//! let case = Script { steps: List(vec![Put(Integer(7)), Reload, Ask(Integer(7))]) };
//! assert_eq!(
//!     format!("{case:?}"),
//!     "Script { steps: List(vec![Put(Integer(7)), Reload, Ask(Integer(7))]) }"
//! );
//! ```

use std::fmt;

pub use bloom_core::Shape;

pub use crate::case::Operation::*;
pub use crate::case::{Case, Stranger};
pub use crate::hashes::{Deed::*, Run};
pub use crate::key::{Bytes, Integer};
pub use crate::script::{Script, Step::*};
pub use crate::spec::{FamilyCase, Spec::*};
pub use crate::state::AnyState::*;
pub use crate::targets::{
    BatchEqualsSingle, BytesIn, BytesInSource::*, CommandLine, CountingModel, Edit::*, Mend::*,
    NoFalseNegatives::*, ScalableGrowth, SetAlgebra, ShapeSolver, SimdEqualsPortable, UnitParser,
};

use crate::promise::Violation;

/// A number whose `Debug` text is Rust, also where it is infinite or not a number.
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

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("List(vec!")?;
        f.debug_list().entries(&self.0).finish()?;
        f.write_str(")")
    }
}

/// Returns a test that runs a case again, to be pasted where it is to stay.
pub fn as_test(case: &impl fmt::Debug) -> String {
    format!(
        "#[test]\nfn this_case_passes() {{\n    use bloom_fuzz_kit::paste::*;\n    \
         let case = {case:?};\n    case.run();\n}}\n"
    )
}

/// Ends a target at a broken promise, in the one way there is: by a panic.
pub(crate) fn expect_kept(case: &impl fmt::Debug, outcome: Result<(), Violation>) {
    if let Err(violation) = outcome {
        panic!("{violation}\n\n{}", as_test(case));
    }
}
