//! What is said of the filter of another system.

use std::f64::consts::LN_2;

use bloom_core::math::hash_floor;
use bloom_systems::double_hashing::Excess;
use bloom_systems::rule::{Rounded, Step, Takes};
use bloom_systems::{Formula, Positions, Refusal, Request, System, Worked};

use crate::answer::{Origin, Solution, WhyNoMore};
#[cfg(feature = "json")]
use crate::error::InputError;
use crate::like::call::written;
use crate::question::{Given, Query, Unbuilt};
use crate::say::numbers::{binary_size, bytes_of_bits, grouped, nearest};
#[cfg(feature = "json")]
use crate::say::words::similar;
use crate::say::words::{as_typed, counted, rounded};

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
        Unbuilt::NoBits { items, rate } => keeps_with_no_bits(system, items, rate),
        Unbuilt::Refused {
            refusal,
            most,
            request,
        } => refused(system, refusal, most, request),
    }
}

/// The error for a mix of quantities that a system does not take, with a command line that works.
fn another_mix(system: &System, given: Given) -> (String, String) {
    let flags = match system.sizing.takes {
        Takes::Bits | Takes::WholeBitsPerItem => "--n 1M --m 10M",
        Takes::OneSize => "--n 1M",
        _ => "--n 1M --p 1%",
    };
    let (name, takes) = (system.name, takes(system.sizing.takes));
    (
        format!("--like {name} takes {takes}, got {given}"),
        format!("bloom-params {flags} --like {name}"),
    )
}

/// The error for a name that no known system has.
#[cfg(feature = "json")]
pub(crate) fn unknown(name: &str) -> InputError {
    let got = crate::read::units::echo(name);
    let error = InputError::new(format!("--like must name a known library, got {got}"));
    let names = bloom_systems::SYSTEMS
        .iter()
        .filter(|system| !system.is_document());
    let near = similar(name, names.map(|system| system.name));
    let near = near.map(|near| format!("did you mean --like {near}?"));
    let hint = related(name).or(near);
    error.with_hint(hint.unwrap_or_else(|| "compare --like all lists them".to_string()))
}

/// The error for an option that a system does not have.
#[cfg(feature = "json")]
pub(crate) fn no_expansion(system: &System) -> InputError {
    let with = bloom_systems::SYSTEMS
        .iter()
        .filter(|system| system.expansion.is_some());
    let with: Vec<_> = with.map(|system| system.name).collect();
    let (with, name) = (with.join(" or "), system.name);
    InputError::new(format!(
        "--expansion is an option of --like {with}, got --like {name}"
    ))
}

/// Returns what to use in place of a system that is known, but has no row.
#[cfg(feature = "json")]
pub(crate) fn related(name: &str) -> Option<String> {
    let related = bloom_systems::related(name)?;
    Some(match related.like {
        Some(like) => format!("{}: --like {like}", related.why),
        None => related.why.to_string(),
    })
}

/// The error for a rate that a system keeps with no m.
fn keeps_with_no_bits(system: &System, items: u64, rate: Option<f64>) -> (String, String) {
    let target = rate.map_or(String::new(), as_typed);
    let message = format!("{} keeps p = {target} with no m", system.name);
    let alone = system.positions.hash_bits().and_then(|width| {
        let floor = hash_floor(items, width).ok()?;
        Some((
            floor,
            format!(
                "its hash of {width} bits alone has p = {} for n = {}",
                nearest(floor, 3),
                grouped(items)
            ),
        ))
    });
    match alone {
        Some((floor, hint)) if rate.is_some_and(|rate| floor > rate) => (message, hint),
        _ => (
            message,
            "ask for a higher p, or for room for more items".to_string(),
        ),
    }
}

/// The error for a filter that a system does not build; `most` are the items that it takes at the same p.
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
            format!("{name} takes k = 0 for this p: its filter returns true for every query")
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
        // The last line is for refusals that a later version of bloom-systems may have.
        _ => format!("{name} builds no such filter"),
    };
    let hint = match (refusal, most) {
        (Refusal::Items { most, got }, _) => split(system, request, got.div_ceil(most)),
        (_, Some(most)) => format!("for this p it takes at most {} items", grouped(most)),
        (_, None) => String::new(),
    };
    (message, hint)
}

/// Returns how to split the items over so many filters; empty where nobody writes a call with their number.
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

/// Returns how a system computes m and k, step by step; first, where n was not asked for but room for it, why it is what it
/// is.
pub(crate) fn story(like: &Origin, asked: &Query) -> Vec<String> {
    let (built, request) = (&like.built, like.request);
    let room = like.full.and(asked.bits);
    let n = grouped(request.items);
    let first = room.map(|room| match (request.bits.map(grouped), grouped(room)) {
        (Some(given), m) => format!(
            "n = {n} and m = {given} are given to it: with one more item its filter of at most m = {m} misses p"
        ),
        (None, m) => {
            format!("n = {n}, the most items for which the steps below give at most m = {m}")
        }
    });
    first
        .into_iter()
        .chain(built.work.iter().map(worked))
        .collect()
}

