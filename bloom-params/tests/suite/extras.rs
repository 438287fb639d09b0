//! Tests the optional sections of an answer, and the output formats.

use crate::common::{near, object, prints, refusal, refusals, refused, run};
use bloom_params::math::share_above;
use bloom_testing::{assert_has, rows};
use serde_json::Value;

#[test]
fn one_number_is_printed_alone() {
    for (letter, number) in [
        ("n", "2000"),
        ("m", "19188"),
        ("k", "7"),
        ("p", "0.0099994"),
    ] {
        let line = format!("-n 2000 -p 1% --get {letter}");
        assert_eq!(run(&line), (0, format!("{number}\n"), String::new()));
    }
    assert_eq!(run("-p 1% --get k").1, "7\n");
    // The rate for 10 bits per item is 0.00819372... It is rounded up, as in the answer for people.
    assert_eq!(run("--bits-per-item 10 --get p").1, "0.0081938\n");
    assert_eq!(run("-p 0.012345678 --get p").1, "0.012345678\n");
    assert_eq!(
        run("-n 2000 -m 10000 -p 1% --get k"),
        (1, "3\n".into(), String::new())
    );
}

#[test]
fn json_is_a_format() {
    assert_eq!(run("-n 5 -p .1 --json"), run("-n 5 -p .1 --format json"));
    assert_eq!(run("-n 5 -p .1"), run("-n 5 -p .1 --format human"));
    // Repeating a format is not a contradiction.
    for line in [
        "-n 5 -p .1",
        "-p .1",
        "table -n 5",
        "compare -n 5 -p .1",
        "verify -n 30 -p .1",
    ] {
        let (code, out, err) = run(&format!("{line} --json --format json"));
        assert_eq!((code, err.as_str()), (0, ""), "{line}");
        assert_eq!(out, run(&format!("{line} --json")).1, "{line}");
    }
    for (line, format) in [
        ("-n 5 -p .1", "rust"),
        ("-p .1 --get k", "human"),
        ("table -n 5", "csv"),
        ("batch /nowhere.csv", "csv"),
        ("verify -n 30 -p .1", "human"),
    ] {
        let (code, out, err) = run(&format!("{line} --json --format {format}"));
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        if !line.contains("--get") {
            let refusal = format!("error: --json is --format json, and --format {format} is given");
            assert!(err.starts_with(&refusal), "{line}: {err}");
        }
    }
}

/// The expected false positives need only p.
#[test]
fn lookups_are_answered_without_a_size() {
    let sized = object("-n 1M -p 1% --lookups 1e6 --prevalence 10%");
    let each = object("-p 1% --lookups 1e6 --prevalence 10%");
    assert_eq!(each["lookups"]["q"], 1_000_000);
    assert_eq!(each["lookups"]["false_hits"], 9_000.0);
    let sure = |answer: &Value| answer["lookups"]["yes_is_true"].as_f64().unwrap();
    assert!((sure(&each) / sure(&sized) - 1.0).abs() < 1e-5);
    let (code, out, err) = run("-p 1% --lookups 1e6");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.contains(
            "1,000,000 lookups, none of them for an inserted item:\n  false positives expected   10,000\n"
        ),
        "{out}"
    );
}

