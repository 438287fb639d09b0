//! The flags that ask for points measured on real filters.

use bloom_params::numbers::grouped;
use bloom_params::units;
use bloom_plot::measure::Effort;
use clap::Args;

use super::Failure;

#[derive(Debug, Args)]
#[command(next_help_heading = "Measurement")]
pub(crate) struct MeasureArgs {
    /// Measures real filters beside the theory
    #[arg(long)]
    measured: bool,

    /// Real filters a measured point, from 2
    #[arg(
        long,
        value_name = "COUNT",
        default_value = "20",
        allow_hyphen_values = true,
        requires = "measured"
    )]
    filters: String,

    /// Queries a filter
    #[arg(
        long,
        value_name = "COUNT",
        default_value = "20000",
        allow_hyphen_values = true,
        requires = "measured"
    )]
    queries: String,

    /// Takes other filters of the same kind; the same seed gives the same picture
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        allow_hyphen_values = true,
        requires = "measured"
    )]
    seed: String,
}

impl MeasureArgs {
    pub(crate) fn effort(&self) -> Result<Option<Effort>, Failure> {
        let filters = count("filters", &self.filters)?;
        let queries = count("queries", &self.queries)?;
        let seed = count("seed", &self.seed)?;
        if !self.measured {
            return Ok(None);
        }
        Ok(Some(Effort::new(filters, queries, seed)?))
    }
}

/// Reads a count, 0 included, written as items are.
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
