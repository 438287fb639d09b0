//! Questions as texts, answered by one JSON object: what `bloom-params --json` prints, without the command
//! line. The keys of the object, as the manual page lists them too:
//!
#![doc = concat!("```text\n", include_str!("../json_keys.txt"), "```")]

use bloom_core::math::UsualRule;
use bloom_core::math::scalable::StageSize;

use crate::answer::{Answer, HashesRange, Solution};
use crate::beyond::section::Section;
use crate::beyond::{self, Answered};
use crate::error::InputError;
use crate::kind::filter::Filter;
use crate::like::{Argument, Call, System};
use crate::per_item::PerItem;
use crate::question::{Query, Round};
use crate::read::options::options;
use crate::read::typed::Typed;
use crate::say::code;
use crate::say::rows;
use crate::say::rule::story;
pub use crate::say::value::{Object, Row, Value};
use crate::say::words::model_name;

/// The version of the object's layout; keys may be added without a new one.
const SCHEMA: u32 = 1;

/// Answers a question, given as the names and texts of flags: `("n", "2000")`, `("hash_bits", "32")`. Names are
/// those of the flags without dashes, and with `_` within; a flag without a value has the text `true`.
///
/// # Errors
///
/// A text that does not parse, a question without an answer, or a name that no flag of a question has.
///
/// # Examples
///
/// ```
/// let object = bloom_params::json::answer(&[("n", "2k"), ("p", "1%")])?;
/// assert!(object.contains("\"m\": 19188,"));
/// # Ok::<(), bloom_params::InputError>(())
/// ```
pub fn answer(flags: &[(&str, &str)]) -> Result<String, InputError> {
    let typed = Typed::named(flags)?;
    typed.check_switches()?;
    let answered = Answered::new(&typed, typed.query()?)?;
    Ok(object(answered).to_string())
}

/// Answers a question once, with all that a page shows of it: the object of [`answer`] without the derivation, as
/// `answer`; the lines of the derivation, as `explain`; the section of the rate beyond n, as `overfill`, or the reason that
/// there is none, as `no_overfill`; and as `points`, pairs of n and p in `steps` even steps from no items to `times` n. A
/// filter that takes no more items ends them, and an answer without a number of items has none.
///
/// # Errors
///
/// Those of [`answer`].
///
/// # Examples
///
/// ```
/// let page = bloom_params::json::page(&[("n", "2k"), ("p", "1%")], 2, 4)?;
/// for part in ["\"answer\": {", "\"explain\": [", "\"overfill\": {", "\"points\": ["] {
///     assert!(page.contains(part), "{part}");
/// }
/// # Ok::<(), bloom_params::InputError>(())
/// ```
pub fn page(flags: &[(&str, &str)], times: u32, steps: u32) -> Result<String, InputError> {
    let typed = Typed::named(flags)?;
    let mut answered = Answered::new(&typed, typed.query()?)?;
    answered.explain.clear();
    let explain = answered.answer.explain();
    let points = match &answered.answer {
        Answer::Sized(solution) => points(solution, times, steps),
        Answer::PerItem(_) => Vec::new(),
    };
    let overfill = match beyond::overfill::of_answer(&answered.answer) {
        Ok(section) => ("overfill", of_section(&section).into()),
        Err(refused) => ("no_overfill", refused.to_string().into()),
    };
    let page = Object::from([
        ("answer", object(answered)),
        ("explain", explain.into()),
        ("points", points.into()),
        overfill,
    ]);
    Ok(Value::from(page).to_string())
}

fn points(solution: &Solution, times: u32, steps: u32) -> Vec<Value> {
    let last = u128::from(solution.items) * u128::from(times);
    let at = |step| u64::try_from(last * u128::from(step) / u128::from(steps.max(1)));
    let items = (0..=steps).map_while(|step| at(step).ok());
    let items = items.take_while(|n| *n == 0 || solution.takes(*n));
    let point = |n: u64| Value::List(vec![n.into(), solution.rate_with(n).value().into()]);
    items.map(point).collect()
}

