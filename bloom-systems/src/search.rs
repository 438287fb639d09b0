//! Searches for requests to a system, a library or database that builds Bloom filters. A request is for a rate p or for m bits.
//! The filter that the system builds for p may have a higher rate than p. One search finds the largest p, or the least m, whose
//! filter keeps a target rate: its rate is at most the target. Another search finds the most items for a given memory.
//!
//! The rate of a filter does not simply fall with p: where the system takes one more hash, the rate may rise a
//! little. While the number of hashes stays the same, the rate does fall. Some systems choose m and k from a table of rates:
//! from one entry of the table to the next, the filter stays the same. So the search goes through ranges of p in turn. In each
//! range the number of hashes, or the entry, stays the same.
//!
//! Double hashing modulo m adds more to the rate where m has small divisors, so the rate of a small filter jumps from one
//! m to the next. Small filters are tried one after the other. For larger filters, the search finds a p that keeps the
//! rate, but a slightly larger p might keep it, too.

use bloom_core::math::{MAX_BITS, Rate, first_true, hash_floor};

use crate::Positions;
use crate::rates::{Judge, Verdict};
use crate::refusal::Refusal;
use crate::request::Request;
use crate::rule::{Bits, Takes};
use crate::system::System;

/// A request for which the system builds a filter that keeps the target rate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Pass {
    /// The request. A rate in it is a decimal of at most four significant digits.
    pub request: Request,
    /// The bits m of the filter.
    pub bits: u64,
    /// The hashes k of the filter.
    pub hashes: u8,
}

/// The rate in a [`Pass`] has at most this many significant digits.
const DIGITS: u32 = 4;

/// With independent positions, a range of requests whose filters have the same number of hashes is tried filter by filter if
/// the bits of its first and last filter differ by at most this.
const FEW_SIZES: u64 = 256;

/// Filters of up to this many hashes are tried in every search.
const FEW_HASHES: u8 = 32;

/// A larger filter with more hashes may have a higher rate than a smaller one, up to this many times as high: double hashing
/// adds most to the rate where m has small divisors. The search begins at a filter whose rate is at most this many times the
/// target rate.
const NEAR: f64 = 4.0;

/// The number of decimals with [`DIGITS`] significant digits from one power of ten to the next.
const DECIMALS: u64 = 9 * 10_u64.pow(DIGITS - 1);

/// With dependent positions, the search tries every size up to this many bits. For larger filters this would take too long: the
/// computation of one rate takes up to about ten milliseconds.
const SMALL: u64 = 512;

/// The index of the last decimal that is tried, 1e-307.
const LAST: u64 = 307 * DECIMALS - 1;

/// Returns the decimal of this index in the series 0.9999, 0.9998 and so on, cut to `digits` significant digits.
fn decimal(index: u64, digits: u32) -> f64 {
    let cut = 10_u64.pow(DIGITS - digits);
    let mantissa = (10_u64.pow(DIGITS) - 1 - index % DECIMALS) / cut * cut;
    let exponent = u64::from(DIGITS) + index / DECIMALS;
    over_power_of_ten(mantissa as f64, exponent)
}

/// Returns the number divided by 10^`power`, rounded as a parser would round it. The division by exact powers of ten keeps a
/// pair of numbers, the second of which is the error of the first. The parser of the standard library is not used, because it
/// takes more code than the whole search.
fn over_power_of_ten(number: f64, mut power: u64) -> f64 {
    // The numbers are scaled by 2^200, so that the second one is not below the range of f64.
    let (mut high, mut low) = (libm::scalbn(number, 200), 0.0);
    while power > 0 {
        let part = power.min(22);
        let divisor = (0..part).fold(1.0, |product, _| product * 10.0);
        let quotient = high / divisor;
        let rest = (libm::fma(-quotient, divisor, high) + low) / divisor;
        high = quotient + rest;
        low = rest - (high - quotient);
        power -= part;
    }
    libm::scalbn(high, -200)
}

/// The requests that are tried in turn. The bits of their filters never fall from one to the next.
struct Requests<'a> {
    system: &'a System,
    judge: Judge<'a>,
    given: Request,
    /// If the system is given bits, the difference of the bits of a request and the next one.
    step: u64,
    first: u64,
    last: u64,
    most_hashes: u8,
}

impl System {
    /// Returns a request whose filter keeps the target rate of `judge`. The request is for a lower rate, or for more
    /// bits, than the request `missed`. Returns `None` if no such filter is found with up to
    /// [`most_hashes_tried`](Self::most_hashes_tried) hashes.
    pub fn least(&self, missed: Request, judge: Judge<'_>) -> Option<Pass> {
        let requests = Requests::new(self, missed, judge)?;
        let found = requests.first_that_keeps()?;
        let mut request = requests.at(found);
        let size = requests.size(found);
        if request.bits.is_none() {
            // The shortest decimal for which the system builds the same filter.
            let mut cut = (1..=DIGITS).map(|digits| requests.of_digits(found, digits));
            request = cut.find(|request| self.size(*request) == size)?;
        }
        let (bits, hashes) = size?;
        Some(Pass {
            request,
            bits,
            hashes,
        })
    }

