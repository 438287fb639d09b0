//! The command `bloom-charts`: draws, as an SVG file, a chart that the book has and `bloom-plot` has not.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use bloom_charts::{HashBias, Keys};
use bloom_plot::{Look, Size, Theme, chart};
use clap::{Parser, ValueEnum};

/// Draws the charts that only the book has, as SVG.
#[derive(Debug, Parser)]
struct Cli {
    /// The chart
    chart: Chart,

    /// File to write
    #[arg(short, long)]
    output: PathBuf,

    /// Width and height in pixels
    #[arg(long, default_value = "800x500")]
    size: Size,

    /// Colours: light, dark or auto, which is both
    #[arg(long, default_value = "light", value_parser = theme)]
    theme: Theme,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Chart {
    /// Which bits the hashes of well-known programs set
    HashBias,
}

fn theme(name: &str) -> Result<Theme, &'static str> {
    Theme::from_name(name).ok_or("must be light, dark or auto")
}

fn main() -> Result<(), Box<dyn Error>> {
    let cli = Cli::parse();
    let Chart::HashBias = cli.chart;
    // 2^25 bits, as in the program that hashes by polynomials, which is one of the programs in the chart.
    let question = HashBias {
        keys: Keys::Numbers,
        items: 1_000_000,
        bits: 1 << 25,
    };
    let look = Look {
        size: cli.size,
        theme: cli.theme,
        ..Look::default()
    };
    fs::write(cli.output, chart::svg(&question.figure()?, look)?)?;
    Ok(())
}
