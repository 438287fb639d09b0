//! The sections that flags add below the answer.

use crate::extras::{Extras, Grow, HashBits, Lookups, Overfill, Spread, Union};
use crate::numbers::{binary_size, bytes_of_bits, grouped, nearest, one_in, rate_up, rate_up_to};
use crate::solution::Solution;
use crate::words::{as_typed, counted, plural, share};

/// Returns every requested section, each with a blank line before it.
pub(crate) fn all(solution: &Solution, extras: &Extras) -> String {
    let mut text = String::new();
    if let Some(part) = &extras.overfill {
        text += &overfill(part, solution.asked.rate);
    }
    if let Some(part) = &extras.grow {
        text += &growth(part, solution);
    }
    if let Some(part) = &extras.union {
        text += &union(solution, part);
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

fn overfill(part: &Overfill, target: Option<f64>) -> String {
    let mut text = "\noverfilled:\n".to_string();
    let width = part.rows.iter().map(|row| grouped(row.n).len()).max();
    let width = width.unwrap_or(0);
    for row in &part.rows {
        let times = format!("{} n", nearest(row.times, 3));
        let (n, item) = (grouped(row.n), plural(row.n, "item"));
        let target = target.filter(|_| row.times == 1.0);
        let (p, trials) = (
            rate_up(row.p, row.p.ln(), target),
            one_in(row.p, row.p.ln()),
        );
        let size = row
            .m
            .map_or(String::new(), |bits| format!("   {}", binary_size(bits)));
        text += &format!("  {times:>6}  {n:>width$} {item:<5}   p {p:<10} {trials}{size}\n");
    }
    text + &match part.twice {
        Some(n) => format!("  p doubles at {}\n", counted(n, "item")),
        None => "  p never doubles\n".to_string(),
    }
}

fn union(solution: &Solution, part: &Union) -> String {
    let (filters, items) = (grouped(part.filters), counted(part.n, "item"));
    let (p, trials) = (
        rate_up(part.p, part.p.ln(), None),
        one_in(part.p, part.p.ln()),
    );
    let mut text =
        format!("\nunion of {filters} full filters:\n  {items} in all: p {p}, {trials}\n");
    if let (Some(bits), Some(target)) = (part.m, solution.asked.rate) {
        let (bits, target) = (bytes_of_bits(bits), as_typed(target));
        text += &format!("  to keep {target} after the union: {bits} for each\n");
    } else if let Some(target) = solution.asked.rate {
        let target = as_typed(target);
        text += &format!("  no size of it keeps {target} after the union\n");
    }
    text
}

fn spread(solution: &Solution, part: &Spread) -> String {
    let mean = solution.exact_rate().value();
    let relative = if mean > 0.0 { part.sd / mean } else { 0.0 };
    let which = solution.asked.rate.map_or("mean", |_| "target");
    let (name, above) = (
        "standard deviation of p",
        format!("above the {which} {}", nearest(part.of, 6)),
    );
    let (sd, relative, share) = (
        nearest(part.sd, 4),
        share(relative, 3),
        share(part.above, 3),
    );
    format!(
        "\nspread between single filters:\n  \
         {name:<23}  {sd} ({relative} of p)\n  \
         {above:<23}  {share} of filters\n"
    )
}

fn hash_bits(part: &HashBits) -> String {
    let rate = |p: f64, digits| format!("{} ({})", nearest(p, digits), one_in(p, p.ln()));
    format!(
        "\nwith a hash of {}:\n  \
         floor of the hash alone  {}\n  \
         p with ideal hashes      {}\n",
        counted(part.w.into(), "bit"),
        rate(part.floor, 4),
        rate(part.ideal_p, 5),
    )
}

pub(crate) fn lookups(part: &Lookups) -> String {
    let asked = match (part.prevalence.map(|part| share(part, 4)), part.q) {
        (None, 1) => "not for an inserted item".to_string(),
        (None, _) => "none of them for an inserted item".to_string(),
        (Some(chance), 1) => format!("for an inserted item with a chance of {chance}"),
        (Some(share), _) => format!("{share} of them for inserted items"),
    };
    let none = if part.none > 0.0 || part.false_hits.is_infinite() {
        share(part.none, 4)
    } else {
        "under 1e-300".to_string()
    };
    let (lookups, hits) = (counted(part.q, "lookup"), nearest(part.false_hits, 4));
    let is_true = part.yes_is_true.map_or(String::new(), |chance| {
        format!("  chance that a yes is true  {}\n", share(chance, 4))
    });
    format!(
        "\n{lookups}, {asked}:\n  \
         false hits expected        {hits}\n  \
         chance of none at all      {none}\n{is_true}"
    )
}

/// Returns the rate and the memory now and later.
fn growth(grow: &Grow, solution: &Solution) -> String {
    let times = nearest(grow.n as f64 / solution.items as f64, 3);
    let mut text = format!(
        "\ngrown to {} ({times} n):\n  {:<16}{:>12}  {:<12}{:>12}  {}\n",
        counted(grow.n, "item"),
        "",
        "memory now",
        "p now",
        "memory then",
        "p then"
    );
    let rate = |p: f64| rate_up_to(4, p, p.ln(), None);
    for row in &grow.rows {
        let (m, p) = (binary_size(row.now.m), rate(row.now.p));
        let (later, after) = match row.then {
            Some(then) => {
                let over = solution.asked.rate.is_some_and(|target| then.p > target);
                let verdict = if over { " not met" } else { "" };
                (binary_size(then.m), rate(then.p) + verdict)
            }
            None => ("refused".to_string(), String::new()),
        };
        let line = format!("  {:<16}{m:>12}  {p:<12}{later:>12}  {after}", row.name);
        text += &format!("{}\n", line.trim_end());
    }
    for added in &grow.added {
        let (at, size) = (grouped(added.at), binary_size(added.m));
        text += &format!("  item {at} adds {size}\n");
    }
    if grow.more {
        text += "  and so on\n";
    }
    text
}
