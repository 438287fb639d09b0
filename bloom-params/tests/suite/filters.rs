//! Tests every kind of filter: its sizes are minimal and keep the rate, and its remarks name what
//! is special about the kind.

use crate::common::{object, prints, refused, run};
use bloom_params::{Filter, Query, QueryError};
use serde_json::Value;

const KINDS: [Filter; 6] = [
    Filter::Partitioned,
    Filter::PlainBlocked { block_bits: 512 },
    Filter::PlainBlocked { block_bits: 64 },
    Filter::SplitBlock { block_bits: 256 },
    Filter::SplitBlock { block_bits: 512 },
    Filter::Counting { counter_bits: 4 },
];

fn query(filter: Filter) -> Query {
    Query {
        filter,
        ..Query::default()
    }
}

#[test]
fn a_size_keeps_the_rate_and_one_unit_less_does_not_with_any_hashes() {
    for filter in KINDS {
        for (n, p) in [(1, 0.3), (100, 0.01), (5_000, 0.001), (1_000_000, 0.05)] {
            let asked = Query {
                items: Some(n),
                rate: Some(p),
                ..query(filter)
            };
            let found = asked.solve().unwrap();
            assert_eq!(found.met, Some(true), "{asked:?}");
            assert_eq!(found.bits % filter.unit(), 0, "{asked:?}");
            if found.bits == filter.unit() {
                continue;
            }
            let less = Query {
                bits: Some(found.bits - filter.unit()),
                ..asked
            };
            assert_eq!(less.solve().unwrap().met, Some(false), "{asked:?}");
        }
    }
}

#[test]
fn the_most_items_keep_the_rate_and_one_more_does_not() {
    for filter in KINDS {
        for (m, p) in [(512, 0.1), (10_240, 0.01), (1 << 20, 1e-4)] {
            let asked = Query {
                bits: Some(m),
                rate: Some(p),
                ..query(filter)
            };
            let found = asked.solve().unwrap();
            if found.items > 0 {
                assert_eq!(found.met, Some(true), "{asked:?}");
            }
            let more = Query {
                items: Some(found.items + 1),
                ..asked
            };
            assert_eq!(more.solve().unwrap().met, Some(false), "{asked:?}");
        }
    }
}

#[test]
fn the_range_of_hashes_of_a_blocked_filter_is_every_k_that_keeps_the_rate() {
    let asked = Query {
        items: Some(1_000),
        bits: Some(10_752),
        rate: Some(0.01),
        ..query(Filter::PlainBlocked { block_bits: 512 })
    };
    let range = asked.solve().unwrap().hashes_range.unwrap();
    for k in 1..=30 {
        let hashes = Some(k);
        let met = Query { hashes, ..asked }.solve().unwrap().met;
        assert_eq!(met, Some((range.min..=range.max).contains(&k)), "{k}");
    }
}

#[test]
fn a_growing_filter_answers_in_every_direction() {
    let filter = Filter::Scalable {
        initial: 1_000,
        growth: 2,
        tightening: 0.85,
    };
    let sized = Query {
        items: Some(100_000),
        rate: Some(0.01),
        ..query(filter)
    };
    let sized = sized.solve().unwrap();
    assert!(sized.rate.value() < 0.01);
    let held = Query {
        bits: Some(sized.bits),
        rate: Some(0.01),
        ..query(filter)
    };
    let held = held.solve().unwrap();
    assert_eq!(held.stages(), sized.stages());
    assert!(held.items >= 100_000);
    let rated = Query {
        items: Some(100_000),
        bits: Some(sized.bits),
        ..query(filter)
    };
    // The stages for the solved rate fit in m, and the solved rate is hardly below that of `sized`.
    let rated = rated.solve().unwrap();
    assert!(rated.rate.value() <= sized.rate.value());
    assert!(rated.rate.value() > sized.rate.value() * 0.9999);
    let short = Query {
        items: Some(100_000),
        bits: Some(sized.bits / 2),
        rate: Some(0.01),
        ..query(filter)
    };
    assert_eq!(short.solve().unwrap().met, Some(false));
    let with_hashes = Query {
        hashes: Some(3),
        ..sized.asked
    };
    assert!(matches!(
        with_hashes.solve(),
        Err(QueryError::FixedHashes { hashes: 3, .. })
    ));
}

