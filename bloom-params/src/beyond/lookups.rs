//! Builds the section on a number of lookups: how many false positives to expect, and how likely it
//! is that there are none.

use bloom_core::math::{Model, no_false_positive};

use super::section::Section;
use crate::answer::Answer;
use crate::error::InputError;
use crate::object;
use crate::question::QueryError;
use crate::read::typed::Typed;
use crate::say::numbers::{counted, nearest};
use crate::say::words::share;

pub(super) fn lookups(typed: &Typed, answer: &Answer) -> Result<Option<Section>, InputError> {
    let q = typed.whole("lookups", 1..=u64::MAX)?;
    let prevalence = typed.share("prevalence", "1% or 0.01")?;
    let Some(q) = q else {
        return Ok(None);
    };
    let p = answer.rate();
    let present = prevalence.unwrap_or(0.0);
    let absent = q as f64 * (1.0 - present);
    let false_hits = absent * p;
    let none = libm::exp(absent * libm::log1p(-p));
    let yes_is_true = prevalence.map(|f| f / (f + (1.0 - f) * p));
    let inserted = match (prevalence.map(|part| share(part, 4)), q) {
        (None, 1) => "not for an inserted item".to_string(),
        (None, _) => "none of them for an inserted item".to_string(),
        (Some(chance), 1) => format!("for an inserted item with a chance of {chance}"),
        (Some(share), _) => format!("{share} of them for inserted items"),
    };
    let mean = mean_of_none(answer, absent)?;
    let chance = mean.unwrap_or(none);
    let shown = if chance > 0.0 || false_hits.is_infinite() {
        share(chance, 4)
    } else {
        "under 1e-300".to_string()
    };
    let of = match mean {
        Some(_) => ", the mean of single filters",
        None => " in a filter of exactly this p",
    };
    let lines = [
        format!("false positives expected   {}", nearest(false_hits, 4)),
        format!("chance of none at all      {shown}{of}"),
    ];
    let is_true =
        yes_is_true.map(|chance| format!("chance that a yes is true  {}", share(chance, 4)));
    Ok(Some(Section {
        name: "lookups",
        title: format!("{}, {inserted}", counted(q, "lookup")),
        lines: lines.into_iter().chain(is_true).collect(),
        data: object![
            ("q", q),
            ("prevalence", prevalence),
            ("false_hits", false_hits),
            ("none", none),
            ("none_mean", mean),
            ("yes_is_true", yes_is_true)
        ],
    }))
}

/// Returns the chance that none of `absent` lookups is a false positive, averaged over filters of this size; `None` if that
/// mean is not known.
fn mean_of_none(answer: &Answer, absent: f64) -> Result<Option<f64>, QueryError> {
    let Answer::Sized(solution) = answer else {
        return Ok(None);
    };
    let asked = &solution.asked;
    let is_random = asked.model == Model::Exact && asked.set_bits.is_none();
    if !is_random || solution.rate_deviation().is_none() {
        return Ok(None);
    }
    Ok(no_false_positive(
        solution.items,
        solution.bits,
        solution.hashes,
        absent,
    )?)
}
