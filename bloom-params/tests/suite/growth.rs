//! Tests the sections and flags for growth, unions, repeated items, bits per item, links and hashes
//! of few bits.

use crate::common::{self, json, object, prints, refusals, refused, run};
use bloom_testing::rows;
use serde_json::Value;

/// Returns p of a filter of this size.
fn rate(n: u64, m: &Value, k: &Value) -> f64 {
    object(&format!("-n {n} -m {m} -k {k}"))["p"]
        .as_f64()
        .unwrap()
}

fn near(value: &Value, expected: f64) {
    common::near(value, expected, 1e-9);
}

#[test]
fn a_filter_sized_for_now_or_for_later_has_its_rate_at_both_times() {
    let line = "-n 2000 -p 1%";
    let now = object(&format!("{line} --grow 3x"));
    let later = object("-n 6000 -p 1%");
    let [own, then, scalable] = now["grow"]["rows"].as_array().unwrap().as_slice() else {
        panic!("{now}");
    };
    assert_eq!(now["grow"]["n"], 6000);
    assert_eq!(
        (&own["name"], &own["now"]["p"]),
        (&"sized for now".into(), &now["p"])
    );
    assert_eq!(
        (&own["now"]["m"], &own["then"]["m"]),
        (&now["m"], &now["m"])
    );
    near(&own["then"]["p"], rate(6000, &now["m"], &now["k"]));
    assert_eq!(
        (&then["now"]["m"], &then["then"]["p"]),
        (&later["m"], &later["p"])
    );
    near(&then["now"]["p"], rate(2000, &later["m"], &later["k"]));
    let grown = |n| object(&format!("-n {n} -p 1% --filter scalable --initial 2000"));
    for (state, n) in [("now", 2000), ("then", 6000)] {
        let alone = grown(n);
        assert_eq!(scalable[state]["m"], alone["m"], "{n}");
        near(&scalable[state]["p"], alone["p"].as_f64().unwrap());
    }
    // The growth may also be given in items, or by the other name of the flag.
    assert_eq!(object(&format!("{line} --grow 6000"))["grow"], now["grow"]);
    assert_eq!(object(&format!("{line} --later 6k"))["grow"], now["grow"]);
    prints(
        &format!("{line} --grow 3x"),
        &["\ngrown to 6,000 items (3 n):\n", " at about item 2,001\n"],
    );
}

/// Each filter that Redis adds has twice the items of the filter before it, or the multiple in --expansion, and half its rate.
/// It has the size that Redis gives a filter with NONSCALING for these items and this rate.
#[test]
fn redis_adds_filters_of_more_items_at_half_the_rate() {
    for (flags, times) in [("", 2), (" --expansion 4", 4), (" --expansion 1", 1)] {
        let line = format!("-n 50M -p 0.1% --like redis{flags} --grow 10x");
        let grown = object(&line);
        let added = grown["grow"]["added"].as_array().unwrap();
        let (mut at, mut holds, mut p) = (50_000_001_u64, 50_000_000_u64, 0.0005);
        for filter in added {
            (holds, p) = (holds * times, p / 2.0);
            let alone = object(&format!("-n {holds} -p {p} --like redis-nonscaling"));
            assert_eq!(
                (&filter["at"], &filter["m"]),
                (&at.into(), &alone["m"]),
                "{line}"
            );
            at += holds;
        }
        // With expansion 1, nine filters of 50M items follow the first, and eight of these are
        // listed.
        assert!(added.len() == 8 || flags != " --expansion 1", "{line}");
        let sum: u64 = added
            .iter()
            .map(|filter| filter["m"].as_u64().unwrap())
            .sum();
        if added.len() < 8 {
            let all = grown["m"].as_u64().unwrap() + sum;
            assert_eq!(grown["grow"]["rows"][0]["then"]["m"], all, "{line}");
        }
    }
    prints(
        "-n 50M -p 0.1% --like redis",
        &["at item 50,000,001 it adds a filter of 206 MiB"],
    );
    let call = "BF.RESERVE key 0.001 50000000 EXPANSION 4";
    prints("-n 50M -p 0.1% --like redis --expansion 4", &[call]);
    let fixed = object("-n 50M -p 0.1% --like redis --expansion 0");
    assert_eq!(fixed["like"]["name"], "redis-nonscaling");
    assert_eq!(
        json("-n 50M -p 0.1% --like redis --expansion 4").1["like"]["expansion"],
        4
    );
}

