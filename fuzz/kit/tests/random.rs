//! The bodies of the targets on random bytes, as the fuzzer runs them but without its guidance.

use arbitrary::{Arbitrary, Unstructured};
use bloom_fuzz_kit::NoFalseNegatives;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_random_case_breaks_a_promise(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let case = NoFalseNegatives::arbitrary_take_rest(Unstructured::new(&bytes));
        case.expect("any bytes are a case").run();
    }
}