#[test]
fn an_error_names_both_flags_that_contradict_each_other() {
    for (line, names) in [
        ("--json --format human", ["--json", "--format"]),
        ("--json --get m", ["--json", "--get"]),
        ("--get m --format rust", ["--get", "--format"]),
        ("--get m --explain", ["--get", "--explain"]),
        ("--get m --spread", ["--get", "--spread"]),
        ("--get m --lookups 5", ["--get", "--lookups"]),
        ("--format rust --overfill", ["--format rust", "--overfill"]),
        ("--prevalence 1%", ["--lookups", "--prevalence"]),
        ("-m 5000 --round 64", ["--round", "--m"]),
    ] {
        refused(&format!("-n 2000 -p 1% {line}"), &names);
    }
    refusals(
        r"
        $ -n 9 -m 99 --confidence 99% => --confidence needs a rate p to keep
        $ -n 9 -p .1 --confidence 2 => --confidence must be between 0 and 1 (exclusive), got 2
        $ -n 9 -p .1 --hash-bits 0 => --hash-bits must be a whole number between 1 and 1,024, got 0
        $ -n 9 -p .1 --hash-bits 2000 => --hash-bits must be a whole number between 1 and 1,024, got 2000
        $ -n 9 -p .1 --lookups x => --lookups must be
        $ -n 9 -p .1 --lookups 5 --prevalence 1 => --prevalence must be between 0 and 1
        $ -p 1% --round 8 => --round needs n or m
        $ -p 1% --confidence 99% => --confidence needs n or m
        $ verify -p 1% => verify needs n or m
        $ -p 1% --spread => --spread needs n or m
        $ -p 1% --get m => --get m needs n or m
        $ -p 1% --lookups 1e6 --overfill => --overfill needs n or m
        $ -p 1% --hash-bits 32 => --hash-bits needs n or m
        $ -p 1% --format rust => --format rust needs n or m
    ",
    );
}

#[test]
fn rates_are_printed_up_to_ten_times_n_with_the_items_that_double_the_rate() {
    let answer = object("-n 2000 -p 1% --overfill");
    let rows = answer["overfill"]["rows"].as_array().unwrap();
    let times: Vec<_> = rows
        .iter()
        .map(|row| row["times"].as_f64().unwrap())
        .collect();
    assert_eq!(times, [1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0]);
    for row in rows {
        let p = object(&format!("-n {} -m 19188 -k 7", row["n"]))["p"].as_f64();
        assert_eq!(row["p"].as_f64(), p, "{row}");
    }
    let twice = answer["overfill"]["twice"].as_u64().unwrap();
    let rate = |n: u64| {
        object(&format!("-n {n} -m 19188 -k 7"))["p"]
            .as_f64()
            .unwrap()
    };
    assert!(rate(twice) >= 2.0 * rate(2000) && rate(twice - 1) < 2.0 * rate(2000));
    // With one item there are fewer rows. The filter is full, so its rate never doubles.
    let full = object("-n 1 -m 1 -k 9 --overfill");
    assert!(full["overfill"]["twice"].is_null());
    assert_eq!(full["overfill"]["rows"].as_array().unwrap().len(), 5);
    // The rate never doubles: a rate of 0.5 stays below 1 with any number of items, an empty filter has the rate 0, and the last
    // question already has the largest number of items.
    for line in [
        "-n 1 -m 2 -k 1",
        "-m 3 -p .001",
        "-n 18446744073709551615 -m 2^63 -k 1",
    ] {
        let answer = object(&format!("{line} --overfill"));
        assert!(answer["overfill"]["twice"].is_null(), "{line}: {answer}");
    }
}

/// Two items set two of 3 bits with probability 2/3, and otherwise one: p is 2/3 or 1/3, with mean 5/9.
#[test]
fn the_spread_of_few_items_is_that_of_all_their_fillings() {
    let is_at = |value: &Value, number: f64| (value.as_f64().unwrap() - number).abs() < 1e-12;
    let spread = &object("-n 2 -m 3 -k 1 --spread")["spread"];
    assert!(is_at(&spread["of"], 5.0 / 9.0), "{spread}");
    assert!(is_at(&spread["above"], 2.0 / 3.0), "{spread}");
    assert!(is_at(&spread["sd"], 2_f64.sqrt() / 9.0), "{spread}");
    // Every filter of this size has the rate 1, and no rate is above 1.
    let full = &object("-n 2^63 -m 1 --spread")["spread"];
    assert_eq!((&full["of"], &full["above"]), (&1.0.into(), &0.0.into()));
    // A mean rate below the range of f64 is not 0, and some filters have higher rates, so the question is refused.
    let (code, out, err) = run("-n 10 -m 1.5GB --spread");
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(
        err,
        "error: --spread needs p to be at least 2.2250738585072014e-308, got 2.9959e-1702\n"
    );
}

