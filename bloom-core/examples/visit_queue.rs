//! A web crawler's queue of pages to visit, in a memory that does not grow with the pages seen.
//!
//! Whoever crawls finds the same links again and again. The queue drops a URL that was pushed
//! before, and remembers the URLs in a Bloom filter: about ten bits each, however long they are.
//! The price is the filter's false positives: at a rate of 1 %, up to 1 in 100 new URLs are taken
//! for old ones and never visited. Past the expected items the rate rises, so the queue warns
//! once.
//!
//! ```text
//! cargo run --release -p bloom-core --example visit_queue -- urls.txt
//! cargo run --release -p bloom-core --example visit_queue -- --compare urls.txt > unseen.txt
//! ```

use std::collections::{HashSet, VecDeque};
use std::env::ArgsOs;
use std::path::PathBuf;
use std::process::ExitCode;

use bloom_core::{BloomFilter, BuildError};
use common::{Input, Outcome, each_line, number, say, take_file};

mod common;

const USAGE: &str = "\
usage: visit_queue [--items N] [--rate P] [--compare] [FILE]

Reads URLs, one a line, and prints those not seen before; counts go to the standard error.

  FILE        where to read from; the standard input if not given
  --items N   distinct URLs to expect (default 1000000)
  --rate P    largest share of new URLs to drop by mistake (default 0.01)
  --compare   keep a HashSet of the URLs too: count the mistakes, compare the memory
";

/// A first-in, first-out queue that takes each URL once.
struct VisitQueue {
    seen: BloomFilter<[u8]>,
    waiting: VecDeque<Vec<u8>>,
    expected_items: u64,
    /// URLs that were certainly new.
    inserted: u64,
    /// How many of them make it time to look at the estimate again.
    next_check: u64,
    /// To be told once, by whoever takes it.
    warning: Option<String>,
}

impl VisitQueue {
    fn new(expected_items: u64, rate: f64) -> Result<Self, BuildError> {
        Ok(Self {
            seen: BloomFilter::with_rate(expected_items, rate)?,
            waiting: VecDeque::new(),
            expected_items,
            inserted: 0,
            next_check: 1,
            warning: None,
        })
    }

    /// Queues a URL, or drops it if it was seen.
    fn push(&mut self, url: &[u8]) {
        if self.seen.insert(url) {
            self.waiting.push_back(url.to_vec());
            self.inserted += 1;
            if self.inserted >= self.next_check {
                self.check();
            }
        }
    }

    /// Hands out the URL that waited longest.
    fn pop(&mut self) -> Option<Vec<u8>> {
        self.waiting.pop_front()
    }

    /// Warns if more distinct URLs were pushed than expected, else says when to look again.
    ///
    /// At least as many were pushed as were inserted. The estimate also knows of the new ones that
    /// were dropped by mistake; but it scatters, hence the three standard deviations, and it reads
    /// every bit of the filter, hence only now and then: after half of the items that seem to be
    /// missing, or a hundredth of all if that is more.
    fn check(&mut self) {
        let expected = self.expected_items as f64;
        let (pushed, at_least) = match self.seen.estimated_items() {
            Some(estimate) => (
                format!("about {:.0}", estimate.items),
                estimate.items - 3.0 * estimate.standard_deviation,
            ),
            None => ("too many".to_owned(), f64::INFINITY), // Every bit is set.
        };
        let at_least = at_least.max(self.inserted as f64);
        if at_least <= expected {
            let wait = ((expected - at_least) / 2.0).max(expected / 100.0);
            // Not all of them will be inserted.
            let dropped = self.seen.expected_false_positive_rate(self.expected_items);
            self.next_check = self.inserted + ((wait * (1.0 - dropped)) as u64).max(1);
            return;
        }
        self.next_check = u64::MAX;
        self.warning = Some(format!(
            "warning: {pushed} distinct URLs, {} were expected: from here on, new ones are dropped \
             more often than was asked",
            self.expected_items
        ));
    }
}

/// Returns a lower bound of the bytes that the exact alternative takes, a set that keeps every URL:
/// a vector and a control byte for each item of the table's capacity, and the capacity of each
/// text. What the table keeps free and what the allocator adds come on top; URLs that wait to be
/// visited are not counted on either side. A set of `String`s, were all URLs UTF-8, takes the same.
fn set_bytes(urls: &HashSet<Vec<u8>>) -> usize {
    let table = urls.capacity() * (size_of::<Vec<u8>>() + 1);
    table + urls.iter().map(Vec::capacity).sum::<usize>()
}

struct Options {
    items: u64,
    rate: f64,
    compare: bool,
    file: Option<PathBuf>,
}

fn parse(mut arguments: ArgsOs) -> Result<Options, String> {
    let (mut items, mut rate, mut compare, mut file) = (1_000_000, 0.01, false, None);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--items") => items = number("--items", &mut arguments)?,
            Some("--rate") => rate = number("--rate", &mut arguments)?,
            Some("--compare") => compare = true,
            _ => take_file(argument, &mut file)?,
        }
    }
    Ok(Options {
        items,
        rate,
        compare,
        file,
    })
}

fn run(options: Options) -> Outcome {
    let mut queue = VisitQueue::new(options.items, options.rate)?;
    let mut exact = options.compare.then(HashSet::new);
    let (mut read, mut handed_out) = (0_u64, 0_u64);

    each_line(Input::open(options.file)?, |line, output| {
        let url = line.trim_ascii();
        if url.is_empty() {
            return Ok(());
        }
        read += 1;
        queue.push(url);
        if let Some(exact) = &mut exact {
            exact.insert(url.to_vec());
        }
        if let Some(warning) = queue.warning.take() {
            say(warning);
        }
        // Here a crawler would visit the page and push the links that it finds there.
        while let Some(url) = queue.pop() {
            handed_out += 1;
            output.write_all(&url)?;
            output.write_all(b"\n")?;
        }
        Ok(())
    })?;

    let shape = queue.seen.shape();
    let filter_bytes = queue.seen.memory_bytes();
    say(format_args!("URLs read: {read}"));
    say(format_args!("handed out: {handed_out}"));
    say(format_args!("dropped: {}", read - handed_out));
    say(format_args!("filter: {shape}, {filter_bytes} bytes"));
    let rate = queue.seen.false_positive_rate();
    say(format_args!("false-positive rate by now: {rate:.2e}"));
    if let Some(exact) = exact {
        // Each was handed out once or, by mistake, never.
        let distinct = exact.len() as u64;
        let mistakes = distinct - handed_out;
        say(format_args!(
            "dropped by mistake: {mistakes} of {distinct} distinct URLs"
        ));
        let bytes = set_bytes(&exact);
        let times = bytes as f64 / filter_bytes as f64;
        say(format_args!(
            "HashSet: at least {bytes} bytes, {times:.1} times the filter's (capacities of the \
             table and the texts; spare buckets and allocator not counted)"
        ));
    }
    Ok(())
}

fn main() -> ExitCode {
    common::main(USAGE, parse, run)
}
