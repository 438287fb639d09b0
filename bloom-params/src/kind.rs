//! Remarks about a kind of filter, or about how its size was chosen.

use crate::filters::Filter;
use crate::numbers::{grouped, nearest, rate_up};
use crate::query::Round;
use crate::solution::Solution;
use crate::words::{as_typed, counted};

/// Returns the remarks about this kind of filter.
pub(crate) fn about_the_filter(solution: &Solution) -> Vec<String> {
    let mut notes = Vec::new();
    let (n, m) = (solution.items, solution.bits);
    if solution.half_full {
        notes.push(
            "without p this is the half-full filter, by convention (k n = m ln 2)".to_string(),
        );
    }
    if solution.asked.round != Round::None {
        let chosen = if solution.asked.hashes.is_none() {
            ", and k chosen for it"
        } else {
            ""
        };
        notes.push(format!("m is rounded up as asked{chosen}"));
    }
    let unit = solution.asked.filter.unit();
    if unit > 1 {
        let blocks = m / unit;
        let asked = solution.asked.bits.filter(|asked| *asked > m);
        let asked = asked.filter(|_| solution.like.is_none());
        let down = asked.map_or(String::new(), |asked| {
            format!("; {} of m left over", counted(asked - m, "bit"))
        });
        let blocks = counted(blocks, "block");
        notes.push(format!("{blocks} of {unit} bits{down}"));
    }
    match solution.asked.filter {
        Filter::Counting { counter_bits } if n > 0 => {
            notes.extend(about_the_counters(solution, counter_bits));
        }
        Filter::Scalable { .. } => notes.extend(about_the_stages(solution)),
        _ => {}
    }
    notes
}

/// Returns how likely it is that a counter saturates.
pub(crate) fn about_the_counters(solution: &Solution, counter_bits: u8) -> Option<String> {
    let stuck = (1_u64 << counter_bits) - 1;
    let overflow = solution.counter_overflow()?;
    let chance = overflow.any_at_most;
    // If saturation is this likely, the expected number of saturated counters is more useful.
    if chance > 0.5 {
        return Some(format!(
            "of {} counters of {counter_bits} bits about {} are expected to reach {} and stick; write a \
             larger --counter-bits",
            grouped(solution.bits),
            nearest(overflow.expected, 3),
            grouped(stuck)
        ));
    }
    let most = if chance < 1e-300 {
        "under 1e-300".to_string()
    } else {
        format!("{} at most", nearest(chance, 3))
    };
    Some(format!(
        "the chance that any counter of {counter_bits} bits reaches {} and sticks is {most}",
        grouped(stuck)
    ))
}

fn about_the_stages(solution: &Solution) -> Vec<String> {
    let Some(grown) = &solution.grown else {
        return Vec::new();
    };
    if solution.items == 0 {
        return Vec::new();
    }
    let (held, used) = (grown.items(), grown.bits());
    let mut notes = vec![format!(
        "its stages hold {} in {} bits before it grows again, and keep p under {} however far it \
         grows",
        counted(held, "item"),
        grouped(used),
        // Stages that fit in m bits may keep only a higher rate for ever than the one asked for n items.
        match solution.asked.rate {
            Some(asked) if asked == grown.growth.rate => as_typed(asked),
            _ => up(grown.growth.rate),
        },
    )];
    notes.push(
        "p is an upper bound: a stage is full by its set bits too, and often a little before its \
         items"
            .to_string(),
    );
    if let Some(rate) = solution.asked.rate {
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

/// Rounds up a rate that was solved for, not given.
fn up(rate: f64) -> String {
    rate_up(rate, rate.ln(), None)
}
