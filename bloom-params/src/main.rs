//! The calculator's command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    bloom_terminal::report::main(|out, err| bloom_params::run(std::env::args_os(), out, err))
}
