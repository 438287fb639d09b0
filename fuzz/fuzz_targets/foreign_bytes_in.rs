//! Hands random cases to the body of the same name in the kit.

#![no_main]

use bloom_fuzz_kit::ForeignBytesIn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: ForeignBytesIn| case.run());
