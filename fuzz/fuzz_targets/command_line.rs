//! A fuzz target: libFuzzer generates cases, and `CommandLine` of the crate bloom-fuzz-suite checks each of them:
//! any arguments must give an answer, or an error that reports what is wrong.

#![no_main]

use bloom_fuzz_suite::CommandLine;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: CommandLine| case.run());
