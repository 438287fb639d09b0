//! Writes the call with which another system (a library or a database) creates the filter of an answer: a line of a program, a
//! shell or a configuration.
//!
//! If the system misses the target rate with the requested value, the call passes another value, with which the system keeps the
//! rate.

use std::fmt;

use bloom_core::math::first_true;
use bloom_systems::rule::{Language, Takes};
use bloom_systems::{Built, Pass, Request, System, Verdict};

use crate::answer::Solution;
use crate::kind::filter::Filter;
use crate::question::Query;
use crate::say::numbers::grouped;
use crate::say::words::{as_typed, underscored};

/// A quantity that a system takes besides n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Argument {
    /// p: the requested rate, or a decimal of at most four significant digits to pass in its place.
    Rate(f64),
    /// m.
    Bits(u64),
    /// m/n.
    BitsPerItem(f64),
}

impl Argument {
    /// Returns the letter of the quantity: p, m or m/n.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Rate(_) => "p",
            Self::Bits(_) => "m",
            Self::BitsPerItem(_) => "m/n",
        }
    }

    /// Returns the value of a request that the call passes; `None` if the system has only one size.
    fn of(system: &System, request: Request) -> Option<Self> {
        match (system.sizing.takes, request.bits, request.rate) {
            (Takes::OneSize, ..) => None,
            (Takes::RateOrBits, Some(bits), _) => Some(Self::Bits(bits)),
            (_, Some(bits), _) => Some(Self::BitsPerItem(system.per_item(bits, request.items))),
            (_, None, rate) => rate.map(Self::Rate),
        }
    }
}

impl fmt::Display for Argument {
    /// Writes the value in the form for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rate(rate) => f.write_str(&as_typed(rate)),
            Self::Bits(bits) => f.write_str(&grouped(bits)),
            Self::BitsPerItem(bits) => write!(f, "{bits}"),
        }
    }
}

/// A value to pass to a system, and the filter that the system builds for it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Passed {
    /// The value.
    pub value: Argument,
    /// The bits m of the filter.
    pub bits: u64,
    /// The hashes k of the filter.
    pub hashes: u8,
}

/// The call that creates a filter with a system.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// The call: a line of code, a command or a few properties.
    pub text: String,
    /// The line of code as a statement, with its imports; `None` where there is nothing to import.
    pub code: Option<String>,
    /// The value that the text passes in place of the requested one; `None` if the requested value keeps
    /// the rate, or if no value does.
    pub pass: Option<Passed>,
    /// The requested value; `None` where the system has only one size.
    pub given: Option<Argument>,
    /// What else keeps the rate, if no value does.
    pub remedy: Option<Remedy>,
    /// The search for a value that keeps the rate tries filters of at most this many hashes; `None` if there is no limit.
    pub most_hashes: Option<u8>,
}

/// How to keep a rate that a system misses with every value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Remedy {
    /// Raise a limit in the settings of the system.
    Limit {
        /// What to set, in lines.
        text: String,
        /// The value to pass in place of the requested one, if the higher limit alone is not enough.
        pass: Option<Argument>,
        /// The bits m of the filter that the system then builds.
        bits: u64,
        /// The hashes k of that filter.
        hashes: u8,
    },
    /// Ask the system for a filter for more items than are inserted.
    Room {
        /// The items to pass.
        items: u64,
        /// The bits m of the filter that the system then builds.
        bits: u64,
        /// The hashes k of that filter.
        hashes: u8,
    },
}

/// The search for a filter with room for more items ends at this many times the items.
const ROOM: u64 = 1 << 10;

impl Solution {
    /// Returns the call that creates this filter with its system. If this filter misses the target rate, the call creates one
    /// that keeps it, where a value for that exists. `None` if no other system sized the filter.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_params::{Filter, Query, like};
    ///
    /// let rbloom = like::system("rbloom").ok_or("not known")?;
    /// let filter = Filter::of_system(rbloom);
    /// let query = Query { items: Some(2_000), rate: Some(0.01), filter, ..Query::default() };
    /// let call = query.solve()?.call().ok_or("no library")?;
    /// // rbloom rounds k down, so a filter for 0.01 would have the rate 0.010134.
    /// assert_eq!(call.text, "Bloom(2_000, 0.00985)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call(&self) -> Option<Call> {
        let Filter::OfSystem { system, expansion } = self.asked.filter else {
            return None;
        };
        let given = self.request();
        let pass = match self.met {
            Some(false) => self.pass(system),
            _ => None,
        };
        let mut text = match &pass {
            Some(pass) => written(system, pass.request, (pass.bits, pass.hashes)),
            None => written(system, given, (self.bits, self.hashes)),
        };
        if let (Some(option), Some(times)) = (system.expansion, expansion) {
            text += &format!(" {} {times}", option.text);
        }
        let misses = self.met == Some(false) && pass.is_none();
        let remedy = misses.then(|| self.remedy(given)).flatten();
        let code = Some(system.call.code).filter(|code| !code.is_empty());
        Some(Call {
            code: code.map(|code| code.replace("{call}", &text)),
            text,
            remedy,
            pass: pass.and_then(|pass| {
                Some(Passed {
                    value: Argument::of(system, pass.request)?,
                    bits: pass.bits,
                    hashes: pass.hashes,
                })
            }),
            given: Argument::of(system, given),
            most_hashes: system.most_hashes_tried(given),
        })
    }
}

