//! Exercise (★★★) of the chapter *Testing a probabilistic structure*: tell sound filters from
//! broken ones.
//!
//! Of the broken filters, one forgets an item in a hundred, one says yes to everything, one
//! uses half of its bits, and one skips some of its positions. Do not reject a sound filter
//! because of chance: accept a measured rate within 6.2 standard deviations of the exact
//! rate. Chance puts a sound filter further off 0.6 times in 10^9.

/// A filter to judge, which is empty at first.
pub trait Subject {
    /// Inserts an item.
    fn insert(&mut self, item: u64);

    /// Returns whether an item may have been inserted.
    fn contains(&self, item: u64) -> bool;
}

/// Returns whether a filter finds all inserted items, and has the exact false-positive rate
/// of `items` items in `bits` bits with `hashes` hashes, up to chance.
pub fn is_sound(subject: &mut dyn Subject, items: u64, bits: u64, hashes: u8) -> bool {
    let _ = (items, bits, hashes);
    subject.insert(1);
    subject.contains(1)
}
