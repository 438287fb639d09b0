//! An answer: a filter, its rate, and what else people want to know about it.

use bloom_core::math::scalable::StageSize;
use bloom_core::math::{
    Model, Overflow, Rate, UsualRule, counter_overflow, expected_fill, hash_floor, ideal_hashes,
    lower_bound_bits, lower_bound_bits_at, spread, usual_rule,
};
use bloom_systems::double_hashing::Excess;
use bloom_systems::{Built, First, Request, System};

use crate::kind::filter::Filter;
use crate::kind::judge::behind_hash;
use crate::kind::of_system::{judge, raised};
use crate::kind::scalable::{Grown, rate_of};
#[cfg(feature = "json")]
use crate::per_item::PerItem;
use crate::question::{Quantity, Query, QueryError};

/// The numbers of hashes that keep a rate, and the best of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashesRange {
    /// The smallest.
    pub min: u8,
    /// The largest.
    pub max: u8,
    /// The number with the lowest rate.
    pub best: u8,
}

/// The other system that chose a size, where [`Query::solve`] did not.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The system.
    pub system: &'static System,
    /// The rate that the library promises, if it was given one.
    pub promised: Option<f64>,
    /// What the system was asked for.
    pub(crate) request: Request,
    /// What it builds for that, with the steps of its rule.
    pub built: Built,
    /// Where the items are the most that fit in some memory, the reason that no more fit.
    pub full: Option<WhyNoMore>,
    /// The rate of the same filter with ideal hashes.
    pub ideal: Rate,
    /// Whether that filter meets the target rate; `None` where there is no target.
    pub ideal_met: Option<bool>,
    /// The bounds of what dependent positions add to that; 0 without. [`Solution::rate`] includes the
    /// upper one.
    pub added: Excess,
    /// The items of each further filter over those of the one before, where they were given.
    pub expansion: Option<u64>,
}

/// Why a library takes no more items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyNoMore {
    /// One more item takes more than the memory given.
    Memory,
    /// With one more item its filter of the memory given misses the rate.
    Rate,
    /// The library sizes no filter for more items, whatever the memory.
    Program,
}

/// The answer to a [`Query`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Solution {
    /// The question.
    pub asked: Query,
    /// The quantities that were not given and are solved.
    pub solved: Vec<Quantity>,
    /// Items n; 0 if not even one item keeps the rate.
    pub items: u64,
    /// Bits m: whole blocks in a filter of blocks, counters in a counting filter.
    pub bits: u64,
    /// Hashes k; those of the last stage of a scalable filter.
    pub hashes: u8,
    /// The false-positive rate p of this filter by the requested model, for ideal hashes or behind a hash
    /// of the bits given; for the
    /// filter of a library that uses double hashing the highest that its rate can be. If it is 0, 1
    /// or below the range of `f64`, it is not a valid rate for a [`Query`].
    pub rate: Rate,
    /// Whether the target rate is met, by the mean over all filters or by the requested share of
    /// them; `None` where there is no target.
    pub met: Option<bool>,
    /// Every number of hashes that meets the rate, where n, m and p were given.
    pub hashes_range: Option<HashesRange>,
    /// Whether more than 255 hashes would be better still.
    pub wants_more_hashes: bool,
    /// Whether this is by convention the half-full filter of k and either n or m.
    pub half_full: bool,
    pub(crate) grown: Option<Grown>,
    /// The rate with ideal hashes.
    pub(crate) ideal: Rate,
    /// The library that chose m and k, if one did.
    pub like: Option<Origin>,
}

impl Solution {
    /// Returns the exact false-positive rate for ideal hashes, whatever model was requested.
    pub fn exact_rate(&self) -> Rate {
        self.rate_by(Model::Exact, self.items)
    }

    /// Returns the rate of this filter with another number of items, by the requested model; as
    /// [`Self::rate`] it includes what double hashing adds.
    pub fn rate_with(&self, items: u64) -> Rate {
        let rate = self.rate_by(self.asked.model, items);
        let rate = behind_hash(self.asked.hash_bits, items, rate).expect("a valid width");
        // What a library adds beyond its filter includes it already.
        let Some(like) = self.like.as_ref().filter(|_| self.beyond(items).is_none()) else {
            return rate;
        };
        raised(rate, like.system, (items, self.bits, self.hashes)).0
    }

    /// Returns the rate of a filter of bloom-core with this size, which does not use double hashing.
    pub(crate) fn ideal_rate(&self) -> Rate {
        self.like.as_ref().map_or(self.ideal, |like| like.ideal)
    }

