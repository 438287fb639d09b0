//! Computes tables of the book (of rates, sizes, estimates, other structures), and compares them with the files that chapters
//! include.

use std::fmt::Write;

use crate::common::assert_is_file;
use bloom_core::BlockedShape;
use bloom_core::math::{
    Model, estimate_items, exact, expected_fill, lower_bound_bits, textbook, usual_rule,
};
use bloom_params::numbers::{binary_size, grouped};

/// Formats a number with three significant digits, with zeros at the end, so that the numbers of a column look alike.
fn three_digits(x: f64) -> String {
    let decimals = (2.0 - x.log10().floor()).max(0.0);
    format!("{x:.*}", decimals as usize)
}

#[test]
fn the_gap_between_the_textbook_and_the_exact_rate_is_as_shown() {
    let mut table = String::from(
        "| $n$ | $m$ | $k$ | textbook $p$ | exact $p$ | higher by, % | rule, % |\n\
         | --: | --: | --: | --: | --: | --: | --: |\n",
    );
    for (bits_per_item, k) in [(10, 7_u8), (20, 14)] {
        for m in [100, 1_000, 10_000, 100_000, 1_000_000] {
            let n = m / bits_per_item;
            let approximate = textbook::rate(n, m, k).unwrap().value();
            let p = exact::rate(n, m, k).unwrap().value();
            let pairs = f64::from(k) * f64::from(k - 1) / 2.0;
            let higher = 100.0 * (p / approximate - 1.0);
            let rule = 100.0 * pairs * (1.0 - 2_f64.ln()) / m as f64;
            writeln!(
                table,
                "| {} | {} | {k} | {approximate:.5e} | {p:.5e} | {} | {} |",
                grouped(n),
                grouped(m),
                three_digits(higher),
                three_digits(rule),
            )
            .unwrap();
        }
    }
    assert_is_file(&table, "tables/textbook-gap.md");
}

#[test]
fn what_the_usual_rule_misses_is_as_shown() {
    let n = 1_000_000;
    let mut table = String::from(
        "| $\\log_2 \\frac{1}{p}$ | $k$ | usual $m$ | exact $p$ | over target, % | smallest $m$ | more bits, % |\n\
         | --: | --: | --: | --: | --: | --: | --: |\n",
    );
    for tosses in [1.5, 2.0, 2.5, 3.5, 6.5, 7.0, 9.5] {
        let target = 2_f64.powf(-tosses);
        let usual = usual_rule(n, target).unwrap().expect("a size that fits");
        let (bits, hashes) = Model::Exact.min_size(n, target).unwrap();
        assert_eq!(
            u32::from(hashes),
            usual.hashes,
            "one column k for the usual and the smallest size"
        );
        let p = usual.rate.value();
        // If the rate of a size is at or below the target, the table shows that it is 0.00 % over the target.
        let over = (100.0 * (p / target - 1.0)).max(0.0);
        writeln!(
            table,
            "| {tosses} | {hashes} | {} | {p:.5} | {over:.2} | {} | {:.2} |",
            grouped(usual.bits),
            grouped(bits),
            100.0 * (bits as f64 / usual.bits as f64 - 1.0),
        )
        .unwrap();
    }
    assert_is_file(&table, "tables/usual-rule.md");
}

#[test]
fn the_bits_that_each_number_of_hashes_needs_are_as_shown() {
    let (n, p) = (2_000, 0.01_f64);
    let mut table = String::from(
        "| $k$ | $m$ by the formula, rounded up | smallest $m$, exact |\n| --: | --: | --: |\n",
    );
    for k in 3..=12_u8 {
        let hashes = f64::from(k);
        let formula = -hashes * n as f64 / (1.0 - p.powf(1.0 / hashes)).ln();
        let bits = Model::Exact.min_bits(n, k, p).unwrap();
        let formula = grouped(formula.ceil() as u64);
        writeln!(table, "| {k} | {formula} | {} |", grouped(bits)).unwrap();
    }
    assert_is_file(&table, "tables/bits-by-hashes.md");
}

