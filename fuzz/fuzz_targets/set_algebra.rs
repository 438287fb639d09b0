//! A fuzz target: libFuzzer generates cases, and `SetAlgebra` of the crate bloom-fuzz-suite checks each of them:
//! unions and intersections of filters must obey their laws.

#![no_main]

use bloom_fuzz_suite::SetAlgebra;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: SetAlgebra| case.run());
