//! The command `bloom-file`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bloom_terminal::report::main(|out, err| bloom_file::run(std::env::args_os(), out, err))
}
