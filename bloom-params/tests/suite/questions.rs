//! Checks the answers about set bits, about filters queried one after the other and about costs
//! against formulas, and the least cost against a search over every size.

use crate::common::{self, near, object, prints, refusals, refused};
use bloom_params::math::{Model, estimate_items, hash_floor};
use serde_json::Value;

#[test]
fn set_bits_tell_the_items_and_the_rate_of_this_filter() {
    let answer = object("-m 20000 -k 7 --set-bits 9400 -p 1%");
    near(&answer["p"], 0.47_f64.powi(7), 1e-12);
    assert_eq!(
        (&answer["fill"], &answer["met"]),
        (&0.47.into(), &true.into())
    );
    let estimate = estimate_items(20_000, 7, 9_400).unwrap().unwrap();
    near(&answer["set_bits"]["n"], estimate.items, 1e-12);
    near(
        &answer["set_bits"]["n_sd"],
        estimate.standard_deviation,
        1e-12,
    );
    assert_eq!(answer["n"], 1_814);
    assert_eq!(answer["solved"], serde_json::json!(["n"]));
    // If the set bits are given as a share of m, the answer is the same.
    assert_eq!(object("-m 20000 -k 7 --fill 47% -p 1%"), answer);
    let most = Model::Exact.max_items(20_000, 7, 0.01).unwrap();
    prints(
        "-m 20000 -k 7 --fill 47% -p 1%",
        &[
            &format!("until p is 0.01  about {} items more", most - 1_814),
            "p     0.0050663 ",
            "items by set bits   1,814, with a standard deviation of 10.1",
        ],
    );
    prints(
        "-m 20000 -k 7 --fill 60% -p 1%",
        &["p = 0.01 was passed  about 53", "not met"],
    );
    prints(
        "-m 20000 -k 7 --fill 1/2 --filter counting",
        &["10,000 counters set", "0.0078125"],
    );
}

#[test]
fn the_answer_says_whether_items_and_set_bits_agree() {
    prints(
        "-n 1820 -m 20000 -k 7 --fill 47%",
        &["they agree", "1,820 items"],
    );
    prints(
        "-n 2000 -m 20000 -k 7 --fill 47%",
        &["18.4 standard deviations", "it holds fewer than n"],
    );
    prints(
        "-n 1500 -m 20000 -k 7 --fill 47%",
        &["it holds more than n"],
    );
    // p is computed from the set bits, whatever n is.
    let (with, without) = (
        object("-n 2000 -m 20000 -k 7 --fill 47%"),
        object("-m 20000 -k 7 --fill 47%"),
    );
    assert_eq!(with["p"], without["p"]);
    // The rates with more items are computed from the set bits, too: here with the estimated items plus a tenth of n.
    let rows = object("-n 2000 -m 20000 -k 7 --fill 47% --overfill");
    let tenth = Model::Exact.rate(1_814 + 200, 20_000, 7).unwrap().value();
    near(&rows["overfill"]["rows"][1]["p"], tenth, 1e-12);
    let twice = rows["overfill"]["twice"].as_u64().unwrap();
    let at = |n| {
        Model::Exact
            .rate(n - 2_000 + 1_814, 20_000, 7)
            .unwrap()
            .value()
    };
    let doubled = 2.0 * rows["p"].as_f64().unwrap();
    assert!(at(twice - 1) < doubled && doubled <= at(twice), "{twice}");
    // Each filter of the union has the estimated items, whatever n is. The rate of the hash alone, however, is computed from n:
    // in the last answer from 2,200 items, a tenth more than the given 2,000.
    let union = |n| object(&format!("-m 20000 -k 7 --fill 47% --union 3{n}"))["union"].clone();
    assert_eq!(union(" -n 2000"), union(""));
    assert_eq!(union("")["n"], 3 * 1_814);
    near(
        &union("")["p"],
        Model::Exact.rate(3 * 1_814, 20_000, 7).unwrap().value(),
        1e-12,
    );
    let behind = object("-m 20000 -k 7 --fill 47% -n 2000 --hash-bits 16 --overfill");
    let ideal = Model::Exact.rate(1_814 + 200, 20_000, 7).unwrap().value();
    let floor = hash_floor(2_200, 16).unwrap();
    near(
        &behind["overfill"]["rows"][1]["p"],
        floor + (1.0 - floor) * ideal,
        1e-12,
    );
}

