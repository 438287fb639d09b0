//! Runs the command in an empty folder of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// An empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

pub(crate) fn command(folder: &PathBuf, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bloom-plot"));
    command.args(args).current_dir(folder);
    command
}

pub(crate) fn run(folder: &PathBuf, args: &[&str]) -> Output {
    command(folder, args).output().unwrap()
}

pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// The names in a folder, hidden ones too.
pub(crate) fn names(folder: &PathBuf) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Little to measure, for tests of something else.
pub(crate) const QUICK: [&str; 7] = [
    "rate-by-items",
    "--filters",
    "2",
    "--queries",
    "50",
    "--size",
    "300x200",
];