fn worked(step: &Worked) -> String {
    match *step {
        Worked::RateAtMost(most) => format!("p is at most {most}"),
        Worked::RateTimes { factor, rate } => {
            format!("p is first multiplied by {factor}: {rate}")
        }
        Worked::RateSingle(rate) => format!("p in single precision: {rate}"),
        Worked::Bits {
            formula,
            value,
            rounded,
            bits,
        } => {
            let (formula, value) = (formula_of(formula), nearest(value, 9));
            let (how, bits) = (how(rounded), grouped(bits));
            format!("m = {formula} = {value}, {how}: {bits}")
        }
        Worked::FixedBits(bits) => format!("m is always {}", grouped(bits)),
        Worked::BitsByTable {
            table,
            per_item,
            hashes,
            bits,
        } => {
            let (per_item, k) = (counted(per_item, "bit"), counted(hashes, "hash"));
            let m = grouped(bits);
            format!("{table}: {per_item} per item and {k}: {m}")
        }
        Worked::BitsByThousandths {
            asked,
            thousandths,
            bits,
        } => {
            let (asked, bits) = (nearest(asked, 6), grouped(bits));
            let per_item = thousandths as f64 / 1000.0;
            format!("m/n = {asked}, taken as {per_item}; n times that in whole bytes: {bits}")
        }
        Worked::BitsByOwn { rule, bits } => format!("m is {rule}: {}", grouped(bits)),
        Worked::Changed { step, bits } => format!("{}: {}", change(step), grouped(bits)),
        Worked::ItemsAtMost(most) => format!("n is at most {} for k", grouped(most)),
        Worked::StoredThousandths(stored) => {
            format!("thousandths of a bit per item: {}", grouped(stored))
        }
        Worked::Hashes {
            formula,
            value,
            rounded,
            hashes,
        } => {
            let (formula, value) = (formula_of(formula), nearest(value, 6));
            format!("k = {formula} = {value}, {}: {hashes}", how(rounded))
        }
        Worked::FixedHashes(hashes) => format!("k = {hashes}"),
        Worked::OneHash => "k is at least 1".to_string(),
        Worked::HashesAtMost(most) => format!("k is at most {most}"),
        Worked::Slice { value, slice, bits } => {
            let (value, slice, bits) = (nearest(value, 9), grouped(slice), grouped(bits));
            format!(
                "m/k = -n ln p / (k (ln 2)^2) = {value}, rounded up: {slice}; k of them: {bits}"
            )
        }
        _ => String::new(),
    }
}

fn formula_of(formula: Formula) -> String {
    match formula {
        Formula::Usual => "-n ln p / (ln 2)^2".to_string(),
        Formula::OfHashes(k) => format!("-{k} n / ln(1 - p^(1/{k}))"),
        Formula::OfRate => "-log2 p".to_string(),
        Formula::OfWholePerItem => "(m/n, rounded down) ln 2".to_string(),
        // Some have it to few digits.
        Formula::OfBits(ln_2) if (ln_2 - LN_2).abs() > 1e-9 => format!("{ln_2} m/n"),
        _ => "(m/n) ln 2".to_string(),
    }
}

fn how(rounded: Rounded) -> &'static str {
    match rounded {
        Rounded::Down => "rounded down",
        Rounded::Nearest => "rounded",
        Rounded::Up => "rounded up",
        Rounded::UpToBytes => "up to whole bytes",
    }
}

fn change(step: Step) -> String {
    match step {
        Step::Add(more) => format!("{more} bits more"),
        Step::AtLeast(least) => format!("at least {}", grouped(least)),
        Step::AtMost(most) => format!("at most {}", grouped(most)),
        Step::Down(unit) => format!("down to a multiple of {unit}"),
        Step::Up(unit) => format!("up to a multiple of {unit}"),
        Step::UpToOdd(unit) => format!("up to an odd multiple of {unit}"),
        Step::PowerOfTwo => "up to a power of two".to_string(),
        Step::Clear(digit) => format!("the binary digit of {digit} cleared"),
    }
}