#[test]
fn set_bits_that_tell_nothing_are_refused() {
    refusals(
        r"
        $ -m 20000 --fill 47% => set bits need m and k of the filter, got m and X
        $ -k 7 --fill 47% => --fill is a share of m, which is not given
        $ -m 100 -k 7 --set-bits 101 => --set-bits must be at most m = 100, got 101
        $ -m 100 -k 7 --set-bits 100 => set bits must be fewer than m = 100 => got 100
        $ -m 100 -k 7 --set-bits 9 --fill 9% => --fill gives the set bits, and --set-bits is given too
        $ -m 512 -k 8 --set-bits 9 --filter blocked => --set-bits is an option of classic and counting
        $ -m 100 -k 7 --fill 1 => --fill must be between 0 and 1
        $ -n 9 -p 1% --like guava --fill 9% => the library of --like decides what --fill asks for
    ",
    );
}

/// j filters of the rate p together have the rate 1 - (1 - p)^j. The expected number of filters asked is a geometric sum, which
/// is added up term by term.
#[test]
fn filters_asked_in_turn_have_the_rate_of_all_together() {
    for (line, p, j) in [
        ("-p 1%", 0.01, 12_u32),
        ("-p 50%", 0.5, 3),
        ("-p 1e-12", 1e-12, 1_000),
    ] {
        let answer = object(&format!("{line} --sequence {j}"));
        let sequence = &answer["sequence"];
        let none = |asked: u32| (1..=asked).fold(1.0, |none, _| none * (1.0 - p));
        // Computes 1 - (1 - p)^j without a loss of digits if p is small.
        let of_one = |power: f64| -f64::exp_m1(power * f64::ln_1p(-p));
        near(&sequence["p"], of_one(j.into()), 1e-12);
        near(&sequence["asked"], (0..j).map(none).sum(), 1e-12);
        near(&sequence["last"], none(j - 1), 1e-12);
        let each = sequence["each_p"].as_f64().unwrap();
        near(&sequence["each_p"], of_one(1.0 / f64::from(j)), 1e-9);
        assert!(each < p);
    }
    let sized = object("-n 1000 -p 1% --sequence 12");
    let each = sized["sequence"]["each_p"].as_f64().unwrap();
    assert_eq!(
        sized["sequence"]["each_m"],
        object(&format!("-n 1000 -p {each:e}"))["m"]
    );
    assert_eq!(
        object("-n 1000 -m 9000 --sequence 2")["sequence"]["each_p"],
        Value::Null
    );
    refusals(
        r"
        $ -p 1% --sequence 1 => --sequence must be
        $ -p 1% --level-ratio 10 => --level-ratio needs --sequence
        $ -p 1% --sequence 3 --level-ratio 10 => --level-ratio needs n or m
        $ -n 1e6 -p 1% --sequence 40 --level-ratio 10 => --level-ratio must give at most 64 levels
        $ -n 1 -p 1% --sequence 65 --level-ratio 2 => --level-ratio must give at most 64 levels
    ",
    );
}

/// Moving bits from one level to another must not lower the sum of their rates.
#[test]
fn levels_share_one_memory_at_the_lowest_sum_of_rates() {
    for line in [
        "-n 1M -p 1% --sequence 5 --level-ratio 10",
        "-n 1000 -p 90% --sequence 4 --level-ratio 2",
        "-n 100 -p 60% --sequence 6 --level-ratio 4",
    ] {
        let answer = object(line);
        let levels = &answer["levels"];
        let rows = levels["rows"].as_array().unwrap();
        let all = |key| {
            rows.iter()
                .map(|row| row[key].as_f64().unwrap())
                .sum::<f64>()
        };
        near(&levels["m"], all("m"), 0.0);
        near(&levels["best_m"], all("best_m"), 0.0);
        near(&levels["best_p_sum"], all("best_p"), 1e-12);
        let used = all("best_m") / all("m");
        assert!(used <= 1.0 && used > 0.998, "{line}: {used}");
        assert!(all("best_p") < levels["p_sum"].as_f64().unwrap());
        assert!(levels["same_m"].as_f64().unwrap() < all("m"));
        // n items at p take c n ln(1/p) bits, for a constant c. So one more bit lowers the rate of a level by p / (c n), which
        // must be the same for all levels with filters.
        let slope = |row: &Value| row["best_p"].as_f64().unwrap() / row["n"].as_f64().unwrap();
        let with = rows.iter().filter(|row| row["best_m"] != 0);
        for row in with {
            assert!((slope(row) / slope(&rows[0]) - 1.0).abs() < 1e-9, "{line}");
        }
    }
    // The largest level has no filter. In the first case, its best p would be above 1. In the
    // second case, it would be 0.9966, but its bits save more in other levels.
    for (line, last, sum) in [
        ("-n 1000 -p 90% --sequence 4 --level-ratio 2", 3, 2.67),
        ("-n 100 -p 60% --sequence 6 --level-ratio 4", 5, 1.261),
    ] {
        let levels = &object(line)["levels"];
        let last = &levels["rows"][last];
        assert_eq!((&last["best_p"], &last["best_m"]), (&1.0.into(), &0.into()));
        assert!(levels["best_p_sum"].as_f64().unwrap() < sum, "{line}");
    }
    // With rates in proportion to the items, the levels take more whole blocks than with one rate for all, so one rate is best.
    let line = "-n 51 -p 1% --filter blocked --sequence 3 --level-ratio 2";
    let levels = &object(line)["levels"];
    assert_eq!(levels["same_m"], levels["m"]);
    assert!(
        levels["best_p_sum"].as_f64() <= levels["p_sum"].as_f64(),
        "{levels}"
    );
    prints(line, &["are enough, the same as with one p\n"]);
}

