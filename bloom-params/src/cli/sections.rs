//! The sections that flags add below the answer.

use crate::cli::extras::{Extras, HashBits, Lookups, Overfill, Spread};
use crate::numbers::{grouped, grouped_wide, nearest, one_in};
use crate::solution::Solution;
use crate::words::{counted, plural, share};

/// Returns every requested section, each with a blank line before it.
pub(crate) fn all(solution: &Solution, extras: &Extras) -> String {
    let mut text = String::new();
    if let Some(part) = &extras.overfill {
        text += &overfill(part);
    }
    if let Some(part) = &extras.spread {
        text += &spread(solution, part);
    }
    if let Some(part) = &extras.hash_bits {
        text += &hash_bits(part);
    }
    if let Some(part) = &extras.lookups {
        text += &lookups(part);
    }
    text
}

fn overfill(part: &Overfill) -> String {
    let mut text = "\noverfilled:\n".to_string();
    let width = part.rows.iter().map(|row| grouped(row.n).len()).max();
    let width = width.unwrap_or(0);
    for row in &part.rows {
        let times = format!("{} n", nearest(row.times, 3));
        let trials = one_in(row.p, row.p.ln());
        let size = row.m.map_or(String::new(), |bits| {
            format!("   {} bits", grouped_wide(bits))
        });
        text += &format!(
            "  {times:>6}  {:>width$} {:<5}   p {:<10} {trials}{size}\n",
            grouped(row.n),
            plural(row.n, "item"),
            nearest(row.p, 4),
        );
    }
    text += &match part.twice {
        Some(n) => format!("  p doubles at {}\n", counted(n, "item")),
        None => "  p never doubles\n".to_string(),
    };
    text
}

fn spread(solution: &Solution, part: &Spread) -> String {
    let mean = solution.exact_rate().value();
    let relative = if mean > 0.0 { part.sd / mean } else { 0.0 };
    let which = if solution.asked.rate.is_some() {
        "target"
    } else {
        "mean"
    };
    let above = format!("above the {which} {}", nearest(part.of, 6));
    format!(
        "\nspread between single filters:\n  \
         {:<23}  {} ({} of p)\n  \
         {above:<23}  {} of filters\n",
        "standard deviation of p",
        nearest(part.sd, 4),
        share(relative, 3),
        share(part.above, 3),
    )
}

fn hash_bits(part: &HashBits) -> String {
    let HashBits { w, floor, p } = part;
    format!(
        "\nwith a hash of {w} {}:\n  \
         floor of the hash alone  {} ({})\n  \
         p of filter and hash     {} ({})\n",
        plural((*w).into(), "bit"),
        nearest(*floor, 4),
        one_in(*floor, floor.ln()),
        nearest(*p, 5),
        one_in(*p, p.ln()),
    )
}

pub(crate) fn lookups(part: &Lookups) -> String {
    let asked = match (part.prevalence, part.q) {
        (None, 1) => "not for an item".to_string(),
        (None, _) => "none of them for an item".to_string(),
        (Some(prevalence), 1) => format!("for an item with a chance of {}", share(prevalence, 4)),
        (Some(prevalence), _) => format!("{} of them for an item", share(prevalence, 4)),
    };
    let mut text = format!(
        "\n{}, {asked}:\n  \
         false hits expected        {}\n  \
         chance of none at all      {}\n",
        counted(part.q, "lookup"),
        nearest(part.false_hits, 4),
        if part.none > 0.0 || part.false_hits.is_infinite() {
            share(part.none, 4)
        } else {
            "under 1e-300".to_string()
        },
    );
    if let Some(chance) = part.yes_is_true {
        text += &format!("  chance that a yes is true  {}\n", share(chance, 4));
    }
    text
}