impl Solution {
    /// Returns the request for which the system built this filter.
    fn request(&self) -> Request {
        Request {
            items: self.items,
            bits: self.as_built().and_then(|built| built.request.bits),
            rate: self.asked.rate,
        }
    }

    /// Returns the request for which a system builds a filter that keeps the rate; `None` if there is none.
    pub(crate) fn pass(&self, system: &'static System) -> Option<Pass> {
        let asked = Query {
            filter: Filter::of_system(system),
            ..self.asked
        };
        system.least(self.request(), &|items, bits, hashes| {
            let judged = Solution::new(asked, &[], (items, bits, hashes)).ok()?;
            Some(Verdict {
                rate: judged.rate.value(),
                keeps: judged.met == Some(true),
            })
        })
    }

    /// Returns how to keep a rate that every value misses: with a higher limit, or with room for more items.
    fn remedy(&self, given: Request) -> Option<Remedy> {
        let system = self.asked.filter.system()?;
        let keeps = |built: &Built| {
            let size = (self.items, built.bits, built.hashes);
            let judged = Solution::new(self.asked, &[], size);
            judged.is_ok_and(|solution| solution.met == Some(true))
        };
        if let Some(limit) = &system.limit {
            let size = |built: Built| (built.bits, built.hashes);
            let as_given = limit.raised.build(given).ok().filter(keeps).map(size);
            let (request, (bits, hashes)) = if let Some(size) = as_given {
                (given, size)
            } else {
                let pass = self.pass(limit.raised)?;
                (pass.request, (pass.bits, pass.hashes))
            };
            return Some(Remedy::Limit {
                text: filled(limit.text, Language::Other, request, (bits, hashes)),
                pass: Argument::of(system, request).filter(|_| as_given.is_none()),
                bits,
                hashes,
            });
        }
        let with_room = |items| {
            let built = system.build(Request { items, ..given });
            built.ok().filter(keeps)
        };
        let most = self.items.saturating_mul(ROOM);
        let least = first_true(self.items, most, self.items, |items| {
            with_room(items).is_some()
        });
        let (items, built) = least.and_then(|items| Some((items, with_room(items)?)))?;
        let (bits, hashes) = (built.bits, built.hashes);
        Some(Remedy::Room {
            items,
            bits,
            hashes,
        })
    }
}

/// Returns the language of a system's [`Call::code`]; `None` if it has none.
#[cfg(feature = "json")]
pub(crate) fn language(system: &System) -> Option<Language> {
    Some(system.call.language).filter(|_| !system.call.code.is_empty())
}

/// Returns the call for a request, which builds a filter of this size.
pub(crate) fn written(system: &System, request: Request, (bits, hashes): (u64, u8)) -> String {
    let (template, given) = match request.bits {
        Some(given) if !system.call.bits.is_empty() => (system.call.bits, given),
        _ => (system.call.rate, bits),
    };
    let per_item = system.per_item(given, request.items).to_string();
    let template = template.replace("{m/n}", &per_item);
    filled(&template, system.call.language, request, (given, hashes))
}

/// Returns a template with its placeholders replaced by values.
fn filled(
    template: &str,
    language: Language,
    request: Request,
    (given, hashes): (u64, u8),
) -> String {
    let count = |number| count(language, number);
    template
        .replace("{n}", &count(request.items))
        .replace("{m}", &count(given))
        .replace("{bytes}", &count(given.div_ceil(8)))
        .replace("{k}", &hashes.to_string())
        .replace("{p}", &request.rate.map_or(String::new(), as_typed))
}

/// Writes a count as a literal of a language.
fn count(language: Language, count: u64) -> String {
    let text = underscored(count);
    match language {
        Language::Cpp | Language::Other => count.to_string(),
        Language::Java if i32::try_from(count).is_err() => format!("{text}L"),
        _ => text,
    }
}
