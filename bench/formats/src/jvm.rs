//! Queries filters of Spark and Guava in a JVM that runs `Peer.java`.

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::Peer;
use crate::rust::Format;

/// The number of untimed runs after keys are loaded. Together, these runs make 4 to 31 million queries, more than the JVM's
/// compiler needs.
const WARM_UP: usize = 60;

pub(crate) struct Jvm {
    process: Child,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    keys: PathBuf,
}

impl Jvm {
    /// Starts a JVM that loads the filter in `file`. The file `keys` will pass the queried keys to it.
    pub(crate) fn start(
        format: Format,
        file: &Path,
        keys: &Path,
        jars: &str,
    ) -> Result<Self, Box<dyn Error>> {
        let library = match format {
            Format::Guava => "guava",
            _ => "spark",
        };
        let mut process = Command::new("java")
            .args(["-cp", jars, "Peer", library])
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let commands = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().ok_or("no standard output")?);
        let keys = keys.to_owned();
        Ok(Self {
            process,
            commands,
            answers,
            keys,
        })
    }

    fn ask(&mut self, command: &str) -> Result<(usize, f64), Box<dyn Error>> {
        let commands = self.commands.as_mut().ok_or("the JVM has ended")?;
        writeln!(commands, "{command}")?;
        commands.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let (found, nanoseconds) = line.trim().split_once(' ').ok_or("no answer")?;
        Ok((found.parse()?, nanoseconds.parse()?))
    }
}

impl Peer for Jvm {
    fn keys(&mut self, keys: &[i64]) -> Result<(), Box<dyn Error>> {
        let bytes: Vec<u8> = keys.iter().flat_map(|key| key.to_be_bytes()).collect();
        fs::write(&self.keys, bytes)?;
        let command = format!("keys {}", self.keys.display());
        self.ask(&command)?;
        for _ in 0..WARM_UP {
            self.run()?;
        }
        Ok(())
    }

    fn run(&mut self) -> Result<(usize, f64), Box<dyn Error>> {
        self.ask("run")
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        // The JVM ends when its input is closed.
        self.commands = None;
        _ = self.process.wait();
    }
}
