//! A fuzz target: libFuzzer generates cases, and `CountingModel` of the crate bloom-fuzz-suite checks each of them:
//! a counting filter must agree with a multiset and with its documented counters.

#![no_main]

use bloom_fuzz_suite::CountingModel;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: CountingModel| case.run());
