//! Writes the steps that derive the rate of a scalable filter: the items and the rate of each stage, and the rate of all stages
//! together.

use bloom_core::math::{Model, exact};

use super::page::Explanation;
use crate::answer::Solution;
use crate::kind::scalable::Grown;
use crate::question::Quantity;
use crate::say::numbers::{counted, grouped, nearest, plural};
use crate::say::words::{as_typed, bits_in, digits, elided, share};

/// Adds the steps from the first stage to the rate of all stages.
pub(super) fn all(page: &mut Explanation, solution: &Solution) {
    let Some(grown) = solution.grown.as_ref() else {
        return;
    };
    let growth = grown.growth;
    let (whole, ratio) = (nearest(growth.rate, 6), growth.tightening);
    let (room, times) = (counted(growth.items, "item"), grouped(growth.growth));
    let fitting = format!(
        "P is the lowest rate at which the stages for n items fit in m, found by bisection: P = {whole}."
    );
    let of_all = match solution.asked.rate {
        Some(asked) if asked == growth.rate => {
            format!("Let P = {whole} be the rate that all stages together may have.")
        }
        Some(asked) => format!(
            "Stages that keep {} however many there are need more than m, so {fitting}",
            as_typed(asked)
        ),
        None => format!("No rate is given, so {fitting}"),
    };
    let first = nearest(growth.stage_rate(0), 6);
    page.add(&format!(
        "# Stages
        The filter starts with room for {room} and adds a stage when the last is full, each with {times} times the room of the \
        one before.
        # Rates that add up
        {of_all}
        An item is found if any stage finds it, so the rates of all stages add up. If they were equal, the sum would exceed \
        every bound. So each stage gets r = {ratio} times the rate of the one before, and the first gets
        > P (1 - r) = {whole} x (1 - {ratio}) = {first}
        because then all stages, however many, sum to P (1 - r)(1 + r + r^2 + ...) = P."
    ));
    every_stage(page, solution, grown);
}

/// If there are at most this many stages, all are shown. Of more stages, the first six and the last six are shown.
const SHOWN: usize = 12;

/// Adds the items and the rate of each stage, and the rate of all stages together.
fn every_stage(page: &mut Explanation, solution: &Solution, grown: &Grown) {
    let growth = grown.growth;
    let count = grown.stages.len();
    let (n, stages) = (
        counted(solution.items, "item"),
        counted(count as u64, "stage"),
    );
    let bits = grouped(grown.bits());
    let range = solution.by_chance().map_or(String::new(), |range| {
        let bits = bits_in(range);
        format!(" Single filters have {bits}, as a stage is also full by its set bits, and an item that is found is not stored.")
    });
    page.add(&format!(
        "# All stages
        For n = {n} the filter has {stages} of {bits} bits in all. Each has the fewest bits that keep its share of P when it is \
        full.{range} The exact rate of each, with the items it holds now:"
    ));
    for i in elided(count, SHOWN, SHOWN / 2) {
        let Some(i) = i else {
            page.add("> ...");
            continue;
        };
        let stage = &grown.stages[i];
        let before = grown.stages[..i].iter().map(|stage| stage.items).sum();
        let inside = solution.items.saturating_sub(before).min(stage.items);
        let rate = exact::rate(inside, stage.bits, stage.hashes);
        let rate = rate.map_or(String::new(), |rate| digits(rate, 6));
        let of = if inside < stage.items {
            format!(" of {}", grouped(stage.items))
        } else {
            String::new()
        };
        let (inside, item) = (grouped(inside), plural(stage.items, "item"));
        let (number, bits, k) = (i + 1, grouped(stage.bits), stage.hashes);
        page.add(&format!(
            "> p{number} = {rate:<12} {inside}{of} {item} in {bits} bits, k = {k}"
        ));
    }
    let product = match count {
        1 => "(1 - p1)".to_string(),
        2 => "(1 - p1)(1 - p2)".to_string(),
        _ => format!("(1 - p1)...(1 - p{count})"),
    };
    let rate = digits(solution.ideal, 6);
    let full = growth.full_rate(count as u32);
    let (part, full) = (share(full / growth.rate, 3), nearest(full, 6));
    page.add(&format!(
        "A query is a false positive unless every stage is right, so
        > p = 1 - {product} = {rate}
        When these stages are full it is 1 - (1 - s)(1 - s r)(1 - s r^2)... with s = P (1 - r), at most {full}, which is {part} \
        of P; the rest is for stages to come."
    ));
    let next = growth.stage(Model::Exact, count as u32);
    if let (true, Ok(next)) = (solution.solved.contains(&Quantity::Items), next) {
        let (bits, m) = (grouped(next.bits), grouped(solution.bits));
        let left = grouped(solution.bits - grown.bits());
        page.add(&format!(
            "The next stage would take {bits} bits, and of m = {m} only {left} are left."
        ));
    }
}
