//! Tests the subcommands of `bloom-params` that print tables (`compare` and `table`), completions and manual pages, and what
//! the subcommands refuse.

use std::fs;

use bloom_testing::{Need, has};

use crate::common::{object, refused, run};
use serde_json::Value;

#[test]
fn the_bits_of_other_structures_are_those_of_the_references() {
    let path = format!(
        "{}/../bloom-core/tests/vectors/lower_bound.csv",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = fs::read_to_string(path).unwrap();
    let mut compared = 0;
    for row in text.lines().skip(1) {
        let cells: Vec<_> = row.split(',').collect();
        let (n, p) = (cells[0], cells[1]);
        if p == "1.0" {
            continue;
        }
        let (code, out, _) = run(&format!("compare -n {n} -p {p} --format json"));
        if code != 0 {
            continue; // The size is above 2^63 bits.
        }
        let rows: Vec<Value> = serde_json::from_str(&out).unwrap();
        for (name, column) in [
            ("lower bound", 2),
            ("xor", 6),
            ("binary fuse, 3-wise", 7),
            ("binary fuse, 4-wise", 8),
            ("cuckoo", 9),
            ("cuckoo, semi-sorted", 10),
            ("quotient (rank-select)", 11),
        ] {
            let row = rows.iter().find(|row| row["structure"] == name).unwrap();
            let (found, parsed) = (row["bits_per_item"].as_f64().unwrap(), cells[column]);
            let parsed: f64 = parsed.parse().unwrap();
            assert!(
                (found - parsed).abs() <= 1e-12 * parsed,
                "{name} {n} {p}: {found} {parsed}"
            );
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn compare_has_the_sizes_that_single_questions_have() {
    let (_, out, _) = run("compare -n 2000 -p 1% --format csv");
    for (name, line) in [
        ("classic,", "-n 2000 -p 1%"),
        ("partitioned,", "-n 2000 -p 1% --filter partitioned"),
        ("\"counting, 4 bits\",", "-n 2000 -p 1% --filter counting"),
        (
            "\"plain-blocked, 512 bits\",",
            "-n 2000 -p 1% --filter plain-blocked",
        ),
        (
            "\"scalable from 1,000 items\",",
            "-n 2000 -p 1% --filter scalable",
        ),
    ] {
        let answer = object(line);
        let row = out.lines().find(|row| row.starts_with(name)).unwrap();
        assert!(row.contains(&format!(",{},", answer["bytes"])), "{row}");
    }
}

/// Pei Cao's table, as printed in 1998: 20 bits per item and 10 hashes give 0.0000889.
#[test]
fn the_table_of_rates_is_that_of_the_literature() {
    let (_, out, _) = run("table --format csv");
    let row = out.lines().find(|row| row.starts_with("20,")).unwrap();
    let p: f64 = row.split(',').nth(10).unwrap().parse().unwrap();
    assert!((p / 0.000_088_94 - 1.0).abs() < 1e-4, "{p}");
    assert!(out.lines().all(|row| row.split(',').count() == 13));
    let (_, markdown, _) = run("table --format markdown");
    assert!(markdown.starts_with("| m/n | k = 1 |") && markdown.contains("\n| --- |"));
}

#[test]
fn a_table_for_people_fits_80_columns_and_names_its_sources_below() {
    let (_, out, _) = run("compare -n 1M -p 1%");
    let table = out.split_once("\n\n").unwrap().0;
    assert!(table.lines().count() == 18 && table.lines().all(|line| line.len() <= 80));
    let (_, csv, _) = run("compare -n 1M -p 1% --format csv");
    let (_, named, _) = run("compare -n 1M -p 1% --sources");
    for source in [
        "Fan et al. 2014, buckets of 4 at load 0.95",
        "Graf and Lemire 2020",
    ] {
        assert!(!out.contains(source) && csv.contains(source));
        assert!(named.contains(&format!(": {source}\n")), "{named}");
    }
    for command in ["compare -n 1M -p 1%", "table", "table -n 5 -p .1"] {
        let json = run(&format!("{command} --json"));
        assert_eq!(json, run(&format!("{command} --format json")), "{command}");
        assert!(json.1.starts_with("[\n"), "{command}");
    }
}

#[test]
fn a_table_by_hashes_has_the_answer_for_each_number() {
    let (_, out, _) = run("table -n 2000 -p 1% --format csv");
    for k in 1..=11 {
        let m = run(&format!("-n 2000 -k {k} -p 1% --get m")).1;
        let row = format!("{k},{},{}", m.trim(), if k == 7 { "best" } else { "" });
        assert!(out.lines().any(|line| line == row), "no {row} in {out}");
    }
    assert!(
        run("table -n 5 -p .1 --format csv")
            .1
            .starts_with("k,m,note\n1,48,\n")
    );
    assert!(run("table -n 2000 -m 20000").1.contains("best"));
    assert!(run("table -m 20000 -p 1%").1.contains("2,084  best"));
}

/// For 10^18 items, the table has only the rows of at most 2^63 bits.
#[test]
fn a_table_of_very_many_items_ends_at_2_to_the_63_bits() {
    let (code, out, err) = run("table -n 1e18");
    assert_eq!((code, err.as_str()), (0, ""));
    let rows: Vec<_> = out
        .lines()
        .filter_map(|line| line.get(..3)?.trim().parse::<u8>().ok())
        .collect();
    assert_eq!(rows, [2, 3, 4, 5, 6, 7, 8, 9]);
    assert!(out.contains("no rows from m/n = 10 on"), "{out}");
    assert!(!run("table -n 1e9").1.contains("no rows"));
}

#[test]
fn commands_refuse_what_they_do_not_take() {
    for (line, message) in [
        ("compare -n 5", "n and p only, got n alone"),
        ("compare -n 5 -p .1 -k 3", "got --k 3"),
        (
            "compare -n 5 -p .1 --filter counting",
            "compare takes n and p only, got --filter counting",
        ),
        ("compare -n 5 -p .1 --round pow2", "got --round pow2"),
        (
            "compare -n 5 -p .1 --confidence 99%",
            "got --confidence 99%",
        ),
        ("compare -n 5 -p 2", "p must be between 0 and 1"),
        ("table -k 5", "for a filter with a choice of k, got --k 5"),
        ("table -p 1%", "got p alone"),
        ("table -n 5 -m 50 -p 1%", "got n, m and p"),
        (
            "table -n 5 -p .1 --filter scalable",
            "got --filter scalable",
        ),
        (
            "table -n 2^63",
            "--n must be at most 2^62 for a table: with 2 bits per item m is 2^63, got 9,223,",
        ),
        (
            "batch -n 5",
            "batch takes n, m, k and p from its file, got n alone",
        ),
        (
            "batch /nowhere/at/all.csv",
            "/nowhere/at/all.csv cannot be read: ",
        ),
        (
            "batch /nowhere/at/all/of/a/path/that/is/longer/than/a/value\u{1b}[31m.csv",
            "/nowhere/at/all/of/a/path/that/is/longer/than/a/value\\u{1b}[31m.csv cannot be read: ",
        ),
        ("completions tcsh", "invalid value 'tcsh' for '<SHELL>'"),
        (
            "--n 2000 --p 1% compare",
            "hint: commands come first, like bloom-params compare --n 1M --p 1%",
        ),
        (
            "comapre -n 5",
            "hint: the commands are compare, table, batch, verify, completions, man and help",
        ),
    ] {
        refused(line, &[message]);
    }
}

#[cfg(unix)]
#[test]
fn bash_completes_the_flags_and_values_of_a_command() {
    if !has(Need::Bash, "the completions of bloom-params") {
        return;
    }
    let script = run("completions bash").1;
    let ask = "eval \"$1\"; shift; function compopt { :; }; COMP_WORDS=(bloom-params \"$@\"); COMP_CWORD=$#; \
               _bloom-params bloom-params \"${@: -1}\" \"${COMP_WORDS[$#-1]}\"; echo \"${COMPREPLY[@]}\"";
    for (words, expected) in [
        (&["verify", "--tri"][..], "--trials"),
        (&["comp"], "compare completions"),
        (&["--filter", "part"], "partitioned"),
        (&["compare", "--filt"], ""),
    ] {
        let mut bash = std::process::Command::new("bash");
        let output = bash.args(["-c", ask, "bash", &script]).args(words).output();
        let output = String::from_utf8(output.unwrap().stdout).unwrap();
        assert_eq!(output.trim_end(), expected, "{words:?}");
    }
}

#[test]
fn completions_and_manual_pages_are_printed() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, out, _) = run(&format!("completions {shell}"));
        assert!(
            code == 0 && out.contains("confidence") && out.contains("compare"),
            "{shell}"
        );
    }
    let (_, fish, _) = run("completions fish");
    let mut numbers = fish.lines().filter(|line| line.contains(" -s n "));
    assert!(numbers.clone().count() > 1, "{fish}");
    assert!(
        numbers.all(|line| line.ends_with("-r -f")),
        "a number is completed with files"
    );
    // `batch` takes a file, so its argument is completed with files.
    assert!(run("completions zsh").1.contains(":_files'"));
    let (_, bash, _) = run("completions bash");
    assert!(
        bash.contains("classic partitioned blocked split-block plain-blocked counting scalable")
    );
    for (command, refused) in [
        ("batch", "-s n "),
        ("compare", "-l filter "),
        ("table", "-s k "),
    ] {
        let of = format!("__fish_bloom_params_using_subcommand {command}\"");
        let mut own = fish.lines().filter(|line| line.contains(&of));
        assert!(
            own.clone().any(|line| line.contains("-l format ")),
            "{command}"
        );
        assert!(!own.any(|line| line.contains(refused)), "{command}");
    }
    assert!(!fish.contains("positional"));
    for command in ["compare", "table", "batch", "verify", "completions", "man"] {
        let (code, out, _) = run(&format!("man {command}"));
        assert!(code == 0 && out.contains(&format!(".TH bloom-params-{command} 1")));
    }
    let (code, out, _) = run("man");
    assert!(code == 0 && out.contains(".TH bloom-params 1") && out.contains("\\-\\-overfill"));
}
