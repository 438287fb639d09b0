//! Fills a Bloom filter from all threads in three ways, and measures the time and the peak memory of each way.
//!
//! ```text
//! cargo run --release -p bloom-core --example huge_filter -- --items 1000000000
//! ```
//!
//! - **shared**: all threads insert into one filter, an [`AtomicBlockedBloomFilter`]. It needs no memory besides the filter's
//!   own, and the filter can be queried while it is filled, but every insert of a new item takes locked instructions.
//! - **united**: each thread fills a filter of its own, of full size. At the end the filters are merged by
//!   [`union_with`](BlockedBloomFilter::union_with). Inserts need no locked instructions, but each thread needs the memory
//!   of a whole filter.
//! - **parts**: the items are divided among many small filters, the parts; the hash of an item selects its part. The hashes
//!   are first collected by part. Then each part is filled without cache misses, if it fits in the cache. A query has to
//!   compute the part from the hash, too.
//!
//! With `--pages`, the program compares queries by one thread in memory of 4 KiB pages with queries in memory of huge pages (2
//! MiB). The processor must translate the address of each page that a query touches, and keeps only some translations: 2,048 to
//! 4,096 translations cover 8 to 16 MiB in 4 KiB pages, but 4 to 8 GiB in huge pages. Linux uses huge pages by itself where
//! `/sys/kernel/mm/transparent_hugepage/enabled` is `always`, and on request of a program where it is `madvise`; this program
//! requests them. A filter takes memory of either kind by [`new_in`](BloomFilter::new_in).
//!
//! The gain depends on the machine, and on a virtual machine also on the pages with which the host backs its memory. On a
//! virtual machine with an AMD EPYC (family 26, model 2: Zen 5), huge pages made queries faster by at most 10 %. `blocked` is a
//! blocked filter and `plain` a standard one; `present` items were inserted, and `absent` ones were not. The first two rows are
//! for 20 million items:
//!
//! | ns per query, at 1 % | present, 4 KiB pages | huge pages | absent, 4 KiB pages | huge pages |
//! | --- | ---: | ---: | ---: | ---: |
//! | blocked | 22.0 | 21.8 | 20.1 | 20.0 |
//! | plain | 63.4 | 63.7 | 56.0 | 51.9 |
//! | blocked, 200 million | 27.3 | 24.6 | 24.9 | 23.0 |
//! | plain, 200 million | 75.9 | 73.3 | 69.5 | 66.4 |
//!
//! On that machine, a read of a random cache line in 240 MiB took 8.2 ns in huge pages and 9.3 ns in 4 KiB pages. On an Intel
//! Xeon with AMX, such a read took 8.4 ns in huge pages and 25.6 ns in 4 KiB pages; in 24 MiB, it took 3.9 ns and 5.8 ns.

use std::error::Error;
use std::io::{self, Write};
use std::process::{Command, ExitCode};
use std::time::Instant;
use std::{env, fs};

use bloom_core::{Block, BlockedBloomFilter, BlockedShape, BloomFilter, FixedState, Query, Shape};
use clap::{Parser, ValueEnum};
use common::Outcome;
use memmap2::MmapMut;
use rayon::prelude::*;

// The module `common` also has code for reading lines, which this example does not use.
#[allow(dead_code)]
mod common;

/// The number of items that a thread hashes and inserts as one batch.
const BATCH: u64 = 1 << 16;

/// The number of items whose hashes are collected by part before any of them is inserted.
const COLLECTED: u64 = 1 << 24;

/// The size of a part in bytes, chosen so that a part fits in the second-level cache of one core.
const PART_BYTES: u64 = 1 << 20;

/// The size of a huge page in bytes, on x86-64 and most other processors.
const HUGE_PAGE: usize = 1 << 21;

/// The number of queries in a round, which are timed together.
const QUERIES: u64 = 1 << 16;
/// The maximum number of rounds.
const ROUNDS: u64 = 200;

