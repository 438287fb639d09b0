//! The program `bloom-params`: runs the calculator for Bloom filters with the arguments of its command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    bloom_terminal::report::main(|out, err| bloom_params::run(std::env::args_os(), out, err))
}
