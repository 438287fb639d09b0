//! Tests that list and query the filters of Parquet files.

use super::*;

/// Writes a file without filters and its copy with filters of these columns, and returns their paths.
fn with_copy(name: &str, columns: &[&str], flags: &[&str]) -> (String, String) {
    let from = file(&format!("{name}-from.parquet"), &bytes(PLAIN));
    let into = copy(&from, &format!("{name}.parquet"), columns, flags);
    (from, into)
}

#[test]
fn inspect_lists_each_row_group_and_column() {
    let (_, into) = with_copy("listed", &["user_id", "name"], &["--p", "2%"]);
    let ran = run(&["inspect", &into], b"");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<_> = ran.text().lines().collect();
    assert!(
        lines[0].ends_with("listed.parquet: Parquet file, 2,000 rows in 4 row groups"),
        "{}",
        lines[0]
    );
    let cells = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        cells(lines[2]).join(" "),
        "row group column values n m fill p"
    );
    assert_eq!(cells(lines[6])[..3], ["3", "user_id", "500"]);
    assert_eq!(cells(lines[7])[..3], ["0", "name", "500"]);
    assert_eq!(cells(lines[11]).join(" "), "all score 2,000 no filter");
    assert_eq!(lines.len(), 3 + 2 * GROUPS + 9);

    // The report about each filter equals what inspect reports if the offset of the filter is given.
    let page = run(&["inspect", &into, "--json", "--p", "2%"], b"");
    assert_eq!(page.code, 0, "{}", page.err);
    let page: Value = serde_json::from_slice(&page.out).unwrap();
    let chunks = page["chunks"].as_array().unwrap();
    assert_eq!(chunks.len(), 2 * GROUPS + 9);
    for chunk in &chunks[..2 * GROUPS] {
        let offset = chunk["bloom_filter_offset"].to_string();
        let alone = run(
            &[
                "inspect", &into, "--format", "parquet", "--offset", &offset, "--json", "--p", "2%",
            ],
            b"",
        );
        let mut alone: Value = serde_json::from_slice(&alone.out).unwrap();
        let alone = &mut alone["filters"][0];
        alone["trailing_bytes"] = 0.into();
        assert_eq!(*alone, chunk["filter"]);
        let items = chunk["filter"]["n"].as_f64().unwrap();
        let expected = if chunk["column"] == "name" {
            400.0
        } else {
            500.0
        };
        let deviation = chunk["filter"]["n_sd"].as_f64().unwrap();
        assert!((items - expected).abs() < 6.2 * deviation, "{chunk}");
    }
    assert_eq!(chunks[2 * GROUPS]["row_group"], Value::Null);
    assert_eq!(chunks[2 * GROUPS]["filter"], Value::Null);
}

#[test]
fn one_filter_over_the_target_rate_makes_the_exit_code_1() {
    // The filters are for 200 items. In a row group, user_id has more distinct values, and part has fewer.
    let (_, into) = with_copy("missed", &["user_id", "part"], &["-n", "200"]);
    let ran = run(&["inspect", &into, "--p", "1%"], b"");
    assert_eq!(ran.code, 1);
    let ends = |end: &str| {
        ran.text()
            .lines()
            .filter(|line| line.ends_with(end))
            .count()
    };
    assert_eq!(
        (ends("  not met"), ends("  met")),
        (GROUPS, GROUPS),
        "{}",
        ran.text()
    );
    let line = ran.text().lines().nth(2).unwrap();
    assert!(line.ends_with("p  target 0.01"), "{line}");
    assert_eq!(run(&["inspect", &into, "--p", "50%"], b"").code, 0);
}

#[test]
fn a_query_names_row_groups_for_each_type_of_key() {
    let (_, into) = with_copy("asked", &COLUMNS, &["--p", "1e-6"]);
    let hex = |bytes: [u8; 4]| bytes.map(|byte| format!("{byte:02x}")).concat();
    for (column, key, answer) in [
        ("user_id", user_id(1_200).to_string(), "yes 2"),
        ("user_id", "8".to_owned(), "no"),
        ("name", name(1_999).unwrap(), "yes 3"),
        ("score", "125.25".to_owned(), "yes 1"),
        ("score", "-0".to_owned(), "yes 0"),
        ("ratio", "125.25".to_owned(), "yes 1"),
        ("part", "49".to_owned(), "yes 0 1 2 3"),
        ("code", hex(code(700)), "yes 1"),
        ("visits", "-1700".to_owned(), "yes 3"),
        ("day", "3".to_owned(), "yes 0"),
        ("price", "1234".to_owned(), "yes 2"),
        ("port", port(600).to_string(), "yes 1"),
    ] {
        let ran = run(&["query", &into, "--column", column, &key], b"");
        assert_eq!(ran.text(), format!("{answer}\n"), "{column} {key}");
        assert_eq!(ran.code, i32::from(answer == "no"), "{column} {key}");
        let lines = run(
            &["query", &into, "--column", column],
            format!("{key}\n{key}").as_bytes(),
        );
        assert_eq!(
            (lines.code, lines.text()),
            (0, format!("{answer}\n{answer}\n").as_str())
        );
        // Of these columns, only the date and the decimal have a note that explains how keys are written.
        assert_eq!(
            ran.err.contains("note: a key of column"),
            ["day", "price"].contains(&column)
        );
    }
    let by_text = run(
        &["query", &into, "--column", "code", "--keys", "text", "abcd"],
        b"",
    );
    assert_eq!((by_text.code, by_text.text()), (1, "no\n"));
}

