//! Runs a test that can crash in a process of its own.
//!
//! A test that reads memory which its process may not read kills this process, and so ends all tests of the program without a
//! report. Run by [`in_child`], such a test kills only a child process. The parent process reports the name of the test and how
//! the child ended.
//!
//! The crate `bloom-testing`, which is not published, has this file too, for the tests of other crates.

use std::any::type_name_of_val;
use std::io::{Write, stderr};
use std::process::{Command, ExitStatus};
use std::string::{String, ToString};
use std::{env, format};

/// The environment variable that the parent sets for the child. Its value is the name of the test that the child runs.
pub(crate) const CHILD: &str = "BLOOM_CHILD";

/// The maximum number of bytes that are shown from the end of a child's standard output, and likewise of its standard error.
const SHOWN: usize = 4_000;

/// Runs `body`, which is the body of the calling test, in a child process that runs this test alone. The call must be all that
/// the test consists of. `body` must be a closure in the test's function, because the name of the test is read from the type of
/// the closure. Under Miri or an emulator, `body` runs in the process of the caller.
///
/// # Panics
///
/// If the child fails or crashes. The message has the signal or exit code of the child and the end of the child's output.
#[track_caller]
pub fn in_child(body: impl FnOnce()) {
    let path = type_name_of_val(&body);
    let test = path.trim_end_matches("::{{closure}}");
    // The test runner knows a test by its path without the name of the crate.
    let test = test.split_once("::").map_or(test, |(_, test)| test);
    if cfg!(miri) || is_emulated() || env::var_os(CHILD).is_some_and(|name| name == test) {
        return body();
    }
    let program = env::current_exe().expect("a test program has a path");
    let mut child = Command::new(program);
    let child = child.args([test, "--exact", "--nocapture", "--include-ignored"]);
    let ran = child.env(CHILD, test).output();
    let ran = ran.unwrap_or_else(|error| panic!("cannot start {test}: {error}"));
    let [output, messages] = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text));
    for line in messages.lines() {
        if line.starts_with("NOT RUN: ") {
            _ = stderr().write_all(format!("{line}\n").as_bytes());
        }
    }
    if ran.status.success() && output.contains("test result: ok. 1 passed") {
        return;
    }
    let how = if ran.status.success() {
        "ended well, but no test of this name passed".into()
    } else {
        ended(ran.status)
    };
    panic!(
        "{test}: its process {how}\n{}{}",
        end_of(&output),
        end_of(&messages)
    );
}

/// Returns whether an environment variable of cargo names a runner, such as an emulator, for programs of this architecture. The
/// system cannot start such a program without its emulator.
fn is_emulated() -> bool {
    let target = format!("CARGO_TARGET_{}_", env::consts::ARCH.to_uppercase());
    env::vars_os().any(|(name, _)| {
        let name = name.to_string_lossy();
        name.starts_with(&target) && name.ends_with("_RUNNER")
    })
}

#[cfg(unix)]
fn ended(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;

    let Some(signal) = status.signal() else {
        return failed(status);
    };
    // The numbers of these four signals are the same on all Unix systems.
    let name = match signal {
        4 => ", SIGILL",
        5 => ", SIGTRAP",
        6 => ", SIGABRT",
        11 => ", SIGSEGV: it read or wrote memory that is not its own",
        _ => "",
    };
    format!("was killed by signal {signal}{name}")
}

#[cfg(not(unix))]
fn ended(status: ExitStatus) -> String {
    failed(status)
}

fn failed(status: ExitStatus) -> String {
    let code = status
        .code()
        .map_or("unknown".into(), |code| code.to_string());
    format!("failed with exit code {code}")
}

fn end_of(text: &str) -> &str {
    let mut from = text.len().saturating_sub(SHOWN);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}