#[test]
fn m_in_bytes_is_the_memory_of_counters_and_any_other_m_is_their_number() {
    let counters = |line: &str| {
        let (_, out, _) = run(&format!("--filter counting -p 1% {line} --get m"));
        out.trim().parse::<u64>().unwrap()
    };
    assert_eq!(counters("-m 1KiB"), 2_048);
    assert_eq!(counters("-m 1KiB --counter-bits 8"), 1_024);
    assert_eq!(counters("-m 2048"), 2_048);
    assert_eq!(counters("-m 2kbit"), 2_000);
}

#[test]
fn bits_outside_whole_blocks_are_reported() {
    prints(
        "-m 20001 -p 1% --filter split-block",
        &["78 blocks of 256 bits; 33 bits of m left over"],
    );
}

#[test]
fn the_rate_of_a_growing_filter_is_reported_as_an_upper_bound() {
    let note = "note: p is an upper bound: a stage also counts as full by its set bits";
    for (line, is_bound) in [
        ("-n 20000 -p 1% --filter scalable", true),
        ("-n 20000 -m 400k --filter scalable", true),
        ("-n 20000 -p 1%", false),
        ("-n 20000 -p 1% --filter counting", false),
    ] {
        assert_eq!(run(line).1.contains(note), is_bound, "{line}");
        let answer = object(line);
        assert_eq!(answer["p_is_bound"], is_bound, "{line}");
    }
}

/// The stages for the target rate do not fit in m. So the filter has stages for a higher rate, which it keeps however far it
/// grows.
#[test]
fn stages_fitted_into_m_promise_their_own_rate_and_not_the_target() {
    for (m, code) in [(20_000, 1), (30_000, 0)] {
        let line = format!("-n 2000 -m {m} -p 1% --filter scalable");
        let (found, out, _) = run(&line);
        assert_eq!(found, code, "{out}");
        let promise = out.split_once("and keeps p under ").unwrap().1;
        let kept: f64 = promise.split(' ').next().unwrap().parse().unwrap();
        let grown = run(&format!("{line} --overfill --json")).1;
        let grown: Value = serde_json::from_str(&grown).unwrap();
        // The rate of the first stage is 1 - 0.85 = 0.15 times the rate that all stages together keep.
        let first = grown["stages"][0]["p"].as_f64().unwrap();
        assert!((kept * 0.15 / first - 1.0).abs() < 1e-4, "{kept} {first}");
        let rows = grown["overfill"]["rows"].as_array().unwrap();
        let most = rows.iter().map(|row| row["p"].as_f64().unwrap());
        let most = most.fold(0.0, f64::max);
        assert!(0.01 < most && most < kept, "{most} {kept}");
    }
    prints(
        "-n 2000 -p 1% --filter scalable",
        &["keeps p under 0.01 however far"],
    );
}

/// The expected number of saturated counters is 10,000 times the tail of Bin(70,000, 1/10,000) from 15 on. mpmath summed the tail
/// to 60 digits.
#[test]
fn counters_expected_to_saturate_are_counted() {
    let line = "-n 10000 -m 10000 -k 7 --filter counting";
    prints(
        line,
        &["of 10,000 counters of 4 bits about 57.1 are expected to saturate at 15"],
    );
    let answer = object(line);
    assert_eq!(answer["overflow"], 1.0);
    let stuck = answer["stuck"].as_f64().unwrap();
    assert!(
        (stuck / 57.147_197_416_866_95 - 1.0).abs() < 1e-12,
        "{stuck}"
    );
    // If saturation is almost certain, the number of saturated counters is printed instead.
    for n in (1_000..12_000).step_by(100) {
        let (_, out, _) = run(&format!("-n {n} -m 10000 -k 7 --filter counting"));
        assert!(!out.contains("saturates at 15 is 1 at most"), "{n}: {out}");
        let has_one_form =
            out.contains("saturates at") != out.contains("saturate at 15; write a larger");
        assert!(has_one_form, "{n}: {out}");
    }
}