/// Returns the given quantities, as parsed.
pub(crate) fn given(query: &Query) -> Object {
    let mut given = Object::default();
    given.add_some("n", query.inserts.or(query.items));
    given.add_some("m", query.bits);
    given.add_some("k", query.hashes);
    given.add_some("p", query.rate);
    given.add_some("bits_per_item", query.bits_per_item);
    given.add_some("distinct", query.distinct);
    given.add_some("hash_bits", query.hash_bits);
    let round = match query.round {
        Round::None => None,
        Round::PowerOfTwo => Some("pow2".to_string()),
        Round::Multiple(step) => Some(step.to_string()),
    };
    given.add_some("round", round);
    given.add_some("confidence", query.confidence);
    given.add_some("set_bits", query.set_bits);
    given.add_some("cost_false_hit", query.cost.map(|cost| cost.false_hit));
    given.add_some("cost_per_bit", query.cost.map(|cost| cost.per_bit));
    for (key, value) in options(query.filter) {
        given.add(key, value);
    }
    given
}

/// Describes the library whose rule sized the filter.
fn of_library(solution: &Solution, system: &System, expansion: Option<u64>, call: &Call) -> Object {
    let language = system.call.language.name();
    let pass = call.pass.map(|pass| match pass.value {
        Argument::Rate(value) | Argument::BitsPerItem(value) => Value::from(value),
        Argument::Bits(bits) => bits.into(),
    });
    Object::from([
        ("name", system.name.into()),
        ("version", system.version.into()),
        ("promised", solution.promised().into()),
        ("expansion", expansion.into()),
        ("ideal_p", solution.ideal.value().into()),
        ("rule", story(solution).into()),
        ("source", system.source.into()),
        ("note", system.note.into()),
        ("call", call.text.clone().into()),
        ("pass", pass.into()),
        ("language", language.into()),
        ("purpose", code::purpose(solution, call).into()),
    ])
}

/// Describes the size by the usual rule.
fn of_usual_rule(usual: UsualRule) -> Object {
    Object::from([
        ("m", usual.bits.into()),
        ("k", usual.hashes.into()),
        ("p", usual.rate.value().into()),
    ])
}

/// Describes the numbers of hashes that keep a rate.
fn of_range(range: HashesRange) -> Object {
    Object::from([
        ("min", range.min.into()),
        ("max", range.max.into()),
        ("best", range.best.into()),
    ])
}

/// Describes a stage of a scalable filter.
fn of_stage(stage: &StageSize) -> Object {
    Object::from([
        ("n", stage.items.into()),
        ("m", stage.bits.into()),
        ("k", stage.hashes.into()),
        ("p", stage.rate.into()),
    ])
}

/// Describes a filter.
fn of_sized(solution: &Solution) -> Object {
    let (filter, asked) = (solution.layout(), &solution.asked);
    let solved: Vec<_> = solution.solved.iter().map(|q| q.letter()).collect();
    let usual = solution.usual().filter(|_| filter == Filter::Classic);
    let mut object = Object::from([
        ("schema", SCHEMA.into()),
        ("n", solution.items.into()),
        ("m", solution.bits.into()),
        ("k", solution.hashes.into()),
        ("p", solution.rate.value().into()),
        ("ln_p", solution.rate.ln().into()),
        ("hash_floor", solution.hash_floor().into()),
        ("met", solution.met.into()),
        ("asked", given(asked).into()),
        ("solved", solved.into()),
        ("filter", filter.name().into()),
        ("model", model_name(asked.model).into()),
        ("bits_per_item", solution.bits_per_item().into()),
        ("bytes", solution.memory_bits().div_ceil(8).into()),
        ("fill", solution.fill().into()),
        ("p_sd", solution.rate_deviation().into()),
        ("usual", usual.map(of_usual_rule).into()),
        ("bound_bits", solution.bound_bits().into()),
        ("k_range", solution.hashes_range.map(of_range).into()),
        ("k_capped", solution.wants_more_hashes.into()),
        ("half_full", solution.half_full.into()),
        ("p_is_bound", solution.grown.is_some().into()),
    ]);
    let stages: Vec<_> = solution.stages().iter().map(of_stage).collect();
    if !stages.is_empty() {
        object.add("stages", stages);
    }
    if let Some(overflow) = solution.counter_overflow() {
        object.add("overflow", overflow.any_at_most);
        object.add("stuck", overflow.expected);
    }
    if let (Filter::OfSystem { system, expansion }, Some(call)) = (asked.filter, solution.call()) {
        object.add("like", of_library(solution, system, expansion, &call));
    }
    object
}

