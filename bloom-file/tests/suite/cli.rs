//! What a person sees: builds, queries, merges, errors.

use std::fs;

use crate::common::{Ran, file, run};
use bloom_formats::{Filter, SparkBloom, SparkVersion};
use bloom_testing::assert_bytes;

fn numbers(range: std::ops::Range<i64>) -> Vec<u8> {
    let lines = range.map(|number| format!("{number}\n"));
    lines.collect::<String>().into_bytes()
}

fn build(format: &str, keys: &str, input: &[u8]) -> Ran {
    // Hive has no other rate.
    let rate = if format == "hive" { "5%" } else { "1%" };
    run(
        &[
            "build", "--format", format, "-n", "1k", "-p", rate, "--keys", keys,
        ],
        input,
    )
}

fn refused(ran: &Ran, message: &str) {
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.out.is_empty(), "{ran:?}");
    assert!(ran.err.contains(message), "{}", ran.err);
}

/// All systems whose filters are built, with a type of keys.
const BUILDS: [(&str, &str); 22] = [
    ("spark", "i64"),
    ("spark-1", "text"),
    ("spark-dataframe", "i32"),
    ("guava", "utf16"),
    ("guava-32", "hex"),
    ("redis", "text"),
    ("redis-nonscaling", "text"),
    ("bits-and-blooms", "i64-be"),
    ("parquet", "f64"),
    ("parquet-bitset", "i32"),
    ("bits-and-blooms-json", "text"),
    ("hadoop", "i64-le"),
    ("hadoop-jenkins", "hex"),
    ("hadoop-dynamic", "text"),
    ("hudi", "text"),
    ("hudi-dynamic", "text"),
    ("orc", "f64"),
    ("hive", "i64"),
    ("datasketches", "f64"),
    ("dcso", "text"),
    ("bloom-core", "i64"),
    ("bloom-core-blocked", "text"),
];

#[test]
fn what_is_built_holds_its_keys_and_few_others() {
    for (format, keys) in BUILDS {
        // Even digits, so that they are hexadecimal bytes, too.
        let built = build(format, keys, &numbers(100_000..101_000));
        assert_eq!(built.code, 0, "{format}: {}", built.err);
        assert!(
            built.note().contains("1,000 keys (about "),
            "{format}: {}",
            built.err
        );
        let path = file(&format!("built-{format}"), &built.out);
        let ask = |args: &[&str], range| {
            let base = ["query", &path, "--format", format, "--keys", keys];
            run(&[&base, args].concat(), &numbers(range))
        };
        let all = ask(&["--count"], 100_000..101_000);
        assert_eq!(all.text(), "yes 1000\nno 0\n", "{format}");
        // 100 expected, of Hive up to 500; more than these by chance in one of 10^9 runs.
        let others = ask(&["--only", "yes"], 200_000..210_000);
        let most = if format == "hive" { 700 } else { 180 };
        assert!(others.text().lines().count() < most, "{format}");
        let neither = ask(&["--only", "no"], 200_000..210_000);
        let both = others.text().lines().count() + neither.text().lines().count();
        assert_eq!(both, 10_000, "{format}");
    }
}

#[test]
fn the_bytes_are_those_of_the_library() {
    let built = build("spark-1", "i64", &numbers(-500..500));
    let mut filter = SparkBloom::with_rate(SparkVersion::V1, 1_000, 0.01).unwrap();
    for key in -500..500_i64 {
        filter.insert(key).unwrap();
    }
    assert_bytes!(built.out, filter.to_bytes().unwrap());
}