/// Fills filters with the integers below N from all threads in three ways, each in a process of its own, checks each, and
/// prints time, peak memory (VmHWM; only on Linux) and rate as a table
#[derive(Parser)]
struct Options {
    /// Number of items
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    items: u64,
    /// False-positive rate
    #[arg(long, default_value_t = 0.01)]
    rate: f64,
    /// Only this way: prints its line without the table's head
    #[arg(long)]
    way: Option<Way>,
    /// Instead, compare the times of single queries in 4 KiB pages and in huge pages
    #[arg(long, conflicts_with = "way")]
    pages: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Way {
    Shared,
    United,
    Parts,
}

impl Way {
    fn name(self) -> String {
        let value = self.to_possible_value().expect("no way is skipped");
        value.get_name().to_owned()
    }
}

/// Returns the items, in batches: the integers below `items`. A real program would read rows of a table or lines of files.
fn batches(items: u64) -> impl ParallelIterator<Item = Vec<u64>> {
    let batches = items.div_ceil(BATCH);
    (0..batches).into_par_iter().map(move |batch| {
        let first = batch * BATCH;
        (first..items.min(first + BATCH)).collect()
    })
}

fn shared(items: u64, rate: f64) -> Result<BlockedBloomFilter<u64>, Box<dyn Error>> {
    let filter = BlockedBloomFilter::<u64>::with_rate(items, rate)?.into_shared();
    batches(items).for_each(|batch| _ = filter.insert_many(&batch));
    Ok(filter.into_plain())
}

fn united(items: u64, rate: f64) -> Result<BlockedBloomFilter<u64>, Box<dyn Error>> {
    let shape = BlockedShape::for_rate(items, rate)?;
    let threads = rayon::current_num_threads() as u64;
    let share = items.div_ceil(threads);
    let filters: Result<Vec<_>, _> = (0..threads)
        .into_par_iter()
        .map(|thread| {
            let mut filter = BlockedBloomFilter::<u64>::new(shape)?;
            let end = items.min((thread + 1) * share);
            let mut first = thread * share;
            while first < end {
                let batch: Vec<u64> = (first..end.min(first + BATCH)).collect();
                filter.insert_many(&batch);
                first += BATCH;
            }
            Ok(filter)
        })
        .collect::<Result<Vec<_>, bloom_core::BuildError>>();
    let mut filters = filters?.into_iter();
    let mut all = filters.next().ok_or("there is no thread")?;
    for filter in filters {
        all.union_with(&filter)?;
    }
    Ok(all)
}

/// Returns the number of items that one of `parts` parts is sized for, if `items` items are divided among them by their
/// hashes. The number of items in a part varies by chance, so the result is six standard deviations above the mean.
fn most(items: u64, parts: u64) -> u64 {
    let mean = items.div_ceil(parts);
    mean + (6.0 * (mean as f64).sqrt()) as u64
}

/// Many small filters with one hasher. The hash of an item selects the filter into which it is inserted.
struct Parts {
    parts: Vec<BlockedBloomFilter<u64>>,
}

impl Parts {
    fn with_rate(items: u64, rate: f64) -> Result<Self, Box<dyn Error>> {
        let whole = BlockedShape::for_rate(items, rate)?;
        let parts = (whole.bits() / 8).div_ceil(PART_BYTES);
        let part = || BlockedBloomFilter::with_rate(most(items, parts), rate);
        Ok(Self {
            parts: (0..parts).map(|_| part()).collect::<Result<_, _>>()?,
        })
    }

    /// Returns the index of the part that a hash selects. The hash also selects the bits within the part, so the index is made
    /// from a mixed copy of the hash.
    fn of(&self, hash: u64) -> usize {
        let mixed = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
        let mixed = (mixed ^ hash).wrapping_mul(0xd134_2543_de82_ef95);
        ((u128::from(mixed) * self.parts.len() as u128) >> 64) as usize
    }

    fn fill(&mut self, items: u64) {
        let state = FixedState::new();
        let mut first = 0;
        while first < items {
            let end = items.min(first + COLLECTED);
            let threads = rayon::current_num_threads() as u64;
            let share = (end - first).div_ceil(threads);
            // Each thread sorts its share of the items by part. Then each part inserts what all threads collected for it.
            let collected: Vec<Vec<Vec<u64>>> = (0..threads)
                .into_par_iter()
                .map(|thread| {
                    let from = end.min(first + thread * share);
                    let to = end.min(from + share);
                    // The vectors are made with room for their hashes: a vector that grows takes up to twice that memory.
                    let length = most(to - from, self.parts.len() as u64) as usize;
                    let part = || Vec::with_capacity(length);
                    let mut by_part: Vec<_> = self.parts.iter().map(|_| part()).collect();
                    for item in from..to {
                        let hash = std::hash::BuildHasher::hash_one(&state, item);
                        by_part[self.of(hash)].push(hash);
                    }
                    by_part
                })
                .collect();
            self.parts
                .par_iter_mut()
                .enumerate()
                .for_each(|(number, part)| {
                    for by_part in &collected {
                        part.insert_hashes(&by_part[number]);
                    }
                });
            first = end;
        }
    }