/// Every m and k around the answer costs at least as much.
#[test]
fn no_other_size_costs_less() {
    for (flags, lookups, hit, bit) in [
        ("--cost-false-hit 10 --lookups 5000", 5_000.0, 10.0, 1.0),
        (
            "--cost-false-hit 0.5 --cost-per-bit 1e-3 --lookups 1000",
            1_000.0,
            0.5,
            1e-3,
        ),
    ] {
        let answer = object(&format!("-n 300 {flags}"));
        let sum = |m: u64, k: u8| {
            let p = Model::Exact.rate(300, m, k).unwrap().value();
            lookups * hit * p + bit * m as f64
        };
        let (m, k) = (
            answer["m"].as_u64().unwrap(),
            answer["k"].as_u64().unwrap() as u8,
        );
        let least = sum(m, k);
        near(&answer["cost"]["sum"], least, 1e-12);
        near(&answer["cost"]["without"], lookups * hit, 1e-12);
        for other in 1..=16 {
            for bits in 1..2 * m {
                assert!(sum(bits, other) >= least * (1.0 - 1e-12), "{bits} {other}");
            }
        }
        let many = bit * 300.0 / (lookups * hit * std::f64::consts::LN_2.powi(2));
        near(&answer["cost"]["p_many"], many, 1e-12);
        near(&answer["p"], many, 0.15);
    }
    for filter in [
        "blocked",
        "partitioned",
        "counting",
        "plain-blocked",
        "split-block",
    ] {
        let answer = object(&format!(
            "-n 300 --cost-false-hit 10 --lookups 5000 --filter {filter}"
        ));
        assert!(
            answer["cost"]["sum"].as_f64() < answer["cost"]["without"].as_f64(),
            "{filter}"
        );
    }
    refusals(
        r"
        $ -n 9 --cost-false-hit 5 => --cost-false-hit needs --lookups
        $ -n 9 --cost-per-bit 5 => --cost-per-bit needs --cost-false-hit
        $ -n 9 -p 1% --cost-false-hit 5 --lookups 9 => with costs, m and p are solved for n items, got n, p and costs
        $ -n 9 --cost-false-hit -5 --lookups 9
          --cost-false-hit must be a number above 0, up to 1e280, got -5
        $ -n 9 --cost-false-hit 1.1e280 --lookups 9 => up to 1e280, got 1.1e280
        $ -n 9 --cost-false-hit 9 --lookups 9 --filter plain-blocked --block-bits 96 --round pow2
          --round must leave whole blocks of 96 bits
        $ -n 9 --cost-false-hit 0 --lookups 9
          --cost-false-hit must be a number above 0, up to 1e280, got 0
        $ -n 1M --cost-false-hit 1e-3 --lookups 1M
          false positives cost 1,000 without a filter, and every filter costs at least as much
        $ -n 9 --cost-false-hit 5 --lookups 9 --filter scalable
          --cost-false-hit is an option of all filters but scalable
    ",
    );
}

