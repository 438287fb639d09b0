//! Steps for a scalable filter: the items of each stage, and the sum of the rates.

use bloom_core::math::{Model, exact};

use super::page::Explanation;
use crate::filters::Grown;
use crate::numbers::{grouped, nearest};
use crate::solution::{Quantity, Solution};
use crate::words::{as_typed, counted, digits, plural, share};

/// Adds the steps from the first stage to the rate of all stages.
pub(super) fn all(page: &mut Explanation, solution: &Solution) {
    let Some(grown) = &solution.grown else {
        return;
    };
    let growth = grown.growth;
    let (whole, ratio) = (nearest(growth.rate, 6), growth.tightening);
    page.step("Stages");
    page.text(&format!(
        "The filter starts with room for {} and adds a stage when the last is full, each with {}.",
        counted(growth.items, "item"),
        if growth.growth == 1 {
            "as much room as the one before".to_string()
        } else {
            format!(
                "{} times the room of the one before",
                grouped(growth.growth.into())
            )
        }
    ));
    page.step("Rates that add up");
    let fitting = format!(
        "P is the lowest rate at which the stages for n items fit in m, as found by halving: P = \
         {whole}."
    );
    page.text(&match solution.asked.rate {
        Some(asked) if asked == growth.rate => {
            format!("Let P = {whole} be the rate that all stages together may have.")
        }
        Some(asked) => format!(
            "Stages that keep {} however many there are need more than m, so {fitting}",
            as_typed(asked)
        ),
        None => format!("No rate is given, so {fitting}"),
    });
    let first = growth.stage_rate(0);
    page.text(&format!(
        "An item is found if any stage finds it, so the rates of all stages add up. Were they equal, \
         the sum would pass every bound. So each stage gets r = {ratio} times the rate of the one \
         before, and the first gets",
    ));
    page.formula(&format!(
        "P (1 - r) = {whole} x (1 - {ratio}) = {}",
        nearest(first, 6)
    ));
    page.text("for then all stages that can ever be sum to P (1 - r)(1 + r + r^2 + ...) = P.");
    every_stage(page, solution, grown);
}

/// The most stages that are all shown; of more, only the first and the last.
const SHOWN: usize = 12;

/// Adds the items of each stage, and the rate of all of them.
fn every_stage(page: &mut Explanation, solution: &Solution, grown: &Grown) {
    let growth = grown.growth;
    page.step("All stages");
    let count = grown.stages.len();
    page.text(&format!(
        "n = {} {} in {count} {}, of {} bits together. Each has the fewest bits that keep its share \
         of P with its room full; its exact rate, with the items it holds now:",
        grouped(solution.items),
        if solution.items == 1 { "item is" } else { "items are" },
        plural(count as u64, "stage"),
        grouped(grown.bits())
    ));
    let mut left = solution.items;
    for (i, stage) in grown.stages.iter().enumerate() {
        let inside = left.min(stage.items);
        left -= inside;
        if count > SHOWN && i == SHOWN / 2 {
            page.formula("...");
        }
        if count > SHOWN && (SHOWN / 2..count - SHOWN / 2).contains(&i) {
            continue;
        }
        let rate = exact::rate(inside, stage.bits, stage.hashes);
        let of = if inside < stage.items {
            format!(" of {}", grouped(stage.items))
        } else {
            String::new()
        };
        let held = format!("{}{of} {}", grouped(inside), plural(stage.items, "item"));
        page.formula(&format!(
            "p{} = {:<12} {held} in {} bits, k = {}",
            i + 1,
            rate.map_or(String::new(), |rate| digits(rate, 6)),
            grouped(stage.bits),
            stage.hashes
        ));
    }
    page.text("A query errs unless it errs in no stage, so");
    page.formula(&format!(
        "p = 1 - {} = {}",
        match count {
            1 => "(1 - p1)".to_string(),
            2 => "(1 - p1)(1 - p2)".to_string(),
            _ => format!("(1 - p1)...(1 - p{count})"),
        },
        digits(solution.rate, 6)
    ));
    let full = growth.full_rate(count as u32);
    page.text(&format!(
        "With all this room used it is 1 - (1 - s)(1 - s r)(1 - s r^2)... with s = P (1 - r), at most {}, \
         which is {} of P; the rest is for stages to come.",
        nearest(full, 6),
        share(full / growth.rate, 3)
    ));
    let next = growth.stage(Model::Exact, count as u32);
    if let (true, Ok(next)) = (solution.solved.contains(&Quantity::Items), next) {
        page.text(&format!(
            "The next stage would take {} bits, and of m = {} only {} are left.",
            grouped(next.bits),
            grouped(solution.bits),
            grouped(solution.bits - grown.bits())
        ));
    }
}
