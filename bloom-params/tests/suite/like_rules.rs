//! Tests how a library's rule is explained: its steps with their numbers, the rate that it
//! promises, how much double hashing adds and, if the library refuses a question, what it accepts.

use bloom_systems::double_hashing::{Scheme, excess};

use crate::common::{json, prints, refusals, run};
use bloom_testing::{cases, rows};

/// Questions, each followed by the steps of the library's rule. Each number is computed by hand from the number above it.
const REPORTED: &str = r"
    $ -n 1000 -p 1% --like guava
      m = -n ln p / (ln 2)^2 = 9,585.05838, rounded down: 9,585
      up to a multiple of 64: 9,600
      k = -log2 p = 6.64386, rounded: 7
    $ -n 1000 -p 40% --like redis
      p is at most 0.25
      p is first multiplied by 0.5: 0.125
      m = -n ln p / (ln 2)^2 = 4,328.08512, rounded down: 4,328
      up to a multiple of 64: 4,352
      # With 15 digits of ln 2 the product is a little more than 3, so k is 4.
      k = (m/n) ln 2 = 3, rounded up: 4
    $ -n 1000 -p 1% --like parquet-java
      m = -8 n / ln(1 - p^(1/8)) = 9,681.52674, rounded down: 9,681
      255 bits more: 9,936
      up to a power of two: 16,384
      k = 8
    $ -n 1 -p 10% --like parquet
      m = -8 n / ln(1 - p^(1/8)) = 5.77254184, rounded down: 5
      down to a multiple of 8: 0
      at least 256: 256
      k = 8
    $ -n 200M -p 0.1% --like parquet
      m = -8 n / ln(1 - p^(1/8)) = 2,921,539,500, rounded down: 2,921,539,495
      down to a multiple of 8: 2,921,539,488
      at most 1,073,741,824: 1,073,741,824
      k = 8
    $ -n 1000 -p 30% --like cassandra
      Pei Cao's table: 3 bits per item and 1 hash: 3,000
      20 bits more: 3,020
      up to a multiple of 64: 3,072
      k = 1
    $ -n 1000 -m 9601 --like rocksdb
      m/n = 9.601, taken as 9.601; n times that in whole bytes: 9,608
      up to a multiple of 512: 9,728
      thousandths of a bit per item: 9,728
      k = 6
    $ -n 1 -p 1e-9 --like fastbloom
      m = -n ln p / (ln 2)^2 = 43.1327627, up to whole bytes: 48
      at least 64: 64
      k = (m/n) ln 2 = 44.3614, rounded: 44
    $ -n 1000 -p 10% --like pyprobables
      p in single precision: 0.10000000149011612
      m = -n ln p / (ln 2)^2 = 4,792.52916, rounded up: 4,793
      k = (m/n) ln 2 = 3.32225, rounded: 3
    $ -m 1000 -p 1% --like spark
      n = 100, the most items for which the steps below give at most m = 1,000
      m = -n ln p / (ln 2)^2 = 958.505838, rounded down: 958
      up to a multiple of 64: 960
      k = (m/n) ln 2 = 6.64035, rounded: 7
    $ -n 10 -p 90% --like spark
      m = -n ln p / (ln 2)^2 = 2.19294109, rounded down: 2
      up to a multiple of 64: 64
      k = (m/n) ln 2 = 0.138629, rounded: 0
      k is at least 1
    $ -n 1M --like large-data => m is always 33,554,432 => k = 7
";

#[test]
fn a_rule_is_explained_step_by_step_without_the_steps_that_change_nothing() {
    for (line, reported) in cases(REPORTED) {
        let (_, out, err) = run(&format!("{line} --explain"));
        let rule = out.split_once("\n2. The rule of ");
        let rule = rule.unwrap_or_else(|| panic!("{line}: {out}{err}")).1;
        let rule = rule.split_once("\n\n").unwrap().0.lines().skip(1);
        let lines: Vec<_> = rule.filter_map(|text| text.strip_prefix("     ")).collect();
        assert_eq!(lines, reported, "{line}");
        assert!(!out.contains("The answer is "), "{line}: {out}");
    }
}

#[test]
fn a_question_to_a_library_is_derived_with_its_name() {
    for (line, [asked]) in rows(
        r"
        $ -n 1000 -p 1% => what spark builds for that, and its rate.
        $ -m 1000 -p 1% => the most items that spark puts in that, and its rate.
    ",
    ) {
        prints(
            &format!("{line} --like spark --explain"),
            &[&format!("\n   Asked: {asked}\n")],
        );
    }
}

