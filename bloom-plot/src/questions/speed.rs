//! A chart of the times in a benchmark's file: a place on the axis for each operation, and a series for each candidate (a
//! filter of some crate), or the other way round if there are more than 8 candidates.

use std::collections::BTreeSet;

use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, check, check_count};
use crate::curves::{Figure, MAX_SERIES, Mark, Measured, Scale, Series};
use crate::error::FigureError;
use crate::sampling::offset;

/// The columns that the benchmark's file must have, in the order in which [`Line`] has them.
const FIELDS: [&str; 8] = [
    "keys",
    "n",
    "p",
    "candidate",
    "operation",
    "ns_lower",
    "ns_median",
    "ns_upper",
];

/// The most names that fit side by side on the axis.
const MAX_NAMES: usize = 24;

/// The question: which candidate (a filter of some crate) is fastest at which operation?
#[derive(Debug, Clone, PartialEq)]
pub struct Speed {
    /// The text of the file of times that the benchmark writes with `--csv`.
    pub csv: String,
    /// The number of the cell to plot, counted from 1. A cell of the file has one kind of key, one n and one p.
    pub cell: u64,
    /// The names of the candidates to plot: up to 8 if each has a colour, up to 24 if they are along the axis. An empty list
    /// selects all candidates.
    pub only: Vec<String>,
}

/// One line of the table.
struct Line<'a> {
    cell: [&'a str; 3],
    candidate: &'a str,
    operation: &'a str,
    /// Lower quartile, median and upper quartile, in nanoseconds per key.
    times: [f64; 3],
}

impl<'a> Line<'a> {
    /// Returns the name that has a colour and the name that has a place on the axis. If `by_candidate`, they are the candidate
    /// and the operation; otherwise the operation and the candidate.
    fn names(&self, by_candidate: bool) -> [&'a str; 2] {
        if by_candidate {
            [self.candidate, self.operation]
        } else {
            [self.operation, self.candidate]
        }
    }
}

impl Speed {
    /// Computes the figure, which shows the median time of each operation and the quartiles.
    ///
    /// # Errors
    ///
    /// The text must have the columns of a benchmark's file and times above 0, and it must contain the selected cell and the
    /// candidates to plot. There may be at most 8 candidates with at most 24 operations, or at most 24 candidates with at most
    /// 8 operations.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        let lines = read(&self.csv)?;
        let chosen = self.chosen(&lines)?;
        let mut candidates = distinct(chosen.iter().map(|line| line.candidate));
        let mut operations = distinct(chosen.iter().map(|line| line.operation));
        // The candidates get colours if there are enough colours for them, and the operations get names on the axis. Otherwise,
        // the operations get colours and the candidates get names.
        let by_candidate = candidates.len() <= MAX_SERIES;
        let (coloured, named, across, listed) = if by_candidate {
            (&mut candidates, &operations, "operation", "operations")
        } else {
            (&mut operations, &candidates, "candidate", "only")
        };
        check_count(listed, named.len(), MAX_NAMES)?;
        check_count("operations", coloured.len(), MAX_SERIES)?;
        let is_sorted = slowest_first(coloured, named, |one, name| {
            let mut lines = chosen.iter();
            let line = lines.find(|line| line.names(by_candidate) == [one, name])?;
            Some(line.times[1])
        });
        let series = coloured.iter().enumerate().map(|(index, name)| {
            // The points of the different series at one name are side by side.
            let shift = offset(index, coloured.len()) - 0.5;
            let measured = chosen.iter().filter_map(|line| {
                let [colour, place] = line.names(by_candidate);
                let place = named.iter().position(|name| *name == place)?;
                let [low, y, high] = line.times;
                let x = place as f64 + 1.0 + 0.7 * shift;
                (colour == *name).then(|| Measured::value(x, y, low, high))
            });
            Series {
                measured: measured.collect(),
                ..Series::line(*name, Vec::new())
            }
        });
        let series: Vec<Series> = series.collect();
        let times = chosen.iter().flat_map(|line| line.times);
        let low = times.clone().fold(f64::INFINITY, f64::min);
        let high = times.fold(0.0, f64::max);
        let fastest = fastest(&chosen);
        let legend = if is_sorted {
            " Legend: slowest first, by the geometric mean where all have a time."
        } else {
            ""
        };
        let [keys, items, rate] = chosen[0].cell;
        let items = items
            .parse::<u64>()
            .map_or_else(|_| items.to_owned(), grouped);
        let marks = (1_u32..).zip(named);
        let marks = marks.map(|(place, name)| Mark::new(place.into(), *name));
        Ok(Figure {
            title: format!("Nanoseconds a key, n = {items}, p = {rate}, {keys} keys"),
            note: format!("Median of the rounds, with their quartiles; lower is faster.{legend}"),
            description: format!(
                "The processor time per key of {} Bloom filters in {} operations{fastest}.",
                candidates.len(),
                operations.len()
            ),
            x: axis(across, Scale::Names, 0.5, named.len() as f64 + 0.5),
            y: axis("time in ns per key", Scale::Log, low / 1.3, high * 1.3),
            series,
            marks: marks.collect(),
        })
    }

    /// Returns the lines of the selected cell and candidates.
    fn chosen<'a>(&self, lines: &'a [Line<'a>]) -> Result<Vec<&'a Line<'a>>, FigureError> {
        let cells = distinct(lines.iter().map(|line| line.cell));
        let all = 1..=cells.len() as u64;
        let rule = format!("from 1 to {}, the cells of the file", cells.len());
        check("cell", &rule, all.contains(&self.cell), self.cell)?;
        let cell = cells[self.cell as usize - 1];
        let here = || lines.iter().filter(|line| line.cell == cell);
        let names: BTreeSet<&str> = here().map(|line| line.candidate).collect();
        let only = self.only.iter().filter(|only| !only.is_empty());
        let only: Vec<&str> = only.map(String::as_str).collect();
        for one in &only {
            check("only", "a candidate of the file", names.contains(one), one)?;
        }
        let chosen = |line: &&Line<'_>| only.is_empty() || only.contains(&line.candidate);
        Ok(here().filter(chosen).collect())
    }
}

