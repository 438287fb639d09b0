//! Computes rates and sizes of filters of fixed size. Where the formulas have no closed-form
//! solution, a search finds the smallest m, or the largest n, that keeps the rate.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use bloom_core::math::blocked::{Block, Rates};
use bloom_core::math::{
    self, MAX_BITS, MathError, Model, Rate, distinct_hashes, estimate_items, first_true,
    hash_floor, share_above, with_hash_floor,
};
use bloom_systems::double_hashing::Excess;

use super::filter::Filter;
use super::of_system::{excess, raised};
use super::scalable::rate_of;
use crate::question::{Query, QueryError};

/// Judges the sizes of one kind of filter: by the mean rate of its model, or by the share of single filters that keep a rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judge {
    pub(crate) filter: Filter,
    pub(crate) model: Model,
    pub(crate) confidence: Option<f64>,
    /// The bits of the hash that all positions come from; `None` for ideal hashes.
    pub(crate) hash_bits: Option<u32>,
}

type Size = (u64, u8);

impl Judge {
    /// Returns the model of the filter if its formulas can solve for every quantity.
    fn closed(self) -> Option<Model> {
        match self.filter.layout() {
            _ if self.confidence.is_some() || self.hash_bits.is_some() => None,
            Filter::Classic | Filter::Counting { .. } => Some(self.model),
            Filter::Partitioned => Some(Model::Partitioned),
            _ => None,
        }
    }

    /// Returns a copy that judges by the mean rate alone.
    fn mean(self) -> Self {
        Self {
            confidence: None,
            ..self
        }
    }

    /// Returns a copy that judges as if positions were independent.
    pub(crate) fn independent(self) -> Self {
        Self {
            filter: self.filter.layout(),
            ..self
        }
    }

    /// Returns a copy that judges as if hashes were ideal and positions independent.
    fn ideal(self) -> Self {
        Self {
            hash_bits: None,
            ..self.independent()
        }
    }

    /// Returns the bounds of what dependent positions add to the rate. Only some other systems derive the positions of an item
    /// so that they depend on each other; for all other filters, both bounds are 0.
    pub(crate) fn excess(self, items: u64, bits: u64, hashes: u8) -> Excess {
        let system = self.filter.system();
        system.map_or_else(Excess::default, |system| {
            excess(system, (items, bits, hashes))
        })
    }

    /// Returns the mean rate; for dependent positions, its upper bound.
    pub(crate) fn rate(self, items: u64, bits: u64, hashes: u8) -> Result<Rate, MathError> {
        let rate = behind_hash(self.hash_bits, items, &|items| {
            self.ideal_rate(items, bits, hashes)
        })?;
        Ok(raised(rate, self.excess(items, bits, hashes)))
    }

    /// Returns the mean rate with ideal hashes.
    pub(crate) fn ideal_rate(self, items: u64, bits: u64, hashes: u8) -> Result<Rate, MathError> {
        match self.filter.block(hashes) {
            Some(block) => {
                within_blocks(block, |rates| rates.rate(items, bits / self.filter.unit()))
            }
            None if self.filter.layout() == Filter::Partitioned => {
                math::partitioned::rate(items, bits, hashes)
            }
            None => self.model.rate(items, bits, hashes),
        }
    }

    /// Returns whether the mean rate is at most `rate`.
    pub(crate) fn mean_meets(self, n: u64, m: u64, k: u8, rate: f64) -> Result<bool, MathError> {
        match self.mean().closed() {
            Some(model) if self.excess(n, m, k) == Excess::default() => model.meets(n, m, k, rate),
            _ => Ok(self.rate(n, m, k)?.value() <= rate),
        }
    }

    /// Returns whether the size meets the target: by the mean, or by the requested share of filters.
    pub(crate) fn meets(self, n: u64, m: u64, k: u8, rate: f64) -> Result<bool, MathError> {
        match self.confidence {
            Some(share) => {
                let above = share_above(n, m, k, rate)?;
                // Both comparisons are made, because for a share near 0 or near 1 only one of them has accurate digits.
                Ok(above <= 1.0 - share && 1.0 - above >= share)
            }
            None => self.mean_meets(n, m, k, rate),
        }
    }

