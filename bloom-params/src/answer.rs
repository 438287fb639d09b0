//! Defines the answer to a question: a filter, its rate, and what follows from them.

use bloom_core::math::scalable::StageSize;
use bloom_core::math::{
    MAX_BITS, Model, Overflow, Rate, UsualRule, counter_overflow, expected_fill, hash_floor,
    ideal_hashes, lower_bound_bits, lower_bound_bits_at, spread, usual_rule,
};
use bloom_systems::First;
use bloom_systems::double_hashing::Excess;

use crate::kind::filter::Filter;
use crate::kind::judge::{Judge, behind_hash, items_by_set_bits, of_hashes};
use crate::kind::of_system::{self, AsBuilt, raised};
use crate::kind::scalable::Grown;
use crate::kind::stage_ends::bits_range;
#[cfg(feature = "json")]
use crate::per_item::PerItem;
use crate::question::{Quantity, Query, QueryError};

/// The range of the numbers of hashes that keep a rate, and the best number. The range is exact for a mean rate. Where a share
/// of filters must keep the rate, some numbers inside the range may miss it, and some outside may keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashesRange {
    /// The smallest number of hashes that keeps the rate.
    pub min: u8,
    /// The largest number of hashes that keeps the rate.
    pub max: u8,
    /// The number with the lowest mean rate.
    pub best: u8,
}

/// The answer to a [`Query`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Solution {
    /// The question.
    pub asked: Query,
    /// The quantities that were not given and are solved.
    pub solved: Vec<Quantity>,
    /// Items n; 0 if not even one item keeps the rate, if the set bits are given as 0, or if a filter is half full with less
    /// than one item.
    pub items: u64,
    /// Bits m: whole blocks in a filter of blocks, counters in a counting filter. In a scalable filter, the m given or, without
    /// it, the bits of all stages if each stage ends at its number of items.
    pub bits: u64,
    /// Hashes k; those of the last stage of a scalable filter, or 1 if not even the first stage fits.
    pub hashes: u8,
    /// The false-positive rate p of this filter by the requested model: for a hash of [`Query::hash_bits`] bits or, without
    /// them, for ideal hashes.
    ///
    /// - For a scalable filter, p is an upper bound if its stages are independent.
    /// - For the filter of another system in which the positions of an item depend on each other, p is an upper bound where one
    ///   is known, and else an estimate.
    /// - Where set bits are given, p is the rate of the one filter that has them.
    ///
    /// If p is 0, 1 or below the range of `f64`, it is not a valid rate for a [`Query`].
    pub rate: Rate,
    /// Whether the target rate is met: by the mean over all filters, by the requested share of them or, where set bits are given,
    /// by this one filter. `None` where there is no target.
    pub met: Option<bool>,
    /// The numbers of hashes that meet the rate, if k was not given, and m was either given with n and p, or solved from them and
    /// rounded up. `None` otherwise, and where no number of hashes meets the rate.
    pub hashes_range: Option<HashesRange>,
    /// Whether k, or the best k, is 255 and more hashes would be better still. Always false in filters of blocks, in scalable
    /// filters, and where a share of filters must keep the rate.
    pub wants_more_hashes: bool,
    /// Whether the filter is half full by convention (k n = m ln 2), because only k and either n or m were given.
    pub half_full: bool,
    /// The rate with ideal hashes.
    pub(crate) ideal: Rate,
    /// The lower and the upper bound of what dependent positions add to the rate of ideal hashes. Only some other systems
    /// derive the positions of an item so that they depend on each other; for all other filters, both bounds are 0.
    /// [`Solution::rate`] includes the upper bound.
    pub excess: Excess,
    /// The stages of a scalable filter, and the rule by which it grows.
    pub(crate) grown: Option<Grown>,
    /// What another system builds for the request.
    pub(crate) built: Option<Box<AsBuilt>>,
}

