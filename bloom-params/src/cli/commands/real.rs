//! Builds the filters that an answer describes, fills them and queries them. The filters are those of bloom-core, or have the
//! positions of another system, that is, of a library or a database.

use std::error::Error;

use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CounterBits, CountingBloomFilter, FixedState,
    PartitionedBloomFilter, ScalableBloomFilter, ScalableShape, Shape, Stage, math,
};

use bloom_systems::random::split_mix;
use bloom_systems::{Layout, System};

use super::plan::{Plan, scaled_down};
use crate::answer::Solution;
use crate::error::InputError;
use crate::kind::filter::Filter;
use crate::question::QueryError;
use crate::say::numbers::grouped;

/// What was measured in one filter.
pub(super) struct Measured {
    /// The number of false positives among its lookups.
    pub(super) hits: u64,
    /// Its own rate, computed from its set bits or, for blocks and slices of another system, measured by the lookups.
    pub(super) own: f64,
    /// What is known of its stages; `None` for filters of fixed size.
    pub(super) grown: Option<Built>,
}

/// The rates and the memory of the stages of a filter that grew.
#[derive(Clone, Copy)]
pub(super) struct Built {
    /// The mean rate that filters with the stages of this one would have if the stages were independent. Real stages are
    /// dependent, because no stage has an item that an older stage finds: the true mean is between this and `sum`.
    pub(super) expected: f64,
    /// The sum of the rates of its stages.
    pub(super) sum: f64,
    pub(super) bits: u64,
}

/// Returns the kind of filter that is built for each block, and the size of its Rust type. Returns `None` if there are no
/// blocks, or if bloom-core has a filter for all blocks together. A classic filter stands for a block with k positions among
/// all its bits, a partitioned one for a block with a position in each lane.
fn piece(filter: Filter) -> Option<(&'static str, usize)> {
    match filter {
        Filter::SplitBlock { block_bits: 512 } => None,
        Filter::SplitBlock { .. } => {
            Some(("partitioned", size_of::<PartitionedBloomFilter<u64>>()))
        }
        Filter::PlainBlocked { .. } => Some(("classic", size_of::<BloomFilter<u64>>())),
        _ => None,
    }
}

/// Returns the [`piece`] of the requested filter, if each block is built as a filter of its own.
fn pieces(solution: &Solution) -> Option<(&'static str, usize)> {
    piece(solution.asked.filter)
}

/// Returns the bytes of one filter. If they depend on chance, nearly all filters have at most this many.
pub(super) fn bytes(solution: &Solution) -> u128 {
    let Some((_, block)) = pieces(solution) else {
        let most = solution.memory_range_with(solution.items);
        return most
            .map_or(solution.memory_bits(), |(_, most)| most)
            .div_ceil(8);
    };
    // Each block has its own words, and the allocator's overhead for them.
    let unit = solution.asked.filter.unit();
    let words = u128::from(unit.next_multiple_of(64) / 8) + 16;
    u128::from(solution.bits / unit) * (block as u128 + words)
}

/// Returns a text on what each filter is built of, if it is built of one filter for each block.
pub(super) fn built_of(solution: &Solution) -> Option<String> {
    let (kind, _) = pieces(solution)?;
    let unit = solution.asked.filter.unit();
    let (blocks, bits) = (grouped(solution.bits / unit), grouped(unit));
    Some(format!("{blocks} {kind} filters of {bits} bits"))
}

