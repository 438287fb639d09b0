//! A fuzz target: libFuzzer generates cases, and `ScalableGrowth` of the crate bloom-fuzz-suite checks each of them:
//! a growing filter must find the inserted hashes, and keep its limits and its rate.

#![no_main]

use bloom_fuzz_suite::ScalableGrowth;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: ScalableGrowth| case.run());