/// Each added filter has half the rate of the filter before it, until the rate is below the range of `f64`. Then Redis adds no
/// further filter.
#[test]
fn redis_takes_no_more_items_where_it_can_build_no_filter() {
    let line = "-n 5M -p 0.1% --like redis --expansion 1";
    let then =
        |times| object(&format!("{line} --grow {times}x"))["grow"]["rows"][0]["then"].clone();
    assert!(then(1000)["m"].as_u64().unwrap() > 3 << 40);
    assert_eq!(then(1100), Value::Null);
    prints(
        &format!("{line} --grow 1100x"),
        &["refused", "  and so on\n"],
    );
    let out = run("-n 5M -p 0.1% --like redis-nonscaling --grow 3x").1;
    assert!(out.contains("refused"), "{out}");
}

#[test]
fn an_invalid_growth_is_refused() {
    for (flags, [part]) in rows(
        r#"
        $ --grow 1x => --grow must be a factor above 1, up to 1,000,000, with at most 3 decimals and no exponent, got 1x
        $ --grow 1.5555x => got 1.5555x
        $ --grow x => got x
        $ --grow -3x => got -3x
        $ --grow 1e3x => got 1e3x
        $ --grow 2000 => --grow must be more than the 2,000 items now, got 2,000
        $ --grow 1.0001M% => "--grow "
        $ --like guava --expansion 2
          --expansion is an option of --like redis or redis-2, got --like guava
        $ --like redis --expansion 32769
          --expansion must be a whole number between 0 and 32,768, got 32769
    "#,
    ) {
        refused(&format!("-n 2000 -p 1% {flags}"), &[part]);
    }
    refused(
        "-n 1e19 -m 2^63 --grow 3x",
        &["--grow must be at most 18,446,744,073,709,551,615 items"],
    );
    refused("-p 1% --grow 3x", &["--grow needs n or m"]);
}

#[test]
fn a_union_has_the_rate_of_all_items_in_one_filter() {
    let answer = object("-n 2000 -p 1% --union 3");
    let union = &answer["union"];
    assert_eq!((&union["filters"], &union["n"]), (&3.into(), &6000.into()));
    near(&union["p"], rate(6000, &answer["m"], &answer["k"]));
    assert_eq!(union["m"], object("-n 6000 -p 1%")["m"]);
    assert_eq!(
        object("-n 2000 -m 20000 --union 2")["union"]["m"],
        Value::Null
    );
    prints(
        "-n 2000 -p 1% --union 3",
        &["union of 3 full filters:\n  6,000 items in all: p 0.43532, 1 in 2.2972"],
    );
    refusals(
        r"
        $ -n 2000 -p 1% --union 1 => --union must be a whole number of at least 2, got 1
        $ -n 2000 -p 1% --union 2 --filter scalable => this one grows
        $ -n 2000 -p 1% --union 2 --like redis => this one grows
        $ -n 1e19 -m 2^63 --union 2 => --union must have at most 18,446,744,073,709,551,615 items
        $ -p 1% --union 2 => --union needs n or m
    ",
    );
}

