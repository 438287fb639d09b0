//! Helps the other tests: runs command lines inside the process of the tests, and checks what they print.

use anstream::adapter::strip_str;
use bloom_testing::{assert_close, assert_has, cases};
use serde_json::Value;

/// Runs a command line, split at blanks. Returns the exit code, stdout and stderr, without colours and with each remark on one
/// line.
pub(crate) fn run(line: &str) -> (u8, String, String) {
    let (code, out, err) = run_folded(line);
    (code, unfolded(&out), err)
}

/// Runs a command line as [`run`] does, but keeps the line breaks inside remarks.
pub(crate) fn run_folded(line: &str) -> (u8, String, String) {
    let args: Vec<_> = line.split(' ').filter(|arg| !arg.is_empty()).collect();
    run_args(&args)
}

/// Joins the lines of each remark, of the row of each quantity, of the overfilled rates, and of the heading above a call.
fn unfolded(out: &str) -> String {
    let (mut text, mut goes_on) = (String::new(), false);
    for line in out.split_inclusive('\n') {
        if goes_on && line.starts_with("      ") {
            text.truncate(text.trim_end().len());
            text += &format!(" {}", line.trim_start());
            continue;
        }
        let starts = [
            "note: ",
            "overfilled: ",
            "to keep ",
            "to get ",
            "n  ",
            "m  ",
            "k  ",
            "p  ",
        ];
        goes_on = starts.iter().any(|start| line.starts_with(start));
        text += line;
    }
    text
}

/// Runs the command with these arguments, which may be empty or contain blanks.
pub(crate) fn run_args(args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["bloom-params"].iter().chain(args);
    let code = bloom_params::run(args, &mut out, &mut err).unwrap();
    let plain = |bytes| strip_str(&String::from_utf8(bytes).unwrap()).to_string();
    (code, plain(out), plain(err))
}

/// Returns the exit code and the JSON object of a command line with --json.
pub(crate) fn json(line: &str) -> (u8, Value) {
    let (code, out, err) = run(&format!("{line} --json"));
    let value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{line}: {out}{err}"));
    (code, value)
}

/// Returns the JSON object of a command line with --json.
pub(crate) fn object(line: &str) -> Value {
    json(line).1
}

/// Checks the numbers at these keys in the JSON object of a command line, and returns the object.
#[track_caller]
pub(crate) fn solves<const N: usize>(line: &str, keys: [&str; N], expected: &[String; N]) -> Value {
    let answer = object(line);
    let found = keys.map(|key| answer[key].to_string());
    assert_eq!(found, *expected, "{line}");
    answer
}

/// Checks that a number of an object is within a relative distance of its reference.
#[track_caller]
pub(crate) fn near(value: &Value, reference: f64, relative: f64) {
    assert_close(value.as_f64().unwrap(), reference, relative);
}

/// Checks that the output of a command line has all these parts, and returns it.
#[track_caller]
pub(crate) fn prints(line: &str, parts: &[impl AsRef<str>]) -> String {
    let (_, out, err) = run(line);
    assert_has(format_args!("{line}{err}"), &out, parts);
    out
}

/// Checks the output as [`prints`] does, and that the target is not met.
#[track_caller]
pub(crate) fn misses(line: &str, parts: &[impl AsRef<str>]) -> String {
    let (code, out, err) = run(line);
    assert_eq!((code, err.as_str()), (1, ""), "{line}: {out}");
    assert_has(line, &out, parts);
    out
}

/// Checks that a command line is refused with one error and no output, and returns the error.
#[track_caller]
pub(crate) fn refusal(line: &str) -> String {
    let (code, out, err) = run(line);
    assert_eq!((code, out.as_str()), (2, ""), "{line}");
    assert!(err.starts_with("error: "), "{line}: {err}");
    assert_eq!(err.matches("error: ").count(), 1, "{line}: {err}");
    err
}

/// Checks that a command line is refused with an error that contains all these parts.
#[track_caller]
pub(crate) fn refused(line: &str, parts: &[impl AsRef<str>]) {
    assert_has(line, &refusal(line), parts);
}

/// Checks that each command line of a table is refused with an error that has the parts under it.
#[track_caller]
pub(crate) fn refusals(table: &str) {
    for (line, parts) in cases(table) {
        refused(line, &parts);
    }
}

/// Returns the words of a manual page, of the program or of a command, without its markup.
pub(crate) fn manual(command: &str) -> String {
    let (code, page, _) = run(format!("man {command}").trim_end());
    assert_eq!(code, 0, "{command}");
    let marks = ["\\fB", "\\fI", "\\fR"];
    let plain = marks.iter().fold(page.replace("\\-", "-"), |page, mark| {
        page.replace(mark, "")
    });
    plain
        .replace("\\*(Aq", "'")
        .replace("\\(aq", "'")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}
