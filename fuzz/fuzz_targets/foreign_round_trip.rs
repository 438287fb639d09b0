//! Runs the test body of the same name, from bloom-fuzz-suite, on random cases.

#![no_main]

use bloom_fuzz_suite::ForeignRoundTrip;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: ForeignRoundTrip| case.run());