/// If m is given, m alone sizes the library's filter, and p is only a target.
#[test]
fn a_library_that_sizes_by_m_or_not_at_all_promises_nothing() {
    for (line, promised) in [
        ("-n 1000 -p 1% --like spark", true),
        ("-m 10000 -p 1% --like spark", true),
        ("-n 1000 -m 9601 -p 1% --like spark", false),
        ("-n 1M -p 1% --like large-data", false),
    ] {
        let (_, answer) = json(line);
        assert_eq!(answer["like"]["promised"].is_number(), promised, "{line}");
        let (_, out, _) = run(line);
        assert_eq!(
            out.contains("; it promises 0.01, and p"),
            promised,
            "{line}"
        );
    }
}

#[test]
fn only_a_refusal_of_too_many_items_says_how_many_are_taken() {
    for (line, message) in [
        ("-n 100 -m 49 --like rocksdb", "less than 0.5 bits per item"),
        ("-n 9 -p 1e-200 --like guava", "guava takes k = 664"),
    ] {
        let (code, _, err) = run(line);
        assert!(code == 2 && err.contains(message), "{line}: {err}");
        assert!(!err.contains("hint"), "{line}: {err}");
    }
    refusals(
        r"
        $ -n 5 --like guava => got n alone
        $ -n 5 -m 50 -p .1 --like guava => got n, m and p
    ",
    );
}

/// The memory does not limit 2^64 - 1 items: at this p they take 2 x 10^-10 bits each.
#[test]
fn a_memory_with_room_for_2_to_the_64_items_is_not_said_to_limit_them() {
    let out = prints(
        "-m 2^63 -p 0.9999999999 --like bits-and-blooms",
        &["note: n is the most that it sizes a filter for at this p"],
    );
    let items = "n     18,446,744,073,709,551,615 items\n";
    assert!(out.starts_with(items), "{out}");
}

/// The target is compared with the p of the model plus what double hashing adds.
#[test]
fn what_double_hashing_adds_is_weighed_against_the_target() {
    let spark = "-n 1000 -m 9601 --like spark";
    let (_, answer) = json(spark);
    assert_eq!((&answer["m"], &answer["k"]), (&9_664.into(), &7.into()));
    let p = answer["p"].as_f64().unwrap();
    let ideal = answer["like"]["ideal_p"].as_f64().unwrap();
    assert!((ideal - 0.009_663_5).abs() < 1e-7, "{ideal}");
    // The tolerance is about 1 % of what double hashing adds, which is 1.39/9664.
    assert!((p - 0.009_807_6).abs() < 1.5e-6, "{p}");
    for (target, so, code) in [
        ("", "", 0),
        ("-p 0.985%", "", 0),
        ("-p 0.98%", ": too much", 1),
        ("-p 0.967%", ": too much", 1),
        // The model's p alone is above the target.
        ("-p 0.966%", "", 1),
    ] {
        let (found, out, _) = run(&format!("{spark} {target}"));
        let reported = "note: with ideal hashes p would be 0.00966; double hashing adds 0.00014";
        assert!(
            out.contains(&format!("{reported}{so}\n")),
            "{target}: {out}"
        );
        assert_eq!(found, code, "{target}");
    }
    // With k = 2, the two positions are the two hashes themselves, and no remark follows.
    let (_, out, _) = run("-n 20 -p 30% --like guava");
    assert!(
        out.contains("\nk           2 hashes") && !out.contains("double hashing"),
        "{out}"
    );
}

/// BF.RESERVE takes at most 2^30 items, but a later stage may hold more.
#[test]
fn redis_adds_stages_beyond_the_most_items_it_takes() {
    let (_, answer) = json("-n 2^30 -p 1% --like redis --overfill");
    let rows = answer["overfill"]["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["n"] == 1_u64 << 31).unwrap();
    // The second filter has -2^31 ln 0.0025 / (ln 2)^2 = 26,780,084,149.2 bits, rounded up to a multiple of 64, and 8.64 hashes,
    // rounded up to 9.
    let first = 11_840_960_128_u64;
    assert_eq!(row["m"], first + 26_780_084_160);
    let exact = |n, m, k| {
        let added = excess(Scheme::Wrapping { bits: 64 }, n, m, k).unwrap().high;
        bloom_core::math::exact::rate(n, m, k).unwrap().value() + added
    };
    let both = (1.0 - exact(1 << 30, first, 8)) * (1.0 - exact(1 << 30, 26_780_084_160, 9));
    let p = row["p"].as_f64().unwrap();
    // Both filters are full. Keys whose bits were all set were rejected as already present, so the accepted keys set more bits
    // than as many random keys, and the rate is higher.
    let more = p / (1.0 - both) - 1.0;
    assert!((0.001..0.01).contains(&more), "{p}: {more}");
}