impl Solution {
    /// Returns the exact false-positive rate for ideal hashes and independent positions, whatever model was requested. For a
    /// scalable filter, the rate is exact only if its stages are independent.
    pub fn exact_rate(&self) -> Rate {
        if self.grown.is_some() {
            return self.ideal;
        }
        let exact = Judge {
            model: Model::Exact,
            ..self.asked.judge()
        };
        let rate = exact.ideal_rate(self.items, self.bits, self.hashes);
        rate.expect("a solution is a valid size")
    }

    /// Returns the rate of this filter with another number of items, by the requested model. Like [`Self::rate`], it includes
    /// what dependent positions add. Where set bits are given, the filter holds the items estimated from them and gets `items`
    /// minus [`Self::items`] more.
    pub fn rate_with(&self, items: u64) -> Rate {
        let judge = self.asked.judge();
        if self.asked.set_bits.is_some() {
            let held = self.held().saturating_add(items).saturating_sub(self.items);
            let ideal = judge.ideal_rate(held, self.bits, self.hashes);
            return behind_hash(judge.hash_bits, items, &|_| ideal)
                .expect("a solution is a valid size");
        }
        match self.added(items) {
            // The rate with further filters of a system already includes its dependent positions.
            Some((rate, _)) => behind_hash(judge.hash_bits, items, &|_| Ok(rate)),
            None => judge.rate(items, self.bits, self.hashes),
        }
        .expect("a solution is a valid size")
    }

    /// Returns the items that the filter holds: the estimate from its set bits where these are given, and otherwise n.
    pub(crate) fn held(&self) -> u64 {
        let ones = self.asked.set_bits;
        let held = ones.and_then(|ones| items_by_set_bits(self.bits, self.hashes, ones).ok());
        held.unwrap_or(self.items)
    }

    /// Returns the memory in bits with another number of items, if it depends on that number. The stages of a scalable filter
    /// are taken to end at their number of items. Near the end of a stage, a real filter may by chance have one stage more or
    /// fewer.
    pub fn memory_bits_with(&self, items: u64) -> Option<u128> {
        match self.grown.as_ref() {
            Some(grown) => grown.bits_with(items),
            None => self.added(items)?.1,
        }
    }

    /// Returns the least and the most memory in bits that nearly all scalable filters have with this number of items; `None`
    /// for other filters, whose memory does not depend on chance.
    pub(crate) fn memory_range_with(&self, items: u64) -> Option<(u128, u128)> {
        let grown = self.grown.as_ref();
        let grown = grown.filter(|grown| !grown.stages.is_empty())?;
        Some(bits_range(grown.growth, items))
    }

    /// Returns the range of memory in bits for the items of this solution, if single filters may
    /// have more or less memory than the stages of this solution.
    pub(crate) fn by_chance(&self) -> Option<(u128, u128)> {
        let own = self.grown.as_ref()?.bits().into();
        let range = self.memory_range_with(self.items);
        range.filter(|range| *range != (own, own))
    }

    /// Returns the rate and, where it is known, the memory in bits of this filter and of the filters that are added to it until
    /// all together hold this many items; `None` for a filter that no other filters are added to.
    fn added(&self, items: u64) -> Option<(Rate, Option<u128>)> {
        if let Some(grown) = self.grown.as_ref() {
            let rate = grown.rate(items).unwrap_or(self.ideal);
            return Some((rate, grown.bits_with(items)));
        }
        let Filter::OfSystem { system, expansion } = self.asked.filter else {
            return None;
        };
        let (rate, bits) = of_system::grown(system, self.first(), expansion, items)?;
        Some((rate, Some(bits)))
    }

    /// Returns whether dependent positions change the rate.
    pub(crate) fn is_dependent(&self) -> bool {
        self.excess != Excess::default()
    }

    /// Returns what another system built, if [`Filter::OfSystem`] was requested.
    pub fn as_built(&self) -> Option<&AsBuilt> {
        self.built.as_deref()
    }

    /// Returns the rate that another system promises, if it was called with a rate.
    pub fn promised(&self) -> Option<f64> {
        let (system, built) = (self.asked.filter.system()?, self.as_built()?);
        self.asked
            .rate
            .filter(|_| system.promises(built.request.bits))
    }

