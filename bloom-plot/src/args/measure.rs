//! The flags that add points measured on real filters, and the progress bar.

use std::sync::LazyLock;

use bloom_terminal::progress::{self, ProgressBar};
use clap::error::Result;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches, Id};

use crate::measure::Effort;
use crate::parse;

/// The heading of these flags in the help.
const HEADING: &str = "Measurement";

/// The default filters and queries of a chart. Charts that only inspect filters have no flag for
/// queries.
const DEFAULTS: [(&str, &str, Option<&str>); 13] = [
    ("rate-by-items", "20", Some("20000")),
    ("rate-by-bits", "20", Some("20000")),
    ("rate-by-hashes", "20", Some("20000")),
    ("bits-by-rate", "5", Some("200000")),
    ("sizing-error", "10", Some("500000")),
    ("hashing-error", "2000", Some("1000")),
    ("hash-floor", "5", Some("200000")),
    ("blocked-cost", "5", Some("200000")),
    ("scalable-growth", "10", Some("50000")),
    ("counter-overflow", "1000", None),
    ("trust", "20", Some("20000")),
    ("rate-spread", "60", None),
    ("estimate-error", "60", None),
];

/// Adds the numbers of a chart's measurement, with its defaults.
pub(super) fn with_defaults(chart: Command) -> Command {
    let mut all = DEFAULTS.iter();
    let Some((_, filters, queries)) = all.find(|(name, ..)| *name == chart.get_name()) else {
        return chart;
    };
    let number = |name, value, otherwise, help, accepts| {
        let arg = Arg::new(name).long(name).value_name(value).help(help);
        arg.default_value(otherwise)
            .value_parser(parse::effort(name, accepts))
            .requires("measured")
            .help_heading(HEADING)
    };
    let help = "Real filters per measured point, at least 2";
    let filters = number("filters", "COUNT", *filters, help, |filters| {
        Effort::new(filters, 1, 1)
    });
    let help = "Queries per filter";
    let queries = queries.map(|queries| {
        number("queries", "COUNT", queries, help, |queries| {
            Effort::new(2, queries, 1)
        })
    });
    let help = "Selects other filters of the same kind; the same seed gives the same picture";
    let seed = number("seed", "NUMBER", "1", help, |seed| Effort::new(2, 1, seed));
    chart.arg(filters).args(queries).arg(seed)
}

impl Args for Effort {
    /// The group is present if the chart is measured.
    fn group_id() -> Option<Id> {
        Some("effort".into())
    }

    fn augment_args(command: Command) -> Command {
        let group = ArgGroup::new("effort").arg("measured");
        let measured = Arg::new("measured")
            .long("measured")
            .action(ArgAction::SetTrue);
        let measured = measured.help("Measures real filters beside the theory");
        command.group(group).arg(measured.help_heading(HEADING))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Effort {
    fn from_arg_matches(given: &ArgMatches) -> Result<Self> {
        let number = |name| {
            let known = given.try_get_one::<u64>(name).ok().flatten();
            known.copied().unwrap_or(1)
        };
        let [filters, queries, seed] = ["filters", "queries", "seed"].map(number);
        let effort =
            Self::new(filters, queries, seed).expect("the parsers of the flags check them");
        Ok(effort.watched_by(show_progress))
    }

    fn update_from_arg_matches(&mut self, given: &ArgMatches) -> Result<()> {
        *self = Self::from_arg_matches(given)?;
        Ok(())
    }
}

/// The length of the progress bar.
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