#[test]
fn parts_merge_into_the_whole() {
    for (format, keys) in BUILDS {
        let whole = build(format, keys, &numbers(100_000..101_000)).out;
        let parts: Vec<_> = [100_000..100_400, 100_400..101_000]
            .into_iter()
            .enumerate()
            .map(|(index, range)| {
                let part = build(format, keys, &numbers(range)).out;
                file(&format!("part-{format}-{index}"), &part)
            })
            .collect();
        let merged = run(&["merge", "--format", format, &parts[0], &parts[1]], b"");
        if format.starts_with("redis") {
            refused(&merged, "redis filters cannot be merged");
        } else {
            assert_eq!(merged.code, 0, "{format}: {}", merged.err);
            // Hadoop leaves the count of the last row as it is in the first filter; DataSketches counts the bits of
            // a union, but not those of inserts; DCSO adds the counts of items that changed a bit.
            let counted =
                format.ends_with("-dynamic") || ["datasketches", "dcso"].contains(&format);
            let same = !counted;
            assert_eq!(merged.out == whole, same, "{format}");
            let path = file(&format!("merged-{format}"), &merged.out);
            let ask = [
                "query", &path, "--format", format, "--keys", keys, "--count",
            ];
            let found = run(&ask, &numbers(100_000..101_000));
            assert_eq!(found.text(), "yes 1000\nno 0\n", "{format}");
        }
    }
}

#[test]
fn a_merge_names_the_file_that_does_not_fit() {
    let first = file("fits", &build("spark", "text", b"a\n").out);
    let other = file("other", &build("spark-1", "text", b"a\n").out);
    let merged = run(&["merge", &first, &first, &other], b"");
    refused(
        &merged,
        "other: Spark filter: version of both filters must be equal, got 2 and 1",
    );
    let guava = file("guava-part", &build("guava", "text", b"a\n").out);
    for (files, message) in [
        (
            [&first, &guava],
            "guava-part: systems of all filters must be equal, got spark and guava",
        ),
        (
            [&guava, &first],
            "fits: systems of all filters must be equal, got guava and spark",
        ),
    ] {
        refused(&run(&["merge", files[0], files[1]], b""), message);
    }
    let output = file("kept", b"before");
    let merged = run(&["merge", &first, &other, "--output", &output], b"");
    refused(&merged, "version of both");
    assert_eq!(fs::read(&output).unwrap(), b"before");
    assert_eq!(run(&["merge", &first, &first, "-o", &output], b"").code, 0);
    assert_eq!(fs::read(&output).unwrap(), fs::read(&first).unwrap());
}

#[test]
fn a_single_key_is_an_exit_code() {
    let path = file("single", &build("spark", "i64", b"-7\n").out);
    let ask = |key: &str| run(&["query", &path, "--keys", "i64", key], b"");
    let (held, not) = (ask("-7"), ask("8"));
    assert_eq!((held.code, held.text()), (0, "yes\n"));
    assert_eq!((not.code, not.text()), (1, "no\n"));
    let by_input = |key: &[u8]| run(&["query", &path, "--keys", "i64"], key).code;
    assert_eq!(
        [by_input(b"-7\n"), by_input(b"8\n"), by_input(b"8\n9\n")],
        [0, 1, 0]
    );
    refused(
        &ask("seven"),
        "key must be an integer of 64 bits, got seven",
    );
}

#[test]
fn the_answer_to_the_first_question_has_items_rate_and_verdict() {
    let path = file("inspected", &build("spark", "i64", &numbers(0..1_200)).out);
    let inspected = run(&["inspect", &path, "--p", "1%"], b"");
    assert_eq!(inspected.code, 1);
    let text = inspected.text();
    for part in [
        "Spark filter, version 2, seed 0 (--format spark)",
        "items    estimated from the set bits, ± ",
        "9,600 bits     1,200 bytes (1.17 KiB), ",
        "7 hashes",
        "target 0.01: not met",
        "on average this size keeps p = 0.01 up to 996 items; this one has about 1,192",
    ] {
        let text = text.replace("\n      ", " ");
        assert!(text.contains(part), "{part} in {text}");
    }
    let kept = run(&["inspect", &path, "--p", "3%"], b"");
    assert_eq!(kept.code, 0, "{}", kept.text());
    assert!(kept.text().contains("target 0.03: met"));
}