/// Fills one filter and queries it for other items.
pub(super) fn measure(
    solution: &Solution,
    plan: &Plan,
    seed: u64,
    trial: u64,
) -> Result<Measured, InputError> {
    let trial = Trial {
        hasher: FixedState::with_seed(mixed(seed ^ mixed(trial))),
        first: mixed(mixed(seed).wrapping_add(trial)),
        block_seed: mixed(!seed),
        items: solution.items,
        lookups: plan.lookups,
    };
    let filter = solution.asked.filter;
    let hasher = trial.hasher;
    let blocks = solution.bits / filter.unit();
    let (count, bits) = match piece(filter) {
        Some(_) => (blocks, filter.unit()),
        None => (1, solution.bits),
    };
    let shape = || Shape::new(bits, solution.hashes);
    let measured = match filter {
        Filter::Classic | Filter::PlainBlocked { .. } => trial.run(
            count,
            |_| None,
            || Ok(BloomFilter::with_seed(shape()?, hasher.seed())?),
        ),
        Filter::SplitBlock { block_bits: 512 } => trial.run(
            1,
            |_| None,
            || {
                let shape = BlockedShape::new(blocks)?;
                Ok(BlockedBloomFilter::with_seed(shape, hasher.seed())?)
            },
        ),
        Filter::Partitioned | Filter::SplitBlock { .. } => trial.run(
            count,
            |_| None,
            || Ok(PartitionedBloomFilter::with_seed(shape()?, hasher.seed())?),
        ),
        Filter::Counting { counter_bits } => {
            let width = match counter_bits {
                4 => CounterBits::Four,
                8 => CounterBits::Eight,
                _ => return Err(QueryError::NotBuilt { filter }.into()),
            };
            trial.run(
                1,
                |_| None,
                || {
                    let shape = shape()?;
                    Ok(CountingBloomFilter::with_counter_bits_and_hasher(
                        shape, width, hasher,
                    )?)
                },
            )
        }
        Filter::OfSystem { system, .. } => Ok(trial.run_like(system, solution)),
        Filter::Scalable { .. } => {
            type Grown = ScalableBloomFilter<u64>;
            let grown: fn(&Grown) -> _ = |grown| {
                let own = |stage: Stage| {
                    let (bits, hashes) = (stage.shape.bits(), stage.shape.hashes());
                    math::rate_at_fill(stage.ones as f64 / bits as f64, hashes)
                };
                Some(Built {
                    expected: grown.expected_false_positive_rate(),
                    sum: grown.stages().map(own).sum(),
                    bits: grown.stages().map(|stage| stage.shape.bits()).sum(),
                })
            };
            trial.run(1, grown, || {
                let grown = solution.grown.as_ref();
                let start = grown.expect("a filter that grows has its stages").growth;
                let shape = ScalableShape::new(start.items, start.rate)?
                    .with_growth(start.growth)?
                    .with_tightening(start.tightening)?;
                Ok(ScalableBloomFilter::with_seed(shape, hasher.seed())?)
            })
        }
    };
    measured.map_err(|error| InputError::new(error.to_string()).with_hint(scaled_down(solution)))
}

/// A filter to measure: its hasher, its items, and the lookups that follow them.
struct Trial {
    hasher: FixedState,
    first: u64,
    block_seed: u64,
    items: u64,
    lookups: u64,
}

impl Trial {
    /// Inserts random hash values into a filter at the positions of another system, and queries other hash values.
    fn run_like(&self, system: &System, solution: &Solution) -> Measured {
        let (bits, hashes) = (solution.bits, solution.hashes);
        let mut words = vec![0_u64; bits.div_ceil(64) as usize];
        let place = |position: u64| ((position / 64) as usize, 1 << (position % 64));
        let key = |index| mixed(self.first.wrapping_add(index));
        for index in 0..self.items {
            system.visit(key(index), bits, hashes, |position| {
                let (word, bit) = place(position);
                words[word] |= bit;
                true
            });
        }
        let is_set = |position| {
            let (word, bit) = place(position);
            words[word] & bit != 0
        };
        let found = |index: &u64| system.visit(key(*index), bits, hashes, is_set);
        let hits = (self.items..self.items + self.lookups)
            .filter(found)
            .count() as u64;
        let ones: u64 = words.iter().map(|word| u64::from(word.count_ones())).sum();
        let own = match system.layout {
            Layout::Whole => (ones as f64 / bits as f64).powi(hashes.into()),
            // In other layouts the rate does not follow from the number of set bits alone.
            _ => hits as f64 / self.lookups as f64,
        };
        let grown = None;
        Measured { hits, own, grown }
    }

