//! Lays out the stages of scalable filters, that is, computes the size of each filter that is added as items are inserted. Also
//! computes the rate and the size of all stages together.

use std::cell::RefCell;

use bloom_core::math::scalable::{Growth, StageSize, compound_rate};
use bloom_core::math::{MathError, Model, Rate, exact, first_true};

use super::filter::bits_per_item;
use crate::question::{Quantity, QueryError};

/// The maximum number of stages of a filter.
const MAX_STAGES: u32 = 10_000;

/// A scalable filter with its stages for a number of items.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grown {
    pub(crate) growth: Growth,
    pub(crate) stages: Vec<StageSize>,
    /// The rate of each stage when it is full.
    pub(super) full: Vec<f64>,
}

impl Grown {
    /// Lays out the stages for `items` items.
    pub(crate) fn for_items(growth: Growth, items: u64) -> Result<Self, QueryError> {
        let count = match growth.stages(items) {
            // All stages have equal size, and there are more of them than a `u32` counts.
            Err(MathError::StagesOutOfRange(_)) => u32::MAX,
            count => count?,
        };
        if count > MAX_STAGES {
            return Err(too_many_stages(growth, Quantity::Items, items));
        }
        let stage = |number| {
            stage(growth, number).map_err(|error| match error {
                // The error names the items and the rate of the question, because nobody gave those
                // of a stage.
                MathError::NeedsTooManyBits { .. } if number > 0 => {
                    let rate = growth.rate;
                    MathError::NeedsTooManyBits { items, rate }.into()
                }
                error => of_stage(growth, error),
            })
        };
        // A later stage has a lower rate and at least as many items, so if the last stage can be
        // sized, all can.
        let last = count - 1;
        if stage(last).is_err() {
            let failing = |number| stage(number as u32).is_err();
            let first = first_true(0, last.into(), last.into(), failing);
            stage(first.map_or(last, |number| number as u32))?;
        }
        let (stages, full) = (0..count).map(stage).collect::<Result<_, _>>()?;
        Ok(Self {
            growth,
            stages,
            full,
        })
    }

    /// Lays out as many stages as fit in `bits` bits.
    pub(crate) fn for_bits(growth: Growth, bits: u64) -> Result<Self, QueryError> {
        let mut grown = Self {
            growth,
            stages: Vec::new(),
            full: Vec::new(),
        };
        let mut used = 0_u64;
        for number in 0..MAX_STAGES {
            let (stage, full) = match stage(growth, number) {
                Ok(stage) => stage,
                // The next stage is beyond what can be sized, so these stages are all there are.
                Err(_) if number > 0 => return Ok(grown),
                Err(error) => return Err(of_stage(growth, error)),
            };
            used = used.saturating_add(stage.bits);
            if used > bits {
                return Ok(grown);
            }
            grown.stages.push(stage);
            grown.full.push(full);
        }
        Err(too_many_stages(growth, Quantity::Bits, bits))
    }

    /// Finds the lowest rate whose stages for `items` items fit in `bits` bits; `None` if even a
    /// rate near 1 does not fit.
    pub(crate) fn tightest(
        growth: Growth,
        items: u64,
        bits: u64,
    ) -> Result<Option<Self>, QueryError> {
        let at = |number: u64| Growth {
            rate: rate_at(number),
            ..growth
        };
        let laid_out = |number| {
            let grown = Self::for_items(at(number), items).ok();
            grown.filter(|grown| grown.bits() <= bits)
        };
        // The highest rate needs the fewest bits: if it needs too many, no rate fits. Any other
        // error occurs at every rate, so it is returned without a rate.
        match Self::for_items(at(LOOSEST), items) {
            Ok(_) => {}
            Err(QueryError::Math(MathError::NeedsTooManyBits { .. })) => return Ok(None),
            Err(error) => return Err(error.at_any_rate()),
        }
        // The search uses estimated sizes first, which are mostly right, and then exact ones.
        let stages = growth.stages(items)?;
        let guess = first_true(0, LOOSEST, LOOSEST / 2, |number| {
            guessed_bits(at(number), stages) <= bits as f64
        });
        // Laying out the stages at a rate on either side of the guess fills the cache. The cache
        // then has most sizes for the rates between these two.
        let guess = guess.unwrap_or(LOOSEST);
        for number in [guess.saturating_sub(AROUND), (guess + AROUND).min(LOOSEST)] {
            _ = laid_out(number);
        }
        let best = RefCell::new(None);
        first_true(0, LOOSEST, guess, |number| {
            let grown = laid_out(number);
            let fits = grown.is_some();
            if fits {
                // Each rate that fits is lower than the ones that fitted before, so the last one is the best.
                best.replace(grown);
            }
            fits
        });
        Ok(best.into_inner())
    }

