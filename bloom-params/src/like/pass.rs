//! The value to pass to a library whose filter would miss the rate asked for: the largest p, or the
//! least m, with which the filter that it builds keeps that rate.
//!
//! The rate does not simply fall with p: at each further hash that a library takes, it may rise a
//! little. While the number of hashes, or the entry of a table, stays the same, it does fall, so the
//! search takes one of these after the other.
//!
//! Double hashing modulo m adds more where m has small divisors, so the rate of a small filter jumps from one
//! m to the next. Small filters are tried one after the other; for larger ones a value is found that keeps the
//! rate, though a slightly larger p might, too.

use std::fmt;

use bloom_core::math::{MAX_BITS, first_true};
use bloom_systems::Positions;

use super::build::Request;
use super::rule::{Bits, Library, Takes};
use super::tables::PEI_CAO;
use crate::decimal::Decimal;
use crate::numbers::grouped;
use crate::query::Query;
use crate::solution::Solution;
use crate::words::as_typed;

/// A value to pass to a library, and the filter that the library builds for it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Pass {
    /// The value.
    pub value: Argument,
    /// The bits m of the filter.
    pub bits: u64,
    /// The hashes k of the filter.
    pub hashes: u8,
    pub(super) request: Request,
}

/// What a library takes beside n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Argument {
    /// p: a decimal of at most four significant digits.
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
}

impl fmt::Display for Argument {
    /// Writes the value for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rate(rate) => f.write_str(&as_typed(rate)),
            Self::Bits(bits) => f.write_str(&grouped(bits)),
            Self::BitsPerItem(bits) => write!(f, "{bits}"),
        }
    }
}

/// The significant digits of a rate to pass.
const DIGITS: u32 = 4;

/// Sizes with the same hashes are tried one after the other where their bits differ by at most this.
const FEW_SIZES: u64 = 256;

/// How many times as high the rate of a filter may be as that of a smaller one with fewer hashes: where double hashing adds
/// most for small divisors of m.
const NEAR: f64 = 4.0;

/// The number of decimals with that many digits between two powers of ten.
const DECIMALS: u64 = 9 * 10_u64.pow(DIGITS - 1);

/// The most bits of a filter with dependent positions for which sizes are tried one after the other: a rate takes up to
/// some ten milliseconds.
const SMALL: u64 = 512;

/// The index of the last decimal that is tried, 1e-307.
const LAST: u64 = 307 * DECIMALS - 1;

/// Returns a decimal below 1: 0.9999, 0.9998 and so on, with its last digits cut to zeros.
fn decimal(index: u64, digits: u32) -> f64 {
    let cut = 10_u64.pow(DIGITS - digits);
    let mantissa = (10_u64.pow(DIGITS) - 1 - index % DECIMALS) / cut * cut;
    let exponent = u64::from(DIGITS) + index / DECIMALS;
    Decimal::new(&mantissa.to_string(), -(exponent as i64)).to_f64()
}

/// The requests that are tried in turn. The bits of their filters never fall from one to the next.
struct Requests {
    given: Request,
    /// The bits from one request to the next, if the library is given bits.
    step: u64,
    first: u64,
    last: u64,
}

impl Requests {
    fn at(&self, index: u64) -> Request {
        match self.given.bits {
            Some(_) => Request {
                bits: Some(index * self.step),
                ..self.given
            },
            None => self.of_digits(index, DIGITS),
        }
    }

    fn of_digits(&self, index: u64, digits: u32) -> Request {
        Request::for_rate(self.given.items, decimal(index, digits))
    }
}

impl Library {
    /// Returns the value in a request; `None` if it has only one size.
    pub(super) fn value(&self, request: Request) -> Option<Argument> {
        match (self.takes, request.bits, request.rate) {
            (Takes::OneSize, ..) => None,
            (Takes::RateOrBits, Some(bits), _) => Some(Argument::Bits(bits)),
            (_, Some(bits), _) => {
                let per_item = self.per_item(bits, request.items);
                Some(Argument::BitsPerItem(per_item))
            }
            (_, None, rate) => rate.map(Argument::Rate),
        }
    }

