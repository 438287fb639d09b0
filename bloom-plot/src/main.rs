//! The command `bloom-plot`, which draws charts of what Bloom filters do, and diagrams of their bits.

use std::process::ExitCode;

fn main() -> ExitCode {
    bloom_plot::command()
}
