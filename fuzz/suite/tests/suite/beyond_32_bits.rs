//! Tests a filter of more than 2^32 bits, where the product of m and a 32-bit number may exceed 64 bits. A batch inserts the
//! items; single queries and a batch of queries must find them.

use bloom_fuzz_suite::SimdEqualsPortable;
use bloom_fuzz_suite::repro::*;

#[test]
#[ignore = "takes 640 MiB: cargo test -p bloom-fuzz-suite --test suite -- --ignored beyond_32_bits"]
fn items_in_more_than_2_to_the_32_bits_are_found() {
    let run = Run {
        from: 1,
        step: 0x9e37_79b9_7f4a_7c15,
        count: 700,
    };
    let case = FamilyCase {
        spec: Basic {
            bits: (1 << 32) + (1 << 30),
            hashes: 7,
        },
        state: Seeded(0),
        script: Script::new([InsertMany(run), ContainsMany(run)]),
    };
    SimdEqualsPortable { case }.run();
}