#[test]
fn items_that_are_repeated_do_not_count() {
    let asked = object("-n 2000 -p 1% --distinct 80%");
    let plain = object("-n 1600 -p 1%");
    assert_eq!(
        (&asked["n"], &asked["m"], &asked["p"]),
        (&plain["n"], &plain["m"], &plain["p"])
    );
    assert_eq!(asked["asked"]["distinct"], 0.8);
    assert_eq!(
        (&asked["asked"]["n"], &asked["n"]),
        (&2000.into(), &1600.into())
    );
    let note = "n counts distinct items: of 2,000 inserts, 80 % are distinct";
    prints("-n 2000 -p 1% --distinct 80%", &[note]);
    // No `f64` holds these shares exactly, and there is at least one distinct item.
    for (n, part, distinct) in [
        (10_u64, "0.7", 7_u64),
        (1000, "1/3", 334),
        (3, "1e-9", 1),
        (10_000_000_000_000, "80%", 8_000_000_000_000),
        (1_000_000_000_000_000_000, "80%", 800_000_000_000_000_000),
        (6_000_000_000, "5/6", 5_000_000_000),
        (1_000_000_000_000, "99.9999%", 999_999_000_000),
    ] {
        let line = format!("-n {n} -p 90% --distinct {part}");
        assert_eq!(object(&line)["n"], distinct, "{line}");
    }
    prints(
        "-m 20000 -p 1% --distinct 50%",
        &["of 4,168 inserts, 50 % are distinct"],
    );
    refused(
        "-n 9 -p 1% --distinct 120%",
        &["--distinct must be between 0 and 1"],
    );
    refused("-p 1% --distinct 50%", &["--distinct needs n or m"]);
    refused("compare -n 9 -p 1% --distinct 50%", &["--distinct 50%"]);
}

#[test]
fn bits_per_item_are_m_with_n_and_a_rate_without() {
    let sized = object("-n 1M --bits-per-item 9.6 -p 1%");
    let same = object("-n 1M -m 9600000 -p 1%");
    assert_eq!(sized, same);
    // To find the best k, rates below the range of f64 are compared, too.
    let each = object("--bits-per-item 1000000");
    assert_eq!(each["k"], 255);
    assert_eq!(each["p"], 0.0);
    let ln_p = 255.0 * (255e-6_f64.ln() - 127.5e-6);
    assert!((each["ln_p"].as_f64().unwrap() / ln_p - 1.0).abs() < 1e-9);
    prints(
        "--bits-per-item 1000000",
        &["p     4.5043e-917", "less than 3,044 bits per item"],
    );
    let each = object("--bits-per-item 10");
    assert_eq!(
        (&each["k"], &each["solved"]),
        (&7.into(), &serde_json::json!(["p", "k"]))
    );
    // The literature's table: 10 bits and 7 hashes give 0.00819.
    near(&each["p"], 0.008_193_722_065_862_417);
    let many = object("-n 1e12 --bits-per-item 10")["p"].as_f64().unwrap();
    assert!((each["p"].as_f64().unwrap() / many - 1.0).abs() < 1e-9);
    for filter in ["partitioned", "blocked", "plain-blocked", "counting"] {
        let each = object(&format!("--bits-per-item 20 --filter {filter}"));
        let many = object(&format!("-n 1e11 --bits-per-item 20 --filter {filter}"));
        assert_eq!(each["k"], many["k"], "{filter}");
        let ratio = each["p"].as_f64().unwrap() / many["p"].as_f64().unwrap();
        assert!((ratio - 1.0).abs() < 1e-6, "{filter}: {ratio}");
        // Solved back from this rate, the fewest bits per item are 20 again.
        let line = format!("-p {} -k {} --filter {filter}", each["p"], each["k"]);
        let bits = object(&line)["bits_per_item"].as_f64().unwrap();
        assert!((bits / 20.0 - 1.0).abs() < 1e-6, "{filter}: {bits}");
    }
    for (bits, met, code) in [("9.5", false, 1), ("9.6", true, 0)] {
        let (found, answer) = json(&format!("--bits-per-item {bits} -p 1%"));
        assert_eq!((found, &answer["met"]), (code, &met.into()), "{bits}");
    }
    prints(
        "--bits-per-item 9.5 -p 1%",
        &["p     0.010473          1 in 95.485, target 0.01: not met"],
    );
    prints(
        "--bits-per-item 10 --explain",
        &[
            "p = fill^k = 0.5034147^7 = 0.00819372",
            "The rate for other k:",
        ],
    );
    refusals(
        r"
        $ --bits-per-item 0 => --bits-per-item must be above 0
        $ --bits-per-item 1.0000001 => with at most 6 decimals and no exponent, got 1.0000001
        $ --bits-per-item 1e3 => got 1e3
        $ -n 5 --bits-per-item 0.1 => --bits-per-item must give n = 5 items 1 to 2^63 bits, got 0
        $ -n 1e19 --bits-per-item 10 => got 100,000,000,000,000,000,000
        $ --bits-per-item 9 --filter scalable => nothing follows
        $ table --bits-per-item 9 => --bits-per-item 9
        $ --bits-per-item 9 -n 9 --like guava => takes n and p
    ",
    );
}

