//! Builds the section that lists the stages of a scalable filter, that is, the filters that it adds as it grows. Of more than
//! 12 stages, the section lists the first six and the last six.

use super::section::Section;
use crate::answer::Answer;
use crate::say::numbers::{grouped, nearest};
use crate::say::value::Object;
use crate::say::words::elided;

/// If there are at most this many stages, all are shown; otherwise half this number from either end.
const SHOWN: usize = 12;

pub(super) fn stages(answer: &Answer) -> Option<Section> {
    let Answer::Sized(solution) = answer else {
        return None;
    };
    let stages = solution.stages();
    // These widths are enough below 10^9 items and 10^10 bits.
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
        data: Object::default(),
    })
}
