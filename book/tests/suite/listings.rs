//! Makes the table of the book's chapter *The five documents*, which has programs from five documents about Bloom filters and
//! their mended versions: the rate that each program promises, the exact rate of a filter of its size, and the measured rate.
//! All items are the same in every run, and so is the table.

use std::fmt::Write;

use crate::common::assert_is_file;
use bloom_core::math::scalable::compound_rate;
use bloom_core::math::{Model, exact, spread};
use bloom_listings::go::{basic, calculator, scalable};
use bloom_listings::{digits, polynomials, stream, visit_queue};
use bloom_params::numbers::grouped;

/// The size of a filter, and the rate that its program promises.
struct Size {
    items: u64,
    bits: u64,
    hashes: u8,
    promised: Option<f64>,
}

impl Size {
    fn exact(&self) -> f64 {
        let rate = exact::rate(self.items, self.bits, self.hashes);
        rate.unwrap().value()
    }
}

/// The measured mean rate of filters of one size, and the standard deviation of this measurement.
struct Measured {
    rate: f64,
    deviation: f64,
}

/// Measures the rate of `filters` filters of a size. `fooled` gets the number of a filter, fills the filter with items of
/// its own, queries it for `queries` other items, and returns how many of these it finds.
fn measure(size: &Size, filters: u64, queries: u64, fooled: impl Fn(u64) -> usize) -> Measured {
    let found: usize = (0..filters).map(fooled).sum();
    let all = (filters * queries) as f64;
    let p = size.exact();
    // Adds two variances: that of the number of false positives among the queries (binomial), and that of the rates of filters.
    let between = spread(size.items, size.bits, size.hashes).unwrap();
    let variance = p * (1.0 - p) / all + between.standard_deviation.powi(2) / filters as f64;
    Measured {
        rate: found as f64 / all,
        deviation: variance.sqrt(),
    }
}

fn rate(p: f64) -> String {
    if p < 0.001 {
        format!("{p:.2e}")
    } else {
        format!("{p:.5}")
    }
}

/// The table, row by row.
struct Table(String);

impl Table {
    fn row(&mut self, name: &str, size: &Size, exact: f64, measured: &Measured) {
        let promised = size.promised.map_or_else(|| "–".to_owned(), rate);
        writeln!(
            self.0,
            "| {name} | {} | {} | {} | {promised} | {} | {} ± {:.0} % |",
            grouped(size.items),
            grouped(size.bits),
            size.hashes,
            rate(exact),
            rate(measured.rate),
            (100.0 * measured.deviation / exact).ceil(),
        )
        .unwrap();
    }

    /// Writes a row, and checks that its measured rate agrees with the exact rate within 6.2 standard deviations, which chance
    /// exceeds 0.6 times in 10^9. Power: the check notices a rate that is off by 6.2 standard deviations with probability 0.5,
    /// and one off by 9.3 with probability 0.999. The table shows one standard deviation.
    fn as_the_model(&mut self, name: &str, size: &Size, measured: &Measured) {
        let exact = size.exact();
        let off = (measured.rate - exact).abs();
        assert!(off < 6.2 * measured.deviation, "{name}: {}", measured.rate);
        self.row(name, size, exact, measured);
    }
}

/// Returns item `i`, a URL, of the filter with this number.
fn url(filter: u64, i: u64) -> String {
    format!("https://example.org/{filter}/page/{i}")
}

/// Returns, as text, number `i` of a sequence of distinct numbers of up to eight digits that looks random.
fn number(i: u64) -> String {
    (i * 3_141_593 % 10_000_019).to_string()
}

const FILTERS: u64 = 20;
const QUERIES: u64 = 100_000;

