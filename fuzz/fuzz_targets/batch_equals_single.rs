//! A fuzz target: libFuzzer generates cases, and `BatchEqualsSingle` of the crate bloom-fuzz-suite checks each of them:
//! a batch of items or hashes must give the same filter and answers as single calls.

#![no_main]

use bloom_fuzz_suite::BatchEqualsSingle;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: BatchEqualsSingle| case.run());
