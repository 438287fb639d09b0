//! Runs the benchmark program with 1000 items: every candidate runs and is checked, and the Markdown report and the CSV file
//! are written.

use std::env;
use std::fs;
use std::process::{self, Command};

use bloom_testing::assert_has;

#[test]
fn a_small_benchmark_runs_every_candidate_with_every_kind_of_key() {
    let csv = env::temp_dir().join(format!("bloom-bench-{}.csv", process::id()));
    let run = Command::new(env!("CARGO_BIN_EXE_bloom-bench"))
        .args([
            "-n", "1000", "--keys", "u64,text", "--rounds", "2", "--run", "1",
        ])
        .args(["--against", "fastbloom,bloom", "--csv"])
        .arg(&csv)
        .output()
        .expect("the program starts");
    let (out, errors) = (
        String::from_utf8(run.stdout).unwrap(),
        String::from_utf8(run.stderr).unwrap(),
    );
    assert!(run.status.success(), "{out}{errors}");
    let parts = [
        "- processor: ",
        "- compiler: rustc ",
        "sbbf-rs-safe 0.",
        "- seed: 1",
    ];
    assert_has("the report", &out, &parts);

    let lines = fs::read_to_string(&csv).expect("the CSV is written");
    fs::remove_file(&csv).expect("it was there");
    let rows: Vec<Vec<&str>> = lines
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    for keys in ["u64", "16-byte text"] {
        assert!(
            out.contains(&format!("## n = 1e3, p = 1 %, {keys} keys")),
            "{out}"
        );
        for name in [
            "blocked+foldhash",
            "blocked",
            "blocked+avalanching",
            "bloom+foldhash",
            "bloom",
            "counting+foldhash",
            "partitioned+foldhash",
            "atomic-blocked+foldhash",
            "atomic-bloom+foldhash",
            "fastbloom-atomic+foldhash",
            "fastbloom+foldhash",
            "fastbloom",
            "sbbf-rs-safe+foldhash",
            "sbbf-rs-safe+avalanching",
            "parquet",
            "bloomfilter",
            "growable-bloom-filter",
            "xorf+foldhash",
        ] {
            let rows_of_candidate = rows.iter().filter(|row| row[0] == keys && row[3] == name);
            let operations: Vec<&str> = rows_of_candidate.clone().map(|row| row[7]).collect();
            let singles = ["insert", "present", "absent", "mixed", "dependent"];
            assert_eq!(operations[..5], singles, "{keys} {name}");
            let removes = operations.contains(&"remove");
            assert_eq!(removes, name == "counting+foldhash", "{keys} {name}");
            for row in rows_of_candidate {
                let number = |field: usize| row[field].parse::<f64>().unwrap();
                let (bits, rate, median) = (number(4), number(5), number(10));
                assert!(bits > 8.0 && bits < 40.0, "{row:?}");
                assert!(rate > 0.05 && rate < 1.1, "{row:?}");
                assert!(median > 0.1 && median < 1e5, "{row:?}");
            }
        }
    }
}
