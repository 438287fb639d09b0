//! Answers a question, given as texts, with one JSON object: the one that `bloom-params --json` prints. These are its keys, which
//! the manual page lists, too:
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
use crate::object;
use crate::per_item::PerItem;
use crate::question::{Query, Round};
use crate::read::options::options;
use crate::read::typed::Typed;
use crate::say::code;
use crate::say::rows;
use crate::say::rule::story;
pub use crate::say::value::{Object, Row, Value};
use crate::say::words::model_name;

/// The version of the object's layout. New keys do not change the version.
const SCHEMA: u32 = 1;

/// Answers a question, given as the names and texts of flags, like `("n", "2000")` and
/// `("hash_bits", "32")`. A name has no leading dashes, and has `_` in place of `-`. A flag without
/// a value has the text `true`.
///
/// # Errors
///
/// - A text does not parse.
/// - A name belongs to no flag of a question, or is given twice.
/// - Flags contradict each other.
/// - The question has no answer, or the answer cannot have a requested section.
///
/// # Examples
///
/// ```
/// let object = bloom_params::json::answer(&[("n", "2k"), ("p", "1%")])?;
/// assert!(object.contains("\"m\": 19188,"));
/// # Ok::<(), bloom_params::InputError>(())
/// ```
pub fn answer(flags: &[(impl AsRef<str>, impl AsRef<str>)]) -> Result<String, InputError> {
    let flags = flags
        .iter()
        .map(|(name, text)| (name.as_ref(), text.as_ref()));
    let typed = Typed::from_names(&flags.collect::<Vec<_>>())?;
    typed.check_switches()?;
    let answered = Answered::new(&typed, typed.query()?)?;
    Ok(object(answered).to_string())
}

/// Answers a question with everything that the book's calculator page shows, as an object with
/// these keys:
///
/// - `answer`: the object of [`answer`], without the derivation.
/// - `explain`: the lines of the derivation.
/// - `overfill`: the section of the rate beyond n; or `no_overfill`, the reason why there is none.
/// - `points`: pairs of n and p, in `steps` even steps from no items to `times` n. The points end where the filter takes no more
///   items. An answer without a number of items has no points.
///
/// # Errors
///
/// As for [`answer`], but a flag that takes no value may have any text.
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
    let typed = Typed::from_names(flags)?;
    let mut answered = Answered::new(&typed, typed.query()?)?;
    answered.explain.clear();
    let explain = answered.answer.explain();
    let points = match &answered.answer {
        Answer::Sized(solution) => points(solution, times, steps),
        Answer::PerItem(_) => Vec::new(),
    };
    let overfill = beyond::overfill::of_answer(&answered.answer);
    let mut page = object![
        ("answer", object(answered)),
        ("explain", explain),
        ("points", points),
    ];
    match overfill {
        Ok(section) => page.add("overfill", of_section(&section)),
        Err(refused) => page.add("no_overfill", refused.to_string()),
    }
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

/// Returns the given quantities and the options of the filter, as parsed.
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
    object![
        ("name", system.name),
        ("version", system.version),
        ("promised", solution.promised()),
        ("expansion", expansion),
        ("ideal_p", solution.ideal.value()),
        ("rule", story(solution)),
        ("source", system.source),
        ("note", system.note),
        ("call", call.text.clone()),
        ("pass", pass),
        ("language", language),
        ("purpose", code::purpose(solution, call))
    ]
}

/// Describes the size by the usual rule, m = -n ln p / (ln 2)^2.
fn of_usual_rule(usual: UsualRule) -> Object {
    object![
        ("m", usual.bits),
        ("k", usual.hashes),
        ("p", usual.rate.value())
    ]
}

/// Describes the numbers of hashes that keep a rate.
fn of_range(range: HashesRange) -> Object {
    object![("min", range.min), ("max", range.max), ("best", range.best)]
}

/// Describes the range of memory that single filters have.
pub(crate) fn of_memory_range((min, max): (u128, u128)) -> Object {
    object![("min", min), ("max", max)]
}

/// Describes a stage of a scalable filter.
fn of_stage(stage: &StageSize) -> Object {
    object![
        ("n", stage.items),
        ("m", stage.bits),
        ("k", stage.hashes),
        ("p", stage.rate)
    ]
}

/// Describes an answer with a number of items.
fn of_sized(solution: &Solution) -> Object {
    let (filter, asked) = (solution.layout(), &solution.asked);
    let solved: Vec<_> = solution.solved.iter().map(|q| q.letter()).collect();
    let usual = solution.usual().filter(|_| filter == Filter::Classic);
    let mut object = object![
        ("schema", SCHEMA),
        ("n", solution.items),
        ("m", solution.bits),
        ("k", solution.hashes),
        ("p", solution.rate.value()),
        ("ln_p", solution.rate.ln()),
        ("hash_floor", solution.hash_floor()),
        ("met", solution.met),
        ("asked", given(asked)),
        ("solved", solved),
        ("filter", filter.name()),
        ("model", model_name(asked.model)),
        ("bits_per_item", solution.bits_per_item()),
        ("bytes", solution.memory_bits().div_ceil(8)),
        ("fill", solution.fill()),
        ("p_sd", solution.rate_deviation()),
        ("usual", usual.map(of_usual_rule)),
        ("bound_bits", solution.bound_bits()),
        ("k_range", solution.hashes_range.map(of_range)),
        ("k_capped", solution.wants_more_hashes),
        ("half_full", solution.half_full),
        ("p_is_bound", solution.certainty().is_bound())
    ];
    let stages: Vec<_> = solution.stages().iter().map(of_stage).collect();
    if !stages.is_empty() {
        object.add("stages", stages);
        let range = solution.memory_range_with(solution.items);
        object.add_some("m_range", range.map(of_memory_range));
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
    object![
        ("schema", SCHEMA),
        ("n", Value::Null),
        ("m", Value::Null),
        ("k", each.hashes),
        ("p", each.rate.value()),
        ("ln_p", each.rate.ln()),
        ("met", each.met),
        ("asked", given(asked)),
        ("solved", solved),
        ("filter", asked.filter.name()),
        ("model", model_name(asked.model)),
        ("bits_per_item", each.bits_per_item),
        ("fill", each.fill()),
        ("k_capped", each.wants_more_hashes())
    ]
}

fn of_section(section: &Section) -> Object {
    object![
        ("name", section.name),
        ("title", section.title.clone()),
        ("lines", section.lines.clone())
    ]
}

/// Returns the part of the object that people read: the lines, the sections, the remarks, and the code that creates the filter.
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
    object![
        ("shown", lines.collect::<Vec<_>>()),
        ("sections", sections.collect::<Vec<_>>()),
        ("notes", rows::notes(answered)),
        ("code", code)
    ]
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
        // If the answer has no number of items, the derivation comes before the sections.
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