#[test]
fn bytes_that_follow_a_filter_are_named() {
    let mut bytes = build("guava", "text", b"a\n").out;
    bytes.extend(b"xy");
    let path = file("trailing", &bytes);
    refused(&run(&["query", &path, "a"], b""), "fit none");
    let asked = run(&["query", &path, "--format", "guava", "a"], b"");
    assert_eq!((asked.code, asked.text()), (0, "yes\n"));
    assert_eq!(
        asked.err,
        "note: 2 bytes follow the filter, which guava ignores\n"
    );
    let inspected = run(&["inspect", &path, "--format", "guava"], b"");
    assert!(inspected.text().contains("note: 2 bytes follow the filter"));
    // A filter inside of a file.
    bytes.truncate(bytes.len() - 2);
    let inside = file("inside", &[b"1234", &bytes[..]].concat());
    let asked = run(&["query", &inside, "--offset", "4", "a"], b"");
    assert_eq!((asked.code, asked.text()), (0, "yes\n"));
}

/// Each system with a type of keys that is mistaken for another one, which is found.
#[test]
fn keys_of_another_type_are_noticed() {
    for (format, inserted, asked) in [
        ("spark", "i64", "text"),
        ("spark", "xxhash64-i64", "i64"),
        ("guava", "i64", "i32"),
        ("guava", "utf16", "text"),
        ("parquet", "i32", "i64"),
        ("orc", "i64", "f64"),
        ("hadoop", "i64-be", "i64-le"),
        ("dcso", "i32-le", "text"),
    ] {
        let path = file(
            &format!("mistaken-{format}-{inserted}"),
            &build(format, inserted, &numbers(0..1_000)).out,
        );
        let ask = |keys: &str, flags: &[&str], range| {
            let args = [
                "query", &path, "--format", format, "--count", "--keys", keys,
            ];
            run(&[&args, flags].concat(), &numbers(range))
        };
        let mistaken = ask(asked, &[], 0..1_000);
        let message = format!("With --keys {inserted}, 1,000 of 1,000 different keys");
        let text = mistaken.err.replace("\n         ", " ");
        assert!(text.starts_with("warning: "), "{format}: {text}");
        assert!(text.contains(&message), "{format}: {text}");
        assert_eq!(mistaken.code, 0);
        assert_eq!(ask(asked, &["--strict"], 0..1_000).code, 1, "{format}");
        // The right type, and strangers: no alarm.
        let right = ask(inserted, &["--strict"], 0..1_000);
        assert_eq!((right.code, right.err.as_str()), (0, ""), "{format}");
        let strangers = ask(inserted, &["--strict"], 50_000..60_000);
        assert_eq!(strangers.code, 0, "{format}");
        let note = strangers.note();
        assert!(
            note.starts_with("note: ") && note.contains("of 10,000 keys found ("),
            "{note}"
        );
        assert!(
            note.contains("%); false positives alone explain "),
            "{note}"
        );
        // The same false positive again and again is one key.
        let again = b"17\n".repeat(5_000);
        let args = [
            "query", &path, "--format", format, "--strict", "--count", "--keys", asked,
        ];
        assert_eq!(run(&args, &again).code, 0, "{format}");
    }
}

#[test]
fn filters_convert_into_the_other_form_of_their_bits() {
    for (one, other) in [
        ("hadoop", "hudi"),
        ("hadoop-dynamic", "hudi-dynamic"),
        ("bits-and-blooms", "bits-and-blooms-json"),
        ("parquet", "parquet-bitset"),
    ] {
        let [one_file, other_file] = [one, other].map(|format| {
            let built = build(format, "text", &numbers(0..500)).out;
            (file(&format!("form-{format}"), &built), built)
        });
        for (from, path, to, expected) in [
            (one, &one_file.0, other, &other_file.1),
            (other, &other_file.0, one, &one_file.1),
            (one, &one_file.0, one, &one_file.1),
        ] {
            let converted = run(&["convert", path, "--format", from, "--to", to], b"");
            assert_eq!(converted.code, 0, "{from} to {to}: {}", converted.err);
            assert!(converted.out == *expected, "{from} to {to}");
        }
    }
    let spark = file("form-spark", &build("spark", "text", b"a\n").out);
    refused(
        &run(&["convert", &spark, "--to", "hudi"], b""),
        "a filter of spark cannot become one of hudi",
    );
    // Versions and hashes are not changed, so that the name of a build is no form.
    for build in ["spark-1", "hadoop-jenkins", "guava-32"] {
        let converted = run(&["convert", &spark, "--to", build], b"");
        refused(
            &converted,
            &format!("invalid value '{build}' for '--to <FORMAT>'"),
        );
    }
}

