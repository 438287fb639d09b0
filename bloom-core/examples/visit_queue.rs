//! A web crawler's queue of pages to visit. The memory for pages that were seen has a fixed size.
//!
//! A crawler finds the same links again and again. The queue drops a URL that was pushed before. It remembers the URLs in a
//! Bloom filter, which at a rate of 1 % takes about ten bits for each URL, however long the URL is. The price is the filter's
//! false positives: at this rate, up to 1 in 100 new URLs are mistaken for old ones and never visited. If more URLs are pushed
//! than the filter was sized for, the rate rises above the requested one, and the queue warns once.
//!
//! With `--compare` the program measures memory, as bytes requested from the allocator. For a million URLs of 35 bytes on a
//! 64-bit machine, the filter takes 1,199,120 bytes, and a `HashSet` of the URLs takes 87,214,606 bytes, 72.7 times as much. In
//! this run, 1,629 new URLs were dropped as false positives.
//!
//! ```text
//! cargo run --release -p bloom-core --example visit_queue -- urls.txt
//! cargo run --release -p bloom-core --example visit_queue -- --compare urls.txt > unseen.txt
//! ```

use std::alloc::System;
use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::process::ExitCode;

use bloom_core::{BloomFilter, BuildError};
use clap::Parser;
use common::{Input, Outcome, each_line, say};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

mod common;

/// Counts allocated bytes, for `--compare`.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// A first-in, first-out queue that takes each URL once.
struct VisitQueue {
    seen: BloomFilter<[u8]>,
    waiting: VecDeque<Vec<u8>>,
    expected_items: u64,
    /// The number of URLs that were queued, because the filter did not find them.
    inserted: u64,
    /// The value of `inserted` at which [`check`](Self::check) is called next.
    next_check: u64,
    /// A warning that the caller has not yet taken to print it.
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

    /// Queues a URL, or drops it if the filter finds it.
    fn push(&mut self, url: &[u8]) {
        if self.seen.insert(url) {
            self.waiting.push_back(url.to_vec());
            self.inserted += 1;
            if self.inserted >= self.next_check {
                self.check();
            }
        }
    }

    /// Removes and returns the URL that waited longest.
    fn pop(&mut self) -> Option<Vec<u8>> {
        self.waiting.pop_front()
    }

    /// Sets the warning if more distinct URLs were pushed than expected; otherwise decides when to check again.
    ///
    /// The number of inserted URLs is a lower bound on the number of distinct URLs that were pushed, because it lacks those
    /// that were dropped as false positives. The filter's estimate of its items includes them. The estimate varies by chance,
    /// so three standard deviations are subtracted. To compute it, every bit of the filter is read, so the next check waits for
    /// half of the URLs that are still expected, or for a hundredth of all expected URLs if that is more.
    fn check(&mut self) {
        let expected = self.expected_items as f64;
        let (pushed, at_least) = match self.seen.estimated_items() {
            Ok(estimate) => (
                format!("about {:.0}", estimate.items),
                estimate.items - 3.0 * estimate.standard_deviation,
            ),
            Err(_) => ("too many".to_owned(), f64::INFINITY), // Every bit is set.
        };
        let at_least = at_least.max(self.inserted as f64);
        if at_least <= expected {
            let wait = ((expected - at_least) / 2.0).max(expected / 100.0);
            // While `wait` new URLs are pushed, `inserted` grows by less, because some of them are dropped as false positives.
            let dropped = self.seen.expected_false_positive_rate(self.expected_items);
            self.next_check = self.inserted + ((wait * (1.0 - dropped)) as u64).max(1);
            return;
        }
        self.next_check = u64::MAX;
        self.warning = Some(format!(
            "warning: {pushed} distinct URLs, {} were expected: from here on, new ones are dropped \
             more often than requested",
            self.expected_items
        ));
    }
}

/// Drops a value and returns how many bytes it had requested from the allocator. What the allocator itself adds to each
/// allocation is not included. (So the memory of a set of URLs, which has one allocation for each URL, is in fact larger.)
fn bytes_freed<T>(value: T) -> usize {
    let region = Region::new(ALLOCATOR);
    drop(value);
    region.change().bytes_deallocated
}

/// Reads URLs, one per line, and prints those not seen before; counts go to the standard error
#[derive(Parser)]
struct Options {
    /// Distinct URLs to expect
    #[arg(long, default_value_t = 1_000_000, allow_negative_numbers = true)]
    items: u64,
    /// Largest share of new URLs to drop as false positives
    #[arg(long, default_value_t = 0.01, allow_negative_numbers = true)]
    rate: f64,
    /// Keep a HashSet of the URLs too: count the false positives, compare the memory
    #[arg(long)]
    compare: bool,
    /// Where to read from; the standard input if not given
    file: Option<PathBuf>,
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
        // A crawler would visit the page here and push the links that it finds.
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
        // Each distinct URL was handed out once or, as a false positive, never.
        let distinct = exact.len() as u64;
        let false_positives = distinct - handed_out;
        say(format_args!(
            "dropped as false positives: {false_positives} of {distinct} distinct URLs"
        ));
        let (set, filter) = (bytes_freed(exact), bytes_freed(queue.seen));
        let times = set as f64 / filter as f64;
        say(format_args!(
            "measured memory of the filter: {filter} bytes"
        ));
        say(format_args!(
            "measured memory of a HashSet: {set} bytes, {times:.1} times as much (counted by the \
             allocator, whose own overhead is not included)"
        ));
    }
    Ok(())
}

fn main() -> ExitCode {
    common::main(run)
}
