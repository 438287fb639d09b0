//! A fuzz target: libFuzzer generates cases, and `UnitParser` of the crate bloom-fuzz-suite checks each of them:
//! any text must give an error or a number that is printed and reads back.

#![no_main]

use bloom_fuzz_suite::UnitParser;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: UnitParser| case.run());
