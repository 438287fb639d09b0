//! Writes messages that say why another system, that is, a library or a database, does not build a filter, and what to ask
//! instead.

use bloom_core::math::hash_floor;
use bloom_systems::rule::Takes;
use bloom_systems::{Positions, Refusal, Request, System};

#[cfg(feature = "json")]
use crate::error::InputError;
use crate::like::call::written;
use crate::question::{Given, Unbuilt};
use crate::say::numbers::{grouped, nearest};
#[cfg(feature = "json")]
use crate::say::words::similar;
use crate::say::words::{as_typed, dashed};

/// Returns the quantities that a system takes.
pub(crate) fn takes(takes: Takes) -> &'static str {
    match takes {
        Takes::Rate => "n and p",
        Takes::Bits => "n and m",
        Takes::WholeBitsPerItem => "n and m of whole bits per item",
        Takes::OneSize => "n alone",
        _ => "n and p, or n and m",
    }
}

/// Returns why a system builds no filter, and what to ask instead.
pub(crate) fn unbuilt(system: &System, why: Unbuilt) -> (String, String) {
    match why {
        Unbuilt::Mix(given) => another_mix(system, given),
        Unbuilt::Decides { option } => decides(option),
        Unbuilt::Expansion { most, got } => expansion(system, most, got),
        Unbuilt::NoBits { items, rate } => keeps_with_no_bits(system, items, rate),
        Unbuilt::Refused {
            refusal,
            most,
            request,
        } => refused(system, refusal, most, request),
    }
}

/// Returns the error for an option whose value the library of `--like` decides.
pub(crate) fn decides(option: &str) -> (String, String) {
    let message = format!(
        "the library of --like decides what {} asks for",
        dashed(option)
    );
    (message, "leave out one of them".to_string())
}

/// Returns the error for a mix of quantities that a system does not take, with a command line that works.
fn another_mix(system: &System, given: Given) -> (String, String) {
    let flags = match system.sizing.takes {
        Takes::Bits | Takes::WholeBitsPerItem => "--n 20 --m 200",
        Takes::OneSize => "--n 1k",
        _ => "--n 1k --p 1%",
    };
    let (name, takes) = (system.name, takes(system.sizing.takes));
    (
        format!("--like {name} takes {takes}, got {given}"),
        format!("bloom-params {flags} --like {name}"),
    )
}

/// Returns the error for a name that no known system has.
#[cfg(feature = "json")]
pub(crate) fn unknown(name: &str) -> InputError {
    let got = crate::read::units::displayed(name);
    let error = InputError::new(format!("--like must name a known library, got {got}"));
    let names = bloom_systems::SYSTEMS
        .iter()
        .filter(|system| !system.is_document());
    let near = similar(name, names.map(|system| system.name));
    let near = near.map(|near| format!("did you mean --like {near}?"));
    let hint = related(name).or(near);
    error.with_hint(hint.unwrap_or_else(|| "compare --like all lists them".to_string()))
}

/// Returns the error for an expansion that a system does not take.
fn expansion(system: &System, most: u64, got: u64) -> (String, String) {
    let message = match most {
        0 => no_expansion(system),
        most => format!(
            "--expansion must be from 1 to {}, got {}",
            grouped(most),
            grouped(got)
        ),
    };
    (message, String::new())
}

/// Returns the message for the option `--expansion` if a system does not have it.
pub(crate) fn no_expansion(system: &System) -> String {
    let with = bloom_systems::SYSTEMS
        .iter()
        .filter(|system| system.expansion.is_some());
    let with: Vec<_> = with.map(|system| system.name).collect();
    let (with, name) = (with.join(" or "), system.name);
    format!("--expansion is an option of --like {with}, got --like {name}")
}

/// Returns what to use in place of a system that is known, but not in the table of systems.
#[cfg(feature = "json")]
pub(crate) fn related(name: &str) -> Option<String> {
    let related = bloom_systems::related(name)?;
    Some(match related.like {
        Some(like) => format!("{}: --like {like}", related.why),
        None => related.why.to_string(),
    })
}

