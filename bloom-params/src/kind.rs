//! The remarks that belong to a kind of filter, or to how its size was chosen.

use bloom_core::math::counter_overflow;

use crate::filters::Filter;
use crate::numbers::{grouped, nearest, rate_up};
use crate::query::Round;
use crate::solution::Solution;
use crate::words::{as_typed, plural};

/// The filter in a sentence.
pub(crate) fn with_article(filter: Filter) -> String {
    match filter {
        Filter::Classic => "a Bloom filter".to_string(),
        filter => format!("a {} filter", filter.name()),
    }
}

/// What is to be told of this kind of filter.
pub(crate) fn about_the_filter(solution: &Solution) -> Vec<String> {
    let mut notes = Vec::new();
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    if solution.half_full {
        notes.push(
            "without p this is the half-full filter, by convention (k n = m ln 2)".to_string(),
        );
    }
    if solution.asked.round != Round::None {
        notes.push("m is rounded up as asked, and k chosen for it".to_string());
    }
    let unit = solution.asked.filter.unit();
    if unit > 1 {
        let blocks = m / unit;
        let asked = solution.asked.bits.filter(|asked| *asked > m);
        let down = asked.map_or(String::new(), |asked| {
            format!("; {} bits of m are left over", grouped(asked - m))
        });
        let (count, word) = (grouped(blocks), plural(blocks, "block"));
        notes.push(format!("{count} {word} of {unit} bits{down}"));
    }
    match solution.asked.filter {
        Filter::Counting { counter_bits } if n > 0 => {
            let stuck = (1_u32 << counter_bits) - 1;
            if let Ok(chance) = counter_overflow(n, m, k, stuck) {
                notes.push(format!(
                    "the chance that any counter of {counter_bits} bits reaches {stuck} and sticks \
                     is {} at most",
                    nearest(chance.any_at_most, 3)
                ));
            }
        }
        Filter::Scalable { .. } => notes.extend(about_the_stages(solution)),
        _ => {}
    }
    notes
}

fn about_the_stages(solution: &Solution) -> Vec<String> {
    let Some(grown) = &solution.grown else {
        return Vec::new();
    };
    let (held, used) = (grown.items(), grown.bits());
    let mut notes = vec![format!(
        "its stages hold {} {} in {} bits before it grows again, and keep p under {} however far it \
         grows",
        grouped(held),
        plural(held, "item"),
        grouped(used),
        solution
            .asked
            .rate
            .map_or_else(|| up(grown.growth.rate), as_typed),
    )];
    notes.push(
        "p is an upper bound: a stage is full by its set bits too, and often a little before its \
         items"
            .to_string(),
    );
    if let Some(rate) = solution.asked.rate.filter(|_| solution.items > 0) {
        let fixed = crate::Query {
            items: Some(solution.items),
            rate: Some(rate),
            ..crate::Query::default()
        };
        if let Ok(fixed) = fixed.solve() {
            notes.push(format!(
                "a classic filter that knows n beforehand needs {} bits",
                grouped(fixed.bits)
            ));
        }
    }
    notes
}

/// A rate that was found, not given.
fn up(rate: f64) -> String {
    rate_up(rate, rate.ln(), None)
}
