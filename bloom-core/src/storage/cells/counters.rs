//! Defines the width of the counters of a counting filter, the removal of an item, and arithmetic
//! on a word of counters.

use super::{Cells, Counted, Store, StoreMut, kernel};
use crate::probe::Mixed;

/// How many bits each counter of a [`CountingBloomFilter`](crate::CountingBloomFilter) has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CounterBits {
    /// Four bits: a counter counts to 14. At 15 it is saturated, and inserts and removals no longer
    /// change it. Four bits are enough for a filter that holds its expected items.
    #[default]
    Four,
    /// Eight bits: a counter counts to 254. At 255 it is saturated, and inserts and removals no
    /// longer change it.
    Eight,
}

impl CounterBits {
    /// Returns the number of bits, 4 or 8. See
    /// [`with_counter_bits`](crate::CountingBloomFilter::with_counter_bits).
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// Returns the variant for this number of bits, 4 or 8.
    pub(crate) fn of_width(bits: u8) -> Self {
        if bits == 4 { Self::Four } else { Self::Eight }
    }

    /// Returns the highest value of a counter, at which it is saturated: 15 or 255. See
    /// [`with_counter_bits`](crate::CountingBloomFilter::with_counter_bits).
    #[must_use]
    pub fn saturated(self) -> u8 {
        match self {
            Self::Four => 15,
            Self::Eight => 255,
        }
    }
}

/// Returns a word in which the lowest bit of each cell is 1 if this cell of `word` is not 0. All
/// other bits are 0. A cell is a bit or a counter of `width` bits.
#[inline]
pub(super) fn taken(width: u8, word: u64) -> u64 {
    match width {
        1 => word,
        4 => (word | word >> 1 | word >> 2 | word >> 3) & (u64::MAX / 15),
        _ => taken(4, word | word >> 4) & (u64::MAX / 255),
    }
}

/// Combines every counter of the word `one` with the counter at the same place in the word `other`.
/// A result above the highest value of a counter becomes the highest value.
pub(super) fn combined(width: u8, one: u64, other: u64, combine: impl Fn(u8, u8) -> u8) -> u64 {
    let highest = u8::MAX >> (8 - width);
    let places = (0..u64::BITS).step_by(width.into());
    let values = places.map(|place| {
        let value = |word: u64| (word >> place) as u8 & highest;
        u64::from(combine(value(one), value(other)).min(highest)) << place
    });
    values.sum()
}

impl<S: StoreMut + Store<Item = u64>> Cells<Counted, S> {
    /// Subtracts from each counter of a hash the number of probes that fall on this counter, and
    /// returns `true`. Saturated counters keep their value. If a counter that is not saturated is
    /// smaller than its number of probes, the function changes nothing and returns `false`.
    pub(crate) fn remove(&mut self, hash: Mixed) -> bool {
        if !self.contains(hash) {
            return false;
        }
        let (k, width) = (self.hashes, self.width);
        match width {
            4 => kernel::remove::<4>(self.view_mut(), hash, k),
            _ => kernel::remove::<8>(self.view_mut(), hash, k),
        }
    }
}

#[cfg(all(test, feature = "alloc", target_pointer_width = "64"))]
mod tests {
    use super::*;
    use crate::probe::Positions;
    use crate::shape::Shape;
    use crate::storage::testing::mix;

    /// The counters take 2.7 GB, but most pages are never touched, so the system does not allocate
    /// them.
    #[test]
    #[cfg_attr(miri, ignore = "Miri allocates all of it")]
    fn counters_beyond_32_bits_are_set_and_found() {
        let shape = Shape::new((1 << 32) + (1 << 30), 7).unwrap();
        let mut counters = Cells::<Counted>::new(shape, 4).expect("untouched memory");
        let hashes = || (0..200).map(mix);
        assert!(hashes().all(|hash| !counters.contains(hash)));
        assert!(hashes().all(|hash| counters.insert(hash)));
        for hash in hashes() {
            // In the file format, a word has sixteen counters.
            let count = |at: u64| counters.words()[(at / 16) as usize] >> (4 * (at % 16)) & 15;
            let mut positions = Positions::new(hash, shape.bits(), 7);
            assert!(positions.all(|position| count(position) > 0));
            assert!(counters.remove(hash) && !counters.remove(hash));
        }
    }
}
