//! A fuzz target: libFuzzer generates cases, and `ForeignRoundTrip` of the crate bloom-fuzz-suite checks each of them:
//! filters in the formats of other systems must find what was inserted, also after they are written, read and merged.

#![no_main]

use bloom_fuzz_suite::ForeignRoundTrip;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: ForeignRoundTrip| case.run());
