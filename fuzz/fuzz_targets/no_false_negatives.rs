//! A fuzz target: libFuzzer generates cases, and `NoFalseNegatives` of the crate bloom-fuzz-suite checks each of them:
//! no filter of bloom-core may lose an item.

#![no_main]

use bloom_fuzz_suite::NoFalseNegatives;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: NoFalseNegatives| case.run());
