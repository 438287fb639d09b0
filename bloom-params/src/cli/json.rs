//! The answer as one JSON object, for programs. Its keys, as `--help` lists them too:
//!
#![doc = concat!("```text\n", include_str!("../json_keys.txt"), "```")]

use bloom_core::math::counter_overflow;
use bloom_core::math::scalable::Stage;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::cli::extras::Extras;
use crate::filters::Filter;
use crate::per_item::PerItem;
use crate::query::{Query, Round};
use crate::solution::{Origin, Solution};
use crate::words::model_name;

/// The keys and what they mean.
pub(crate) const KEYS: &str = include_str!("../json_keys.txt");

/// The version of the object's layout; keys may be added without a new one.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    n: u64,
    m: u64,
    k: u8,
    p: f64,
    ln_p: f64,
    hash_floor: f64,
    met: Option<bool>,
    asked: Object,
    solved: Vec<&'static str>,
    filter: &'static str,
    model: &'static str,
    bits_per_item: Option<f64>,
    bytes: u128,
    fill: f64,
    p_sd: Option<f64>,
    usual: Option<Object>,
    bound_bits: f64,
    k_range: Option<Object>,
    k_capped: bool,
    half_full: bool,
    p_is_bound: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stages: Vec<Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overflow: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stuck: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    like: Option<Object>,
    #[serde(flatten)]
    extras: &'a Extras,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explain: Vec<String>,
}

/// The answer in bits per item, without a number of items.
#[derive(Serialize)]
struct Each<'a> {
    schema: u32,
    n: Option<u64>,
    m: Option<u64>,
    k: u8,
    p: f64,
    asked: Object,
    solved: Vec<&'static str>,
    filter: &'static str,
    model: &'static str,
    bits_per_item: f64,
    fill: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explain: Vec<String>,
    #[serde(flatten)]
    extras: &'a Extras,
}

/// An object that keeps the order of its keys.
struct Object(Vec<(&'static str, Value)>);

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// Returns the given quantities, as parsed.
fn given(query: &Query) -> Object {
    let mut given = Vec::new();
    let mut add = |key, value: Option<Value>| given.extend(value.map(|value| (key, value)));
    add("n", query.items.map(Value::from));
    add("m", query.bits.map(Value::from));
    add("k", query.hashes.map(Value::from));
    add("p", query.rate.map(Value::from));
    let round = match query.round {
        Round::None => None,
        Round::PowerOfTwo => Some("pow2"),
        Round::Multiple(8) => Some("8"),
        Round::Multiple(64) => Some("64"),
        Round::Multiple(_) => Some("512"),
    };
    add("round", round.map(Value::from));
    add("confidence", query.confidence.map(Value::from));
    match query.filter {
        Filter::Blocked { block_bits } | Filter::SplitBlock { block_bits } => {
            add("block_bits", Some(block_bits.into()));
        }
        Filter::Counting { counter_bits } => add("counter_bits", Some(counter_bits.into())),
        Filter::Scalable {
            initial,
            growth,
            tightening,
        } => {
            add("initial", Some(initial.into()));
            add("growth", Some(growth.into()));
            add("tightening", Some(tightening.into()));
        }
        _ => {}
    }
    Object(given)
}

/// Describes the library whose rule sized the filter.
fn of_library(like: &Origin) -> Object {
    Object(vec![
        ("name", like.name.into()),
        ("version", like.version.into()),
        ("promised", like.promised.into()),
        ("rule", like.story.clone().into()),
        ("source", like.source.into()),
        ("note", like.note.into()),
    ])
}

/// Describes a stage of a scalable filter.
fn stage(stage: &Stage) -> Object {
    Object(vec![
        ("n", stage.items.into()),
        ("m", stage.bits.into()),
        ("k", stage.hashes.into()),
        ("p", stage.rate.into()),
    ])
}

/// Returns the object as text, without a line break at its end.
///
/// Integers stay exact beyond 2^53; other numbers are the shortest text that parses to the same
/// `f64`; what is not a number (ln p of p = 0) is null.
pub(crate) fn render(solution: &Solution, extras: &Extras, explain: Vec<String>) -> String {
    let asked = solution.asked;
    let usual = match asked.filter {
        Filter::Classic => solution.usual(),
        _ => None,
    };
    let overflow = match asked.filter {
        Filter::Counting { counter_bits } => {
            let stuck = (1_u32 << counter_bits) - 1;
            let (n, m, k) = (solution.items, solution.bits, solution.hashes);
            counter_overflow(n, m, k, stuck).ok()
        }
        _ => None,
    };
    let answer = Answer {
        schema: SCHEMA,
        n: solution.items,
        m: solution.bits,
        k: solution.hashes,
        p: solution.rate.value(),
        ln_p: solution.rate.ln(),
        hash_floor: solution.hash_floor(),
        met: solution.met,
        asked: given(&asked),
        solved: solution.solved.iter().map(|q| q.letter()).collect(),
        filter: asked.filter.name(),
        model: model_name(asked.model),
        bits_per_item: solution.bits_per_item(),
        bytes: solution.memory_bits().div_ceil(8),
        fill: solution.fill(),
        p_sd: solution.rate_deviation(),
        usual: usual.map(|usual| {
            Object(vec![
                ("m", usual.bits.into()),
                ("k", usual.hashes.into()),
                ("p", usual.rate.value().into()),
            ])
        }),
        bound_bits: solution.bound_bits(),
        k_range: solution.hashes_range.map(|range| {
            Object(vec![
                ("min", range.min.into()),
                ("max", range.max.into()),
                ("best", range.best.into()),
            ])
        }),
        k_capped: solution.wants_more_hashes,
        half_full: solution.half_full,
        p_is_bound: solution.grown.is_some(),
        stages: solution.stages().iter().map(stage).collect(),
        overflow: overflow.map(|overflow| overflow.any_at_most),
        stuck: overflow.map(|overflow| overflow.expected),
        like: solution.like.as_ref().map(of_library),
        extras,
        explain,
    };
    serde_json::to_string_pretty(&answer).expect("the object has text keys and plain values only")
}

/// Returns the object of an answer in bits per item, without a number of items.
pub(crate) fn render_per_item(each: &PerItem, extras: &Extras, explain: Vec<String>) -> String {
    let mut solved = vec!["bits_per_item"];
    if each.asked.hashes.is_none() {
        solved.push("k");
    }
    let answer = Each {
        schema: SCHEMA,
        n: None,
        m: None,
        k: each.hashes,
        p: each.rate,
        asked: given(&each.asked),
        solved,
        filter: each.asked.filter.name(),
        model: model_name(each.asked.model),
        bits_per_item: each.bits_per_item,
        fill: each.fill(),
        explain,
        extras,
    };
    serde_json::to_string_pretty(&answer).expect("the object has text keys and plain values only")
}
