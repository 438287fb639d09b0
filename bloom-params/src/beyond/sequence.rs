//! Builds the sections on filters that are queried one after the other until the first yes: one
//! filter for each shard, day, or level of a log-structured merge tree.

use bloom_core::math::first_true;

use super::grow::sized_for;
use super::section::Section;
use crate::answer::{Answer, Solution};
use crate::error::InputError;
use crate::object;
use crate::question::Query;
use crate::read::typed::Typed;
use crate::say::numbers::{binary_size, grouped, nearest, one_in, rate_up};
use crate::say::value::Value;
use crate::say::words::{as_typed, share};

/// The maximum number of filters.
const MAX: u64 = 1_000_000;

/// The maximum number of levels: each is printed on a line of its own.
const MAX_LEVELS: u64 = 64;

fn filters(typed: &Typed) -> Result<Option<u64>, InputError> {
    typed.whole("sequence", 2..=MAX)
}

/// Returns the rate P of all j filters together, and how many of them a lookup of an absent item
/// queries on average. Both are exact for independent filters of the same rate p:
/// P = 1 - (1 - p)^j, and 1 + (1 - p) + ... + (1 - p)^(j - 1) = P / p.
pub(super) fn sequence(typed: &Typed, answer: &Answer) -> Result<Option<Section>, InputError> {
    let Some(filters) = filters(typed)? else {
        return Ok(None);
    };
    let (p, j) = (answer.rate(), filters as f64);
    let none = j * libm::log1p(-p);
    let all = -libm::expm1(none);
    let queried = if p > 0.0 { all / p } else { j };
    let last = libm::exp((j - 1.0) * libm::log1p(-p));
    let target = answer.query().rate;
    // 1 - (1 - P)^(1/j)
    let each = target.map(|target| -libm::expm1(libm::log1p(-target) / j));
    let sized = match (answer, each) {
        (Answer::Sized(solution), Some(each)) => sized_at(solution, solution.items, each),
        _ => None,
    };
    let mut lines = vec![
        format!(
            "p of all together    {}, {}",
            rate_up(all, all.ln(), None),
            one_in(all, all.ln())
        ),
        format!(
            "filters queried      {} of {} for an absent item",
            nearest(queried, 4),
            grouped(filters)
        ),
        format!("the last is queried  in {} of such lookups", share(last, 4)),
    ];
    if let (Some(target), Some(each)) = (target, each) {
        let size = sized.map_or(String::new(), |bits| format!(", in {}", binary_size(bits)));
        let (target, each) = (as_typed(target), nearest(each, 4));
        lines.push(format!(
            "to keep {target} together  p = {each} for each{size}"
        ));
    }
    Ok(Some(Section {
        name: "sequence",
        title: format!(
            "{} such filters, queried until the first yes",
            grouped(filters)
        ),
        lines,
        data: object![
            ("filters", filters),
            ("p", all),
            ("asked", queried),
            ("last", last),
            ("each_p", each),
            ("each_m", sized)
        ],
    }))
}

/// A level of the tree. It has a filter of its items, or none.
struct Level {
    items: u64,
    /// The bits of its filter if all levels have the same p.
    bits: u128,
    /// Its rate in the best split of the memory over all levels; 1 without a filter.
    best: f64,
    /// The bits of its filter at that rate; 0 without a filter.
    best_bits: u128,
}

