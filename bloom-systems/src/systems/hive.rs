//! Describes the filters of Apache Hive's joins (Java), and computes their rates.
//!
//! The positions of an item are derived by double hashing modulo 512, in a block that depends on the first sum.
//!
//! ```text
//! s_i = a + i b in 32 bits; block: s_1 mod B; probe i of 1 to k: s_(i+1) mod 512; each flipped if s is below 0
//! ```
//!
//! B is the number of blocks. Flipping turns y = s mod 512 into 511 - y, and the sign is as good as independent of y. So z =
//! s_1 mod 512, d = b mod 512 and the signs of the sums determine the probes of an item. The rate in a given block is a mean
//! over all values of z, d and the signs. If B is odd, z takes all values. If t, a power of two up to 512, divides B, block j
//! determines z mod t: it is j, or -1 - j for a flipped first sum. With -1 - j in place of j, every position y becomes its
//! mirror image 511 - y. The later sums depend on z mod t, too.
//!
//! The sums are points on a circle of 2^32 numbers, a step b apart, and the sign of a sum tells the half of the circle. Any
//! three signs are independent. Four signs are not: in small filters or lightly filled blocks, this changes the rate by up to a
//! tenth.

use alloc::vec::Vec;

use bloom_core::math::Model;

use super::prelude::*;
use crate::random::split_mix;

/// The rate that Hive sizes filters for, a number in single precision.
pub const RATE: f64 = 0.05_f32 as f64;

/// The bits of a block.
pub const BLOCK_BITS: u32 = 512;

const BITS: usize = BLOCK_BITS as usize;

/// The filter that Hive builds for n items at [`RATE`]. The filter is not in
/// [`SYSTEMS`](super::SYSTEMS), since no [`Positions`] describe it. [`Blocks`] computes its rate.
pub const HIVE: System = System {
    name: "hive",
    version: "4.0",
    source: "apache/hive, storage-api BloomKFilter.java at rel/storage-release-2.8.1",
    sizing: Sizing {
        // Rounds up to the next larger multiple of 512, so that a multiple of 512 grows by one block.
        steps: &[
            Step::Up(64),
            Step::Add(BLOCK_BITS as u64),
            Step::Down(BLOCK_BITS as u64),
        ],
        most_bits: (1 << 31) - 1,
        ..USUAL
    },
    layout: Layout::Blocks(BLOCK_BITS),
    ..SYSTEM
};

/// The most pairs (z, d) that are enumerated for the rate of one filter.
const WORK: u64 = 1 << 24;

/// The most random blocks that the mean rate is taken over.
const MAX_SAMPLES: u64 = 128;

/// The size of a filter: its numbers of blocks and hashes.
#[derive(Debug, Clone, Copy)]
pub struct Blocks {
    /// The number of blocks, from 1 to 2^54: a filter has at most 2^63 bits.
    pub count: u64,
    /// The number of hashes, at least 1.
    pub hashes: u8,
}

/// The bits of a block by position: 1 if set, 0 if not.
pub type Block = [u8; BITS];

impl Blocks {
    /// Returns the largest power of two up to 512 that divides the number of blocks.
    fn known(self) -> usize {
        1 << self.count.trailing_zeros().min(BITS.trailing_zeros())
    }

    /// Returns whether the block of an item and its positions in the block depend on each other.
    pub fn dependent(self) -> bool {
        self.known() > 1
    }

    /// Returns the number of blocks whose pairs (z, d) can be enumerated within [`WORK`]; at least 1.
    fn affordable(self) -> u64 {
        let pairs = (BITS * BITS / self.known()) as u64;
        (WORK / pairs).max(1)
    }

    /// Returns the blocks whose rates are computed for the rate of a filter: all blocks, or as many evenly spread ones as
    /// `WORK` allows.
    pub fn sample(self) -> impl Iterator<Item = u64> {
        let samples = self.count.min(self.affordable());
        // No product overflows for a file of Hive: it has at most 2^28 blocks, and there are at most 2^15 samples.
        (0..samples).map(move |sample| sample * self.count / samples)
    }

    /// Returns the pairs (z, d) that items of a block can have.
    fn pairs(self, block: u64) -> impl Iterator<Item = (usize, usize)> {
        let known = self.known();
        let first = block as usize % known;
        let of = |z| (0..BITS).map(move |d| (z, d));
        (first..BITS).step_by(known).flat_map(of)
    }

    /// Returns y, a sum modulo 512, for each probe.
    fn probes(self, z: usize, d: usize) -> impl Iterator<Item = usize> {
        (1..=usize::from(self.hashes)).map(move |index| (z + index * d) % BITS)
    }