    fn contains(&self, item: u64) -> bool {
        let hash = self.parts[0].hash_of(&item);
        self.parts[self.of(hash)].contains_hash(hash)
    }
}

/// Checks that inserted items are found: all items if there are less than two million, or else at least a million, evenly
/// spaced. Then queries as many items that were not inserted, and returns the share of them that is found.
fn check(items: u64, contains: impl Fn(u64) -> bool + Sync) -> Result<f64, Box<dyn Error>> {
    let step = (items / 1_000_000).max(1);
    let queried = || {
        (0..items.div_ceil(step))
            .into_par_iter()
            .map(|number| number * step)
    };
    if !queried().all(&contains) {
        return Err("an inserted item is not found".into());
    }
    let found = queried().filter(|item| contains(items + item)).count();
    Ok(found as f64 / queried().count() as f64)
}

/// Fills a filter in one of the three ways, checks it, and prints the way's row of the table.
fn run_way(way: Way, items: u64, rate: f64) -> Outcome {
    let start = Instant::now();
    let (time, peak, measured);
    if let Way::Parts = way {
        let mut parts = Parts::with_rate(items, rate)?;
        parts.fill(items);
        (time, peak) = (start.elapsed(), peak_kib());
        measured = check(items, |item| parts.contains(item))?;
    } else {
        let fill = if let Way::Shared = way {
            shared
        } else {
            united
        };
        let filter = fill(items, rate)?;
        (time, peak) = (start.elapsed(), peak_kib());
        measured = check(items, |item| filter.contains(&item))?;
    }
    let (seconds, ns) = (time.as_secs_f64(), time.as_secs_f64() * 1e9 / items as f64);
    let memory = peak.map_or("unknown".to_owned(), |kib| {
        format!("{:.0} MiB", kib / 1024.0)
    });
    let name = way.name();
    say(&format!(
        "| {name} | {seconds:.1} s | {ns:.1} ns | {memory} | {measured:.4} |"
    ));
    Ok(())
}

/// Returns the most memory that this process has had at a time, in KiB, if the system reports it.
fn peak_kib() -> Option<f64> {
    status_kib("/proc/self/status", "VmHWM:")
}

/// Returns the number in the line that starts with `name` in a status file of Linux.
fn status_kib(file: &str, name: &str) -> Option<f64> {
    let status = fs::read_to_string(file).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Prints a line. A failure to print it is ignored.
fn say(line: &str) {
    writeln!(io::stdout(), "{line}").ok();
}

/// Maps memory for a filter of `bits` bits, in huge pages or in pages of 4 KiB.
fn map(bits: u64, huge: bool) -> Result<MmapMut, Box<dyn Error>> {
    // Rounded up to whole huge pages, which are also whole pages of 4 KiB.
    let bytes = (bits.div_ceil(8) as usize).next_multiple_of(HUGE_PAGE);
    let map = MmapMut::map_anon(bytes)?;
    #[cfg(target_os = "linux")]
    map.advise(if huge {
        memmap2::Advice::HugePage
    } else {
        memmap2::Advice::NoHugePage
    })?;
    Ok(map)
}

/// Measures queries by one thread in 4 KiB pages and in huge pages, and prints the times as a table.
fn compare_pages(items: u64, rate: f64) -> Outcome {
    let (blocked, shape) = (
        BlockedShape::for_rate(items, rate)?,
        Shape::for_rate(items, rate)?,
    );
    let mut maps = Vec::new();
    for huge in [false, true] {
        maps.push((map(blocked.bits(), huge)?, map(shape.bits(), huge)?));
    }
    let mut filters = Vec::new();
    for (blocks, words) in &mut maps {
        // SAFETY: any bytes are valid as blocks and as words. A map starts on a page, so its first byte is aligned for both.
        #[allow(unsafe_code)]
        let (blocks, words) = unsafe {
            (
                blocks.align_to_mut::<Block>().1,
                words.align_to_mut::<u64>().1,
            )
        };
        let mut blocked = BlockedBloomFilter::<u64, _, _>::new_in(blocked, blocks)?;
        let mut plain = BloomFilter::<u64, _, _>::new_in(shape, words)?;
        for first in (0..items).step_by(BATCH as usize) {
            let batch: Vec<u64> = (first..items.min(first + BATCH)).collect();
            blocked.insert_many(&batch);
            plain.insert_many(&batch);
        }
        filters.push((blocked, plain));
    }
    say(&format!(
        "| {items} items | present, 4 KiB pages | huge pages | absent, 4 KiB pages | huge pages |"
    ));
    say("| --- | ---: | ---: | ---: | ---: |");
    let (small, huge) = (&filters[0], &filters[1]);
    print_pages("blocked", items, &small.0, &huge.0)?;
    print_pages("plain", items, &small.1, &huge.1)?;
    if let Some(kib) = status_kib("/proc/self/smaps_rollup", "AnonHugePages:") {
        let memory = if kib == 0.0 {
            "none of the memory is".to_owned()
        } else {
            format!("{:.0} MiB are", kib / 1024.0)
        };
        say(&format!("{memory} in huge pages"));
    }
    Ok(())
}

/// Prints the times of a query in two filters with the same bits: `small` in 4 KiB pages and `huge` in huge pages.
fn print_pages(name: &str, items: u64, small: &impl Query<u64>, huge: &impl Query<u64>) -> Outcome {
    // Each round measures all four cases in turn. For each case the fastest of many short rounds counts, because other programs
    // can only make a round slower.
    let mut best = [f64::INFINITY; 4];
    for round in 0..items.div_ceil(QUERIES).min(ROUNDS) {
        // Each round queries other items than the round before, so that their bits are not in the caches.
        let numbers = round * QUERIES..(round + 1) * QUERIES;
        let present: Vec<u64> = numbers.map(|number| number % items).collect();
        let absent: Vec<u64> = present.iter().map(|item| item + items).collect();
        let rounds = [
            (ns_per_query(small, &present), 1.0),
            (ns_per_query(huge, &present), 1.0),
            (ns_per_query(small, &absent), 0.0),
            (ns_per_query(huge, &absent), 0.0),
        ];
        for (best, ((ns, found), least)) in best.iter_mut().zip(rounds) {
            *best = best.min(ns);
            if found < least {
                return Err("an inserted item is not found".into());
            }
        }
    }
    let [present, present_huge, absent, absent_huge] = best;
    say(&format!(
        "| {name} | {present:.1} ns | {present_huge:.1} ns | {absent:.1} ns | {absent_huge:.1} ns |"
    ));
    Ok(())
}

/// Queries items one after the other; returns the mean time of a query in ns, and the share of the items that is found.
fn ns_per_query(filter: &impl Query<u64>, items: &[u64]) -> (f64, f64) {
    let start = Instant::now();
    let found = items.iter().filter(|item| filter.contains(item)).count();
    let (time, count) = (start.elapsed().as_secs_f64(), items.len() as f64);
    (time * 1e9 / count, found as f64 / count)
}

fn run(
    Options {
        items,
        rate,
        way,
        pages,
    }: Options,
) -> Outcome {
    if pages {
        return compare_pages(items, rate);
    }
    if let Some(way) = way {
        return run_way(way, items, rate);
    }
    BlockedShape::for_rate(items, rate)?;
    say(&format!(
        "| {items} items, {} threads | time | per item | peak memory | rate |",
        rayon::current_num_threads()
    ));
    say("| --- | ---: | ---: | ---: | ---: |");
    for name in Way::value_variants().iter().map(|way| way.name()) {
        let mut way = Command::new(env::current_exe()?);
        way.args([
            "--way",
            &name,
            "--items",
            &items.to_string(),
            "--rate",
            &rate.to_string(),
        ]);
        if !way.status()?.success() {
            return Err(format!("the way {name} failed").into());
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    common::main(run)
}