#[test]
fn the_sizes_of_usual_questions_are_as_shown() {
    let rates = [
        (0.1, 3),
        (0.01, 7),
        (0.001, 10),
        (0.0001, 13),
        (0.000_001, 20),
    ];
    let mut table = String::from("| $n$ |");
    for (p, _) in rates {
        write!(table, " 1 in {} |", grouped((1.0_f64 / p).round() as u64)).unwrap();
    }
    writeln!(table, "\n| --: |{}", " --: |".repeat(rates.len())).unwrap();
    for n in (3..=9).map(|power| 10_u64.pow(power)) {
        write!(table, "| {} |", grouped(n)).unwrap();
        for (p, hashes) in rates {
            let (m, k) = Model::Exact.min_size(n, p).unwrap();
            assert_eq!(k, hashes, "k is the same for all n");
            write!(table, " {} |", binary_size(m)).unwrap();
        }
        table.push('\n');
    }
    table += "| $k$ |";
    for (_, hashes) in rates {
        write!(table, " {hashes} |").unwrap();
    }
    table.push('\n');
    assert_is_file(&table, "tables/sizes.md");
}

#[test]
fn a_filter_over_capacity_errs_as_shown() {
    let mut table = String::from(
        "| items | of those expected, % | $p$ | 1 false positive in |\n| --: | --: | --: | --: |\n",
    );
    for percent in [50, 75, 100, 101, 105, 110, 125, 150, 200, 300, 400] {
        let n = 20 * percent;
        let p = exact::rate(n, 19_188, 7).unwrap().value();
        let one_in = match 1.0 / p {
            many @ 1_000.0.. => grouped(many.round() as u64),
            few => three_digits(few),
        };
        writeln!(table, "| {} | {percent} | {p:.5} | {one_in} |", grouped(n)).unwrap();
    }
    assert_is_file(&table, "tables/overfill.md");
}

#[test]
fn the_estimate_of_items_is_as_good_as_shown() {
    let (bits, hashes) = Model::Exact.min_size(10_000, 0.01).unwrap();
    let mut table = String::from(
        "| $n$ | fill | rate | deviation of the estimate | of $n$, % |\n| --: | --: | --: | --: | --: |\n",
    );
    for n in [1_000, 5_000, 10_000, 20_000, 40_000, 80_000, 120_000] {
        let fill = expected_fill(n, bits, hashes).unwrap();
        let rate = exact::rate(n, bits, hashes).unwrap().value();
        let ones = (fill * bits as f64).round() as u64;
        let estimate = estimate_items(bits, hashes, ones).unwrap();
        let deviation = estimate.expect("a bit is clear").standard_deviation;
        let percent = 100.0 * deviation / n as f64;
        let (n, deviation) = (grouped(n), grouped(deviation.round() as u64));
        let rate = if rate < 0.001 {
            format!("{rate:.1e}")
        } else {
            format!("{rate:.2}")
        };
        writeln!(
            table,
            "| {n} | {fill:.4} | {rate} | {deviation} | {percent:.2} |"
        )
        .unwrap();
    }
    assert_is_file(&table, "tables/estimate.md");
}

#[test]
fn what_a_yes_is_worth_is_as_shown() {
    let rates = [0.1, 0.01, 0.001, 0.0001];
    let heads = rates.map(|p| format!(" 1 in {} |", grouped((1.0_f64 / p).round() as u64)));
    let heads = heads.concat();
    let mut table = format!("| members among the queries |{heads}\n| --: |");
    table += &" --: |".repeat(rates.len());
    table.push('\n');
    for prevalence in [0.5, 0.1, 0.01, 0.001, 0.0001] {
        write!(table, "| {} % |", 100.0 * prevalence).unwrap();
        for p in rates {
            let worth = prevalence / (prevalence + (1.0 - prevalence) * p);
            write!(table, " {:.1} % |", 100.0 * worth).unwrap();
        }
        table.push('\n');
    }
    assert_is_file(&table, "tables/worth.md");
}

