//! The derivation of an answer, step by step, with the numbers of the question.

mod bits;
mod choice;
mod each;
mod inside;
mod page;
mod single;
mod stages;

use std::f64::consts::LN_2;

use bloom_core::math::{Model, share_above};

use crate::filters::Filter;
use crate::kind;
use crate::numbers::{grouped, nearest};
use crate::query::{Query, Round};
use crate::solution::{Quantity, Solution};
use crate::words::{as_typed, counted, digits, kept, listed, plural, position, share};
pub use page::{Explanation, Part, Step};

impl Solution {
    /// Returns the derivation, step by step.
    pub fn explain(&self) -> Explanation {
        let mut page = Explanation::default();
        all(&mut page, self);
        page
    }
}

fn all(page: &mut Explanation, solution: &Solution) {
    given(page, solution);
    if solution.items == 0 {
        not_one(page, solution);
        return;
    }
    match solution.asked.filter {
        Filter::Classic | Filter::Counting { .. } => bits::all(page, solution),
        Filter::Partitioned => inside::slices(page, solution),
        Filter::Blocked { .. } | Filter::SplitBlock { .. } => inside::blocks(page, solution),
        Filter::Scalable { .. } => stages::all(page, solution),
    }
    if let Some(confidence) = solution.asked.confidence {
        single::filters(page, solution, confidence);
    }
    choice::all(page, solution);
}

fn given(page: &mut Explanation, solution: &Solution) {
    let asked = solution.asked;
    page.step("What is given, and what is asked");
    let what = position(asked.filter);
    let mut known = Vec::new();
    if let Some(n) = asked.items {
        known.push(format!("n = {}", counted(n, "item")));
    }
    if let Some(m) = asked.bits {
        known.push(format!("m = {}", counted(m, what)));
    }
    if let Some(k) = asked.hashes {
        known.push(format!("k = {}", counted(k.into(), "hash")));
    }
    if let Some(p) = asked.rate {
        let who = asked.confidence.map_or(String::new(), |part| {
            format!(" in {} of single filters", share(part, 15))
        });
        known.push(format!(
            "a false-positive rate p of at most {}{who}",
            as_typed(p)
        ));
    }
    let filter = match solution.like {
        Some(_) => String::new(),
        None => with_filter(asked.filter),
    };
    page.text(&format!("Given: {}{filter}.", listed(&known, "and")));
    let cut = asked.bits.filter(|given| *given > solution.bits);
    if let (Some(given), None) = (cut, &solution.like) {
        page.text(&format!(
            "Whole blocks of that are m = {}; {} {} left over.",
            grouped(solution.bits),
            grouped(given - solution.bits),
            if given - solution.bits == 1 {
                "bit is"
            } else {
                "bits are"
            }
        ));
    }
    let wanted = chosen(solution).map(|quantity| match quantity {
        Quantity::Items if solution.half_full => "the items n".to_string(),
        Quantity::Items => "the most items n".to_string(),
        Quantity::Bits if solution.grown.is_some() => "the bits m of its stages".to_string(),
        Quantity::Hashes if solution.grown.is_some() => "the hashes k of the last".to_string(),
        Quantity::Bits if solution.half_full => format!("the {what}s m"),
        Quantity::Bits => format!("the fewest {what}s m"),
        Quantity::Hashes => "the number of hashes k".to_string(),
        Quantity::Rate => "the rate p".to_string(),
    });
    let wanted: Vec<_> = wanted.collect();
    if let Some(like) = &solution.like {
        let wanted = match like.full {
            Some(_) => "the most items that {} puts in that",
            None => "what {} builds for that",
        };
        page.text(&format!(
            "Asked: {}, and its rate.",
            wanted.replace("{}", like.name)
        ));
        page.step(&format!("The rule of {} ({})", like.name, like.version));
        for line in &like.story {
            page.formula(line);
        }
    } else if wanted.is_empty() {
        page.text("Asked: is that rate kept?");
    } else {
        page.text(&format!("Asked: {}.", listed(&wanted, "and")));
    }
    if solution.like.is_none() && !solution.half_full {
        foretold(page, solution);
    }
    if solution.half_full {
        half_full(page, solution);
    }
}

