//! Makes the tables in `bench/README.md` and `bench/LIMITS.md` from the records, which are the CSV files in `bench/records`.

use bloom_params::numbers::nearest;

use crate::machine::Level;
use crate::operation::Operation;
use crate::recorded::{Levels, Record};

/// Which speeds are compared, one comparison in each line, with the aims for their ratios. A line becomes a row of the tables
/// in `LIMITS.md`, unless it has neither numbers nor an aim in caches.
const AIMS: &str = include_str!("../aims.csv");

/// Columns of the table in `bench/README.md`: a filter and the number of its items, at 1 % with u64 keys.
const COLUMNS: [(&str, f64); 4] = [
    ("bloom+foldhash", 1e6),
    ("bloom+foldhash", 2e7),
    ("blocked+foldhash", 1e6),
    ("blocked+foldhash", 2e7),
];

/// The operations in the table of `bench/README.md` for this project's filters with AVX-512. For these filters with other
/// vector instructions or without any, the table has only the first of these operations.
const OPERATIONS: [Operation; 4] = [
    Operation::Present,
    Operation::Absent,
    Operation::Insert,
    Operation::Dependent,
];

/// The table of `bench/README.md` compares the speeds of its filters with the speed of this filter.
const FASTBLOOM: &str = "fastbloom+foldhash";

/// Returns the existing records of a processor, each with its level of vector instructions and the index of that level.
fn present(records: &Levels) -> impl Iterator<Item = (usize, Level, &Record)> {
    let all = records.iter().zip(Level::ALL).enumerate();
    all.filter_map(|(index, (record, level))| Some((index, level, record.as_ref()?)))
}

/// Returns the table in `bench/README.md`: times for a million and for 20 million items, and the speeds relative to fastbloom.
pub(crate) fn display(records: &Levels) -> String {
    let heads = COLUMNS.map(|(filter, items)| {
        let name = filter.trim_end_matches("+foldhash");
        format!(" {name}, {items:e} |")
    });
    let when = present(records).next().map(|(.., record)| record.when());
    let mut text = format!(
        "Nanoseconds per key at 1 % with u64 keys, for a million and for 20 million items, and how many times as fast \
         as\nfastbloom with the same hasher, on one machine ({}):\n\n| |{}\n| --- |{}\n",
        when.unwrap_or_default(),
        heads.concat(),
        " ---: |".repeat(COLUMNS.len())
    );
    for (index, level, record) in present(records) {
        let operations = if index == 0 {
            &OPERATIONS[..]
        } else {
            &OPERATIONS[..1]
        };
        for operation in operations {
            text += &format!("| {}, {} |", operation.name(), level.name());
            for (filter, items) in COLUMNS {
                let of = |column: &str| {
                    let all = record.all(filter, operation.name(), column);
                    let cell = all.into_iter().find(|(n, p, _)| (*n, *p) == (items, 0.01));
                    cell.map_or_else(String::new, |(.., number)| nearest(number, 2))
                };
                let (time, ratio) = (of("ns_median"), of(&format!("vs_{FASTBLOOM}_median")));
                if time.is_empty() {
                    text += " |";
                } else {
                    text += &format!(" {time} ({ratio}×) |");
                }
            }
            text.push('\n');
        }
    }
    text
}

