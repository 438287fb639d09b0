//! Tests the example `blocklist`.

use crate::run::*;

#[test]
fn the_blocklist_blocks_all_that_is_listed_and_nothing_that_is_allowed() {
    let names = |kind: &str, count: u32| -> Vec<String> {
        (0..count).map(|i| format!("{kind}-{i}.example")).collect()
    };
    let (bad, good, strange) = (
        names("bad", 2_000),
        names("good", 31_000),
        names("odd", 31_000),
    );
    let lists = [
        &file("bad.txt", text(&bad)),
        &file("good.txt", text(&good)),
        "--rate",
        "0.05",
    ];
    let done = run_well("blocklist", &lists, text(&[bad, good, strange].concat()));
    let verdicts = done.lines();
    assert_eq!(verdicts.len(), 64_000);
    assert!(
        verdicts[..2_000]
            .iter()
            .all(|verdict| *verdict == "blocked")
    );
    assert!(
        verdicts[2_000..33_000]
            .iter()
            .all(|verdict| *verdict == "allowed")
    );

    let expected = done.figure("exceptions expected");
    assert_near(expected, 1_550.0);
    assert_near(done.figure("exceptions needed:"), expected);
    let is_blocked = |verdict: &&&str| **verdict == "blocked";
    let strangers = verdicts[33_000..].iter().filter(is_blocked).count() as f64;
    assert_near(strangers, expected);
    assert_eq!(done.figure("queried"), 64_000.0);
    assert_eq!(done.figure("blocked:"), 2_000.0 + strangers);
    assert_eq!(done.figure("allowed:"), 62_000.0 - strangers);
}

#[test]
fn the_blocklist_allows_what_is_on_both_lists_and_says_so() {
    let blocked = file("both_blocked.txt", "a\nb\nc");
    let allowed = file("both_allowed.txt", b"b\r\nb\r\n\xff\n\n");
    let done = run_well("blocklist", &[&blocked, &allowed], "a\nb\nc");
    assert_eq!(done.lines(), ["blocked", "allowed", "blocked"]);
    assert_eq!(done.figure("allowed although on both lists"), 1.0);
    assert_eq!(done.figure("exceptions needed:"), 0.0);
}

#[test]
fn an_empty_blocklist_blocks_nothing() {
    let empty = file("empty.txt", "");
    let done = run_well("blocklist", &[&empty, &empty], b"a\n\xff\n\n");
    assert_eq!(done.lines(), ["allowed"; 3]);
}

#[test]
fn the_blocklist_runs_a_demonstration_without_files() {
    let done = run_well("blocklist", &[], "");
    let lines = done.lines();
    assert_eq!(lines[0], "spam-7.example: blocked");
    assert!(lines[1].starts_with("friend-7.example: allowed"));
    assert!(lines[3].ends_with("(a false positive of the filter: an exception)"));
    assert_near(
        done.figure("exceptions needed:"),
        done.figure("exceptions expected"),
    );
}
