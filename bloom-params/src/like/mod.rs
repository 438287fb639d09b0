//! What an existing library would build for the same request, and the true rate of that filter.

mod build;
mod call;
mod full;
mod pass;
mod rows;
mod rule;
mod tables;

use bloom_core::math::{MathError, Model, Rate, first_true};
use bloom_systems::Positions;
use bloom_systems::double_hashing::Excess;

use crate::error::InputError;
use crate::filters::{Judge, rate_of};
use crate::numbers::{binary_size, bytes_of_bits, grouped, nearest};
use crate::query::{Query, QueryError};
use crate::solution::{Origin, Quantity, Solution, WhyNoMore};
use crate::words::{as_typed, rounded};
use build::Request;
pub use call::{Call, Language};
pub use pass::{Argument, Pass};
pub use rows::LIBRARIES;
pub use rule::Library;
use rule::Takes;

/// Returns the library of this name.
pub fn library(name: &str) -> Option<&'static Library> {
    LIBRARIES.iter().find(|library| library.name == name)
}

impl Library {
    /// Returns whether this is a program that a document prints, and no library.
    pub fn is_document(&self) -> bool {
        self.version == "as printed"
    }

    /// Returns whether the library takes n and p.
    pub fn takes_rate(&self) -> bool {
        !matches!(self.takes, Takes::Bits | Takes::WholeBitsPerItem)
    }

    /// Returns the flags that the library takes, in words.
    pub fn takes(&self) -> &'static str {
        self.takes.in_words()
    }

    /// Returns the filter that the library builds for n and p, n and m, or m and p, whichever it
    /// takes, and the true rate of that filter; of a library that takes m, for n and p, the filter of the
    /// least m that keeps p.
    ///
    /// # Errors
    ///
    /// The library takes another mix, or builds no such filter.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_params::{Query, like};
    ///
    /// let guava = like::library("guava").ok_or("not known")?;
    /// let query = Query { items: Some(2_000), rate: Some(0.01), ..Query::default() };
    /// let built = guava.solve(query)?;
    /// assert_eq!((built.bits, built.hashes), (19_200, 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(&'static self, query: Query) -> Result<Solution, InputError> {
        let (n, m, k) = (query.items, query.bits, query.hashes);
        in_range(&query)?;
        if let (Some(items), None, None, Some(_)) = (n, m, k, query.rate)
            && !self.takes_rate()
        {
            return self.least(query, items);
        }
        if !self.takes.fits(&query) {
            return Err(InputError::takes(
                &format!("--like {}", self.name),
                self.takes.in_words(),
                &query.given(),
                &self.takes.like(self.name),
            ));
        }
        let request = match (query.items, query.bits, query.rate) {
            (None, Some(bits), Some(rate)) if self.takes.promises_nothing() => {
                self.keep(bits, rate).map_err(InputError::new)?
            }
            (None, Some(bits), Some(rate)) => self.fill(bits, rate).map_err(InputError::new)?,
            (items, bits, rate) => Request {
                items: items.unwrap_or_default(),
                bits,
                rate,
            },
        };
        self.answer(query, request)
    }

    /// Returns the filter of the least m with which a library that takes m keeps the rate.
    fn least(&'static self, query: Query, items: u64) -> Result<Solution, InputError> {
        // One bit per item misses every rate but those near 1.
        let first = Request {
            items,
            bits: Some(items),
            rate: query.rate,
        };
        let first = self.answer(query, first)?;
        if first.met != Some(false) {
            return Ok(first);
        }
        let pass = self.pass(&first).ok_or_else(|| {
            let target = query.rate.map_or(String::new(), as_typed);
            InputError::new(format!("{} keeps p = {target} with no m", self.name))
        })?;
        self.answer(query, pass.request)
    }

    /// Returns the filter that the library builds for `request`, judged for `query`.
    fn answer(&'static self, query: Query, request: Request) -> Result<Solution, InputError> {
        let items = request.items;
        if let (Takes::WholeBitsPerItem, Some(bits)) = (self.takes, request.bits)
            && bits % items != 0
        {
            let (name, got) = (self.name, nearest(bits as f64 / items as f64, 6));
            let message = format!("{name} takes whole bits per item, got m/n = {got}");
            return Err(InputError::new(message));
        }
        let mut built = self.build(request).map_err(|reason| {
            let hint = self.most_items_at(request).unwrap_or_default();
            InputError::new(reason).with_hint(hint)
        })?;
        let mut full = None;
        if let (None, Some(bits), Some(given)) = (query.items, query.bits, request.bits) {
            full = Some(WhyNoMore::Rate);
            let (n, m, given) = (grouped(items), grouped(bits), grouped(given));
            let first = format!(
                "n = {n} and m = {given} are given to it: with one more item its filter of at most m = {m} \
                 misses p"
            );
            built.story.insert(0, first);
        } else if let (None, Some(bits)) = (query.items, query.bits) {
            let more = self.build(Request {
                items: items.saturating_add(1),
                ..request
            });
            full = Some(match more {
                Ok(more) if more.capped.is_none() && items < u64::MAX => WhyNoMore::Memory,
                _ => WhyNoMore::Program,
            });
            let (n, m) = (grouped(items), grouped(bits));
            let first =
                format!("n = {n}, the most items for which the steps below give at most m = {m}");
            built.story.insert(0, first);
        }
        let asked = Query {
            filter: self.layout,
            ..query
        };
        let mut solved = vec![Quantity::Bits, Quantity::Hashes];
        if query.items.is_none() {
            solved.insert(0, Quantity::Items);
        }
        if query.rate.is_none() {
            solved.push(Quantity::Rate);
        }
        let mut solution = Solution::new(asked, &solved, (items, built.bits, built.hashes))?;
        let size = (items, built.bits, built.hashes);
        let (rate, added) = raised(solution.rate, self.positions, size);
        solution.like = Some(Origin {
            name: self.name,
            version: self.version,
            source: self.source,
            note: self.note,
            promised: query.rate.filter(|_| self.takes.promises(&request)),
            story: built.story,
            capped: built.capped,
            full,
            given: request
                .bits
                .filter(|_| query.items.is_none() || query.bits.is_none()),
            expansion: None,
            positions: self.positions,
            ideal: solution.ideal_rate(),
            ideal_met: solution.met,
            added,
            beyond: self,
        });
        if added != Excess::default() {
            let kept = query.rate.map(|target| rate.value() <= target);
            // A share of single filters that keep the target is known for ideal hashes only.
            solution.met = match query.confidence {
                Some(_) => solution.met.zip(kept).map(|(met, kept)| met && kept),
                None => kept,
            };
        }
        solution.rate = rate;
        Ok(solution)
    }
}

