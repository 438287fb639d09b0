//! Every target by its name, with the function that runs it on raw bytes.

use std::fmt::Debug;

use arbitrary::{Arbitrary, Unstructured};
use bloom_fuzz_suite::{
    BatchEqualsSingle, BytesIn, CommandLine, CountingModel, ForeignBytesIn, ForeignRoundTrip,
    NoFalseNegatives, ScalableGrowth, SetAlgebra, ShapeSolver, SimdEqualsPortable, UnitParser,
};

/// The name of a target, and the function that runs it on raw bytes.
pub(crate) type Target = (&'static str, fn(&[u8]));

pub(crate) const TARGETS: [Target; 12] = [
    ("no_false_negatives", |bytes| {
        decode::<NoFalseNegatives>(bytes).run();
    }),
    ("counting_model", |bytes| {
        decode::<CountingModel>(bytes).run();
    }),
    ("scalable_growth", |bytes| {
        decode::<ScalableGrowth>(bytes).run();
    }),
    ("set_algebra", |bytes| decode::<SetAlgebra>(bytes).run()),
    ("bytes_in", |bytes| decode::<BytesIn>(bytes).run()),
    ("shape_solver", |bytes| decode::<ShapeSolver>(bytes).run()),
    ("unit_parser", |bytes| decode::<UnitParser>(bytes).run()),
    ("command_line", |bytes| decode::<CommandLine>(bytes).run()),
    ("batch_equals_single", |bytes| {
        decode::<BatchEqualsSingle>(bytes).run();
    }),
    ("simd_equals_portable", |bytes| {
        decode::<SimdEqualsPortable>(bytes).run();
    }),
    ("foreign_bytes_in", |bytes| {
        decode::<ForeignBytesIn>(bytes).run();
    }),
    ("foreign_round_trip", |bytes| {
        decode::<ForeignRoundTrip>(bytes).run();
    }),
];

/// Reads bytes as the macro `fuzz_target!` does, so that an artifact of the fuzzer means the same.
fn decode<'a, T: Arbitrary<'a> + Debug>(bytes: &'a [u8]) -> T {
    T::arbitrary_take_rest(Unstructured::new(bytes)).expect("any bytes are a case")
}
