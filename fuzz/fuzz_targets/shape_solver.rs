//! A fuzz target: libFuzzer generates cases, and `ShapeSolver` of the crate bloom-fuzz-suite checks each of them:
//! the computed m and k must keep the requested rate, and nothing smaller may.

#![no_main]

use bloom_fuzz_suite::ShapeSolver;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: ShapeSolver| case.run());
