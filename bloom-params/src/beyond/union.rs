//! Builds the section on the union of several filters that each hold n items and have no items in
//! common.

use super::grow::sized_for;
use super::section::Section;
use crate::answer::Answer;
use crate::error::InputError;
use crate::object;
use crate::read::typed::Typed;
use crate::say::numbers::{bytes_of_bits, counted, grouped, one_in, rate_up};
use crate::say::words::as_typed;

pub(super) fn union(typed: &Typed, answer: &Answer) -> Result<Option<Section>, InputError> {
    let filters = typed.whole("union", 2..=u64::MAX)?;
    let Some(filters) = filters else {
        return Ok(None);
    };
    let solution = answer.sized("--union")?;
    let items = solution.held();
    if solution.memory_bits_with(items.saturating_add(1)).is_some() {
        let message = "--union is for filters of one size, and this one grows";
        return Err(InputError::new(message));
    }
    let n = items.checked_mul(filters).ok_or_else(|| {
        let (most, got) = (
            grouped(u64::MAX),
            grouped(u128::from(items) * u128::from(filters)),
        );
        InputError::new(format!(
            "--union must have at most {most} items in all, got {got}"
        ))
    })?;
    let enough = solution.asked.rate.and_then(|_| sized_for(solution, n));
    // The bits that each filter needs to keep the target rate after the union; `None` without a target, or if no size keeps it.
    let m: Option<u128> = enough.and_then(|enough| match enough.met {
        Some(false) => Some(enough.call()?.pass?.bits.into()),
        _ => Some(enough.memory_bits()),
    });
    let with_others = solution.items.saturating_add(n - items);
    let p = solution.rate_with(with_others).value();
    let (shown, trials) = (rate_up(p, p.ln(), None), one_in(p, p.ln()));
    let all = format!("{} in all: p {shown}, {trials}", counted(n, "item"));
    let kept = solution.asked.rate.map(|target| match m {
        Some(bits) => format!(
            "to keep {} after the union: {} for each",
            as_typed(target),
            bytes_of_bits(bits)
        ),
        None => format!("no size of it keeps {} after the union", as_typed(target)),
    });
    Ok(Some(Section {
        name: "union",
        title: format!("union of {} full filters", grouped(filters)),
        lines: [all].into_iter().chain(kept).collect(),
        data: object![("filters", filters), ("n", n), ("p", p), ("m", m)],
    }))
}
