//! Tests excerpts of what is printed: tables without their middle rows, slices, blocks, hints. The
//! numbers were computed by hand, or are checked by other tests.

use crate::common::{json, run};
use bloom_testing::rows;

/// Checks that the output of a command line has these lines one after the other. Ignores the blanks around each line.
fn shows(line: &str, lines: &[&str]) {
    let (_, out, err) = run(line);
    let page: Vec<_> = out.lines().chain(err.lines()).map(str::trim).collect();
    let found = page.windows(lines.len()).any(|shown| shown == lines);
    assert!(found, "{line}: {lines:?} is not in\n{out}{err}");
}

#[test]
fn many_stages_are_shown_as_the_first_six_and_the_last_six() {
    let line = "--n 10M --p 1% --filter scalable --initial 1000";
    shows(
        line,
        &[
            "6       32,000        487,456   11   0.0006656",
            "... 2 more",
            "9      256,000      4,158,065   11   0.0004087",
        ],
    );
    shows(
        &format!("{line} --explain"),
        &[
            "p6 = 0.000665557  32,000 items in 487,456 bits, k = 11",
            "...",
            "p9 = 0.000408736  256,000 items in 4,158,065 bits, k = 11",
        ],
    );
    // Twelve stages are all printed.
    let (_, out, _) = run("--n 4M --p 1% --filter scalable --initial 1000 --explain");
    assert!(out.contains("p6 = ") && out.contains("p7 = ") && out.contains("p12 = "));
    assert!(!out.contains("...\n") && !out.contains(" more\n"), "{out}");
}

/// The stages have 10^12 items or more, so their counts are wider than the usual columns.
#[test]
fn the_columns_of_stages_are_as_wide_as_their_counts() {
    let (_, out, _) = run("--n 4e15 --p 1% --filter scalable --initial 1e12");
    let table: Vec<_> = out
        .lines()
        .skip_while(|line| !line.starts_with("stage "))
        .collect();
    let ends = |line: &str| -> Vec<_> {
        let cells = line.split_whitespace().take(4);
        let start = |cell: &str| cell.as_ptr().addr() - line.as_ptr().addr();
        cells.map(|cell| start(cell) + cell.len()).collect()
    };
    for line in &table[1..=12] {
        assert_eq!(ends(line), ends(table[0]), "{out}");
    }
}

#[test]
fn many_numbers_of_hashes_are_shown_as_the_first_five_and_the_last_five() {
    shows(
        "--n 100 --m 4000 --p 1% --explain",
        &[
            "k =   4   p = 8.2106e-5     within",
            "k =   5   p = 2.24388e-5    within",
            "...",
            "k =  26   p = 4.74457e-9    within",
            "k =  27   p = 4.65922e-9    within",
        ],
    );
    // Up to twelve numbers of hashes are all printed. They go from two below k to two above the best k, which is 11.
    for (k, expected) in [(3, 10), (4, 12)] {
        let (_, out, _) = run(&format!("--n 2000 --m 32768 --k {k} --explain"));
        let rows = out.lines().filter(|row| row.starts_with("     k =  "));
        assert_eq!(rows.count(), expected, "{out}");
        assert_eq!(out.contains("     ...\n"), k == 3, "{out}");
    }
}

#[test]
fn blocks_cost_nothing_with_one_hash() {
    let costs = |k| {
        let (_, out, _) = run(&format!(
            "--n 1M --m 10M --k {k} --filter plain-blocked --explain"
        ));
        out.contains("reading one place in")
    };
    assert_eq!([1, 2].map(costs), [false, true]);
}

#[test]
fn slices_are_derived_with_the_share_of_bits_that_is_set_in_each() {
    let line = "--n 100 --m 1000 --k 7 --filter partitioned";
    shows(
        &format!("{line} --explain"),
        &[
            "1 - (1 - 1/143)^100 = 0.50428656",
            "1 - (1 - 1/142)^100 = 0.50673895",
        ],
    );
    shows(
        &format!("{line} --explain"),
        &[
            "p = 0.50428656^6 x 0.50673895^1 = 0.00833391",
            "A classic filter of this size, whose hashes share all bits, has",
            "p = 0.00826625.",
        ],
    );
    let fill = json(line).1["fill"].as_f64().unwrap();
    let expected = (6.0 * 143.0 * 0.504_286_56 + 142.0 * 0.506_738_95) / 1_000.0;
    assert!((fill - expected).abs() < 1e-7, "{fill}");
    let (_, out, _) = run("--n 100 --m 1000 --k 1 --filter partitioned --explain");
    assert!(!out.contains("share all bits"), "{out}");
}

#[test]
fn too_few_bits_for_one_item_are_reported_with_its_rate() {
    shows(
        "--m 2 --p 0.001",
        &[
            "note: not even one item meets the target: with one and k = 1, p is 0.5, 500 times the target",
        ],
    );
    shows(
        "--m 10 --p 1% --filter scalable",
        &[
            "note: not even the first stage fits: its 1,000 items take 13,544 bits, and m = 10; write \
           a larger --m or a smaller --initial",
        ],
    );
}

#[test]
fn what_double_hashing_adds_is_judged_by_the_target() {
    let ideal = "note: with ideal hashes p would be ";
    for (line, [reported]) in rows(
        r"
        $ --n 3 --p 1% => 0.000158; double hashing adds 0.0086
        $ --n 3 --p 10% => 0.00235; double hashing adds 0.0027
        $ --n 5000 --p 0.1% => 0.000996; double hashing adds 7.8e-6 to 7.9e-6: too much
        $ --n 10 --p 0.1% => 0.000134; double hashing adds 0.0018 to 0.0025: too much
        $ --n 18 --p 1% => 0.00626; double hashing adds 0.0023 to 0.0053: perhaps too much
    ",
    ) {
        shows(
            &format!("{line} --like guava"),
            &[&format!("{ideal}{reported}")],
        );
    }
}

#[test]
fn what_is_refused_comes_with_what_to_write() {
    for (line, [hint]) in rows(
        r"
        $ --n 5 --m 100 --confidence 99% => write --p too: the rate to keep
        $ --n 100 --p 1% --k 3 --filter split-block => write --k 8, or ask for --filter plain-blocked
        $ --n 100 --p 1% --k 3 --filter scalable => leave out --k, and give two of n, m and p: each stage has its own number of hashes
        $ --n 100 --p 1% --filter plain-blocked --block-bits 100 --round pow2
          leave out --round, or round to another number
    ",
    ) {
        shows(line, &[&format!("hint: {hint}")]);
    }
}
