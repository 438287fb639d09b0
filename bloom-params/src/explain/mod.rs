//! The derivation of an answer, step by step, with the numbers of the question.

mod inside;
mod page;

use bloom_core::math::{Model, share_above, textbook};

use crate::filters::Filter;
use crate::numbers::{grouped, grouped_wide, nearest};
use crate::query::{Query, Round};
use crate::solution::{Quantity, Solution};
use crate::words::{as_typed, digits, plural, position, share};
use page::Page;

/// Returns the derivation, line by line; none is longer than 80 columns.
pub(crate) fn lines(solution: &Solution) -> Vec<String> {
    let mut page = Page::new();
    given(&mut page, solution);
    if solution.items == 0 {
        not_one(&mut page, solution);
        return page.lines();
    }
    match solution.asked.filter {
        Filter::Classic | Filter::Counting { .. } => {
            one_bit(&mut page, solution);
            one_query(&mut page, solution);
            exact_mean(&mut page, solution);
        }
        Filter::Partitioned => inside::slices(&mut page, solution),
        Filter::Blocked { .. } | Filter::SplitBlock { .. } => inside::blocks(&mut page, solution),
        Filter::Scalable { .. } => inside::stages(&mut page, solution),
    }
    if solution.grown.is_none() && solution.asked.filter.fixed_hashes().is_none() {
        hashes(&mut page, solution);
    }
    if solution.grown.is_none() {
        edge(&mut page, solution);
    }
    if solution.asked.filter == Filter::Classic {
        usual(&mut page, solution);
    }
    if let Some(confidence) = solution.asked.confidence {
        single_filters(&mut page, solution, confidence);
    }
    page.lines()
}

fn given(page: &mut Page, solution: &Solution) {
    let asked = solution.asked;
    page.step("What is given, and what is asked");
    let what = position(asked.filter);
    let mut known = Vec::new();
    if let Some(n) = asked.items {
        known.push(format!("n = {} {}", grouped(n), plural(n, "item")));
    }
    if let Some(m) = asked.bits {
        known.push(format!("m = {} {}", grouped(m), plural(m, what)));
    }
    if let Some(k) = asked.hashes {
        known.push(format!("k = {k} {}", plural(k.into(), "hash")));
    }
    if let Some(p) = asked.rate {
        known.push(format!(
            "a false-positive rate p of at most {}",
            as_typed(p)
        ));
    }
    page.text(&format!("Given: {}.", known.join(", ")));
    let wanted = solution.solved.iter().map(|quantity| match quantity {
        Quantity::Items => "the most items n",
        Quantity::Bits => "the fewest bits m",
        Quantity::Hashes => "the number of hashes k",
        Quantity::Rate => "the rate p",
    });
    let wanted: Vec<_> = wanted.collect();
    if let Some(like) = &solution.like {
        page.text(&format!(
            "Asked: what {} builds for that, and its rate.",
            like.name
        ));
        page.step(&format!("The rule of {} ({})", like.name, like.version));
        for line in &like.story {
            page.formula(line);
        }
    } else if wanted.is_empty() {
        page.text("Asked: is that rate kept?");
    } else {
        page.text(&format!("Asked: {}.", wanted.join(", ")));
    }
    if solution.half_full {
        page.text(
            "Without p there is no telling, so by convention the filter is half full: that is \
             where its bits say most, and k n = m ln 2.",
        );
    }
}

fn not_one(page: &mut Page, solution: &Solution) {
    page.step("Why nothing fits");
    page.text(&format!(
        "One item sets up to k bits, and a query finds all of its own among them more often than p \
         allows: {} bits are too few even for n = 1.",
        grouped(solution.bits)
    ));
}