#[test]
fn a_chain_of_redis_is_written_as_commands_and_read_again() {
    let args = ["build", "-f", "redis", "-n", "1k", "-p", "1%"];
    let plain = run(&args, &numbers(0..3_000)).out;
    let commands = run(
        &[&args[..], &["--chunks", "my key"]].concat(),
        &numbers(0..3_000),
    );
    let start = b"*4\r\n$12\r\nBF.LOADCHUNK\r\n$6\r\nmy key\r\n$1\r\n1\r\n$126\r\n";
    assert!(commands.out.starts_with(start));
    // The header, and the data of two links.
    let count = commands
        .out
        .windows(12)
        .filter(|part| *part == b"BF.LOADCHUNK")
        .count();
    assert_eq!(count, 3);
    let path = file("commands", &commands.out);
    let text = run(&["inspect", &path], b"")
        .text()
        .replace("\n      ", " ");
    assert!(text.starts_with("RedisBloom chain of 2 links for 3,000 items, grows by 2, as commands for the key my key"), "{text}");
    assert!(run(&["convert", &path, "--to", "redis"], b"").out == plain);
    let dump = file("commands-dump", &plain);
    assert!(run(&["convert", &dump, "--chunks", "my key"], b"").out == commands.out);
    // Cut, or of two keys.
    for (damaged, message) in [
        (&commands.out[..commands.out.len() - 3], "fit none"),
        (
            &[
                &commands.out[..start.len() + 128],
                &commands.out[..start.len() + 128].to_ascii_uppercase(),
            ]
            .concat()[..],
            "fit none",
        ),
    ] {
        refused(
            &run(&["inspect", &file("commands-cut", damaged)], b""),
            message,
        );
    }
    let spark = file("chunks-spark", &build("spark", "text", b"a\n").out);
    refused(
        &run(&["convert", &spark, "--chunks", "x"], b""),
        "--chunks must be left out for filters of spark",
    );
    // Before a key is read.
    let args = [
        "build", "-f", "spark", "-n", "1", "-p", "1%", "--keys", "i64", "--chunks", "x",
    ];
    refused(
        &run(&args, b"no key\n"),
        "--chunks must be left out for filters of spark",
    );
    let full = ["build", "-f", "redis-nonscaling", "-n", "100", "-p", "0.1%"];
    let built = run(&full, &numbers(0..100));
    let path = file("full", &built.out);
    assert!(
        run(&["inspect", &path], b"")
            .text()
            .contains("for 100 items, full: Redis refuses more")
    );
    refused(
        &run(&full, &numbers(0..101)),
        "line 101: RedisBloom filter: items must be below the expected items",
    );
}

