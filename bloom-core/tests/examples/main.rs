//! Runs the examples as a user does, and checks what their documentation promises. This is a test program of its own,
//! because it starts other programs. The emulators with which CI runs the other tests cannot do that.

mod blocklist;
mod huge;
mod mapped;
mod options;
mod queue;
mod run;
mod service;
mod stream;

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

/// The examples that have options and a help text.
const ALL: [&str; 5] = [
    "visit_queue",
    "blocklist",
    "stream_duplicates",
    "mapped_blocklist",
    "huge_filter",
];

#[test]
fn every_example_is_tested_here() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let sources = files.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let names: HashSet<_> = sources
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let tested = ALL.into_iter().chain([service::NAME]);
    assert_eq!(names, tested.map(str::to_owned).collect());
}
