//! Functions that the tests share: they run the command, write files, and check refusals.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// What a command printed, and its exit code.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    /// Returns the standard error with each note on one line.
    pub(crate) fn note(&self) -> String {
        self.err.replace("\n      ", " ")
    }
}

/// Runs `bloom-file` with this standard input.
pub(crate) fn run(args: &[&str], input: &[u8]) -> Ran {
    run_slowly(args, &[input])
}

/// Runs `bloom-file` and writes its standard input in parts, each part 0.1 s after the part before.
pub(crate) fn run_slowly(args: &[&str], input: &[&[u8]]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bloom-file"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input: Vec<_> = input.iter().map(|part| part.to_vec()).collect();
    // A command that refuses its arguments does not read its input. The writer then fails, and its error is ignored.
    let writer = thread::spawn(move || {
        for (at, part) in input.iter().enumerate() {
            thread::sleep(Duration::from_millis(if at > 0 { 100 } else { 0 }));
            stdin.write_all(part)?;
        }
        std::io::Result::Ok(())
    });
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    Ran {
        code: status.code().unwrap(),
        out: stdout,
        err: String::from_utf8(stderr).unwrap(),
    }
}

/// Writes the bytes to a file of this name for one test, and returns its path. All packages share the folder for temporary
/// files, so the file is written to a folder of this package.
pub(crate) fn file(name: &str, bytes: &[u8]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bloom-file");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

pub(crate) fn numbers(range: std::ops::Range<i64>) -> Vec<u8> {
    let lines = range.map(|number| format!("{number}\n"));
    lines.collect::<String>().into_bytes()
}

pub(crate) fn build(format: &str, keys: &str, input: &[u8]) -> Ran {
    // Hive builds filters only for this rate.
    let rate = if format == "hive" { "5%" } else { "1%" };
    run(
        &[
            "build", "--format", format, "-n", "1k", "-p", rate, "--keys", keys,
        ],
        input,
    )
}

pub(crate) fn refused(ran: &Ran, message: &str) {
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.out.is_empty(), "{ran:?}");
    assert!(ran.note().contains(message), "{message} in {}", ran.err);
}