/// Returns the remarks about the system and its filter.
pub(crate) fn notes(solution: &Solution) -> Vec<String> {
    let Some(like) = &solution.like else {
        return Vec::new();
    };
    let system = like.system;
    let (name, version) = (system.name, system.version);
    let promise = like.promised.map_or(String::new(), |rate| {
        format!("it promises {}, and ", as_typed(rate))
    });
    let hashing = Hashing::of(system.positions).noun;
    let width = like.added.high - like.added.low;
    let of_rate = match system.positions {
        Positions::Independent => "its true rate, for ideal hashes".to_string(),
        _ if like.added == Excess::default() => "its true rate, for ideal hashes".to_string(),
        Positions::Walk => format!("an estimate of its true rate, with its {hashing}"),
        _ if width <= solution.rate.value() / 1000.0 => {
            format!("its true rate, with its {hashing}")
        }
        _ if like.added.measured => {
            format!("the upper bound of its true rate, as measured, with its {hashing}")
        }
        _ => format!("the most that its true rate can be, with its {hashing}"),
    };
    let mut notes = vec![format!(
        "this is what {name} ({version}) builds; {promise}p is {of_rate}"
    )];
    if let (Some(full), Some(given)) = (like.full, solution.asked.bits) {
        let given = bytes_of_bits(given);
        notes.push(match full {
            WhyNoMore::Memory => format!("n is the most that it puts in {given}"),
            WhyNoMore::Rate => {
                format!("with one more item its filter of at most {given} misses p")
            }
            WhyNoMore::Program => format!(
                "n is the most that it sizes a filter for at this p; {given} are more than it needs"
            ),
        });
    }
    if let Some(most) = like.built.capped {
        let most = bytes_of_bits(most);
        let given = if like.request.bits.is_some() {
            "m"
        } else {
            "p"
        };
        notes.push(format!(
            "it takes at most {most}, whatever {given} is asked for"
        ));
    }
    if !system.note.is_empty() {
        notes.push(system.note.to_string());
    }
    if let Some(more) = solution.items.checked_add(1)
        && let Some(bits) = solution.memory_bits_with(more)
    {
        let (more, bits) = (grouped(more), binary_size(bits - solution.memory_bits()));
        notes.push(format!(
            "item {more} adds a filter of {bits}, and so on (see --grow)"
        ));
    }
    notes.extend(about_double_hashing(solution));
    notes
}

/// In words, how a system derives positions.
pub(crate) struct Hashing {
    /// What it is called, alone and as the subject of "adds" or "add".
    noun: &'static str,
    adds: &'static str,
    /// The heading of its step.
    pub(crate) title: &'static str,
    /// What it does, to be followed by a full stop.
    pub(crate) how: &'static str,
}

impl Hashing {
    pub(crate) fn of(positions: Positions) -> Self {
        let (noun, adds, title, how) = match positions {
            Positions::Signed => (
                "sums of 32 bits",
                "sums of 32 bits add",
                "Sums of 32 bits",
                "all of them from two hash values, a + i b in 32 bits with its sign dropped, so that an item may share three and \
                 more of them with a query, and no position from 2^31 on is reached",
            ),
            Positions::FourHashes => (
                "four hash values",
                "four hash values add",
                "Four hash values",
                "all of them from four hash values in turn, so that an item that shares some with a query shares more of them",
            ),
            Positions::Chained { .. } => (
                "dependent positions",
                "dependent positions add",
                "Dependent positions",
                "each of them from the hash before, so that a chain may repeat; and no position from 2^31 on is reached",
            ),
            Positions::Walk => (
                "dependent positions",
                "dependent positions add",
                "Dependent positions",
                "each of them from the one before, so that an item that shares one with a query shares the next ones, too, \
                 more often",
            ),
            Positions::Rotated => (
                "one hash of 32 bits",
                "one hash of 32 bits adds",
                "One hash of 32 bits",
                "all of them from one hash value, a + i b where b is a rotated, so that an item may share three and more of \
                 them with a query, and all of them if it has the same hash value",
            ),
            Positions::Narrow => (
                "hash of 32 bits",
                "a hash of 32 bits adds",
                "A hash of 32 bits",
                "all of them from one hash value of 32 bits, so that a query that has that of an item finds all of them",
            ),
            Positions::Slices => (
                "uneven positions",
                "uneven positions add",
                "Uneven positions",
                "them as remainders of numbers that are little larger than a slice, so that the first ones are set more often",
            ),
            _ => (
                "double hashing",
                "double hashing adds",
                "Double hashing",
                "all of them from two hash values, a + i b, so that an item may share three and more of them with a query, \
                 and some items have fewer",
            ),
        };
        Self {
            noun,
            adds,
            title,
            how,
        }
    }
}

/// Returns whether double hashing alone makes the filter miss the target.
pub(crate) fn double_hashing_misses(solution: &Solution) -> bool {
    let ideal = solution.ideal_rate().value();
    let misses = |target| ideal <= target && target < solution.rate.value();
    solution.asked.rate.is_some_and(misses)
}

/// States what double hashing adds, if that is much or decides about the target.
fn about_double_hashing(solution: &Solution) -> Option<String> {
    let Origin {
        ideal,
        added,
        system,
        ..
    } = solution.like.as_ref()?;
    let adds = Hashing::of(system.positions).adds;
    let decides = double_hashing_misses(solution);
    if !decides && added.high <= ideal.value() / 100.0 {
        return None;
    }
    let so = match solution.asked.rate {
        Some(target) if decides && ideal.value() + added.low > target => ": too much",
        Some(_) if decides => ": perhaps too much",
        _ => "",
    };
    let (low, high) = (nearest(added.low, 2), nearest(added.high, 2));
    let added = if low == high {
        low
    } else {
        format!("{low} to {high}")
    };
    let p = rounded(*ideal);
    Some(format!(
        "with ideal hashes p would be {p}; {adds} {added}{so}"
    ))
}
