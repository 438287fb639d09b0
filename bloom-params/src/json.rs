//! The answer as one JSON object, for programs. Its keys, as `--help` lists them too:
//!
#![doc = concat!("```text\n", include_str!("json_keys.txt"), "```")]

use bloom_core::math::Model;
use serde::Serialize;

use crate::solution::Solution;

/// The keys and what they mean.
pub(crate) const KEYS: &str = include_str!("json_keys.txt");

/// The version of the object's layout; keys may be added without a new one.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Answer {
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
    bytes: u64,
    fill: f64,
    p_sd: f64,
    usual: Option<Usual>,
    bound_bits: f64,
    k_range: Option<Range>,
    k_capped: bool,
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
pub(crate) fn render(solution: &Solution) -> String {
    let asked = solution.asked;
    let answer = Answer {
        schema: SCHEMA,
        n: solution.items,
        m: solution.bits,
        k: solution.hashes,
        p: solution.rate.value(),
        ln_p: solution.rate.ln(),
        hash_floor: solution.hash_floor(),
        met: solution.met,
        asked: Asked {
            n: asked.items,
            m: asked.bits,
            k: asked.hashes,
            p: asked.rate,
        },
        solved: solution.solved.iter().map(|q| q.letter()).collect(),
        filter: "classic",
        model: name(asked.model),
        bits_per_item: solution.bits_per_item(),
        bytes: solution.bits.div_ceil(8),
        fill: solution.fill(),
        p_sd: solution.rate_deviation(),
        usual: solution.usual().map(|usual| Usual {
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
    };
    serde_json::to_string_pretty(&answer).expect("the object has text keys and plain values only")
}

/// Returns a model's name on the command line.
pub(crate) fn name(model: Model) -> &'static str {
    match model {
        Model::Textbook => "textbook",
        Model::Asymptotic => "asymptotic",
        Model::Partitioned => "partitioned",
        _ => "exact",
    }
}
