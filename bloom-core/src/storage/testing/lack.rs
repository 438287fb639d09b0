//! Reports tests that cannot run because the machine lacks what they need. Such a test passes. A test
//! runner shows only the output of tests that fail, so the report is written to stderr past the runner. With
//! `BLOOM_STRICT` in the environment, such a test fails, unless the variable lists what is lacking.
//!
//! The crate `bloom-testing`, which is not published, has this file too, for the tests of other crates.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `BLOOM_STRICT` | what may be lacking, as words of [`Need::word`] separated by commas; any other lack makes the test fail |
//! | `BLOOM_NOT_RUN` | a file to which each test that did not run adds a line: what is lacking, a tab, what did not run |
//! | `BLOOM_PRETEND_LACKS` | what [`has`] treats as lacking, as words separated by commas, even if the machine has it |

use std::fs::OpenOptions;
use std::io::{Write, stderr};
#[cfg(target_arch = "x86_64")]
use std::is_x86_feature_detected;
use std::process::{Command, Stdio};
use std::string::String;
use std::{env, format, thread};

/// Something that a test needs and a machine may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Two processors, so that two threads run at the same time.
    Processors,
    /// The instructions that the library's AVX2 code uses: AVX2, BMI2 and POPCNT.
    Avx2,
    /// The instructions that the library's AVX-512 code uses: its subsets F, DQ, BW and VL.
    Avx512,
    /// A program called `bash`.
    Bash,
    /// A program called `python3`.
    Python3,
}

impl Need {
    /// Everything that tests may need.
    pub const ALL: [Self; 5] = [
        Self::Processors,
        Self::Avx2,
        Self::Avx512,
        Self::Bash,
        Self::Python3,
    ];

    /// Returns the word for this need in `BLOOM_STRICT` and in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Processors => "processors",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Bash => "bash",
            Self::Python3 => "python3",
        }
    }

    /// Returns whether this machine has what is needed.
    fn is_met(self) -> bool {
        match self {
            Self::Processors => thread::available_parallelism().map_or(1, usize::from) > 1,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
            }
            // The library has AVX2 and AVX-512 code for x86-64 only.
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
            Self::Bash | Self::Python3 => {
                let mut program = Command::new(self.word());
                let program = program.arg("--version");
                let quiet = program.stdout(Stdio::null()).stderr(Stdio::null());
                quiet.status().is_ok_and(|status| status.success())
            }
        }
    }
}

/// Returns whether this machine has what a test needs. If it does not, [`not_run`] reports that `what` was not tested.
///
/// # Panics
///
/// If [`not_run`] is called and panics.
#[must_use]
#[track_caller]
pub fn has(need: Need, what: &str) -> bool {
    let pretends = list("BLOOM_PRETEND_LACKS").is_some_and(|lacks| lists(&lacks, need));
    let has = !pretends && need.is_met();
    if !has {
        not_run(need, what);
    }
    has
}

/// Reports that `what` was not tested, because this machine lacks what the test needs.
///
/// # Panics
///
/// If `BLOOM_STRICT` is set and does not list what is lacking, or if the file of `BLOOM_NOT_RUN` cannot be written.
#[track_caller]
pub fn not_run(need: Need, what: &str) {
    let lack = need.word();
    let line = format!("NOT RUN: {what} (this machine lacks {lack})\n");
    // The test runner would capture the output of `eprint!`. The line is written in one call, so that lines that other tests
    // write at the same time do not get into it.
    _ = stderr().write_all(line.as_bytes());
    if let Some(file) = env::var_os("BLOOM_NOT_RUN") {
        let mut append = OpenOptions::new();
        let written = append
            .create(true)
            .append(true)
            .open(&file)
            .and_then(|mut file| file.write_all(format!("{lack}\t{what}\n").as_bytes()));
        written.unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
    }
    if let Some(allowed) = list("BLOOM_STRICT") {
        assert!(
            lists(&allowed, need),
            "{what} did not run: this machine lacks {lack}, which BLOOM_STRICT={allowed:?} does not list"
        );
    }
}

fn list(variable: &str) -> Option<String> {
    env::var_os(variable).map(|list| list.to_string_lossy().into_owned())
}

fn lists(list: &str, need: Need) -> bool {
    list.split(',').any(|word| word.trim() == need.word())
}
