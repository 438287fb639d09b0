//! Counts the instructions of hot paths, such as an insert or a query, and compares them with recorded counts. These counts do
//! not depend on how busy the machine is.
//!
//! ```text
//! cargo run --release --manifest-path bench/Cargo.toml -p bloom-counts             compare
//! cargo run --release --manifest-path bench/Cargo.toml -p bloom-counts -- record   record anew
//! ```
//!
//! Needs valgrind. The exit code is 1 if a count is out of tolerance, if a path is not recorded, or if a recorded path no
//! longer exists; 2 after any error; and 3 if the counts were recorded on a processor that differs in architecture or in having
//! AVX2.

mod baseline;
mod count;
mod paths;

use std::env;
use std::fs;
use std::process::ExitCode;

use baseline::{Baseline, OTHER_COMPILER, Verdict};
use paths::PATHS;

/// The file of recorded counts, in the repository.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/baseline.txt");

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["call", path, calls] => call(path, calls),
        _ if cfg!(debug_assertions) => Err("only optimised code is counted: use --release".into()),
        ["record"] => record(),
        [] => compare(),
        _ => Err("to compare, give no argument; to record anew, give `record`".into()),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}

/// Returns the version of the compiler and its flags.
fn compiler() -> String {
    format!(
        "{}, flags: {:?}",
        env!("BENCH_RUSTC"),
        env!("BENCH_RUSTFLAGS")
    )
}

/// Calls the path of this name, if there is one, and prints the processor. This part of the program runs under valgrind.
fn call(path: &str, calls: &str) -> Result<ExitCode, String> {
    let calls = calls
        .parse()
        .map_err(|_| format!("not a number: {calls}"))?;
    if let Some((_, path)) = PATHS.iter().find(|(name, _)| *name == path) {
        path(calls);
    }
    println!("{}", count::describe());
    Ok(ExitCode::SUCCESS)
}

fn record() -> Result<ExitCode, String> {
    let mut counts = Vec::new();
    for (path, _) in PATHS {
        let count = count::of_one_call(path)?;
        println!("{count:10.2}  {path}");
        counts.push(((*path).to_owned(), count));
    }
    let baseline = Baseline {
        compiler: compiler(),
        processor: count::processor()?,
        counts,
    };
    fs::write(FILE, baseline.to_text()).map_err(|error| format!("{FILE}: {error}"))?;
    Ok(ExitCode::SUCCESS)
}

fn compare() -> Result<ExitCode, String> {
    let text = fs::read_to_string(FILE).map_err(|error| format!("{FILE}: {error}"))?;
    let baseline = Baseline::from_text(&text).ok_or_else(|| format!("{FILE} is incomplete"))?;
    let processor = count::processor()?;
    if processor != baseline.processor {
        println!("recorded on {}, this is {processor}", baseline.processor);
        return Ok(ExitCode::from(3));
    }
    if compiler() != baseline.compiler {
        println!(
            "recorded by {}, this is {}: so a count fails only if it rose by more than {} %",
            baseline.compiler,
            compiler(),
            100.0 * OTHER_COMPILER
        );
    }
    println!("  recorded       now  instructions of one call");
    let mut kept = true;
    for (path, _) in PATHS {
        let count = count::of_one_call(path)?;
        let verdict = baseline.judge(&compiler(), path, count);
        let recorded = baseline.count(path);
        let recorded = recorded.map_or_else(String::new, |count| format!("{count:.2}"));
        let remark = match verdict {
            Verdict::Kept => "",
            Verdict::Slower => "  <- SLOWER",
            Verdict::Faster => "  <- faster, record it",
            Verdict::New => "  <- new, record it",
        };
        println!("{recorded:>10}{count:10.2}  {path}{remark}");
        kept &= verdict == Verdict::Kept;
    }
    for (path, _) in &baseline.counts {
        if !PATHS.iter().any(|(name, _)| name == path) {
            println!("recorded, but no longer there: {path}");
            kept = false;
        }
    }
    Ok(if kept {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_runs_and_has_a_name_of_its_own_that_can_be_recorded() {
        for (index, (name, path)) in PATHS.iter().enumerate() {
            path(100);
            assert!(!name.contains(": ") && !name.starts_with('#'), "{name}");
            let first = PATHS.iter().position(|(other, _)| other == name);
            assert_eq!(first, Some(index), "{name}");
        }
    }

    #[test]
    fn every_path_is_recorded() {
        let text = fs::read_to_string(FILE).expect("the file is in the repository");
        let baseline = Baseline::from_text(&text).expect("it is whole");
        let recorded: Vec<&str> = baseline
            .counts
            .iter()
            .map(|(path, _)| path.as_str())
            .collect();
        let paths: Vec<&str> = PATHS.iter().map(|(path, _)| *path).collect();
        assert_eq!(recorded, paths);
    }
}
