//! Impossible filters: what is refused, and how to ask instead.

mod common;

use bloom_params::{Filter, Query};
use common::run;

#[test]
fn refusals_say_how_to_ask_instead() {
    for (line, told) in [
        (
            "--filter scalable",
            "error: some of n, m, k and p must be given, got none\nhint: give n and p to size it; m and p \
             for the items it holds; n and m for its rate; all three to check it\n",
        ),
        (
            "-n 9 -m 99 --confidence 99%",
            "hint: write --p too: the rate to keep\n",
        ),
        (
            "-n 9 -p .1 -k 3 --filter scalable",
            "hint: leave out --k: each stage has its own number of hashes\n",
        ),
        (
            "-n 9 -p .1 -k 3 --filter split-block",
            "hint: leave out --k, or ask for --filter plain-blocked\n",
        ),
        (
            "-n 9 -p .1 --filter counting --counter-bits 5 --format rust",
            "for a filter of bloom-core, got 5\n",
        ),
        (
            "-n 9 -p .1 --filter split-block --format rust",
            "hint: ask for --filter blocked\n",
        ),
        (
            "-n 1e9 -p .1 --filter scalable --growth 1 --initial 1",
            "hint: write a larger --initial or --growth\n",
        ),
        // For n = 2^63 and k = 1 the size is 1.33e19 bits.
        (
            "-n 2^63 -k 1",
            "m must be at most 2^63 bits, but n = 9,223,372,036,854,775,808 at p = 0.5 needs more\n",
        ),
    ] {
        let (code, out, err) = run(line);
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert!(err.ends_with(told), "{line}: {err}");
    }
    // As many items as half fill the largest filter.
    assert_eq!(
        run("-n 6393154322601327829 -k 1 --get m").1,
        "9223372036854775808\n"
    );
}

#[test]
fn no_bits_are_refused_as_such_and_not_as_too_few_for_a_block() {
    for filter in [Filter::Classic, Filter::PlainBlocked { block_bits: 512 }] {
        let refused = |bits| {
            let query = Query {
                items: Some(5),
                bits: Some(bits),
                filter,
                ..Query::default()
            };
            query
                .solve()
                .map_or_else(|error| error.to_string(), |found| found.bits.to_string())
        };
        assert_eq!(refused(0), "bits must be at least 1, got 0", "{filter:?}");
        let few = if filter == Filter::Classic {
            "511"
        } else {
            "m must be at least one block of 512 bits, got 511"
        };
        assert_eq!(refused(511), few);
    }
}