/// Returns the error for a rate that a system misses with every m.
fn keeps_with_no_bits(system: &System, items: u64, rate: Option<f64>) -> (String, String) {
    let target = rate.map_or(String::new(), as_typed);
    let (name, n) = (system.name, grouped(items));
    let message = format!("no m of {name} keeps p = {target} for n = {n}");
    let alone = system.positions.hash_bits().and_then(|width| {
        let floor = hash_floor(items, width).ok()?;
        Some((
            floor,
            format!(
                "its hash of {width} bits alone has p = {} for n = {n}",
                nearest(floor, 3)
            ),
        ))
    });
    match alone {
        Some((floor, hint)) if rate.is_some_and(|rate| floor > rate) => (message, hint),
        _ => {
            // With dependent positions, room for more items helps small filters. With independent
            // positions, p falls with m, so even the largest m is too small, and fewer items help.
            let items = match system.positions {
                Positions::Independent => "fewer items",
                _ => "room for more items",
            };
            (message, format!("ask for a higher p, or for {items}"))
        }
    }
}

/// Returns the error for a filter that a system does not build. `most` is the largest number of items that it takes at the same
/// p.
fn refused(
    system: &System,
    refusal: Refusal,
    most: Option<u64>,
    request: Request,
) -> (String, String) {
    let name = system.name;
    let message = match refusal {
        Refusal::Items { most, got } => {
            let (most, got) = (grouped(most), grouped(got));
            format!("{name} takes at most {most} items, got {got}")
        }
        Refusal::Bits { most, got } => {
            let (most, got) = (grouped(most), grouped(got));
            format!("{name} builds no filter of {got} bits: it takes 1 to {most}")
        }
        Refusal::RateNotAbove { least, got } => {
            format!("{name} takes only p above {least:e}, got {got:e}")
        }
        Refusal::BitsPerItemBelow { least, got } => {
            let got = nearest(got, 3);
            format!("{name} builds no filter for less than {least} bits per item, got m/n = {got}")
        }
        Refusal::WholeBitsPerItem { got } => {
            let got = nearest(got, 6);
            format!("{name} takes whole bits per item, got m/n = {got}")
        }
        Refusal::NoHash => format!("{name} refuses k = 0 for this p"),
        Refusal::AlwaysTrue => {
            format!(
                "{name} builds a filter without bits or hashes for this p, which returns true for every query"
            )
        }
        Refusal::Hashes { most, got, is_own } => {
            let who = if is_own {
                "its limit is"
            } else {
                "rates are computed up to"
            };
            format!("{name} takes k = {got} for this p, and {who} k = {most}")
        }
        Refusal::Memory {
            least,
            got,
            for_rate,
        } => {
            let (least, got) = (grouped(least), grouped(got));
            let of = if for_rate { " for this p" } else { "" };
            format!("m must be at least {least}, the least that {name} builds{of}, got {got}")
        }
        Refusal::RateInMemory { bits, got } => {
            let (m, p) = (grouped(bits), as_typed(got));
            format!("p must be at least what {name} keeps with one item in m = {m}, got {p}")
        }
        // A later version of bloom-systems may have other refusals.
        _ => format!("{name} builds no such filter"),
    };
    let hint = match (refusal, most) {
        (Refusal::Items { most: 0, .. }, _) => "write a lower --p".to_string(),
        (Refusal::Items { most, got }, _) => split(system, request, got.div_ceil(most)),
        (_, Some(most)) => format!("for this p it takes at most {} items", grouped(most)),
        (_, None) => String::new(),
    };
    (message, hint)
}

/// Returns a hint to split the items over several filters. It is empty if the system does not build these filters, or if its call
/// does not contain the number of items.
fn split(system: &System, request: Request, filters: u64) -> String {
    let items = request.items.div_ceil(filters);
    let bits = request.bits.map(|bits| bits.div_ceil(filters));
    let each = Request {
        items,
        bits,
        ..request
    };
    let Ok(built) = system.build(each) else {
        return String::new();
    };
    if ![system.call.rate, system.call.bits]
        .iter()
        .any(|call| call.contains("{n}"))
    {
        return String::new();
    }
    let call = written(system, each, (built.bits, built.hashes));
    let (filters, call) = (grouped(filters), call.replace('\n', " "));
    format!("split the items over {filters} filters by their hash, each with {call}")
}
