//! Checks that the `Debug` text of a case of a fuzz target is the Rust expression that builds the case.

use bloom_fuzz_suite::NoFalseNegatives;
use bloom_fuzz_suite::repro::*;

/// Returns the value of an expression, and the source text of the expression.
macro_rules! written {
    ($code:expr) => {
        ($code, stringify!($code))
    };
}

#[test]
fn the_debug_text_of_a_case_is_its_source() {
    let cases: [(NoFalseNegatives, &str); 3] = [
        written!(OfIntegers(FamilyCase {
            spec: Basic {
                bits: 64,
                hashes: 3
            },
            state: Identity,
            script: Script {
                steps: List(vec![
                    Insert(Integer(7)),
                    InsertOften(Integer(8), 20),
                    Union(List(vec![Integer(1), Integer(2)])),
                    Copy
                ])
            }
        })),
        written!(OfIntegers(FamilyCase {
            spec: Scalable {
                items: 3,
                rate: 1e-12,
                growth: 2,
                tightening: 0.85,
                max_stages: 4
            },
            state: Zeros,
            script: Script {
                steps: List(vec![InsertMany(List(vec![Integer(9)])), Reload, Clear])
            }
        })),
        written!(OfBytes(FamilyCase {
            spec: Counting {
                bits: 64,
                hashes: 3,
                wide: true
            },
            state: Seeded(5),
            script: Script {
                steps: List(vec![
                    Insert(Bytes(b"a\x00\"".to_vec())),
                    Remove(Bytes(b"".to_vec()))
                ])
            }
        })),
    ];
    let squeezed = |text: &str| text.replace(char::is_whitespace, "");
    for (case, source) in cases {
        assert_eq!(squeezed(&format!("{case:?}")), squeezed(source));
        case.run();
        assert!(as_test(&case).contains("let case = "));
    }
}
