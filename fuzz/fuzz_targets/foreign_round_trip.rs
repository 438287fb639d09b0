//! Hands random cases to the body of the same name in the kit.

#![no_main]

use bloom_fuzz_kit::ForeignRoundTrip;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: ForeignRoundTrip| case.run());