/// Computes the memory that the filters of all levels take if they have the same rate. Splits this memory over the levels so
/// that all filters together have nearly the fewest false positives.
///
/// The rate of each level is proportional to its items, and the largest levels have no filter if
/// that is better. Source: Dayan, Athanassoulis and Idreos, "Monkey" (2017). The split is exact if
/// the bits of a filter are proportional to n ln(1/p). That nearly holds for Bloom filters, but not
/// for filters of a few blocks. If the split is worse than the same rate for all levels, all levels
/// get the same rate.
pub(super) fn levels(typed: &Typed, answer: &Answer) -> Result<Option<Section>, InputError> {
    let name = "--level-ratio";
    let ratio = typed.whole("level_ratio", 2..=1_000_000)?;
    let (Some(ratio), Some(count)) = (ratio, filters(typed)?) else {
        return Ok(None);
    };
    let solution = answer.sized(name)?;
    let items = items_of_levels(solution.items, ratio, count)?;
    let p = solution.asked.rate.unwrap_or(solution.rate.value());
    let size = |items, rate| {
        if rate >= 1.0 {
            return Some(0);
        }
        sized_at(solution, items, rate)
    };
    let refused = || {
        InputError::new(format!(
            "{name} cannot size a filter for every level at p = {}",
            as_typed(p)
        ))
    };
    let at_one = items.iter().map(|items| size(*items, p));
    let at_one = at_one.collect::<Option<Vec<_>>>().ok_or_else(refused)?;
    let equal = p * items.len() as f64;
    let best = best_of(&items, p, at_one.iter().sum(), size).ok_or_else(refused)?;
    let best = if best.iter().map(|(rate, _)| rate).sum::<f64>() < equal {
        best
    } else {
        at_one.iter().map(|bits| (p, *bits)).collect()
    };
    let levels = items.iter().zip(at_one).zip(best);
    let levels = levels.map(|((&items, bits), (best, best_bits))| Level {
        items,
        bits,
        best,
        best_bits,
    });
    let levels: Vec<_> = levels.collect();
    let sum: f64 = levels.iter().map(|level| level.best).sum();
    let bits = total(&levels, |level| level.bits);
    let best_bits = total(&levels, |level| level.best_bits);
    let same = fewest_bits(&items, equal, size).map_or(bits, |same| same.min(bits));
    let saved = if same < bits {
        share(1.0 - same as f64 / bits as f64, 3) + " less"
    } else {
        "the same as with one p".to_string()
    };
    let width = items.last().map_or(0, |items| grouped(*items).len()).max(5);
    let head = format!(
        "level {:>width$}  {:>11}  {:<12}{:>11}",
        "items", "with one p", "best p", "memory"
    );
    let rows = (1..).zip(&levels).map(|(number, level)| {
        let (n, bits, best_bits) = (
            grouped(level.items),
            binary_size(level.bits),
            binary_size(level.best_bits),
        );
        let best = nearest(level.best, 4);
        format!("{number:>5} {n:>width$}  {bits:>11}  {best:<12}{best_bits:>11}")
    });
    let (of_all, of_best) = (binary_size(bits), binary_size(best_bits));
    let lines = [
        format!(
            "all   {:>width$}  {of_all:>11}  {:<12}{of_best:>11}",
            "", ""
        ),
        format!(
            "false positives per lookup  {} with one p, {} with the best p",
            nearest(equal, 4),
            nearest(sum, 4)
        ),
        format!(
            "for as many false positives as with one p  {} are enough, {saved}",
            binary_size(same)
        ),
    ];
    let objects = levels.iter().map(|level| {
        Value::from(object![
            ("n", level.items),
            ("m", level.bits),
            ("best_p", level.best),
            ("best_m", level.best_bits)
        ])
    });
    Ok(Some(Section {
        name: "levels",
        title: format!(
            "levels, each with {} times the items of the one before",
            grouped(ratio)
        ),
        data: object![
            ("rows", Value::List(objects.collect())),
            ("m", bits),
            ("p_sum", equal),
            ("best_m", best_bits),
            ("best_p_sum", sum),
            ("same_m", same)
        ],
        lines: [head].into_iter().chain(rows).chain(lines).collect(),
    }))
}

/// Returns the items of each level.
fn items_of_levels(first: u64, ratio: u64, count: u64) -> Result<Vec<u64>, InputError> {
    let items = (0..count.min(MAX_LEVELS + 1)).map(|level| {
        let times = ratio.checked_pow(u32::try_from(level).ok()?)?;
        first.checked_mul(times)
    });
    let items = items.collect::<Option<Vec<_>>>();
    let items = items.filter(|items| items.len() as u64 == count);
    items.ok_or_else(|| {
        let (n, most) = (grouped(first), grouped(u64::MAX));
        let message = format!(
            "--level-ratio must give at most {MAX_LEVELS} levels and {most} items, got {count} levels from n = {n} up, each \
             {ratio} times the one before"
        );
        InputError::new(message).with_hint("write a smaller --sequence, --level-ratio or --n")
    })
}