#[test]
fn sizes_seeds_and_growth_are_those_that_are_asked_for() {
    let shape = |args: &[&str]| {
        let built = run(&[&["build"], args].concat(), b"a\n");
        assert_eq!(built.code, 0, "{args:?}: {}", built.err);
        let name = args[1];
        let path = file(&format!("sized-{name}"), &built.out);
        let inspected = run(&["inspect", &path, "--json", "--format", name], b"");
        let page: serde_json::Value = serde_json::from_slice(&inspected.out).unwrap();
        let filter = page["filters"][0].clone();
        (
            filter["m"].as_u64().unwrap(),
            filter["k"].as_u64().unwrap(),
            filter,
        )
    };
    for name in [
        "guava",
        "guava-32",
        "bits-and-blooms",
        "hadoop",
        "hadoop-jenkins",
        "hudi",
        "orc",
        "datasketches",
        "bloom-core",
    ] {
        let (bits, hashes, _) = shape(&["-f", name, "-m", "6400", "-k", "5"]);
        assert_eq!((bits, hashes), (6_400, 5), "{name}");
    }
    // Of these, n tells k or the rows.
    for (name, hashes) in [("spark", 4), ("spark-1", 4)] {
        let (bits, k, _) = shape(&["-f", name, "-m", "6400", "-n", "1000"]);
        assert_eq!((bits, k), (6_400, hashes), "{name}");
    }
    let (bits, hashes, filter) =
        shape(&["-f", "hadoop-dynamic", "-m", "6400", "-k", "5", "-n", "70"]);
    assert_eq!(
        (bits, hashes, filter["items_per_row"].as_u64()),
        (6_400, 5, Some(70))
    );
    assert_eq!(shape(&["-f", "parquet", "-m", "1KiB"]).0, 8_192);
    let seeded = shape(&["-f", "spark", "-n", "1k", "-p", "1%", "--seed", "-7"]).2;
    assert_eq!(seeded["seed"].as_i64(), Some(-7));
    let seeded = shape(&["-f", "datasketches", "-n", "1k", "-p", "1%", "--seed", "77"]).2;
    assert_eq!(seeded["seed"].as_u64(), Some(77));
    let grows = shape(&["-f", "redis", "-n", "1k", "-p", "1%", "--growth", "4"]).2;
    assert_eq!(grows["growth"].as_u64(), Some(4));
    for (args, message) in [
        (
            &["-f", "guava", "-n", "1", "-p", "1%", "--seed", "1"][..],
            "--seed must be left out for guava",
        ),
        (
            &["-f", "spark", "-n", "1", "-p", "1%", "--growth", "1"],
            "--growth must be left out for spark",
        ),
        (
            &["-f", "spark", "-n", "1", "-m", "64", "-k", "1"],
            "--k must be left out for spark",
        ),
        (
            &["-f", "hive", "-n", "1", "-m", "512"],
            "--m must be left out for hive",
        ),
        (&["-f", "guava", "-m", "64"], "--k must be given for guava"),
        (&["-f", "spark", "-m", "64"], "--n must be given for spark"),
        (&["-f", "guava", "-n", "1"], "--p must be given for guava"),
        (
            &["-f", "spark", "-n", "1", "-p", "1%", "--seed", "9999999999"],
            "--seed of a spark filter must be from",
        ),
        (
            &["-f", "redis", "-n", "1", "-p", "1%", "--growth", "0"],
            "growth must be at least 1, got 0",
        ),
        (
            &["-f", "parquet", "-m", "100"],
            "bytes of the bitset must be a multiple of 32",
        ),
    ] {
        refused(&run(&[&["build"], args].concat(), b""), message);
    }
}

#[test]
fn bad_lines_are_skipped_on_demand_and_counted() {
    let input = b"1\nx\n2\n\n3\n";
    let args = [
        "build", "-f", "spark", "-n", "1k", "-p", "1%", "--keys", "i64",
    ];
    refused(
        &run(&args, input),
        "line 2: key must be an integer of 64 bits, got x",
    );
    let built = run(&[&args[..], &["--skip-bad-lines"]].concat(), input);
    let note =
        "2 lines without a key of type i64 skipped, the first is line 2: key must be an integer";
    assert!(built.note().contains(note), "{}", built.err);
    assert!(
        built.note().contains("3 keys (about 3 distinct)"),
        "{}",
        built.err
    );
    assert_bytes!(built.out, run(&args, b"1\n2\n3\n").out);
    let path = file("skipped", &built.out);
    let ask = |flags: &[&str]| {
        let args = ["query", &path, "--keys", "i64", "--skip-bad-lines"];
        run(&[&args, flags].concat(), input)
    };
    assert_eq!(ask(&[]).text(), "yes\nbad\nyes\nbad\nyes\n");
    assert_eq!(ask(&["--only", "yes"]).text(), "1\n2\n3\n");
    assert_eq!(ask(&["--count"]).text(), "yes 3\nno 0\nbad 2\n");
    assert!(ask(&[]).note().contains(note));
    // In order, also in the parts of a long input.
    let mut long = numbers(0..300_000);
    long.extend(b"y\n");
    let counted = run(
        &[
            "query",
            &path,
            "--keys",
            "i64",
            "--skip-bad-lines",
            "--count",
        ],
        &long,
    );
    assert!(
        counted
            .note()
            .contains("1 line without a key of type i64 skipped, the first is line 300,001"),
        "{}",
        counted.err
    );
}

