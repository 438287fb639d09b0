//! Examines the filters of three other crates, and reports which promises hold and which break. With `--table` it also prints
//! the Markdown table of `fuzz/kit/PEERS.md`.
//!
//! The examination of a filter takes some thirty lines: the two required methods of the trait `Subject`, the other operations
//! that the filter has, and its constructor.

use std::collections::hash_map::DefaultHasher;
use std::env;

use bloom_fuzz_kit::{Candidate, Inserted, Outcome, Report, Subject, examine};

fn main() {
    let reports = [
        ("bloomfilter 3.0.2", "", examine::<Bloomfilter>()),
        (
            "cuckoofilter 0.5",
            " (takes no rate: about 3 % by its page)",
            examine::<Cuckoo>(),
        ),
        ("fastbloom 0.17", ", default seed", examine::<Fast>()),
    ];
    for (name, remark, report) in &reports {
        eprintln!("{name}{remark}\n{report}");
    }
    if env::args().nth(1).as_deref() == Some("--table") {
        print!("{}", table(&reports));
    }
}

/// Returns the outcomes as a Markdown table with a line for each check. The table leaves out the measured numbers and the
/// failing cases, which may differ from run to run.
fn table(reports: &[(&str, &str, Report)]) -> String {
    let line = |first: &str, cells: Vec<&str>| format!("| {first} | {} |\n", cells.join(" | "));
    let mut table = line("check", reports.iter().map(|(name, ..)| *name).collect());
    table += &line("---", vec!["---"; reports.len()]);
    let mut seen = Vec::new();
    for row in &reports[0].2.rows {
        if seen.contains(&row.promise) {
            continue;
        }
        seen.push(row.promise);
        let outcomes = reports
            .iter()
            .map(|(_, _, report)| match report.of(row.promise) {
                Some(Outcome::Holds(_)) => "holds",
                Some(Outcome::Breaks(_)) => "**breaks**",
                _ => "–",
            });
        table += &line(row.promise, outcomes.collect());
    }
    table
}

/// A filter of the crate bloomfilter. Its insertions do not report whether an item was new.
struct Bloomfilter(bloomfilter::Bloom<u64>);

impl Subject<u64> for Bloomfilter {
    fn insert(&mut self, item: &u64) -> Inserted {
        self.0.set(item);
        Inserted::Taken
    }

    fn contains(&self, item: &u64) -> bool {
        self.0.check(item)
    }

    fn clear(&mut self) -> Option<()> {
        self.0.clear();
        Some(())
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.0.to_bytes())
    }

    fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
        let loaded = bloomfilter::Bloom::from_slice(bytes);
        Some(loaded.map(Self).map_err(str::to_owned))
    }
}

impl Candidate for Bloomfilter {
    type Item = u64;

    fn with_rate(items: u64, rate: f64) -> Result<Self, String> {
        let seed = std::array::from_fn(|byte| byte as u8);
        let filter = bloomfilter::Bloom::new_for_fp_rate_with_seed(items as usize, rate, &seed);
        filter.map(Self).map_err(str::to_owned)
    }
}

/// A filter of the crate cuckoofilter.
struct Cuckoo(cuckoofilter::CuckooFilter<DefaultHasher>);

impl Subject<u64> for Cuckoo {
    fn insert(&mut self, item: &u64) -> Inserted {
        match self.0.add(item) {
            Ok(()) => Inserted::Taken,
            Err(error) => Inserted::Refused(error.to_string()),
        }
    }

    fn contains(&self, item: &u64) -> bool {
        self.0.contains(item)
    }

    fn remove(&mut self, item: &u64) -> Option<bool> {
        Some(self.0.delete(item))
    }
}

impl Candidate for Cuckoo {
    type Item = u64;

    fn with_rate(items: u64, _rate: f64) -> Result<Self, String> {
        Ok(Self(cuckoofilter::CuckooFilter::with_capacity(
            items as usize,
        )))
    }
}

/// A filter of the crate fastbloom with the default seed, which is random for each filter.
struct Fast<S = fastbloom::DefaultHasher>(fastbloom::BloomFilter<S>);

impl<S: std::hash::BuildHasher> Subject<u64> for Fast<S> {
    fn insert(&mut self, item: &u64) -> Inserted {
        // `insert` of this crate returns whether the item was there before.
        Inserted::as_new(!self.0.insert(item))
    }

    fn contains(&self, item: &u64) -> bool {
        self.0.contains(item)
    }

    fn clear(&mut self) -> Option<()> {
        self.0.clear();
        Some(())
    }

    fn merge(&mut self, other: &Self) -> Option<Result<(), String>> {
        self.0.union(&other.0);
        Some(Ok(()))
    }
}

impl Candidate for Fast {
    type Item = u64;

    fn with_rate(items: u64, rate: f64) -> Result<Self, String> {
        let filter = fastbloom::BloomFilter::with_false_pos(rate);
        Ok(Self(filter.expected_items(items as usize)))
    }
}
