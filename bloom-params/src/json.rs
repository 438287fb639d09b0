//! Questions as texts, answered by one JSON object: what `bloom-params --json` prints, without the command
//! line. The keys of the object, as `--help` lists them too:
//!
#![doc = concat!("```text\n", include_str!("json_keys.txt"), "```")]

use bloom_core::math::UsualRule;
use bloom_core::math::scalable::StageSize;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::code;
use crate::error::InputError;
use crate::extras::{self, Extras};
use crate::filters::Filter;
use crate::like::{Argument, Call, library};
use crate::per_item::PerItem;
use crate::query::{Query, QueryError, Round};
use crate::shown;
use crate::solution::{HashesRange, Origin, Solution};
use crate::typed::{Answer, Typed, options};
use crate::words::model_name;

/// The version of the object's layout; keys may be added without a new one.
const SCHEMA: u32 = 1;

/// A line of the answer for people: name, value, unit and remark.
pub type Row = (&'static str, String, String, String);

/// A JSON object that keeps the order of its keys.
pub struct Object(pub Vec<(&'static str, Value)>);

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// Returns any of the objects as text, without a line break at its end.
pub fn pretty(object: &impl Serialize) -> String {
    serde_json::to_string_pretty(object).expect("the keys are texts and the values plain")
}

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
    let typed = Typed::new(flags)?;
    let query = typed.query()?;
    let asked = extras::Asked::read(&typed)?;
    let answer = typed.answer(query)?;
    let extras = asked.of(&answer)?;
    let explained = match (&answer, typed.has("explain")) {
        (_, false) => Vec::new(),
        (Answer::Sized(solution), true) => solution.explain().lines(),
        (Answer::PerItem(each), true) => each.explain().lines(),
    };
    Ok(render(
        &answer,
        &extras,
        typed.size_note().as_deref(),
        explained,
    ))
}

/// Returns the rate of the filter that answers a question, with the same flags as [`answer`], in `steps` even
/// steps from no items to `times` n: pairs of n and p. A filter that takes no more items ends them.
///
/// # Errors
///
/// Those of [`answer`], or an answer without a number of items.
///
/// # Examples
///
/// ```
/// let points = bloom_params::json::curve(&[("n", "2k"), ("p", "1%")], 2, 4)?;
/// let items: Vec<_> = points.iter().map(|(n, _)| *n).collect();
/// assert_eq!(items, [0, 1_000, 2_000, 3_000, 4_000]);
/// assert!(points[2].1 < 0.01 && 0.15 < points[4].1);
/// # Ok::<(), bloom_params::InputError>(())
/// ```
pub fn curve(
    flags: &[(&str, &str)],
    times: u32,
    steps: u32,
) -> Result<Vec<(u64, f64)>, InputError> {
    let typed = Typed::new(flags)?;
    let Answer::Sized(solution) = typed.answer(typed.query()?)? else {
        return Err(QueryError::NeedsSize { option: "a curve" }.into());
    };
    let last = u128::from(solution.items) * u128::from(times);
    let at = |step| u64::try_from(last * u128::from(step) / u128::from(steps.max(1)));
    let items = (0..=steps).map_while(|step| at(step).ok());
    let items = items.take_while(|n| *n == 0 || solution.takes(*n));
    Ok(items.map(|n| (n, solution.rate_with(n).value())).collect())
}

/// Returns the given quantities, as parsed.
pub(crate) fn given(query: &Query) -> Object {
    let mut given = Vec::new();
    let mut add = |key, value: Option<Value>| given.extend(value.map(|value| (key, value)));
    add("n", query.items.map(Value::from));
    add("m", query.bits.map(Value::from));
    add("k", query.hashes.map(Value::from));
    add("p", query.rate.map(Value::from));
    add("bits_per_item", query.bits_per_item.map(Value::from));
    add("distinct", query.distinct.map(Value::from));
    add("hash_bits", query.hash_bits.map(Value::from));
    let round = match query.round {
        Round::None => None,
        Round::PowerOfTwo => Some("pow2".to_string()),
        Round::Multiple(step) => Some(step.to_string()),
    };
    add("round", round.map(Value::from));
    add("confidence", query.confidence.map(Value::from));
    given.extend(options(query.filter));
    Object(given)
}

/// Describes the library whose rule sized the filter.
fn of_library(solution: &Solution, like: &Origin, call: &Call) -> Object {
    let language = library(like.name).and_then(|library| library.language().name());
    let pass = call.pass.map(|pass| match pass.value {
        Argument::Rate(value) | Argument::BitsPerItem(value) => Value::from(value),
        Argument::Bits(bits) => bits.into(),
    });
    Object(vec![
        ("name", like.name.into()),
        ("version", like.version.into()),
        ("promised", like.promised.into()),
        ("expansion", like.expansion.into()),
        ("ideal_p", like.ideal.value().into()),
        ("rule", like.story.clone().into()),
        ("source", like.source.into()),
        ("note", like.note.into()),
        ("call", call.text.clone().into()),
        ("pass", pass.into()),
        ("language", language.into()),
        ("purpose", code::purpose(solution, call).into()),
    ])
}

/// Describes the size by the usual rule.
fn of_usual_rule(usual: UsualRule) -> Object {
    Object(vec![
        ("m", usual.bits.into()),
        ("k", usual.hashes.into()),
        ("p", usual.rate.value().into()),
    ])
}

/// Describes the numbers of hashes that keep a rate.
fn of_range(range: HashesRange) -> Object {
    Object(vec![
        ("min", range.min.into()),
        ("max", range.max.into()),
        ("best", range.best.into()),
    ])
}

/// Describes a stage of a scalable filter.
fn of_stage(stage: &StageSize) -> Object {
    Object(vec![
        ("n", stage.items.into()),
        ("m", stage.bits.into()),
        ("k", stage.hashes.into()),
        ("p", stage.rate.into()),
    ])
}

/// Returns what people read: the lines, the remarks, and the code to get the filter.
fn for_people(answer: &Answer, echo: Option<&str>) -> Object {
    let lines = shown::rows(answer).into_iter();
    let lines = lines.map(|(name, value, unit, remark)| {
        let parts = [name.to_string(), format!("{value} {unit}"), remark];
        let parts = parts.iter().map(|part| part.trim_end());
        let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
        parts.join("   ")
    });
    let code = match answer {
        Answer::Sized(solution) => code::of(solution),
        Answer::PerItem(_) => None,
    };
    Object(vec![
        ("shown", lines.collect::<Vec<_>>().into()),
        ("notes", shown::notes(answer, echo).into()),
        ("code", code.into()),
    ])
}

/// The object: an answer, and what flags add to it.
#[derive(Serialize)]
struct Page<'a, A: Serialize> {
    #[serde(flatten)]
    answer: A,
    #[serde(flatten)]
    for_people: Object,
    #[serde(flatten)]
    extras: &'a Extras,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explain: Vec<String>,
}

/// A filter.
struct Sized<'a>(&'a Solution);

