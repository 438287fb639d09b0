//! The command `bloom-file`.

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Colours are stripped if the output is not a terminal, or if NO_COLOR is set.
    let mut err = anstream::stderr();
    match bloom_file::run(std::env::args_os(), &mut err) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // Nothing is left to do if even this write fails.
            let _: io::Result<()> =
                writeln!(err, "error: the answer could not be written: {error}");
            ExitCode::from(2)
        }
    }
}
