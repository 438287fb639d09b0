//! Exercise (★★) of the chapter *The idea*: pack bits in words.
//!
//! A `bool` takes a byte. Keep 64 bits in each word instead: bit `position` of the filter is
//! bit `position % 64` of word `position / 64`, where bit 0 of a word is the lowest.

/// Sets a bit to 1 and leaves all other bits as they are.
pub fn set(words: &mut [u64], position: u64) {
    let _ = (words, position);
}

/// Returns whether a bit is 1.
pub fn is_set(words: &[u64], position: u64) -> bool {
    let _ = (words, position);
    false
}