impl Serialize for Sized<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let solution = self.0;
        let (filter, asked) = (solution.asked.filter, &solution.asked);
        let solved: Vec<_> = solution.solved.iter().map(|q| q.letter()).collect();
        let usual = solution.usual().filter(|_| filter == Filter::Classic);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", &SCHEMA)?;
        map.serialize_entry("n", &solution.items)?;
        map.serialize_entry("m", &solution.bits)?;
        map.serialize_entry("k", &solution.hashes)?;
        map.serialize_entry("p", &solution.rate.value())?;
        map.serialize_entry("ln_p", &solution.rate.ln())?;
        map.serialize_entry("hash_floor", &solution.hash_floor())?;
        map.serialize_entry("met", &solution.met)?;
        map.serialize_entry("asked", &given(asked))?;
        map.serialize_entry("solved", &solved)?;
        map.serialize_entry("filter", filter.name())?;
        map.serialize_entry("model", model_name(asked.model))?;
        map.serialize_entry("bits_per_item", &solution.bits_per_item())?;
        map.serialize_entry("bytes", &solution.memory_bits().div_ceil(8))?;
        map.serialize_entry("fill", &solution.fill())?;
        map.serialize_entry("p_sd", &solution.rate_deviation())?;
        map.serialize_entry("usual", &usual.map(of_usual_rule))?;
        map.serialize_entry("bound_bits", &solution.bound_bits())?;
        map.serialize_entry("k_range", &solution.hashes_range.map(of_range))?;
        map.serialize_entry("k_capped", &solution.wants_more_hashes)?;
        map.serialize_entry("half_full", &solution.half_full)?;
        map.serialize_entry("p_is_bound", &solution.grown.is_some())?;
        let stages: Vec<_> = solution.stages().iter().map(of_stage).collect();
        if !stages.is_empty() {
            map.serialize_entry("stages", &stages)?;
        }
        if let Some(overflow) = solution.counter_overflow() {
            map.serialize_entry("overflow", &overflow.any_at_most)?;
            map.serialize_entry("stuck", &overflow.expected)?;
        }
        if let (Some(like), Some(call)) = (&solution.like, solution.call()) {
            map.serialize_entry("like", &of_library(solution, like, &call))?;
        }
        map.end()
    }
}

/// An answer in bits per item, without a number of items.
struct Each<'a>(&'a PerItem, Vec<String>);

impl Serialize for Each<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (each, asked) = (self.0, &self.0.asked);
        let of_bits = match (asked.bits_per_item, asked.rate) {
            (None, _) => Some("bits_per_item"),
            (Some(_), None) => Some("p"),
            (Some(_), Some(_)) => None,
        };
        let of_hashes = Some("k").filter(|_| asked.hashes.is_none());
        let solved: Vec<_> = of_bits.into_iter().chain(of_hashes).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", &SCHEMA)?;
        map.serialize_entry("n", &())?;
        map.serialize_entry("m", &())?;
        map.serialize_entry("k", &each.hashes)?;
        map.serialize_entry("p", &each.rate)?;
        map.serialize_entry("met", &each.met)?;
        map.serialize_entry("asked", &given(asked))?;
        map.serialize_entry("solved", &solved)?;
        map.serialize_entry("filter", asked.filter.name())?;
        map.serialize_entry("model", model_name(asked.model))?;
        map.serialize_entry("bits_per_item", &each.bits_per_item)?;
        map.serialize_entry("fill", &each.fill())?;
        if !self.1.is_empty() {
            map.serialize_entry("explain", &self.1)?;
        }
        map.end()
    }
}

/// Returns the object as text, without a line break at its end.
///
/// Integers stay exact beyond 2^53; other numbers are the shortest text that parses to the same
/// `f64`; what is not a number (ln p of p = 0) is null.
///
/// `echo` states how an ambiguous size was read.
pub(crate) fn render(
    answer: &Answer,
    extras: &Extras,
    echo: Option<&str>,
    explain: Vec<String>,
) -> String {
    let for_people = for_people(answer, echo);
    match answer {
        Answer::Sized(solution) => pretty(&Page {
            answer: Sized(solution),
            for_people,
            extras,
            explain,
        }),
        Answer::PerItem(each) => pretty(&Page {
            answer: Each(each, explain),
            for_people,
            extras,
            explain: Vec::new(),
        }),
    }
}
