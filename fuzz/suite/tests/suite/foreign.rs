//! Runs the body of the target `foreign_bytes_in` on files of filters that other systems wrote, and on damaged copies of these
//! files. This needs neither a fuzzer nor the nightly compiler.

use std::fs;
use std::path::{Path, PathBuf};

use bloom_fuzz_kit::Bytes;
use bloom_fuzz_suite::{ForeignBytesIn, Source, System};
use bloom_testing::mutated;
use serde_json::Value;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bloom-formats/tests/golden")
}

/// Returns the files that other systems wrote, and the damaged copies that `malformed.json` describes.
fn files() -> Vec<(String, Vec<u8>)> {
    let folders = fs::read_dir(golden()).unwrap().map(|it| it.unwrap().path());
    let files = folders.filter(|it| it.is_dir()).flat_map(|folder| {
        let files = fs::read_dir(folder).unwrap();
        files.map(|it| it.unwrap().path())
    });
    let whole = files.filter(|it| it.extension().is_some_and(|it| it == "bin"));
    let mut all: Vec<(String, Vec<u8>)> = whole
        .map(|it| (it.display().to_string(), fs::read(it).unwrap()))
        .collect();
    let damaged: Value =
        serde_json::from_slice(&fs::read(golden().join("malformed.json")).unwrap()).unwrap();
    for case in damaged["cases"].as_array().unwrap() {
        let file = case["file"].as_str().unwrap();
        let mutation = case["mutation"].as_str().unwrap();
        let bytes = mutated(fs::read(golden().join(file)).unwrap(), mutation);
        all.push((format!("{file} {mutation}"), bytes));
    }
    all
}

#[test]
fn recorded_files_pass_as_filters_of_every_system() {
    let files = files();
    assert!(files.len() > 40, "{}", files.len());
    for (name, bytes) in files {
        for system in System::ALL {
            let source = Source::Raw(Bytes(bytes.clone()));
            println!("{name} as {system:?}");
            ForeignBytesIn { system, source }.run();
        }
    }
}
