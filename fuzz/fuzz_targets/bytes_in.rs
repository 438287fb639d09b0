//! Hands random cases to the body of the same name in bloom-fuzz-suite.

#![no_main]

use bloom_fuzz_suite::BytesIn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: BytesIn| case.run());
