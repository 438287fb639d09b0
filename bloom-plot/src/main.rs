//! The command `bloom-plot`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bloom_plot::command()
}