    /// Returns the value to pass so that the filter keeps the rate that the one of `solution` misses;
    /// `None` if no value does.
    pub(super) fn pass(&'static self, solution: &Solution) -> Option<Pass> {
        let requests = self.requests(solution)?;
        let found = self.first_that_keeps(solution, &requests)?;
        let mut request = requests.at(found);
        let size = self.size(request);
        if request.bits.is_none() {
            // The shortest decimal for which it builds the same filter.
            let mut cut = (1..=DIGITS).map(|digits| requests.of_digits(found, digits));
            request = cut.find(|request| self.size(*request) == size)?;
        }
        let (bits, hashes) = size?;
        Some(Pass {
            value: self.value(request)?,
            bits,
            hashes,
            request,
        })
    }

    /// Returns the requests for a lower rate, or for more bits, than the one answered by `solution`.
    fn requests(&self, solution: &Solution) -> Option<Requests> {
        let (given, target) = (Request::of(solution), solution.asked.rate?);
        let step = match self.takes {
            Takes::OneSize => return None,
            Takes::WholeBitsPerItem => given.items,
            _ => 1,
        };
        let (first, last) = if let Some(bits) = given.bits {
            (bits / step + 1, MAX_BITS / step)
        } else {
            let is_below = |index| decimal(index, DIGITS) < target;
            (first_true(0, LAST, 0, is_below)?, LAST)
        };
        Some(Requests {
            given,
            step,
            first,
            last,
        })
    }

    /// Returns the index of the first request whose filter keeps the rate.
    fn first_that_keeps(&'static self, solution: &Solution, requests: &Requests) -> Option<u64> {
        let keeps = |index| self.keeps(solution, requests.at(index));
        let mut from = self.first_near(solution, requests)?;
        if self.positions != Positions::Independent
            && self
                .size(requests.at(from))
                .is_some_and(|size| size.0 > SMALL)
        {
            let ends = |index| self.size(requests.at(index)).is_none() || keeps(index);
            return first_true(from, requests.last, from, ends).filter(|index| keeps(*index));
        }
        while from <= requests.last {
            let request = requests.at(from);
            let (_, hashes) = self.size(request)?;
            let entry = self.entry_at_most(request);
            let is_other = |index| {
                let request = requests.at(index);
                match (entry, request.rate) {
                    (Some(entry), Some(rate)) => rate < entry,
                    _ => self.size(request).is_none_or(|size| size.1 != hashes),
                }
            };
            let next = first_true(from, requests.last, from, is_other);
            let end = next.map_or(requests.last, |next| next - 1);
            let bits = |index| {
                self.size(requests.at(index))
                    .map_or(u64::MAX, |size| size.0)
            };
            if bits(end).saturating_sub(bits(from)) <= FEW_SIZES {
                let mut at = Some(from);
                while let Some(index) = at {
                    if keeps(index) {
                        return Some(index);
                    }
                    at = first_true(index, end, index, |other| bits(other) > bits(index));
                }
            } else if keeps(end) {
                return first_true(from, end, from, keeps);
            }
            from = next?;
        }
        None
    }

    /// Returns the index of the first request whose filter is near the rate, or not built. Before it none keeps the rate.
    fn first_near(&'static self, solution: &Solution, requests: &Requests) -> Option<u64> {
        let target = solution.asked.rate?;
        let is_near = |index| {
            let answer = self.answer_like(solution, requests.at(index));
            answer.is_none_or(|answer| answer.rate.value() <= NEAR * target)
        };
        first_true(requests.first, requests.last, requests.first, is_near)
    }

    /// Returns the largest rate in the table of a library that has one, down to which it builds the filter of
    /// this request. Its hashes may rise and fall again as p falls.
    fn entry_at_most(&self, request: Request) -> Option<f64> {
        let rate = request.rate.filter(|_| matches!(self.bits, Bits::Table))?;
        let entries = PEI_CAO.iter().flat_map(|row| row.iter().copied());
        entries.filter(|entry| *entry <= rate).reduce(f64::max)
    }

