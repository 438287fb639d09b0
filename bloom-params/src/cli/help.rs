//! Holds the texts before and after the flags in `-h`, `--help` and the manual page.

/// The keys of the JSON object and what they mean.
const KEYS: &str = include_str!("../json_keys.txt");

/// The valid mixes of quantities, and what is solved for each.
const MIXES: &str = include_str!("../mixes.txt");

/// Example command lines, which the help of the program prints first.
pub(crate) const EXAMPLES: &str = "\
Examples:
  bloom-params --n 2000 --p 1%
    the smallest filter that keeps 1 %
  bloom-params --n 2000 --m 20000
    the best number of hashes and the rate
  bloom-params --m 64KiB --p 1/1000
    how many items 64 KiB hold at 1 in 1000
  bloom-params --m 20000 --k 7 --fill 47%
    how many items this filter holds, and its rate now
  bloom-params --n 2000 --m 19171 --k 7 --p 0.01
    does this size keep 1 %? (it does not)";

/// Example command lines of `compare`. This and the next three texts are those that the help of each command prints first.
pub(crate) const COMPARE: &str = "\
Examples:
  bloom-params compare --n 1M --p 1%
  bloom-params compare --n 1M --p 1% --like redis,guava
  bloom-params compare --n 1M --p 1% --format markdown";
pub(crate) const TABLE: &str = "\
Examples:
  bloom-params table
    rates by bits per item and hashes
  bloom-params table --n 1M --p 1%
    the bits for each number of hashes
  bloom-params table --n 1M --m 1MB
    the rate for each number of hashes";
pub(crate) const BATCH: &str = "\
Examples:
  bloom-params batch questions.csv
    with a first line like n,p or name,n,m,k,p
  bloom-params batch questions.csv --like guava --json";
pub(crate) const VERIFY: &str = "\
Examples:
  bloom-params verify --n 1000 --p 1%
  bloom-params verify --n 1000 --m 9600 --k 7 --trials 200 --seed 2";

/// The exit codes, which the help prints last.
pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 solved, and p is met if it was given; 1 p is not met; 2 bad usage or input, no output; \
batch still answers its good rows.";
pub(crate) const BATCH_EXIT_CODES: &str = "\
Exit codes: 0 every row solved, and each p met; 1 some p is not met; 2 bad usage, with no output, or a bad \
line, with answers to the other lines.";
pub(crate) const VERIFY_EXIT_CODES: &str = "\
Exit codes: 0 the filters agree with the model, and it meets p if p was given; 1 they disagree, or the \
model misses p; 2 bad usage or input, no output.";

/// Printed when there are no arguments.
pub(crate) const GUIDE: &str = "\
Sizes Bloom filters: give two or three of n, m, k and p, and get the rest.

  bloom-params --n 2000 --p 1%          the smallest filter that keeps 1 %
  bloom-params --help                   more
";

/// Returns what `--help` prints after the flags.
pub(crate) fn mixes() -> String {
    let mixes = indented(MIXES);
    format!(
        "What may be given, and what is answered:\n{mixes}\n\nMore on every flag, and the keys of the JSON object: bloom-params \
         man\n\n{EXIT_CODES}"
    )
}

/// Returns what the manual page prints after the flags. Unlike `--help`, it lists the keys of the JSON object.
pub(crate) fn keys() -> String {
    let (mixes, keys) = (indented(MIXES), indented(KEYS));
    format!(
        "What may be given, and what is answered:\n{mixes}\n\nKeys of the JSON object:\n{keys}\n\n{EXIT_CODES}"
    )
}

/// Indents each line of the text.
pub(crate) fn indented(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(|line| format!("  {line}")).collect();
    lines.join("\n")
}
