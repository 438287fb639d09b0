//! Compares the ends of charts' curves with the reference values of `bloom-core/tests/vectors`, which another program computed
//! with high precision.

use std::fs;
use std::path::Path;

use crate::common::{hash_floor, series, sizing};
use bloom_plot::curves::Figure;
use bloom_plot::{BitsByRate, Measurable, RateByHashes};

/// The largest relative error of a curve.
const TOLERANCE: f64 = 1e-11;

/// Returns the rows of a file of reference values, restricted to the fields with these names.
fn rows<const N: usize>(file: &str, names: [&str; N]) -> Vec<[String; N]> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bloom-core/tests/vectors");
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let place = |name| head.iter().position(|field| *field == name).unwrap();
    let places = names.map(place);
    let rows = lines.map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        places.map(|place| fields[place].to_owned())
    });
    rows.collect()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

/// Returns the y of the last disc of a series, or of the last point of its curve if it has no disc. A curve of sizing errors is
/// a mean over neighbouring rates where k and m jump often; its disc is the exact value for the last rate.
fn end(figure: &Figure, label: &str) -> f64 {
    let series = series(figure, label);
    series.dots.last().or(series.curve.last()).unwrap().y
}

fn close(got: f64, expected: f64, row: &[String]) {
    assert!(
        (got / expected - 1.0).abs() < TOLERANCE,
        "{got} is not {expected} in {row:?}"
    );
}

/// Calls `compare` for each row. `compare` returns `false` for a row that it skips, and must compare more than `least` rows.
fn compare<const N: usize>(
    (file, least): (&str, usize),
    names: [&str; N],
    compare: impl Fn(&[String; N]) -> bool,
) {
    let compared = rows(file, names).into_iter().filter(compare).count();
    assert!(compared > least, "{compared} rows of {file}");
}

#[test]
fn rates_by_hashes_are_the_reference_rates() {
    compare(("classic_exact.csv", 60), ["n", "m", "k", "p"], |row| {
        let (Ok(items), Ok(bits), Ok(hashes)) = (row[0].parse(), row[1].parse(), row[2].parse())
        else {
            return false;
        };
        let p = number(&row[3]);
        if !(2..=40).contains(&hashes) || p < 1e-200 {
            return false;
        }
        let question = RateByHashes {
            items,
            bits,
            hashes: Some(hashes),
        };
        close(end(&question.figure(None).unwrap(), "exact"), p, row);
        true
    });
}

#[test]
fn sizes_and_sizing_errors_are_the_reference_ones() {
    let names = ["n", "p_target", "m_exact", "p_exact_at_usual", "kmax"];
    compare(("min_m_for_np.csv", 10), names, |row| {
        let (items, rate): (u64, f64) = (row[0].parse().unwrap(), number(&row[1]));
        // Skips rows that limit the hashes to a small maximum.
        let any_hashes = number(&row[4]) >= 60.0;
        if !(1e-9..=0.1).contains(&rate) || items > 1_000_000_000 || !any_hashes {
            return false;
        }
        let drawn = sizing(items, rate, &["textbook"]).figure(None).unwrap();
        close(end(&drawn, "textbook"), number(&row[3]) / rate, row);
        let bits = BitsByRate { items, rate }.figure(None).unwrap();
        close(end(&bits, "Bloom"), number(&row[2]) / items as f64, row);
        true
    });
}

#[test]
fn rates_behind_narrow_hashes_are_the_reference_ones() {
    let names = ["n", "hash_bits", "p_filter", "p_floor", "p_total"];
    compare(("hash_floor.csv", 20), names, |row| {
        let (items, width): (u64, u32) = (row[0].parse().unwrap(), row[1].parse().unwrap());
        let rate = number(&row[2]);
        if items < 10 || !(8..=128).contains(&width) || !(1e-15..1.0).contains(&rate) {
            return false;
        }
        let figure = hash_floor(&[width], rate, items).figure(None).unwrap();
        let (floor, whole) = (format!("floor, {width} bits"), format!("{width} bits"));
        let chance = number(&row[3]);
        close(end(&figure, &floor), chance, row);
        // The reference values assume that the filter receives n different hashes and has the rate p. Of n hashes with w bits,
        // a share of about n/2^(w + 1) is repeated. This lowers p by a share of at most -log2(p) times the chance of a
        // collision, which is the column `p_floor`.
        let (found, most) = (end(&figure, &whole), number(&row[4]));
        let fewer = (rate.log2() * chance).abs().min(1.0);
        let least = chance + (1.0 - chance) * rate * (1.0 - fewer);
        let bounds = (1.0 - TOLERANCE) * least..(1.0 + TOLERANCE) * most;
        assert!(
            bounds.contains(&found),
            "{found} is not in {bounds:?} in {row:?}"
        );
        true
    });
}
