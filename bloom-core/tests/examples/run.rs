//! Runs an example as a user does, with arguments and input, and captures the result.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::{env, fs, thread};

/// The result of a run of an example: its exit code, its standard output and its standard error.
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

    /// Returns the number that follows `label` in the first message (line of the standard error) that starts with `label`.
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

/// Returns the path of the program of an example. Panics if it is not built.
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

/// Writes the input from a thread of its own, so that the caller can read the output of the example at the same time.
pub(crate) fn feed(child: &mut Child, input: &[u8]) {
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A failure to write is ignored: an example that stops early leaves the rest of its input unread.
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

/// Runs an example as [`run`] does, and asserts that it succeeds.
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

/// Returns a text with all lines of `distinct`, in order. After each line follows a repeat of it or of an earlier line.
pub(crate) fn with_duplicates(distinct: &[String]) -> String {
    let lines = distinct.iter().enumerate();
    let lines = lines.flat_map(|(i, line)| [line, "\n", &distinct[i / 2], "\n"]);
    lines.collect()
}

/// Asserts that the lines of `kept` are lines of `distinct`, in the same order, and none of them twice.
pub(crate) fn assert_first_occurrences(kept: &[&str], distinct: &[String]) {
    let mut rest = distinct.iter();
    for line in kept {
        assert!(rest.any(|known| known == line), "{line} is twice or moved");
    }
}

/// Asserts that a count is within 6.2 standard deviations of its mean. A count with nearly a Poisson distribution would be
/// further off about once in 10^9 times. If the true mean is 16 % off a `mean` of 1550, the assertion fails with a
/// probability of 0.5; if it is 24 % off, with 0.998.
pub(crate) fn assert_near(count: f64, mean: f64) {
    let allowed = 6.2 * mean.sqrt();
    assert!(
        (count - mean).abs() < allowed,
        "{count} beside {mean} ± {allowed}"
    );
}
