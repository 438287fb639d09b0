//! Builds real filters of bloom-core as an answer describes them, fills them and queries them.

use std::error::Error;

use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, BuildError, CounterBits, CountingBloomFilter,
    FixedState, PartitionedBloomFilter, ScalableBloomFilter, ScalableShape, Shape,
};

use super::plan::{Plan, scaled_down};
use crate::error::InputError;
use crate::filters::Filter;
use crate::query::QueryError;
use crate::solution::Solution;

/// What was measured in one filter.
pub(super) struct Measured {
    /// The number of false positives among its lookups.
    pub(super) hits: u64,
    /// Its own rate, computed from its set bits.
    pub(super) own: f64,
}

/// How the blocks of an answer are built where bloom-core has no filter that contains them all.
#[derive(Clone, Copy)]
enum Piece {
    /// A classic filter for each block: k positions among its bits.
    Classic,
    /// A partitioned filter for each block: one position in each lane.
    Partitioned,
}

/// Returns how blocks are built one by one; `None` where bloom-core has the whole filter.
fn piece(filter: Filter) -> Option<Piece> {
    match filter {
        Filter::SplitBlock { block_bits: 512 } => None,
        Filter::SplitBlock { .. } => Some(Piece::Partitioned),
        Filter::Blocked { .. } => Some(Piece::Classic),
        _ => None,
    }
}

/// Returns the memory of one filter.
pub(super) fn bytes(solution: &Solution) -> u128 {
    let bits = solution.memory_bits().div_ceil(8);
    let block = match piece(solution.asked.filter) {
        None => return bits,
        Some(Piece::Classic) => size_of::<BloomFilter<u64>>(),
        Some(Piece::Partitioned) => size_of::<PartitionedBloomFilter<u64>>(),
    };
    // Each block has its own words, and the allocator's overhead for them.
    let unit = solution.asked.filter.unit();
    let words = u128::from(unit.next_multiple_of(64) / 8) + 16;
    u128::from(solution.bits / unit) * (block as u128 + words)
}

/// Returns what the filters are built from, where the question does not make it plain.
pub(super) fn built_of(solution: &Solution) -> Option<String> {
    let blocks = crate::numbers::grouped(solution.bits / solution.asked.filter.unit());
    let bits = crate::numbers::grouped(solution.asked.filter.unit());
    let kind = match piece(solution.asked.filter)? {
        Piece::Classic => "classic",
        Piece::Partitioned => "partitioned",
    };
    Some(format!("{blocks} {kind} filters of {bits} bits"))
}

/// Fills one filter and queries it for other items.
pub(super) fn measure(
    solution: &Solution,
    plan: &Plan,
    seed: u64,
    trial: u64,
) -> Result<Measured, InputError> {
    let filter = solution.asked.filter;
    if let Filter::Counting { counter_bits } = filter
        && ![4, 8].contains(&counter_bits)
    {
        return Err(QueryError::NotBuilt { filter }.into());
    }
    let hasher = FixedState::with_seed(mixed(seed ^ mixed(trial)));
    let built = build(solution, seed, hasher);
    let measured = built.and_then(|mut filter| Ok(ask(&mut *filter, solution, plan, seed, trial)?));
    measured.map_err(|error| InputError::new(error.to_string()).with_hint(scaled_down(solution)))
}

/// Builds the filter that an answer describes.
fn build(
    solution: &Solution,
    seed: u64,
    hasher: FixedState,
) -> Result<Box<dyn Subject>, Box<dyn Error>> {
    let filter = solution.asked.filter;
    let blocks = solution.bits / filter.unit();
    let shape = || Shape::new(solution.bits, solution.hashes);
    let block = || Shape::new(filter.unit(), solution.hashes);
    Ok(match (filter, piece(filter)) {
        (_, Some(Piece::Classic)) => Box::new(Blocks::new(blocks, seed, || {
            Ok(BloomFilter::<u64, _>::with_hasher(block()?, hasher)?)
        })?),
        (_, Some(Piece::Partitioned)) => Box::new(Blocks::new(blocks, seed, || {
            PartitionedBloomFilter::<u64, _>::with_hasher(block()?, hasher)
        })?),
        (Filter::Classic, _) => Box::new(BloomFilter::<u64, _>::with_hasher(shape()?, hasher)?),
        (Filter::Partitioned, _) => Box::new(PartitionedBloomFilter::<u64, _>::with_hasher(
            shape()?,
            hasher,
        )?),
        (Filter::Counting { counter_bits }, _) => {
            let width = match counter_bits {
                4 => CounterBits::Four,
                _ => CounterBits::Eight,
            };
            let shape = shape()?;
            Box::new(CountingBloomFilter::<u64, _>::with_counter_bits(
                shape, width, hasher,
            )?)
        }
        (
            Filter::Scalable {
                growth, tightening, ..
            },
            _,
        ) => {
            let grown = solution.grown.as_ref();
            let start = grown.expect("a filter that grows has its stages").growth;
            let shape = ScalableShape::new(start.items, start.rate)?
                .with_growth(growth)?
                .with_tightening(tightening)?;
            Box::new(ScalableBloomFilter::<u64, _>::with_hasher(shape, hasher)?)
        }
        _ => {
            let shape = BlockedShape::new(blocks)?;
            Box::new(BlockedBloomFilter::<u64, _>::with_hasher(shape, hasher)?)
        }
    })
}

