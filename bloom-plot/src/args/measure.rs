//! Flags that add points measured on real filters.

use std::sync::LazyLock;

use bloom_params::numbers::grouped;
use bloom_params::units;
use bloom_plot::measure::Effort;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::Failure;

/// Declares the measurement flags of a chart with its default values. Charts that only inspect
/// filters, without queries, have no flag for the number of queries.
macro_rules! flags {
    ($name:ident, filters: $filters:literal $(, queries: $queries:literal)?) => {
        #[derive(Debug, Args)]
        #[command(next_help_heading = "Measurement")]
        pub(crate) struct $name {
            /// Measures real filters beside the theory
            #[arg(long)]
            measured: bool,

            /// Real filters a measured point, from 2
            #[arg(
                long,
                value_name = "COUNT",
                default_value = $filters,
                requires = "measured"
            )]
            filters: String,

            $(
                #[arg(
                    long,
                    help = concat!("Queries a filter [default: ", $queries, "]"),
                    value_name = "COUNT",
                        requires = "measured"
                )]
                pub(crate) queries: Option<String>,
            )?

            /// Takes other filters of the same kind; the same seed gives the same picture
            #[arg(
                long,
                value_name = "NUMBER",
                default_value = "1",
                requires = "measured"
            )]
            seed: String,
        }

        impl $name {
            pub(crate) fn effort(&self) -> Result<Option<Effort>, Failure> {
                let filters = count("filters", &self.filters)?;
                let queries = [1, $(count("queries", self.queries.as_deref().unwrap_or($queries))?)?];
                let seed = count("seed", &self.seed)?;
                if !self.measured {
                    return Ok(None);
                }
                let effort = Effort::new(filters, queries[queries.len() - 1], seed)?;
                Ok(Some(effort.watched_by(show_progress)))
            }
        }
    };
}

flags!(MeasureArgs, filters: "20", queries: "20000");
flags!(HashingArgs, filters: "2000", queries: "1000");
flags!(SizingArgs, filters: "10", queries: "500000");
flags!(LargeArgs, filters: "5", queries: "200000");
flags!(GrowingArgs, filters: "10", queries: "50000");
flags!(BuildArgs, filters: "60");
flags!(CountersArgs, filters: "30");

/// The length of the progress bar.
const WHOLE: f64 = 1_000.0;

/// The progress bar on standard error; hidden if standard error is not a terminal.
static BAR: LazyLock<ProgressBar> = LazyLock::new(|| {
    let bar = ProgressBar::new(WHOLE as u64);
    if let Ok(style) = ProgressStyle::with_template("measuring {bar:40} {percent} %, {eta} left") {
        bar.set_style(style);
    }
    bar
});

/// Shows the progress as a share from 0 to 1, and clears the bar at 1.
fn show_progress(share: f64) {
    BAR.set_position((WHOLE * share) as u64);
    if share >= 1.0 {
        BAR.finish_and_clear();
    }
}

/// Parses a count, which may be 0, in the same notation as items.
fn count(flag: &str, text: &str) -> Result<u64, Failure> {
    if text.trim() == "0" {
        return Ok(0);
    }
    units::parse_items(text).map_err(|_| {
        let most = grouped(u64::MAX);
        Failure::new(format!(
            "{flag} must be a whole number from 0 to {most}, got {text:?}"
        ))
        .hint(format!("write a number like --{flag} 20, 20k or 2^20"))
    })
}
