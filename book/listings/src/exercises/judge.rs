//! *Testing a probabilistic structure* (★★★): a judge of filters.
//!
//! Some of the filters that you are given are sound, and some are broken: one forgets
//! an item in a hundred, one says yes to everything, one uses half of its bits, one
//! skips some of its positions. Tell them apart, and do not reject a sound filter
//! because of chance: allow 6.2 standard deviations, which chance exceeds 0.6 times in
//! 10^9.

/// A filter to judge, which is empty at first.
pub trait Subject {
    /// Inserts an item.
    fn insert(&mut self, item: u64);

    /// Returns whether an item may have been inserted.
    fn contains(&self, item: u64) -> bool;
}

/// Returns whether a filter finds all inserted items and errs at the exact rate of
/// `items` items in this many bits with this many hashes.
pub fn is_sound(subject: &mut dyn Subject, items: u64, bits: u64, hashes: u8) -> bool {
    let _ = (items, bits, hashes);
    subject.insert(1);
    subject.contains(1)
}
