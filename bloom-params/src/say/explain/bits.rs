//! Writes the steps that derive the rate of filters whose hashes share all bits: classic and counting filters.

use bloom_core::math::{Model, Rate, textbook};

use super::page::Explanation;
use crate::answer::Solution;
use crate::kind::filter::Filter;
use crate::say::kind_notes;
use crate::say::numbers::{bytes_of_bits, counted, grouped, nearest, plural};
use crate::say::words::{digits, position, set, share};

/// The digits of the fill that are printed. With them, the reader's fill^k has six accurate digits for k up to 10.
const DIGITS: usize = 8;

/// Adds the steps from one bit to the exact rate.
pub(super) fn all(page: &mut Explanation, solution: &Solution) {
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let (what, set) = (position(solution.layout()), set(solution.layout()));
    let fill = solution.fill();
    let (clear, filled) = (nearest(1.0 - fill, DIGITS), nearest(fill, DIGITS));
    let throws = u128::from(n) * u128::from(k);
    let (all, throw) = (grouped(throws), plural(throws.min(2) as u64, "throw"));
    let (items, bits, positions) = (grouped(n), grouped(m), counted(m, what));
    let by_textbook = textbook::rate(n, m, k).ok();
    let exact = solution.exact_rate();
    let ratio = by_textbook.map_or(0.0, |textbook| -libm::expm1(textbook.ln() - exact.ln()));
    let product = by_textbook.map_or(String::new(), |rate| apart(rate, ratio));
    page.add(&format!(
        "# One {what}
        Each hash of an item picks one {what}. That is k n = {k} x {items} = {all} {throw} at m = {positions}. A {what} is \
        missed by every throw, and so not {set}, with the chance
        > (1 - 1/m)^(k n) = (1 - 1/{bits})^{all} = {clear}
        So a share of 1 - {clear} = {filled} of the {what}s is expected to be {set}: the fill.
        # One query
        An item that was never inserted is a false positive if all its k {what}s happen to be {set}. The textbook multiplies \
        the chances:
        > fill^k = {filled}^{k} = {product}
        # What the textbook leaves out"
    ));
    let rate = apart(exact, ratio);
    page.add(&match k {
        1 => format!(
            "Nothing, with one hash: there are no chances to multiply, and the mean over all filters is the fill itself.
            > p = {rate}"
        ),
        _ => format!(
            "The k chances are not independent: by chance a filter has more or fewer {what}s {set}, and its rate rises faster \
            above the mean than it falls below it. The true p is the mean of (X/m)^k over all counts X of {what}s {set}, not \
            the power of the mean:
            > p = mean of (X/m)^k = {rate}"
        ),
    });
    if k > 1 && by_textbook.is_some() {
        page.add(&if ratio < 1e-12 {
            "Here the two agree to 12 digits.".to_string()
        } else {
            format!("The textbook is {} too low here.", share(ratio, 3))
        });
    }
    let formula = match solution.asked.model {
        Model::Textbook => Some(
            "The answer is the textbook's, as asked:
            > p = fill^k",
        ),
        Model::Asymptotic => Some(
            "The answer is that of the asymptotic formula, as asked, with e^(-k n/m) in place of (1 - 1/m)^(k n):
            > p = (1 - e^(-k n/m))^k",
        ),
        _ => None,
    };
    if let Some(formula) = formula {
        page.add(&format!("{formula} = {}", digits(solution.ideal, 6)));
    }
    if let Filter::Counting { counter_bits } = solution.layout() {
        counters(page, solution, counter_bits);
    }
}

/// Formats a rate with as many digits as distinguish it from a rate that differs by this ratio. If these are not 7 to 13
/// digits, or the rate is below the smallest normal `f64`, it has 6 digits.
fn apart(rate: Rate, ratio: f64) -> String {
    let more = (1.0 - libm::log10(ratio).floor()) as usize;
    match more {
        7..=13 if rate.value() >= f64::MIN_POSITIVE => nearest(rate.value(), more),
        _ => digits(rate, 6),
    }
}

/// Adds what it costs to have counters in place of bits, and how likely the counters are to
/// saturate.
fn counters(page: &mut Explanation, solution: &Solution, counter_bits: u8) {
    let (m, memory) = (solution.bits, solution.memory_bits());
    let (counters, m) = (counted(m, "counter"), grouped(m));
    let (bits, bytes) = (grouped(memory), bytes_of_bits(memory));
    page.add(&format!(
        "# What the counters cost
        Removing an item lowers the counters that it raised. For that each of the {counters} takes {counter_bits} bits:
        > {counter_bits} x {m} = {bits} bits = {bytes}
        A classic filter of m bits has the same p in 1/{counter_bits} of the memory."
    ));
    if let Some(saturation) = kind_notes::about_the_counters(solution, counter_bits) {
        page.add(&format!("Saturation: {saturation}."));
    }
}