impl Library {
    /// Returns the request for the most items that the library puts in `bits` bits.
    fn fill(&self, bits: u64, rate: f64) -> Result<Request, String> {
        let items = self.most_items(bits, rate);
        if items > 0 {
            return Ok(Request::for_rate(items, rate));
        }
        let one = self.build(Request::for_rate(1, rate))?;
        let (least, got) = (grouped(one.bits), grouped(bits));
        Err(format!(
            "m must be at least {least}, the least that {} builds for this p, got {got}",
            self.name
        ))
    }

    /// Returns the request for the most items for which the filter that it puts in `bits` bits keeps
    /// `rate`: with one more item it does not.
    ///
    /// Every number of hashes is tried, from the lowest on, because a rate may be lower again where the
    /// hashes change. For one number of hashes it rises with the items, but for the rounding of m/n.
    fn keep(&self, bits: u64, rate: f64) -> Result<Request, String> {
        let asked = |items, bits| {
            let rate = None;
            let bits = Some(bits);
            Request { items, bits, rate }
        };
        // The most bits that may be asked for, so that its filter takes no more.
        let request = |items: u64| {
            let unit = match self.takes {
                Takes::WholeBitsPerItem => items,
                _ => 1,
            };
            let is_too_much = |units: u64| {
                let built = self.build(asked(items, units * unit));
                built.is_ok_and(|built| built.bits > bits || built.capped.is_some())
            };
            let units = bits / unit;
            let beyond = first_true(1, units, units, is_too_much);
            let most = beyond.map_or(units, |beyond| beyond - 1);
            asked(items, most * unit)
        };
        let build = |items| self.build(request(items)).ok();
        let hashes = |items| build(items).map_or(0, |built| built.hashes);
        let keeps = |items| {
            build(items).is_some_and(|built| {
                let judge = Judge {
                    filter: self.layout,
                    model: Model::Exact,
                    confidence: None,
                    hash_bits: None,
                };
                let met = judge.meets(items, built.bits, built.hashes, rate);
                met.unwrap_or(false)
            })
        };
        let beyond = first_true(1, bits, bits / 10, |items| hashes(items) == 0);
        let mut last = beyond.map_or(bits, |beyond| beyond - 1);
        if last == 0 {
            let least = self.build(asked(1, 1))?.bits;
            let (name, least, got) = (self.name, grouped(least), grouped(bits));
            let rule = format!("the least that {name} builds");
            return Err(format!("m must be at least {least}, {rule}, got {got}"));
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
        let (name, m, p) = (self.name, grouped(bits), as_typed(rate));
        Err(format!(
            "p must be at least what {name} keeps with one item in m = {m}, got {p}"
        ))
    }

    /// States how many items the library takes at the same p, if these are too many.
    fn most_items_at(&self, request: Request) -> Option<String> {
        let builds = |items| self.build(Request { items, ..request }).is_ok();
        if request.bits.is_some() || !builds(1) {
            return None;
        }
        let too_many = first_true(1, request.items, request.items / 2, |items| !builds(items));
        let most = grouped(too_many? - 1);
        Some(format!("for this p it takes at most {most} items"))
    }
}

/// Refuses quantities that no filter has.
fn in_range(query: &Query) -> Result<(), QueryError> {
    match (query.items, query.bits, query.rate) {
        (Some(0), ..) => Err(MathError::NoItems.into()),
        (_, Some(0), _) => Err(MathError::NoBits.into()),
        (.., Some(rate)) if !(rate > 0.0 && rate < 1.0) => {
            Err(MathError::RateOutOfRange(rate).into())
        }
        _ => Ok(()),
    }
}

impl Takes {
    /// Returns whether the library is given p, and so promises it.
    fn promises(self, request: &Request) -> bool {
        matches!(self, Self::Rate | Self::RateOrBits) && request.bits.is_none()
    }

