//! Tests with filters that other systems wrote: the command recognises each one that has a header, and answers queries as the
//! system that wrote it. Queries for an empty key, or for a key with a line feed, are left out.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::run;
use serde_json::Value;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bloom-formats/tests/golden")
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Returns the names that the command line has for the system of the filters in `folder`, and for keys of the type `kind`.
fn names(folder: &str, kind: &str, facts: &Value) -> (&'static str, &'static str) {
    let number = if kind == "int" { "i32" } else { "i64" };
    let plain = match kind {
        "string" => "text",
        "bytes" => "hex",
        "double" => "f64",
        _ => number,
    };
    match folder {
        "spark" | "spark35" => ("spark", plain),
        "spark_runtime" if kind == "string" => ("spark", "xxhash64-text"),
        "spark_runtime" if kind == "int" => ("spark", "xxhash64-i32"),
        "spark_runtime" => ("spark", "xxhash64-i64"),
        "guava" if facts["params"]["funnel"] == "unencoded_chars" => ("guava", "utf16"),
        "guava" => ("guava", plain),
        "sbbf_bitset" => ("parquet-bitset", plain),
        // For Redis, a number is its decimal text.
        "redisbloom" if plain != "hex" => ("redis", "text"),
        "redisbloom" => ("redis", plain),
        "bitsbloom" if kind == "long" => ("bits-and-blooms", "i64-be"),
        "bitsbloom" => ("bits-and-blooms", plain),
        "bitsbloom_json" => ("bits-and-blooms-json", plain),
        "hadoop" if kind == "long" => ("hadoop", "i64-be"),
        "hadoop" => ("hadoop", plain),
        "hadoop_dynamic" => ("hadoop-dynamic", plain),
        "orc" => ("orc", plain),
        "hive_bloomk" => ("hive", plain),
        "datasketches" | "datasketches_dirty" => ("datasketches", plain),
        "dcso" if kind == "long" => ("dcso", "i64-be"),
        "dcso" => ("dcso", plain),
        other => panic!("no system for {other}"),
    }
}

#[test]
fn every_file_is_recognised_and_answers_as_in_its_system() {
    let mut files = 0;
    for folder in [
        "spark",
        "spark35",
        "spark_runtime",
        "guava",
        "sbbf_bitset",
        "redisbloom",
        "bitsbloom",
        "bitsbloom_json",
        "hadoop",
        "hadoop_dynamic",
        "orc",
        "hive_bloomk",
        "datasketches",
        "datasketches_dirty",
        "dcso",
    ] {
        let manifest = json(&golden().join(folder).join("manifest.json"));
        for facts in manifest["filters"].as_array().unwrap() {
            let path = golden().join(folder).join(facts["file"].as_str().unwrap());
            let set = json(&golden().join(facts["keys"].as_str().unwrap()));
            let (system, keys) = names(folder, set["type"].as_str().unwrap(), facts);
            let path = path.to_str().unwrap();

            // Bits without a header are read as a filter only if the format is named.
            let name: &[&str] = if folder == "sbbf_bitset" {
                &["--format", system]
            } else {
                &[]
            };
            let inspected = run(&[&["inspect", path, "--json"], name].concat(), b"");
            assert_eq!(inspected.code, 0, "{path}: {}", inspected.err);
            let page: Value = serde_json::from_slice(&inspected.out).unwrap();
            let found = page["filters"].as_array().unwrap();
            let named = found
                .iter()
                .map(|filter| filter["format"].as_str().unwrap());
            let named: Vec<_> = named.collect();
            assert_eq!(named, [system], "{path}");

            let is_double = keys == "f64";
            let text = |key: &Value| match key {
                Value::String(bits) if is_double => {
                    f64::from_bits(u64::from_str_radix(bits, 16).unwrap()).to_string()
                }
                Value::String(text) => text.clone(),
                number => number.to_string(),
            };
            let queries = set["queries"].as_array().unwrap().iter().map(text);
            let answers = facts["answers"].as_str().unwrap().chars();
            // A key with a line feed cannot be a line, and Hadoop takes no empty key.
            let is_line = |key: &str| !(key.contains('\n') || key.is_empty());
            let queried: Vec<_> = queries
                .zip(answers)
                .filter(|(key, _)| is_line(key))
                .collect();
            assert!(queried.len() > 980, "{path}");
            let lines: Vec<_> = queried.iter().map(|(key, _)| format!("{key}\n")).collect();
            let answered = run(
                &["query", path, "--format", system, "--keys", keys],
                lines.concat().as_bytes(),
            );
            assert_eq!(answered.code, 0, "{path}: {}", answered.err);
            let expected: Vec<_> = queried
                .iter()
                .map(|(_, answer)| if *answer == '1' { "yes" } else { "no" })
                .collect();
            assert_eq!(
                answered.text().lines().collect::<Vec<_>>(),
                expected,
                "{path}"
            );
            files += 1;
        }
    }
    assert_eq!(files, 47);
}
