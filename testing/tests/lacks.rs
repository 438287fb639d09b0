//! Checks what [`has`] reports if the machine lacks what a test needs. The tests set environment variables,
//! which belong to a whole process. So they start this program again as a child process.

use std::process::{Command, Output};
use std::{env, fs};

use bloom_testing::{Need, has};

/// The test that the other tests start in a child process. If `BLOOM_PRETEND_LACKS` lists `processors`, it
/// behaves as on a machine with one processor.
#[test]
#[ignore = "run by the other tests, in a child process"]
fn needs_two_processors() {
    let pretends = env::var_os("BLOOM_PRETEND_LACKS").is_some();
    assert!(!has(Need::Processors, "the race") || !pretends);
}

/// Runs `needs_two_processors` in a child process, and returns whether it passed and what the child
/// printed. Of the variables `BLOOM_STRICT`, `BLOOM_NOT_RUN` and `BLOOM_PRETEND_LACKS`, only those in `variables` are set.
fn run(variables: &[(&str, &str)]) -> (bool, String) {
    let mut program = Command::new(env::current_exe().unwrap());
    let program = program.args(["--exact", "needs_two_processors", "--ignored"]);
    for name in ["BLOOM_STRICT", "BLOOM_NOT_RUN", "BLOOM_PRETEND_LACKS"] {
        program.env_remove(name);
    }
    let Output {
        status,
        stdout,
        stderr,
    } = program.envs(variables.iter().copied()).output().unwrap();
    let both = [stdout, stderr].concat();
    (status.success(), String::from_utf8(both).unwrap())
}

const LACKS: (&str, &str) = ("BLOOM_PRETEND_LACKS", "python3,processors");
const LINE: &str = "NOT RUN: the race (this machine lacks processors)\n";

#[test]
fn a_lack_is_reported_past_the_test_runner_and_to_the_file() {
    let file = format!("{}/not_run", env!("CARGO_TARGET_TMPDIR"));
    _ = fs::remove_file(&file);
    for _ in 0..2 {
        let (passed, said) = run(&[LACKS, ("BLOOM_NOT_RUN", &file)]);
        assert!(passed && said.contains(LINE), "{said}");
    }
    assert_eq!(
        fs::read_to_string(file).unwrap(),
        "processors\tthe race\n".repeat(2)
    );
}

#[test]
fn a_strict_run_fails_on_a_lack_that_it_does_not_list() {
    for list in ["", "avx512", "avx512,python3"] {
        let (passed, said) = run(&[LACKS, ("BLOOM_STRICT", list)]);
        assert!(!passed && said.contains(LINE), "{list}: {said}");
        assert!(
            said.contains("the race did not run: this machine lacks processors"),
            "{list}: {said}"
        );
    }
    for list in ["processors", "avx512, processors"] {
        let (passed, said) = run(&[LACKS, ("BLOOM_STRICT", list)]);
        assert!(passed && said.contains(LINE), "{list}: {said}");
    }
}

#[test]
fn every_lack_has_a_word_of_its_own() {
    let mut words = Need::ALL.map(Need::word);
    words.sort_unstable();
    assert!(words.is_sorted_by(|one, other| one < other), "{words:?}");
}