    /// Builds a filter of `count` blocks, each a filter of its own; if `count` is 1, that is the whole filter. Inserts the
    /// items and queries other items, a few thousand at a time.
    fn run<F: bloom_core::Filter<u64, InsertError: 'static>>(
        &self,
        count: u64,
        grown: fn(&F) -> Option<Built>,
        block: impl Fn() -> Result<F, Box<dyn Error>>,
    ) -> Result<Measured, Box<dyn Error>> {
        const MANY: u64 = 4_096;
        let mut blocks: Vec<F> = (0..count).map(|_| block()).collect::<Result<_, _>>()?;
        // The block of an item is picked by a hash that is independent of the filters' hashes.
        let block_of = |key: u64| {
            let hash = u128::from(mixed(key ^ self.block_seed));
            ((hash * u128::from(count)) >> 64) as usize
        };
        let mut keys = Vec::new();
        let mut answers = Vec::new();
        let mut hits = 0;
        let total = self.items + self.lookups;
        let mut done = 0;
        while done < total {
            let inserting = done < self.items;
            let end = if inserting { self.items } else { total };
            let next = end.min(done + MANY);
            keys.clear();
            // Each trial has its own items; lookups continue where these end, so no queried item was
            // inserted.
            keys.extend((done..next).map(|index| self.first.wrapping_add(index)));
            match (blocks.as_mut_slice(), inserting) {
                ([whole], true) => {
                    whole.try_insert_many(&keys)?;
                }
                ([whole], false) => {
                    whole.contains_many(&keys, &mut answers);
                    hits += answers.iter().filter(|found| **found).count();
                }
                (blocks, true) => {
                    for key in &keys {
                        blocks[block_of(*key)].try_insert(key)?;
                    }
                }
                (blocks, false) => {
                    let found = |key: &&u64| blocks[block_of(**key)].contains(key);
                    hits += keys.iter().filter(found).count();
                }
            }
            done = next;
        }
        let rates = blocks.iter().map(F::false_positive_rate);
        Ok(Measured {
            hits: hits as u64,
            own: rates.sum::<f64>() / count as f64,
            grown: blocks.first().and_then(grown),
        })
    }
}

/// The mixing function of SplitMix64, a bijection.
fn mixed(mut x: u64) -> u64 {
    split_mix(&mut x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Query;

    /// The first outputs for seed 0, as the author publishes them. The states are multiples of the constant gamma.
    #[test]
    fn hashes_are_mixed_as_split_mix_64_does() {
        let gamma = 0x9e37_79b9_7f4a_7c15_u64;
        assert_eq!(mixed(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mixed(gamma), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(mixed(gamma.wrapping_mul(2)), 0x06c4_5d18_8009_454f);
    }

    #[test]
    fn the_memory_of_blocks_built_one_by_one_includes_the_overhead_of_each() {
        let taken = |filter, bits| {
            let query = Query {
                items: Some(10),
                bits: Some(bits),
                filter,
                ..Query::default()
            };
            bytes(&query.solve().unwrap())
        };
        assert_eq!(taken(Filter::Classic, 1_001), 126);
        assert_eq!(taken(Filter::Counting { counter_bits: 4 }, 1_000), 500);
        // bloom-core has one filter for all of these blocks.
        assert_eq!(taken(Filter::SplitBlock { block_bits: 512 }, 5_120), 640);
        // 100 bits take two words, which are 16 bytes, and the allocator takes 16 more.
        let each = size_of::<BloomFilter<u64>>() as u128 + 16 + 16;
        assert_eq!(
            taken(Filter::PlainBlocked { block_bits: 100 }, 1_000),
            10 * each
        );
        let each = size_of::<PartitionedBloomFilter<u64>>() as u128 + 32 + 16;
        assert_eq!(
            taken(Filter::SplitBlock { block_bits: 256 }, 2_560),
            10 * each
        );
    }
}
