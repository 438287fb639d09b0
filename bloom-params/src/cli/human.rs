//! Writes the answer as text for people: aligned, and clear without colours.
//!
//! If a question has no flags but n, m, k and p, the printed n, m, k and p can be typed back as a question, whose p is met.
//! Three answers are not valid questions, and are refused when typed back: p = 1, p below the smallest normal `f64`, and n = 0
//! with p = 0.

use crate::answer::{Answer, Solution};
use crate::beyond::Answered;
use crate::beyond::section::Section;
use crate::cli::call;
use crate::cli::report::{Row, note, rows};
use crate::say::numbers::{grouped, nearest};
use crate::say::rows;
use crate::say::words::{rounded, wrapped};

/// Returns the whole answer, with colours.
pub(crate) fn render(answered: &Answered) -> String {
    let answer = &answered.answer;
    let lines = rows::rows(answer, answered.size_note.as_deref())
        .into_iter()
        .map(coloured);
    let mut text = rows(&lines.collect::<Vec<_>>());
    let (stages, others): (Vec<&Section>, Vec<&Section>) = answered
        .sections
        .iter()
        .partition(|section| section.name == "stages");
    for Section { lines, .. } in stages {
        text += &format!("\n{}\n", lines.join("\n"));
    }
    if let Answer::Sized(solution) = answer
        && !others
            .iter()
            .any(|section| ["overfill", "grow", "set_bits"].contains(&section.name))
    {
        text += &overfilled(solution);
    }
    for Section { title, lines, .. } in others {
        text += &format!("\n{title}:\n  {}\n", lines.join("\n  "));
    }
    if let Answer::Sized(solution) = answer {
        text += &call::section(solution);
    }
    text.push('\n');
    for remark in rows::notes(answered) {
        text += &note(&remark);
    }
    let text = text.trim_end().to_string() + "\n";
    [&[text], answered.explain.as_slice()].concat().join("\n")
}

/// Returns the rates with 1.25 and with 2 times the items of the answer. Leaves out a factor that adds no item, or that gives
/// more items than the filter takes.
fn overfilled(solution: &Solution) -> String {
    let items = solution.items;
    let case = |percent| {
        let more = u128::from(items) * percent / 100;
        let more = u64::try_from(more).ok().filter(|more| *more > items)?;
        if !solution.takes(more) {
            return None;
        }
        let (rate, n) = (rounded(solution.rate_with(more)), grouped(more));
        let times = nearest(more as f64 / items as f64, 3);
        Some(format!("p {rate} with {n} items ({times} n)"))
    };
    let cases: Vec<_> = [125, 200].into_iter().filter_map(case).collect();
    if cases.is_empty() {
        return String::new();
    }
    let lines = wrapped(&cases.join(", "), "overfilled: ", "            ");
    format!("\n{}\n", lines.join("\n"))
}

/// Colours the words `met` and `not met` at the end of a line.
fn coloured((name, value, unit, remark): Row) -> Row {
    let coloured = [(false, ": not met"), (true, ": met")];
    let coloured = coloured.into_iter().find_map(|(met, end)| {
        let before = remark.strip_suffix(end)?;
        Some(format!(
            "{before}: {}",
            bloom_terminal::report::verdict(met)
        ))
    });
    (name, value, unit, coloured.unwrap_or(remark))
}
