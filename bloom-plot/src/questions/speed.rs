//! The times of a race: one place for each operation and a series for each contender.

use std::collections::BTreeSet;

use bloom_params::numbers::{grouped, nearest};

use crate::axes::{axis, check};
use crate::curves::{Figure, MOST_SERIES, Mark, Measured, Scale, Series};
use crate::error::FigureError;

/// The fields that a race must have, as the bench names them.
const FIELDS: [&str; 8] = [
    "keys",
    "n",
    "p",
    "contender",
    "operation",
    "ns_lower",
    "ns_median",
    "ns_upper",
];

/// The most names that fit beside each other.
const MOST_NAMES: usize = 24;

/// The question: which contender is fastest at which operation?
#[derive(Debug, Clone, PartialEq)]
pub struct Speed {
    /// A race as the bench's `--csv` writes it. A cell of it has one kind of key, one n and one p.
    pub csv: String,
    /// The cell to plot, from 1, if the race has several.
    pub cell: usize,
    /// The contenders to plot, up to 24; empty for all. Up to 8 get a colour each; more get a place
    /// each on the axis.
    pub only: Vec<String>,
}

/// One line of a race.
struct Line {
    cell: [String; 3],
    contender: String,
    operation: String,
    /// Lower quartile, median and upper quartile, in nanoseconds per key.
    times: [f64; 3],
}

impl Speed {
    /// Computes the figure: medians with the quartiles of the rounds.
    ///
    /// # Errors
    ///
    /// The text must have the fields of a race, times above 0, and the selected cell, which must
    /// have at most 24 contenders and 8 operations.
    pub fn figure(&self) -> Result<Figure, FigureError> {
        let lines = read(&self.csv)?;
        let chosen = self.chosen(&lines)?;
        let (mut contenders, mut operations): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        for line in &chosen {
            if !contenders.contains(&&*line.contender) {
                contenders.push(&line.contender);
            }
            if !operations.contains(&&*line.operation) {
                operations.push(&line.operation);
            }
        }
        // The fewer get colours, the others get names on the axis.
        let by_contender = contenders.len() <= MOST_SERIES;
        let (coloured, named) = if by_contender {
            (&contenders, &operations)
        } else {
            (&operations, &contenders)
        };
        for (parameter, most, got) in [
            ("only", MOST_NAMES, named.len()),
            ("operations", MOST_SERIES, coloured.len()),
        ] {
            if got > most {
                return Err(FigureError::TooMany {
                    parameter,
                    most,
                    got,
                });
            }
        }
        let series = coloured.iter().enumerate().map(|(index, name)| {
            // Side by side at the place of their name.
            let shift = (index as f64 + 0.5) / coloured.len() as f64 - 0.5;
            let measured = chosen.iter().filter_map(|line| {
                let (colour, place) = if by_contender {
                    (&line.contender, &line.operation)
                } else {
                    (&line.operation, &line.contender)
                };
                let place = named.iter().position(|name| name == place)?;
                let [low, y, high] = line.times;
                (colour == name).then_some(Measured::Value {
                    x: place as f64 + 1.0 + 0.7 * shift,
                    y,
                    low,
                    high,
                })
            });
            Series {
                label: (*name).to_owned(),
                measured: measured.collect(),
                ..Series::default()
            }
        });
        let series: Vec<Series> = series.collect();
        let times = chosen.iter().flat_map(|line| line.times);
        let (low, high) = times.fold((f64::INFINITY, 0.0_f64), |(low, high), time| {
            (low.min(time), high.max(time))
        });
        let fastest = fastest(&chosen);
        let [keys, items, rate] = &chosen[0].cell;
        let items = items.parse().map_or_else(|_| items.clone(), grouped);
        let marks = named.iter().enumerate().map(|(index, name)| Mark {
            x: index as f64 + 1.0,
            label: (*name).to_owned(),
        });
        Ok(Figure {
            title: format!("Nanoseconds a key, n = {items}, p = {rate}, {keys} keys"),
            note: "Median of the rounds, with their quartiles. Lower is faster.".to_owned(),
            description: format!(
                "The processor time a key of {} Bloom filters in {} operations{fastest}.",
                contenders.len(),
                operations.len()
            ),
            x: axis(
                if by_contender {
                    "operation"
                } else {
                    "contender"
                },
                Scale::Names,
                0.5,
                named.len() as f64 + 0.5,
            ),
            y: axis("time in ns a key", Scale::Log, low / 1.3, high * 1.3),
            series,
            marks: marks.collect(),
        })
    }

    /// Returns the lines of the selected cell and contenders.
    fn chosen<'a>(&self, lines: &'a [Line]) -> Result<Vec<&'a Line>, FigureError> {
        let mut cells: Vec<&[String; 3]> = Vec::new();
        for line in lines {
            if !cells.contains(&&line.cell) {
                cells.push(&line.cell);
            }
        }
        let holds = (1..=cells.len()).contains(&self.cell);
        check("cell", "one of those in the file", holds, self.cell)?;
        let cell = cells[self.cell - 1];
        let here = || lines.iter().filter(|line| line.cell == *cell);
        let names: BTreeSet<&str> = here().map(|line| &*line.contender).collect();
        let unknown = self.only.iter().find(|only| !names.contains(&***only));
        if let Some(unknown) = unknown {
            return Err(FigureError::Refused {
                parameter: "only",
                rule: "contenders of the race",
                got: unknown.clone(),
            });
        }
        let chosen = |line: &&Line| self.only.is_empty() || self.only.contains(&line.contender);
        Ok(here().filter(chosen).collect())
    }
}

/// Returns a sentence that names the shortest time.
fn fastest(lines: &[&Line]) -> String {
    let fastest = lines
        .iter()
        .min_by(|one, other| one.times[1].total_cmp(&other.times[1]));
    fastest.map_or_else(String::new, |line| {
        format!(
            "; the shortest is {} ns for {} by {}",
            nearest(line.times[1], 3),
            line.operation,
            line.contender
        )
    })
}

/// Parses the lines of a race.
fn read(csv: &str) -> Result<Vec<Line>, FigureError> {
    let refused = |rule: &'static str, got: &str| FigureError::Refused {
        parameter: "file",
        rule,
        got: format!("{:?}", got.chars().take(60).collect::<String>()),
    };
    let mut lines = csv.lines();
    let head = lines.next().unwrap_or_default();
    let names: Vec<&str> = head.split(',').collect();
    let mut places = [0; FIELDS.len()];
    for (place, field) in places.iter_mut().zip(FIELDS) {
        let found = names.iter().position(|name| *name == field);
        *place = found.ok_or_else(|| refused("a race as the bench's --csv writes it", head))?;
    }
    let lines = lines.filter(|line| !line.trim().is_empty()).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        if fields.len() != names.len() {
            return Err(refused(
                "as many fields in every line as in its first",
                line,
            ));
        }
        let field = |index: usize| fields[places[index]];
        let time = |index: usize| {
            let time = field(index).parse::<f64>().ok();
            let time = time.filter(|time| *time > 0.0 && time.is_finite());
            time.ok_or_else(|| refused("times above 0", line))
        };
        Ok(Line {
            cell: [0, 1, 2].map(|index| field(index).to_owned()),
            contender: field(3).to_owned(),
            operation: field(4).to_owned(),
            times: [time(5)?, time(6)?, time(7)?],
        })
    });
    let lines = lines.collect::<Result<Vec<_>, _>>()?;
    if lines.is_empty() {
        return Err(refused("at least one line of times", head));
    }
    Ok(lines)
}