#[test]
fn a_link_has_the_question_in_the_keys_of_the_json_object() {
    for (line, [link]) in rows(
        r"
        $ -n 2k -p 1% --link => calculator.html?n=2000&p=0.01
        $ -n 2k -m 16KiB -k 7 --link => calculator.html?n=2000&m=131072&k=7
        $ -n 2k -p 1% --link=https://example.org/c --like redis --expansion 4
          https://example.org/c?n=2000&p=0.01&like=redis&expansion=4
        $ -n 2k -p 1% --link=https://example.org/c?x=1#size => https://example.org/c?x=1&n=2000&p=0.01#size
        $ -p 1e-9 --filter blocked --link => calculator.html?p=1e-9&block_bits=512&filter=blocked
        $ -n 2k -p 1% --round pow2 --model textbook --link
          calculator.html?n=2000&p=0.01&round=pow2&model=textbook
        $ -n 2k -p 1% --distinct 50% --link => calculator.html?n=2000&p=0.01&distinct=0.5
        $ --bits-per-item 9.6 --link => calculator.html?bits_per_item=9.6
        $ -n 2k -p 1% --link --lookups 1M --prevalence 0.5% --grow 1.5x --union 4 --spread
          calculator.html?n=2000&p=0.01&grow=1.5x&union=4&spread=true&lookups=1M&prevalence=0.5%25
        $ -n 2k -p 1% --link --like redis --overfill --explain --later 20k
          calculator.html?n=2000&p=0.01&like=redis&grow=20k&explain=true
    ",
    ) {
        assert_eq!(run(line), (0, format!("{link}\n"), String::new()), "{line}");
    }
    // The exit code is that of the answer.
    assert_eq!(run("-n 2000 -m 100 -p 1% --link").0, 1);
    // A section that the page could not show is refused here, too.
    refused("-n 9 -p 1% --link --grow 1x", &["--grow must be"]);
}

#[test]
fn libraries_are_compared_by_what_each_builds() {
    let out = run("compare -n 50M -p 0.1% --like all --json").1;
    let rows: Vec<Value> = serde_json::from_str(&out).unwrap();
    assert!(rows.len() >= 15, "{out}");
    for row in &rows {
        let name = row["library"].as_str().unwrap();
        assert!(!["large-data", "to-visit-queue", "golang-implemented"].contains(&name));
        if ["rocksdb", "sbbf-rs-safe"].contains(&name) {
            // The row has the least m that keeps p: one step less misses p.
            assert_eq!(row["met"], true, "{name}");
            let step = if name == "rocksdb" { 0.001 } else { 1.0 };
            let less = row["bits_per_item"].as_f64().unwrap() - step * 1.1;
            let m = (less / step).round() * step * 5e7;
            let line = format!("-n 50M -m {m:.0} -p 0.1% --like {name}");
            assert_eq!(json(&line).0, 1, "{line}");
            continue;
        }
        if row["p"].is_null() {
            let line = format!("-n 50M -p 0.1% --like {name}");
            assert_eq!(run(&line).0, 2, "{line}");
            continue;
        }
        let (code, alone) = json(&format!("-n 50M -p 0.1% --like {name}"));
        assert_eq!(
            (&row["bytes"], &row["k"], &row["p"]),
            (&alone["bytes"], &alone["k"], &alone["p"])
        );
        assert_eq!(row["met"], code == 0, "{name}");
    }
    let two = run("compare -n 50M -p 0.1% --like guava,redis").1;
    assert!(
        two.lines().nth(1).unwrap().starts_with("guava ") && two.lines().count() == 5,
        "{two}"
    );
    assert!(!two.contains("BloomFilter.java"), "{two}");
    prints(
        "compare -n 50M -p 0.1% --like guava --sources",
        &["note: guava: google/guava"],
    );
    // A library that refuses the question has a row without numbers, and a remark.
    prints(
        "compare -n 2e9 -p 0.1% --like redis,guava",
        &["redis takes at most 1,073,741,824 items"],
    );
    refused(
        "compare -n 1M --like redis",
        &["compare --like takes n and p only, got n alone"],
    );
    refused("compare -n 1M -p 1% --like reds", &["invalid value 'reds'"]);
}

