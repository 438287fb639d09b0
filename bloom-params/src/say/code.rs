//! Writes code that creates the filter of an answer: Rust for bloom-core, or the call of the
//! library that sized the filter.

use bloom_core::{ScalableShape, Shape};

use crate::kind::filter::Filter;
use bloom_systems::rule::Language;

use crate::answer::Solution;
use crate::like::call::language;
use crate::like::{Argument, Call, Remedy};
use crate::question::{Query, QueryError};
use crate::say::numbers::{counted, grouped};
use crate::say::rows::rate_kept;
use crate::say::words::{as_typed, underscored};

/// Returns the lines of the code: Rust for bloom-core, or the call of the library that sized the filter, with its imports;
/// `None` if no library sized the filter and bloom-core has no filter of this kind.
pub(crate) fn of(solution: &Solution) -> Option<Vec<String>> {
    let code = match solution.call() {
        Some(call) if call.code.is_none() => call.text,
        Some(_) => of_library(solution),
        None => of_core(solution).ok()?,
    };
    Some(code.trim_end().lines().map(str::to_string).collect())
}

/// Returns Rust that builds the filter with bloom-core, with comments on other ways to build it.
///
/// # Errors
///
/// bloom-core has no such filter.
pub(crate) fn of_core(solution: &Solution) -> Result<String, QueryError> {
    let (m, k) = (underscored(solution.bits), solution.hashes);
    let shape = format!("Shape::new({m}, {k})?");
    let filter = solution.asked.filter;
    let of_shape = |name| (name, "Shape", format!("{name}::<str>::new({shape})?"));
    let (name, others, call) = match filter {
        Filter::Classic => of_shape("BloomFilter"),
        Filter::Partitioned => of_shape("PartitionedBloomFilter"),
        Filter::Counting { counter_bits: 4 } => of_shape("CountingBloomFilter"),
        Filter::Counting { counter_bits: 8 } => {
            let name = "CountingBloomFilter";
            let call = format!("{name}::<str>::with_counter_bits({shape}, CounterBits::Eight)?");
            (name, "CounterBits, Shape", format!("\n    {call}"))
        }
        Filter::SplitBlock { block_bits: 512 } => {
            let blocks = underscored(solution.bits / 512);
            let call = format!("BlockedBloomFilter::<str>::new(BlockedShape::new({blocks})?)?");
            ("BlockedBloomFilter", "BlockedShape", call)
        }
        Filter::Counting { .. }
        | Filter::SplitBlock { .. }
        | Filter::PlainBlocked { .. }
        | Filter::OfSystem { .. } => {
            return Err(QueryError::NotBuilt { filter });
        }
        Filter::Scalable { .. } => {
            let grown = solution.grown.as_ref();
            let growth = grown.expect("a filter that grows has its stages").growth;
            let call = format!(
                "ScalableBloomFilter::<str>::new(\n    ScalableShape::new({}, {:?})?\n        \
                 .with_growth({})?\n        .with_tightening({:?})?,\n)?",
                underscored(growth.items),
                growth.rate,
                growth.growth,
                growth.tightening
            );
            ("ScalableBloomFilter", "ScalableShape", call)
        }
    };
    let mut names: Vec<_> = others.split(", ").chain([name]).collect();
    names.sort_unstable();
    let mut code = format!("use bloom_core::{{{}}};\n\n", names.join(", "));
    if let Some((items, rate)) = with_rate(solution) {
        let items = underscored(items);
        code += &format!("// The same filter: {name}::<str>::with_rate({items}, {rate:?})?\n");
    }
    if let "BloomFilter" | "BlockedBloomFilter" = name {
        code += "// The same bits, for inserts from several threads: filter.into_shared()\n";
    }
    let space = if call.starts_with('\n') { "" } else { " " };
    Ok(code + &format!("let mut filter ={space}{call};\n"))
}