#[test]
fn errors_tell_what_to_do_instead() {
    let spark = build("spark", "i64", &numbers(0..1_000)).out;
    let path = file("hinted", &spark);
    // A single number asked for as text.
    let asked = run(&["query", &path, "5"], b"");
    assert_eq!((asked.code, asked.text()), (1, "no\n"));
    assert_eq!(asked.err, "note: with --keys i64 the answer is yes\n");
    let short = file("short", &spark[..spark.len() - 3]);
    let message = "hint: most likely a filter of spark whose length is 3 bytes too short";
    refused(&run(&["inspect", &short], b""), message);
    let long = file("long", &[spark.as_slice(), b"abc"].concat());
    let message = "hint: most likely a filter of spark whose length is 3 bytes too long";
    refused(&run(&["inspect", &long], b""), message);
    let zipped = file("zipped", &[b"\x1f\x8b".as_slice(), &spark].concat());
    refused(&run(&["inspect", &zipped], b""), "hint: it is compressed");
    let bare = file("hinted-bare", &build("parquet-bitset", "text", b"a\n").out);
    refused(&run(&["query", &bare, "a"], b""), "--format parquet-bitset");
    refused(
        &run(&["inspect", &path, "--offset", "99999"], b""),
        "--offset must be within",
    );
    refused(
        &run(&["inspect", &path, "--offset", "-1"], b""),
        "--offset must be a whole number",
    );
    refused(&run(&["merge", "-", "-"], b""), "got - twice");
    // Trailing bytes are left out where the format is named.
    let longer = file("longer", &[&spark[..], b"x"].concat());
    let merged = run(&["merge", "--format", "spark", &path, &longer], b"");
    assert_eq!(
        (merged.code, merged.out == spark),
        (0, true),
        "{}",
        merged.err
    );
    assert!(
        merged.note().contains("1 byte follows the filter"),
        "{}",
        merged.err
    );
    // base64 in lines of 76 columns.
    let text = String::from_utf8(build("hudi", "text", b"a\n").out).unwrap();
    let lines: Vec<_> = text.as_bytes().chunks(76).collect();
    let wrapped = file("wrapped", &lines.join(&b'\n'));
    assert_eq!(run(&["query", &wrapped, "a"], b"").text(), "yes\n");
}

#[test]
fn carriage_returns_are_noted() {
    let built = build("spark", "text", b"a\r\nb\r\n");
    assert!(
        built.note().contains("lines end with CR LF"),
        "{}",
        built.err
    );
    let path = file("returns", &built.out);
    let asked = run(&["query", &path], b"a\r\nb\r\n");
    assert_eq!(asked.text(), "yes\nyes\n");
    assert!(
        asked.note().contains("lines end with CR LF"),
        "{}",
        asked.err
    );
    assert_eq!(run(&["query", &path], b"a\r\nb\n").err, "");
}

/// The bytes that each type of key names, worked out by hand.
#[test]
fn integers_of_either_byte_order_are_their_bytes() {
    for (keys, number, hex) in [
        ("i64-be", "258", "0000000000000102"),
        ("i64-le", "258", "0201000000000000"),
        ("i32-be", "258", "00000102"),
        ("i32-le", "258", "02010000"),
        ("i32-le", "-2", "feffffff"),
        ("i64-be", "-2", "fffffffffffffffe"),
    ] {
        let by = |keys: &str, key: &str| build("hadoop", keys, format!("{key}\n").as_bytes()).out;
        assert_eq!(by(keys, number), by("hex", hex), "{keys} {number}");
    }
}

/// The bytes of a text, as its digits, have its hash.
#[test]
fn hexadecimal_digits_are_hashed_as_their_bytes() {
    let of = |keys: &str, key: &[u8]| build("spark", keys, key).out;
    for kind in ["", "xxhash64-"] {
        let (text, hex) = (format!("{kind}text"), format!("{kind}hex"));
        assert!(
            of(&text, b"user-7\n") == of(&hex, b"757365722d37\n"),
            "{hex}"
        );
    }
    assert!(of("xxhash64-hex", b"757365722d37\n") != of("hex", b"757365722d37\n"));
}

