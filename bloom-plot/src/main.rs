//! The command `bloom-plot`: from the command line to a picture and an exit code.

mod args;

use std::io::Write;
use std::process::ExitCode;

use bloom_plot::output::{Format, Target};
use bloom_plot::{Figure, chart};
use clap::Parser;

use crate::args::{Chart, Cli, Failure, Output};

/// Usage, input or memory: nothing was drawn.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    match run(&Cli::parse().chart) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say("error", &failure.message);
            if let Some(hint) = failure.hint {
                say("hint", &hint);
            }
            ExitCode::from(FAILED)
        }
    }
}

fn run(chart: &Chart) -> Result<(), Failure> {
    match chart {
        Chart::RateByItems(args) => {
            // All that is said is checked before anything is measured.
            let output = args.output.output("rate-by-items")?;
            let (question, note) = args.question()?;
            if let Some(note) = note {
                say("note", &note);
            }
            write(&question.figure()?, &output)
        }
    }
}

fn write(figure: &Figure, output: &Output) -> Result<(), Failure> {
    let picture = match output.format {
        Format::Svg => chart::svg(figure, output.size)?.into_bytes(),
        Format::Png => chart::png(figure, output.size, output.scale)?,
    };
    output.write(&picture)?;
    if let Target::File(path) = &output.target {
        say("wrote", &path.display().to_string());
    }
    Ok(())
}

/// Tells the user, where somebody listens.
fn say(kind: &str, text: &str) {
    let _ = writeln!(std::io::stderr(), "{kind}: {text}");
}
