//! Compares the formulas of the standard Bloom filter with the tables of reference values in this folder: rates, sizes, bounds,
//! and the standard deviation of the rate over filters.

use super::table::{Row, Table};
use approx::assert_abs_diff_eq;
use bloom_core::math::{
    Model, Rate, asymptotic, exact, expected_fill, hash_floor, lower_bound_bits, spread, textbook,
    usual_rule, with_hash_floor,
};
use bloom_testing::assert_close;

/// Sizes below this must equal the reference. Larger sizes may be off by [`LARGE_SIZE_TOLERANCE`], as the documentation of
/// `Model` says.
const EXACT_SIZES_BELOW: u64 = 1 << 46;

/// The relative tolerance of integers from [`EXACT_SIZES_BELOW`] on.
const LARGE_SIZE_TOLERANCE: f64 = 1e-14;

/// The relative tolerance of a standard deviation of the rate, as the documentation of `spread` says.
const SPREAD_TOLERANCE: f64 = 1e-11;

/// The tolerance of ln p by the textbook formula and by the asymptotic formula.
const SIMPLE_TOLERANCE: f64 = 3e-13;

/// Returns the distance from a finite number to the next `f64` away from 0.
fn ulp(x: f64) -> f64 {
    f64::from_bits(x.abs().to_bits() + 1) - x.abs()
}

/// Checks that the error of ln p is at most 4e-14 + 2 ulp, and that the relative error of p is at most as large.
fn assert_exact_rate(rate: Rate, p: f64, ln_p: f64, row: &str) {
    if ln_p == f64::NEG_INFINITY {
        assert_eq!(rate.ln(), ln_p, "{row}");
        assert_eq!(rate.value(), 0.0, "{row}");
        return;
    }
    let ulp = ulp(ln_p);
    assert_abs_diff_eq!(rate.ln(), ln_p, epsilon = 4e-14 + 2.0 * ulp);
    // A subnormal p has fewer digits, so it may also be off by the least `f64`, 5e-324.
    assert!(
        (rate.value() - p).abs() <= (4e-14 + 2.0 * ulp) * p + 5e-324,
        "{row}: p = {}, not {p}",
        rate.value()
    );
}

fn assert_size(ours: u64, reference: u64, row: &str) {
    if reference < EXACT_SIZES_BELOW {
        assert_eq!(ours, reference, "{row}");
    } else {
        assert_close(ours as f64, reference as f64, LARGE_SIZE_TOLERANCE);
    }
}

/// The models, each with the end of its columns' names.
const MODELS: [(Model, &str); 3] = [
    (Model::Exact, "exact"),
    (Model::Textbook, "text"),
    (Model::Asymptotic, "asym"),
];

/// Returns the models for which the row has a number in the column `{letter}_{name}`, each with its name and this
/// number.
fn known(row: &Row<'_>, letter: &str) -> impl Iterator<Item = (Model, &'static str, u64)> {
    MODELS.into_iter().filter_map(move |(model, name)| {
        let column = format!("{letter}_{name}");
        (row.field(&column) != "NA").then(|| (model, name, row.int(&column)))
    })
}

/// Compares the size that `size` returns for each model with the column `{letter}_{name}` of the model.
fn assert_sizes(row: &Row<'_>, letter: &str, size: impl Fn(Model) -> u64) {
    for (model, name) in MODELS {
        let reference = row.int(&format!("{letter}_{name}"));
        assert_size(size(model), reference, row.text());
    }
}

#[test]
fn exact_rates_match_every_row() {
    let files = [
        include_str!("classic_exact.csv"),
        include_str!("exact_many_hashes.csv"),
    ];
    for row in files.map(Table::new).iter().flat_map(Table::rows) {
        let rate = exact::rate(row.int("n"), row.int("m"), row.hashes("k")).unwrap();
        assert_exact_rate(rate, row.float("p"), row.float("ln_p"), row.text());
    }
}