#[test]
fn the_bits_of_other_structures_are_as_shown() {
    let n = 100_000_000;
    let rates = [0.1, 0.01, 0.001, 0.0001, 0.00001];
    let heads = rates.map(|p| format!(" 1 in {} |", grouped((1.0_f64 / p).round() as u64)));
    let mut table = format!(
        "| bits per item for | removes |{}\n| --- | --- |",
        heads.concat()
    );
    table += &" --: |".repeat(rates.len());
    table.push('\n');
    let mut row = |name: &str, removes: &str, bits: &dyn Fn(f64) -> f64| {
        write!(table, "| {name} | {removes} |").unwrap();
        for p in rates {
            write!(table, " {:.1} |", bits(p)).unwrap();
        }
        table.push('\n');
    };
    // Fingerprints have a whole number of bits.
    let whole = |p: f64| (-p.log2()).ceil();
    row("lower bound", "", &|p| {
        lower_bound_bits(n, p).unwrap() / n as f64
    });
    row("Bloom", "no", &|p| {
        Model::Exact.min_size(n, p).unwrap().0 as f64 / n as f64
    });
    row("blocked Bloom of bloom-core", "no", &|p| {
        BlockedShape::for_rate(n, p).unwrap().bits() as f64 / n as f64
    });
    row("counting Bloom, 4 bits", "yes", &|p| {
        4.0 * Model::Exact.min_size(n, p).unwrap().0 as f64 / n as f64
    });
    row(
        "cuckoo, $\\lceil \\log_2 \\frac{1}{p} + 3 \\rceil / 0.95$",
        "yes",
        &|p| (-p.log2() + 3.0).ceil() / 0.95,
    );
    row(
        "cuckoo, semi-sorted, $(\\lceil \\log_2 \\frac{1}{p} + 3 \\rceil - 1) / 0.95$",
        "yes",
        &|p| ((-p.log2() + 3.0).ceil() - 1.0) / 0.95,
    );
    row(
        "xor, $1.23 \\lceil \\log_2 \\frac{1}{p} \\rceil$",
        "no",
        &|p| 1.23 * whole(p),
    );
    row(
        "binary fuse, $1.075 \\lceil \\log_2 \\frac{1}{p} \\rceil$",
        "no",
        &|p| 1.075 * whole(p),
    );
    row("ribbon, $1.1 \\log_2 \\frac{1}{p}$", "no", &|p| {
        1.1 * -p.log2()
    });
    row(
        "ribbon, the smallest, $1.01 \\log_2 \\frac{1}{p}$",
        "no",
        &|p| 1.01 * -p.log2(),
    );
    assert_is_file(&table, "tables/other-structures.md");
}

/// The front page has a small calculator ("box") with an example and its answer. The page must print this answer in the form in
/// which box.js shows answers.
#[test]
fn the_box_of_the_front_page_has_the_answer_to_what_stands_in_it() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/src/introduction.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, form) = page.split_once("<live-box").unwrap();
    let typed = |name: &str| {
        let (_, input) = form.split_once(&format!("name=\"{name}\"")).unwrap();
        let (_, value) = input.split_once("value=\"").unwrap();
        value.split_once('"').unwrap().0
    };
    let object = bloom_params::json::answer(&[("n", typed("n")), ("p", typed("p"))]).unwrap();
    let (_, shown) = object.split_once("\"shown\": [").unwrap();
    let (shown, _) = shown.split_once(']').unwrap();
    let rows = shown
        .lines()
        .map(|line| line.trim().trim_matches([',', '"']));
    let rows = rows.filter(|row| !row.is_empty() && !row.starts_with("fill "));
    let rows = rows.map(|row| {
        let mut parts = row.split("   ");
        let (name, value) = (parts.next().unwrap(), parts.next().unwrap());
        let remark = parts
            .next()
            .map_or(String::new(), |text| format!(" ({text})"));
        format!("<span>{name} = <strong>{value}</strong>{remark}</span>\n")
    });
    assert_is_file(&rows.collect::<String>(), "tables/box.html");
}
