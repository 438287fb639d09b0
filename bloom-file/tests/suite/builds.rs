//! Tests of `build`, `merge` and `convert`.

use std::fs;

use crate::common::{build, file, numbers, refused, run};
use bloom_formats::{Filter, SparkBloom, SparkVersion};
use bloom_testing::assert_bytes;

/// All filters that can be built, each with a type of keys.
pub(crate) const BUILDS: [(&str, &str); 22] = [
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
fn a_built_filter_contains_its_keys_and_few_others() {
    for (format, keys) in BUILDS {
        // The keys have an even number of digits, so that they are hexadecimal bytes, too.
        let built = build(format, keys, &numbers(100_000..101_000));
        assert_eq!(built.code, 0, "{format}: {}", built.err);
        let count = match format {
            "redis" | "redis-nonscaling" => "1,000 keys (9",
            "hadoop-dynamic" | "hudi-dynamic" => "1,000 keys, n = ",
            _ => "1,000 keys (about ",
        };
        let note = built.note();
        assert!(note.contains(count), "{format}: {note}");
        let path = file(&format!("built-{format}"), &built.out);
        let query = |args: &[&str], range| {
            let base = ["query", &path, "--format", format, "--keys", keys];
            run(&[&base, args].concat(), &numbers(range))
        };
        let all = query(&["--count"], 100_000..101_000);
        assert_eq!(all.text(), "yes 1000\nno 0\n", "{format}");
        // Of 10,000 absent keys, about 100 or fewer are expected to be found; for Hive, up to 500. The limits 180 and 700 are
        // at least eight standard deviations above these numbers.
        let others = query(&["--only", "yes"], 200_000..210_000);
        let most = if format == "hive" { 700 } else { 180 };
        assert!(others.text().lines().count() < most, "{format}");
        let neither = query(&["--only", "no"], 200_000..210_000);
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
            // The merged filter has the same bytes as the filter of all keys, except for the counts of three libraries. A
            // dynamic filter of Hadoop, which is a series of filters called rows, keeps the count of the last row of the first
            // filter. DataSketches counts the set bits when it merges but not when it inserts. DCSO adds the counts of items
            // that changed a bit.
            let counted =
                format.ends_with("-dynamic") || ["datasketches", "dcso"].contains(&format);
            let same = !counted;
            assert_eq!(merged.out == whole, same, "{format}");
            let path = file(&format!("merged-{format}"), &merged.out);
            let query = [
                "query", &path, "--format", format, "--keys", keys, "--count",
            ];
            let found = run(&query, &numbers(100_000..101_000));
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
fn a_merge_says_which_data_it_leaves_out() {
    let mut with_data = build("dcso", "text", b"a\n").out;
    let plain = file("data-none", &with_data);
    with_data.extend(b"about");
    let data = file("data", &with_data);
    let merged = run(&["merge", &plain, &data, "-f", "dcso"], b"");
    let note = merged.note();
    assert!(
        note.contains("data: dropped its 5 bytes of attached data"),
        "{note}"
    );
    assert_eq!(run(&["merge", &data, &plain, "-f", "dcso"], b"").err, "");
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
        "a filter of spark cannot be converted to one of hudi",
    );
    // A conversion changes neither versions nor hashes, so `--to` does not take their names.
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
    // There is one command for the header, and one for the data of each of the two parts of the filter.
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
    let about = "RedisBloom chain of 2 links for 3,000 items, grows by a factor of 2, as commands for the key my key";
    assert!(text.starts_with(about), "{text}");
    assert!(run(&["convert", &path, "--to", "redis"], b"").out == plain);
    let dump = file("commands-dump", &plain);
    assert!(run(&["convert", &dump, "--chunks", "my key"], b"").out == commands.out);
    // Commands that are cut short are refused, and so are commands for two keys.
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
    // The flag is refused before a key is read.
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
fn sizes_seeds_and_growth_are_the_requested_ones() {
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
    // For Spark, n determines k. A dynamic filter is a series of filters, called rows, and n is the number of items per row.
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
fn hashes_without_bits_are_refused() {
    for (format, _) in BUILDS {
        // If the system takes k, the error says that k can be given only with m; otherwise, that k must be left out.
        let args = ["build", "-f", format, "-n", "10", "-p", "1%", "-k", "3"];
        let ran = run(&args, b"a\n");
        assert_eq!(ran.code, 2, "{format}: {}", ran.err);
        let said = ["k can be given only with m", "--k must be left out for"];
        assert!(said.iter().any(|said| ran.err.contains(said)), "{format}");
    }
    let args = ["build", "-f", "guava", "-n", "10", "-p", "1%", "-k", "3"];
    refused(&run(&args, b"a\n"), "hint: give m in place of p");
}

#[test]
fn a_seed_is_taken_as_it_is_printed() {
    let args = ["build", "-f", "datasketches", "-n", "10", "-p", "1%"];
    let with = |seed: &str| run(&[&args[..], &["--seed", seed]].concat(), b"a\n");
    let path = file("seed", &with("18446744073709551615").out);
    let inspected = run(&["inspect", &path], b"");
    let text = "seed 18446744073709551615";
    assert!(inspected.text().contains(text), "{}", inspected.text());
    // As a signed `long` of Java, this seed is -1.
    assert_bytes!(with("-1").out, fs::read(&path).unwrap());
    for seed in ["18446744073709551616", "-9223372036854775809"] {
        refused(&with(seed), "--seed must be from -9223372036854775808 to");
    }
}

/// A file of keys cannot be an argument, and the error says how keys are given.
#[test]
fn a_file_of_keys_is_read_from_the_standard_input() {
    for format in [&["-f", "spark"][..], &[]] {
        let args = [&["build", "-n", "10", "-p", "1%", "keys.txt"], format].concat();
        let ran = run(&args, b"");
        refused(&ran, "FILE is only for --into, got keys.txt");
        assert!(
            ran.note().contains("keys are read from the standard input"),
            "{ran:?}"
        );
    }
}
