//! Compares the false-positive rates that this crate computes for filters of systems such as Guava with rates that were
//! measured with the systems themselves; see `measured/README.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bloom_systems::rule::Full;
use bloom_systems::{Layout, Positions, System, system};

/// A measured rate may be outside its computed bounds by this many standard deviations. There are 4,800 measured rates. If all
/// were measured again, the chance would be 1 in 360 that at least one is further out.
const SIGMAS: f64 = 5.0;

/// Returns every system that has measured rates.
fn systems() -> Vec<(String, &'static System)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("measured/data");
    let name = |file: fs::DirEntry| {
        let name = file.file_name().into_string().expect("a name");
        name.strip_suffix(".rates.csv").map(String::from)
    };
    let files = fs::read_dir(folder).expect("measured");
    let mut names: Vec<_> = files
        .filter_map(|file| name(file.expect("a file")))
        .collect();
    names.sort();
    let known = |name: String| {
        let system = system(&name).unwrap_or_else(|| panic!("{name} is not a system"));
        (name, system)
    };
    names.into_iter().map(known).collect()
}

/// The measured rate of filters of one size with one number of items.
struct Cell {
    text: String,
    requested: u64,
    items: u64,
    bits: u64,
    hashes: u8,
    rate: f64,
    deviation: f64,
    queries: f64,
}

/// Returns the cells of a system, without those whose filters have grown, and two further exceptions that the comments below
/// explain.
fn cells(name: &str, system: &System) -> Vec<Cell> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("measured/data");
    let file = fs::read_to_string(folder.join(format!("{name}.rates.csv"))).expect("measured");
    let cell = |line: &str| {
        let fields: Vec<_> = line.split(',').collect();
        let [_, n, _, items, bits, hashes, rate, deviation, _, queries] = fields[..] else {
            panic!("{name}: {line}");
        };
        let grown = matches!(system.full, Full::Grows { .. }) && n != items;
        // The smallest filter of fastbloom has 44 hashes in 64 bits, which are not independent: with three items its rate
        // is 1.18 times that of independent ones.
        let smallest = name == "fastbloom" && bits == "64";
        let cell = Cell {
            text: format!("{name}: {line}"),
            requested: n.parse().unwrap(),
            items: items.parse().unwrap(),
            bits: bits.parse().unwrap(),
            hashes: hashes.parse().unwrap(),
            rate: rate.parse().unwrap(),
            deviation: deviation.parse().unwrap(),
            queries: queries.parse().unwrap(),
        };
        // Filters requested for more than `most_items` items are left out, because this crate refuses to size them.
        let too_many = cell.requested > system.sizing.most_items;
        (!grown && !smallest && !too_many).then_some(cell)
    };
    file.lines().skip(1).filter_map(cell).collect()
}

impl Cell {
    /// Returns the computed mean rate for independent positions, and the computed bounds of the rate.
    fn bounds(&self, system: &System) -> (f64, (f64, f64)) {
        let (items, bits, hashes) = (self.items, self.bits, self.hashes);
        let ideal = system.layout.rate(items, bits, hashes).unwrap().value();
        let added = system.excess(items, bits, hashes).unwrap();
        let between = added.low <= added.expected && added.expected <= added.high;
        assert!(between, "{}: {added:?}", self.text);
        (ideal, (ideal + added.low, ideal + added.high))
    }

    /// Returns by how many standard deviations the measured rate is outside these bounds; 0 if it is within them.
    fn outside(&self, (low, high): (f64, f64)) -> f64 {
        let nearest = self.rate.clamp(low.min(high), high);
        // If queries had few hits, the measured standard deviation is too small. Without hits, it is 0.
        let of_hits = (nearest / self.queries).sqrt();
        let apart = (self.rate - nearest).abs();
        // A difference of one hit is not counted.
        ((apart - 1.0 / self.queries) / self.deviation.max(of_hits)).max(0.0)
    }
}