#[test]
fn the_distance_of_a_rate_to_1_keeps_its_digits() {
    // The reference value is p - 1. Here p is so near 1 that ln p equals p - 1 in all digits, and that p itself is 1 as an
    // `f64`.
    let rate = exact::rate(11_226_151, 1_341_877, 6).unwrap();
    assert_close(rate.ln(), -9.512_199_161_472_207e-22, 1e-13);
}

#[test]
fn rates_and_spreads_match_where_one_method_hands_over_to_the_next() {
    for row in Table::new(include_str!("classic_edges.csv")).rows() {
        let spread = spread(row.int("n"), row.int("m"), row.hashes("k")).unwrap();
        let (ours, ln_p) = (spread.mean.ln(), row.float("ln_p"));
        assert_exact_rate(spread.mean, ln_p.exp(), ln_p, row.text());
        // If p is near 1, ln p is nearly p - 1, so this compares the digits of p - 1.
        assert_close(ours, ln_p, 1e-12);
        let relative = spread.standard_deviation / spread.mean.value();
        assert_close(relative, row.float("sd_relative"), SPREAD_TOLERANCE);
    }
}

/// The table has small filters, large filters, and filters in which the mean of the squared rate and the square of the mean
/// rate agree in nearly all digits, so that their difference, the variance, is hard to compute.
#[test]
fn the_spread_keeps_its_digits_at_every_size() {
    for row in Table::new(include_str!("spread.csv")).rows() {
        let spread = spread(row.int("n"), row.int("m"), row.hashes("k")).unwrap();
        let (ours, reference) = (spread.standard_deviation, row.float("sd_fpr"));
        assert_close(ours, reference, SPREAD_TOLERANCE);
    }
}

#[test]
fn textbook_and_asymptotic_rates_match_every_row() {
    type Formula = fn(u64, u64, u8) -> Result<Rate, bloom_core::math::MathError>;
    let files: [(&str, Formula); 2] = [
        (include_str!("classic_textbook.csv"), textbook::rate),
        (include_str!("classic_asymptotic.csv"), asymptotic::rate),
    ];
    for (file, formula) in files {
        for row in Table::new(file).rows() {
            let rate = formula(row.int("n"), row.int("m"), row.hashes("k")).unwrap();
            let (p, ln_p) = (row.float("p"), row.float("ln_p"));
            if ln_p == f64::NEG_INFINITY {
                assert_eq!(rate.ln(), ln_p, "{}", row.text());
                continue;
            }
            let ulp = ulp(ln_p);
            assert_abs_diff_eq!(rate.ln(), ln_p, epsilon = SIMPLE_TOLERANCE + 2.0 * ulp);
            assert!(
                (rate.value() - p).abs() <= (SIMPLE_TOLERANCE + 2.0 * ulp) * p + 5e-324,
                "{}",
                row.text()
            );
        }
    }
}

#[test]
fn fill_and_spread_match_every_row() {
    for row in Table::new(include_str!("fill_variance.csv")).rows() {
        let (n, m, k) = (row.int("n"), row.int("m"), row.hashes("k"));
        let fill = expected_fill(n, m, k).unwrap();
        assert_close(fill * m as f64, row.float("mean_ones"), 1e-13);
        let spread = spread(n, m, k).unwrap();
        assert_close(spread.mean.value(), row.float("mean_fpr"), 5e-13);
        let (ours, reference) = (spread.standard_deviation, row.float("sd_fpr"));
        assert!(
            // With one item and one hash, exactly one bit is set and the rate does not vary. The reference is then only a
            // rounding error.
            (ours - reference).abs() <= SPREAD_TOLERANCE * reference + 1e-50,
            "{}: {ours}",
            row.text()
        );
    }
}

#[test]
fn ties_are_decided_as_by_exact_fractions_in_every_row() {
    for row in Table::new(include_str!("classic_ties.csv")).rows() {
        let model = match row.field("model") {
            "exact" => Model::Exact,
            "textbook" => Model::Textbook,
            "partitioned" => Model::Partitioned,
            other => panic!("no model {other}"),
        };
        let (n, m, k) = (row.int("n"), row.int("m"), row.hashes("k"));
        let met = model.meets(n, m, k, row.float("p_target")).unwrap();
        assert_eq!(met.to_string(), row.field("met"), "{}", row.text());
    }
}