fn pages(table: &mut Table) {
    let (items, promised) = (10_000, Some(0.01));
    let count = |contains: &dyn Fn(u64) -> bool| {
        let queried = items..items + QUERIES;
        queried.filter(|i| contains(*i)).count()
    };
    let bits = calculator::bits(items, 0.01) as u64;
    let (usual, cut) = ((bits, calculator::hashes(items, bits) as u8), {
        let (bits, hashes) = visit_queue::size(items, 0.01);
        (bits, hashes as u8)
    });
    let smallest = Model::Exact.min_size(items, 0.01).unwrap();
    let size = |(bits, hashes)| Size {
        items,
        bits,
        hashes,
        promised,
    };
    let measured = measure(&size(usual), FILTERS, QUERIES, |number| {
        let mut filter = basic::Rebuilt::new(usual.0, usual.1.into());
        (0..items).for_each(|i| filter.insert(&url(number, i)));
        count(&|i| filter.contains(&url(number, i)))
    });
    table.as_the_model("Go, the filter", &size(usual), &measured);
    let measured = measure(&size(smallest), FILTERS, QUERIES, |number| {
        let mut filter = basic::Fixed::with_rate(items, 0.01).unwrap();
        (0..items).for_each(|i| {
            filter.insert(&url(number, i));
        });
        count(&|i| filter.contains(&url(number, i)))
    });
    table.as_the_model("– mended", &size(smallest), &measured);
    let measured = measure(&size(cut), FILTERS, QUERIES, |number| {
        let mut queue = visit_queue::Rebuilt::new(items, 0.01);
        (0..items).for_each(|i| queue.push(&url(number, i)));
        count(&|i| queue.contains(&url(number, i)))
    });
    table.as_the_model("Rust, the queue", &size(cut), &measured);
    let measured = measure(&size(smallest), FILTERS, QUERIES, |number| {
        let mut queue = visit_queue::Fixed::new(items, 0.01).unwrap();
        assert!((0..items).all(|i| !queue.push(&url(number, i))));
        let seen = queue.seen();
        count(&|i| seen.contains(url(number, i).as_str()))
    });
    table.as_the_model("– mended", &size(smallest), &measured);
}

/// Writes the row of the growing filter of the Go article, with six stages for 1,000, 2,000, …, 32,000 items, and that of its
/// mended version.
fn growing(table: &mut Table) {
    let items = 63_000;
    let (first, hashes) = Model::Exact.min_size(1_000, 0.01).unwrap();
    // The article promises a rate for each stage, and none for the whole filter.
    let size = |bits| Size {
        items,
        bits,
        hashes,
        promised: None,
    };
    let mut rebuilt = scalable::Rebuilt::new(first, hashes.into(), 0.01, 2, 6);
    (0..items).for_each(|i| rebuilt.insert(&url(0, i)));
    assert_eq!(rebuilt.stages(), 6);
    let stages = (0..6).map(|i| exact::rate(1_000 << i, first << i, hashes).unwrap().value());
    let p = compound_rate(stages);
    let queried = items..items + 1_000_000;
    // Adds the variance of the number of false positives among the queries (binomial), and for each stage the variance of the
    // rates of filters of its size.
    let deviation = |p: f64, stages: &mut dyn Iterator<Item = (u64, u64, u8)>| {
        let between = stages.map(|(n, m, k)| spread(n, m, k).unwrap().standard_deviation.powi(2));
        (p * (1.0 - p) / 1e6 + between.sum::<f64>()).sqrt()
    };
    let found = queried
        .clone()
        .filter(|&i| rebuilt.contains(&url(0, i)))
        .count();
    let measured = Measured {
        rate: found as f64 / 1e6,
        deviation: deviation(p, &mut (0..6).map(|i| (1_000 << i, first << i, hashes))),
    };
    // The tolerance is 6.2 standard deviations, as in `as_the_model`.
    assert!((measured.rate - p).abs() < 6.2 * measured.deviation);
    let name = "Go, the filter that grows";
    table.row(name, &size(first * 63), p, &measured);

    let mut fixed = scalable::Fixed::new(1_000, 0.01, 2, 10).unwrap();
    assert!((0..items).all(|i| fixed.insert(&url(0, i)).is_ok()));
    let found = queried.filter(|&i| fixed.contains(&url(0, i))).count();
    let p = fixed.filter().expected_false_positive_rate();
    let bits = fixed
        .filter()
        .stages()
        .map(|stage| stage.shape.bits())
        .sum();
    let most = fixed
        .filter()
        .stages()
        .map(|stage| stage.shape.hashes())
        .max();
    let size = Size {
        hashes: most.unwrap(),
        promised: Some(0.01),
        ..size(bits)
    };
    let mut stages = fixed
        .filter()
        .stages()
        .map(|stage| (stage.items, stage.shape.bits(), stage.shape.hashes()));
    let measured = Measured {
        rate: found as f64 / 1e6,
        deviation: deviation(p, &mut stages),
    };
    assert!((measured.rate - p).abs() < 6.2 * measured.deviation);
    assert!(measured.rate < 0.01);
    table.row("– mended", &size, p, &measured);
}