    /// Returns whether the filter for a request keeps the rate that `solution` misses.
    fn keeps(&'static self, solution: &Solution, request: Request) -> bool {
        let answer = self.answer_like(solution, request);
        answer.is_some_and(|answer| answer.met == Some(true))
    }

    /// Returns the filter that it builds for a request in place of that of `solution`.
    fn answer_like(&'static self, solution: &Solution, request: Request) -> Option<Solution> {
        let query = Query {
            items: Some(request.items),
            ..solution.asked
        };
        self.answer(query, request).ok()
    }

    /// Returns the bits and hashes of the filter that it builds.
    fn size(&self, request: Request) -> Option<(u64, u8)> {
        let built = self.build(request).ok()?;
        Some((built.bits, built.hashes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::like::rule::Step;
    use crate::like::{LIBRARIES, library};

    #[test]
    fn decimals_fall_by_their_last_digit() {
        for (index, digits, value) in [
            (0, 4, 0.9999),
            (8_999, 4, 0.1),
            (9_000, 4, 0.099_99),
            (9_000, 2, 0.099),
            (9_136, 4, 0.098_63),
            (9_136, 1, 0.09),
            (LAST, 4, 1e-307),
        ] {
            assert_eq!(decimal(index, digits), value, "{index}, {digits} digits");
        }
    }

    /// Returns whether a value is found for a question, after comparing it with that of trying one after the
    /// other; `None` where nothing is missed.
    fn checked(library: &'static Library, asked: Query) -> Option<bool> {
        let missed = library.solve(asked).ok();
        let missed = missed.filter(|missed| missed.met == Some(false))?;
        let requests = library.requests(&missed)?;
        let mut tried = requests.first..requests.first + 4_000;
        let (mut last, mut kept) = (None, false);
        let first = tried.find(|index| {
            let size = library.size(requests.at(*index));
            if size != last {
                (last, kept) = (size, library.keeps(&missed, requests.at(*index)));
            }
            kept
        });
        let found = library.first_that_keeps(&missed, &requests);
        // Where the rate jumps with m, a larger filter than the first that keeps it may be found.
        let is_large = |index| {
            library
                .size(requests.at(index))
                .is_some_and(|size| size.0 > SMALL)
        };
        let jumps = library.positions != Positions::Independent && found.is_some_and(is_large);
        match (first, found) {
            (Some(first), Some(found)) if jumps => {
                assert!(found >= first && library.keeps(&missed, requests.at(found)));
            }
            (Some(_), _) => assert_eq!(found, first, "{} for {asked:?}", library.name),
            (None, _) => assert!(found.is_none_or(|found| found >= tried.end)),
        }
        Some(found.is_some())
    }

    fn asked(items: u64, bits: Option<u64>, rate: f64) -> Query {
        Query {
            items: Some(items),
            bits,
            rate: Some(rate),
            ..Query::default()
        }
    }

    #[test]
    fn the_search_skips_no_value_that_keeps_the_rate() {
        let (mut passes, mut none) = (0, 0);
        for library in LIBRARIES {
            for items in [1, 7, 60, 900] {
                for rate in [0.4, 0.03, 0.001] {
                    for bits in [None, Some(items * 9)] {
                        if let Some(found) = checked(library, asked(items, bits, rate)) {
                            passes += u32::from(found);
                            none += u32::from(!found);
                        }
                    }
                }
            }
        }
        assert!(passes > 50 && none > 0, "{passes} passes, {none} without");
    }

    /// The hashes of Pei Cao's table rise and fall as p falls; without more bits the rate does so too.
    #[test]
    fn hashes_that_rise_and_fall_hide_no_value() {
        let library = library("cassandra").expect("a row");
        let library = Box::leak(Box::new(Library {
            steps: &[Step::AtLeast(64), Step::AtMost(64)],
            positions: Positions::Independent,
            ..*library
        }));
        let rates = (0..110).map(|step| 0.14 * 0.99_f64.powi(step));
        let found = rates.filter_map(|rate| checked(library, asked(10, None, rate)));
        let passes = found.filter(|found| *found).count();
        assert!(passes > 5, "{passes}");
    }
}