/// Returns the items and the rate with which `with_rate` of bloom-core builds the filter of the answer; `None` if it would
/// build another filter, or none.
fn with_rate(solution: &Solution) -> Option<(u64, f64)> {
    let asked = &solution.asked;
    if let Some(grown) = solution.grown.as_ref() {
        let growth = grown.growth;
        let shape = ScalableShape::new(growth.items, growth.rate).ok()?;
        let is_default = (shape.growth(), shape.tightening()) == (growth.growth, growth.tightening);
        return is_default.then_some((growth.items, growth.rate));
    }
    let sized = Query {
        items: asked.items,
        rate: asked.rate,
        filter: asked.filter,
        ..Query::default()
    };
    let has_option = asked.filter == Filter::Counting { counter_bits: 8 };
    let (items, rate) = (asked.items?, asked.rate?);
    // bloom-core refuses a rate near the rate of its 64-bit hash alone.
    let is_refused = Shape::for_rate(items, rate).is_err();
    let differs = *asked != sized || has_option || is_refused;
    (!differs).then_some((items, rate))
}

/// Returns the imports and the call, in the language of the library. The text is empty if there is no call, or no code for it.
pub(crate) fn of_library(solution: &Solution) -> String {
    let call = solution.call();
    let code = call
        .as_ref()
        .and_then(|call| Some((call, call.code.as_ref()?)));
    let Some((call, code)) = code else {
        return String::new();
    };
    let (Some(target), Some((imports, statement))) = (missed(solution), code.rsplit_once("\n\n"))
    else {
        return code.clone();
    };
    let remark = match (call.given, call.pass) {
        (Some(given), Some(_)) => format!("keeps {target} ({})", instead(solution, given)),
        _ => no_value(call, &target),
    };
    let comment = match solution.asked.filter.system().and_then(language) {
        Some(Language::Python) => "#",
        _ => "//",
    };
    format!("{imports}\n\n{comment} {remark}\n{statement}")
}

/// States what a call creates: this filter or, if it misses the target rate, one that keeps the rate, where there is one.
pub(crate) fn purpose(solution: &Solution, call: &Call) -> String {
    match (missed(solution), call.given, call.pass) {
        (None, ..) => "to get this filter".to_string(),
        (Some(target), Some(given), Some(pass)) => {
            let (letter, value) = (pass.value.letter(), pass.value);
            let (instead, m, k) = (instead(solution, given), grouped(pass.bits), pass.hashes);
            let asked = &solution.asked;
            let room = asked.bits.filter(|_| asked.items.is_none());
            let over = match room {
                Some(room) if pass.bits > room => ", more than the m given,",
                _ => "",
            };
            format!(
                "to keep {target}, pass {letter} = {value} ({instead}), for m = {m}{over} and k = {k}"
            )
        }
        (Some(target), ..) => {
            let none = no_value(call, &target);
            let keeps = |m: u64, k: u8| format!("keeps it, with m = {} and k = {k}", grouped(m));
            let remedy = match &call.remedy {
                Some(Remedy::Limit {
                    text,
                    pass,
                    bits,
                    hashes,
                }) => {
                    let pass = pass.map(|value| format!(" and {} = {value}", value.letter()));
                    let (text, pass) = (text.replace('\n', " "), pass.unwrap_or_default());
                    format!("; {text}{pass} {}", keeps(*bits, *hashes))
                }
                Some(Remedy::Room {
                    items,
                    bits,
                    hashes,
                }) => {
                    let (items, keeps) = (counted(*items, "item"), keeps(*bits, *hashes));
                    format!("; a filter with room for {items} {keeps}")
                }
                None => String::new(),
            };
            format!("to get this filter ({none}{remedy})")
        }
    }
}

/// Returns the target rate, if the filter misses it.
fn missed(solution: &Solution) -> Option<String> {
    let target = solution.asked.rate.filter(|_| solution.met == Some(false));
    target.map(as_typed)
}

/// States which rate the given value gives or, if the `f64` of this rate is not above the target, only that the value misses
/// the target.
fn instead(solution: &Solution, given: Argument) -> String {
    match solution.asked.rate {
        Some(target) if solution.rate.value() > target => {
            format!("{given} gives {}", rate_kept(solution))
        }
        _ => format!("{given} misses it"),
    }
}

/// States that no value keeps the rate.
fn no_value(call: &Call, target: &str) -> String {
    match call.given {
        Some(given) => {
            let most = call
                .most_hashes
                .map(|most| format!(" with up to {most} hashes"));
            let (letter, most) = (given.letter(), most.unwrap_or_default());
            format!("no {letter}{most} keeps {target}")
        }
        None => format!("its only size misses {target}"),
    }
}