#[test]
fn a_size_for_a_share_of_filters_is_the_smallest_that_gives_it() {
    for (n, p, share) in [
        (300_u64, 0.01, 0.99),
        (100, 0.001, 0.9),
        (20_000, 0.02, 0.999),
    ] {
        let line = format!("-n {n} -p {p} --confidence {share}");
        let answer = object(&line);
        let (m, k) = (
            answer["m"].as_u64().unwrap(),
            answer["k"].as_u64().unwrap() as u8,
        );
        assert!(share_above(n, m, k, p).unwrap() <= 1.0 - share, "{line}");
        assert_eq!(answer["met"], true);
        let (code, _, _) = run(&format!("{line} -m {}", m - 1));
        assert_eq!(code, 1, "{line}: one bit less is enough, too");
        let plain = object(&format!("-n {n} -p {p}"))["m"].as_u64().unwrap();
        assert!(m > plain, "{line}");
    }
    // However small the requested share, some filters keep the rate.
    for share in ["1e-10", "1e-300"] {
        let answer = object(&format!("-n 2000 -p 1% --confidence {share}"));
        let (m, k) = (answer["m"].as_u64().unwrap(), answer["k"].as_u64().unwrap());
        assert!(
            share_above(2_000, m, k as u8, 0.01).unwrap() < 1.0,
            "{share}"
        );
    }
    let held = object("-m 20000 -p 1% --confidence 99%")["n"]
        .as_u64()
        .unwrap();
    assert_eq!(
        run(&format!("-n {held} -m 20000 -p 1% --confidence 99%")).0,
        0
    );
    assert_eq!(
        run(&format!("-n {} -m 20000 -p 1% --confidence 99%", held + 1)).0,
        1
    );
}

/// Fills 31,000 real filters with a fixed seed. The tolerance is 6.2 standard deviations of the share, 0.018: a correct share
/// fails by chance 0.6 times in 10^9 runs. A share that is wrong by 0.018 fails with a probability of 0.5, and one that is wrong
/// by 0.027 with 0.999.
#[test]
fn the_share_above_the_target_is_that_of_real_fillings() {
    let (n, m, k, p) = (200_u64, 1_920_usize, 7, 0.01);
    let refusal = object(&format!("-n {n} -m {m} -k {k} -p {p} --spread"));
    let refusal = refusal["spread"]["above"].as_f64().unwrap();
    let (mut state, mut above) = (42_u64, 0);
    let filters = 31_000;
    for _ in 0..filters {
        let mut bits = vec![false; m];
        for _ in 0..n * k {
            // SplitMix64.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^= z >> 31;
            bits[((u128::from(z) * m as u128) >> 64) as usize] = true;
        }
        let fill = bits.iter().filter(|bit| **bit).count() as f64 / m as f64;
        above += u32::from(fill.powi(k as i32) > p);
    }
    let measured = f64::from(above) / f64::from(filters);
    let sigma = (refusal * (1.0 - refusal) / f64::from(filters)).sqrt();
    assert!(
        (measured - refusal).abs() < 6.2 * sigma,
        "{measured} {refusal}"
    );
}

#[test]
fn rounding_goes_up_and_keeps_the_rate() {
    for (to, m) in [
        ("8", 19_192),
        ("64", 19_200),
        ("512", 19_456),
        ("pow2", 32_768),
    ] {
        let line = format!("-n 2000 -p 1% --round {to}");
        let answer = object(&line);
        assert_eq!(
            (&answer["m"], &answer["met"]),
            (&m.into(), &true.into()),
            "{line}"
        );
    }
    assert_eq!(object("-n 2000 -k 5 --round pow2")["m"], 16_384);
    assert_eq!(
        object("-n 2000 -p 1% --filter plain-blocked --round pow2")["m"],
        32_768
    );
    refused(
        "-n 2000 -p 1% --filter plain-blocked --block-bits 96 --round pow2",
        &["--round must leave whole blocks of 96 bits"],
    );
}