/// Orders the series by the geometric mean of their times, slowest first. The mean is over those names on the axis for which
/// every series has a time. Returns whether there are such names.
fn slowest_first(
    coloured: &mut [&str],
    named: &[&str],
    time: impl Fn(&str, &str) -> Option<f64>,
) -> bool {
    let of_all = |place: &&&str| coloured.iter().all(|one| time(one, place).is_some());
    let places: Vec<&&str> = named.iter().filter(of_all).collect();
    let product = |one: &str| -> f64 {
        let times = places.iter().filter_map(|place| time(one, place));
        times.map(f64::ln).sum()
    };
    coloured.sort_by(|one, other| product(other).total_cmp(&product(one)));
    !places.is_empty()
}

/// Returns a clause that names the shortest median time, its operation and its candidate.
fn fastest(lines: &[&Line<'_>]) -> String {
    let fastest = lines
        .iter()
        .min_by(|one, other| one.times[1].total_cmp(&other.times[1]));
    fastest.map_or_else(String::new, |line| {
        format!(
            "; the shortest is {} ns for {} by {}",
            nearest(line.times[1], 3),
            line.operation,
            line.candidate
        )
    })
}

/// Returns each value once, in the order of first occurrence.
fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for one in all {
        if !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    distinct
}

/// Parses the lines of the table.
fn read(csv: &str) -> Result<Vec<Line<'_>>, FigureError> {
    let refused = |rule: &str, got: &str| {
        let got: String = got.chars().take(60).collect();
        FigureError::refused("file", format!("must be {rule}"), format!("{got:?}"))
    };
    let (head, rest) = csv.split_once('\n').unwrap_or((csv, ""));
    let head = head.trim_end_matches('\r');
    let names: Vec<&str> = head.split(',').collect();
    let column = |field: &&str| names.iter().rposition(|name| name == field);
    let columns: Option<Vec<usize>> = FIELDS.iter().map(column).collect();
    let wrong = || {
        refused(
            "a table of times, written by the benchmark with --csv",
            head,
        )
    };
    let columns = columns.ok_or_else(wrong)?;
    let lines = rest.lines().filter(|line| !line.trim().is_empty());
    let lines = lines.map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        if fields.len() != names.len() {
            let rule = "a table with as many fields in every line as in its first";
            return Err(refused(rule, line));
        }
        let time = |column: usize| {
            let time = fields[columns[column]].parse::<f64>().ok();
            let time = time.filter(|time| *time > 0.0 && time.is_finite());
            time.ok_or_else(|| refused("a table of times above 0", line))
        };
        Ok(Line {
            cell: [0, 1, 2].map(|column| fields[columns[column]]),
            candidate: fields[columns[3]],
            operation: fields[columns[4]],
            times: [time(5)?, time(6)?, time(7)?],
        })
    });
    let lines = lines.collect::<Result<Vec<_>, _>>()?;
    if lines.is_empty() {
        return Err(refused("a table with at least one line of times", head));
    }
    Ok(lines)
}
