//! Tests that impossible filters are refused, with errors that say how to ask instead.

use crate::common::{refusal, refusals, run};
use bloom_params::{Filter, Query};
use bloom_testing::rows;

#[test]
fn refusals_say_how_to_ask_instead() {
    for (line, [reported]) in rows(
        r"
        $ --filter scalable
          error: nothing to solve: none of n, m, k and p is given\nhint: give n and p to size it; m and p for the items it holds; n and m for its rate; all three to check it\n
        $ -n 9 -m 99 --confidence 99% => hint: write --p too: the rate to keep\n
        $ -n 9 -p .1 -k 3 --filter scalable
          hint: leave out --k, and give two of n, m and p: each stage has its own number of hashes\n
        $ -n 9 -p .1 -k 3 --filter split-block => hint: write --k 8, or ask for --filter plain-blocked\n
        $ -n 9 -p .1 --filter counting --counter-bits 5 --format rust => for a filter of bloom-core, got 5\n
        $ -n 9 -p .1 --filter split-block --format rust => hint: ask for --filter blocked, whose blocks have 512 bits and k = 8\n
        $ -n 1e9 -p .1 --filter scalable --growth 1 --initial 1
          hint: write a larger --initial or --growth\n
        # For n = 2^63 and k = 1 the size is 1.33e19 bits.
        $ -n 2^63 -k 1
          m must be at most 2^63 bits, but n = 9,223,372,036,854,775,808 at p = 0.5 needs more\n
        # Without n the error names no n.
        $ -p 1e-300 --filter blocked
          p must be high enough for 10^12 items to fit in 2^63 bits, got 1e-300\nhint: write a higher --p, or --n for few items\n
    ",
    ) {
        let err = refusal(line);
        assert!(err.ends_with(&reported), "{line}: {err}");
    }
    // This number of items half fills the largest filter.
    assert_eq!(
        run("-n 6393154322601327829 -k 1 --get m").1,
        "9223372036854775808\n"
    );
}

