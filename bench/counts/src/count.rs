//! Counts instructions with valgrind. The count is the same in every run, and on all machines for which
//! `describe` returns the same text.

use std::env;
use std::process::Command;

use crate::paths::ITEMS;

/// The valgrind command that counts instructions.
const VALGRIND: [&str; 4] = [
    "valgrind",
    "--tool=cachegrind",
    "--cache-sim=no",
    "--cachegrind-out-file=/dev/null",
];

/// Returns the instructions per call of a path. A path is a function whose instructions are counted.
pub(crate) fn of_one_call(path: &str) -> Result<f64, String> {
    let (few, many) = (ITEMS / 2, ITEMS);
    let more = run(path, many)?.instructions - run(path, few)?.instructions;
    Ok(more as f64 / (many - few) as f64)
}

/// Runs this program under valgrind, and returns what [`describe`] returns in that run.
pub(crate) fn processor() -> Result<String, String> {
    Ok(run("", 0)?.output.trim().to_owned())
}

/// Returns the architecture and, on x86-64, whether AVX2 is detected.
pub(crate) fn describe() -> String {
    #[cfg(target_arch = "x86_64")]
    let features = if std::arch::is_x86_feature_detected!("avx2") {
        " with AVX2"
    } else {
        " without AVX2"
    };
    #[cfg(not(target_arch = "x86_64"))]
    let features = "";
    format!("{}{features}", env::consts::ARCH)
}

struct Run {
    instructions: i64,
    output: String,
}

/// Runs this program under valgrind, where it calls a path this many times.
fn run(path: &str, calls: usize) -> Result<Run, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let run = Command::new(VALGRIND[0])
        .args(&VALGRIND[1..])
        .arg(this)
        .args(["call", path, &calls.to_string()])
        .output()
        .map_err(|error| format!("valgrind does not start: {error}"))?;
    let errors = String::from_utf8_lossy(&run.stderr);
    let instructions = total(&errors).filter(|_| run.status.success());
    Ok(Run {
        instructions: instructions.ok_or_else(|| format!("{path}: valgrind said: {errors}"))?,
        output: String::from_utf8_lossy(&run.stdout).into_owned(),
    })
}

/// Finds the instruction count in cachegrind's output: `==1== I   refs:      1,234`.
fn total(text: &str) -> Option<i64> {
    let mut lines = text.lines().filter(|line| line.contains("== I "));
    let (_, number) = lines.find_map(|line| line.split_once(" refs:"))?;
    number.trim().replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read_with_its_commas() {
        let text = "==7== Cachegrind\n==7== \n==7== I   refs:      12,345,678\n";
        assert_eq!(total(text), Some(12_345_678));
        assert_eq!(total("==7== I refs:        99"), Some(99));
        assert_eq!(total("nothing of the kind"), None);
    }
}