    /// Returns the kind whose bits are laid out like those of this filter.
    pub(crate) fn layout(&self) -> Filter {
        self.asked.filter.layout()
    }

    /// Returns the stages of a scalable filter; other filters have none.
    pub fn stages(&self) -> &[StageSize] {
        self.grown.as_ref().map_or(&[], |grown| &grown.stages)
    }

    /// Returns the memory in bits: m, times the bits of a counter in a counting filter.
    pub fn memory_bits(&self) -> u128 {
        u128::from(self.bits) * u128::from(self.asked.filter.width())
    }

    /// Returns the expected share of set bits, or of counters above 0; the actual share where set bits are given.
    pub fn fill(&self) -> f64 {
        if let Some(ones) = self.asked.set_bits {
            return ones as f64 / self.bits as f64;
        }
        match self.asked.hash_bits {
            None => self.fill_with(self.items),
            Some(width) => of_hashes(width, self.items, &|items| Ok(self.fill_with(items)))
                .expect("the width is checked"),
        }
    }

    fn fill_with(&self, n: u64) -> f64 {
        let (m, k) = (self.bits, self.hashes);
        let fill = |n, m, k| expected_fill(n, m, k).expect("a part of a solution is a valid size");
        match self.layout() {
            // Each position is uniform over the bits of its lane in all blocks.
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
            Filter::PlainBlocked { block_bits } if n > 0 => {
                // An item sets a given bit if it goes to the block of that bit and has that bit among its positions.
                let block = u64::from(block_bits);
                let hit = fill(1, block, k) / (m / block) as f64;
                -libm::expm1(n as f64 * libm::log1p(-hit))
            }
            _ => fill(n, m, k),
        }
    }