    /// Returns the most hashes of a filter that [`least`](Self::least) tries; `None` if it tries all, as for
    /// [`Positions::Independent`]. For dependent positions, it is 32, or twice the hashes of the
    /// filter that missed if that is more. With still more hashes, one rate takes up to 20 ms to
    /// compute.
    pub fn most_hashes_tried(&self, missed: Request) -> Option<u8> {
        let hashes = self.size(missed).map_or(0, |(_, hashes)| hashes);
        let is_dependent = self.positions != Positions::Independent;
        is_dependent.then_some(hashes.saturating_mul(2).max(FEW_HASHES))
    }

    /// Returns the request for the most items for which the system builds a filter of at most `bits` bits. A system that
    /// takes p is given `rate`, and its filter may miss this rate. The filter of a system that takes no p keeps `rate`. A
    /// system with one size takes any number of items.
    ///
    /// # Errors
    ///
    /// The bits are too few for one item, the rate is too low for one item in these bits, or the system refuses one item at
    /// this rate.
    pub fn most(&self, bits: u64, rate: f64, judge: Judge<'_>) -> Result<Request, Refusal> {
        if !self.takes_rate() {
            return self.most_that_keep(bits, rate, judge);
        }
        let items = self.most_items(bits, rate);
        if items > 0 {
            return Ok(Request::for_rate(items, rate));
        }
        Err(Refusal::Memory {
            least: self.build(Request::for_rate(1, rate))?.bits,
            got: bits,
            for_rate: self.sizing.takes != Takes::OneSize,
        })
    }

    /// If a request for a rate is refused for too many items, returns the most items that the system takes at this rate.
    /// Returns `None` if the request is for bits, or the system does not take even one item.
    pub fn most_items_at(&self, refused: Request) -> Option<u64> {
        let items = |items| Request { items, ..refused };
        let builds = |n| self.build(items(n)).is_ok();
        if refused.bits.is_some() || !builds(1) {
            return None;
        }
        let too_many = first_true(1, refused.items, refused.items / 2, |n| !builds(n));
        Some(too_many? - 1)
    }

    /// Returns the most items for which the system's rule for a rate gives at most `bits` bits, without a step that lowers them
    /// to a limit.
    fn most_items(&self, bits: u64, rate: f64) -> u64 {
        let most = self.sizing.most_bits.min(bits);
        let too_many = |items| {
            let size = self.bits(Request::for_rate(items, rate));
            size.map_or(true, |size| {
                size.capped.is_some() || size.bits > most.into()
            })
        };
        let guess = (bits / 10).clamp(1, self.sizing.most_items);
        let first = first_true(1, self.sizing.most_items, guess, too_many);
        first.map_or(self.sizing.most_items, |first| first - 1)
    }

    /// Returns the request for the most items whose filter, in at most `bits` bits, keeps `rate`.
    ///
    /// Every number of hashes is tried, from the lowest on, because the rate may fall where the number of hashes changes. With
    /// the same number of hashes, the rate rises with the items, except for the rounding of m/n.
    fn most_that_keep(&self, bits: u64, rate: f64, judge: Judge<'_>) -> Result<Request, Refusal> {
        // Requests as many bits as possible for a filter of at most `bits` bits.
        let request = |items: u64| {
            let unit = match self.sizing.takes {
                Takes::WholeBitsPerItem => items,
                _ => 1,
            };
            let is_too_much = |units: u64| {
                let built = self.build(Request::for_bits(items, units * unit));
                built.is_ok_and(|built| built.bits > bits || built.capped.is_some())
            };
            let units = bits / unit;
            let beyond = first_true(1, units, units, is_too_much);
            let most = beyond.map_or(units, |beyond| beyond - 1);
            Request::for_bits(items, most * unit)
        };
        let build = |items| self.build(request(items)).ok();
        let hashes = |items| build(items).map_or(0, |built| built.hashes);
        let keeps = |items| {
            let verdict = build(items).and_then(|built| judge(items, built.bits, built.hashes));
            verdict.is_some_and(|verdict| verdict.keeps)
        };
        let beyond = first_true(1, bits, bits / 10, |items| hashes(items) == 0);
        let mut last = beyond.map_or(bits, |beyond| beyond - 1);
        if last == 0 {
            return Err(Refusal::Memory {
                least: self.build(Request::for_bits(1, 1))?.bits,
                got: bits,
                for_rate: false,
            });
        }
        while last > 0 {
            let count = hashes(last);
            let fewest = first_true(1, last, last, |items| hashes(items) <= count);
            let first = fewest.unwrap_or(last);
            if keeps(first) {
                let beyond = first_true(first, last, first, |items| !keeps(items));
                return Ok(request(beyond.map_or(last, |beyond| beyond - 1)));
            }
            last = first - 1;
        }
        Err(Refusal::RateInMemory { bits, got: rate })
    }