#[test]
fn false_positives_are_counted_over_lookups_of_absent_items() {
    // This question is from a forum: 208 million URLs in 1 GiB, and 10^10 lookups.
    let answer = object("-n 208M -m 1GiB -k 4 --lookups 1e10");
    let p = answer["p"].as_f64().unwrap();
    assert_eq!(answer["lookups"]["false_hits"].as_f64(), Some(1e10 * p));
    assert!((p / 7.26e-5 - 1.0).abs() < 0.001, "{p}");
    let answer = object("-n 2000 -m 19188 -k 7 --lookups 1000 --prevalence 1%");
    let p = answer["p"].as_f64().unwrap();
    let lookups = &answer["lookups"];
    near(&lookups["false_hits"], 990.0 * p, 1e-12);
    near(&lookups["none"], (1.0 - p).powf(990.0), 1e-12);
    near(&lookups["yes_is_true"], 0.01 / (0.01 + 0.99 * p), 1e-12);
}

#[test]
fn conventions_are_named() {
    let (_, out, _) = run("-m 20000 -k 5");
    assert!(
        out.contains("half-full filter, by convention") && out.contains("2,772 items"),
        "{out}"
    );
    assert_eq!(object("-n 2000 -k 5")["half_full"], true);
    // Ten items are far from half filling a block, and 100 bits at k = 255 are half full with less than one item.
    for line in ["-n 10 -k 8 --filter blocked", "-m 100 -k 255"] {
        prints(
            line,
            &["this is rounded from the half-full filter, by convention"],
        );
    }
    assert_eq!(object("-n 2000 -p 1%")["half_full"], false);
    let (code, out, _) = run("-p 1%");
    assert!(
        code == 0 && out.starts_with("m/n   9.59295 bits     per item"),
        "{out}"
    );
    // Pei Cao's table: 9.85 bits per item for 5 hashes at 1 %.
    assert!(run("-k 5 -p 1%").1.contains("9.8488 bits"));
}

/// The code that is printed with answers is compiled here, and builds the filters of these answers.
#[test]
fn the_code_printed_builds_the_filter() -> Result<(), Box<dyn std::error::Error>> {
    use bloom_core::{
        BlockedBloomFilter, BlockedShape, BloomFilter, CounterBits, CountingBloomFilter,
        PartitionedBloomFilter, ScalableBloomFilter, ScalableShape, Shape,
    };
    let classic = BloomFilter::<str>::new(Shape::new(19_188, 7)?)?;
    assert_eq!(classic.shape(), Shape::for_rate(2_000, 0.01)?);
    let blocked = BlockedBloomFilter::<str>::new(BlockedShape::new(40)?)?;
    assert_eq!(blocked.shape(), BlockedShape::for_rate(2_000, 0.01)?);
    PartitionedBloomFilter::<str>::new(Shape::new(19_190, 7)?)?;
    CountingBloomFilter::<str>::new(Shape::new(19_188, 7)?)?;
    CountingBloomFilter::<str>::with_counter_bits(Shape::new(19_188, 7)?, CounterBits::Eight)?;
    ScalableBloomFilter::<str>::new(
        ScalableShape::new(1_000, 0.01)?
            .with_growth(2)?
            .with_tightening(0.85)?,
    )?;
    Ok(())
}

#[test]
fn one_lookup_is_printed_in_the_singular() {
    for (flags, [section]) in rows(
        r"
        $ --lookups 1 => \n1 lookup, not for an inserted item:\n
        $ --lookups 1 --prevalence 1% => \n1 lookup, for an inserted item with a chance of 1 %:\n
        $ --lookups 2 --prevalence 1% => \n2 lookups, 1 % of them for inserted items:\n
    ",
    ) {
        prints(&format!("-n 100 -p 1% {flags}"), &[section]);
    }
}

