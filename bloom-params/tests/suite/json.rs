//! Tests the JSON object: its keys, its numbers to the last digit, and its documentation.

use crate::common::{self, json, manual, near, object, run};

use std::collections::{BTreeMap, BTreeSet};

use bloom_params::like::SYSTEMS;

use serde_json::Value;

/// The documentation of the keys. Each key is followed by its meaning, and indented lines continue the meaning.
const KEYS: &str = include_str!("../../src/json_keys.txt");

/// Returns the documented keys, each with its meaning.
fn documented() -> BTreeMap<&'static str, String> {
    let mut keys = BTreeMap::<_, String>::new();
    let mut key = "";
    for line in KEYS.lines() {
        let (name, meaning) = line.split_at(21);
        if !name.trim().is_empty() {
            key = name.trim();
        }
        *keys.entry(key).or_default() += &format!("{meaning} ");
    }
    keys
}

/// Command lines whose objects together have every key, and null for each key that may be null.
const SAMPLE: [&str; 37] = [
    "--n 2000 --p 0.01",
    "--n 2000 --k 5 --p 0.01",
    "--n 2000 --m 20000",
    "--n 2000 --m 20000 --k 5 --model textbook",
    "--m 20000 --p 0.01",
    "--m 20000 --k 5 --p 0.01",
    "--n 2000 --m 20000 --p 0.01",
    "--n 2000 --m 20000 --k 5 --p 0.01",
    "--n 1e19 --m 2^63 --p 1e-9",
    "--m 3 --p 0.001",
    "--p 0.01",
    "--n 2000 --p 0.01 --filter plain-blocked",
    "--n 2000 --p 0.01 --filter counting --round 64 --confidence 99%",
    "--n 20000 --p 0.01 --filter scalable",
    "--n 2000 --p 0.01 --overfill --spread --lookups 1M --explain",
    "--n 2000 --p 0.01 --lookups 1M --prevalence 1%",
    "--m 20000 --k 7 --fill 47%",
    "--n 2000 --p 0.01 --sequence 5 --level-ratio 10",
    "--n 2000 --m 20000 --sequence 5",
    "--p 0.01 --sequence 5",
    "--n 2000 --cost-false-hit 5 --cost-per-bit 0.1 --lookups 1M",
    "--n 2000 --k 5 --cost-false-hit 5 --lookups 1M",
    "--n 1 --m 1 --k 200 --overfill",
    "--n 2000 --k 7",
    "--n 2000 --p 0.01 --filter split-block",
    "--n 2000 --p 0.01 --filter partitioned",
    "--n 2000 --p 0.01 --like redis",
    "--n 2000 --p 0.01 --like redis --expansion 4 --grow 100x",
    "--n 2000 --p 0.01 --like redis-nonscaling --grow 3x --union 2",
    "--n 2000 --p 0.01 --like hbase --grow 1000x",
    "--n 2000 --m 20000 --union 2",
    "--n 2000 --p 0.01 --distinct 0.5",
    "--n 2000 --p 0.01 --hash-bits 32",
    "--bits-per-item 10 --p 0.01",
    "--n 2000 --m 20000 --like rocksdb",
    "--n 2000 --p 0.01 --like rbloom",
    "--n 2000 --m 20000 --p 0.001 --like rocksdb",
];

/// Adds the keys of `object` to `keys`, and those whose value is null also to `nulls`. A key of an inner object is written like
/// `usual.m`.
fn collect(
    object: &Value,
    prefix: &str,
    keys: &mut BTreeSet<String>,
    nulls: &mut BTreeSet<String>,
) {
    for (name, value) in object.as_object().into_iter().flatten() {
        let key = format!("{prefix}{name}");
        collect(value, &format!("{key}."), keys, nulls);
        if value.is_null() {
            nulls.insert(key.clone());
        }
        keys.insert(key);
    }
}

#[test]
fn the_lists_of_keys_fit_a_manual_page_of_80_columns() {
    for list in [KEYS, include_str!("../../src/verify_keys.txt")] {
        for line in list.lines() {
            assert!(line.len() <= 68, "{line}");
        }
    }
}