    /// Returns the number that the best k minimizes: ln p with ideal hashes or, if a share of single filters must keep the
    /// rate, the share of filters above the rate.
    fn score(self, n: u64, m: u64, k: u8, rate: f64) -> f64 {
        if self.confidence.is_some() {
            return share_above(n, m, k, rate).unwrap_or(1.0);
        }
        // What a hash of few bits adds is the same for all k, so ideal rates are compared.
        let distinct = |width| distinct_hashes(n, width).map_or(n, |hashes| hashes.round() as u64);
        let items = self.hash_bits.map_or(n, distinct);
        self.ideal_rate(items, m, k).map_or(0.0, Rate::ln)
    }

    /// Returns the fewest bits for this number of hashes.
    pub(crate) fn min_bits(self, n: u64, k: u8, rate: f64) -> Result<u64, MathError> {
        if let Some(model) = self.closed() {
            return model.min_bits(n, k, rate);
        }
        let guess = Model::Exact.min_bits(n, k, rate)?;
        let unit = self.filter.unit();
        let enough = |units: u64| self.meets(n, units * unit, k, rate).unwrap_or(false);
        let mut found = first_true(1, MAX_BITS / unit, guess / unit, enough)
            .ok_or(MathError::NeedsTooManyBits { items: n, rate })?;
        if self.confidence.is_some() {
            // The number of set bits is whole, so the share fluctuates from one m to the next. A
            // slightly smaller m may be enough, so the 16 values below are tried, too.
            let lower = found.saturating_sub(16).max(1)..found;
            found = lower.into_iter().find(|m| enough(*m)).unwrap_or(found);
        }
        Ok(found * unit)
    }

    /// Returns the fewest bits, and the fewest hashes for them.
    pub(crate) fn min_size(self, n: u64, rate: f64) -> Result<Size, MathError> {
        if let Some(model) = self.closed() {
            return model.min_size(n, rate);
        }
        let unit = self.filter.unit();
        let most = MAX_BITS / unit * unit;
        let start = Model::Exact.min_size(n, rate).map_or(8, |(_, k)| k);
        if self.confidence.is_some() {
            let found = least_near(start, |k| self.min_bits(n, k, rate).ok());
            let (bits, k) = found.ok_or(MathError::NeedsTooManyBits { items: n, rate })?;
            return Ok((bits, self.fewest(n, bits, k, rate)));
        }
        let mut k = self.filter.fixed_hashes().unwrap_or(start);
        let mut found = self.min_bits(n, k, rate);
        loop {
            let fewer = found.map_or(most, |bits| bits - unit);
            if fewer == 0 {
                break;
            }
            let better = self.best_from(n, fewer, k, rate);
            if !self.meets(n, fewer, better, rate)? {
                break;
            }
            k = better;
            found = self.min_bits(n, k, rate);
        }
        let bits = found?;
        Ok((bits, self.fewest(n, bits, k, rate)))
    }

    /// Returns the most items for this number of hashes.
    pub(crate) fn max_items(self, m: u64, k: u8, rate: f64) -> Result<u64, MathError> {
        if let Some(model) = self.closed() {
            return model.max_items(m, k, rate);
        }
        let guess = Model::Exact.max_items(m, k, rate)?;
        let too_many = |items| !self.meets(items, m, k, rate).unwrap_or(true);
        match first_true(1, u64::MAX, guess, too_many) {
            Some(items) => Ok(items - 1),
            None => Err(MathError::HoldsTooManyItems { bits: m, rate }),
        }
    }

