//! A filter of a page of the book: classic, counting or growing. The items are words, or numbers where a page inserts
//! or queries many items.

use alloc::vec::Vec;
use core::hash::BuildHasher;
use core::ops::Range;

use bloom_core::{
    BloomFilter, BuildError, CountingBloomFilter, FixedState, ScalableBloomFilter, ScalableShape,
    Shape,
};

use crate::same_rate::SameRate;

/// A filter. `SameRate` is a growing filter whose stages all have the same rate.
pub(crate) enum Filter {
    Classic(BloomFilter<str>),
    Counting(CountingBloomFilter<str>),
    Scalable(ScalableBloomFilter<str>),
    SameRate(SameRate),
}

/// Evaluates an expression for the filter that a variant of [`Filter`] has.
macro_rules! inside {
    ($filter:expr, $inside:ident => $value:expr) => {
        match $filter {
            Filter::Classic($inside) => $value,
            Filter::Counting($inside) => $value,
            Filter::Scalable($inside) => $value,
            Filter::SameRate($inside) => $value,
        }
    };
}

/// Returns the hash of a word: the one that the filters of `bloom-core` compute by default.
pub(crate) fn of_word(word: &str) -> u64 {
    FixedState::new().hash_one(word)
}

/// Returns the leading 16 bits of the first four probes of a word. These probes are one 64-bit number, rotated left by 16 bits from
/// one probe to the next, so the results are its quarters. The position of a probe p is m × p / 2^64, rounded down: see
/// `bloom_core::persist`, which also says how the number is derived from the hash.
pub(crate) fn quarters(word: &str) -> [u16; 4] {
    let product = u128::from(of_word(word)) * 0x94d0_49bb_1331_11eb;
    let folded = product as u64 ^ (product >> 64) as u64;
    let number = folded.wrapping_add(0x9e37_79b9_7f4a_7c15);
    [48, 32, 16, 0].map(|shift| (number >> shift) as u16)
}

/// Returns the hash of a number.
pub(crate) fn of_number(number: u64) -> u64 {
    FixedState::new().hash_one(number)
}

impl Filter {
    /// Creates a filter of bits, or of counters of 4 bits.
    pub(crate) fn new(counting: bool, bits: u64, hashes: u8) -> Result<Self, BuildError> {
        let shape = Shape::new(bits, hashes)?;
        Ok(if counting {
            Self::Counting(CountingBloomFilter::new(shape)?)
        } else {
            Self::Classic(BloomFilter::new(shape)?)
        })
    }

    /// Creates a filter that grows. `tightening` is the rate of a stage divided by the rate of the stage before.
    /// If it is 1, which `ScalableShape` refuses, each stage has the rate of the whole filter.
    pub(crate) fn growing(
        items: u64,
        rate: f64,
        growth: u32,
        tightening: f64,
    ) -> Result<Self, BuildError> {
        if tightening == 1.0 {
            return Ok(Self::SameRate(SameRate::new(items, rate, growth)?));
        }
        let shape = ScalableShape::new(items, rate)?
            .with_growth(growth)?
            .with_tightening(tightening)?;
        Ok(Self::Scalable(ScalableBloomFilter::new(shape)?))
    }