    /// Returns for each position in a block the probability that an item of the block sets it. A position y and its mirror
    /// image 511 - y have the same probability and are listed once.
    ///
    /// All blocks have the same probabilities: for odd u, z -> u z + (u - 1)/2 with d -> u d permutes blocks and positions.
    pub fn chances(self) -> Vec<f64> {
        let mut sums = [0.0; BITS / 2];
        let mut hits = [0_i32; BITS / 2];
        let mut count = 0.0;
        for (z, d) in self.pairs(0) {
            let positions = || self.probes(z, d).map(|y| y.min(BITS - 1 - y));
            positions().for_each(|position| hits[position] += 1);
            for position in positions() {
                // Each probe hits the position or its mirror image; 0 hits add nothing.
                sums[position] += 1.0 - libm::scalbn(1.0, -hits[position]);
                hits[position] = 0;
            }
            count += 1.0;
        }
        sums.iter().map(|sum| sum / count).collect()
    }

    /// Returns the mean excess of the rate over that of independent positions, in random filters with `load` items per block on
    /// average. The mean is taken over quantiles of the number of items in blocks that are not
    /// empty.
    fn expected_excess(self, load: f64) -> f64 {
        if load * f64::from(self.hashes) > 40.0 * BITS as f64 {
            return 0.0; // Every bit is set.
        }
        let rates = Rates::new(self);
        let samples = self.affordable().min(MAX_SAMPLES);
        let some = -libm::expm1(-load);
        let chance = |items: f64| {
            let ln = items * libm::log(load) - load - libm::lgamma(items + 1.0);
            libm::exp(ln) / some
        };
        // Starts ten standard deviations below the mean: fewer items hardly ever occur.
        let mut items = libm::floor((load - 10.0 * libm::sqrt(load)).max(1.0));
        let (mut below, mut state, mut excess) = (chance(items), 1, 0.0);
        for sample in 0..samples {
            let quantile = (sample as f64 + 0.5) / samples as f64;
            while below < quantile && items < 2.0 * load + 100.0 {
                items += 1.0;
                below += chance(items);
            }
            let mut block = [0; BITS];
            for _ in 0..items as u64 {
                self.insert_random(&mut block, &mut state);
            }
            // Where positions depend on the block, they set fewer bits than independent positions do. So the excess is the
            // difference from the exact rate of independent positions. Elsewhere they set as many bits, and the excess is the
            // difference from the independent rate of the same block, which varies less.
            let even = if self.dependent() {
                Model::Exact
                    .rate(items as u64, BITS as u64, self.hashes)
                    .expect("a block has a valid shape")
                    .value()
            } else {
                independent(&block, self.hashes)
            };
            excess += rates.of(0, &block) - even;
        }
        some * excess / samples as f64
    }

    /// Returns the mean rate of filters with these items: the exact rate of independent positions, plus the mean excess over
    /// this rate in random blocks.
    ///
    /// # Panics
    ///
    /// If a field is outside of the range that its documentation states.
    pub fn expected_rate(self, items: u64) -> f64 {
        if items == 0 {
            return 0.0;
        }
        let layout = HIVE.layout;
        let even = layout.rate(items, self.count * u64::from(BLOCK_BITS), self.hashes);
        let even = even.expect("a filter has at least one block").value();
        let excess = self.expected_excess(items as f64 / self.count as f64);
        (even + excess).clamp(0.0, 1.0)
    }

    /// Inserts a random item of block 0.
    fn insert_random(self, block: &mut Block, state: &mut u64) {
        let (step, draw) = (split_mix(state) as u32, split_mix(state));
        // The sum is a random multiple of the number of blocks, as it is for items of block 0, and is flipped in half of the
        // cases.
        let sums = (1_u64 << 31).div_ceil(self.count);
        let sum = (self.count * ((draw >> 1) % sums)) as u32;
        let sum = if draw.is_multiple_of(2) { sum } else { !sum };
        for position in positions(sum, step, self.hashes) {
            block[position] = 1;
        }
    }
}

/// The most hashes whose signs are enumerated; with more, signs are assumed to be independent.
const MAX_SIGNED: u8 = 8;

/// The rates of blocks.
#[derive(Debug)]
pub struct Rates {
    blocks: Blocks,
    /// The probability that all probes hit, for each pair of sets of probes. The first set is the probes that hit if they have
    /// the sign of s_1, and the second set those that hit with the other sign. Empty if signs are assumed to be independent.
    answers: Vec<f64>,
}

impl Rates {
    /// Prepares the rates of filters with these numbers of blocks and hashes.
    pub fn new(blocks: Blocks) -> Self {
        let mut answers = Vec::new();
        if blocks.hashes <= MAX_SIGNED {
            let (signs, sets) = (signs(blocks.hashes), 1_u32 << blocks.hashes);
            let answer = |same: u32, other: u32| -> f64 {
                let hits = |differ: u32| differ & !other == 0 && !(differ | same) & (sets - 1) == 0;
                let hits = signs.iter().filter(|(differ, _)| hits(*differ));
                hits.map(|(_, chance)| chance).sum()
            };
            let others = |same| (0..sets).map(move |other| (same, other));
            let pairs = (0..sets).flat_map(others);
            answers.extend(pairs.map(|(same, other)| answer(same, other)));
        }
        Self { blocks, answers }
    }

