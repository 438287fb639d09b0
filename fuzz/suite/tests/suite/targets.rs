//! A table of all fuzz targets: the name of each, and the function that runs it on raw bytes.

use std::fmt::Debug;

use arbitrary::{Arbitrary, Unstructured};
use bloom_fuzz_suite::{
    BatchEqualsSingle, BytesIn, CommandLine, CountingModel, ForeignBytesIn, ForeignRoundTrip,
    NoFalseNegatives, ScalableGrowth, SetAlgebra, ShapeSolver, SimdEqualsPortable, UnitParser,
};

/// The name of a target, and the function that runs it on raw bytes.
pub(crate) type Target = (&'static str, fn(&[u8]));

macro_rules! targets {
    ($($name:literal: $target:ty),* $(,)?) => {
        [$(($name, |bytes| decode::<$target>(bytes).run())),*]
    };
}

pub(crate) const TARGETS: [Target; 12] = targets![
    "no_false_negatives": NoFalseNegatives,
    "counting_model": CountingModel,
    "scalable_growth": ScalableGrowth,
    "set_algebra": SetAlgebra,
    "bytes_in": BytesIn,
    "shape_solver": ShapeSolver,
    "unit_parser": UnitParser,
    "command_line": CommandLine,
    "batch_equals_single": BatchEqualsSingle,
    "simd_equals_portable": SimdEqualsPortable,
    "foreign_bytes_in": ForeignBytesIn,
    "foreign_round_trip": ForeignRoundTrip,
];

/// Decodes bytes as the macro `fuzz_target!` does, so that a file of the fuzzer gives the case that the fuzzer ran.
fn decode<'a, T: Arbitrary<'a> + Debug>(bytes: &'a [u8]) -> T {
    T::arbitrary_take_rest(Unstructured::new(bytes)).expect("any bytes are a case")
}