    /// Returns whether the library is never given p.
    fn promises_nothing(self) -> bool {
        matches!(self, Self::Bits | Self::WholeBitsPerItem)
    }

    /// Returns whether the given quantities are those that the library takes.
    fn fits(self, query: &Query) -> bool {
        let (m, p) = (query.bits.is_some(), query.rate.is_some());
        query.hashes.is_none()
            && match self {
                Self::OneSize if query.items.is_none() => false,
                _ if query.items.is_none() => m && p,
                Self::Rate => p && !m,
                Self::Bits | Self::WholeBitsPerItem => m,
                Self::RateOrBits => p || m,
                Self::OneSize => !m,
            }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::Rate => "n and p",
            Self::Bits => "n and m",
            Self::WholeBitsPerItem => "n and m of whole bits per item",
            Self::RateOrBits => "n and p, or n and m",
            Self::OneSize => "n alone",
        }
    }

    /// Returns a command line that works.
    fn like(self, name: &str) -> String {
        let flags = match self {
            Self::Rate | Self::RateOrBits => "--n 1M --p 1%",
            Self::Bits | Self::WholeBitsPerItem => "--n 1M --m 10M",
            Self::OneSize => "--n 1M",
        };
        format!("bloom-params {flags} --like {name}")
    }
}

/// Returns the remarks about the library and its filter.
pub(crate) fn notes(solution: &Solution) -> Vec<String> {
    let Some(like) = &solution.like else {
        return Vec::new();
    };
    let (name, version) = (like.name, like.version);
    let promise = like.promised.map_or(String::new(), |rate| {
        format!("it promises {}, and ", as_typed(rate))
    });
    let hashing = hashing(like.positions);
    let width = like.added.high - like.added.low;
    let of_rate = match like.positions {
        Positions::Independent => "its true rate, for ideal hashes".to_string(),
        _ if solution.hashes <= 2 => "its true rate, for ideal hashes".to_string(),
        Positions::Walk => format!("an estimate of its true rate, with its {hashing}"),
        _ if width <= solution.rate.value() / 1000.0 => {
            format!("its true rate, with its {hashing}")
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
    if let Some(most) = like.capped {
        let most = bytes_of_bits(most);
        notes.push(format!("it takes at most {most}, whatever p is asked for"));
    }
    if !like.note.is_empty() {
        notes.push(like.note.to_string());
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

/// Returns in words how the positions of an item depend on one another.
fn hashing(positions: Positions) -> &'static str {
    match positions {
        Positions::Walk | Positions::Chained { .. } => "dependent positions",
        _ => "double hashing",
    }
}

/// Returns the highest rate that a filter of this size can have if positions are derived so, and the bounds of what
/// that adds to the rate of ideal hashes.
pub(crate) fn raised(
    ideal: Rate,
    positions: Positions,
    (items, bits, hashes): (u64, u64, u8),
) -> (Rate, Excess) {
    let added = positions.excess(items, bits, hashes).unwrap_or_default();
    let high = ideal.value() + added.high;
    // An addition that rounds to nothing leaves ln p as exact as it is.
    if high == ideal.value() {
        return (ideal, added);
    }
    (rate_of(high.min(1.0)), added)
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
        positions,
        ..
    } = solution.like.as_ref()?;
    let hashing = hashing(*positions);
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
        "with ideal hashes p would be {p}; {hashing} adds {added}{so}"
    ))
}
