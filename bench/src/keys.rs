//! Generates the keys of the benchmark before anything is timed. The keys are random-looking numbers made from a seed; they
//! come in numbered streams, and no two streams of a seed have a key in common.

use std::borrow::{Borrow, Cow};
use std::hash::Hash;

/// A stream of distinct keys. Streams of one seed have no key in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stream {
    start: u64,
}

/// The maximum number of keys of a stream.
const STREAM_KEYS: u64 = 1 << 40;

impl Stream {
    /// Creates the stream with this number, which must be below 2^24, for the seed of a run.
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        // The seed is mixed, so that the streams of two seeds start at unrelated counters.
        let start = spread_bits(seed).wrapping_add(number * STREAM_KEYS);
        Self { start }
    }

    /// Returns the first `count` numbers of the stream.
    pub(crate) fn numbers(self, count: usize) -> Vec<u64> {
        let numbers = 0..count as u64;
        numbers
            .map(|index| spread_bits(self.start.wrapping_add(index)))
            .collect()
    }
}

/// Turns a counter into a random-looking number. It is a bijection, so distinct counters give distinct
/// numbers.
///
/// It is the finaliser of SplitMix64: Steele, Lea and Flood (2014), *Fast splittable pseudorandom number generators*.
fn spread_bits(counter: u64) -> u64 {
    let number = (counter ^ (counter >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A key: `u64`, or text of 16 bytes.
pub(crate) trait Item: Hash + 'static {
    /// How a key is stored in an array of keys.
    type Stored<'a>: Borrow<Self> + Copy;

    /// The memory that stored keys borrow from.
    type Arena;

    /// Makes the memory of keys, with a key for each number.
    fn arena(numbers: Vec<u64>) -> Self::Arena;

    /// Returns the keys as one array.
    fn stored(arena: &Self::Arena) -> Cow<'_, [Self::Stored<'_>]>;
}

impl Item for u64 {
    type Stored<'a> = u64;
    type Arena = Vec<u64>;

    fn arena(numbers: Vec<u64>) -> Vec<u64> {
        numbers
    }

    fn stored(arena: &Vec<u64>) -> Cow<'_, [u64]> {
        Cow::Borrowed(arena)
    }
}

/// Bytes of a text key.
const TEXT_BYTES: usize = 16;

impl Item for str {
    type Stored<'a> = &'a str;
    type Arena = String;

    fn arena(numbers: Vec<u64>) -> String {
        let mut text = String::with_capacity(TEXT_BYTES * numbers.len());
        for number in numbers {
            for digit in (0..TEXT_BYTES).rev() {
                let digit = (number >> (4 * digit)) as u32 & 15;
                text.push(char::from_digit(digit, 16).expect("below 16"));
            }
        }
        text
    }

    fn stored(arena: &String) -> Cow<'_, [&str]> {
        let starts = (0..arena.len()).step_by(TEXT_BYTES);
        let texts = starts.map(|start| &arena[start..start + TEXT_BYTES]);
        Cow::Owned(texts.collect())
    }
}

/// The numbers from which all keys of one cell are made. A cell has a number of items, a rate and a kind of key.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// The inserted items.
    pub(crate) items: Vec<u64>,
    /// Queries for inserted items, drawn from `items` at random; an item may recur.
    pub(crate) present: Vec<u64>,
    /// Queries for items that are not inserted.
    pub(crate) absent: Vec<u64>,
    /// Queries of which about half are from `present` and the others from `absent`, in random order.
    pub(crate) mix: Vec<u64>,
}

/// The minimum number of keys in a list of queries: if there were fewer, the branch predictor would learn their answers.
const MIN_QUERIES: usize = 1 << 16;

/// The maximum number of keys in a list of queries. Even if each query reads only one cache line, this many queries touch most
/// lines of 24 MB, the size of a filter of 20 million items at 1 %.
const MAX_QUERIES: usize = 1 << 19;

/// The numbers of the streams for a cell's items, for its absent items, for drawing the present keys, and for choosing between present and
/// absent keys. Streams from [`TRIALS`] on are for filters that are built only to measure the rate.
const ITEMS: u64 = 0;
const ABSENT: u64 = 1;
const DRAWS: u64 = 2;
const SIDES: u64 = 3;

/// The number of the first stream for filters that are built only to measure the rate.
pub(crate) const TRIALS: u64 = 16;

impl Numbers {
    /// Makes the numbers of a cell with this many items.
    pub(crate) fn new(seed: u64, count: usize) -> Self {
        let queries = (count / 16)
            .next_power_of_two()
            .clamp(MIN_QUERIES, MAX_QUERIES);
        let items = Stream::new(seed, ITEMS).numbers(count);
        let absent = Stream::new(seed, ABSENT).numbers(queries);
        let draws = Stream::new(seed, DRAWS).numbers(queries);
        let present: Vec<u64> = draws
            .iter()
            .map(|draw| items[(draw % count as u64) as usize])
            .collect();
        let sides = Stream::new(seed, SIDES).numbers(queries);
        let mix = sides.iter().zip(present.iter().zip(&absent));
        let mix = mix
            .map(|(side, (hit, miss))| if side & 1 == 0 { *hit } else { *miss })
            .collect();
        Self {
            items,
            present,
            absent,
            mix,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn streams_share_no_key() {
        let seeds = [0, 1];
        let streams = [ITEMS, ABSENT, DRAWS, SIDES, TRIALS, TRIALS + 1, 10_000];
        let mut seen = HashSet::new();
        for seed in seeds {
            for number in streams {
                seen.extend(Stream::new(seed, number).numbers(1_000));
            }
        }
        assert_eq!(seen.len(), seeds.len() * streams.len() * 1_000);
    }

    #[test]
    fn a_seed_gives_the_same_keys_again() {
        let first = Stream::new(7, ITEMS).numbers(100);
        assert_eq!(first, Stream::new(7, ITEMS).numbers(100));
        assert_ne!(first, Stream::new(8, ITEMS).numbers(100));
    }

    #[test]
    fn present_keys_are_inserted_absent_keys_are_not_and_the_mix_is_half_of_each() {
        let (mut inside, mut queries) = (0, 0);
        for seed in 1..=2 {
            let numbers = Numbers::new(seed, 1_000);
            let items: HashSet<u64> = numbers.items.iter().copied().collect();
            assert_eq!(items.len(), 1_000);
            assert!(numbers.present.iter().all(|key| items.contains(key)));
            assert!(!numbers.absent.iter().any(|key| items.contains(key)));
            inside += numbers.mix.iter().filter(|key| items.contains(key)).count();
            queries += numbers.mix.len();
        }
        let (inside, queries) = (inside as f64, queries as f64);
        // The tolerance is 6.2 standard deviations of the number of heads among this many fair coins: the test fails by chance
        // 0.6 times in 10^9 runs. It detects a share of present keys that is off by 0.9 % of all queries with a probability of
        // 0.5, and by 1.3 % with 0.999.
        assert!((inside - queries / 2.0).abs() < 6.2 * queries.sqrt() / 2.0);
    }

    #[test]
    fn texts_are_sixteen_bytes_and_as_distinct_as_their_numbers() {
        let numbers = Stream::new(1, ITEMS).numbers(1_000);
        let arena = <str as Item>::arena(numbers.clone());
        let texts = <str as Item>::stored(&arena);
        assert_eq!(texts.len(), numbers.len());
        for (text, number) in texts.iter().zip(&numbers) {
            assert_eq!(text.len(), TEXT_BYTES);
            assert_eq!(u64::from_str_radix(text, 16), Ok(*number));
        }
    }
}