    /// Returns whether the rate includes something that double hashing adds.
    pub(crate) fn is_double_hashed(&self) -> bool {
        let like = self.like.as_ref();
        like.is_some_and(|like| like.added != Excess::default())
    }

    /// Returns the memory in bits with another number of items, if it depends on that number.
    pub fn memory_bits_with(&self, items: u64) -> Option<u128> {
        if let Some(grown) = &self.grown {
            return grown.bits_with(items);
        }
        self.beyond(items).map(|(_, bits)| bits)
    }

    fn rate_by(&self, model: Model, items: u64) -> Rate {
        if let Some(grown) = &self.grown {
            return grown.rate(items).unwrap_or(self.rate);
        }
        if let Some((rate, _)) = self.beyond(items) {
            return rate;
        }
        let mut judge = self.asked.judge();
        judge.model = model;
        judge
            .ideal_rate(items, self.bits, self.hashes)
            .expect("a solution is a valid size")
    }

    /// Returns the stages of a scalable filter; other filters have none.
    pub fn stages(&self) -> &[StageSize] {
        self.grown.as_ref().map_or(&[], |grown| &grown.stages)
    }

    /// Returns the memory in bits: all bits, counters or stages.
    pub fn memory_bits(&self) -> u128 {
        u128::from(self.bits) * u128::from(self.asked.filter.width())
    }

    /// Returns the expected share of set bits, or of counters above 0.
    pub fn fill(&self) -> f64 {
        let (n, m, k) = (self.items, self.bits, self.hashes);
        if let Some(ones) = self.asked.set_bits {
            return ones as f64 / m as f64;
        }
        let fill = |n, m, k| expected_fill(n, m, k).expect("a part of a solution is a valid size");
        match self.asked.filter {
            // Each position is uniform among the bits of its lane, over all blocks.
            Filter::SplitBlock { .. } => fill(n, m / u64::from(k), 1),
            Filter::Partitioned => {
                let slices = u64::from(k);
                let (slice, longer) = (m / slices, m % slices);
                let set = |slices: u64, bits: u64| match slices {
                    0 => 0.0,
                    _ => (slices * bits) as f64 * fill(n, bits, 1),
                };
                (set(longer, slice + 1) + set(slices - longer, slice)) / m as f64
            }
            Filter::Scalable { .. } => {
                let mut left = n;
                let set = self.stages().iter().map(|stage| {
                    let inside = left.min(stage.items);
                    left -= inside;
                    stage.bits as f64 * fill(inside, stage.bits, stage.hashes)
                });
                set.sum::<f64>() / m as f64
            }
            _ => fill(n, m, k),
        }
    }

    /// Returns the standard deviation of the rate between single filters, by the exact model;
    /// `None` for filters whose bits are not set like those of a classic one.
    pub fn rate_deviation(&self) -> Option<f64> {
        let is_ideal = !self.is_double_hashed() && self.asked.hash_bits.is_none();
        (is_ideal && self.asked.filter.is_classic_inside()).then(|| {
            spread(self.items, self.bits, self.hashes)
                .expect("a solution is a valid size")
                .standard_deviation
        })
    }

    /// Returns how likely it is that counters saturate; `None` for filters without counters.
    pub(crate) fn counter_overflow(&self) -> Option<Overflow> {
        let Filter::Counting { counter_bits } = self.asked.filter else {
            return None;
        };
        let stuck = (1_u32 << counter_bits) - 1;
        counter_overflow(self.items, self.bits, self.hashes, stuck).ok()
    }

    /// Returns the rate due to a 64-bit hash alone: the chance that a query has the same hash as an
    /// item. [`with_hash_floor`](bloom_core::math::with_hash_floor) combines it with p.
    pub fn hash_floor(&self) -> f64 {
        hash_floor(self.items, 64).expect("64 bits are a valid width")
    }

    /// Returns the bits of memory per item; `None` for no items.
    pub fn bits_per_item(&self) -> Option<f64> {
        let width = self.asked.filter.width() as f64;
        (self.items > 0).then(|| self.bits as f64 * width / self.items as f64)
    }

    /// Returns the ideal number of hashes as a real number; `None` for no items.
    pub fn ideal_hashes(&self) -> Option<f64> {
        (self.items > 0).then(|| ideal_hashes(self.items, self.bits))
    }

    /// Returns the fewest bits that any structure needs for these items at the target rate,
    /// or else at the rate of this filter: n log2(1/p).
    pub fn bound_bits(&self) -> f64 {
        let at_target = |rate| lower_bound_bits(self.items, rate).expect("a target is valid");
        let at_own = || lower_bound_bits_at(self.items, self.rate);
        self.asked.rate.map_or_else(at_own, at_target)
    }

