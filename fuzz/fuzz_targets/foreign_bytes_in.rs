//! A fuzz target: libFuzzer generates cases, and `ForeignBytesIn` of the crate bloom-fuzz-suite checks each of them:
//! any bytes, read as a filter of another system, must give an error or a filter that is written as the same bytes.

#![no_main]

use bloom_fuzz_suite::ForeignBytesIn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: ForeignBytesIn| case.run());
