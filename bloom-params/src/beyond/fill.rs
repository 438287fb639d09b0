//! Builds the section for a filter whose set bits are given: how many items it holds, and how many
//! more fit until its rate is p.

use bloom_core::math::estimate_items;

use super::section::Section;
use crate::answer::Answer;
use crate::error::InputError;
use crate::object;
use crate::question::QueryError;
use crate::read::typed::Typed;
use crate::say::numbers::{counted, grouped, nearest};
use crate::say::words::{as_typed, position};

/// The number of items that is estimated from the set bits disagrees with the given n if the two are more than this many
/// standard deviations apart. By chance alone, this happens in fewer than 3 of 1,000 filters.
const FAR: f64 = 3.0;

pub(super) fn fill(_: &Typed, answer: &Answer) -> Result<Option<Section>, InputError> {
    let Answer::Sized(solution) = answer else {
        return Ok(None);
    };
    let asked = &solution.asked;
    let Some(ones) = asked.set_bits else {
        return Ok(None);
    };
    let (m, k) = (solution.bits, solution.hashes);
    let estimate = estimate_items(m, k, ones).map_err(QueryError::from)?;
    let estimate = estimate.expect("a question with every bit set is refused");
    let (items, deviation) = (estimate.items, estimate.standard_deviation);
    let what = position(asked.filter);
    let (shown, spread) = (grouped(solution.held()), nearest(deviation, 3));
    let mut lines = vec![format!(
        "items by set {what}s   {shown}, with a standard deviation of {spread}"
    )];
    if let Some(target) = asked.rate {
        let most = asked
            .judge()
            .max_items(m, k, target)
            .map_err(QueryError::from)?;
        let (p, left) = (as_typed(target), most as f64 - items);
        lines.push(if left < 0.0 {
            format!(
                "p = {p} was passed  about {} ago",
                counted(-left as u64, "item")
            )
        } else {
            format!(
                "until p is {p}  about {} more",
                counted(left as u64, "item")
            )
        });
    }
    if let Some(n) = asked.items {
        lines.extend(agreement(n, items, deviation));
    }
    Ok(Some(Section {
        name: "set_bits",
        title: format!("with {} set", counted(ones, what)),
        lines,
        data: object![("x", ones), ("n", items), ("n_sd", deviation)],
    }))
}

/// States whether the given items agree with the set bits, and what follows if they do not.
fn agreement(n: u64, items: f64, deviation: f64) -> [String; 2] {
    let off = (n as f64 - items) / deviation;
    let verdict = match off {
        off if off.abs() <= FAR => {
            "they agree: 3 in 1,000 filters are over 3 standard deviations off"
        }
        off if off > 0.0 => {
            "it holds fewer than n: inserts were repeated, missing or in another filter"
        }
        _ => "it holds more than n: inserts were not counted, or k differs",
    };
    let n = counted(n, "item");
    // If no bit is set, it is certain that no item was inserted. Then the deviation is 0, and `off` is not finite.
    let far = if off.is_finite() {
        format!("{} standard deviations from that", nearest(off.abs(), 3))
    } else {
        "but none was inserted".to_string()
    };
    [format!("{n} given  {far}"), verdict.to_string()]
}
