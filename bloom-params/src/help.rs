//! The texts around the flags in `-h` and `--help`.

use crate::{json, solve};

/// What stands first: lines to copy.
pub(crate) const EXAMPLES: &str = "\
Examples:
  bloom-params --n 2000 --p 1%          the smallest filter for 2000 items at 1 %
  bloom-params --n 2000 --m 20000       the best number of hashes and the rate
  bloom-params --m 64KiB --p 1/1000     how many items 64 KiB hold at 1 in 1000
  bloom-params --n 2000 --m 19171 --k 7 --p 0.01
                                        does this size keep its promise? (it does not)";

/// What stands first in the help of each command: lines to copy.
pub(crate) const COMPARE: &str = "\
Examples:
  bloom-params compare --n 1M --p 1%
  bloom-params compare --n 1M --p 1% --format markdown";
pub(crate) const TABLE: &str = "\
Examples:
  bloom-params table                    rates by bits an item and hashes
  bloom-params table --n 1M --p 1%      the bits for each number of hashes
  bloom-params table --n 1M --m 1MB     the rate for each number of hashes";
pub(crate) const BATCH: &str = "\
Examples:
  bloom-params batch questions.csv      with a first line like n,p or n,m,k,p
  bloom-params batch questions.csv --like guava --json";
pub(crate) const VERIFY: &str = "\
Examples:
  bloom-params verify --n 1000 --p 1%
  bloom-params verify --n 1000 --m 9600 --k 7 --trials 200 --seed 2";

/// What stands last.
pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 solved, and met where p was asked; 1 p is not met; 2 bad usage or input, no output.";

/// What is shown where nothing is asked.
pub(crate) const GUIDE: &str = "\
Sizes Bloom filters: give two or three of n, m, k and p, the rest is solved.

  bloom-params --n 2000 --p 1%          the smallest filter for 2000 items at 1 %
  bloom-params --help                   more
";

/// What only `--help` tells, after the flags.
pub(crate) fn more() -> String {
    let mixes = indented(solve::MIXES);
    let keys = indented(json::KEYS);
    format!(
        "What may be given, and what is answered:\n{mixes}\n\n\
         Keys of the JSON object:\n{keys}\n\n{EXIT_CODES}"
    )
}

/// The text, each line set in.
pub(crate) fn indented(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(|line| format!("  {line}")).collect();
    lines.join("\n")
}
