//! Runs an example as a user does, with arguments and input, and captures the result.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::{env, fs, thread};

/// The result of a run.
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) output: Vec<u8>,
    pub(crate) messages: String,
}

impl Done {
    pub(crate) fn lines(&self) -> Vec<&str> {
        let output = std::str::from_utf8(&self.output).expect("the input was UTF-8");
        assert!(output.is_empty() || output.ends_with('\n'));
        output.lines().collect()
    }

    /// Returns the first number in the line of the messages that starts with a label.
    pub(crate) fn figure(&self, label: &str) -> f64 {
        let mut lines = self.messages.lines();
        let rest = lines.find_map(|line| line.strip_prefix(label));
        let rest = rest.unwrap_or_else(|| panic!("no {label:?} in {}", self.messages));
        let is_part = |c: char| c.is_ascii_digit() || c == '.';
        let start = rest.find(is_part).expect("a number");
        let number = rest[start..].split(|c| !is_part(c)).next();
        number.expect("a number").parse().expect("a number")
    }

    pub(crate) fn warnings(&self) -> usize {
        self.messages.matches("warning").count()
    }
}

/// Returns the path of an example that is built.
pub(crate) fn program(example: &str) -> PathBuf {
    // Cargo puts examples beside the directory of this test.
    let test = env::current_exe().unwrap();
    let directory = test.parent().unwrap().parent().unwrap().join("examples");
    let program = directory.join(format!("{example}{}", env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "{} is not built: run `cargo test -p bloom-core`, or `cargo build --examples`",
        program.display()
    );
    program
}

pub(crate) fn start(example: &str, arguments: &[&str]) -> Child {
    Command::new(program(example))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Writes the input from its own thread, so that neither side waits for the other.
pub(crate) fn feed(child: &mut Child, input: &[u8]) {
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // An example that stops early leaves the rest unread.
    thread::spawn(move || stdin.write_all(&input).ok());
}

pub(crate) fn run(example: &str, arguments: &[&str], input: impl AsRef<[u8]>) -> Done {
    let mut child = start(example, arguments);
    feed(&mut child, input.as_ref());
    let output = child.wait_with_output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(!messages.contains("panicked"), "{messages}");
    Done {
        code: output.status.code(),
        output: output.stdout,
        messages,
    }
}

/// Does the same as [`run`], and asserts that the run succeeds.
pub(crate) fn run_well(example: &str, arguments: &[&str], input: impl AsRef<[u8]>) -> Done {
    let done = run(example, arguments, input);
    assert_eq!(done.code, Some(0), "{arguments:?}: {}", done.messages);
    done
}

pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path.into_os_string().into_string().unwrap()
}

pub(crate) fn urls(count: u64) -> Vec<String> {
    let url = |i| format!("https://site-{}.example/page/{i}", i % 97);
    (0..count).map(url).collect()
}

pub(crate) fn text<L: AsRef<str>>(lines: &[L]) -> String {
    let lines = lines.iter().flat_map(|line| [line.as_ref(), "\n"]);
    lines.collect()
}

/// Returns each line followed by a repeat of an earlier line: twice as many lines in all.
pub(crate) fn with_duplicates(distinct: &[String]) -> String {
    let lines = distinct.iter().enumerate();
    let lines = lines.flat_map(|(i, line)| [line, "\n", &distinct[i / 2], "\n"]);
    lines.collect()
}

/// Asserts that `kept` are some of the lines, in their order, none of them twice.
pub(crate) fn assert_first_occurrences(kept: &[&str], distinct: &[String]) {
    let mut rest = distinct.iter();
    for line in kept {
        assert!(rest.any(|known| known == line), "{line} is twice or moved");
    }
}

/// Asserts that a nearly Poisson count is within 6.2 σ of its mean, which a random count would miss about once in 10^9
/// times. Power at a mean of 1550: 0.5 for a count 16 % off, 0.998 for 24 %.
pub(crate) fn assert_near(count: f64, mean: f64) {
    let allowed = 6.2 * mean.sqrt();
    assert!(
        (count - mean).abs() < allowed,
        "{count} beside {mean} ± {allowed}"
    );
}