    /// Inserts an item by its hash and returns whether it is certainly new. If a growing filter cannot grow, does not
    /// insert the item and returns `false`.
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        match self {
            Self::Classic(filter) => filter.insert_hash(hash),
            Self::Counting(filter) => filter.insert_hash(hash),
            Self::Scalable(filter) => filter.insert_hash(hash).unwrap_or(false),
            Self::SameRate(filter) => filter.insert_hash(hash),
        }
    }

    /// Inserts numbers and returns how many were certainly new.
    pub(crate) fn insert_numbers(&mut self, numbers: Range<u64>) -> u64 {
        let new = numbers.filter(|number| self.insert(of_number(*number)));
        new.count() as u64
    }

    /// Returns whether an item may have been inserted.
    pub(crate) fn contains(&self, hash: u64) -> bool {
        inside!(self, filter => filter.contains_hash(hash))
    }

    /// Returns how many of the numbers are found.
    pub(crate) fn contains_numbers(&self, numbers: Range<u64>) -> u64 {
        let found = numbers.filter(|number| self.contains(of_number(*number)));
        found.count() as u64
    }

    /// Removes an item from a counting filter, unless the item is certainly absent. Other filters cannot
    /// remove items and return `false`.
    pub(crate) fn remove(&mut self, hash: u64) -> bool {
        let Self::Counting(filter) = self else {
            return false;
        };
        filter.remove_hash(hash)
    }

    pub(crate) fn clear(&mut self) {
        inside!(self, filter => filter.clear());
    }

    /// Returns the share of bits that are set, or of counters above 0.
    pub(crate) fn fill(&self) -> f64 {
        match self {
            Self::Classic(filter) => filter.fill(),
            Self::Counting(filter) => filter.fill(),
            Self::Scalable(_) | Self::SameRate(_) => {
                let stages = self.stages();
                let sum = |column: usize| stages.iter().map(|stage| stage[column]).sum::<u64>();
                sum(4) as f64 / sum(0) as f64
            }
        }
    }

    /// Returns the false-positive rate at the current fill.
    pub(crate) fn rate(&self) -> f64 {
        inside!(self, filter => filter.false_positive_rate())
    }

    /// Returns the mean rate of filters of this shape with `items` items. A filter that grows ignores
    /// `items` and takes the number of items that it has.
    pub(crate) fn expected_rate(&self, items: u64) -> f64 {
        match self {
            Self::Classic(filter) => filter.expected_false_positive_rate(items),
            Self::Counting(filter) => filter.expected_false_positive_rate(items),
            Self::Scalable(filter) => filter.expected_false_positive_rate(),
            Self::SameRate(filter) => filter.expected_false_positive_rate(),
        }
    }

    /// Returns every bit or counter in order, one per byte; nothing for a filter that grows.
    pub(crate) fn cells(&self) -> Vec<u8> {
        match self {
            Self::Classic(filter) => bits(filter.words(), filter.shape().bits()),
            Self::Counting(filter) => filter.counts().collect(),
            Self::Scalable(_) | Self::SameRate(_) => Vec::new(),
        }
    }

    /// Returns the positions that an item sets, in ascending order; nothing for a filter that grows.
    pub(crate) fn positions(&self, hash: u64) -> Vec<u64> {
        let shape = match self {
            Self::Classic(filter) => filter.shape(),
            Self::Counting(filter) => filter.shape(),
            Self::Scalable(_) | Self::SameRate(_) => return Vec::new(),
        };
        let Ok(mut empty) = Self::new(false, shape.bits(), shape.hashes()) else {
            return Vec::new();
        };
        empty.insert(hash);
        let cells = (0..).zip(empty.cells());
        cells
            .filter(|(_, cell)| *cell > 0)
            .map(|(at, _)| at)
            .collect()
    }

    /// Returns bits, hashes, expected items, items and set bits of each stage of a filter that grows.
    pub(crate) fn stages(&self) -> Vec<[u64; 5]> {
        match self {
            Self::Scalable(filter) => {
                let rows = filter.stages().map(|stage| {
                    let (bits, hashes) = (stage.shape.bits(), stage.shape.hashes());
                    [
                        bits,
                        hashes.into(),
                        stage.expected_items,
                        stage.items,
                        stage.ones,
                    ]
                });
                rows.collect()
            }
            Self::SameRate(filter) => filter.stages().collect(),
            _ => Vec::new(),
        }
    }
}

/// Returns the bits of words, one per byte.
fn bits(words: &[u64], bits: u64) -> Vec<u8> {
    let bit = |at: usize| (words[at / 64] >> (at % 64) & 1) as u8;
    (0..bits as usize).map(bit).collect()
}

