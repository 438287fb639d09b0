//! Flags of the chart of a race.

use std::fs;
use std::path::PathBuf;

use bloom_plot::Speed;
use clap::Args;

use super::{Answer, Ask, Failure, read};

#[derive(Debug, Args)]
pub(crate) struct SpeedArgs {
    /// The race, as the bench writes it with --csv
    #[arg(value_name = "FILE.csv")]
    file: PathBuf,

    /// Which of the races in the file, from 1: each has its kind of key, n and p
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    cell: String,

    /// Contenders to plot, with commas between: up to 8 as colours, up to 24 along the axis [default:
    /// all]
    #[arg(long, value_name = "NAMES")]
    only: Option<String>,
}

impl Ask for SpeedArgs {
    fn answer(&self, _: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let csv = fs::read_to_string(&self.file).map_err(|error| {
            Failure::new(format!("cannot read {}: {error}", self.file.display()))
        })?;
        let only = self.only.as_deref().unwrap_or_default();
        let question = Speed {
            csv,
            cell: usize::try_from(read::count("cell", &self.cell)?).unwrap_or(usize::MAX),
            only: only
                .split(',')
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
                .collect(),
        };
        Ok(Answer::Figure(question.figure()?))
    }
}