/// p is the rate of filter and hash together. Sizes are solved for this rate and judged by it.
#[test]
fn a_hash_of_few_bits_is_part_of_the_rate() {
    let floor = |n: f64| -(n * (-(2_f64.powi(-32))).ln_1p()).exp_m1();
    let both = |p: f64, n: f64| p + floor(n) - p * floor(n);
    // Returns the expected number of different hashes of n items, rounded to a whole number.
    let distinct = |n: f64| (floor(n) * 2_f64.powi(32)).round();
    let near = |value: &Value, expected: f64| common::near(value, expected, 1e-5);
    let sized = object("-n 4.2M -p 0.1% --hash-bits 32");
    let (m, k) = (sized["m"].as_u64().unwrap(), sized["k"].as_u64().unwrap());
    let ideal = |n, m, k| {
        object(&format!("-n {n} -m {m} -k {k}"))["p"]
            .as_f64()
            .unwrap()
    };
    near(&sized["p"], both(ideal(distinct(4.2e6), m, k), 4.2e6));
    assert!(sized["p"].as_f64().unwrap() <= 0.001 && sized["met"] == true);
    // One bit less misses p, for every number of hashes.
    let (code, less) = json(&format!("-n 4.2M -m {} -p 0.1% --hash-bits 32", m - 1));
    assert_eq!((code, &less["k_range"]), (1, &Value::Null));
    let held = object("-m 60M -p 0.1% --hash-bits 32");
    let n = held["n"].as_u64().unwrap();
    assert_eq!(json(&format!("-n {n} -m 60M -p 0.1% --hash-bits 32")).0, 0);
    assert_eq!(
        json(&format!("-n {} -m 60M -p 0.1% --hash-bits 32", n + 1)).0,
        1
    );
    for filter in ["partitioned", "blocked", "plain-blocked", "counting"] {
        let line = format!("-n 1M -p 0.1% --hash-bits 32 --filter {filter}");
        let sized = object(&line);
        let p = object(&format!(
            "-n {} -m {} -k {} --filter {filter}",
            distinct(1e6),
            sized["m"],
            sized["k"]
        ));
        near(&sized["p"], both(p["p"].as_f64().unwrap(), 1e6));
        assert_eq!(sized["met"], true, "{filter}");
    }
    let grown = object("-n 4.2M -p 0.1% --hash-bits 32 --filter scalable");
    let alone = object("-n 4.2M -p 0.1% --filter scalable");
    let most = both(alone["p"].as_f64().unwrap(), 4.2e6);
    let p = grown["p"].as_f64().unwrap();
    assert!((0.998 * most..=most).contains(&p), "{p} {most}");
    assert_eq!(grown["met"], false);
    // The rate with twice the items includes what the hash adds for them.
    let twice = &object("-n 1M -m 20M -k 5 --hash-bits 32 --overfill")["overfill"]["rows"][4];
    near(&twice["p"], both(ideal(distinct(2e6), 20_000_000, 5), 2e6));
    refusals(
        r"
        $ -n 40M -p 0.1% --hash-bits 32 => p must be above the rate of a hash of 32 bits alone, 0.00927
        $ -n 40M -p 0.1% --hash-bits 32 --filter scalable => p must be above the rate of a hash of 32 bits alone, 0.00927
        $ -n 9 -p 1% --hash-bits 32 --confidence 99% => --confidence is for ideal hashes
        $ -n 9 -p 1% --hash-bits 32 --like guava => the library of --like decides what --hash-bits asks for
        $ verify -n 9 -p 1% --hash-bits 32 => verify builds filters with hashes of 64 bits
        $ -n 9 -p 1% --hash-bits 0 => --hash-bits must be
        $ -p 1% --hash-bits 32 => --hash-bits needs n or m
    ",
    );
    prints(
        "-n 4.2M -m 60M -p 0.1% --hash-bits 32 --explain",
        &[
            "about 2^32 f = 4,197,950 different hashes",
            "p = f + (1 - f) 0.00104183 = 0.00201822",
        ],
    );
}

