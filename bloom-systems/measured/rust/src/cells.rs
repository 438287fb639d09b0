//! Measures the filters of a system: their false-positive rates, and their sizes for a list of requests. A cell is the rate for
//! one combination of kind of key, n, p and number of inserted items.

use crate::key::Key;
use crate::random::Random;

const ITEMS: [usize; 9] = [1, 10, 20, 50, 100, 500, 1_000, 5_000, 100_000];
const RATES: [&str; 5] = ["0.1", "0.01", "0.001", "0.0001", "1e-5"];

/// The numbers of inserted items, as multiples of the n that the filter was sized for.
const FILLS: [usize; 2] = [1, 3];

/// The number of filters that are measured between two checks whether the cell is done.
const BATCH: u64 = 30;

/// A filter of the system that is measured, for keys of the type `K`.
pub(crate) trait Filter<K>: Sized {
    /// A cell is done at the latest at the first check after this many insertions and queries. The limit is a number and not a
    /// time, so that each run gives the same cells.
    const OPERATIONS: f64 = 2e8;

    /// Returns an empty filter, or nothing if the system refuses to build one.
    fn build(items: usize, rate: f64, seed: u64) -> Option<Self>;
    fn insert(&mut self, key: &K);
    fn contains(&self, key: &K) -> bool;
    /// Returns the bits and the hashes.
    fn size(&self) -> (u64, u64);
}

/// Returns whether only quick cells are requested: those of filters for an n of at most 20 and a p of 0.1 or 0.01.
fn is_part() -> bool {
    std::env::var_os("PART").is_some()
}

/// Appends a line for each cell of one kind of keys.
pub(crate) fn rates<K: Key, F: Filter<K>>(keys: &str, lines: &mut String) {
    for items in ITEMS {
        for rate in RATES {
            for fill in FILLS {
                if is_part() && (items > 20 || !["0.1", "0.01"].contains(&rate)) {
                    continue;
                }
                if let Some(cell) = cell::<K, F>(items, rate.parse().expect("a rate"), fill * items)
                {
                    let line = format!("{keys},{items},{rate},{},{cell}\n", fill * items);
                    eprint!("{line}");
                    lines.push_str(&line);
                }
            }
        }
    }
}

/// Returns the last fields of a cell's line, m,k,rate,deviation,filters,queries; `None` if the system refuses.
fn cell<K: Key, F: Filter<K>>(items: usize, rate: f64, inserted: usize) -> Option<String> {
    let queries = (10 * items).max(4_000);
    let aim = if rate >= 1e-4 { 0.03 } else { 0.05 };
    let mut random = Random((items as u64) << 32 ^ rate.to_bits() ^ inserted as u64);
    let (mut filters, mut sum, mut squares) = (0_u64, 0.0, 0.0);
    loop {
        let mut size = (0, 0);
        for _ in 0..BATCH {
            let mut filter = F::build(items, rate, random.draw())?;
            for _ in 0..inserted {
                filter.insert(&K::of(random.draw()));
            }
            let hits = (0..queries)
                .filter(|_| filter.contains(&K::of(random.draw())))
                .count() as f64;
            sum += hits;
            squares += hits * hits;
            size = filter.size();
        }
        filters += BATCH;
        let count = filters as f64;
        let mean = sum / count;
        // The standard error of the mean number of hits of a filter. It includes the differences between filters.
        let deviation = ((squares - count * mean * mean).max(0.0) / (count - 1.0) / count).sqrt();
        let operations = count * (inserted + queries) as f64;
        let needed = operations * (deviation / mean / aim).powi(2);
        let hopeless =
            operations > F::OPERATIONS / 5.0 && (mean == 0.0 || needed > 5.0 * F::OPERATIONS);
        if mean > 0.0 && deviation <= aim * mean || operations > F::OPERATIONS || hopeless {
            let queried = queries as f64;
            return Some(format!(
                "{},{},{:.3e},{:.3e},{filters},{}",
                size.0,
                size.1,
                mean / queried,
                deviation / queried,
                filters * queries as u64
            ));
        }
    }
}

/// Returns the text of a file with the sizes of the filters that a system builds for the requests.
pub(crate) fn sizes<K, F: Filter<K>>(requests: &str) -> String {
    let mut lines = String::from("n,p,m,k\n");
    for request in requests.lines().skip(1) {
        let (items, rate) = request.split_once(',').expect("n,p");
        let filter = F::build(items.parse().expect("n"), rate.parse().expect("p"), 1);
        let size = filter.map_or(",".to_string(), |filter| {
            let (bits, hashes) = filter.size();
            format!("{bits},{hashes}")
        });
        lines.push_str(&format!("{request},{size}\n"));
    }
    lines
}
