//! Runs the Python samples of the book, each as a program of its own, except those that need Spark or Redis.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use bloom_testing::{Need, has};

/// The page whose samples need Spark or Redis, and are not run here. `bloom-formats/spark/join.py` runs the samples for Spark,
/// and `bloom-formats/engines/redis/bloom.py` makes the calls of the sample for Redis.
const NEEDS_AN_ENGINE: &str = "distributed.md";

/// The chapters that must have a sample in Python, beside those in Rust.
const FIRST_CHAPTERS: [&str; 5] = [
    "introduction.md",
    "idea.md",
    "rate.md",
    "sizes.md",
    "try.md",
];

/// Returns the Python samples of a page.
fn samples(page: &str) -> Vec<&str> {
    let blocks = page.split("\n```python\n").skip(1);
    let ended = blocks.map(|block| block.split_once("\n```\n").expect("a block that ends").0);
    ended.collect()
}

#[test]
fn every_python_sample_runs_and_its_assertions_hold() {
    if !has(Need::Python3, "the Python samples of the book") {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_page = path.extension().is_some_and(|extension| extension == "md");
        if !is_page || name == NEEDS_AN_ENGINE {
            continue;
        }
        let page = fs::read_to_string(&path).unwrap();
        let samples = samples(&page);
        let teaches = FIRST_CHAPTERS.contains(&name);
        assert!(!teaches || !samples.is_empty(), "{name}: no Python");
        for (i, sample) in samples.iter().enumerate() {
            // `-I` and `-S` leave only the standard library.
            let ran = Command::new("python3")
                .args(["-I", "-S", "-c", sample])
                .output()
                .unwrap();
            let error = String::from_utf8_lossy(&ran.stderr);
            assert!(ran.status.success(), "{name}, sample {}:\n{error}", i + 1);
        }
    }
}
