//! Curves against high-precision reference values from another program.

use std::fs;
use std::path::Path;

use crate::common::{series, sizing};
use bloom_plot::curves::Figure;
use bloom_plot::{BitsByRate, HashFloor, Measurable, RateByHashes};

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

/// Returns the y of the last point of a series: its last disc, where the curve is a mean.
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

#[test]
fn rates_by_hashes_are_the_reference_rates() {
    let mut compared = 0;
    for row in rows("classic_exact.csv", ["n", "m", "k", "p"]) {
        let (Ok(items), Ok(bits), Ok(hashes)) = (row[0].parse(), row[1].parse(), row[2].parse())
        else {
            continue;
        };
        let p = number(&row[3]);
        if !(2..=40).contains(&hashes) || p < 1e-200 {
            continue;
        }
        let question = RateByHashes {
            items,
            bits,
            hashes: Some(hashes),
        };
        close(end(&question.figure(None).unwrap(), "exact"), p, &row);
        compared += 1;
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn sizes_and_sizing_errors_are_the_reference_ones() {
    let names = ["n", "p_target", "m_exact", "p_exact_at_usual", "kmax"];
    let mut compared = 0;
    for row in rows("min_m_for_np.csv", names) {
        let (items, rate): (u64, f64) = (row[0].parse().unwrap(), number(&row[1]));
        // Skips rows that limit the hashes to a small maximum.
        let any_hashes = number(&row[4]) >= 60.0;
        if !(1e-9..=0.1).contains(&rate) || items > 1_000_000_000 || !any_hashes {
            continue;
        }
        let effort = None;
        let asked = sizing(items, rate, &["textbook"]).figure(None).unwrap();
        close(end(&asked, "textbook"), number(&row[3]) / rate, &row);
        let bits = BitsByRate { items, rate };
        let expected = number(&row[2]) / items as f64;
        close(end(&bits.figure(effort).unwrap(), "Bloom"), expected, &row);
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn rates_behind_narrow_hashes_are_the_reference_ones() {
    let names = ["n", "hash_bits", "p_filter", "p_floor", "p_total"];
    let mut compared = 0;
    for row in rows("hash_floor.csv", names) {
        let (items, width): (u64, u32) = (row[0].parse().unwrap(), row[1].parse().unwrap());
        let rate = number(&row[2]);
        if items < 10 || !(8..=128).contains(&width) || !(1e-15..1.0).contains(&rate) {
            continue;
        }
        let question = HashFloor {
            widths: vec![width],
            rate,
            items,
        };
        let figure = question.figure(None).unwrap();
        close(
            end(&figure, &format!("floor, {width} bits")),
            number(&row[3]),
            &row,
        );
        close(
            end(&figure, &format!("{width} bits")),
            number(&row[4]),
            &row,
        );
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}