    /// Returns the bits and hashes of the filter that the system builds.
    fn size(&self, request: Request) -> Option<(u64, u8)> {
        let built = self.build(request).ok()?;
        Some((built.bits, built.hashes))
    }
}

impl<'a> Requests<'a> {
    /// The requests for a lower rate, or for more bits; `None` if there are none.
    fn new(system: &'a System, given: Request, judge: Judge<'a>) -> Option<Self> {
        let step = match system.sizing.takes {
            Takes::OneSize => return None,
            Takes::WholeBitsPerItem => given.items,
            _ => 1,
        };
        let (first, last) = if let Some(bits) = given.bits {
            (bits / step + 1, MAX_BITS / step)
        } else {
            let target = given.rate?;
            let is_below = |index| decimal(index, DIGITS) < target;
            (first_true(0, LAST, 0, is_below)?, LAST)
        };
        (first <= last).then_some(Self {
            system,
            judge,
            given,
            step,
            first,
            last,
            most_hashes: system.most_hashes_tried(given).unwrap_or(u8::MAX),
        })
    }

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

    /// Returns the bits and hashes of the filter for a request; `None` if the system refuses the request, or the filter has
    /// more than `most_hashes` hashes.
    fn size(&self, index: u64) -> Option<(u64, u8)> {
        let size = self.system.size(self.at(index))?;
        Some(size).filter(|size| size.1 <= self.most_hashes)
    }

    fn verdict(&self, index: u64) -> Option<Verdict> {
        let (bits, hashes) = self.size(index)?;
        (self.judge)(self.given.items, bits, hashes)
    }

    fn keeps(&self, index: u64) -> bool {
        self.verdict(index).is_some_and(|verdict| verdict.keeps)
    }

