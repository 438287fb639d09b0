//! The calculator's command line.

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Colours are stripped if the output is not a terminal, or if NO_COLOR is set.
    let mut out = anstream::stdout();
    let mut err = anstream::stderr();
    let written = bloom_params::run(std::env::args_os(), &mut out, &mut err);
    match written {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // Nothing is left to do if even this write fails.
            let _: io::Result<()> =
                writeln!(err, "error: the answer could not be written: {error}");
            ExitCode::from(2)
        }
    }
}
