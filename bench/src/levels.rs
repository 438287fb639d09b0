//! Records of a processor at each level of vectors, and the tables that the README and `LIMITS.md` show of
//! them.

use std::fs;
use std::io;
use std::path::Path;

use bloom_params::numbers::nearest;

use crate::machine::{Level, level};

/// The lines of a record, each split into fields.
struct Record(Vec<Vec<String>>);

/// Items of the README's table, at 1 % with u64 keys.
const SHOWN: f64 = 1e6;

/// Operations of the README's table.
const OPERATIONS: [&str; 5] = ["insert", "hit", "miss", "mix", "dependent"];

/// The filters of the README's table, each with the crate it is compared with.
const FILTERS: [(&str, &str); 2] = [
    ("bloom+foldhash", "fastbloom+foldhash"),
    ("blocked+foldhash", "fastbloom+foldhash"),
];

/// An aim: filter, other crate, operation, and for each level the target ratios in cache and at 2e7 items.
type Aim = (
    &'static str,
    &'static str,
    &'static str,
    [Option<(f64, f64)>; 3],
);

const BLOOM: &str = "bloom+foldhash";
const BLOCKED: &str = "blocked+foldhash";
const FAST: &str = "fastbloom+foldhash";
const SPLIT: &str = "sbbf-rs-safe+foldhash";

const AIMS: [Aim; 11] = [
    (
        BLOOM,
        FAST,
        "hit",
        [Some((1.2, 1.2)), Some((1.0, 1.0)), Some((0.97, 0.97))],
    ),
    (
        BLOOM,
        FAST,
        "miss",
        [Some((1.5, 1.0)), Some((1.5, 0.9)), Some((1.4, 0.9))],
    ),
    (
        BLOOM,
        FAST,
        "mix",
        [Some((1.4, 1.0)), Some((1.3, 0.95)), Some((1.2, 0.95))],
    ),
    (
        BLOOM,
        FAST,
        "insert",
        [Some((1.0, 1.0)), Some((1.0, 1.0)), Some((0.97, 0.97))],
    ),
    (
        BLOOM,
        FAST,
        "dependent",
        [Some((0.6, 0.6)), Some((0.6, 0.6)), Some((0.6, 0.6))],
    ),
    (
        BLOCKED,
        SPLIT,
        "hit",
        [Some((1.0, 1.0)), Some((0.9, 0.9)), None],
    ),
    (
        BLOCKED,
        SPLIT,
        "miss",
        [Some((1.0, 1.0)), Some((0.9, 0.9)), None],
    ),
    (BLOCKED, FAST, "hit", [None, None, Some((1.5, 1.5))]),
    (BLOCKED, FAST, "miss", [None, None, Some((1.5, 1.5))]),
    (
        BLOCKED,
        FAST,
        "hit batch",
        [Some((5.0, 15.0)), Some((4.0, 12.0)), Some((1.2, 5.0))],
    ),
    (
        BLOCKED,
        FAST,
        "dependent",
        [Some((0.6, 0.6)), Some((0.6, 0.6)), Some((0.6, 0.6))],
    ),
];

impl Record {
    /// Reads a record, if there is one.
    fn read(path: &Path) -> Option<Self> {
        let text = fs::read_to_string(path).ok()?;
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        Some(Self(
            lines
                .map(|line| line.split(',').map(str::to_owned).collect())
                .collect(),
        ))
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.0.first()?.iter().position(|field| field == name)
    }

    /// The medians in a column for a filter and an operation with u64 keys, as (n, p, median).
    fn all(&self, filter: &str, operation: &str, column: &str) -> Vec<(f64, f64, f64)> {
        let Some(column) = self.column(column) else {
            return Vec::new();
        };
        let lines = self.0.iter().skip(1);
        let lines =
            lines.filter(|line| line[0] == "u64" && line[3] == filter && line[7] == operation);
        let numbers = lines.filter_map(|line| {
            let number = |index: usize| line.get(index)?.parse::<f64>().ok();
            Some((number(1)?, number(2)?, number(column)?))
        });
        numbers.collect()
    }

    /// The same for the cell shown in the README.
    fn shown(&self, filter: &str, operation: &str, column: &str) -> Option<f64> {
        let all = self.all(filter, operation, column);
        let cell = all
            .into_iter()
            .find(|(items, rate, _)| *items == SHOWN && *rate == 0.01);
        cell.map(|(_, _, number)| number)
    }
}

/// Writes the record of this process, and the tables made from all records of this processor.
pub(crate) fn write(root: &Path, lines: &[(&str, String)], csv: &str) -> io::Result<()> {
    let folder = root.join("bench/records");
    fs::create_dir_all(&folder)?;
    let line = |name: &str| {
        let line = lines.iter().find(|(found, _)| *found == name);
        line.map_or("", |(_, value)| value.as_str())
    };
    let processor = line("processor");
    let file = |level: Level| folder.join(format!("{}-{}.csv", slug(processor), level.file_name()));
    let head = lines
        .iter()
        .map(|(name, value)| format!("# {name}: {value}\n"));
    fs::write(file(level()), head.collect::<String>() + csv)?;
    let records = Level::ALL.map(|level| Record::read(&file(level)));
    let when = format!(
        "{}; {processor}; {}",
        line("date").split(' ').next().unwrap_or_default(),
        line("compiler")
            .split('(')
            .next()
            .unwrap_or_default()
            .trim(),
    );
    replace(&root.join("README.md"), "speed", &shown(&records, &when))?;
    replace(
        &root.join("bench/LIMITS.md"),
        "reached",
        &reached(&records, &when),
    )
}

