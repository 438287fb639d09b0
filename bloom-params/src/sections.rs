//! The sections below the answer, as lines for people. The command line prints them, and a page shows them as they are
//! in the JSON object.

use crate::extras::{Extras, Grow, HashBits, Lookups, Overfill, Spread, Union};
use crate::numbers::{binary_size, bytes_of_bits, grouped, nearest, one_in, rate_up, rate_up_to};
use crate::read::typed::Answer;
use crate::shown::rate_kept;
use crate::solution::Solution;
use crate::words::{as_typed, counted, elided, plural, share};

/// A section; the columns of its lines are two or more blanks apart.
pub(crate) struct Section {
    /// Its key in the JSON object.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
}

/// Returns every section that the answer has or a flag asks for.
pub(crate) fn all(answer: &Answer, extras: &Extras) -> Vec<Section> {
    let lookups = extras.lookups.as_ref().map(lookups);
    let Answer::Sized(solution) = answer else {
        return lookups.into_iter().collect();
    };
    let sections = [
        stages(solution),
        extras
            .overfill
            .as_ref()
            .map(|part| overfill(part, solution)),
        extras.grow.as_ref().map(|part| growth(part, solution)),
        extras.union.as_ref().map(|part| union(solution, part)),
        extras.spread.as_ref().map(|part| spread(solution, part)),
        extras.hash_bits.as_ref().map(hash_bits),
        lookups,
    ];
    sections.into_iter().flatten().collect()
}

/// Lists the stages of a scalable filter; of many, only the first and the last few.
fn stages(solution: &Solution) -> Option<Section> {
    const SHOWN: usize = 12;
    let stages = solution.stages();
    // Wide enough for 10^9 items.
    let (mut of_items, mut of_bits) = (12, 14);
    for stage in stages {
        of_items = of_items.max(grouped(stage.items).len() + 1);
        of_bits = of_bits.max(grouped(stage.bits).len() + 1);
    }
    let head = format!("stage {:>of_items$} {:>of_bits$}    k   p", "items", "bits");
    let rows = elided(stages.len(), SHOWN, SHOWN / 2).into_iter();
    let rows = rows.map(|i| {
        let Some(i) = i else {
            return format!("  ... {} more", stages.len() - SHOWN);
        };
        let (n, m) = (grouped(stages[i].items), grouped(stages[i].bits));
        let (number, k, p) = (i + 1, stages[i].hashes, nearest(stages[i].rate, 4));
        format!("{number:>5} {n:>of_items$} {m:>of_bits$}  {k:>3}   {p}")
    });
    (!stages.is_empty()).then(|| Section {
        name: "stages",
        title: "stages".to_string(),
        lines: [head].into_iter().chain(rows).collect(),
    })
}

fn overfill(part: &Overfill, solution: &Solution) -> Section {
    let rows = part.rows.iter().map(|row| {
        let own = row.n == solution.items;
        let p = if own {
            rate_kept(solution)
        } else {
            rate_up(row.p, row.p.ln(), None)
        };
        (row, grouped(row.n), p)
    });
    let rows: Vec<_> = rows.collect();
    let width = rows.iter().map(|(_, n, _)| n.len()).max().unwrap_or(0);
    let of_rate = rows.iter().map(|(.., p)| p.len()).fold(9, usize::max);
    let lines = rows.into_iter().map(|(row, n, p)| {
        let times = format!("{} n", nearest(row.times, 3));
        let (item, trials) = (plural(row.n, "item"), one_in(row.p, row.p.ln()));
        let size = row
            .m
            .map_or(String::new(), |bits| format!("   {}", binary_size(bits)));
        format!("{times:>6}  {n:>width$} {item:<5}   p {p:<of_rate$}  {trials}{size}")
    });
    let twice = match part.twice {
        Some(n) => format!("p doubles at {}", counted(n, "item")),
        None => "p never doubles".to_string(),
    };
    Section {
        name: "overfill",
        title: "overfilled".to_string(),
        lines: lines.chain([twice]).collect(),
    }
}

fn union(solution: &Solution, part: &Union) -> Section {
    let (p, trials) = (
        rate_up(part.p, part.p.ln(), None),
        one_in(part.p, part.p.ln()),
    );
    let all = format!("{} in all: p {p}, {trials}", counted(part.n, "item"));
    let kept = solution.asked.rate.map(|target| match part.m {
        Some(bits) => format!(
            "to keep {} after the union: {} for each",
            as_typed(target),
            bytes_of_bits(bits)
        ),
        None => format!("no size of it keeps {} after the union", as_typed(target)),
    });
    Section {
        name: "union",
        title: format!("union of {} full filters", grouped(part.filters)),
        lines: [all].into_iter().chain(kept).collect(),
    }
}

fn spread(solution: &Solution, part: &Spread) -> Section {
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
    Section {
        name: "spread",
        title: "spread between single filters".to_string(),
        lines: vec![
            format!("{name:<23}  {sd} ({relative} of p)"),
            format!("{above:<23}  {share} of filters"),
        ],
    }
}

fn hash_bits(part: &HashBits) -> Section {
    let rate = |p: f64, digits| format!("{} ({})", nearest(p, digits), one_in(p, p.ln()));
    Section {
        name: "hash_bits",
        title: format!("with a hash of {}", counted(part.w.into(), "bit")),
        lines: vec![
            format!("floor of the hash alone  {}", rate(part.floor, 4)),
            format!("p with ideal hashes      {}", rate(part.ideal_p, 5)),
        ],
    }
}

fn lookups(part: &Lookups) -> Section {
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
    let hits = nearest(part.false_hits, 4);
    let is_true = part.yes_is_true;
    let is_true = is_true.map(|chance| format!("chance that a yes is true  {}", share(chance, 4)));
    let lines = [
        format!("false hits expected        {hits}"),
        format!("chance of none at all      {none}"),
    ];
    Section {
        name: "lookups",
        title: format!("{}, {asked}", counted(part.q, "lookup")),
        lines: lines.into_iter().chain(is_true).collect(),
    }
}

/// Returns the rate and the memory now and later.
fn growth(grow: &Grow, solution: &Solution) -> Section {
    let times = nearest(grow.n as f64 / solution.items as f64, 3);
    let mut lines = vec![format!(
        "{:<16}{:>12}  {:<12}{:>12}  {}",
        "", "memory now", "p now", "memory then", "p then"
    )];
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
        let line = format!("{:<16}{m:>12}  {p:<12}{later:>12}  {after}", row.name);
        lines.push(line.trim_end().to_string());
    }
    for added in &grow.added {
        let (at, size) = (grouped(added.at), binary_size(added.m));
        lines.push(format!("item {at} adds {size}"));
    }
    if grow.more {
        lines.push("and so on".to_string());
    }
    Section {
        name: "grow",
        title: format!("grown to {} ({times} n)", counted(grow.n, "item")),
        lines,
    }
}
