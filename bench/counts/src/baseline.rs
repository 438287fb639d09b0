//! Reads and writes the file of recorded instruction counts, and judges whether a new count is close enough to the recorded
//! one.

use std::fmt::Write;

/// The greatest relative change of a count that is accepted if the program was compiled by the compiler with which the counts
/// were recorded. A path is a function whose instructions are counted. In a path of at least 34 instructions, this tolerance
/// admits one instruction more or less.
const SAME_COMPILER: f64 = 0.03;

/// The greatest relative rise of a count that is accepted if the program was compiled by another compiler, which may compile
/// the same code differently. A loop that is no longer unrolled or a call that is no longer inlined costs more than this rise.
pub(crate) const OTHER_COMPILER: f64 = 0.25;

/// Recorded counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Baseline {
    /// The compiler and its flags.
    pub(crate) compiler: String,
    /// The architecture, and on x86-64 whether the program detected AVX2 under valgrind.
    pub(crate) processor: String,
    /// The name of each path, and its instructions per call.
    pub(crate) counts: Vec<(String, f64)>,
}

/// The result of comparing a new count of a path with the recorded count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Verdict {
    /// The new count is within the tolerance, or the program was compiled by another compiler and the count is lower.
    Kept,
    /// There are more instructions than the tolerance admits.
    Slower,
    /// There are fewer instructions than the tolerance admits, with the same compiler. The new count should be recorded, so
    /// that a later rise is noticed.
    Faster,
    /// The path is not recorded.
    New,
}

impl Baseline {
    /// Parses the output of [`to_text`](Self::to_text).
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let compiler = lines.next()?.strip_prefix("compiler: ")?.to_owned();
        let processor = lines.next()?.strip_prefix("processor: ")?.to_owned();
        let counts = lines.map(|line| {
            let (path, count) = line.split_once(": ")?;
            Some((path.to_owned(), count.parse().ok()?))
        });
        Some(Self {
            compiler,
            processor,
            counts: counts.collect::<Option<_>>()?,
        })
    }

    /// Writes one line per path, after the compiler and the processor.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!(
            "# Instructions of one call, recorded by `bloom-counts record`.\n\
             compiler: {}\nprocessor: {}\n",
            self.compiler, self.processor
        );
        for (path, count) in &self.counts {
            writeln!(text, "{path}: {count:.2}").expect("text is written");
        }
        text
    }

    /// Returns the recorded count of a path; `None` if the path is not recorded.
    pub(crate) fn count(&self, path: &str) -> Option<f64> {
        let found = self.counts.iter().find(|(name, _)| name == path);
        found.map(|(_, count)| *count)
    }

    /// Compares a count with the recorded one. `compiler` compiled the program that made the new count.
    pub(crate) fn judge(&self, compiler: &str, path: &str, count: f64) -> Verdict {
        let Some(recorded) = self.count(path) else {
            return Verdict::New;
        };
        let same = self.compiler == compiler;
        let tolerance = if same { SAME_COMPILER } else { OTHER_COMPILER };
        if count > recorded * (1.0 + tolerance) {
            Verdict::Slower
        } else if same && count < recorded * (1.0 - tolerance) {
            Verdict::Faster
        } else {
            Verdict::Kept
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline() -> Baseline {
        Baseline {
            compiler: "rustc 1.0.0, no flags".into(),
            processor: "x86_64 with AVX2".into(),
            counts: vec![
                ("bloom present, k = 10".into(), 100.0),
                ("hash u64".into(), 7.25),
            ],
        }
    }

    fn verdict(compiler: &str, count: f64) -> Verdict {
        baseline().judge(compiler, "bloom present, k = 10", count)
    }

    #[test]
    fn a_baseline_round_trips() {
        let text = baseline().to_text();
        assert_eq!(Baseline::from_text(&text), Some(baseline()));
        assert_eq!(Baseline::from_text("compiler: x"), None);
    }

    #[test]
    fn the_same_compiler_may_differ_by_three_per_cent_either_way() {
        use Verdict::{Faster, Kept, Slower};
        let judged =
            [102.9, 103.1, 97.1, 96.9].map(|count| verdict("rustc 1.0.0, no flags", count));
        assert_eq!(judged, [Kept, Slower, Kept, Faster]);
    }

    #[test]
    fn with_another_compiler_only_a_rise_of_over_a_quarter_fails() {
        let judged = [124.9, 125.1, 10.0].map(|count| verdict("rustc 2.0.0", count));
        assert_eq!(judged, [Verdict::Kept, Verdict::Slower, Verdict::Kept]);
    }

    #[test]
    fn a_path_that_was_never_recorded_is_new() {
        let verdict = baseline().judge("rustc 1.0.0, no flags", "bloom flight", 1.0);
        assert_eq!(verdict, Verdict::New);
    }
}
