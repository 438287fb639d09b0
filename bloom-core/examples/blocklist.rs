//! A blocklist that takes a few bits per item and never blocks an item of a second list, the allowed items.
//!
//! A Bloom filter of the blocked items finds each of them, and also some other items: its false positives. The allowed
//! items are known beforehand, so the program queries the filter for each of them. The allowed items that the filter finds,
//! the *exceptions*, are kept in an exact set and are not blocked. So an item on both lists is allowed. Items on neither
//! list are blocked at the false-positive rate of the filter.
//!
//! ```text
//! cargo run --release -p bloom-core --example blocklist
//! cargo run --release -p bloom-core --example blocklist -- blocked.txt allowed.txt < queries.txt
//! ```
//!
//! Without files, the program shows its answers for two made-up lists. With two files, it answers each line of the standard
//! input with `blocked` or `allowed`.

use std::collections::HashSet;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use bloom_core::{BloomFilter, BuildError};
use clap::Parser;
use common::{Input, Outcome, each_line, say};

mod common;

/// A set of items without false positives.
type List = HashSet<Vec<u8>>;

/// A filter of the blocked items, and the allowed items that it finds.
struct Blocklist {
    filter: BloomFilter<[u8]>,
    exceptions: List,
    /// The number of exceptions that are on both lists. They are not false positives of the filter.
    contradictions: usize,
    /// The number of allowed items that are not blocked items. Those among them that the filter finds are false positives.
    others: usize,
}

impl Blocklist {
    fn new(blocked: &List, allowed: &List, rate: f64) -> Result<Self, BuildError> {
        // A filter is sized for at least one item; if none is inserted, it blocks nothing.
        let expected_items = blocked.len().max(1) as u64;
        let mut filter = BloomFilter::<[u8]>::with_rate(expected_items, rate)?;
        filter.extend(blocked.iter().map(Vec::as_slice));

        let is_found = |item: &&Vec<u8>| filter.contains(item.as_slice());
        let exceptions = allowed.iter().filter(is_found).cloned().collect();
        let contradictions = allowed.intersection(blocked).count();
        Ok(Self {
            filter,
            exceptions,
            contradictions,
            others: allowed.len() - contradictions,
        })
    }

    /// Returns whether an item is blocked. The filter is queried first, because most items are not in it.
    fn blocks(&self, item: &[u8]) -> bool {
        self.filter.contains(item) && !self.exceptions.contains(item)
    }

    /// Reports the size of the filter, the number of its false positives among the allowed items, and the number to expect at
    /// the filter's rate.
    fn say_exceptions(&self) {
        let shape = self.filter.shape();
        let bytes = self.filter.memory_bytes();
        say(format_args!("filter: {shape}, {bytes} bytes"));
        let needed = self.exceptions.len() - self.contradictions;
        let (others, rate) = (self.others, self.filter.false_positive_rate());
        let expected = others as f64 * rate;
        say(format_args!("exceptions needed: {needed}"));
        say(format_args!(
            "exceptions expected: {expected:.1} ({others} allowed items at a rate of {rate:.2e})"
        ));
        if self.contradictions > 0 {
            say(format_args!(
                "allowed although on both lists: {}",
                self.contradictions
            ));
        }
    }
}

fn verdict(is_blocked: bool) -> &'static str {
    if is_blocked { "blocked" } else { "allowed" }
}

fn read_list(path: PathBuf) -> Result<List, Box<dyn Error>> {
    let mut input = Input::open(Some(path))?;
    let (mut list, mut line) = (List::new(), Vec::new());
    while input.next_line(&mut line)? {
        let item = line.trim_ascii();
        if !item.is_empty() {
            list.insert(item.to_vec());
        }
    }
    Ok(list)
}

/// Answers each line of the standard input with `blocked` or `allowed`; counts go to the standard error.
/// Without files, runs a demonstration on two made-up lists
#[derive(Parser)]
struct Options {
    /// Largest share of other items to block as false positives
    #[arg(long, default_value_t = 0.01, allow_negative_numbers = true)]
    rate: f64,
    /// File of items to block, one per line
    #[arg(requires = "allowed")]
    blocked: Option<PathBuf>,
    /// File of items that must never be blocked, one per line
    allowed: Option<PathBuf>,
}

fn answer(blocklist: &Blocklist) -> Outcome {
    let (mut queried, mut blocked) = (0_u64, 0_u64);
    each_line(Input::open(None)?, |line, output| {
        let item = line.trim_ascii();
        let is_blocked = blocklist.blocks(item);
        queried += 1;
        blocked += u64::from(is_blocked);
        Ok(writeln!(output, "{}", verdict(is_blocked))?)
    })?;
    say(format_args!("queried: {queried}"));
    say(format_args!("blocked: {blocked}"));
    say(format_args!("allowed: {}", queried - blocked));
    Ok(())
}

fn demo(rate: f64) -> Outcome {
    let names = |kind: &str, count: u32| -> List {
        let name = |i| format!("{kind}-{i}.example").into_bytes();
        (0..count).map(name).collect()
    };
    let blocklist = Blocklist::new(&names("spam", 10_000), &names("friend", 5_000), rate)?;
    let mut queried = ["spam-7.example", "friend-7.example", "stranger-7.example"]
        .map(|item| item.as_bytes().to_vec())
        .to_vec();
    queried.extend(blocklist.exceptions.iter().min().cloned());
    for item in queried {
        let verdict = verdict(blocklist.blocks(&item));
        let note = if blocklist.exceptions.contains(&item) {
            " (a false positive of the filter: an exception)"
        } else {
            ""
        };
        let item = String::from_utf8_lossy(&item);
        // A closed output is not an error.
        writeln!(io::stdout(), "{item}: {verdict}{note}").ok();
    }
    blocklist.say_exceptions();
    Ok(())
}

fn run(options: Options) -> Outcome {
    let Some((blocked, allowed)) = options.blocked.zip(options.allowed) else {
        return demo(options.rate);
    };
    let blocklist = Blocklist::new(&read_list(blocked)?, &read_list(allowed)?, options.rate)?;
    answer(&blocklist)?;
    blocklist.say_exceptions();
    Ok(())
}

fn main() -> ExitCode {
    common::main(run)
}