/// The bits and hashes in the table were found by trying every k at every m from 1 on, because the share of filters that keep p
/// fluctuates from one m to the next. The distribution of the number of set bits was computed hash by hash.
#[test]
fn the_fewest_bits_for_a_share_of_filters_are_the_fewest_over_all_hashes() {
    for (line, size) in [
        ("-n 6 -p 0.1 --confidence 1%", "18 4"),
        ("-n 6 -p 0.05 --confidence 60%", "40 6"),
        ("-n 18 -p 0.003 --confidence 1%", "189 9"),
        ("-n 18 -p 0.01 --confidence 90%", "186 7"),
    ] {
        let answer = object(line);
        assert_eq!(format!("{} {}", answer["m"], answer["k"]), size, "{line}");
    }
    // The most items are found over all k as well, above and below the k that is best for the mean.
    for line in [
        "-m 45 -p 1% --confidence 90%",
        "-m 180 -p 0.3% --confidence 1%",
    ] {
        let items = |k: &str| {
            run(&format!("{line}{k} --get n"))
                .1
                .trim()
                .parse()
                .unwrap_or(0_u64)
        };
        let most = (1..20).map(|k| items(&format!(" -k {k}"))).max();
        assert_eq!(Some(items("")), most, "{line}");
    }
}

#[test]
fn the_most_items_for_2_to_the_63_bits_fit_with_the_k_of_their_filter() {
    let most = run("-m 2^63 -p 0.01% --filter plain-blocked --get n").1;
    let line = format!("-n {} -p 0.01% --filter plain-blocked", most.trim());
    let (code, m, err) = run(&format!("{line} --get m"));
    assert_eq!(code, 0, "{err}");
    assert!(m.trim().parse::<u64>().unwrap() <= 1 << 63, "{m}");
    // With the classic filter's k, these items need more than 2^63 bits.
    assert_eq!(
        run(&format!("-n {} -p 0.01% --get k", most.trim())).1,
        "13\n"
    );
    assert_eq!(run(&format!("{line} -k 13")).0, 2);
}

#[test]
fn the_fewest_of_equally_good_hashes_are_taken() {
    // With any number of hashes, an item sets the one bit of its block, so p is 1 - (1 - 1/100)^10.
    let line = "-n 10 -m 100 --filter plain-blocked --block-bits 1";
    assert_eq!(run(&format!("{line} --get k")).1, "1\n");
    assert!(run(line).1.contains("0.095618"));
}

#[test]
fn a_size_has_all_stages_that_fit_and_at_most_10_000() {
    // The third stage, of 10^18 items, would have more than 2^63 bits, so there are only two stages.
    let line = "-m 1e14 -p 1% --filter scalable --initial 1e6 --growth 1e6";
    assert_eq!(run(&format!("{line} --get n")).1, "1000001000000\n");
    refused(
        "-m 1e6 -p 1% --filter scalable --initial 1e19",
        &["needs more"],
    );
    let flags = "-p 0.5 --filter scalable --initial 1 --growth 1 --tightening 0.999";
    assert_eq!(run(&format!("-n 10000 {flags}")).0, 0);
    refused(
        &format!("-n 10001 {flags}"),
        &["stages must be at most 10,000"],
    );
}

#[test]
fn partitioned_filters_also_report_where_more_than_255_hashes_would_be_better() {
    let note = "more hashes than that would be better still";
    assert!(run("-n 1 -m 100000 --filter partitioned").1.contains(note));
    assert!(
        !run("-n 1000 -m 10000 --filter partitioned")
            .1
            .contains(note)
    );
}

/// Even if only one filter in 10^18 must keep p, the size must let some filters keep it.
#[test]
fn a_tiny_share_of_filters_must_still_keep_the_rate() {
    let line = "-n 2000 -p 1% --confidence 1e-18";
    let m: u64 = run(&format!("{line} --get m")).1.trim().parse().unwrap();
    assert!((17_000..19_188).contains(&m), "{m}");
    // Here 1 minus the share of filters above p has no accurate digits.
    let note = "note: less than 1e-7 % of single filters keep 0.01 (asked: 1e-16 %)";
    assert!(run(line).1.contains(note));
}

/// All filters but one in 2^53 must keep p. The share of filters above p decides, because 1 minus this share has no digits left.
#[test]
fn a_share_of_nearly_all_filters_is_kept_to_the_last_digit() {
    let line = "-n 2000 -p 1% --confidence 0.9999999999999999 --json";
    let answer: Value = serde_json::from_str(&run(line).1).unwrap();
    let (m, k) = (
        answer["m"].as_u64().unwrap(),
        answer["k"].as_u64().unwrap() as u8,
    );
    let above = |m| bloom_params::math::share_above(2_000, m, k, 0.01).unwrap();
    let most = f64::EPSILON / 2.0;
    assert!(above(m) <= most && above(m - 1) > most, "{m} {k}");
}
