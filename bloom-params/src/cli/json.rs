//! The answer as one JSON object, for programs. Its keys, as `--help` lists them too:
//!
#![doc = concat!("```text\n", include_str!("../json_keys.txt"), "```")]

use bloom_core::math::counter_overflow;
use serde::Serialize;

use crate::cli::extras::Extras;
use crate::filters::Filter;
use crate::per_item::PerItem;
use crate::query::{Query, Round};
use crate::solution::Solution;
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
    asked: Asked,
    solved: Vec<&'static str>,
    filter: &'static str,
    model: &'static str,
    bits_per_item: Option<f64>,
    bytes: u128,
    fill: f64,
    p_sd: Option<f64>,
    usual: Option<Usual>,
    bound_bits: f64,
    k_range: Option<Range>,
    k_capped: bool,
    half_full: bool,
    p_is_bound: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stages: Vec<Stage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overflow: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stuck: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    like: Option<OfLibrary<'a>>,
    #[serde(flatten)]
    extras: &'a Extras,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explain: Vec<String>,
}

/// A stage of a scalable filter.
#[derive(Serialize)]
struct Stage {
    n: u64,
    m: u64,
    k: u8,
    p: f64,
}

/// The library that built the filter.
#[derive(Serialize)]
struct OfLibrary<'a> {
    name: &'static str,
    version: &'static str,
    promised: Option<f64>,
    rule: &'a [String],
    source: &'static str,
    note: &'static str,
}

/// The answer that needs no number of items.
#[derive(Serialize)]
struct Each<'a> {
    schema: u32,
    n: Option<u64>,
    m: Option<u64>,
    k: u8,
    p: f64,
    asked: Asked,
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

/// What was given, as it was understood.
#[derive(Serialize)]
struct Asked {
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    m: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block_bits: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counter_bits: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    initial: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tightening: Option<f64>,
}

impl Asked {
    fn new(query: &Query) -> Self {
        let (mut block, mut counter, mut scalable) = (None, None, (None, None, None));
        match query.filter {
            Filter::Blocked { block_bits } | Filter::SplitBlock { block_bits } => {
                block = Some(block_bits);
            }
            Filter::Counting { counter_bits } => counter = Some(counter_bits),
            Filter::Scalable {
                initial,
                growth,
                tightening,
            } => scalable = (Some(initial), Some(growth), Some(tightening)),
            _ => {}
        }
        Self {
            n: query.items,
            m: query.bits,
            k: query.hashes,
            p: query.rate,
            round: match query.round {
                Round::None => None,
                Round::PowerOfTwo => Some("pow2"),
                Round::Multiple(8) => Some("8"),
                Round::Multiple(64) => Some("64"),
                Round::Multiple(_) => Some("512"),
            },
            confidence: query.confidence,
            block_bits: block,
            counter_bits: counter,
            initial: scalable.0,
            growth: scalable.1,
            tightening: scalable.2,
        }
    }
}

#[derive(Serialize)]
struct Usual {
    m: u64,
    k: u32,
    p: f64,
}

#[derive(Serialize)]
struct Range {
    min: u8,
    max: u8,
    best: u8,
}

/// Returns the object as text, without a line break at its end.
///
/// Integers stay exact beyond 2^53; other numbers are the shortest that read back as the same
/// `f64`; what is no number (ln p of p = 0) is null.
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
    let stages = solution.stages().iter().map(|stage| Stage {
        n: stage.items,
        m: stage.bits,
        k: stage.hashes,
        p: stage.rate,
    });
    let answer = Answer {
        schema: SCHEMA,
        n: solution.items,
        m: solution.bits,
        k: solution.hashes,
        p: solution.rate.value(),
        ln_p: solution.rate.ln(),
        hash_floor: solution.hash_floor(),
        met: solution.met,
        asked: Asked::new(&asked),
        solved: solution.solved.iter().map(|q| q.letter()).collect(),
        filter: asked.filter.name(),
        model: model_name(asked.model),
        bits_per_item: solution.bits_per_item(),
        bytes: solution.memory_bits().div_ceil(8),
        fill: solution.fill(),
        p_sd: solution.rate_deviation(),
        usual: usual.map(|usual| Usual {
            m: usual.bits,
            k: usual.hashes,
            p: usual.rate.value(),
        }),
        bound_bits: solution.bound_bits(),
        k_range: solution.hashes_range.map(|range| Range {
            min: range.min,
            max: range.max,
            best: range.best,
        }),
        k_capped: solution.wants_more_hashes,
        half_full: solution.half_full,
        p_is_bound: solution.grown.is_some(),
        stages: stages.collect(),
        overflow: overflow.map(|overflow| overflow.any_at_most),
        stuck: overflow.map(|overflow| overflow.expected),
        like: solution.like.as_ref().map(|like| OfLibrary {
            name: like.name,
            version: like.version,
            promised: like.promised,
            rule: &like.story,
            source: like.source,
            note: like.note,
        }),
        extras,
        explain,
    };
    serde_json::to_string_pretty(&answer).expect("the object has text keys and plain values only")
}

/// Returns the object of an answer that needs no number of items.
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
        asked: Asked::new(&each.asked),
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