#[test]
fn zero_bits_are_refused_as_zero_and_not_as_too_few_for_a_block() {
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

#[test]
fn options_of_another_filter_are_named_in_the_error() {
    refusals(
        r"
        $ -n 9 -p .1 --block-bits 512
          --block-bits is an option of blocked, split-block or plain-blocked, and the filter is classic
        $ -n 9 -p .1 --filter plain-blocked --counter-bits 4
          --counter-bits is an option of counting, and the filter is plain-blocked
        $ -n 9 -p .1 --filter counting --growth 2
          --growth is an option of scalable, and the filter is counting
        $ -n 9 -p .1 --filter counting --initial 2
          --initial is an option of scalable, and the filter is counting
        $ -n 9 -p .1 --tightening .5 => --tightening is an option of scalable, and the filter is classic
        $ -n 9 -p .1 --filter plain-blocked --model textbook
          --model is an option of classic, and the filter is plain-blocked
        $ -n 9 -p .1 --filter plain-blocked --confidence 99%
          --confidence is an option of classic and counting, and the filter is plain-blocked
        $ -n 9 -p .1 --filter plain-blocked --spread
          --spread is an option of classic and counting, and the filter is plain-blocked
        $ -n 9 -p .1 --filter scalable --round 64
          --round is an option of all filters but scalable, and the filter is scalable
        $ -n 9 -k 5 -p .1 --filter split-block => k of a split-block filter is always 8, got 5
        $ -n 9 -k 5 -p .1 --filter scalable => a scalable filter chooses k itself, got 5
        $ -m 100 -p .1 --filter plain-blocked => m must be at least one block of 512 bits, got 100
        $ -n 9 -p .1 --filter split-block --block-bits 100
          --block-bits of a split-block filter must be a multiple of 8, got 100
        $ -n 9 -p .1 --filter plain-blocked --block-bits 65537
          --block-bits must be a whole number between 1 and 65,536, got 65537
        $ -n 9 -p .1 --filter counting --counter-bits 1
          --counter-bits must be a whole number between 2 and 16, got 1
        $ -n 9 -p .1 --filter scalable --tightening 1
          --tightening must be between 0 and 1 (exclusive), got 1
        $ -n 9 -p .1 --filter scalable --growth -1
          --growth must be a whole number between 1 and 1,000,000, got -1
        $ -n 1e9 -p .1 --filter scalable --growth 1 --initial 1
          stages must be at most 10,000, but n = 1,000,000,000 takes more with --initial 1 and --growth 1
        # Far more stages than 10,000, for n and p, for m and p, and for n and m.
        $ -n 1e18 -p .1 --filter scalable --growth 1
          stages must be at most 10,000, but n = 1,000,000,000,000,000,000 takes more with --initial 1000 and --growth 1
        $ -m 1e14 -p .1 --filter scalable --growth 1 --initial 1 --tightening .999
          stages must be at most 10,000, but m = 100,000,000,000,000 takes more with --initial 1 and --growth 1
        $ -n 1e12 -m 1e14 --filter scalable --growth 1
          stages must be at most 10,000, but n = 1,000,000,000,000 takes more with --initial 1000 and --growth 1
        $ -n 9 -p .1 --filter bloom
          --filter must be one of classic, partitioned, blocked, split-block, plain-blocked, counting and scalable, got bloom
    ",
    );
}

#[test]
fn what_a_filter_refuses_names_parameter_rule_and_value() {
    refusals(
        r"
        $ -n 9 -m 3 -k 5 --filter partitioned
          m must be at least k in a partitioned filter, whose hashes have bits of their own; got m = 3 and k = 5
        $ -n 1e18 -p 1e-300 --filter scalable => n = 1,000,000,000,000,000,000 at p = 1e-300 needs more
        $ -n 1e6 -p 1e-300 --filter scalable --tightening 1e-9
          p of every stage must be in the range of f64; p of stage 4 is below it at p = 1e-300 and --tightening 1e-9
        $ -n 1e18 -m 2^63 --filter scalable --growth 1 --initial 1e14
          p of every stage must be in the range of f64; p of stage 4574 is below it at any p and --tightening 0.85
        # The error names the given p, and not that of the first stage, 0.0015000000000000002.
        $ -m 2^60 -p 1% --filter scalable --initial 1e19
          a stage must have at most 2^63 bits, but the first, of --initial 10,000,000,000,000,000,000 items, needs more at p = 0.01
        $ -n 1000 -p 1% --filter scalable --initial 1e18
          a stage must have at most 2^63 bits, but the first, of --initial 1,000,000,000,000,000,000 items, needs more at p = 0.01
        $ -n 1000 -m 1e6 --filter scalable --initial 1.8e19
          a stage must have at most 2^63 bits, but the first, of --initial 18,000,000,000,000,000,000 items, needs more at any p
        $ -n 18e18 -p 1% --filter scalable --growth 1000000
          a stage must have at most 2^64 - 1 items, but stage 4 has more with --initial 1000 and --growth 1000000
        # Each of the 49 stages has at most 2^63 bits, and together they have 1.7e19.
        $ -n 3e17 -p 1% --filter scalable
          m must be at most 2^63 bits, but n = 300,000,000,000,000,000 at p = 0.01 needs more
        $ -n 9 --filter scalable
          nothing follows from n alone for a scalable filter\nhint: give n and p to size it;
        $ -n 2000 -m 10 --filter scalable
          m must be enough for the stages of n = 2,000 at some rate below 1; got 10\nhint: write a larger --m
        $ -n 9 -p .1 --filter counting --counter-bits 0
          --counter-bits must be a whole number between 2 and 16, got 0
        $ -n 9 -p .1 --filter counting --counter-bits 5 --format rust
          --counter-bits must be 4 or 8 for a filter of bloom-core, got 5
        $ -n 9 -p .1 --filter split-block --format rust
          --block-bits must be 512 for a filter of bloom-core, got 256
        $ -n 9 -p .1 --filter plain-blocked --format rust
          bloom-core has no plain-blocked filter, so there is no Rust code for it
        $ -n 2000 -p 1% --filter plain-blocked --round pow2 --block-bits 100
          --round must leave whole blocks of 100 bits and at most 2^63 bits, got no such number
    ",
    );
}

#[test]
fn an_invalid_rate_is_refused_whatever_is_given_beside_it() {
    for rate in [0.0, -1.0, 1.0, 3e174, f64::INFINITY, f64::NAN] {
        for given in 0..8 {
            let query = Query {
                items: (given & 1 == 1).then_some(2_000),
                bits: (given & 2 == 2).then_some(20_000),
                hashes: (given & 4 == 4).then_some(7),
                rate: Some(rate),
                ..Query::default()
            };
            assert!(query.solve().is_err(), "{query:?}");
        }
    }
}