/// A filter of the size that is printed for a union keeps p after the union.
#[test]
fn a_union_of_a_librarys_filters_is_sized_so_that_it_keeps_p() {
    let capped = "-n 1M -p 1% --like parquet-java --union 7";
    assert_eq!(object(capped)["union"]["m"], Value::Null);
    prints(capped, &["no size of it keeps 0.01 after the union"]);
    // Guava's own filter for 400 items misses p, so another p is passed.
    let union = object("-n 200 -p 0.01% --like guava --union 2")["union"]["m"].clone();
    let alone = object("-n 400 -p 0.01% --like guava");
    let passed = object(&format!("-n 400 -p {} --like guava", alone["like"]["pass"]));
    assert_eq!(union, passed["m"], "{alone}");
    assert!(union.as_u64() > alone["m"].as_u64());
}

/// For a library that takes m, the smallest m that keeps p is solved, and every answer has a call to paste.
#[test]
fn libraries_that_take_bits_answer_every_question() {
    for name in ["rocksdb", "sbbf-rs-safe"] {
        for question in ["-n 1M -p 1%", "-m 64MB -p 1%", "-n 1M -m 16M"] {
            let (code, answer) = json(&format!("{question} --like {name}"));
            let call = answer["like"]["call"].as_str().unwrap();
            assert!(code == 0 && !call.is_empty(), "{name} {question}: {answer}");
        }
    }
    prints(
        "-n 1M -p 1% --like rocksdb",
        &["NewBloomFilterPolicy(9.918)"],
    );
    assert_eq!(json("-n 1M -m 9917000 -p 1% --like rocksdb").0, 1);
}

#[test]
fn a_section_for_ideal_hashes_is_refused_beside_a_rate_of_other_hashes() {
    for line in [
        "-n 200 -p 0.01% --like guava --spread",
        "-n 2000 -p 1% --hash-bits 20 --spread",
    ] {
        refused(line, &["--spread is for ideal hashes"]);
        let plain = line.replace(" --spread", "");
        assert_eq!(object(&plain)["p_sd"], Value::Null, "{plain}");
    }
    // The rate in the row of a filter that grows includes the hash, too.
    let grow = object("-n 2000 -p 5% --hash-bits 20 --grow 2x");
    let alone = object("-n 2000 -p 5% --hash-bits 20 --filter scalable --initial 2000");
    assert_eq!(grow["grow"]["rows"][2]["now"]["p"], alone["p"]);
    prints(
        "-n 1001 -p 1% --distinct 50%",
        &["of 1,001 inserts, 50 % are distinct"],
    );
    prints("-n 1000 -p 0.01% --like redis --grow 64x", &[" not met\n"]);
}

#[test]
fn a_filter_that_cannot_grow_so_far_is_printed_as_refused() {
    prints(
        "-n 2000 -p 1% --grow 2^60",
        &[
            "3.31 KiB to 10.1 KiB  0.0015           refused\n",
            "sized for then                                         refused\n",
        ],
    );
    // With 2^58 items each stage has at most 2^63 bits, but all stages together have more. With 2^60 items one stage has more.
    for items in ["2^58", "2^60"] {
        let line = format!("-n 2000 -p 1% --filter scalable --grow {items}");
        let rows = &object(&line)["grow"]["rows"];
        assert_eq!(rows[0].get("then"), None, "{rows}");
    }
}