    /// Returns the bits of all stages.
    pub(crate) fn bits(&self) -> u64 {
        let all = self.stages.iter().map(|stage| stage.bits);
        all.fold(0, u64::saturating_add)
    }

    /// Returns the items of all stages.
    pub(crate) fn items(&self) -> u64 {
        let all = self.stages.iter().map(|stage| stage.items);
        all.fold(0, u64::saturating_add)
    }

    /// Returns the bits of all stages. If these hold fewer than `items` items, the filter grows first; `None` if that needs
    /// more stages than can be laid out.
    pub(crate) fn bits_with(&self, items: u64) -> Option<u128> {
        let more = || Self::for_items(self.growth, items).ok();
        let grown = if items > self.items() { &more()? } else { self };
        let bits = grown.stages.iter().map(|stage| u128::from(stage.bits));
        Some(bits.sum())
    }

    /// Returns the compound rate with `items` items. If these stages hold fewer, the filter grows
    /// first; `None` if that needs more stages than can be laid out.
    pub(crate) fn rate(&self, items: u64) -> Option<Rate> {
        if items > self.items() {
            let grown = Self::for_items(self.growth, items).ok()?;
            return grown.rate(items);
        }
        Some(rate_of(compound_rate(self.rates(items))))
    }

    /// Returns the rate of each stage with `items` items in all; items beyond those that the stages are sized for are ignored.
    pub(crate) fn rates(&self, items: u64) -> impl Iterator<Item = f64> {
        let mut left = items;
        self.stages
            .iter()
            .zip(&self.full)
            .map(move |(stage, full)| {
                let inside = left.min(stage.items);
                left -= inside;
                if inside == stage.items {
                    return *full;
                }
                rate_with(inside, stage)
            })
    }
}

/// Returns the rate of a stage with this many items.
fn rate_with(items: u64, stage: &StageSize) -> f64 {
    exact::rate(items, stage.bits, stage.hashes).map_or(1.0, Rate::value)
}

/// Returns the error of a question that needs more than [`MAX_STAGES`] stages because of a given quantity.
fn too_many_stages(growth: Growth, quantity: Quantity, value: u64) -> QueryError {
    QueryError::TooManyStages {
        quantity,
        value,
        initial: growth.items,
        growth: growth.growth,
    }
}

/// Converts the error of a stage to one that names the numbers of the question.
fn of_stage(growth: Growth, error: MathError) -> QueryError {
    match error {
        MathError::NeedsTooManyBits { .. } => QueryError::FirstStageTooLarge {
            initial: growth.items,
            rate: Some(growth.rate),
        },
        MathError::TooManyStages(stages) => QueryError::StageTooLarge {
            stage: stages,
            initial: growth.items,
            growth: growth.growth,
        },
        error => error.into(),
    }
}

/// [`Grown::tightest`] searches among numbered rates. Number 0 is the rate e^-690, and this number is a rate just below 1.
/// Neighbouring rates differ by 2.5 parts in 10^12.
const LOOSEST: u64 = 1 << 48;

/// If the numbers of two rates differ by at most this, nearly all stages have the same size at both: the rates differ by at
/// most 4.2 parts in 10^5.
const AROUND: u64 = 1 << 24;

/// Maps a number from 0 to [`LOOSEST`] to a rate, evenly in its logarithm.
fn rate_at(number: u64) -> f64 {
    let share = (LOOSEST - number) as f64 / LOOSEST as f64;
    libm::exp(-690.0 * share).min(1.0 - f64::EPSILON)
}

/// Estimates the bits of the first `stages` stages.
fn guessed_bits(growth: Growth, stages: u32) -> f64 {
    let each = |number| {
        let items = growth.stage_items(number).unwrap_or(u64::MAX) as f64;
        let rate = growth.stage_rate(number).max(f64::MIN_POSITIVE);
        let middle = -libm::log2(rate);
        let bits = [middle.floor(), middle.ceil()].map(|hashes| {
            let k = hashes.clamp(1.0, 255.0);
            (items * bits_per_item(k as u8, rate) + 0.5 + 0.22 * (k - 1.0)).ceil()
        });
        bits[0].min(bits[1])
    };
    (0..stages).map(each).sum()
}

