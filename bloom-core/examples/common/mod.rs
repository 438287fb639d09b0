//! Code that the examples share: it reads lines, writes lines, and reports an error.

use std::error::Error;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Success, or the error that ended the work.
pub(crate) type Outcome = Result<(), Box<dyn Error>>;

/// Reads the options, does the work and turns an error into a message and exit code 2.
pub(crate) fn main<O: Parser>(work: impl FnOnce(O) -> Outcome) -> ExitCode {
    match work(O::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("{}: {error}", env!("CARGO_CRATE_NAME")));
            ExitCode::from(2)
        }
    }
}

/// Writes a line to the standard error. A failure to write it is ignored.
pub(crate) fn say(message: impl Display) {
    writeln!(io::stderr(), "{message}").ok();
}

/// A source of lines of arbitrary bytes.
pub(crate) struct Input {
    name: String,
    reader: BufReader<Box<dyn Read>>,
}

impl Input {
    /// Opens a file, or the standard input if `file` is `None`.
    pub(crate) fn open(file: Option<PathBuf>) -> Result<Self, Box<dyn Error>> {
        let Some(path) = file else {
            return Ok(Self::new("standard input", Box::new(io::stdin())));
        };
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(Self::new(&name, Box::new(file))),
            Err(error) => Err(format!("{name}: {error}").into()),
        }
    }

    fn new(name: &str, reader: Box<dyn Read>) -> Self {
        Self {
            name: name.to_owned(),
            reader: BufReader::with_capacity(1 << 16, reader),
        }
    }

    /// Reads the next line without its `\n` into `line`; returns whether there was a next line.
    pub(crate) fn next_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Box<dyn Error>> {
        line.clear();
        match self.reader.read_until(b'\n', line) {
            Ok(0) => Ok(false),
            Ok(_) => {
                if line.ends_with(b"\n") {
                    line.pop();
                }
                Ok(true)
            }
            Err(error) => Err(format!("{}: {error}", self.name).into()),
        }
    }

    /// Returns whether reading the next line may block.
    fn may_wait(&self) -> bool {
        !self.reader.buffer().contains(&b'\n')
    }
}

/// Passes each line of the input to `each`, together with the standard output, to which `each` writes. This output is buffered,
/// and flushed before a read that may block. If the reader has closed the output, the work ends without an error.
pub(crate) fn each_line(
    mut input: Input,
    mut each: impl FnMut(&[u8], &mut dyn Write) -> Outcome,
) -> Outcome {
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut line = Vec::new();
    let mut pass_all = || -> Outcome {
        while input.next_line(&mut line)? {
            each(&line, &mut output)?;
            if input.may_wait() {
                output.flush()?;
            }
        }
        Ok(output.flush()?)
    };
    pass_all().or_else(|error| match error.downcast_ref::<io::Error>() {
        Some(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}