#[test]
fn one_hash_is_a_hash_and_two_are_hashes() {
    for (rate, hashes) in [("50%", " 1 hash\n"), ("25%", " 2 hashes\n")] {
        let built = run(
            &["build", "--format", "dcso", "-n", "1k", "-p", rate],
            b"a\n",
        );
        let path = file("few-hashes", &built.out);
        let inspected = run(&["inspect", &path, "--format", "dcso"], b"");
        assert!(inspected.text().contains(hashes), "{}", inspected.text());
    }
}

/// Every line is a key, an empty one, too, and a last line without a line feed is one key and not two.
#[test]
fn lines_are_keys_whether_empty_or_without_a_line_feed() {
    let path = file("short-lines", &build("redis", "text", b"a\n\nb\n").out);
    let ask = |flags: &[&str], input: &[u8]| {
        let ran = run(&[&["query", &path], flags].concat(), input);
        (ran.code, ran.text().to_owned())
    };
    let expect = |code, text: &str| (code, text.to_owned());
    for end in ["", "\n"] {
        let input = format!("a\n\nzz{end}");
        let input = input.as_bytes();
        assert_eq!(ask(&[], input), expect(0, "yes\nyes\nno\n"));
        assert_eq!(ask(&["--only", "yes"], input), expect(0, "a\n\n"));
        assert_eq!(ask(&["--only", "no"], input), expect(0, "zz\n"));
        assert_eq!(ask(&["--count"], input), expect(0, "yes 2\nno 1\n"));
        // One key decides about the exit code.
        for (key, code, answer, count) in [
            ("zz", 1, "no\n", "yes 0\nno 1\n"),
            ("a", 0, "yes\n", "yes 1\nno 0\n"),
        ] {
            let input = format!("{key}{end}");
            assert_eq!(ask(&[], input.as_bytes()), expect(code, answer));
            assert_eq!(ask(&["--count"], input.as_bytes()), expect(code, count));
        }
    }
    assert_eq!(ask(&["--count"], b""), expect(0, "yes 0\nno 0\n"));
    let built = run(
        &["build", "--format", "redis", "-n", "1k", "-p", "1%"],
        b"a\n\nb",
    );
    assert_eq!(built.out, fs::read(&path).unwrap());
}

#[test]
fn long_input_is_answered_in_order() {
    let path = file("ordered", &build("spark", "i64", &numbers(0..1_000)).out);
    // More than one chunk, and more than one part of it.
    let asked = run(
        &["query", &path, "--keys", "i64", "--only", "no"],
        &numbers(1_000..900_000),
    );
    let kept: Vec<i64> = asked
        .text()
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    assert!(kept.is_sorted() && kept.len() > 880_000, "{}", kept.len());
    let mut wrong = numbers(0..700_000);
    wrong.extend(b"x\n1\n");
    let asked = run(&["query", &path, "--keys", "i64"], &wrong);
    assert_eq!(asked.code, 2);
    assert!(
        asked
            .err
            .contains("line 700001: key must be an integer of 64 bits, got x")
    );
    assert_eq!(asked.text().lines().count(), 700_000);
}

#[test]
fn lines_may_be_empty_long_or_without_an_end() {
    let long = "x".repeat(9 << 20);
    let input = format!("\n{long}\nlast");
    let path = file(
        "lines",
        &build("bits-and-blooms", "text", input.as_bytes()).out,
    );
    let asked = run(&["query", &path], input.as_bytes());
    assert_eq!(asked.text(), "yes\nyes\nyes\n");
    assert_eq!(run(&["query", &path], b"").text(), "");
}

