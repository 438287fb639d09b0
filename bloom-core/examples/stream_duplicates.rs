//! Removes duplicate lines from a stream whose length is unknown and may be endless.
//!
//! The number of distinct lines is unknown, so the filter must grow. It is a scalable Bloom filter, a list of Bloom filters
//! that are called its stages. When a stage is full, a new one is added, which takes twice as many lines as the stage
//! before, at a lower rate. The rate of all stages together stays under the requested rate. The first of equal lines is
//! printed at once; its duplicates are not printed. A new line that is a false positive is mistaken for a duplicate, and
//! lost.
//!
//! ```text
//! cargo run --release -p bloom-core --example stream_duplicates -- lines.txt
//! tail -f access.log | cargo run --release -p bloom-core --example stream_duplicates
//! ```

use std::path::PathBuf;
use std::process::ExitCode;

use bloom_core::{BuildError, GrowError, ScalableBloomFilter, ScalableShape, ShapeError};
use clap::Parser;
use common::{Input, Outcome, each_line, say};

mod common;

/// Tells new lines from duplicates, and counts all lines and the new ones.
struct Deduplicator {
    seen: ScalableBloomFilter<[u8]>,
    read: u64,
    new: u64,
}

impl Deduplicator {
    fn new(shape: ScalableShape) -> Result<Self, BuildError> {
        Ok(Self {
            seen: ScalableBloomFilter::new(shape)?,
            read: 0,
            new: 0,
        })
    }

    /// Inserts a line, and returns whether it is new to the filter. An error means that the line is new, but the filter has no
    /// room for it and cannot grow. The caller must then stop: if it went on, it would print duplicates or lose new lines.
    fn is_new(&mut self, line: &[u8]) -> Result<bool, GrowError> {
        let is_new = self.seen.insert(line)?;
        self.read += 1;
        self.new += u64::from(is_new);
        Ok(is_new)
    }

    fn say_counts(&self) {
        say(format_args!("lines read: {}", self.read));
        say(format_args!("printed: {}", self.new));
        say(format_args!("dropped: {}", self.read - self.new));
        say(format_args!("stages: {}", self.seen.stages().count()));
        say(format_args!("filter: {} bytes", self.seen.memory_bytes()));
        let rate = self.seen.expected_false_positive_rate();
        say(format_args!(
            "expected false-positive rate, at which new lines are lost: {rate:.2e} so far, always under {:e}",
            self.seen.shape().rate()
        ));
    }
}

/// Prints the lines not seen before; counts go to the standard error. Lines are compared byte by byte
#[derive(Parser)]
struct Options {
    /// Distinct lines expected at first; the filter grows
    #[arg(long, default_value_t = 10_000, allow_negative_numbers = true)]
    items: u64,
    /// Largest share of new lines to lose as false positives
    #[arg(long, default_value_t = 0.001, allow_negative_numbers = true)]
    rate: f64,
    /// Most stages; stop if the filter needs more [default: 64]
    #[arg(long, allow_negative_numbers = true)]
    max_stages: Option<u32>,
    /// Where to read from; the standard input if not given
    file: Option<PathBuf>,
}

impl Options {
    fn shape(&self) -> Result<ScalableShape, ShapeError> {
        let shape = ScalableShape::new(self.items, self.rate)?;
        self.max_stages
            .map_or(Ok(shape), |stages| shape.with_max_stages(stages))
    }
}

fn run(options: Options) -> Outcome {
    let mut lines = Deduplicator::new(options.shape()?)?;
    let outcome = each_line(Input::open(options.file)?, |line, output| {
        let is_new = lines.is_new(line).map_err(|error| {
            let number = lines.read + 1;
            format!("stopped before line {number}, which is new and was not printed: {error}")
        })?;
        if is_new {
            output.write_all(line)?;
            output.write_all(b"\n")?;
        }
        Ok(())
    });
    lines.say_counts();
    outcome
}

fn main() -> ExitCode {
    common::main(run)
}