    /// Returns the index of the first request whose filter keeps the rate.
    fn first_that_keeps(&self) -> Option<u64> {
        let keeps = |index| self.keeps(index);
        let mut from = self.first_near()?;
        let jumps = self.system.positions != Positions::Independent;
        let is_large = |bits| jumps && bits > SMALL;
        while from <= self.last {
            let (bits, hashes) = self.size(from)?;
            if is_large(bits) {
                let ends = |index| self.size(index).is_none() || keeps(index);
                return first_true(from, self.last, from, ends).filter(|index| keeps(*index));
            }
            let entry = self.entry_at_most(from);
            let is_other = |index| match (entry, self.at(index).rate) {
                (Some(entry), Some(rate)) => rate < entry,
                _ => self
                    .size(index)
                    .is_none_or(|size| size.1 != hashes || is_large(size.0)),
            };
            let next = first_true(from, self.last, from, is_other);
            let end = next.map_or(self.last, |next| next - 1);
            let bits = |index| self.size(index).map_or(u64::MAX, |size| size.0);
            if jumps || bits(end).saturating_sub(bits(from)) <= FEW_SIZES {
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

    /// Returns the index of the first request whose filter is not tried, or has a rate of at most [`NEAR`] times the target. No
    /// earlier request keeps the target rate.
    fn first_near(&self) -> Option<u64> {
        let target = self.given.rate?;
        // No filter has a rate below this floor, whatever its bits.
        let width = self.system.positions.hash_bits();
        if width.is_some_and(|width| {
            hash_floor(self.given.items, width).is_ok_and(|floor| floor > target)
        }) {
            return None;
        }
        let system = self.system;
        let is_near = |index| {
            let verdict = match system.positions {
                Positions::Walk => self.size(index).and_then(|(bits, hashes)| {
                    let ideal = system.layout.rate(self.given.items, bits, hashes);
                    ideal.ok().map(Rate::value)
                }),
                _ => self.verdict(index).map(|verdict| verdict.rate),
            };
            verdict.is_none_or(|rate| rate <= NEAR * target)
        };
        first_true(self.first, self.last, self.first, is_near)
    }

    /// If the system has a table, returns the largest entry that is not above the rate of the request. For all rates from
    /// that of the request down to this entry, the system builds the same filter. The hashes in a table may rise and fall again
    /// as p falls.
    fn entry_at_most(&self, index: u64) -> Option<f64> {
        match self.system.sizing.bits {
            Bits::Table(table) => table.entry_at_most(self.at(index).rate?),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::rates::Rates;
    use crate::rule::Step;
    use crate::system::system;
    use crate::systems::SYSTEMS;

    #[test]
    fn decimals_fall_by_their_last_digit() {
        let decimals = [0, 8_999, 9_000, 9_136, LAST].map(|index| decimal(index, DIGITS));
        assert_eq!(decimals, [0.9999, 0.1, 0.099_99, 0.098_63, 1e-307]);
        let shorter = [decimal(9_000, 2), decimal(9_136, 1)];
        assert_eq!(shorter, [0.099, 0.09]);
        for index in (0..=LAST).step_by(7) {
            let exponent = u64::from(DIGITS) + index / DECIMALS;
            let mantissa = 9_999 - index % DECIMALS;
            let text = std::format!("{mantissa}e-{exponent}");
            assert_eq!(Ok(decimal(index, DIGITS)), text.parse(), "{text}");
        }
    }

    /// Compares the request that the search finds with the first one that keeps the rate when 4,000 requests are tried in
    /// turn. Returns whether the search finds one; `None` if there is nothing to search for.
    fn checked(system: &System, request: Request, target: f64) -> Option<bool> {
        let (bits, hashes) = system.size(request)?;
        let rates = Rates::new(system);
        let judge = rates.judge(target);
        let missed = judge(request.items, bits, hashes).is_some_and(|verdict| !verdict.keeps);
        let requests = Requests::new(system, request, &judge).filter(|_| missed)?;
        let mut tried = requests.first..requests.first + 4_000;
        let (mut last, mut kept) = (None, false);
        let first = tried.find(|index| {
            let size = requests.size(*index);
            if size != last {
                (last, kept) = (size, requests.keeps(*index));
            }
            kept
        });
        let found = requests.first_that_keeps();
        // Where the rate jumps with m, the search may find a larger filter than the first that keeps the rate.
        let is_large = |index| requests.size(index).is_some_and(|size| size.0 > SMALL);
        let jumps = system.positions != Positions::Independent && found.is_some_and(is_large);
        match (first, found) {
            (Some(first), Some(found)) if jumps => {
                assert!(found >= first && requests.keeps(found));
            }
            (Some(_), _) => assert_eq!(found, first, "{} for {request:?}", system.name),
            (None, _) => assert!(found.is_none_or(|found| found >= tried.end)),
        }
        Some(found.is_some())
    }

    /// A verdict may take some milliseconds, so a search must not need many verdicts.
    #[test]
    fn few_sizes_are_judged_where_none_keeps_the_rate() {
        for (items, rate) in [(1, 0.01), (1, 0.001), (2, 0.001), (3, 1e-4), (100, 1e-12)] {
            for system in SYSTEMS.iter().filter(|system| system.takes_rate()) {
                let (rates, judged) = (Rates::new(system), core::cell::Cell::new(0));
                let judge = rates.judge(rate);
                system.least(Request::for_rate(items, rate), &|items, bits, hashes| {
                    judged.set(judged.get() + 1);
                    judge(items, bits, hashes)
                });
                let (judged, name) = (judged.get(), system.name);
                assert!(judged <= 100, "{name} for {items} at {rate}: {judged}");
            }
        }
    }

    fn request(items: u64, bits: Option<u64>, rate: f64) -> Request {
        let rate = Some(rate);
        Request { items, bits, rate }
    }

    #[test]
    fn the_search_skips_no_value_that_keeps_the_rate() {
        let (mut passes, mut none) = (0, 0);
        for system in SYSTEMS {
            for items in [1, 7, 60, 900] {
                for rate in [0.4, 0.03, 0.001] {
                    for bits in [None, Some(items * 9)] {
                        if bits.is_some() && system.sizing.takes == Takes::Rate
                            || bits.is_none() && !system.takes_rate()
                        {
                            continue;
                        }
                        if let Some(found) = checked(system, request(items, bits, rate), rate) {
                            passes += u32::from(found);
                            none += u32::from(!found);
                        }
                    }
                }
            }
        }
        assert!(passes > 50 && none > 0, "{passes} passes, {none} without");
    }

    /// The number of hashes in Pei Cao's table rises and falls as p falls. If all filters have the same bits, so does their
    /// rate.
    #[test]
    fn hashes_that_rise_and_fall_hide_no_value() {
        let cassandra = system("cassandra").expect("a known system");
        let mut sizing = cassandra.sizing;
        sizing.steps = &[Step::AtLeast(64), Step::AtMost(64)];
        let positions = Positions::Independent;
        let fixed = System {
            sizing,
            positions,
            ..*cassandra
        };
        let rates = (0..110).map(|step| 0.14 * 0.99_f64.powi(step));
        let found = rates.filter_map(|rate| checked(&fixed, request(10, None, rate), rate));
        let passes = found.filter(|found| *found).count();
        assert!(passes > 5, "{passes}");
    }
}