#[test]
fn invalid_values_of_options_are_refused_with_valid_ones() {
    for (flags, [end]) in rows(
        r"
        # A small number needs only digits, and only a share can be a percentage.
        $ --hash-bits x => between 1 and 1,024, got x\n
        $ --filter scalable --growth x => between 1 and 1,000,000, got x\n
        $ --lookups x => of at least 1, got x\nhint: write a number like 2000, 2_000, 1.5M or 2^20\n
        $ --lookups=
          --lookups needs a value, got an empty one\nhint: write a number like 2000, 2_000, 1.5M or 2^20\n
        $ --lookups 5million => got 5million\nhint: for 5 million write 5M\n
        $ --lookups 5 --prevalence 5 => (exclusive), got 5\nhint: for 5 percent write 5%\n
        $ --lookups 5 --prevalence x => got x\nhint: write a share like 1% or 0.01\n
        $ --lookups 5 --prevalence 0,5 => got 0,5\nhint: write 0.5\n
        $ --filter scalable --tightening 5 => (exclusive), got 5\nhint: write a share like 0.85 or 1/2\n
    ",
    ) {
        let err = refusal(&format!("-n 9 -p .1 {flags}"));
        assert!(err.ends_with(&end), "{flags}: {err}");
    }
    assert_eq!(run("verify -n 9 -p .1 --trials 30 --seed 0").0, 0);
}

/// The expected means were computed in 60 digits, from the distribution of the set bits. A few filters of low rate make up most
/// of each mean.
#[test]
fn the_chance_of_no_false_positive_is_the_mean_over_filters_where_it_is_known() {
    for (line, mean, alone, shown) in [
        (
            "-n 50 -m 480 -k 7 --lookups 1000",
            1.341_951_766_130_014_5e-4,
            3.726e-5,
            "0.01342 %",
        ),
        (
            "-n 100 -m 961 -k 7 --lookups 1000",
            8.566_604_828_070_456e-5,
            4.293e-5,
            "0.008567 %",
        ),
        (
            "-n 20 -m 64 -k 3 --lookups 1000 --prevalence 10%",
            1.149_284_214_589_234e-26,
            1.85e-103,
            "1.149e-24 %",
        ),
    ] {
        let lookups = &object(line)["lookups"];
        near(&lookups["none_mean"], mean, 1e-10);
        near(&lookups["none"], alone, 5e-3);
        prints(
            line,
            &[format!(
                "chance of none at all      {shown}, the mean of single filters\n"
            )],
        );
    }
    // The mean is not given if there are too many set bits to compute it, if the rates of single filters are not known, or if
    // the set bits of one filter are given.
    for line in [
        "-n 1000 -m 22479 -k 16",
        "-n 50 -p 1% --filter partitioned",
        "-p 1%",
        "-m 480 -k 7 --set-bits 200",
    ] {
        let line = format!("{line} --lookups 1000");
        assert!(object(&line)["lookups"]["none_mean"].is_null(), "{line}");
        prints(&line, &[" in a filter of exactly this p\n"]);
    }
}

#[test]
fn a_chance_below_100_percent_is_not_printed_as_100() {
    // The first chance is e^(-5e-5), the second e^(-5e-10).
    prints(
        "-n 1e6 -p 1e-10 --lookups 5e5",
        &["none at all      99.995 % in a filter of exactly this p\n"],
    );
    prints(
        "-n 1e6 -p 1e-10 --lookups 5",
        &["none at all      99.99999995 % in a filter of exactly this p\n"],
    );
}

/// With X set bits, p is (X/m)^7. The variance of p is the mean of (X/m)^14 minus the square of the mean of (X/m)^7. By
/// inclusion and exclusion it is 0.000276146^2. The hash of an absent item equals one of the 2000 hashes with a probability of
/// 2000/2^32 = 4.65661e-7.
#[test]
fn sections_stand_below_the_answer_in_words() {
    let (_, spread, _) = run("-n 2000 -p 1% --spread");
    let (_, hash, _) = run("-n 2000 -p 1% --hash-bits 32");
    let out = spread + &hash;
    let sections = [
        "
spread between single filters:
  standard deviation of p  0.0002761 (2.76 % of p)
  above the target 0.01    49.3 % of filters
",
        "
with a hash of 32 bits:
  floor of the hash alone  4.657e-7 (1 in 2,147,500)
  p with ideal hashes      0.0099993 (1 in 100.01)
",
    ];
    assert_has("the sections", &out, &sections);
    // An empty filter has the rate 0, so the ratio of deviation and rate is printed as 0 %.
    prints(
        "-m 3 -p 0.001 --spread",
        &["standard deviation of p  0 (0 % of p)\n"],
    );
}