/// Returns the rates of filters with the same shape and different items, `items` in each. Each rate is computed from the
/// fill of its filter.
pub(crate) fn rates_of_many(
    items: u64,
    shape: Shape,
    filters: Range<u64>,
) -> Result<Vec<f64>, BuildError> {
    let mut filter = BloomFilter::<str>::new(shape)?;
    let rates = filters.map(|number| {
        filter.clear();
        let first = number.wrapping_mul(items);
        for item in 0..items {
            filter.insert_hash(of_number(first.wrapping_add(item)));
        }
        filter.false_positive_rate()
    });
    Ok(rates.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [bool; 2] = [false, true];

    #[test]
    fn a_word_has_the_hash_and_the_bits_of_the_crate() {
        let shape = Shape::new(1_000, 5).unwrap();
        let mut own = BloomFilter::<str>::new(shape).unwrap();
        own.insert("ant");
        assert_eq!(own.hash_of("ant"), of_word("ant"));
        let filter = Filter::new(false, 1_000, 5).unwrap();
        let lit = filter.positions(of_word("ant"));
        let words = own.words();
        let set = (0..1_000).filter(|at: &u64| words[(at / 64) as usize] >> (at % 64) & 1 == 1);
        assert_eq!(lit, set.collect::<Vec<_>>());
        assert_eq!(filter.fill(), 0.0);
    }

    #[test]
    fn some_words_that_a_page_deletes_share_a_bit() {
        let filter = Filter::new(false, 32, 3).unwrap();
        let words = ["ant", "cat", "emu", "hen", "kite"];
        let positions = words.map(|word| filter.positions(of_word(word)));
        assert_eq!(
            positions,
            [
                [3, 6, 9],
                [10, 29, 31],
                [10, 18, 27],
                [3, 21, 23],
                [4, 17, 21]
            ]
        );
    }

    #[test]
    fn every_kind_finds_what_was_inserted_and_nothing_once_cleared() {
        let kinds = KINDS.map(|counting| Filter::new(counting, 2_048, 4).unwrap());
        let kinds = kinds
            .into_iter()
            .chain([0.85, 1.0].map(|ratio| Filter::growing(10, 0.01, 2, ratio).unwrap()));
        for mut filter in kinds {
            assert!(!filter.contains(of_word("bee")));
            assert!(filter.insert(of_word("bee")));
            assert!(filter.contains(of_word("bee")));
            assert!(!filter.insert(of_word("bee")));
            let new = filter.insert_numbers(0..50);
            assert!((1..=50).contains(&new));
            assert_eq!(filter.contains_numbers(0..50), 50);
            assert!(filter.fill() > 0.0 && filter.rate() > 0.0 && filter.expected_rate(51) > 0.0);
            filter.clear();
            assert_eq!((filter.contains_numbers(0..50), filter.fill()), (0, 0.0));
        }
    }

    /// For bits and counters the fill is the share that is not 0; for a filter that grows, the set bits of all stages
    /// divided by the bits of all stages.
    #[test]
    fn the_fill_is_the_share_of_cells_that_are_not_empty() {
        for counting in KINDS {
            let mut filter = Filter::new(counting, 1_000, 4).unwrap();
            // Inserts 150 numbers, the first 50 of them twice, so that some counters are above 1.
            filter.insert_numbers(0..150);
            filter.insert_numbers(0..50);
            let set = filter.cells().iter().filter(|cell| **cell > 0).count();
            assert_eq!(filter.fill(), set as f64 / 1_000.0, "{counting}");
            // The expected fill is 0.4514, with a standard deviation of 0.008.
            assert!((0.38..0.52).contains(&filter.fill()), "{}", filter.fill());
        }
        for ratio in [0.85, 1.0] {
            let mut filter = Filter::growing(1_000, 0.01, 2, ratio).unwrap();
            // A full filter has nearly half its bits set.
            filter.insert_numbers(0..1_000);
            assert!((0.45..0.53).contains(&filter.fill()), "{}", filter.fill());
            // Now there are full stages for 1,000 and for 2,000 items, and a stage for 4,000 items that has 1,000.
            filter.insert_numbers(1_000..4_000);
            let stages = filter.stages();
            assert_eq!(stages.len(), 3);
            let (bits, ones) = stages.iter().fold((0, 0), |(bits, ones), stage| {
                (bits + stage[0], ones + stage[4])
            });
            assert_eq!(filter.fill(), ones as f64 / bits as f64);
            assert!((0.25..0.4).contains(&filter.fill()), "{}", filter.fill());
        }
    }

    #[test]
    fn a_cleared_filter_is_as_new() {
        let kinds = KINDS.map(|counting| Filter::new(counting, 2_048, 4).unwrap());
        let growing = [0.85, 1.0].map(|ratio| Filter::growing(10, 0.01, 2, ratio).unwrap());
        for mut filter in kinds.into_iter().chain(growing) {
            let state = |filter: &Filter| {
                let rates = (filter.rate(), filter.expected_rate(0), filter.fill());
                (filter.stages(), filter.cells(), rates)
            };
            let new = state(&filter);
            filter.insert_numbers(0..7);
            filter.clear();
            assert_eq!(state(&filter), new);
            // A cleared filter has room for all items that it is sized for, even if it had grown.
            filter.insert_numbers(0..50);
            filter.clear();
            assert_eq!(state(&filter), new);
            filter.insert_numbers(0..10);
            assert!(filter.stages().len() <= 1);
        }
    }

    #[test]
    fn the_lit_bits_are_those_that_an_insert_sets() {
        for counting in KINDS {
            let mut filter = Filter::new(counting, 1_024, 4).unwrap();
            let lit = filter.positions(of_word("cat"));
            filter.insert(of_word("cat"));
            let cells = filter.cells();
            assert_eq!(cells.len(), 1_024);
            let set = (0..).zip(cells).filter(|(_, cell)| *cell > 0);
            assert_eq!(
                lit,
                set.map(|(at, _)| at).collect::<Vec<u64>>(),
                "{counting}"
            );
            assert!((1..=4).contains(&lit.len()));
        }
    }

    #[test]
    fn counters_count_and_a_removal_takes_one_away() {
        let mut filter = Filter::new(true, 64, 3).unwrap();
        let ant = of_word("ant");
        let total = |filter: &Filter| {
            filter
                .cells()
                .iter()
                .map(|cell| u32::from(*cell))
                .sum::<u32>()
        };
        filter.insert(ant);
        filter.insert(ant);
        let twice = total(&filter);
        assert!(filter.remove(ant));
        assert_eq!((total(&filter) * 2, filter.contains(ant)), (twice, true));
        assert!(filter.remove(ant) && !filter.contains(ant) && !filter.remove(ant));
        // Only a filter with counters can remove.
        let mut classic = Filter::new(false, 64, 3).unwrap();
        classic.insert(ant);
        assert!(!classic.remove(ant) && classic.contains(ant));
    }

    #[test]
    fn a_filter_that_grows_lists_its_stages() {
        let mut filter = Filter::growing(10, 0.01, 2, 0.5).unwrap();
        filter.insert_numbers(0..100);
        let stages = filter.stages();
        assert!(stages.len() > 2, "{stages:?}");
        assert_eq!((stages[0][2], stages[1][2]), (10, 20));
        assert!(stages[1][1] > stages[0][1]);
        assert!(Filter::new(false, 64, 3).unwrap().stages().is_empty());
    }

    /// The mean rate of 10,000 filters of 16 bits is within 6 standard errors of the exact rate.
    #[test]
    fn the_mean_of_many_small_filters_is_the_exact_rate() {
        use bloom_core::math::{exact, spread};
        let (items, shape) = (3, Shape::new(16, 3).unwrap());
        let rates = rates_of_many(items, shape, 0..10_000).unwrap();
        let mean = rates.iter().sum::<f64>() / 1e4;
        let exact = exact::rate(items, 16, 3).unwrap().value();
        let error = spread(items, 16, 3).unwrap().standard_deviation / 100.0;
        assert!((mean - exact).abs() < 6.0 * error, "{mean} {exact} {error}");
    }
}
