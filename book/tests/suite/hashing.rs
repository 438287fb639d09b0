//! Makes the tables of the book's chapter on hashing. They have measured rates of the hashing of other programs, as the crate
//! `bloom-listings` rebuilds it, and of the filters of bloom-core. All random numbers have fixed seeds, so the tables are the
//! same in every run.

use std::fmt::Write;
use std::hash::Hasher;

use crate::common::assert_is_file;
use bloom_core::math::{exact, expected_fill};
use bloom_core::{BloomFilter, Shape};
use bloom_listings::go::basic;
use bloom_listings::{digits, polynomials, visit_queue};
use bloom_params::numbers::grouped;
use fnv::FnvHasher;

/// A function that takes an item, the bits m and the hashes k, and returns the positions.
type Scheme = fn(&str, u64, u64) -> Vec<u64>;

fn fnv_1a_halves(item: &str, m: u64, k: u64) -> Vec<u64> {
    let mut hasher = FnvHasher::default();
    hasher.write(item.as_bytes());
    basic::positions_of_halves(hasher.finish(), m, k)
}

/// Returns m bits, of which those at these positions are set.
fn bits_set(m: u64, positions: impl Iterator<Item = u64>) -> Vec<bool> {
    let mut bits = vec![false; m as usize];
    positions.for_each(|position| bits[position as usize] = true);
    bits
}

/// Returns the share of bits that are set.
fn share(bits: &[bool]) -> f64 {
    bits.iter().filter(|&&bit| bit).count() as f64 / bits.len() as f64
}

struct Measured {
    fill: f64,
    rate: f64,
}

const ITEMS: u64 = 13_107;
const BITS: u64 = 1 << 17;
const HASHES: u8 = 7;
const QUERIES: u64 = 1_000_000;

/// Returns number `i` of a sequence of distinct numbers of up to eight digits. The sequence looks random,
/// so that absent items look like inserted items.
fn scattered(i: u64) -> u64 {
    i * 3_141_593 % 10_000_019
}

/// Fills a filter with the names of numbers, and queries it for other names.
fn measure(scheme: Scheme, name: fn(u64) -> String) -> Measured {
    let positions = |i| scheme(&name(i), BITS, HASHES.into());
    let set = bits_set(BITS, (0..ITEMS).flat_map(positions));
    let fooled = |i: &u64| positions(*i).iter().all(|&position| set[position as usize]);
    Measured {
        fill: share(&set),
        rate: (ITEMS..ITEMS + QUERIES).filter(fooled).count() as f64 / QUERIES as f64,
    }
}

/// Does what `measure` does, with the filter of bloom-core.
fn measure_ours(name: fn(u64) -> String) -> Measured {
    let shape = Shape::new(BITS, HASHES).unwrap();
    let mut filter = BloomFilter::<str>::new(shape).unwrap();
    filter.extend((0..ITEMS).map(name));
    let fooled = |i: &u64| filter.contains(name(*i).as_str());
    // The number of false positives must agree with the filter's own rate within 6.2 standard deviations, which chance exceeds
    // 0.6 times in 10^9. Power: the check notices a rate 5.5 % off with probability 0.5, and one 8.3 % off with 0.999.
    let (queried, own) = (1_540_000, filter.false_positive_rate());
    let found = (ITEMS..ITEMS + queried).filter(fooled).count() as f64;
    let expected = queried as f64 * own;
    assert!((found - expected).abs() < 6.2 * (expected * (1.0 - own)).sqrt());
    Measured {
        fill: filter.fill(),
        rate: (ITEMS..ITEMS + QUERIES).filter(fooled).count() as f64 / QUERIES as f64,
    }
}