#[test]
fn bad_input_is_refused_with_its_name_and_rule() {
    let path = file("plain", &build("spark", "text", b"a\n").out);
    let none = file("none", b"nothing");
    for (args, message) in [
        (
            vec!["inspect", "/no/such/file"],
            "/no/such/file cannot be read",
        ),
        (
            vec!["inspect", none.as_str()],
            "none must be a filter of a known format, got 7 bytes",
        ),
        (
            vec!["inspect", path.as_str(), "--format", "guava"],
            "Guava filter: hashes must be from 1 to 255, got 0",
        ),
        (
            vec!["inspect", path.as_str(), "--p", "2"],
            "p must be between 0 and 1",
        ),
        (
            vec!["inspect", path.as_str(), "--offset", "x"],
            "--offset must be a whole number",
        ),
        (
            vec!["query", path.as_str(), "--keys", "f64", "1"],
            "keys of a spark filter must be text, hex, i64, i32",
        ),
        (
            vec!["query", "-"],
            "filter and keys must not both come from the standard input",
        ),
        (
            vec!["build", "--format", "spark", "-n", "0", "-p", "1%"],
            "n must be at least 1",
        ),
        (
            vec!["build", "--format", "redis", "-n", "1k", "-p", "0.3"],
            "false-positive rate must be at most 0.25, got 0.3",
        ),
        (
            vec![
                "build",
                "--format",
                "spark",
                "-n",
                "1k",
                "-p",
                "1%",
                "-o",
                "/no/such/folder/x",
            ],
            "cannot write /no/such/folder/x",
        ),
        (
            vec!["build", "--format", "sparc", "-n", "1k", "-p", "1%"],
            "a similar value exists: 'spark'",
        ),
        (vec!["man", "sing"], "invalid value 'sing'"),
    ] {
        refused(&run(&args, b""), message);
    }
    let bad = build("spark", "hex", b"00\n0g\n");
    refused(
        &bad,
        "line 2: key must be pairs of hexadecimal digits, got 0g",
    );
    let bytes_alone = build("redis", "i64", b"1\n");
    refused(
        &bytes_alone,
        "hint: Redis knows a number as its decimal digits",
    );
}

#[test]
fn bare_bitsets_are_never_guessed() {
    let path = file("bare", &build("parquet-bitset", "text", b"a\n").out);
    refused(&run(&["query", &path, "a"], b""), "fit none");
    refused(&run(&["inspect", &path], b""), "--format parquet-bitset");
    let inspected = run(&["inspect", &path, "--format", "parquet-bitset"], b"");
    let text = inspected.text().replace("\n      ", " ");
    assert!(text.contains("any bytes of this length fit"), "{text}");
}

#[test]
fn a_damaged_file_is_said_to_be_what_it_most_likely_is() {
    let whole = run(
        &["build", "-f", "spark", "-n", "1M", "-p", "1%"],
        &numbers(0..1_000),
    )
    .out;
    assert_eq!(whole.len(), 1_198_152);
    let cut = file("cut", &whole[..500_000]);
    let hint = "most likely a filter of spark whose length is 698,152 bytes too short";
    refused(&run(&["inspect", &cut, "--p", "1%"], b""), hint);
    // A multiple of 32 bytes is no bitset of Parquet.
    let cut = file("cut-32", &whole[..32 * 1_000]);
    refused(&run(&["inspect", &cut], b""), "1,166,152 bytes too short");
    // A bit of the number of words, and one of the version.
    for (byte, bit) in [(13, 0x10), (3, 4)] {
        let mut flipped = whole.clone();
        flipped[byte] ^= bit;
        let flipped = file("flipped", &flipped);
        let hint = "most likely a filter of spark with one flipped bit in its header";
        refused(&run(&["inspect", &flipped], b""), hint);
    }
    let own = build("bloom-core", "text", b"a\n").out;
    let cut = file("cut-own", &own[..own.len() - 8]);
    let hint = "hint: a filter of bloom-core, but ";
    refused(&run(&["inspect", &cut], b""), hint);
}

#[test]
fn shells_get_completions_and_a_manual() {
    for shell in ["bash", "fish", "zsh"] {
        let script = run(&["completions", shell], b"");
        assert!(script.text().contains("spark-dataframe"), "{shell}");
    }
    // Files are completed, also those of merge.
    let zsh = run(&["completions", "zsh"], b"");
    assert!(zsh.text().contains("files -- The filters:_files"));
    assert!(run(&["man"], b"").text().contains("bloom-file"));
    assert!(run(&["man", "query"], b"").text().contains("only"));
    let guide = run(&[], b"");
    assert_eq!(guide.code, 2);
    assert!(guide.err.contains("bloom-file inspect"));
}
