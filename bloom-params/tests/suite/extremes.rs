//! Any input is answered or refused, soon and without a panic.

use std::time::{Duration, Instant};

use crate::common::{run, run_args};
use proptest::prelude::*;

/// The time limit of a command line. Debug builds on a busy machine stay far below it, so a line that exceeds it probably runs
/// without end.
const SOON: Duration = Duration::from_secs(30);

fn answered(args: &[&str]) {
    let start = Instant::now();
    let (code, out, err) = run_args(args);
    let took = start.elapsed();
    assert!(took < SOON, "{args:?} took {took:?}");
    assert!(code <= 2, "{args:?}");
    assert_eq!(code == 2, out.is_empty(), "{args:?}: {out}{err}");
}

#[test]
fn the_far_corners_are_answered_soon() {
    let filters = [
        "classic",
        "partitioned",
        "plain-blocked",
        "split-block",
        "counting",
        "scalable",
    ];
    for filter in filters {
        for question in [
            "-n 1e18 -p 1e-300",
            "-n 1 -p 1e-300",
            "-n 1e18 -p 0.999999",
            "-n 2^64-1 -p .5",
            "-n 1e18 -m 2^63 -k 255",
            "-n 18446744073709551615 -m 2^63",
            "-n 1 -m 2^63",
            "-m 2^63 -p 1e-300",
            "-m 2^63 -p 0.999999",
            "-m 1 -p 0.5",
            "-n 1 -m 512 -k 255",
            "-n 1e18 -m 512",
            "-k 255 -p 1e-300",
            "-p 1e-300",
            "-m 2^63 -k 255",
            "-n 1e18 -k 1",
        ] {
            let start = Instant::now();
            let line = format!("{question} --filter {filter} --overfill --explain --json");
            let (code, _, err) = run(&line);
            assert!(
                code <= 2 && start.elapsed() < SOON,
                "{line}: {err} {:?}",
                start.elapsed()
            );
        }
    }
    for line in [
        "-n 1e17 -p 1e-9 --confidence 99.9999%",
        "-m 2^62 -p 1% --confidence 1%",
    ] {
        assert!(run(line).0 <= 1, "{line}");
    }
}

/// A valid or invalid argument of a command line.
fn word() -> impl Strategy<Value = String> {
    let flags = prop::sample::select(vec![
        "--n",
        "--m",
        "--k",
        "--p",
        "-n",
        "-p",
        "--filter",
        "--round",
        "--confidence",
        "--json",
        "--get",
        "--format",
        "--overfill",
        "--spread",
        "--hash-bits",
        "--lookups",
        "--prevalence",
        "--explain",
        "--block-bits",
        "--counter-bits",
        "--initial",
        "--growth",
        "--tightening",
        "--model",
        "--like",
        "compare",
        "table",
        "--",
    ]);
    let values = prop::sample::select(vec![
        "2000",
        "1%",
        "0.01",
        "5",
        "64KiB",
        "1e18",
        "1e-300",
        "255",
        "0",
        "-1",
        "nan",
        "m",
        "k",
        "plain-blocked",
        "scalable",
        "split-block",
        "counting",
        "pow2",
        "guava",
        "rocksdb",
        "json",
        "rust",
        "99%",
        "",
    ]);
    prop_oneof![
        3 => flags.prop_map(str::to_string),
        3 => values.prop_map(str::to_string),
        1 => ".{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_command_line_is_answered_or_refused(words in prop::collection::vec(word(), 1..8)) {
        // A few command lines print the help or the version, which is right, too.
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        answered(&words);
    }

    #[test]
    fn what_is_solved_is_met_when_checked(
        n in 1..1_000_000_u64,
        exponent in 1..40_u32,
        filter in prop::sample::select(vec!["classic", "partitioned", "split-block", "counting"]),
    ) {
        let line = format!("-n {n} -p 2^-{} --filter {filter}", exponent / 2 + 1);
        let (code, m, err) = run(&format!("{line} --get m"));
        prop_assert_eq!(code, 0, "{}: {}", line, err);
        prop_assert_eq!(run(&format!("{line} -m {}", m.trim())).0, 0, "{}", line);
    }
}
