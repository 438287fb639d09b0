//! The bodies of the fuzz targets, one per file. Each is a type that implements `Arbitrary`, so that a fuzzer can draw a case,
//! and has a method `run`, which checks the case.

mod batch_equals_single;
mod bytes_in;
mod command_line;
mod counting_model;
mod foreign_bytes_in;
mod foreign_round_trip;
mod no_false_negatives;
mod scalable_growth;
mod set_algebra;
mod shape_solver;
mod simd_equals_portable;
mod source;
mod unit_parser;

pub use batch_equals_single::BatchEqualsSingle;
pub use bytes_in::{BytesIn, Edit, Mend};
pub use command_line::CommandLine;
pub use counting_model::CountingModel;
pub use foreign_bytes_in::ForeignBytesIn;
pub use foreign_round_trip::ForeignRoundTrip;
pub use no_false_negatives::NoFalseNegatives;
pub use scalable_growth::ScalableGrowth;
pub use set_algebra::SetAlgebra;
pub use shape_solver::ShapeSolver;
pub use simd_equals_portable::SimdEqualsPortable;
pub use source::Source;
pub use unit_parser::UnitParser;

/// Gives a case a method `run`, which panics if `check` finds a broken promise. A fuzz target reports a failure by a panic.
macro_rules! runs {
    ($case:ty) => {
        impl $case {
            /// Runs the case.
            ///
            /// # Panics
            ///
            /// If a promise is broken.
            pub fn run(&self) {
                crate::repro::expect_kept(self, self.check());
            }
        }
    };
}
use runs;
