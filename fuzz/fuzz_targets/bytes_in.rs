//! A fuzz target: libFuzzer generates cases, and `BytesIn` of the crate bloom-fuzz-suite checks each of them:
//! any bytes must give an error or a filter that saves the same bytes.

#![no_main]

use bloom_fuzz_suite::BytesIn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: BytesIn| case.run());