    /// Returns the probability that all probes of a random item of this block find set bits.
    pub fn of(&self, index: u64, block: &Block) -> f64 {
        if block.iter().all(|&bit| bit == 1) {
            return 1.0;
        }
        let (mut sum, mut count) = (0.0, 0.0);
        for (z, d) in self.blocks.pairs(index) {
            sum += self.of_pair(z, d, block);
            count += 1.0;
        }
        sum / count
    }

    /// Returns the probability, over the signs of an item, that all its probes find set bits.
    fn of_pair(&self, z: usize, d: usize, block: &Block) -> f64 {
        let (mut same, mut other, mut independent) = (0_usize, 0_usize, 1.0);
        for y in self.blocks.probes(z, d) {
            let [here, there] = [block[y], block[BITS - 1 - y]];
            if here + there == 0 {
                return 0.0;
            }
            if self.answers.is_empty() {
                independent *= f64::from(here + there) / 2.0;
            } else {
                (same, other) = (
                    same << 1 | usize::from(here),
                    other << 1 | usize::from(there),
                );
            }
        }
        if self.answers.is_empty() {
            return independent;
        }
        self.answers[same << self.blocks.hashes | other]
    }
}

/// Returns for each set of probes the chance that just these probes have another sign than s_1. The lowest binary digit of a
/// set stands for the last probe.
///
/// s_1 and b are fractions u and v of a turn, and a sign tells the half of the circle. For a given v, the borders of u
/// are where a sum is 0 or 1/2. Borders meet at multiples v of 1/(2 j) for j up to k. Between two such v, the distances
/// of borders are linear in v, so that the distances in the middle are the means. Exact.
fn signs(hashes: u8) -> Vec<(u32, f64)> {
    let turn = |point: f64| point - libm::floor(point);
    let sorted = |mut points: Vec<f64>| {
        points.sort_unstable_by(f64::total_cmp);
        points
    };
    let multiples = |j: u32| (0..=2 * j).map(move |h| f64::from(h) / f64::from(2 * j));
    let steps = sorted((1..=hashes.into()).flat_map(multiples).collect());
    let mut sets = Vec::new();
    for step in steps.windows(2).filter(|step| step[0] < step[1]) {
        let v = f64::midpoint(step[0], step[1]);
        let border = |j: u8| [0.0, 0.5].map(|half| turn(half - f64::from(j) * v));
        let borders = (0..=hashes).flat_map(border).chain([0.0, 1.0]);
        for part in sorted(borders.collect()).windows(2) {
            let u = f64::midpoint(part[0], part[1]);
            let half = |j: u8| turn(u + f64::from(j) * v) >= 0.5;
            let differ = (1..=hashes).map(|j| u32::from(half(j) != half(0)));
            let set = differ.fold(0, |set, differs| set << 1 | differs);
            sets.push((set, (part[1] - part[0]) * (step[1] - step[0])));
        }
    }
    sets.sort_unstable_by_key(|(set, _)| *set);
    sets.dedup_by(|(set, chance), (kept, sum)| {
        let same = set == kept;
        if same {
            *sum += *chance;
        }
        same
    });
    sets.retain(|(_, chance)| *chance > 1e-12);
    sets
}

/// Returns the block of an item with these hash values, and its positions in it.
pub fn block_and_positions(a: u32, b: u32, blocks: Blocks) -> (u64, impl Iterator<Item = usize>) {
    let sum = a.wrapping_add(b);
    let block = u64::from(flipped(sum)) % blocks.count;
    (block, positions(sum, b, blocks.hashes))
}

/// Returns the positions of an item in its block, from its first sum and b.
fn positions(sum: u32, b: u32, hashes: u8) -> impl Iterator<Item = usize> {
    (1..=u32::from(hashes)).map(move |index| {
        let sum = flipped(sum.wrapping_add(index.wrapping_mul(b)));
        sum as usize % BITS
    })
}

/// Returns a sum of 32 bits, with all bits flipped if it is negative.
fn flipped(sum: u32) -> u32 {
    let sum = sum as i32;
    (if sum < 0 { !sum } else { sum }) as u32
}

/// Returns the rate of independent positions in a block.
pub fn independent(block: &Block, hashes: u8) -> f64 {
    let ones: u32 = block.iter().map(|&bit| u32::from(bit)).sum();
    libm::pow(f64::from(ones) / BITS as f64, f64::from(hashes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signs_of_four_probes_have_the_areas_of_their_regions() {
        // The chances of the 16 sets of probes, in units of 1/24. They were computed with exact fractions in Python.
        let expected = [3, 1, 0, 2, 1, 1, 2, 2, 0, 2, 3, 1, 2, 2, 1, 1];
        let mut found = [0.0; 16];
        for (set, chance) in signs(4) {
            found[set as usize] = chance * 24.0;
        }
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - f64::from(expected)).abs() < 1e-9,
                "{found} {expected}"
            );
        }
    }

    #[test]
    fn the_chances_of_signs_add_up_to_one() {
        for hashes in 1..=MAX_SIGNED {
            let sum: f64 = signs(hashes).iter().map(|(_, chance)| chance).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{hashes}: {sum}");
        }
    }
}