#[test]
fn what_set_bits_and_costs_decide_is_derived() {
    prints(
        "-m 20000 -k 7 --fill 47% --explain",
        &[
            "Given: m = 20,000 bits, k = 7 hashes and X = 9,400 bits set.\n   Asked: the items n and the rate p.",
            "p = (X/m)^k = (9,400 / 20,000)^7 = 0.47^7 = 0.00506623\n",
            "n = ln(1 - X/m) / (k ln(1 - 1/m)) = -0.634878 / -0.000350009 = 1,813.89\n",
        ],
    );
    prints(
        "-n 1M --cost-false-hit 1000 --lookups 1M --explain",
        &[
            "Asked: the bits m,",
            "p = n x 1 / (1,000,000 x 1,000 x (ln 2)^2) = 0.00208137\n",
        ],
    );
    // An empty filter keeps any p.
    let (code, out, _) = common::run("-m 20000 -k 7 --set-bits 0 -p 1% --explain");
    assert!(
        code == 0 && out.contains(": met") && !out.contains("Why nothing fits"),
        "{out}"
    );
}

/// The least cost is also found among rounded sizes, and if a narrow hash or a fixed k bounds the rate from below.
#[test]
fn the_least_cost_is_found_among_the_sizes_that_are_allowed() {
    let question = "-n 1000 --cost-false-hit 1000 --lookups 1e9";
    let sum = |line: &str| object(line)["cost"]["sum"].as_f64().unwrap();
    let asked = |m: u64| {
        let p = object(&format!("-n 1000 -m {m}"))["p"].as_f64().unwrap();
        1e12 * p + m as f64
    };
    for (round, sizes) in [
        ("pow2", [1 << 15, 1 << 16, 1 << 17]),
        ("512", [40_960, 41_472, 41_984]),
    ] {
        let line = format!("{question} --round {round}");
        let [below, least, above] = sizes.map(asked);
        near(&object(&line)["m"], sizes[1] as f64, 0.0);
        assert!(sum(&line) <= least * 1.000_1 && least < below.min(above));
        prints(&line, &["m is rounded as asked, to the least cost"]);
    }
    // Here the best rate for many items cannot be reached: it is below the rate of the hash alone, or too low for eight hashes.
    near(
        &object(&format!("{question} --hash-bits 32"))["m"],
        41_621.0,
        1e-3,
    );
    let line = "-n 1M --cost-false-hit 1e10 --lookups 1e9 --filter split-block";
    let m = object(line)["m"].as_u64().unwrap();
    for other in [m - 512 * 2_000, m + 512 * 2_000] {
        let p = object(&format!("-n 1M -m {other} --filter split-block"))["p"]
            .as_f64()
            .unwrap();
        assert!(1e19 * p + other as f64 > sum(line), "{other}");
    }
    // Half of the lookups are for members, which are never false positives.
    let half = object(&format!("{question} --prevalence 50%"));
    near(
        &half["cost"]["false_hits"],
        1000.0 * half["lookups"]["false_hits"].as_f64().unwrap(),
        1e-12,
    );
    near(
        &half["cost"]["sum"],
        sum("-n 1000 --cost-false-hit 1000 --lookups 5e8"),
        1e-12,
    );
}

/// Remarks on the target rate are about all filters of a size, and not about the set bits of a single filter.
#[test]
fn remarks_beside_set_bits_are_about_sizes() {
    let line = "-m 20000 -k 7 --set-bits 9400";
    prints(&format!("{line} -p 0.1%"), &["this size holds 1,332 items"]);
    prints(
        &format!("{line} -n 3000 -p 1% --union 2"),
        &["to keep 0.01 after the union: 4,351 bytes"],
    );
    // (1/20,000)^7 is 5^7 times 10^-35.
    prints(
        "-m 20000 -k 7 --set-bits 1",
        &["n              1 item\n", "p     7.8125e-31          1 in"],
    );
    prints("-m 100 -k 255 --set-bits 1", &["p        0          never"]);
}