#[test]
fn minimal_bits_and_maximal_items_for_given_hashes_match_every_row() {
    for row in Table::new(include_str!("min_m_for_nkp.csv")).rows() {
        let (n, k, p) = (row.int("n"), row.hashes("k"), row.float("p_target"));
        assert_sizes(&row, "m", |model| model.min_bits(n, k, p).unwrap());
    }
    for row in Table::new(include_str!("max_n_for_mkp.csv")).rows() {
        let (m, k, p) = (row.int("m"), row.hashes("k"), row.float("p_target"));
        assert_sizes(&row, "n", |model| model.max_items(m, k, p).unwrap());
    }
}

#[test]
fn minimal_sizes_match_every_row() {
    for row in Table::new(include_str!("min_m_for_np.csv")).rows() {
        let (n, p, kmax) = (row.int("n"), row.float("p_target"), row.int("kmax"));
        for (model, name, reference_bits) in known(&row, "m") {
            let reference_hashes = row.int(&format!("k_{name}"));
            let (bits, hashes) = if reference_hashes == kmax && kmax < u64::from(u8::MAX) {
                // The reference is the best size with at most `kmax` hashes; `min_size` tries up to 255 hashes.
                (1..=kmax as u8)
                    .filter_map(|k| Some((model.min_bits(n, k, p).ok()?, k)))
                    .min()
                    .unwrap()
            } else {
                model.min_size(n, p).unwrap()
            };
            assert_size(bits, reference_bits, row.text());
            assert_eq!(u64::from(hashes), reference_hashes, "{}", row.text());
        }
        let usual = usual_rule(n, p).unwrap().unwrap();
        assert_size(usual.bits, row.int("m_usual"), row.text());
        assert_eq!(
            u64::from(usual.hashes),
            row.int("k_usual"),
            "{}",
            row.text()
        );
        if row.field("p_exact_at_usual") != "NA" {
            assert_close(usual.rate.value(), row.float("p_exact_at_usual"), 4e-14);
        }
    }
}

#[test]
fn maximal_items_match_every_row() {
    for row in Table::new(include_str!("max_n_for_mp.csv")).rows() {
        let (m, p) = (row.int("m"), row.float("p_target"));
        // The table has columns for the first two models only.
        for (model, name) in &MODELS[..2] {
            let (items, hashes) = model.max_items_and_hashes(m, p).unwrap();
            assert_size(items, row.int(&format!("n_{name}")), row.text());
            assert_eq!(hashes, row.hashes(&format!("k_{name}")), "{}", row.text());
        }
    }
}

#[test]
fn best_hashes_match_every_row() {
    for row in Table::new(include_str!("best_k.csv")).rows() {
        let (n, m, cap) = (row.int("n"), row.int("m"), row.int("kcap"));
        for (model, name, reference) in known(&row, "k") {
            let hashes = u64::from(model.best_hashes(n, m).unwrap()).min(cap);
            assert_eq!(hashes, reference, "{model:?}: {}", row.text());
            let p_column = format!("p_{name}");
            if row.field(&p_column) != "NA" {
                let rate = model.rate(n, m, hashes as u8).unwrap();
                assert_close(rate.value(), row.float(&p_column), 3e-13);
            }
        }
    }
}

#[test]
fn hash_floors_match_every_row() {
    for row in Table::new(include_str!("hash_floor.csv")).rows() {
        let width = row.int("hash_bits") as u32;
        let floor = hash_floor(row.int("n"), width).unwrap();
        assert_close(floor, row.float("p_floor"), 1e-14);
        let total = with_hash_floor(row.float("p_filter"), floor);
        assert_close(total, row.float("p_total"), 1e-14);
    }
}

#[test]
fn lower_bounds_match_every_row() {
    for row in Table::new(include_str!("lower_bound.csv")).rows() {
        let (n, p) = (row.int("n"), row.float("p"));
        if p < 1.0 {
            let bits = lower_bound_bits(n, p).unwrap();
            assert_close(bits, row.float("info_bits_total"), 1e-15);
        }
    }
}
