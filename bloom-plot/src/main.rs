//! The command `bloom-plot`: from the command line to a picture and an exit code.

mod args;

use std::io::Write;
use std::process::ExitCode;

use crate::args::{Answer, Cli, Failure};

/// Exit code for errors of usage, input or memory: no picture was drawn.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    match run(&Cli::read()) {
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

fn run(cli: &Cli) -> Result<(), Failure> {
    // All flags are checked before anything is measured.
    let output = cli.output.output(cli.chart.name())?;
    let files = match cli.chart.ask().answer(&mut |text| say("note", text))? {
        Answer::Figure(mut figure) => {
            output.adapt(&mut figure)?;
            output.write(&figure)?
        }
        Answer::Diagram(mut diagram) => {
            if let Some(title) = output.without_axes()? {
                title.clone_into(&mut diagram.title);
            }
            output.write(&diagram)?
        }
    };
    for file in files {
        say("wrote", &file.display().to_string());
    }
    Ok(())
}

/// Prints a message to standard error and ignores a failure to do so.
fn say(kind: &str, text: &str) {
    let _ = writeln!(std::io::stderr(), "{kind}: {text}");
}
