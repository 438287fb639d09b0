//! Tests what the command reports about Parquet files if it is built without the feature `parquet`. This runs the tests: `cargo
//! test -p bloom-file --no-default-features`.

use std::path::Path;

use crate::common::run;

#[test]
fn the_feature_that_is_missing_is_named() {
    let golden = "../bloom-formats/tests/golden/parquet/spark_longs.parquet";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(golden);
    let path = path.to_str().unwrap();
    for args in [
        vec!["inspect", path],
        vec!["query", path, "--column", "v", "7"],
        vec!["build", "--into", "copy.parquet", "--column", "v", path],
    ] {
        let ran = run(&args, b"");
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("need the feature parquet"), "{}", ran.err);
    }
    let by_input = run(&["inspect", "-"], &std::fs::read(path).unwrap());
    assert_eq!(by_input.code, 2);
    let hint = "hint: it is a Parquet file: built without the feature parquet, bloom-file reads only one filter";
    assert!(by_input.err.contains(hint), "{}", by_input.err);
    // With `--offset`, a filter inside a Parquet file is read without the feature.
    let offset = ["--format", "parquet", "--offset"];
    let at = std::fs::read(path)
        .unwrap()
        .windows(7)
        .position(|bytes| bytes == b"\x15\x80\x10\x1c\x1c\x00\x00");
    let at = at.expect("a filter of 1,024 bytes").to_string();
    let ran = run(&[&["inspect", path][..], &offset, &[&at]].concat(), b"");
    assert_eq!(ran.code, 0, "{}", ran.err);
}
