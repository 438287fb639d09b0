//! Runs every fuzz target on its saved inputs, the files in `regressions/`, without a fuzzer and on the stable compiler.

use std::collections::BTreeSet;
use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

use crate::targets::TARGETS;

fn room(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    read.map(|entry| entry.unwrap().path()).collect()
}

fn names(folder: &str) -> BTreeSet<String> {
    let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    entries(&room(folder)).into_iter().map(stem).collect()
}

#[test]
fn every_saved_input_still_passes() {
    let mut failed = Vec::new();
    for (target, run) in TARGETS {
        let files = entries(&room("regressions").join(target));
        assert!(!files.is_empty(), "regressions/{target} must have a file");
        for file in files {
            let bytes = fs::read(&file).unwrap();
            if panic::catch_unwind(|| run(&bytes)).is_err() {
                failed.push(file);
            }
        }
    }
    assert!(failed.is_empty(), "inputs that fail: {failed:#?}");
}

#[test]
fn every_target_is_replayed() {
    let replayed: BTreeSet<String> = TARGETS.map(|(target, _)| target.to_owned()).into();
    assert_eq!(names("fuzz_targets"), replayed);
    assert_eq!(names("regressions"), replayed);
}