    /// Returns the most items over all numbers of hashes, and the fewest hashes for them.
    pub(crate) fn max_items_and_hashes(self, m: u64, rate: f64) -> Result<Size, MathError> {
        if let Some(model) = self.closed() {
            return model.max_items_and_hashes(m, rate);
        }
        let start = Model::Exact.max_items_and_hashes(m, rate)?.1;
        let mut k = self.filter.fixed_hashes().unwrap_or(start);
        let mut n = self.max_items(m, k, rate)?;
        loop {
            let better = self.best_from(n + 1, m, k, rate);
            if !self.meets(n + 1, m, better, rate)? {
                break;
            }
            k = better;
            n = self.max_items(m, k, rate)?;
        }
        if n == 0 {
            return Ok((0, self.filter.fixed_hashes().unwrap_or(1)));
        }
        Ok((n, self.fewest(n, m, k, rate)))
    }

    /// Returns the number of hashes with the lowest mean rate.
    pub(crate) fn best_hashes(self, n: u64, m: u64) -> Result<u8, MathError> {
        let mean = self.mean().ideal();
        if let Some(model) = mean.closed() {
            return model.best_hashes(n, m);
        }
        let start = Model::Exact.best_hashes(n, m)?;
        Ok(mean.best_from(n, m, start, 0.5))
    }

    /// Returns the range of the numbers of hashes that meet the rate; `None` if the best number misses it. Where a share of
    /// single filters decides, some numbers inside the range may miss the rate, and some outside may meet it, because the share
    /// fluctuates from one k to the next.
    pub(crate) fn hashes_range(
        self,
        n: u64,
        m: u64,
        rate: f64,
    ) -> Result<Option<RangeInclusive<u8>>, MathError> {
        if let Some(model) = self.closed() {
            return model.hashes_range(n, m, rate);
        }
        let best = self.best_from(n, m, self.best_hashes(n, m)?, rate);
        if !self.meets(n, m, best, rate)? {
            return Ok(None);
        }
        if let Some(only) = self.filter.fixed_hashes() {
            return Ok(Some(only..=only));
        }
        let misses = |k: u64| !self.meets(n, m, k as u8, rate).unwrap_or(false);
        let beyond = first_true(best.into(), u8::MAX.into(), best.into(), misses);
        let last = beyond.map_or(u8::MAX, |beyond| (beyond - 1) as u8);
        Ok(Some(self.fewest(n, m, best, rate)..=last))
    }

    /// Returns whether more than 255 hashes would be better still; false where no formula decides that.
    pub(crate) fn wants_more_hashes(self, n: u64, m: u64) -> Result<bool, MathError> {
        match self.ideal().closed() {
            Some(model) => model.wants_more_hashes(n, m),
            None => Ok(false),
        }
    }

    /// Walks from `start` to the number of hashes with the lowest score; on a tie, to the fewest.
    fn best_from(self, n: u64, m: u64, start: u8, rate: f64) -> u8 {
        if let Some(only) = self.filter.fixed_hashes() {
            return only;
        }
        let score = |k| self.score(n, m, k, rate);
        if self.confidence.is_some() {
            // The bit pattern of a share sorts like its value.
            let least = least_near(start, |k| Some(score(k).to_bits()));
            return least.map_or(start, |(_, k)| k);
        }
        let (mut best, mut lowest) = (start, score(start));
        let mut climbed = false;
        while best < u8::MAX {
            let next = score(best + 1);
            if next >= lowest {
                break;
            }
            (best, lowest, climbed) = (best + 1, next, true);
        }
        while best > 1 && !climbed {
            let next = score(best - 1);
            if next > lowest {
                break;
            }
            (best, lowest) = (best - 1, next);
        }
        best
    }

    /// Returns the fewest hashes that meet the rate, given a number that does.
    fn fewest(self, n: u64, m: u64, best: u8, rate: f64) -> u8 {
        if self.filter.fixed_hashes().is_some() {
            return best;
        }
        let enough = |k: u64| self.meets(n, m, k as u8, rate).unwrap_or(false);
        let fewest = match self.confidence {
            Some(_) => (1..=best.into()).find(|k| enough(*k)),
            None => first_true(1, best.into(), best.into(), enough),
        };
        fewest.map_or(best, |k| k as u8)
    }
}