fn total(levels: &[Level], bits: impl Fn(&Level) -> u128) -> u128 {
    levels.iter().map(bits).sum()
}

/// [`split_of`] varies the logarithm of rate / items by this step, up to [`STEPS`] times on either side of its guess.
const STEP: f64 = 1e-4;
const STEPS: u64 = 1 << 17;

/// Returns the rate and the bits of each level. The rates are in proportion to the items, and all levels together take at most
/// `most` bits. A level whose rate would be above 1 has no filter. After that, the filter of the largest level that has one is
/// removed, again and again, as long as this lowers the sum of the rates.
fn best_of(
    items: &[u64],
    p: f64,
    most: u128,
    size: impl Fn(u64, f64) -> Option<u128>,
) -> Option<Vec<(f64, u128)>> {
    let mut best: Option<(f64, Vec<(f64, u128)>)> = None;
    let mut with = items.len();
    while let Some(split) = split_of(items, with, p, most, &size) {
        let sum = split.iter().map(|(rate, _)| rate).sum();
        if best.as_ref().is_some_and(|(least, _)| sum >= *least) {
            break;
        }
        with = split.partition_point(|(rate, _)| *rate < 1.0).max(1) - 1;
        best = Some((sum, split));
    }
    Some(best?.1)
}

/// Returns the rate and the bits of each level, as [`best_of`] does, if only the first `with` levels have filters.
fn split_of(
    items: &[u64],
    with: usize,
    p: f64,
    most: u128,
    size: impl Fn(u64, f64) -> Option<u128>,
) -> Option<Vec<(f64, u128)>> {
    let all = |items: &[u64]| items.iter().map(|items| *items as f64).sum::<f64>();
    // With this guess the sum of n ln p is the same as if all levels had the same rate.
    let own = items[..with].iter();
    let own = own.map(|items| *items as f64 * libm::log(*items as f64));
    let guess = (all(items) * libm::log(p) - own.sum::<f64>()) / all(&items[..with]);
    // The limit keeps the rates of levels with few items above 0 in `f64`.
    let guess = guess.max(-690.0);
    let at = |step: u64| {
        let factor = libm::exp(guess + (step as f64 - STEPS as f64) * STEP);
        let sized = items.iter().enumerate().map(|(level, items)| {
            let rate = if level < with {
                (factor * *items as f64).min(1.0)
            } else {
                1.0
            };
            Some((rate, size(*items, rate)?))
        });
        sized.collect::<Option<Vec<_>>>()
    };
    let fits = |step| {
        at(step).is_some_and(|levels| levels.iter().map(|(_, bits)| bits).sum::<u128>() <= most)
    };
    at(first_true(0, 2 * STEPS, STEPS, fits)?)
}

/// Returns the fewest bits with which rates in proportion to the items add up to `sum`. Every number of levels with filters is
/// tried.
fn fewest_bits(items: &[u64], sum: f64, size: impl Fn(u64, f64) -> Option<u128>) -> Option<u128> {
    let bits = (1..=items.len()).filter_map(|with| {
        let (own, without) = items.split_at(with);
        let all: f64 = own.iter().map(|items| *items as f64).sum();
        let factor = (sum - without.len() as f64) / all;
        let rates = own.iter().map(|&items| (items, factor * items as f64));
        rates
            .map(|(items, rate)| size(items, rate).filter(|_| rate > 0.0 && rate <= 1.0))
            .sum()
    });
    bits.min()
}

/// Returns the bits of memory that a filter of the answer's kind takes for these items and this rate.
fn sized_at(solution: &Solution, items: u64, rate: f64) -> Option<u128> {
    let asked = Query {
        rate: Some(rate),
        hashes: None,
        ..solution.asked
    };
    let like = Solution {
        asked,
        ..solution.clone()
    };
    let found = sized_for(&like, items)?;
    match found.met {
        Some(false) => Some(found.call()?.pass?.bits.into()),
        _ => Some(found.memory_bits()),
    }
}