fn one_bit(page: &mut Page, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let throws = u128::from(n) * u128::from(k);
    let throws = grouped_wide(throws);
    let what = position(solution.asked.filter);
    page.step("One bit");
    page.text(&format!(
        "Each item sets k {what}s, chosen by its hashes. With k = {k} that is k n = {k} x {} = \
         {throws} throws at m = {} {what}s. One {what} stays clear if every throw misses it:",
        grouped(n),
        grouped(m),
    ));
    let fill = solution.fill();
    page.formula(&format!(
        "(1 - 1/m)^(k n) = (1 - 1/{})^{throws} = {}",
        grouped(m),
        nearest(1.0 - fill, 5)
    ));
    page.text(&format!(
        "So a share of {} of the {what}s is expected to be set: the fill.",
        nearest(fill, 5)
    ));
}

fn one_query(page: &mut Page, solution: &Solution) {
    let k = solution.hashes;
    page.step("One query");
    page.text(
        "An item that was never inserted is found by mistake if all its k bits happen to be set. \
         The textbook multiplies the chances:",
    );
    let rate = textbook::rate(solution.items, solution.bits, k);
    let rate = rate.map_or(String::new(), |rate| digits(rate, 6));
    page.formula(&format!(
        "fill^k = {}^{k} = {rate}",
        nearest(solution.fill(), 5)
    ));
}

fn exact_mean(page: &mut Page, solution: &Solution) {
    page.step("What the textbook leaves out");
    page.text(
        "The k chances are not independent: a filter may happen to have a few bits more or less \
         set, and one that is fuller errs more by more than an emptier one errs less. The true p is \
         the mean of (X/m)^k over all counts X of set bits, not the power of the mean:",
    );
    let exact = solution.exact_rate();
    page.formula(&format!("p = mean of (X/m)^k = {}", digits(exact, 6)));
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let Ok(textbook) = textbook::rate(n, m, k) else {
        return;
    };
    let ratio = -(textbook.ln() - exact.ln()).exp_m1();
    page.text(&if k == 1 {
        "With one hash there is no power to take, and the textbook is right.".to_string()
    } else if ratio < 1e-12 {
        "Here the two agree to 12 digits.".to_string()
    } else {
        format!("The textbook is {} too low here.", share(ratio, 3))
    });
    if solution.asked.model != Model::Exact {
        page.text(&format!(
            "You asked for the {} formula, so the answer goes by p = {}.",
            crate::json::name(solution.asked.model),
            digits(solution.rate, 6)
        ));
    }
}

/// The rate for some numbers of hashes around the answer.
fn hashes(page: &mut Page, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let judge = solution.asked.judge();
    let Ok(best) = judge.best_hashes(n, m) else {
        return;
    };
    page.step("How many hashes");
    page.text("Few hashes ask a query too little, many fill the filter. At this n and m:");
    let (low, high) = (k.min(best).saturating_sub(2).max(1), k.max(best));
    let shown: Vec<u8> = (low..=high.saturating_add(2)).collect();
    let skip = shown.len() > 12;
    for (i, &hashes) in shown.iter().enumerate() {
        if skip && i >= 5 && i + 5 < shown.len() {
            if i == 5 {
                page.formula("...");
            }
            continue;
        }
        let Ok(rate) = judge.rate(n, m, hashes) else {
            continue;
        };
        let mut remark = String::new();
        if let Some(target) = solution.asked.rate.filter(|_| judge.confidence.is_none()) {
            let met = judge.meets(n, m, hashes, target).unwrap_or(false);
            remark += if met { "  within" } else { "  over" };
        }
        if hashes == best {
            remark += "  lowest";
        }
        if hashes == k {
            remark += "  <- the answer";
        }
        page.formula(&format!(
            "k = {hashes:>3}   p = {:<12}{remark}",
            digits(rate, 6)
        ));
    }
    let chosen = if solution.like.is_some() {
        "k is the library's choice."
    } else if solution.asked.hashes.is_some() {
        "k was given."
    } else if solution.asked.rate.is_some() && solution.hashes_range.is_some() {
        "The answer takes the fewest that keep p, for each hash costs a lookup."
    } else if solution.asked.rate.is_some() {
        "The answer takes the fewest that will do."
    } else {
        "The answer takes the best."
    };
    page.text(chosen);
    if matches!(
        solution.asked.filter,
        Filter::Classic | Filter::Counting { .. } | Filter::Partitioned
    ) {
        page.text(&format!(
            "(The rule of thumb, (m/n) ln 2 = {}, is the same for filters of any size; k must be a \
             whole number.)",
            nearest(m as f64 / n as f64 * std::f64::consts::LN_2, 4)
        ));
    }
}