    /// Returns the size by the usual rule for these items and the target rate; `None` if no rate
    /// was asked for or that m is above 2^63.
    pub fn usual(&self) -> Option<UsualRule> {
        let rate = self.asked.rate?;
        usual_rule(self.items, rate).ok().flatten()
    }

    /// Returns the filter of its system as the first of some that are added when it is full.
    fn first(&self) -> First {
        First {
            items: self.items,
            bits: self.bits,
            hashes: self.hashes,
            rate: self.rate.value(),
            asked: self.asked.rate,
        }
    }

    /// Returns the rate and the bits of all filters that the system has with this many items; `None` where it adds none.
    pub(crate) fn beyond(&self, items: u64) -> Option<(Rate, u128)> {
        let like = self.like.as_ref()?;
        let (system, first) = (like.system, self.first());
        let grown = system.grown(first, like.expansion, items, &judge(system));
        grown.map(|(rate, bits)| (rate_of(rate), bits))
    }

    /// Returns whether the filter takes this many items.
    pub fn takes(&self, items: u64) -> bool {
        let refuses = |like: &Origin| {
            let (system, first) = (like.system, self.first());
            system.refuses(first, like.expansion, items, &judge(system))
        };
        items <= self.items || !self.like.as_ref().is_some_and(refuses)
    }

    /// Checks the solved filter and describes it.
    pub(crate) fn new(
        asked: Query,
        solved: &[Quantity],
        (items, bits, hashes): (u64, u64, u8),
    ) -> Result<Self, QueryError> {
        let judge = asked.judge();
        let ideal = judge.ideal_rate(items, bits, hashes)?;
        let mut rate = behind_hash(asked.hash_bits, items, ideal)?;
        let met = match asked.rate {
            None => None,
            // An empty filter has the rate 0, but it is no use to anybody who asks how many items fit.
            Some(_) if items == 0 => Some(false),
            // Far from the target the `f64` of the rate decides; an invalid target is refused below.
            Some(target)
                if asked.confidence.is_none()
                    && target > 0.0
                    && target < 1.0
                    && !is_near(rate, target) =>
            {
                Some(rate.value() <= target)
            }
            Some(target) => Some(judge.meets(items, bits, hashes, target)?),
        };
        if let (Some(target), Some(true), None) = (asked.rate, met, asked.confidence) {
            rate = rate.at_most(target);
        }
        let wants_more_hashes =
            hashes == u8::MAX && items > 0 && judge.wants_more_hashes(items, bits)?;
        Ok(Self {
            met,
            wants_more_hashes,
            ideal: if asked.hash_bits.is_none() {
                rate
            } else {
                ideal
            },
            ..Self::plain(asked, solved, (items, bits, hashes), rate)
        })
    }

    fn plain(
        asked: Query,
        solved: &[Quantity],
        (items, bits, hashes): (u64, u64, u8),
        rate: Rate,
    ) -> Self {
        Self {
            asked,
            solved: solved.to_vec(),
            items,
            bits,
            hashes,
            rate,
            ideal: rate,
            met: None,
            hashes_range: None,
            wants_more_hashes: false,
            half_full: false,
            grown: None,
            like: None,
        }
    }

    /// Describes a scalable filter.
    pub(crate) fn grown(
        asked: Query,
        solved: &[Quantity],
        items: u64,
        bits: u64,
        grown: Grown,
    ) -> Self {
        let ideal = grown.rate(items).expect("the stages hold the items");
        let rate = behind_hash(asked.hash_bits, items, ideal).expect("the width is checked");
        let within = |target| items > 0 && rate.value() <= target;
        let hashes = grown.stages.last().map_or(1, |stage| stage.hashes);
        Self {
            met: asked.rate.map(within),
            grown: Some(grown),
            ideal,
            ..Self::plain(asked, solved, (items, bits, hashes), rate)
        }
    }
}

/// The answer to a question.
#[cfg(feature = "json")]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(crate) enum Answer {
    Sized(Solution),
    PerItem(PerItem),
}

#[cfg(feature = "json")]
impl Answer {
    /// Returns the filter, or else the error of an option that needs one.
    #[cfg(feature = "cli")]
    pub(crate) fn into_sized(self, option: &'static str) -> Result<Solution, QueryError> {
        match self {
            Self::Sized(solution) => Ok(solution),
            Self::PerItem(_) => Err(QueryError::NeedsSize { option }),
        }
    }
}

/// Returns whether the `f64` of a rate is so near a target that an exact decision is needed.
pub(crate) fn is_near(rate: Rate, target: f64) -> bool {
    (rate.value() / target - 1.0).abs() <= 1e-12
}