#[test]
fn the_schemes_of_other_programs_err_as_shown() {
    let model = exact::rate(ITEMS, BITS, HASHES).unwrap().value();
    let schemes: [(&str, Scheme); 5] = [
        ("FNV-1, 32-bit halves", basic::positions),
        ("FNV-1a, 32-bit halves", fnv_1a_halves),
        ("seven polynomials", polynomials::positions),
        ("MD5, digits in base $m$", digits::positions),
        ("murmur3, 64-bit halves", visit_queue::positions),
    ];
    let urls: fn(u64) -> String = |i| format!("https://example.org/page/{}", scattered(i));
    let numbers: fn(u64) -> String = |i| scattered(i).to_string();
    let mut table = format!(
        "| scheme | fill, URLs | $p$, URLs | fill, numbers | $p$, numbers |\n\
         | --- | --: | --: | --: | --: |\n\
         | expected by the model | {0:.3} | {model:.5} | {0:.3} | {model:.5} |\n",
        expected_fill(ITEMS, BITS, HASHES).unwrap(),
    );
    let mut row = |label: &str, measured: [Measured; 2]| {
        write!(table, "| {label} |").unwrap();
        for Measured { fill, rate } in measured {
            write!(table, " {fill:.3} | {rate:.5} |").unwrap();
        }
        table.push('\n');
    };
    for (label, scheme) in schemes {
        row(label, [measure(scheme, urls), measure(scheme, numbers)]);
    }
    let ours = [measure_ours(urls), measure_ours(numbers)];
    row("bloom-core", ours);
    assert_is_file(&table, "tables/hash-schemes.md");
}

/// The bits m of the filter of an article; the seven hashes of this filter are polynomials.
const LARGE: u64 = 1 << 25;

/// Returns the fill of a filter of `LARGE` bits with a million numbers, and how many of five million other numbers it finds.
fn found_in_the_large(scheme: Scheme) -> (f64, usize) {
    let positions = |i| scheme(&scattered(i).to_string(), LARGE, HASHES.into());
    let set = bits_set(LARGE, (0..1_000_000).flat_map(positions));
    let fooled = |i: &u64| positions(*i).iter().all(|&position| set[position as usize]);
    (share(&set), (1_000_000..6_000_000).filter(fooled).count())
}

#[test]
fn the_schemes_of_other_programs_err_in_a_large_filter_as_shown() {
    let p = exact::rate(1_000_000, LARGE, HASHES).unwrap().value();
    let schemes: [(&str, Scheme); 4] = [
        ("FNV-1, 32-bit halves", basic::positions),
        ("FNV-1a, 32-bit halves", fnv_1a_halves),
        ("seven polynomials", polynomials::positions),
        ("murmur3, 64-bit halves", visit_queue::positions),
    ];
    let mut table = format!(
        "| scheme | fill | false positives |\n| --- | --: | --: |\n| expected by the model | {:.3} | {:.1} |\n",
        expected_fill(1_000_000, LARGE, HASHES).unwrap(),
        5e6 * p
    );
    for (label, scheme) in schemes {
        let (fill, false_positives) = found_in_the_large(scheme);
        let false_positives = grouped(false_positives as u64);
        writeln!(table, "| {label} | {fill:.3} | {false_positives} |").unwrap();
    }
    let mut ours = BloomFilter::<str>::new(Shape::new(LARGE, HASHES).unwrap()).unwrap();
    ours.extend((0..1_000_000).map(|i| scattered(i).to_string()));
    let fooled = |i: &u64| ours.contains(scattered(*i).to_string().as_str());
    let false_positives = (1_000_000..6_000_000).filter(fooled).count();
    let fill = ours.fill();
    writeln!(table, "| bloom-core | {fill:.3} | {false_positives} |").unwrap();
    assert_is_file(&table, "tables/hash-schemes-large.md");
}

/// Steele, Lea and Flood's SplitMix64, which makes random numbers for the measurements below.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// A function that takes two numbers a and b, which are random for each item, and i; it returns position i, not yet modulo m.
type Step = fn(u64, u64, u64) -> u64;

const LINE: Step = |a, b, i| a + i * b;
const SQUARE: Step = |a, b, i| a + i * b + i * i;
const CUBE: Step = |a, b, i| a + i * b + i * (i * i).saturating_sub(1) / 6;

