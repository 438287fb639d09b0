//! Writes remarks about a filter of a certain kind, and about how its size was chosen.

use crate::answer::Solution;
use crate::kind::filter::Filter;
use crate::question::{Query, Round};
use crate::say::certainty::Certainty;
use crate::say::numbers::{counted, grouped, nearest, rate_up};
use crate::say::words::as_typed;

/// Returns the remarks about the size of this filter and about its kind.
pub(crate) fn about_the_filter(solution: &Solution) -> Vec<String> {
    let mut notes = Vec::new();
    let (asked, m) = (&solution.asked, solution.bits);
    if solution.half_full {
        // Rounding to whole blocks, or few bits for many hashes, may leave the filter far from half full.
        let is_half = (solution.fill() - 0.5).abs() <= 0.05;
        let this = if is_half {
            "this is"
        } else {
            "this is rounded from"
        };
        notes.push(format!(
            "without p {this} the half-full filter, by convention (k n = m ln 2)"
        ));
    }
    match (asked.round, asked.hashes) {
        (Round::None, _) => {}
        _ if asked.cost.is_some() => {
            notes.push("m is rounded as asked, to the least cost".into());
        }
        (_, None) if asked.filter.fixed_hashes().is_none() => {
            notes.push("m is rounded up as asked, and k chosen for it".into());
        }
        _ => notes.push("m is rounded up as asked".into()),
    }
    let unit = asked.filter.unit();
    if unit > 1 {
        let blocks = counted(m / unit, "block");
        let cut = asked
            .bits
            .filter(|asked| *asked > m && solution.as_built().is_none());
        let left = cut.map_or(String::new(), |asked| {
            format!("; {} of m left over", counted(asked - m, "bit"))
        });
        notes.push(format!("{blocks} of {unit} bits{left}"));
    }
    match asked.filter {
        Filter::Counting { counter_bits } if solution.items > 0 => {
            notes.extend(about_the_counters(solution, counter_bits));
        }
        Filter::Scalable { .. } if solution.items > 0 => notes.extend(about_the_stages(solution)),
        _ => {}
    }
    notes
}

/// States the chance that a counter saturates or, if it is above 0.5, how many counters are expected to saturate.
pub(crate) fn about_the_counters(solution: &Solution, counter_bits: u8) -> Option<String> {
    let most = grouped((1_u32 << counter_bits) - 1);
    let overflow = solution.counter_overflow()?;
    let chance = overflow.any_at_most;
    // Above 0.5, the expected number of saturated counters says more than the chance.
    if chance > 0.5 {
        let (all, expected) = (grouped(solution.bits), nearest(overflow.expected, 3));
        let hint = if counter_bits < 16 {
            "; write a larger --counter-bits"
        } else {
            ""
        };
        return Some(format!(
            "of {all} counters of {counter_bits} bits about {expected} are expected to saturate at {most}{hint}"
        ));
    }
    let chance = if chance < 1e-300 {
        "under 1e-300".to_string()
    } else {
        format!("{} at most", nearest(chance, 3))
    };
    Some(format!(
        "the chance that any counter of {counter_bits} bits saturates at {most} is {chance}"
    ))
}

fn about_the_stages(solution: &Solution) -> Vec<String> {
    let Some(grown) = solution.grown.as_ref() else {
        return Vec::new();
    };
    // If m is given, the rate that the filter keeps however far it grows may be above the rate that is requested for n items.
    let all = grown.growth.rate;
    let rate = match solution.asked.rate {
        Some(asked) if asked == all => as_typed(asked),
        _ => rate_up(all, all.ln(), None),
    };
    let (held, used) = (counted(grown.items(), "item"), grouped(grown.bits()));
    let (early, late) = grown.full_range();
    let (early, late) = (grouped(early), counted(late, "item"));
    let (of, keeps) = if solution.asked.hash_bits.is_some() {
        ("with ideal hashes p", "with ideal hashes it keeps p")
    } else {
        ("p", "keeps p")
    };
    let (taken, beyond) = if let Certainty::OfIndependentStages { sum } = solution.certainty() {
        let sum = rate_up(sum, sum.ln(), None);
        let beyond = format!(
            "; even if stages are dependent, {of} is at most the sum of their rates, {sum}"
        );
        (" for independent stages", beyond)
    } else {
        ("", String::new())
    };
    let mut notes = vec![
        format!(
            "the stages are sized for {held} in {used} bits; by chance, a filter grows again after {early} to \
             {late}, and {keeps} under {rate} however far it grows"
        ),
        format!(
            "p is an upper bound{taken}: a stage also counts as full by its set bits, often a little before it \
             holds all its items{beyond}"
        ),
    ];
    let fixed = Query {
        items: Some(solution.items),
        rate: solution.asked.rate,
        hash_bits: solution.asked.hash_bits,
        ..Query::default()
    };
    if let Ok(fixed) = fixed.solve() {
        notes.push(format!(
            "a classic filter that knows n in advance needs {} bits",
            grouped(fixed.bits)
        ));
    }
    notes
}