#[test]
fn every_key_is_documented_and_every_documented_key_is_printed() {
    let (mut keys, mut nulls) = (BTreeSet::new(), BTreeSet::new());
    for line in SAMPLE {
        collect(&object(line), "", &mut keys, &mut nulls);
    }
    let documented = documented();
    let names: BTreeSet<_> = documented.keys().map(ToString::to_string).collect();
    assert_eq!(keys, names);
    let nullable = documented.iter().filter(|(_, text)| text.contains("null"));
    let nullable: BTreeSet<_> = nullable.map(|(name, _)| name.to_string()).collect();
    assert_eq!(nulls, nullable, "null, and documented as null");
    for (name, text) in documented {
        assert!(text.trim().len() > 3, "{name} is not explained");
    }
}

#[test]
fn the_help_and_the_readme_lead_to_the_keys() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(manual("").contains(&words(KEYS)));
    assert!(
        run("--help")
            .1
            .contains("keys of the JSON object: bloom-params man\n")
    );
    let readme = include_str!("../../../README.md");
    assert!(readme.contains("](bloom-params/src/json_keys.txt)"));
}

/// The reference values were computed with 80 digits: from the sum over Stirling numbers, and by inclusion and exclusion of the
/// empty bits.
#[test]
fn numbers_are_exact_to_their_last_digits() {
    let answer = object("--n 2000 --p 0.01");
    assert_eq!(answer["schema"], 1);
    assert_eq!((&answer["m"], &answer["k"]), (&19_188.into(), &7.into()));
    near(&answer["p"], 0.009_999_327_087_857_544, 5e-14);
    near(&answer["ln_p"], -4.605_237_479_466_492, 1e-14);
    near(&answer["hash_floor"], 1.084_202_172_485_504_4e-16, 1e-15);
    assert_eq!(answer["met"], true);
    assert_eq!(answer["asked"].to_string(), r#"{"n":2000,"p":0.01}"#);
    assert_eq!(answer["filter"], "classic");
    assert_eq!(answer["model"], "exact");
    assert_eq!(answer["bits_per_item"], 9.594);
    assert_eq!(answer["bytes"], 2399);
    near(&answer["fill"], 0.517_918_308_077_533_5, 1e-15);
    near(&answer["p_sd"], 0.000_276_145_586_123_441_7, 1e-6);
    assert_eq!(
        (&answer["usual"]["m"], &answer["usual"]["k"]),
        (&19_171.into(), &7.into())
    );
    near(&answer["usual"]["p"], 0.010_041_546_382_872_845, 5e-14);
    assert_eq!(answer["k_range"], Value::Null);
    assert_eq!(answer["k_capped"], false);

    for (line, p, ln_p, fill) in [
        (
            "--n 10 --m 100 --k 3",
            0.017_846_407_379_076_66,
            -4.025_953_058_292_084,
            0.260_299_626_611_719_6,
        ),
        (
            "--n 3 --m 64 --k 12",
            0.000_059_397_838_741_819_79,
            -9.731_252_717_075_467,
            0.432_741_885_731_825,
        ),
        (
            "--n 1M --m 9.6M --k 6",
            0.010_075_175_710_438_606,
            -4.597_680_731_059_424,
            0.464_738_588_904_885_3,
        ),
    ] {
        let answer = object(line);
        near(&answer["p"], p, 5e-14);
        near(&answer["ln_p"], ln_p, 1e-14);
        near(&answer["fill"], fill, 1e-15);
    }
}

#[test]
fn the_bound_is_for_the_target_rate_or_else_for_the_rate_of_the_answer() {
    // With powers of 2, log2(1/p) is exact.
    for (line, bits) in [
        ("--n 1000 --p 2^-10", 10_000.0),
        ("--n 3 --m 64 --k 9 --p 1/4", 6.0),
        ("--n 1 --m 2 --k 1", 1.0),
        ("--m 3 --p 0.001", 0.0),
    ] {
        assert_eq!(object(line)["bound_bits"], bits, "{line}");
    }
    let zero = object("--n 1 --m 1 --k 1")["bound_bits"].to_string();
    assert_eq!(zero, "0.0");
    for (line, bits) in [
        ("--n 2000 --p 0.01", 13_287.712_379_549_45),
        ("--n 3 --m 64 --k 12", 42.117_690_109_686_08),
    ] {
        near(&object(line)["bound_bits"], bits, 1e-14);
    }
    // Where p is 0 as an f64, ln p still has the value.
    let answer = object("--n 1 --m 2^62 --k 255");
    assert_eq!(answer["p"], 0.0);
    let bits = -answer["ln_p"].as_f64().unwrap() / std::f64::consts::LN_2;
    near(&answer["bound_bits"], bits, 1e-15);
}

#[test]
fn hashes_are_capped_only_where_255_is_too_few() {
    for (line, k, capped) in [
        ("--n 1 --m 1M", 255, true),
        ("--n 1 --m 1M --k 255", 255, true),
        // More hashes would be better, but k is given, and is not 255.
        ("--n 1 --m 1M --k 254", 254, false),
        ("--n 1 --m 1M --k 3 --p 0.1", 3, false),
        // 255 hashes are more than the best number.
        ("--n 1000 --m 10000 --k 255", 255, false),
        ("--n 10 --p 1e-10", 31, false),
        // For many items the best k is log2(1/p), or m/n ln 2.
        ("--p 1e-77", 255, true),
        ("--p 1e-76", 252, false),
        ("--bits-per-item 1000", 255, true),
        ("--bits-per-item 10 --k 255", 255, false),
    ] {
        let answer = object(line);
        assert_eq!(answer["k"], k, "{line}");
        assert_eq!(answer["k_capped"], capped, "{line}");
        let notes = answer["notes"].to_string();
        assert_eq!(notes.contains("k is at most 255"), capped, "{line}");
    }
    // The answer has the fewest hashes, but `k_capped` is about the best number.
    let answer = object("--n 1 --m 1M --p 1%");
    assert_eq!(
        (&answer["k"], &answer["k_range"]["best"]),
        (&1.into(), &255.into())
    );
    assert_eq!(answer["k_capped"], true);
}

/// The remarks on a library and those on a scalable filter say in different words that p is a bound.
#[test]
fn p_is_a_bound_where_the_remarks_say_so() {
    let (mut bounds, mut rates) = (0, 0);
    let mut check = |line: &str| {
        let (code, answer, _) = run(&format!("{line} --json"));
        if code == 2 {
            return;
        }
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let notes = answer["notes"].to_string();
        let says = [
            "p is the upper bound of its true rate",
            "p is the most that its true rate can be",
            "p is an upper bound: ",
        ];
        let is_bound = says.iter().any(|words| notes.contains(words));
        assert_eq!(answer["p_is_bound"], is_bound, "{line}: {notes}");
        bounds += u32::from(is_bound);
        rates += u32::from(!is_bound);
    };
    for system in SYSTEMS {
        for flags in ["-n 20 -p 1.2%", "-n 2000 -p 1%", "-n 50 -m 600", "-n 1M"] {
            check(&format!("{flags} --like {}", system.name));
        }
    }
    for line in [
        "-n 20000 -p 1% --filter scalable",
        "-n 12000 -p 0.9 --filter scalable --tightening 0.3",
        "-m 100 -p 1% --filter scalable",
        "-n 20 -p 1.2%",
        "-m 20000 -k 7 --fill 47%",
    ] {
        check(line);
    }
    assert!(bounds > 10 && rates > 10, "{bounds} {rates}");
    assert_eq!(object("-n 20 -p 1.2% --like guava")["p_is_bound"], true);
    let high = object("-n 12000 -p 0.9 --filter scalable --tightening 0.3");
    assert_eq!(high["p_is_bound"], false);
}

/// If m is a multiple of 8 before rounding, rounding does not change it. The answer has a range of hashes even then.
#[test]
fn every_rounded_size_has_its_range_of_hashes() {
    let mut whole = 0;
    for n in (1_500..4_000).step_by(100) {
        let plain = object(&format!("-n {n} -p 2%"));
        let rounded = object(&format!("-n {n} -p 2% --round 8"));
        assert_eq!(plain["k_range"], Value::Null);
        assert_eq!(rounded["k"], rounded["k_range"]["min"], "{n}");
        whole += u32::from(plain["m"] == rounded["m"]);
    }
    assert!(whole > 0);
}

#[test]
fn integers_beyond_2_to_53_stay_exact() {
    let answer = object("--n 123456789012345678 --m 9223372036854775807 --k 3");
    assert_eq!(answer["n"].as_u64(), Some(123_456_789_012_345_678));
    assert_eq!(answer["m"].as_u64(), Some(9_223_372_036_854_775_807));
}

#[test]
fn without_a_rate_nothing_is_met_or_missed() {
    let answer = object("--n 2000 --m 20000");
    assert!(answer["met"].is_null() && answer["usual"].is_null());
    assert_eq!(answer["asked"].to_string(), r#"{"m":20000,"n":2000}"#);
}

#[test]
fn every_object_keeps_to_the_schema_and_broken_ones_do_not() {
    let schema: Value = serde_json::from_str(include_str!("../../src/answer.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for line in SAMPLE {
        let answer = object(line);
        let wrong: Vec<_> = validator
            .iter_errors(&answer)
            .map(|e| e.to_string())
            .collect();
        assert!(wrong.is_empty(), "{line}: {wrong:?}");
    }
    // The schema refuses a wrong value, an unknown key and a missing key. Every documented key is in it.
    let mut broken = object("--n 2000 --p 0.01");
    broken["p"] = 2.into();
    assert!(!validator.is_valid(&broken));
    let mut unknown = object("--n 2000 --p 0.01");
    unknown["colour"] = 1.into();
    assert!(!validator.is_valid(&unknown));
    let mut missing = object("--n 2000 --p 0.01");
    missing.as_object_mut().unwrap().remove("ln_p");
    assert!(!validator.is_valid(&missing));
    for name in documented().keys() {
        let mut place = &schema;
        for part in name.split('.') {
            place = &place["properties"][part];
        }
        assert!(!place.is_null(), "{name} is not in the schema");
    }
}

#[test]
fn the_model_is_named_as_it_is_asked_for() {
    for model in ["exact", "textbook", "asymptotic"] {
        assert_eq!(
            object(&format!("-n 9 -p .1 --model {model}"))["model"],
            model
        );
    }
}

/// The lines, remarks and code of the object are those that the command prints.
#[test]
fn what_people_read_is_in_the_object_word_for_word() {
    for line in [
        "--n 2000 --p 0.01",
        "--n 2000 --m 64mb --k 3 --p 0.01",
        "--n 2000 --m 19171 --k 7 --p 0.01",
        "--p 0.01",
        "--bits-per-item 10 --p 0.01",
        "--m 3 --p 0.001",
        "--n 2000 --p 0.01 --filter counting --confidence 99%",
        "--n 20000 --p 0.01 --filter scalable",
        "--n 2000 --p 0.01 --like rbloom",
        "--n 2000 --p 0.01 --like redis",
    ] {
        let (out, answer) = (common::run(line).1, object(line));
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let printed = words(&out);
        let texts = |key: &str| {
            let texts = answer[key].as_array().unwrap().iter();
            let texts: Vec<_> = texts
                .map(|text| text.as_str().unwrap().to_owned())
                .collect();
            texts
        };
        let shown = texts("shown");
        assert!(shown.len() >= 4, "{line}");
        assert!(
            printed.starts_with(&words(&shown.join(" "))),
            "{line}: {out}"
        );
        let notes = texts("notes").join(" note: ");
        assert!(printed.ends_with(&words(&notes)), "{line}: {notes}: {out}");
        let remarks = out.lines().filter(|line| line.starts_with("note: "));
        assert_eq!(remarks.count(), texts("notes").len(), "{line}");
        if line.contains("--like") {
            let purpose = words(answer["like"]["purpose"].as_str().unwrap());
            assert!(printed.contains(&purpose), "{line}: {purpose}: {out}");
        }
    }
    for (line, format) in [
        ("--n 2000 --p 0.01", "rust"),
        ("--n 2000 --p 0.01 --filter blocked", "rust"),
        ("--n 2000 --p 0.01 --like rbloom", "python"),
        ("--n 2000 --p 0.01 --like guava", "java"),
        ("--n 2000 --p 0.01 --like bits-and-blooms", "go"),
    ] {
        let code = common::run(&format!("{line} --format {format}")).1;
        let lines: Vec<_> = code.trim_end().lines().collect();
        assert_eq!(object(line)["code"], Value::from(lines), "{line}");
        let like = &object(line)["like"];
        assert!(like.is_null() || like["language"] == format, "{line}");
    }
    // The code of a library without imports is the call itself, and a filter that bloom-core lacks has no code.
    let redis = object("--n 2000 --p 0.01 --like redis");
    assert_eq!(redis["code"][0], redis["like"]["call"]);
    let plain = object("--n 2000 --p 0.01 --filter plain-blocked");
    assert!(plain["code"].is_null());
}

/// The sections of the object are those that the command prints.
#[test]
fn the_lines_of_every_section_are_in_the_object() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (line, names) in [
        ("--n 2000 --p 0.01", vec![]),
        ("--p 0.01 --lookups 1M", vec!["lookups"]),
        ("--n 3 --p 0.5 --overfill", vec!["overfill"]),
        (
            "--n 1G --p 1e-9 --filter scalable --overfill --grow 1.5x",
            vec!["stages", "overfill", "grow"],
        ),
        (
            "--n 2000 --p 1% --overfill --grow 10x --union 4 --spread --lookups 1M --prevalence 1%",
            vec!["overfill", "grow", "union", "spread", "lookups"],
        ),
        ("--n 2000 --p 0.01 --hash-bits 32", vec!["hash_bits"]),
    ] {
        let (out, answer) = (common::run(line).1, object(line));
        let sections = answer["sections"].as_array().unwrap();
        for section in sections {
            let lines = section["lines"].as_array().unwrap();
            let lines: Vec<_> = lines.iter().map(|line| line.as_str().unwrap()).collect();
            let title = section["title"].as_str().unwrap();
            let printed = match section["name"].as_str() {
                Some("stages") => format!("\n\n{}\n", lines.join("\n")),
                _ => format!("\n\n{title}:\n  {}\n", lines.join("\n  ")),
            };
            assert!(out.contains(&printed), "{line}: {printed}: {out}");
            // The calculator in the book splits lines into columns, so all lines with several columns must have the same number
            // of columns. In the section on growth, two such numbers are allowed.
            let columns = lines.iter().map(|line| {
                line.trim()
                    .split("  ")
                    .filter(|cell| !cell.is_empty())
                    .count()
            });
            let columns: BTreeSet<_> = columns.filter(|columns| *columns > 1).collect();
            let most = if section["name"] == "grow" { 2 } else { 1 };
            assert!(columns.len() <= most, "{line}: {columns:?}: {lines:?}");
            // The row for n items has the same digits of the rate as the answer.
            if section["name"] == "overfill" {
                let (p, row) = (answer["shown"][3].as_str().unwrap(), words(lines[0]));
                assert!(
                    row.contains(&format!(" p {} ", words(p).split(' ').nth(1).unwrap())),
                    "{line}: {row}: {p}"
                );
            }
        }
        let found: Vec<_> = sections
            .iter()
            .map(|section| section["name"].as_str().unwrap())
            .collect();
        assert_eq!(found, names, "{line}");
    }
}

#[test]
fn growth_by_more_items_is_added_to_the_items_now() {
    let (_, more) = json("-n 2k -p 1% --grow +1M");
    assert_eq!(more["grow"]["n"], 1_002_000);
    let (_, then) = json("-n 2k -p 1% --grow 1_002_000");
    assert_eq!(more["grow"], then["grow"]);
    let link = run("-n 2k -p 1% --grow +1M --link").1;
    assert!(link.ends_with("&grow=%2B1M\n"), "{link}");
}