/// Returns the exact rate p of a filter of n items. The k positions of each item and query are made from a number a, which is
/// random from 0 to m - 1, and a number b, which is random among `all_b`.
///
/// The positions of an item are its pattern. A pattern that is shifted by one bit is the pattern for another a, so it is enough
/// to take the queries with a = 0. For each of these queries and each set T of its positions, share(T) is the share of all
/// patterns (over all a and b) that have no position in T. By inclusion and exclusion, p is the mean over these queries of the
/// sum over T of (-1)^|T| × share(T)^n.
fn exact_rate_of_step(step: Step, n: i32, m: u64, k: u64, all_b: &[u64]) -> f64 {
    let subsets = 1_usize << k;
    let mut sum = 0.0;
    for &query in all_b {
        // `here` has for each bit the set of all i for which position i of the query is this bit. The m sets are stored twice,
        // one after the other, so that a shifted pattern can go past the last bit.
        let mut here = vec![0_u8; 2 * m as usize];
        for i in 0..k {
            let position = (step(0, query, i) % m) as usize;
            here[position] |= 1 << i;
            here[position + m as usize] |= 1 << i;
        }
        // `hitting` has for each set of the query's positions how many patterns have exactly these of them.
        let mut hitting = vec![0_u64; subsets];
        let mut hits = vec![0_u8; m as usize];
        for &b in all_b {
            hits.fill(0);
            for i in 0..k {
                let first = (step(0, b, i) % m) as usize;
                let from_there = &here[first..];
                hits.iter_mut()
                    .zip(from_there)
                    .for_each(|(hit, &set)| *hit |= set);
            }
            for &hit in &hits {
                hitting[usize::from(hit)] += 1;
            }
        }
        // `within` has for each set how many patterns have no position of the query outside of the set.
        let mut within = hitting;
        for i in 0..k {
            for set in (0..subsets).filter(|set| set & 1 << i != 0) {
                within[set] += within[set ^ 1 << i];
            }
        }
        for avoided in 0..subsets {
            let share = within[subsets - 1 - avoided] as f64 / (m as usize * all_b.len()) as f64;
            let sign = if avoided.count_ones() % 2 == 0 {
                1.0
            } else {
                -1.0
            };
            sum += sign * share.powi(n);
        }
    }
    sum / all_b.len() as f64
}

#[test]
fn the_rate_of_double_hashing_is_that_of_another_program() {
    let vectors = include_str!("../../../bloom-core/tests/vectors/double_hashing_exact.csv");
    let mut compared = 0;
    for row in vectors.lines().skip(1) {
        let cells: Vec<_> = row.split(',').collect();
        let [scheme, m, n, k, p] = cells[..] else {
            panic!("{row}")
        };
        let (m, n, k): (u64, i32, u64) =
            (m.parse().unwrap(), n.parse().unwrap(), k.parse().unwrap());
        let (step, all_b): (Step, Vec<_>) = match scheme {
            "plain_any_h2" => (LINE, (0..m).collect()),
            "plain_h2_nonzero" => (LINE, (1..m).collect()),
            "plain_h2_odd" => (LINE, (1..m).step_by(2).collect()),
            "enhanced_any_h2" => (CUBE, (0..m).collect()),
            _ => continue,
        };
        if k <= 8 && m <= 512 {
            let ratio = exact_rate_of_step(step, n, m, k, &all_b) / p.parse::<f64>().unwrap();
            assert!((ratio - 1.0).abs() < 1e-10, "{row}: {ratio}");
            compared += 1;
        }
    }
    assert!(compared > 20, "only {compared} rows");
}

/// Returns the mean rate of filters of bloom-core, each measured by 200 queries.
fn rate_of_ours(n: u64, m: u64, k: u8, filters: u64) -> f64 {
    let mut random = Random(m);
    let mut sum = 0.0;
    for _ in 0..filters {
        let mut filter = BloomFilter::<u64>::new(Shape::new(m, k).unwrap()).unwrap();
        for _ in 0..n {
            filter.insert_hash(random.next());
        }
        let fooled = (0..200).filter(|_| filter.contains_hash(random.next()));
        sum += fooled.count() as f64 / 200.0;
    }
    sum / filters as f64
}

#[test]
fn the_penalty_of_double_hashing_is_as_shown() {
    let k = 7;
    let mut table = String::from(
        "| $m$ | exact $p$ | $a + ib$ | odd $b$ | $+\\, i^2$ | $+\\, \\frac{i^3 - i}{6}$ | ours |\n\
         | --: | --: | --: | --: | --: | --: | --: |\n",
    );
    for m in [64, 128, 256, 512] {
        let n = (m + 5) / 10;
        let p = exact::rate(n, m, k).unwrap().value();
        write!(table, "| {m} | {p:.5} |").unwrap();
        let any: Vec<_> = (0..m).collect();
        let odd: Vec<_> = (1..m).step_by(2).collect();
        for (step, all_b) in [(LINE, &any), (LINE, &odd), (SQUARE, &any), (CUBE, &any)] {
            let times = exact_rate_of_step(step, n as i32, m, k.into(), all_b) / p;
            write!(table, " × {times:.2} |").unwrap();
        }
        let times = rate_of_ours(n, m, k, 40_000) / p;
        writeln!(table, " × {times:.2} |").unwrap();
    }
    assert_is_file(&table, "tables/double-hashing.md");
}
