//! *The idea* (★★): bits, packed.
//!
//! A `bool` takes a byte. Keep 64 bits in each word instead: bit `position` is bit
//! `position % 64` of word `position / 64`.

/// Sets a bit to 1 and leaves all others as they are.
pub fn set(words: &mut [u64], position: u64) {
    let _ = (words, position);
}

/// Returns whether a bit is 1.
pub fn is_set(words: &[u64], position: u64) -> bool {
    let _ = (words, position);
    false
}
