//! Checks that every source file of the listings has at most 150 lines, because pages of the book
//! print them.

use std::fs;
use std::path::Path;

/// Adds the path and the text of every file under `folder` to `into`, recursively.
fn sources(folder: &Path, into: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else {
            into.push((
                path.display().to_string(),
                fs::read_to_string(&path).unwrap(),
            ));
        }
    }
}

#[test]
fn every_listing_has_at_most_150_lines() {
    let mut all = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    assert!(all.len() > 10, "only {} sources", all.len());
    for (path, text) in all {
        let lines = text.lines().count();
        assert!(lines <= 150, "{path}: {lines} lines");
    }
}