/// Items and rate of a stage.
type Key = (u64, u64);

thread_local! {
    /// The stages that this thread has sized, in the order of their keys, and their rates when they are full.
    static SIZES: RefCell<Vec<(Key, (StageSize, f64))>> = const { RefCell::new(Vec::new()) };
}

/// The cache [`SIZES`] is cleared when it holds this many stages.
const KEPT: usize = 1 << 16;

/// Returns a stage and its rate when it is full. The cache has the size if it holds a stage with the same items and rate. It also
/// has the size if it holds two stages with the same items and size, one with a lower and one with a higher rate: at all rates
/// between, a stage has that size.
pub(super) fn stage(growth: Growth, number: u32) -> Result<(StageSize, f64), MathError> {
    growth.check()?;
    let sized = || {
        let stage = growth.stage(Model::Exact, number)?;
        Ok((stage, rate_with(stage.items, &stage)))
    };
    let Some(items) = growth.stage_items(number) else {
        return sized();
    };
    let rate = growth.stage_rate(number);
    let key = (items, rate.to_bits());
    let size = |stage: &StageSize| (stage.items, stage.bits, stage.hashes);
    SIZES.with_borrow_mut(|sizes| {
        if sizes.len() == KEPT {
            sizes.clear();
        }
        let at = match sizes.binary_search_by(|(known, _)| known.cmp(&key)) {
            Ok(at) => return Ok(sizes[at].1),
            Err(at) => at,
        };
        if let [.., (_, (lower, full))] = &sizes[..at]
            && let [(_, (higher, _)), ..] = &sizes[at..]
            && size(lower) == size(higher)
        {
            let mut between = *lower;
            between.rate = rate;
            return Ok((between, *full));
        }
        let found = sized()?;
        sizes.insert(at, (key, found));
        Ok(found)
    })
}

/// Converts a probability to a [`Rate`].
pub(crate) fn rate_of(value: f64) -> Rate {
    let one = exact::rate(1, 1, 1).expect("one bit is a valid size");
    one.at_most(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of stages in the cache of this test. Each test runs in its own thread and so has its own cache.
    fn known() -> usize {
        SIZES.with_borrow(Vec::len)
    }

    #[test]
    fn many_stages_of_one_size_are_searched_for_a_few_times() {
        let growth = Growth {
            items: 1_000,
            rate: 0.5,
            growth: 1,
            tightening: 0.85,
        };
        let fits = Grown::tightest(growth, 100_000, 3_000_000);
        let fits = fits.unwrap().expect("there is a rate");
        assert!(
            (2_999_000..=3_000_000).contains(&fits.bits()),
            "{}",
            fits.bits()
        );
        // All stages are sized at the highest rate, at the guess and at the two rates around it. Between these, few change size.
        assert!(known() < 6 * fits.stages.len(), "{}", known());

        // The first stage that cannot be sized is found without sizing all stages before it.
        let before = known();
        let of_one = Growth {
            items: 1,
            rate: 1e-3,
            ..growth
        };
        let refused = Grown::for_items(of_one, 10_000).unwrap_err();
        assert!(
            matches!(refused, QueryError::StageRateTooLow { stage: 4_532, .. }),
            "{refused:?}"
        );
        assert!(known() - before < 100, "{}", known() - before);
    }

    #[test]
    fn a_stage_between_known_ones_of_one_size_has_that_size() {
        // Every tenth rate is cached first. Most rates between two cached ones have the size of both, but sizes do change.
        let rates = 3_000_u32;
        let at = |number: u32| Growth {
            items: 1_000,
            rate: 0.01 * (1.0 + 1e-5 * f64::from(number)),
            growth: 1,
            tightening: 0.85,
        };
        for number in (0..=rates).step_by(10) {
            stage(at(number), 0).unwrap();
        }
        let (before, mut sizes) = (known(), Vec::new());
        for number in 0..=rates {
            let (found, full) = stage(at(number), 0).unwrap();
            let alone = exact::rate(1_000, found.bits, found.hashes).unwrap();
            assert_eq!(full, alone.value(), "{number}");
            assert_eq!(
                found,
                at(number).stage(Model::Exact, 0).unwrap(),
                "{number}"
            );
            sizes.push((found.bits, found.hashes));
        }
        sizes.dedup();
        assert!(sizes.len() > 10, "{sizes:?}");
        assert!(
            known() - before < rates as usize / 5,
            "{before} {}",
            known()
        );
    }
}