    /// Returns the standard deviation of the rates that filters of this size have by chance, by the exact model; `None` unless
    /// hashes are ideal and bits are set as in a classic filter.
    pub fn rate_deviation(&self) -> Option<f64> {
        let is_ideal = !self.is_dependent() && self.asked.hash_bits.is_none();
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

    /// Returns the fewest bits that any structure needs for these items: n log2(1/p), with the target rate as p or, without a
    /// target, the rate of this filter.
    pub fn bound_bits(&self) -> f64 {
        let at_target = |rate| lower_bound_bits(self.items, rate).expect("a target is valid");
        let at_own = || lower_bound_bits_at(self.items, self.rate);
        self.asked.rate.map_or_else(at_own, at_target)
    }

    /// Returns the size by the usual rule, m = -n ln p / (ln 2)^2 and k = (m/n) ln 2, for these items and the target rate;
    /// `None` if no rate was requested, for no items, or if this m is above 2^63.
    pub fn usual(&self) -> Option<UsualRule> {
        let rate = self.asked.rate?;
        usual_rule(self.items, rate).ok().flatten()
    }

    /// Describes the filter that a system built, as the first of the filters that the system adds one after the other.
    fn first(&self) -> First {
        First {
            items: self.items,
            bits: self.bits,
            hashes: self.hashes,
            rate: self.rate.value(),
            requested: self.asked.rate,
        }
    }

    /// Returns whether the filter takes this many items.
    pub fn takes(&self, items: u64) -> bool {
        if let Some(grown) = self.grown.as_ref() {
            let bits = grown.bits_with(items);
            return bits.is_some_and(|bits| bits <= MAX_BITS.into());
        }
        let Filter::OfSystem { system, expansion } = self.asked.filter else {
            return true;
        };
        items <= self.items || !of_system::refuses(system, self.first(), expansion, items)
    }

    /// Checks the solved filter and describes it. The filter of another system is judged by the upper bound of its rate.
    pub(crate) fn new(
        asked: Query,
        solved: &[Quantity],
        (items, bits, hashes): (u64, u64, u8),
    ) -> Result<Self, QueryError> {
        let judge = asked.judge().independent();
        let ideal = judge.ideal_rate(items, bits, hashes)?;
        let ideal_with = |items| judge.ideal_rate(items, bits, hashes);
        let mut rate = behind_hash(asked.hash_bits, items, &ideal_with)?;
        let mut met = match asked.rate {
            None => None,
            // An empty filter has the rate 0, but n = 0 means that not even one item keeps the target.
            Some(_) if items == 0 => Some(false),
            // If the rate is far from the target, its `f64` decides.
            Some(target) if asked.confidence.is_none() && !is_near(rate, target) => {
                Some(rate.value() <= target)
            }
            Some(target) => Some(judge.meets(items, bits, hashes, target)?),
        };
        if let (Some(target), Some(true), None) = (asked.rate, met, asked.confidence) {
            rate = rate.at_most(target);
        }
        let ideal = asked.hash_bits.map_or(rate, |_| ideal);
        let excess = asked.judge().excess(items, bits, hashes);
        if excess != Excess::default() {
            rate = raised(rate, excess);
            met = asked.rate.map(|target| rate.value() <= target);
        }
        let wants_more_hashes =
            hashes == u8::MAX && items > 0 && judge.wants_more_hashes(items, bits)?;
        Ok(Self {
            met,
            wants_more_hashes,
            ideal,
            excess,
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
            excess: Excess::default(),
            grown: None,
            built: None,
        }
    }

    /// Returns the answer for a scalable filter with these stages.
    pub(crate) fn of_stages(
        asked: Query,
        solved: &[Quantity],
        items: u64,
        bits: u64,
        grown: Grown,
    ) -> Self {
        let ideal = grown.rate(items).expect("the stages hold the items");
        let ideal_with = |items| Ok(grown.rate(items).unwrap_or(ideal));
        let rate = behind_hash(asked.hash_bits, items, &ideal_with).expect("the width is checked");
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
pub(crate) enum Answer {
    Sized(Solution),
    PerItem(PerItem),
}

#[cfg(feature = "json")]
impl Answer {
    /// Solves the question. If neither n nor m is given, but a rate or bits per item are, solves for the bits or the rate of a
    /// filter of many items.
    pub(crate) fn from_query(query: Query) -> Result<Self, QueryError> {
        let is_sized = query.items.is_some() || query.bits.is_some();
        let is_per_item = query.rate.is_some() || query.bits_per_item.is_some();
        Ok(if is_per_item && !is_sized {
            Self::PerItem(query.per_item()?)
        } else {
            Self::Sized(query.solve()?)
        })
    }

    /// Returns the sized filter; without one, the error that `option` needs n or m.
    pub(crate) fn sized(&self, option: &'static str) -> Result<&Solution, QueryError> {
        match self {
            Self::Sized(solution) => Ok(solution),
            Self::PerItem(_) => Err(QueryError::NeedsSize { option }),
        }
    }

    /// Returns the question.
    pub(crate) fn query(&self) -> &Query {
        match self {
            Self::Sized(solution) => &solution.asked,
            Self::PerItem(each) => &each.asked,
        }
    }

    /// Returns the rate.
    pub(crate) fn rate(&self) -> f64 {
        match self {
            Self::Sized(solution) => solution.rate.value(),
            Self::PerItem(each) => each.rate.value(),
        }
    }

    /// Returns the lines of the derivation.
    pub(crate) fn explain(&self) -> Vec<String> {
        let derivation = match self {
            Self::Sized(solution) => solution.explain(),
            Self::PerItem(each) => each.explain(),
        };
        derivation.lines()
    }
}

#[cfg(feature = "cli")]
impl Answer {
    /// Returns the hashes.
    pub(crate) fn hashes(&self) -> u8 {
        match self {
            Self::Sized(solution) => solution.hashes,
            Self::PerItem(each) => each.hashes,
        }
    }

    /// Returns whether the target rate is met, if there is one.
    pub(crate) fn met(&self) -> Option<bool> {
        match self {
            Self::Sized(solution) => solution.met,
            Self::PerItem(each) => each.met,
        }
    }
}

/// Returns whether the `f64` of a rate is so near the target that only the exact rate can decide.
pub(crate) fn is_near(rate: Rate, target: f64) -> bool {
    (rate.value() / target - 1.0).abs() <= 1e-12
}