/// A rate that is a short decimal is printed as such, without the rounding error of an `f64`, and is met when typed back.
#[test]
fn the_rate_of_set_bits_is_right_to_its_last_digit() {
    for (line, p) in [
        ("-m 100 -k 3 --set-bits 5", "0.000125"),
        ("-m 100 -k 30 --set-bits 10", "1e-30"),
        ("-m 1000 -k 2 --set-bits 7", "4.9e-5"),
    ] {
        assert_eq!(common::run(&format!("{line} --get p")).1.trim(), p);
        assert_eq!(object(&format!("{line} -p {p}"))["met"], true, "{line}");
    }
    // A set bit means at least one item. The rate with a second item differs from that with one.
    prints(
        "-m 100 -k 3 --set-bits 1 --overfill",
        &[
            "     1 n   1 item    p 1e-6 ",
            "p doubles at 2 items",
            "items by set bits   1,",
        ],
    );
}

/// Options about many filters are refused beside the set bits of one filter. The collisions of a narrow hash are part of the
/// rate.
#[test]
fn set_bits_are_those_of_one_filter() {
    for option in ["--confidence 99% -p 1%", "--model textbook"] {
        let flag = option.split(' ').next().unwrap();
        let message =
            format!("{flag} applies to all filters of a size, and set bits belong to one filter");
        refused(&format!("-m 20000 -k 7 --fill 47% {option}"), &[&message]);
    }
    let answer = object("-m 20000 -k 7 --fill 47% --hash-bits 16");
    let (ideal, floor) = (0.47_f64.powi(7), 1.0 - (1.0 - 0.5_f64.powi(16)).powi(1_814));
    near(&answer["hash_bits"]["ideal_p"], ideal, 1e-9);
    near(&answer["p"], floor + (1.0 - floor) * ideal, 1e-9);
    assert_eq!(answer["p"], answer["hash_bits"]["p"]);
}

/// Even if the best filter costs nearly as much as none, the answer agrees with the search over every size.
#[test]
fn costs_are_refused_exactly_where_every_filter_costs_more_than_it_saves() {
    let mut chosen = [0, 0];
    for tenths in 5..40 {
        let hit = f64::from(tenths) / 10.0;
        let sum =
            |m: u64, k: u8| 100.0 * hit * Model::Exact.rate(50, m, k).unwrap().value() + m as f64;
        let sizes = (1..400).flat_map(|m| (1..=8).map(move |k| (m, k)));
        let least = sizes.map(|(m, k)| sum(m, k)).fold(f64::INFINITY, f64::min);
        let (code, out, err) = common::run(&format!(
            "-n 50 --cost-false-hit {hit} --lookups 100 --json"
        ));
        chosen[usize::from(code == 0)] += 1;
        if code == 2 {
            assert!(
                err.contains("without a filter") && least >= 100.0 * hit,
                "{hit}: {least}"
            );
        } else {
            let answer: Value = serde_json::from_str(&out).unwrap();
            near(&answer["cost"]["sum"], least, 1e-12);
            assert!(least < 100.0 * hit, "{hit}");
        }
    }
    assert!(chosen.iter().all(|times| *times > 5), "{chosen:?}");
}

/// Some notes and steps would be false beside other flags, so they have other words there.
#[test]
fn notes_and_steps_allow_for_the_other_flags() {
    for (line, parts) in [
        // Seven set bits and k = 7 mean one item almost certainly, so n = 2 is far from the estimate.
        (
            "-m 1e6 -k 7 --set-bits 7 -n 2",
            "2 items given  1,410 standard deviations from that\n  it holds fewer than n",
        ),
        (
            "-m 1e6 -k 7 --set-bits 0 -n 2",
            "2 items given  but none was inserted\n  it holds fewer than n",
        ),
        // The collisions of the hash alone have a rate of 0.0037.
        (
            "-n 1M -p 1% --filter scalable --hash-bits 28",
            "and with ideal hashes it keeps p under 0.01 however far it grows",
        ),
        (
            "-n 10000 -p 30% --filter scalable --hash-bits 20",
            "; even if stages are dependent, with ideal hashes p is at most the sum of their rates, ",
        ),
        (
            "-n 1000 --cost-false-hit 10 --cost-per-bit 0.001 --lookups 5000 --filter counting --explain",
            "p = n x 0.004 / (5,000 x 10 x (ln 2)^2) = 0.00016651",
        ),
        (
            "table --n 1000 --model textbook",
            "note: false-positive rates by the model for n = 1,000\n",
        ),
    ] {
        prints(line, &[parts]);
    }
    // The collisions of the hash alone have a rate of 0.058, above p, with any filter.
    let (_, out, _) = common::run("-n 1M -m 20M -p 1% --filter scalable --hash-bits 24");
    assert!(!out.contains("a classic filter that knows n"), "{out}");
}
