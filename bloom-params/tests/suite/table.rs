//! Tests tables for people: their width and the notes below them.

use crate::common::run;

#[test]
fn the_table_of_rates_fits_80_columns_for_people() {
    for line in [
        "table",
        "table -n 10",
        "table -n 1G --filter counting",
        "table --filter plain-blocked",
        "table --filter partitioned",
    ] {
        let (_, out, _) = run(line);
        let table = out.split_once("\n\n").unwrap().0;
        assert_eq!(table.lines().count(), 19, "{line}");
        for row in table.lines() {
            assert!(row.len() <= 80, "{line}: {row}");
        }
    }
    let (_, out, _) = run("table");
    let row = out.lines().find(|row| row.starts_with(" 20")).unwrap();
    let cells: Vec<_> = row.split_whitespace().collect();
    // Cao's table of 1998 has these rates. The best k for 20 bits per item is 14.
    assert_eq!(
        cells,
        [
            "20", "0.0488", "0.00906", "0.0027", "0.00108", "5.30e-4", "3.03e-4", "1.96e-4", "14",
            "6.71e-5"
        ]
    );
}

#[test]
fn a_table_says_what_it_holds() {
    for (line, note) in [
        (
            "table -n 1000 -m 10000",
            "the rate of this n and m, for each number of hashes",
        ),
        (
            "table -n 1000 -p 1%",
            "the fewest bits for this n and p, for each number of hashes",
        ),
        (
            "table -n 1000 -p 1% --filter counting",
            "the fewest counters for this n and p, for each number of hashes",
        ),
        (
            "table -m 1000 -p 1%",
            "the most items for this m and p, for each number of hashes",
        ),
        ("table -n 10", "false-positive rates, exact for n = 10"),
    ] {
        let (_, out, _) = run(line);
        assert!(out.contains(&format!("\nnote: {note}\n")), "{line}: {out}");
    }
    let more = "best is the k with the lowest rate; k to 10 and all digits: --format csv";
    assert!(run("table").1.contains(more));
    let (_, markdown, _) = run("table --format markdown");
    assert!(!markdown.contains(more), "{markdown}");
}
