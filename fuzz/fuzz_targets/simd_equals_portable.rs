//! A fuzz target: libFuzzer generates cases, and `SimdEqualsPortable` of the crate bloom-fuzz-suite checks each of them:
//! every fast code path of a filter must set the documented bits.

#![no_main]

use bloom_fuzz_suite::SimdEqualsPortable;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: SimdEqualsPortable| case.run());
