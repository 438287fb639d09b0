//! Builds the section that shows what false positives and bits cost together.

use super::section::Section;
use crate::answer::Answer;
use crate::error::InputError;
use crate::object;
use crate::read::typed::Typed;
use crate::say::numbers::{grouped, nearest};
use crate::say::words::as_typed;

pub(super) fn cost(typed: &Typed, answer: &Answer) -> Result<Option<Section>, InputError> {
    let Some(cost) = answer.query().cost else {
        return Ok(None);
    };
    let solution = answer.sized("--cost-false-hit")?;
    let (m, p) = (solution.memory_bits(), solution.rate.value());
    let hits = cost.false_hits(p);
    let bits = m as f64 * cost.per_bit;
    let without = cost.false_hits(1.0);
    // The formula `p for many items` below holds for the best real k, in filters whose bits are set as in a classic filter.
    let width = solution.asked.filter.width();
    let is_classic = solution.asked.filter.is_classic_inside() && solution.asked.hashes.is_none();
    let many = is_classic.then(|| cost.rate_of_many(solution.items, width));
    let (c, b) = (as_typed(cost.false_hit), as_typed(cost.per_bit));
    let q = nearest(cost.lookups, 12);
    let lookups = if typed.has("prevalence") {
        "lookups of absent items"
    } else {
        "lookups"
    };
    let [of_hits, of_bits, sum, of_none] =
        [hits, bits, hits + bits, without].map(|cost| nearest(cost, 6));
    let by_formula = many.map(|many| {
        let per_item = as_typed(cost.per_bit * width as f64);
        format!(
            "p for many items  {} = n x {per_item} / ({q} x {c} x (ln 2)^2)",
            nearest(many, 6)
        )
    });
    let lines = [
        format!("false positives   {of_hits} = {q} {lookups} x p x {c}"),
        format!("bits              {of_bits} = {} x {b}", grouped(m)),
        format!("together          {sum}; without a filter {of_none}"),
    ];
    Ok(Some(Section {
        name: "cost",
        title: "the least cost".to_string(),
        lines: lines.into_iter().chain(by_formula).collect(),
        data: object![
            ("false_hits", hits),
            ("bits", bits),
            ("sum", hits + bits),
            ("without", without),
            ("p_many", many)
        ],
    }))
}