/// The answer and its neighbour on the other side of the target.
fn edge(page: &mut Page, solution: &Solution) {
    let Some(target) = solution.asked.rate.filter(|_| solution.items > 0) else {
        return;
    };
    if solution.asked.round != Round::None {
        page.step("Rounding up");
        page.text(&format!(
            "The fewest bits are rounded up to m = {}, as asked; more bits never raise p.",
            grouped(solution.bits)
        ));
        return;
    }
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let judge = solution.asked.judge();
    let unit = solution.asked.filter.unit();
    let row = |page: &mut Page, n: u64, m: u64| {
        let (Ok(rate), Ok(met)) = (judge.rate(n, m, k), judge.meets(n, m, k, target)) else {
            return;
        };
        let verdict = if met { "met" } else { "not met" };
        page.formula(&format!(
            "n = {}, m = {}:  p = {}  {verdict}",
            grouped(n),
            grouped(m),
            digits(rate, 7)
        ));
    };
    let solved = |quantity| solution.like.is_none() && solution.solved.contains(&quantity);
    if solved(Quantity::Bits) && m > unit {
        page.step("How many bits");
        row(page, n, m - unit);
        row(page, n, m);
        page.text(&format!(
            "p falls with every bit, so the fewest that will do have a neighbour, {}, that will not.",
            if unit == 1 { "one less".to_string() } else { format!("one block of {unit} less") }
        ));
    } else if solved(Quantity::Items) && n < u64::MAX {
        page.step("How many items");
        row(page, n, m);
        row(page, n + 1, m);
        page.text("p rises with every item, so the most are the last that keep it.");
    } else {
        page.step("Is the target met?");
        row(page, n, m);
    }
}

/// What the usual rule leaves out.
fn usual(page: &mut Page, solution: &Solution) {
    let (Some(target), Some(rule)) = (solution.asked.rate, solution.usual()) else {
        return;
    };
    let n = solution.items;
    let real = n as f64 * -target.ln() / std::f64::consts::LN_2.powi(2);
    page.step("Why many calculators say otherwise");
    page.text(
        "The usual rule solves the textbook's approximation for a best k that is no whole number:",
    );
    page.formula(&format!(
        "m = -n ln p / (ln 2)^2 = {}, rounded up {}",
        nearest(real, 8),
        grouped(rule.bits)
    ));
    page.formula(&format!(
        "k = (m/n) ln 2 = {}, rounded {}",
        nearest(rule.bits as f64 / n as f64 * std::f64::consts::LN_2, 4),
        rule.hashes
    ));
    let over = rule.rate.value() / target - 1.0;
    page.text(&format!(
        "That filter has p = {}, {}.",
        digits(rule.rate, 6),
        if over > 0.0 {
            format!("{} over the target", share(over, 2))
        } else {
            "which keeps the target".to_string()
        }
    ));
}

fn single_filters(page: &mut Page, solution: &Solution, confidence: f64) {
    let Some(target) = solution.asked.rate else {
        return;
    };
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    page.step("Single filters");
    page.text(&format!(
        "p is a mean. A single filter has the rate (X/m)^k of the X bits it happens to have set, and \
         of those sized for p about half are above it. You asked that {} of them keep p, so m has \
         some bits more: {} are above now.",
        share(confidence, 15),
        share(share_above(n, m, k, target).unwrap_or(1.0), 3)
    ));
    let plain = Query {
        confidence: None,
        ..solution.asked
    };
    if let (Ok(plain), true) = (plain.solve(), solution.solved.contains(&Quantity::Bits)) {
        page.text(&format!(
            "For the mean alone, {} bits would do.",
            grouped(plain.bits)
        ));
    }
}
