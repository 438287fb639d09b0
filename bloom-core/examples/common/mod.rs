//! Code that the examples share: parses options without a library, reads and writes lines, reports errors once.

use std::env::{self, ArgsOs};
use std::error::Error;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

/// Success, or the reason for the failure.
pub(crate) type Outcome = Result<(), Box<dyn Error>>;

/// Reads the options, does the work and turns an error into a message and exit code 2.
pub(crate) fn main<O>(
    usage: &str,
    parse: impl FnOnce(Arguments) -> Result<O, String>,
    work: impl FnOnce(O) -> Outcome,
) -> ExitCode {
    let mut options = env::args_os()
        .skip(1)
        .take_while(|argument| argument != "--");
    if options.any(|argument| argument == "--help" || argument == "-h") {
        // A closed output is not an error.
        io::stdout().write_all(usage.as_bytes()).ok();
        return ExitCode::SUCCESS;
    }
    let mut arguments = env::args_os();
    arguments.next(); // The name of the program.
    let arguments = Arguments {
        rest: arguments,
        value: None,
        only_files: false,
    };
    let done = match parse(arguments) {
        Ok(options) => work(options).map_err(|error| error.to_string()),
        Err(message) => Err(format!("{message}\n\n{}", usage.trim_end())),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            say(format_args!("{}: {message}", env!("CARGO_CRATE_NAME")));
            ExitCode::from(2)
        }
    }
}

/// The arguments of the command line: `--option value` or `--option=value`, and after `--` only
/// files.
pub(crate) struct Arguments {
    rest: ArgsOs,
    /// The previous option, and the value after its `=`.
    value: Option<(String, OsString)>,
    only_files: bool,
}

/// The name of an option, or a file.
pub(crate) struct Argument {
    text: OsString,
    is_file: bool,
}

impl Arguments {
    /// Returns the next argument, or an error if the previous option has a value that it does not take.
    pub(crate) fn next(&mut self) -> Result<Option<Argument>, String> {
        if let Some((option, value)) = &self.value {
            return Err(format!("{option} takes no value, got {value:?}"));
        }
        let mut next = self.rest.next();
        if !self.only_files && next.as_ref().is_some_and(|text| text == "--") {
            self.only_files = true;
            next = self.rest.next();
        }
        let Some(mut text) = next else {
            return Ok(None);
        };
        let is_file = self.only_files || !text.to_string_lossy().starts_with('-');
        let parts = text.to_str().and_then(|text| text.split_once('='));
        if let (false, Some((option, value))) = (is_file, parts) {
            self.value = Some((option.to_owned(), value.into()));
            text = option.into();
        }
        Ok(Some(Argument { text, is_file }))
    }

    /// Returns the number that belongs to an option.
    pub(crate) fn number<N: FromStr<Err: Display>>(&mut self, option: &str) -> Result<N, String> {
        self.value(option, "a number")
    }

    /// Returns the value that belongs to an option; `what` names it in the message.
    pub(crate) fn value<V>(&mut self, option: &str, what: &str) -> Result<V, String>
    where
        V: FromStr<Err: Display>,
    {
        let attached = self.value.take().map(|(_, value)| value);
        let value = attached.or_else(|| self.rest.next());
        let value = value.ok_or(format!("{option} needs {what}"))?;
        let text = value.to_string_lossy();
        let parsed = text.parse();
        parsed.map_err(|error| format!("{option} must be {what}, got {text:?} ({error})"))
    }
}

impl Argument {
    /// Returns the name of an option; `None` for a file.
    pub(crate) fn option(&self) -> Option<&str> {
        self.text.to_str().filter(|_| !self.is_file)
    }

    /// Stores the argument as the one file; an unknown option or a second file is an error.
    pub(crate) fn take_as(self, file: &mut Option<PathBuf>) -> Result<(), String> {
        let Self { text, is_file } = self;
        if !is_file {
            return Err(format!("unknown option {text:?}"));
        }
        if file.is_some() {
            return Err(format!("one file too many: {text:?}"));
        }
        *file = Some(text.into());
        Ok(())
    }
}

/// Writes a line to the standard error; a closed one is not an error.
pub(crate) fn say(message: impl Display) {
    writeln!(io::stderr(), "{message}").ok();
}

/// A source of lines of arbitrary bytes.
pub(crate) struct Input {
    name: String,
    reader: BufReader<Box<dyn Read>>,
}

impl Input {
    /// Opens a file, or the standard input if there is none.
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

    /// Reads the next line without its `\n` into `line`; returns whether there was one.
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

/// Passes each line to `each`, with the buffered standard output, which is flushed before any read that may block. A
/// closed output ends the work without an error.
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
