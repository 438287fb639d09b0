//! Steps for filters whose hashes share all bits: classic and counting.

use bloom_core::math::{Model, textbook};

use super::page::Explanation;
use crate::filters::Filter;
use crate::kind;
use crate::numbers::{bytes_of_bits, grouped, grouped_wide, nearest};
use crate::solution::Solution;
use crate::words::{counted, digits, plural, position, share};

/// Adds the steps from one bit to the exact rate.
pub(super) fn all(page: &mut Explanation, solution: &Solution) {
    one_bit(page, solution);
    one_query(page, solution);
    exact_mean(page, solution);
    if let Filter::Counting { counter_bits } = solution.asked.filter {
        counters(page, solution, counter_bits);
    }
}

/// Digits of the fill that leave six accurate digits in its power.
const DIGITS: usize = 8;

fn one_bit(page: &mut Explanation, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let throws = u128::from(n) * u128::from(k);
    let counts = matches!(solution.asked.filter, Filter::Counting { .. });
    let what = position(solution.asked.filter);
    let (sets, clear, set) = if counts {
        ("raises", "at 0", "above 0")
    } else {
        ("sets", "clear", "set")
    };
    let (all, several) = (grouped_wide(throws), plural(m, what));
    let word = if throws == 1 { "throw" } else { "throws" };
    page.step(if counts { "One counter" } else { "One bit" });
    let thrown = if k == 1 {
        format!(
            "Each item {sets} one {what}, chosen by its hash. That is n = {all} {word} at m = {} \
             {several}.",
            grouped(m)
        )
    } else {
        format!(
            "Each item {sets} k {what}s, chosen by its hashes. With k = {k} that is k n = {k} x {} = \
             {all} {word} at m = {} {several}.",
            grouped(n),
            grouped(m)
        )
    };
    page.text(&format!(
        "{thrown} One {what} stays {clear} if every throw misses it:"
    ));
    let fill = solution.fill();
    page.formula(&format!(
        "(1 - 1/m)^(k n) = (1 - 1/{})^{all} = {}",
        grouped(m),
        nearest(1.0 - fill, DIGITS)
    ));
    page.text(&format!(
        "So a share of 1 - {} = {} of the {what}s is expected to be {set}: the fill.",
        nearest(1.0 - fill, DIGITS),
        nearest(fill, DIGITS)
    ));
}

fn one_query(page: &mut Explanation, solution: &Solution) {
    let k = solution.hashes;
    let set = match solution.asked.filter {
        Filter::Counting { .. } => "above 0",
        _ => "set",
    };
    let what = position(solution.asked.filter);
    page.step("One query");
    page.text(&if k == 1 {
        format!(
            "An item that was never inserted is found by mistake if its one {what} happens to be \
             {set}. The chance of that is the fill:"
        )
    } else {
        format!(
            "An item that was never inserted is found by mistake if all its k {what}s happen to be \
             {set}. The textbook multiplies the chances:"
        )
    });
    let rate = textbook::rate(solution.items, solution.bits, k);
    let rate = rate.map_or(String::new(), |rate| digits(rate, 6));
    page.formula(&format!(
        "fill^k = {}^{k} = {rate}",
        nearest(solution.fill(), DIGITS)
    ));
}

fn exact_mean(page: &mut Explanation, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let exact = solution.exact_rate();
    let counts = matches!(solution.asked.filter, Filter::Counting { .. });
    let of = if counts {
        "counters above 0"
    } else {
        "set bits"
    };
    page.step("What the textbook leaves out");
    if k == 1 {
        page.text(
            "Nothing, with one hash: there are no chances to multiply, and the mean over all filters \
             is the fill itself.",
        );
        page.formula(&format!("p = {}", digits(exact, 6)));
    } else {
        let fuller = if counts {
            "counters more or less above 0"
        } else {
            "bits more or less set"
        };
        page.text(&format!(
            "The k chances are not independent: a filter may happen to have a few {fuller}, and one \
             that is fuller errs more by more than an emptier one errs less. The true p is the mean \
             of (X/m)^k over all counts X of {of}, not the power of the mean:"
        ));
        page.formula(&format!("p = mean of (X/m)^k = {}", digits(exact, 6)));
        if let Ok(textbook) = textbook::rate(n, m, k) {
            let ratio = -(textbook.ln() - exact.ln()).exp_m1();
            page.text(&if ratio < 1e-12 {
                "Here the two agree to 12 digits.".to_string()
            } else {
                format!("The textbook is {} too low here.", share(ratio, 3))
            });
        }
    }
    let formula = match solution.asked.model {
        Model::Textbook => "The answer goes by the textbook all the same, as you asked:",
        Model::Asymptotic => {
            "The answer goes by the asymptotic formula, as you asked, which takes (1 - 1/m)^(k n) for \
             e^(-k n/m):"
        }
        _ => return,
    };
    page.text(formula);
    let shown = match solution.asked.model {
        Model::Asymptotic => "(1 - e^(-k n/m))^k",
        _ => "fill^k",
    };
    page.formula(&format!("p = {shown} = {}", digits(solution.rate, 6)));
}

/// Adds what a counter in place of a bit costs, and where it saturates.
fn counters(page: &mut Explanation, solution: &Solution, counter_bits: u8) {
    let (m, memory) = (solution.bits, solution.memory_bits());
    page.step("What the counters cost");
    page.text(&format!(
        "An item that is removed lowers what it raised, so that items can go again. For that each of \
         the {} takes {counter_bits} bits:",
        counted(m, "counter")
    ));
    page.formula(&format!(
        "{counter_bits} x {} = {} bits = {}",
        grouped(m),
        grouped_wide(memory),
        bytes_of_bits(memory)
    ));
    page.text(&format!(
        "A classic filter of m bits has the same p in {} of the memory.",
        match counter_bits {
            2 => "half".to_string(),
            bits => format!("1/{bits}"),
        },
    ));
    if let Some(ending) = kind::about_the_counters(solution, counter_bits) {
        page.text(&format!("Counters end: {ending}."));
    }
}