/// Returns the tables in `bench/LIMITS.md`, one for each level of vector instructions, with columns for each processor. A cell
/// has the lowest ratio of two speeds over all rates and, in the columns `in caches`, also over all numbers of items below a
/// million. Ratios at a million items are not compared with an aim, because the cache that holds such a filter differs between
/// processors. A row without numbers is left out, unless it has an aim in caches.
pub(crate) fn reached(processors: &[Levels]) -> String {
    let mut text = String::new();
    for (index, level) in Level::ALL.into_iter().enumerate() {
        let records: Vec<&Record> = processors
            .iter()
            .filter_map(|all| all[index].as_ref())
            .collect();
        if records.is_empty() {
            continue;
        }
        text += &format!("### {}\n\n", level.name());
        let heads = headings(&records);
        let columns = |size: &str| {
            let cells = heads.iter().map(|name| format!(" {size}, {name} |"));
            cells.collect::<String>()
        };
        for (record, name) in records.iter().zip(&heads) {
            text += &format!("- {name}: {}.\n", record.when());
        }
        text += &format!(
            "\n| |{} aim |{}{} aim |\n",
            columns("in caches"),
            columns("1e6"),
            columns("2e7")
        );
        text += &format!("| --- |{}\n", " ---: |".repeat(3 * records.len() + 2));
        let aims = AIMS.lines().filter(|line| !line.starts_with('#')).skip(1);
        for aim in aims.map(|line| line.split(',').collect::<Vec<_>>()) {
            let (filter, other, operation) = (aim[0], aim[1], aim[2]);
            let (near_aim, far_aim) = (aim[3 + index], aim[6 + index]);
            let mut is_empty = near_aim.is_empty();
            let [mut near, mut million, mut far] = [String::new(), String::new(), String::new()];
            for record in &records {
                let all = record.ratios(filter, other, operation);
                is_empty &= all.is_empty();
                let lowest = |sizes: &dyn Fn(f64) -> bool| {
                    let chosen = all.iter().filter(|(items, ..)| sizes(*items));
                    chosen.map(|(.., ratio)| *ratio).min_by(f64::total_cmp)
                };
                near += &format!(" {} |", verdict(lowest(&|n| n < 1e6), near_aim));
                let ratio = verdict(lowest(&|n| n == 1e6), "");
                million += &match ratio.as_str() {
                    "" => "  |".to_owned(),
                    ratio => format!(" {ratio} ({}) |", record.cache(filter)),
                };
                far += &format!(" {}", verdict(lowest(&|n| n > 1e7), far_aim));
                if far_aim == "bound" {
                    let times = record.all(filter, operation, "ns_median").into_iter();
                    let times = times
                        .filter(|(items, ..)| *items > 1e7)
                        .map(|(.., time)| time);
                    let slowest = times.max_by(f64::total_cmp);
                    far +=
                        &slowest.map_or_else(String::new, |ns| format!(", {} ns", nearest(ns, 2)));
                }
                far += " |";
            }
            if is_empty {
                continue;
            }
            let filter = filter.trim_end_matches("+foldhash");
            let other = other.split('+').next().unwrap_or_default();
            text += &format!(
                "| {filter} against {other}, {operation} |{near} {near_aim} |{million}{far} {far_aim} |\n"
            );
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// Returns the column heading of each processor: its short name, or its whole name if another processor has the same short
/// name.
fn headings(records: &[&Record]) -> Vec<String> {
    let short: Vec<String> = records.iter().map(|record| record.short_name()).collect();
    let name = |(record, name): (&&Record, &String)| {
        let is_unique = short.iter().filter(|other| *other == name).count() == 1;
        let whole = record.head("processor");
        if is_unique { name } else { whole }.to_owned()
    };
    records.iter().zip(&short).map(name).collect()
}

/// Returns the ratio with three digits, in bold if it is below the aim.
fn verdict(ratio: Option<f64>, aim: &str) -> String {
    let Some(ratio) = ratio else {
        return String::new();
    };
    let text = nearest(ratio, 3);
    match aim.parse::<f64>() {
        Ok(aim) if ratio < aim => format!("**{text}**"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use bloom_testing::assert_has;

    use super::*;

    const RECORD: &str = "# date: 2026-11-24 09:00 UTC\n# processor: Some CPU\n\
        # caches: L1d 48K, L1i 32K, L2 1024K, L3 32768K\n# compiler: rustc 1.95.0 (5980 2026), no RUSTFLAGS\n\
        keys,n,p,candidate,bits_per_item,operation,ns_median,vs_fastbloom+foldhash_median\n\
        u64,1000,0.01,bloom+foldhash,9.6,present,4.5,1.1\n\
        u64,1000000,0.01,bloom+foldhash,9.6,present,5.5,1.7\n\
        u64,1000000,0.001,bloom+foldhash,14.4,present,6.5,0.9\n\
        u64,20000000,0.01,bloom+foldhash,9.6,present,50,1.2\n\
        u64,20000000,0.01,bloom+foldhash,9.6,present batch,33.3,2.5\n\
        u64,1000,0.01,counting+foldhash,38.4,insert,15,0.4\n\
        u64,1000,0.01,counting+foldhash,38.4,remove,60,\n";

    fn one() -> Levels {
        [Some(Record::parse(RECORD)), None, None]
    }

    #[test]
    fn a_million_items_are_shown_with_their_cache_and_only_the_other_sizes_are_judged() {
        let text = reached(&[one()]);
        let head = "### AVX-512\n\n- Some CPU: 2026-11-24; Some CPU; rustc 1.95.0.\n\n\
            | | in caches, Some CPU | aim | 1e6, Some CPU | 2e7, Some CPU | aim |\n";
        assert!(text.starts_with(head), "{text}");
        let rows = [
            "| bloom against fastbloom, present | **1.1** | 1.15 | 0.9 (L3) | 1.2 | 1.05 |\n",
            "| bloom against fastbloom, present batch |  | 1.4 |  | 2.5, 33 ns | bound |\n",
            "| counting against its insert, remove | **0.25** | 0.333 |  |  |  |\n",
            "| blocked+avalanching against sbbf-rs-safe, present |  | 1.2 |  |  | 0.95 |\n",
        ];
        assert_has("the table", &text, &rows);
        // At each level, only processors with a record of that level have columns.
        assert_eq!(text, reached(&[[None, None, None], one()]));
        let text = reached(&[one(), one()]);
        let line = "| bloom against fastbloom, present | **1.1** | **1.1** | 1.15 | 0.9 (L3) | 0.9 (L3) | 1.2 | 1.2 | 1.05 |\n";
        assert!(text.contains(line), "{text}");
        assert!(!text.contains("sbbf-rs-safe, mixed"), "{text}");
    }

    #[test]
    fn every_processor_has_a_heading_of_its_own() {
        let names = [
            ("AMD EPYC (family 26, model 2)", "AMD 26/2"),
            ("AMD EPYC (family 25, model 17)", "AMD 25/17"),
            (
                "Intel(R) Xeon(R) Processor (family 6, model 207)",
                "Intel 6/207",
            ),
            (
                "Intel(R) Xeon(R) Gold 1 (family 6, model 143)",
                "Intel(R) Xeon(R) Gold 1 (family 6, model 143)",
            ),
            (
                "Intel(R) Xeon(R) Gold 2 (family 6, model 143)",
                "Intel(R) Xeon(R) Gold 2 (family 6, model 143)",
            ),
            ("Apple M2", "Apple M2"),
            ("Apple M4", "Apple M4"),
        ];
        let records = names.map(|(name, _)| Record::parse(&format!("# processor: {name}\n")));
        let headings = headings(&records.iter().collect::<Vec<_>>());
        assert_eq!(headings, names.map(|(_, heading)| heading));
    }

    #[test]
    fn every_aim_names_candidates_and_an_operation_and_is_a_number_or_a_bound() {
        use crate::candidate::Name;
        use clap::ValueEnum;
        let lines: Vec<&str> = AIMS.lines().filter(|line| !line.starts_with('#')).collect();
        for line in &lines[1..] {
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields.len(), 9, "{line}");
            assert!(Name::from_str(fields[0], false).is_ok(), "{line}");
            let other = Name::from_str(fields[1], false).is_ok();
            assert!(other || fields[1] == "its insert", "{line}");
            assert!(
                Operation::ALL.iter().any(|it| it.name() == fields[2]),
                "{line}"
            );
            let valid =
                |aim: &&str| aim.is_empty() || *aim == "bound" || aim.parse::<f64>().is_ok();
            assert!(fields[3..].iter().all(valid), "{line}");
        }
    }

    #[test]
    fn the_table_of_results_has_a_column_in_cache_and_one_out_of_it() {
        let text = display(&one());
        let row = "| present, AVX-512 | 5.5 (1.7×) | 50 (1.2×) | | |\n";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("| | bloom, 1e6 | bloom, 2e7 |"), "{text}");
    }
}
