//! Computes the tables of the book's chapter on growing filters, and compares them with the files that the page includes. Such
//! a filter is a list of stages, which are filters of a fixed size.

use std::fmt::Write;

use crate::common::assert_is_file;
use bloom_core::math::scalable::{Growth, compound_rate, same_rate_compound};
use bloom_core::math::{Model, exact};
use bloom_listings::stream::cascade_rate;
use bloom_params::numbers::grouped;

/// The growing filter of the chapter.
const GROWTH: Growth = Growth {
    items: 1_000,
    rate: 0.01,
    growth: 2,
    tightening: 0.85,
};

/// Formats a rate in percent with two decimals, or in scientific notation with one digit if it is below 0.0095 %.
fn percent(rate: f64) -> String {
    let percent = 100.0 * rate;
    if percent >= 0.0095 {
        format!("{percent:.2} %")
    } else {
        format!("{percent:.0e} %")
    }
}

#[test]
fn stages_of_one_rate_and_tightened_ones_add_up_as_shown() {
    let mut table =
        String::from("| stages | items | same rate | tightened |\n| --: | --: | --: | --: |\n");
    for stages in [1, 2, 3, 5, 10, 20, 30] {
        let items = GROWTH.capacity(stages).expect("not too many items");
        let (same, ours) = (same_rate_compound(0.01, stages), GROWTH.full_rate(stages));
        assert!(ours < 0.01);
        let (items, same, ours) = (grouped(items), percent(same), percent(ours));
        writeln!(table, "| {stages} | {items} | {same} | {ours} |").unwrap();
    }
    assert_is_file(&table, "tables/same-rate.md");
}

#[test]
fn the_memory_of_each_tightening_ratio_is_as_shown() {
    let mut table = String::from(
        "| $r$ | first share | bits per item, 10 stages | last $k$ | 20 stages | last $k$ |\n\
         | --: | --: | --: | --: | --: | --: |\n",
    );
    for tightening in [0.5, 0.7, 0.8, 0.85, 0.9, 0.95] {
        let growth = Growth {
            tightening,
            ..GROWTH
        };
        write!(
            table,
            "| {tightening} | {} |",
            percent(growth.stage_rate(0))
        )
        .unwrap();
        for stages in [10, 20] {
            let items = growth.capacity(stages).expect("not too many items");
            let all = growth.all_stages(Model::Exact, items).unwrap();
            let bits: u64 = all.iter().map(|stage| stage.bits).sum();
            let last = all.last().expect("a stage").hashes;
            let per_item = bits as f64 / items as f64;
            write!(table, " {per_item:.1} | {last} |").unwrap();
        }
        table.push('\n');
    }
    assert_is_file(&table, "tables/tightening.md");
}

#[test]
fn a_cascade_errs_as_shown() {
    let more_hashes = [1, 2, 4, 8, 16].map(|k| (20_000, k));
    let more_bits = [1, 2, 4, 8, 16].map(|times| (20_000 * times, 7));
    let mut table = String::from(
        "| $n$ | more hashes | one filter, same bits | more bits | one filter, same bits | growing | bits of the growing one |\n\
         | --: | --: | --: | --: | --: | --: | --: |\n",
    );
    let growth = Growth {
        items: 2_000,
        ..GROWTH
    };
    for n in [2_000, 5_000, 10_000, 20_000, 40_000, 80_000] {
        let one = |bits| exact::rate(n, bits, 7).unwrap().value();
        // All stages but the last are full. The last stage has the remaining items.
        let stages = growth.all_stages(Model::Exact, n).unwrap();
        let mut left = n;
        let rates = stages.iter().map(|stage| {
            let items = left.min(stage.items);
            left -= items;
            exact::rate(items, stage.bits, stage.hashes)
                .unwrap()
                .value()
        });
        let grown = compound_rate(rates);
        let bits: u64 = stages.iter().map(|stage| stage.bits).sum();
        writeln!(
            table,
            "| {} | {} | {} | {} | {} | {} | {} |",
            grouped(n),
            percent(cascade_rate(n, &more_hashes).unwrap()),
            percent(one(100_000)),
            percent(cascade_rate(n, &more_bits).unwrap()),
            percent(one(620_000)),
            percent(grown),
            grouped(bits),
        )
        .unwrap();
    }
    assert_is_file(&table, "tables/cascade.md");
}
