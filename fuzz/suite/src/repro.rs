//! Prints a failing case as a test in Rust. The `Debug` text of a case is Rust source, which compiles where everything in this
//! module is imported.

use std::fmt;

use bloom_fuzz_kit::Checked;
pub use bloom_fuzz_kit::repro::*;

pub use crate::case::FamilyCase;
pub use crate::foreign::{Size, System::*};
pub use crate::hashed::{Hashed, Run};
pub use crate::spec::Spec::*;
pub use crate::targets::{
    BatchEqualsSingle, BytesIn, CommandLine, CountingModel, Edit::*, ForeignBytesIn,
    ForeignRoundTrip, Mend::*, NoFalseNegatives::*, ScalableGrowth, SetAlgebra, ShapeSolver,
    SimdEqualsPortable, Source::*, UnitParser,
};

/// A number whose `Debug` text is Rust source, even if the number is infinite or NaN.
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

/// Returns the source of a test that runs a case again.
pub fn as_test(case: &impl fmt::Debug) -> String {
    format!(
        "#[test]\nfn this_case_passes() {{\n    use bloom_fuzz_suite::repro::*;\n    \
         let case = {case:?};\n    case.run();\n}}\n"
    )
}

/// Panics if the outcome of a case is a broken promise: a fuzz target reports a failure by a panic.
pub(crate) fn expect_kept(case: &impl fmt::Debug, outcome: Checked) {
    if let Err(violation) = outcome {
        panic!("{violation}\n\n{}", as_test(case));
    }
}