/// Each measured rate is less than five standard deviations outside its bounds. In each system, the sum of the squares of these
/// numbers of deviations is limited, too.
#[test]
fn every_measured_rate_is_within_the_bounds_of_its_system() {
    let mut compared = 0;
    for (name, system) in systems() {
        let (mut squares, mut count) = (0.0, 0.0);
        for cell in cells(&name, system) {
            let (_, bounds) = cell.bounds(system);
            let outside = cell.outside(bounds);
            assert!(
                outside < SIGMAS,
                "{}: n = {}, m = {}, k = {}: measured {} ± {}, {outside} deviations from {bounds:?}",
                cell.text,
                cell.items,
                cell.bits,
                cell.hashes,
                cell.rate,
                cell.deviation
            );
            // If fewer than ten hits are expected, the number of hits is not distributed normally.
            if bounds.0 * cell.queries >= 10.0 {
                squares += outside * outside;
                count += 1.0;
            }
            compared += 1;
        }
        assert!(count > 40.0, "{name}: {count} cells");
        let most = highest_squares(count);
        assert!(squares < most, "{name}: {squares} above {most}");
    }
    assert!(compared > 3_000, "{compared} cells");
}

/// Returns the value that the sum of `count` squared standard normal numbers exceeds once in 10^9. Source: Wilson and
/// Hilferty (1931).
fn highest_squares(count: f64) -> f64 {
    let of_cube = 2.0 / (9.0 * count);
    count * (1.0 - of_cube + 5.998 * of_cube.sqrt()).powi(3)
}

#[test]
fn the_highest_squares_are_those_of_the_distribution() {
    // The quantiles of chi² for 100 and 200 cells.
    for (count, exact) in [(100.0, 209.318), (200.0, 344.142)] {
        let found = highest_squares(count);
        assert!((found / exact - 1.0_f64).abs() < 0.005, "{count}: {found}");
    }
}

#[test]
fn bounds_are_near_to_each_other() {
    let (mut compared, mut wide) = (0, BTreeSet::new());
    for (name, system) in systems() {
        if system.layout != Layout::Whole {
            continue;
        }
        for cell in cells(&name, system) {
            let (_, (low, high)) = cell.bounds(system);
            let width = (high - low) / f64::midpoint(low, high);
            let most = match (cell.requested, system.positions) {
                // The bounds are wider here, because m may have a common divisor with 2^32 - 1.
                (..50, Positions::Rotated) => 0.42,
                (_, Positions::Rotated) => 0.24,
                (..50, _) => 0.3,
                _ => 0.1,
            };
            if width > most {
                assert!(cell.requested == 1, "{}: {width}", cell.text);
                wide.insert((name.clone(), cell.hashes));
            }
            compared += 1;
        }
    }
    let expected = WIDE.iter().flat_map(|(name, hashes)| {
        let of_system = hashes.iter();
        of_system.map(|hashes| (name.to_string(), *hashes))
    });
    assert_eq!(wide, expected.collect());
    assert!(compared > 2_000, "{compared} cells");
}

/// Systems some of whose filters for one item have wide bounds, each with the numbers of hashes of these filters. The bounds
/// are wide because no fitted formula covers the filters: they have too few bits, too many hashes, or a number of bits that is
/// no multiple of the formula's unit, 8 or 64.
const WIDE: [(&str, &[u8]); 5] = [
    ("bits-and-blooms", &[7, 11, 14, 17]),
    ("bloomfilter", &[11, 17]),
    ("hbase", &[3, 7, 10, 14]),
    ("kudu", &[16]),
    ("orc", &[44]),
];

/// Compares each measured rate with the rate for independent positions instead of the bounds. This fails for some rate of each
/// system whose positions depend on each other, except for positions of chained hashes and positions in slices.
#[test]
fn the_comparison_refuses_ideal_rates_of_dependent_positions() {
    for (name, system) in systems() {
        let worst = cells(&name, system).into_iter().map(|cell| {
            let (ideal, _) = cell.bounds(system);
            cell.outside((ideal, ideal))
        });
        let worst = worst.fold(0.0, f64::max);
        let independent = matches!(
            system.positions,
            // Slices of about 32,768 bits would have uneven chances, but none was measured.
            Positions::Independent | Positions::Chained { .. } | Positions::Slices
        );
        assert_eq!(worst < SIGMAS, independent, "{name}: {worst}");
    }
}
