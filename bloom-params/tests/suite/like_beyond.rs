//! Tests the filter of a library with more items than it was built for: the library adds filters,
//! or refuses the items.

use crate::common::{json, prints, refused, run};
use bloom_core::math::exact;
use bloom_systems::double_hashing::{Scheme, excess};

/// Redis adds a filter when the newest one is full. Up to 1,000 items, the rate is that of the first filter alone.
#[test]
fn overfilling_redis_reports_the_stages_that_it_adds() {
    let (_, answer) = json("-n 1000 -p 1% --like redis --overfill");
    let rows = answer["overfill"]["rows"].as_array().unwrap();
    let rate = |items: u64| {
        let row = rows.iter().find(|row| row["n"] == items).unwrap();
        row["p"].as_f64().unwrap()
    };
    let exact = |n, m, k| {
        let added = excess(Scheme::Wrapping { bits: 64 }, n, m, k).unwrap().high;
        exact::rate(n, m, k).unwrap().value() + added
    };
    let first = exact(1_000, 11_072, 8);
    assert!((rate(1_000) - first).abs() < 1e-15);
    // The next filter is for 2000 items at p/4. It has 24940.9 bits, rounded up to 24960, and 8.64 hashes, rounded up to 9.
    // A filter rejects a key whose bits are all set, as already present. So when it has accepted `items` keys, its set bits are
    // those of a filter with the accepted and the rejected keys.
    let taken = |items: u64, m, k| {
        let found = |before| exact::rate(before, m, k).unwrap().value();
        let rejected: f64 = (0..items).map(found).sum();
        let (whole, part) = (rejected.floor() as u64, rejected.fract());
        let [low, high] = [0, 1].map(|next| exact(items + whole + next, m, k));
        low + part * (high - low)
    };
    let first = taken(1_000, 11_072, 8);
    let second = |items| 1.0 - (1.0 - first) * (1.0 - taken(items, 24_960, 9));
    for items in [1_000, 2_000] {
        // The calculator adds up the rates of the filters. The sum is a little above the rate of both filters together.
        let above = rate(1_000 + items) / second(items) - 1.0;
        assert!((0.0..0.002).contains(&above), "{items}: {above}");
    }
    assert!(rate(10_000) < 0.01);
    let bits = |items: u64| rows.iter().find(|row| row["n"] == items).unwrap()["m"].as_u64();
    assert_eq!(
        (bits(1_000), bits(2_000), bits(3_000)),
        (Some(11_072), Some(36_032), Some(36_032))
    );
    let out = prints(
        "-n 1000 -p 1% --like redis",
        &["overfilled: p 0.005 with 1,250 items"],
    );
    assert!(
        out.contains("at item 1,001 it adds a filter of 3.05 KiB"),
        "{out}"
    );
}

#[test]
fn overfilling_a_growing_filter_reports_its_memory() {
    let (_, answer) = json("-n 1000 -p 1% --filter scalable --overfill");
    let rows = answer["overfill"]["rows"].as_array().unwrap();
    for row in rows {
        let (_, grown) = json(&format!("-n {} -p 1% --filter scalable", row["n"]));
        assert_eq!(row["m"], grown["m"], "{row}");
    }
    let (_, answer) = json("-n 1000 -p 1% --overfill");
    assert!(answer["overfill"]["rows"][0]["m"].is_null());
}

#[test]
fn overfilling_a_filter_that_takes_no_more_is_refused_with_the_reason() {
    refused(
        "-n 1000 -p 1% --like redis-nonscaling --overfill",
        &["redis-nonscaling takes no more than n items"],
    );
    assert!(
        !run("-n 1000 -p 1% --like redis-nonscaling")
            .1
            .contains("overfilled")
    );
}

#[test]
fn too_many_items_for_a_library_are_refused_with_how_many_it_takes() {
    let (code, _, err) = run("-n 2e10 -p 3% --like guava");
    assert_eq!(code, 2);
    let most = "hint: for this p it takes at most 18,831,275,948 items";
    let reported = err.lines().last().unwrap();
    let count = |text: &str| {
        text.split_whitespace()
            .rev()
            .nth(1)
            .unwrap()
            .replace(',', "")
    };
    let (reported, expected): (u64, u64) = (
        count(reported).parse().unwrap(),
        count(most).parse().unwrap(),
    );
    assert!(reported.abs_diff(expected) < 1_000, "{err}");
    assert_eq!(run(&format!("-n {reported} -p 3% --like guava")).0, 1);
    assert_eq!(run(&format!("-n {} -p 3% --like guava", reported + 1)).0, 2);
}