/// Names the kind of filter, to follow the given quantities; empty for a classic filter.
fn with_filter(filter: Filter) -> String {
    let name = kind::with_article(filter);
    match filter {
        Filter::Classic => String::new(),
        Filter::Partitioned | Filter::Scalable { .. } => format!(", for {name}"),
        Filter::Blocked { block_bits } | Filter::SplitBlock { block_bits } => format!(
            ", for {name} with blocks of {block_bits} {}",
            plural(block_bits.into(), "bit")
        ),
        Filter::Counting { counter_bits } => {
            format!(", for {name} with counters of {counter_bits} bits")
        }
    }
}

/// Returns the solved quantities that could differ: a split block always has one hash in each lane.
fn chosen(solution: &Solution) -> impl Iterator<Item = &Quantity> {
    let is_fixed = solution.asked.filter.fixed_hashes().is_some();
    let solved = solution.solved.iter();
    solved.filter(move |quantity| **quantity != Quantity::Hashes || !is_fixed)
}

/// Adds the answer, from which the steps start.
fn foretold(page: &mut Explanation, solution: &Solution) {
    let found = chosen(solution).filter_map(|quantity| match quantity {
        Quantity::Items => Some(format!("n = {}", grouped(solution.items))),
        Quantity::Bits => Some(format!("m = {}", grouped(solution.bits))),
        Quantity::Hashes if solution.grown.is_none() => Some(format!("k = {}", solution.hashes)),
        _ => None,
    });
    let found: Vec<_> = found.collect();
    if solution.items > 0 && !found.is_empty() {
        page.text(&format!(
            "The answer is {}. First what that gives, then why it is the answer.",
            listed(&found, "and")
        ));
    }
}

/// Adds the convention that applies where p is not given.
fn half_full(page: &mut Explanation, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    page.step("Half full, by convention");
    page.text(
        "Without p there is no telling, so by convention half of the filter is set: that is where \
         its bits say most. It takes k n = m ln 2, with ln 2 = 0.693147, and so",
    );
    if solution.solved.contains(&Quantity::Items) {
        page.formula(&format!(
            "n = m ln 2 / k = {} x 0.693147 / {k} = {}, cut to {}",
            grouped(m),
            nearest(m as f64 * LN_2 / f64::from(k), 8),
            grouped(n)
        ));
        return;
    }
    page.formula(&format!(
        "m = k n / ln 2 = {k} x {} / 0.693147 = {}",
        grouped(n),
        nearest(f64::from(k) * n as f64 / LN_2, 8),
    ));
    let whole = match (solution.asked.round, solution.asked.filter.unit()) {
        (Round::None, 1) => String::new(),
        (Round::None, unit) => format!(", to whole blocks of {unit}"),
        _ => ", as --round asks".to_string(),
    };
    page.formula(&format!("rounded up{whole}: {}", grouped(m)));
}

fn not_one(page: &mut Explanation, solution: &Solution) {
    page.step("Why nothing fits");
    let m = solution.bits;
    let what = plural(m, position(solution.asked.filter));
    if let Some(grown) = &solution.grown {
        let growth = grown.growth;
        let Ok(stage) = growth.stage(Model::Exact, 0) else {
            return;
        };
        page.text(&format!(
            "Not even the first stage fits: room for {} at its share of p, {} x (1 - {}) = {}, \
             takes {} bits, and m = {}.",
            counted(stage.items, "item"),
            nearest(growth.rate, 6),
            growth.tightening,
            nearest(stage.rate, 6),
            grouped(stage.bits),
            grouped(m)
        ));
        return;
    }
    let one = Query {
        items: Some(1),
        ..solution.asked
    };
    let (Ok(one), Some(target)) = (one.solve(), solution.asked.rate) else {
        return;
    };
    let which = if solution.asked.hashes.is_none() && one.asked.filter.fixed_hashes().is_none() {
        "the best "
    } else {
        ""
    };
    page.text(&format!(
        "A single item sets up to k of the m = {} {what}, and a query for another errs where all of \
         its own are among them. With n = 1 and {which}k = {} that is",
        grouped(m),
        one.hashes
    ));
    let target_text = as_typed(target);
    page.formula(&match solution.asked.confidence {
        None => format!("p = {}, over {target_text}", digits(one.rate, 6)),
        Some(asked) => {
            let above = share_above(1, m, one.hashes, target).unwrap_or(1.0);
            format!(
                "{} of single filters that keep {target_text}, under {}",
                kept(above, 6),
                share(asked, 15)
            )
        }
    });
    page.text(&format!(
        "so {} {what} {} too few even for one item.",
        grouped(m),
        if m == 1 { "is" } else { "are" }
    ));
}