/// A filter that can be filled and queried.
trait Subject {
    fn insert_many(&mut self, keys: &[u64]) -> Result<(), String>;
    fn contains_many(&self, keys: &[u64], answers: &mut Vec<bool>);
    fn own_rate(&self) -> f64;
}

impl<F: bloom_core::Filter<u64>> Subject for F {
    fn insert_many(&mut self, keys: &[u64]) -> Result<(), String> {
        let inserted = self.try_insert_many(keys);
        inserted.map(|_| ()).map_err(|error| error.to_string())
    }

    fn contains_many(&self, keys: &[u64], answers: &mut Vec<bool>) {
        bloom_core::Filter::contains_many(self, keys, answers);
    }

    fn own_rate(&self) -> f64 {
        self.false_positive_rate()
    }
}

/// One filter for each block; a hash independent of the filters' own picks the block of an item.
struct Blocks<F> {
    blocks: Vec<F>,
    seed: u64,
}

impl<F> Blocks<F> {
    fn new(
        blocks: u64,
        seed: u64,
        block: impl Fn() -> Result<F, BuildError>,
    ) -> Result<Self, BuildError> {
        Ok(Self {
            blocks: (0..blocks).map(|_| block()).collect::<Result<_, _>>()?,
            seed: mixed(!seed),
        })
    }

    fn of(&self, key: u64) -> usize {
        let hash = u128::from(mixed(key ^ self.seed));
        ((hash * self.blocks.len() as u128) >> 64) as usize
    }
}

impl<F: bloom_core::Filter<u64>> Subject for Blocks<F> {
    fn insert_many(&mut self, keys: &[u64]) -> Result<(), String> {
        for key in keys {
            let block = self.of(*key);
            let inserted = self.blocks[block].try_insert(key);
            inserted.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn contains_many(&self, keys: &[u64], answers: &mut Vec<bool>) {
        answers.clear();
        answers.extend(
            keys.iter()
                .map(|key| self.blocks[self.of(*key)].contains(key)),
        );
    }

    fn own_rate(&self) -> f64 {
        let rates = self.blocks.iter().map(F::false_positive_rate);
        rates.sum::<f64>() / self.blocks.len() as f64
    }
}

/// Inserts the items and queries others, a few thousand at a time.
fn ask(
    filter: &mut dyn Subject,
    solution: &Solution,
    plan: &Plan,
    seed: u64,
    trial: u64,
) -> Result<Measured, String> {
    const MANY: u64 = 4_096;
    // Each trial has its own items; lookups continue where these end, so no queried item was inserted.
    let first = mixed(mixed(seed).wrapping_add(trial));
    let mut keys = Vec::new();
    let mut answers = Vec::new();
    let mut hits = 0_u64;
    let total = solution.items + plan.lookups;
    let mut done = 0;
    while done < total {
        let inserting = done < solution.items;
        let end = if inserting { solution.items } else { total };
        let next = end.min(done + MANY);
        keys.clear();
        keys.extend((done..next).map(|index| first.wrapping_add(index)));
        if inserting {
            filter.insert_many(&keys)?;
        } else {
            filter.contains_many(&keys, &mut answers);
            hits += answers.iter().filter(|found| **found).count() as u64;
        }
        done = next;
    }
    Ok(Measured {
        hits,
        own: filter.own_rate(),
    })
}

/// The mixing function of SplitMix64, a bijection.
fn mixed(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Query;

    /// The first outputs from seed 0, as the author publishes them: states are multiples of the gamma.
    #[test]
    fn hashes_are_mixed_as_split_mix_64_does() {
        let gamma = 0x9e37_79b9_7f4a_7c15_u64;
        assert_eq!(mixed(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mixed(gamma), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(mixed(gamma.wrapping_mul(2)), 0x06c4_5d18_8009_454f);
    }

    #[test]
    fn the_memory_of_blocks_built_one_by_one_counts_what_each_takes_beside_its_bits() {
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
        // bloom-core has this filter whole.
        assert_eq!(taken(Filter::SplitBlock { block_bits: 512 }, 5_120), 640);
        // 100 bits take 128, and the allocator takes 16 bytes.
        let each = size_of::<BloomFilter<u64>>() as u128 + 16 + 16;
        assert_eq!(taken(Filter::Blocked { block_bits: 100 }, 1_000), 10 * each);
        let each = size_of::<PartitionedBloomFilter<u64>>() as u128 + 32 + 16;
        assert_eq!(
            taken(Filter::SplitBlock { block_bits: 256 }, 2_560),
            10 * each
        );
    }
}
