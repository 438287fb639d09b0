//! The expected results of Q lookups.

use super::section::Section;
use crate::answer::Answer;
use crate::error::InputError;
use crate::object;
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
    let asked = match (prevalence.map(|part| share(part, 4)), q) {
        (None, 1) => "not for an inserted item".to_string(),
        (None, _) => "none of them for an inserted item".to_string(),
        (Some(chance), 1) => format!("for an inserted item with a chance of {chance}"),
        (Some(share), _) => format!("{share} of them for inserted items"),
    };
    let shown = if none > 0.0 || false_hits.is_infinite() {
        share(none, 4)
    } else {
        "under 1e-300".to_string()
    };
    let lines = [
        format!("false positives expected   {}", nearest(false_hits, 4)),
        format!("chance of none at all      {shown}"),
    ];
    let is_true =
        yes_is_true.map(|chance| format!("chance that a yes is true  {}", share(chance, 4)));
    Ok(Some(Section {
        name: "lookups",
        title: format!("{}, {asked}", counted(q, "lookup")),
        lines: lines.into_iter().chain(is_true).collect(),
        data: object![
            ("q", q),
            ("prevalence", prevalence),
            ("false_hits", false_hits),
            ("none", none),
            ("yes_is_true", yes_is_true)
        ],
    }))
}
