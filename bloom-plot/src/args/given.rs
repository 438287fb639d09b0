//! Holds the values of the command's flags: those that were typed, and the defaults of the others.

use std::sync::LazyLock;

use bloom_params::numbers::grouped;
use bloom_terminal::progress::{self, ProgressBar};
use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::measure::Effort;

/// The flags whose several values are compared in one picture. A chart takes one value of each of these flags. So one chart is
/// computed for each combination of values, and all of these charts are drawn over one another.
const COMPARED: [&str; 2] = ["n", "m"];

/// The values of a chart's flags. For a flag whose several values are compared, `chosen` has the index of the value that is
/// used.
#[derive(Clone)]
pub(super) struct Given<'a> {
    matches: &'a ArgMatches,
    chosen: Vec<(&'static str, usize)>,
}

impl<'a> Given<'a> {
    pub(super) fn new(matches: &'a ArgMatches) -> Self {
        let chosen = Vec::new();
        Self { matches, chosen }
    }

    /// Returns whether a flag was typed.
    pub(super) fn is_given(&self, name: &str) -> bool {
        self.matches.value_source(name) == Some(ValueSource::CommandLine)
    }

    /// Returns whether a flag that takes no value was typed.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.maybe(name).unwrap_or(false)
    }

    /// Returns the values of a flag.
    pub(super) fn all<T: Clone + Send + Sync + 'static>(&self, name: &str) -> Vec<T> {
        let known = self.matches.try_get_many(name).ok().flatten();
        known.into_iter().flatten().cloned().collect()
    }

    /// Returns the value of a flag, if it has one.
    pub(super) fn maybe<T: Clone + Send + Sync + 'static>(&self, name: &str) -> Option<T> {
        let mut chosen = self.chosen.iter().filter(|(chosen, _)| *chosen == name);
        let index = chosen.next().map_or(0, |(_, index)| *index);
        self.all(name).into_iter().nth(index)
    }

    /// Returns the value of a flag that has a default or is required.
    pub(super) fn one<T: Clone + Send + Sync + 'static>(&self, name: &str) -> T {
        self.maybe(name).expect("the flag has a default")
    }

    /// Returns how many filters and queries to measure and with which seed, or `None` without `--measured`.
    pub(super) fn effort(&self) -> Option<Effort> {
        let number = |name| self.maybe(name).unwrap_or(1);
        let effort = self.is_set("measured").then(|| {
            let [filters, queries, seed] = ["filters", "queries", "seed"].map(number);
            Effort::new(filters, queries, seed).expect("the parsers of the flags check them")
        });
        effort.map(|effort| effort.watched_by(show_progress))
    }

    /// Returns one copy of these flags for each combination of the values that are compared, with a label that names the values
    /// of the combination. If no values are compared, returns one copy with an empty label.
    pub(super) fn choices(&self) -> Vec<(String, Self)> {
        let mut choices = vec![(String::new(), self.clone())];
        for name in COMPARED {
            let values: Vec<u64> = self.all(name);
            if values.len() < 2 {
                continue;
            }
            let each = choices.iter().flat_map(|(label, given)| {
                let comma = if label.is_empty() { "" } else { ", " };
                values.iter().enumerate().map(move |(index, value)| {
                    let mut given = given.clone();
                    given.chosen.push((name, index));
                    let value = grouped(*value);
                    (format!("{label}{comma}{name} = {value}"), given)
                })
            });
            choices = each.collect();
        }
        choices
    }
}

/// The number of steps of the progress bar.
const WHOLE: f64 = 1_000.0;

/// The progress bar on standard error; hidden if standard error is not a terminal.
static BAR: LazyLock<ProgressBar> = LazyLock::new(|| {
    progress::bar(
        Some(WHOLE as u64),
        "measuring {bar:40} {percent} %, {eta} left",
    )
});

/// Shows the progress as a share from 0 to 1, and clears the bar at 1.
fn show_progress(share: f64) {
    BAR.set_position((WHOLE * share) as u64);
    if share >= 1.0 {
        BAR.finish_and_clear();
    }
}