/// A processor's name as part of a file name.
fn slug(processor: &str) -> String {
    let words = processor.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && !["R", "TM", "Processor"].contains(word));
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// Replaces the text between the marks with this name.
fn replace(path: &Path, name: &str, part: &str) -> io::Result<()> {
    let text = fs::read_to_string(path)?;
    let text = replaced(&text, name, part)
        .ok_or_else(|| io::Error::other(format!("{} must have a part `{name}`", path.display())))?;
    fs::write(path, text)
}

fn replaced(text: &str, name: &str, part: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}{part}{end}{after}"))
}

/// The README's table.
fn shown(records: &[Option<Record>; 3], when: &str) -> String {
    let heads = FILTERS.map(|(filter, _)| {
        let name = filter.trim_end_matches("+foldhash");
        Level::ALL
            .map(|level| format!("{name}, {}", level.name()))
            .join(" | ")
    });
    let mut text = format!(
        "Nanoseconds per key, {SHOWN:e} u64 items at 1 %, and how many times as fast as fastbloom with the same hasher, \
         on one\nmachine with its vectors left out in turn ({when}):\n\n| | {} |\n| --- |{}\n",
        heads.join(" | "),
        " ---: |".repeat(FILTERS.len() * Level::ALL.len())
    );
    for operation in OPERATIONS {
        let cells = FILTERS.iter().flat_map(|(filter, other)| {
            records.each_ref().map(|record| {
                let cell = record.as_ref().and_then(|record| {
                    let time = record.shown(filter, operation, "ns_median")?;
                    let ratio = record.shown(filter, operation, &format!("vs_{other}_median"))?;
                    Some(format!("{} ({}×)", nearest(time, 2), nearest(ratio, 2)))
                });
                cell.unwrap_or_default()
            })
        });
        let cells: Vec<String> = cells.collect();
        text += &format!("| {operation} | {} |\n", cells.join(" | "));
    }
    text
}

/// The table of aims: the lowest ratio in cache and the lowest at 2e7 items, over both rates.
fn reached(records: &[Option<Record>; 3], when: &str) -> String {
    let names = Level::ALL.map(|level| format!("{}: aim | reached", level.name()));
    let mut text = format!(
        "{when}.\n\n| | {} |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        names.join(" | ")
    );
    for (filter, other, operation, aims) in AIMS {
        let cells = aims.iter().zip(records).map(|(aim, record)| {
            let (Some((caches, far)), Some(record)) = (aim, record) else {
                return " | ".to_owned();
            };
            let all = record.all(filter, operation, &format!("vs_{other}_median"));
            let lowest = |beyond: bool| {
                let cells = all.iter().filter(|(items, ..)| (*items > 1e7) == beyond);
                cells.map(|cell| cell.2).fold(f64::INFINITY, f64::min)
            };
            let said = |ratio: f64, aim: f64| {
                let text = nearest(ratio, 3);
                if ratio < aim {
                    format!("**{text}**")
                } else {
                    text
                }
            };
            let aim = if caches == far {
                format!("{caches}")
            } else {
                format!("{caches}; {far}")
            };
            format!(
                "{aim} | {}; {}",
                said(lowest(false), *caches),
                said(lowest(true), *far)
            )
        });
        let [filter, other] = [filter, other].map(|name| name.trim_end_matches("+foldhash"));
        let cells: Vec<String> = cells.collect();
        text += &format!(
            "| {filter} against {other}, {operation} | {} |\n",
            cells.join(" | ")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_is_replaced() {
        let text = "a\n<!-- x -->\nold\nlines\n<!-- /x -->\nb\n";
        let new = replaced(text, "x", "new\n").unwrap();
        assert_eq!(new, "a\n<!-- x -->\nnew\n<!-- /x -->\nb\n");
        assert_eq!(replaced(&new, "x", "new\n").unwrap(), new);
        assert_eq!(replaced("a\n", "x", "new\n"), None);
    }

    #[test]
    fn records_are_read_by_the_names_of_their_columns() {
        let path = std::env::temp_dir().join(format!("bloom-record-{}.csv", std::process::id()));
        let text = "# date: today\nkeys,n,p,contender,b,r,s,operation,rounds,ns_median,vs_x_median\n\
                    u64,1000000,0.01,bloom+foldhash,9,1,0,hit,7,4.5,1.5\n";
        fs::write(&path, text).unwrap();
        let record = Record::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(
            record.shown("bloom+foldhash", "hit", "vs_x_median"),
            Some(1.5)
        );
        assert_eq!(record.shown("bloom+foldhash", "miss", "vs_x_median"), None);
        assert_eq!(record.shown("bloom+foldhash", "hit", "vs_y_median"), None);
    }

    #[test]
    fn a_processor_name_becomes_a_file_name() {
        let name = "Intel(R) Xeon(R) Processor (family 6, model 167)";
        assert_eq!(slug(name), "intel-xeon-family-6-model-167");
    }
}