/// Returns the rate of a filter whose positions come from a hash of this many bits. A query with
/// the same hash as an item is a false positive in any filter. `ideal` returns the rate with ideal
/// hashes for a number of items; it is called with the number of different hashes.
pub(crate) fn behind_hash(
    hash_bits: Option<u32>,
    items: u64,
    ideal: &dyn Fn(u64) -> Result<Rate, MathError>,
) -> Result<Rate, MathError> {
    let Some(width) = hash_bits else {
        return ideal(items);
    };
    let floor = hash_floor(items, width)?;
    if floor == 0.0 {
        return ideal(items);
    }
    let rate = of_hashes(width, items, &|items| Ok(ideal(items)?.value()))?;
    Ok(rate_of(with_hash_floor(rate, floor)))
}

/// Returns the value of a function at the mean number of different hashes that the items have. The mean lies between two
/// whole numbers, so the value is interpolated.
pub(crate) fn of_hashes(
    width: u32,
    items: u64,
    function: &dyn Fn(u64) -> Result<f64, MathError>,
) -> Result<f64, MathError> {
    let distinct = distinct_hashes(items, width)?;
    let (below, part) = (distinct.floor() as u64, distinct.fract());
    let value = function(below)?;
    if part == 0.0 {
        return Ok(value);
    }
    Ok(value + part * (function(below + 1)? - value))
}

impl Query {
    pub(crate) fn judge(&self) -> Judge {
        Judge {
            filter: self.filter,
            model: self.model,
            confidence: self.confidence,
            hash_bits: self.hash_bits,
        }
    }
}

/// Returns the most likely number of items, at least one where a bit is set; refuses a filter in
/// which every bit is set.
pub(crate) fn items_by_set_bits(bits: u64, hashes: u8, ones: u64) -> Result<u64, QueryError> {
    let estimate = estimate_items(bits, hashes, ones)?;
    let estimate = estimate.ok_or(QueryError::EveryBitSet { bits })?;
    let items = estimate.items.round().max(ones.min(1) as f64);
    if items >= u64::MAX as f64 {
        return Err(MathError::HoldsTooManyItems { bits, rate: 1.0 }.into());
    }
    Ok(items as u64)
}

/// The search for the best share compares each k with every k that is at most this far from it.
const NEAR: u8 = 6;

/// Walks from `start` to a number of hashes with the lowest value among its neighbours; on a tie, to the fewest. Neighbours up to
/// [`NEAR`] away are compared, because a share fluctuates from one k to the next: the number of set bits is whole.
fn least_near<T: Ord>(start: u8, value: impl Fn(u8) -> Option<T>) -> Option<(T, u8)> {
    let mut from = start;
    loop {
        let near = from.saturating_sub(NEAR).max(1)..=from.saturating_add(NEAR);
        let (least, k) = near.filter_map(|k| Some((value(k)?, k))).min()?;
        if k == from {
            return Some((least, k));
        }
        from = k;
    }
}

thread_local! {
    /// The rates inside blocks that this thread has computed, kept for its next questions.
    static BLOCKS: RefCell<Vec<(Block, Rates)>> = const { RefCell::new(Vec::new()) };
}

/// The cache is cleared when it holds this many kinds of blocks: enough for one size of block with every number of hashes.
const KINDS: usize = 255;

/// Calls `ask` with the cached rates of a kind of block.
fn within_blocks<T>(
    block: Block,
    ask: impl FnOnce(&mut Rates) -> Result<T, MathError>,
) -> Result<T, MathError> {
    BLOCKS.with_borrow_mut(|blocks| {
        if let Some((_, rates)) = blocks.iter_mut().find(|(kind, _)| *kind == block) {
            return ask(rates);
        }
        if blocks.len() == KINDS {
            blocks.clear();
        }
        blocks.push((block, Rates::new(block)?));
        ask(&mut blocks.last_mut().expect("one was pushed").1)
    })
}
