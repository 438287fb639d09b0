//! Runs the command line inside the test as a user does.

use anstream::adapter::strip_str;

/// Runs a command line, split at blanks, and returns the exit code, stdout and stderr, without colours.
pub(crate) fn run(line: &str) -> (u8, String, String) {
    let args: Vec<_> = line.split(' ').filter(|arg| !arg.is_empty()).collect();
    run_args(&args)
}

/// Runs with these arguments, which may be empty or contain blanks.
pub(crate) fn run_args(args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["bloom-params"].iter().chain(args);
    let code = bloom_params::run(args, &mut out, &mut err).unwrap();
    let plain = |bytes| strip_str(&String::from_utf8(bytes).unwrap()).to_string();
    (code, plain(out), plain(err))
}

/// Returns the exit code and the JSON object of a command line with --json.
// Some files of tests do not use it.
#[allow(dead_code)]
pub(crate) fn json(line: &str) -> (u8, serde_json::Value) {
    let (code, out, err) = run(&format!("{line} --json"));
    let value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{line}: {out}{err}"));
    (code, value)
}