/// Describes an answer in bits per item, without a number of items.
fn of_each(each: &PerItem) -> Object {
    let asked = &each.asked;
    let of_bits = match (asked.bits_per_item, asked.rate) {
        (None, _) => Some("bits_per_item"),
        (Some(_), None) => Some("p"),
        (Some(_), Some(_)) => None,
    };
    let of_hashes = Some("k").filter(|_| asked.hashes.is_none());
    let solved: Vec<_> = of_bits.into_iter().chain(of_hashes).collect();
    Object::from([
        ("schema", SCHEMA.into()),
        ("n", Value::Null),
        ("m", Value::Null),
        ("k", each.hashes.into()),
        ("p", each.rate.value().into()),
        ("ln_p", each.rate.ln().into()),
        ("met", each.met.into()),
        ("asked", given(asked).into()),
        ("solved", solved.into()),
        ("filter", asked.filter.name().into()),
        ("model", model_name(asked.model).into()),
        ("bits_per_item", each.bits_per_item.into()),
        ("fill", each.fill().into()),
        ("k_capped", each.wants_more_hashes().into()),
    ])
}

fn of_section(section: &Section) -> Object {
    Object::from([
        ("name", section.name.into()),
        ("title", section.title.clone().into()),
        ("lines", section.lines.clone().into()),
    ])
}

/// Returns what people read: the lines, the sections, the remarks, and the code to get the filter.
fn for_people(answered: &Answered) -> Object {
    let lines = rows::rows(&answered.answer, answered.size_note.as_deref()).into_iter();
    let lines = lines.map(|(name, value, unit, remark)| {
        let parts = [name.to_string(), format!("{value} {unit}"), remark];
        let parts = parts.iter().map(|part| part.trim_end());
        let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
        parts.join("   ")
    });
    let sections = answered.sections.iter().map(of_section);
    let code = match &answered.answer {
        Answer::Sized(solution) => code::of(solution),
        Answer::PerItem(_) => None,
    };
    Object::from([
        ("shown", lines.collect::<Vec<_>>().into()),
        ("sections", sections.collect::<Vec<_>>().into()),
        ("notes", rows::notes(answered).into()),
        ("code", code.into()),
    ])
}

/// Returns the object of an answer.
pub(crate) fn object(answered: Answered) -> Value {
    let mut object = match &answered.answer {
        Answer::Sized(solution) => of_sized(solution),
        Answer::PerItem(each) => of_each(each),
    };
    object.0.extend(for_people(&answered).0);
    let sections = answered.sections.into_iter();
    let sections = sections.filter(|section| !section.data.0.is_empty());
    let mut parts: Object = sections
        .map(|section| (section.name, section.data.into()))
        .collect();
    if !answered.explain.is_empty() {
        // Without a number of items the derivation comes first.
        let at = match &answered.answer {
            Answer::Sized(_) => parts.0.len(),
            Answer::PerItem(_) => 0,
        };
        let explain = ("explain".into(), answered.explain.into());
        parts.0.insert(at, explain);
    }
    object.0.extend(parts.0);
    object.into()
}
