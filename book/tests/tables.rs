//! The tables that chapters include, computed anew and compared with the files.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use bloom_core::math::{exact, textbook};
use bloom_params::numbers::grouped;

/// Compares a table with its file, or writes the file where `UPDATE_TABLES` is set.
fn assert_is_file(table: &str, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/tables")
        .join(name);
    if env::var_os("UPDATE_TABLES").is_some() {
        fs::write(&path, table).unwrap();
    }
    let file = fs::read_to_string(&path).unwrap();
    assert_eq!(
        table, file,
        "{name} is out of date: run again with UPDATE_TABLES=1"
    );
}

/// Three significant digits, zeros at the end included, so that a column is of one kind.
fn three_digits(x: f64) -> String {
    let decimals = (2.0 - x.log10().floor()).max(0.0);
    format!("{x:.*}", decimals as usize)
}

#[test]
fn the_gap_between_the_textbook_and_the_exact_rate_is_as_shown() {
    let mut table = String::from(
        "| $n$ | $m$ | $k$ | textbook $p$ | exact $p$ | higher by, % | rule, % |\n\
         | --: | --: | --: | --: | --: | --: | --: |\n",
    );
    for (bits_per_item, k) in [(10, 7_u8), (20, 14)] {
        for m in [100, 1_000, 10_000, 100_000, 1_000_000] {
            let n = m / bits_per_item;
            let approximate = textbook::rate(n, m, k).unwrap().value();
            let p = exact::rate(n, m, k).unwrap().value();
            let pairs = f64::from(k) * f64::from(k - 1) / 2.0;
            let higher = 100.0 * (p / approximate - 1.0);
            let rule = 100.0 * pairs * (1.0 - 2_f64.ln()) / m as f64;
            writeln!(
                table,
                "| {} | {} | {k} | {approximate:.5e} | {p:.5e} | {} | {} |",
                grouped(n),
                grouped(m),
                three_digits(higher),
                three_digits(rule),
            )
            .unwrap();
        }
    }
    assert_is_file(&table, "textbook-gap.md");
}
