//! Compares the speeds in two CSV files of this program, an earlier file (`record`) and a later one (`now`), row by row.

use bloom_params::numbers::nearest;
use clap::ValueEnum;

use crate::candidate::Name;
use crate::recorded::{Record, Row};

/// A row is slower if its speed in the later file is below this share of its speed in the earlier file.
const MIN: f64 = 0.95;

/// The fields that identify a row: two rows are compared if all of these fields are equal.
const CELL: [&str; 5] = ["keys", "n", "p", "candidate", "operation"];

/// The column by which speeds are compared: how many times as fast a filter is as fastbloom+foldhash in the same round. A slow
/// hour of the machine slows both filters, so it does not change this ratio much. Rows without the ratio are compared by their
/// times.
const MEASURE: &str = "vs_fastbloom+foldhash_median";

/// Compares the rows of this project's filters that both files have. Returns the slower ones as rows of a Markdown table, the
/// greatest loss of speed first, and the number of compared rows.
pub(crate) fn slower(record: &Record, now: &Record) -> (Vec<String>, usize) {
    let ours = |name: &str| Name::from_str(name, false).is_ok_and(Name::is_ours);
    let (mut rows, mut count) = (Vec::new(), 0);
    for new in now.rows().filter(|row| ours(row.get("candidate"))) {
        let cell = |row: Row<'_>| CELL.map(|name| row.get(name).to_owned());
        let Some(old) = record.rows().find(|old| cell(*old) == cell(new)) else {
            continue;
        };
        let pair = |name: &str| Some((old.number(name)?, new.number(name)?));
        let Some((before, after)) = pair("ns_median") else {
            continue;
        };
        count += 1;
        let by_time = before / after;
        let ratio = pair(MEASURE).map_or(by_time, |(before, after)| after / before);
        if ratio < MIN {
            let texts = cell(new).join(" | ");
            let numbers = [before, after, by_time, ratio].map(|number| nearest(number, 3));
            rows.push((ratio, format!("| {texts} | {} |", numbers.join(" | "))));
        }
    }
    rows.sort_by(|one, other| one.0.total_cmp(&other.0));
    (rows.into_iter().map(|(_, row)| row).collect(), count)
}

/// Returns the result of [`slower`] as Markdown.
pub(crate) fn report(rows: &[String], count: usize) -> String {
    let mut text = format!(
        "{} of {count} cells have less than {MIN} of their recorded speed, relative to fastbloom+foldhash where it ran.\n",
        rows.len()
    );
    if !rows.is_empty() {
        text += "\n| keys | n | p | filter | operation | ns, record | ns, now | by time | by fastbloom |\n";
        text += &format!("| --- |{}\n", " ---: |".repeat(8));
        text += &(rows.join("\n") + "\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_hour_of_the_machine_does_not_make_a_cell_slower() {
        let head = "keys,n,p,candidate,operation,ns_median,vs_fastbloom+foldhash_median\n";
        let record = "u64,1000,0.01,bloom,present,4,2\nu64,1000,0.01,bloom,absent,4,2\n\
                      u64,1000,0.01,bloom,mixed,4,\nu64,1000,0.01,parquet,present,4,2\n";
        // `present` takes twice the time, but so does fastbloom. `absent` takes more than twice the time, and `mixed` has no
        // ratio to fastbloom. `parquet` is no filter of this project, and only one file has `insert`.
        let now = "u64,1000,0.01,bloom,present,8,2\nu64,1000,0.01,bloom,absent,9,1.8\n\
                   u64,1000,0.01,bloom,mixed,5,\nu64,1000,0.01,parquet,present,40,0.2\nu64,1000,0.01,bloom,insert,4,2\n";
        let parse = |text: &str| Record::parse(&(head.to_owned() + text));
        let (rows, count) = slower(&parse(record), &parse(now));
        assert_eq!(count, 3);
        assert_eq!(
            rows,
            [
                "| u64 | 1000 | 0.01 | bloom | mixed | 4 | 5 | 0.8 | 0.8 |",
                "| u64 | 1000 | 0.01 | bloom | absent | 4 | 9 | 0.444 | 0.9 |",
            ]
        );
        let text = report(&rows, count);
        assert!(text.starts_with("2 of 3 cells"), "{text}");
        let bars = text.lines().skip(2).map(|line| line.matches('|').count());
        assert!(bars.clone().all(|count| count == 10), "{text}");
    }
}
