//! The calculator's command line.

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Colours are stripped where there is no terminal or NO_COLOR is set.
    let mut out = anstream::stdout();
    let mut err = anstream::stderr();
    let written = bloom_params::run(std::env::args_os(), &mut out, &mut err);
    match written {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // Nothing is left to do where even this cannot be written.
            let _: io::Result<()> =
                writeln!(err, "error: the answer could not be written: {error}");
            ExitCode::from(2)
        }
    }
}