fn numbers(table: &mut Table) {
    let (items, queries) = (1_000_000, 5_000_000);
    let queried = items..items + queries;
    let size = Size {
        items,
        bits: polynomials::BITS,
        hashes: 7,
        promised: None,
    };
    let measured = measure(&size, 1, queries, |_| {
        let mut filter = polynomials::Rebuilt::default();
        (0..items).for_each(|i| filter.insert(&number(i)));
        queried
            .clone()
            .filter(|&i| filter.contains(&number(i)))
            .count()
    });
    table.row("Java, seven polynomials", &size, size.exact(), &measured);
    let mut filter = polynomials::fixed(items).unwrap();
    let shape = filter.shape();
    let size = Size {
        items,
        bits: shape.bits(),
        hashes: shape.hashes(),
        promised: Some(filter.expected_false_positive_rate(items)),
    };
    filter.extend((0..items).map(number));
    let measured = measure(&size, 1, queries, |_| {
        queried
            .clone()
            .filter(|&i| filter.contains(number(i).as_str()))
            .count()
    });
    table.as_the_model("– mended", &size, &measured);
}

fn small(table: &mut Table) {
    let (filters, queries) = (4_000, 500);
    let mut size = Size {
        items: 10,
        bits: 100,
        hashes: 3,
        promised: None,
    };
    let name = |filter: u64, i: u64| (1_000 * filter + i).to_string();
    let measured = measure(&size, filters, queries, |number| {
        let mut filter = digits::Rebuilt::new(100, 3);
        (0..10).for_each(|i| filter.insert(&name(number, i)));
        (10..10 + queries)
            .filter(|&i| filter.contains(&name(number, i)))
            .count()
    });
    table.as_the_model("Python, digits of MD5", &size, &measured);
    (size.bits, size.hashes) = Model::Exact.min_size(10, 0.02).unwrap();
    size.promised = Some(0.02);
    let measured = measure(&size, filters, queries, |number| {
        let mut filter = digits::Fixed::with_rate(10, 0.02).unwrap();
        (0..10).for_each(|i| {
            filter.insert(&name(number, i));
        });
        (10..10 + queries)
            .filter(|&i| filter.contains(&name(number, i)))
            .count()
    });
    table.as_the_model("– mended", &size, &measured);

    let (filters, queries) = (20_000, 100);
    let mut size = Size {
        items: 6,
        bits: 64,
        hashes: 7,
        promised: Some(stream::lemma(6, 64, 7)),
    };
    let items = |filter: u64| 1_000 * filter..1_000 * filter + 6;
    let others = |filter: u64| 1_000 * filter + 6..1_000 * filter + 6 + queries;
    let measured = measure(&size, filters, queries, |number| {
        let filter = stream::Rebuilt::of(items(number), 64, 7);
        others(number).filter(|&item| filter.contains(item)).count()
    });
    table.as_the_model("the textbook's lemma", &size, &measured);
    size.promised = Some(size.exact());
    let measured = measure(&size, filters, queries, |number| {
        let filter = stream::fixed(items(number), 64, 7).unwrap();
        others(number).filter(|item| filter.contains(item)).count()
    });
    table.as_the_model("– mended", &size, &measured);
}

#[test]
fn the_programs_of_the_documents_err_as_shown() {
    let mut table = Table(
        "| program | $n$ | $m$ | $k$ | it promises | exact $p$ | measured |\n\
         | --- | --: | --: | --: | --: | --: | --: |\n"
            .to_owned(),
    );
    pages(&mut table);
    growing(&mut table);
    numbers(&mut table);
    small(&mut table);
    assert_is_file(&table.0, "tables/listings.md");
}