#[test]
fn counts_and_keys_are_those_of_all_row_groups() {
    let (from, into) = with_copy("counted", &["user_id", "part"], &["--p", "1e-6"]);
    let keys: String = [0, 1, user_id(999), user_id(998)]
        .map(|key| format!("{key}\n"))
        .concat();
    let query = |file: &str, flags: &[&str]| {
        let ran = run(
            &[&["query", file, "--column", "user_id"], flags].concat(),
            keys.as_bytes(),
        );
        (ran.code, ran.text().to_owned())
    };
    assert_eq!(query(&into, &["--only", "yes"]).1, "0\n6993\n6986\n");
    assert_eq!(query(&into, &["--only", "no"]).1, "1\n");
    let counts = "yes 3\nno 1\nrow group 0: 1\nrow group 1: 2\nrow group 2: 0\nrow group 3: 0\n";
    assert_eq!(query(&into, &["--count"]), (0, counts.to_owned()));
    let skip = ["query", &into, "--column", "user_id", "--skip-bad-lines"];
    let ran = run(&skip, b"7\nx\n8\n");
    assert_eq!((ran.code, ran.text()), (0, "yes 0\nbad\nno\n"));
    assert!(
        ran.note()
            .contains("skipped 1 line without a key of type i64"),
        "{}",
        ran.err
    );
    let ran = run(&[&skip[..], &["--count"]].concat(), b"7\nx\n8\n");
    assert!(
        ran.text()
            .starts_with("yes 1\nno 1\nbad 1\nrow group 0: 1\n"),
        "{}",
        ran.text()
    );
    refused(
        &run(&skip[..4], b"x\n"),
        "line 1: key must be a 64-bit integer, got x",
    );
    // In the file without filters, each key may be in every row group.
    assert_eq!(query(&from, &[]), (0, "unknown 0 1 2 3\n".repeat(4)));
    assert_eq!(query(&from, &["--only", "no"]).1, "");
    assert_eq!(query(&from, &["--only", "yes"]).1, keys);
    let alone = run(&["query", &from, "--column", "user_id", "1"], b"");
    assert_eq!((alone.code, alone.text()), (0, "unknown 0 1 2 3\n"));
    assert!(
        query(&from, &["--count"])
            .1
            .starts_with("yes 0\nunknown 4\nrow group 0: unknown\n")
    );
    // The footer is changed so that row group 1 has no filter: the offset gets the number of an unknown field.
    let mut mixed = fs::read(&into).unwrap();
    let place = reader(&into)
        .metadata()
        .row_group(1)
        .column(0)
        .bloom_filter_offset()
        .unwrap() as u64;
    let (mut offset, mut rest) = (vec![], place << 1);
    while rest > 127 {
        offset.push(rest as u8 | 128);
        rest >>= 7;
    }
    offset.push(rest as u8);
    let at = mixed
        .windows(offset.len())
        .rposition(|bytes| bytes == offset)
        .unwrap();
    // The header of a field states its number as the difference from the number of the previous field. Adding 5 makes the
    // offset an unknown field. The length, which is the next field, becomes unknown, too.
    assert_eq!(mixed[at - 1] & 15, 6);
    mixed[at - 1] += 5 << 4;
    let mixed = file("mixed.parquet", &mixed);
    assert_eq!(
        query(&mixed, &[]).1,
        "yes 0 unknown 1\nunknown 1\nunknown 1\nunknown 1\n"
    );
    let listed = run(&["inspect", &mixed], b"");
    let line = listed.text().lines().nth(4).unwrap();
    assert!(
        line.trim_start().starts_with("1  user_id") && line.contains("no filter"),
        "{line}"
    );
}
