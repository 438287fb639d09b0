//! Solution: a filter that keeps all bits of an item in one word of 64 bits.

/// Returns the index of an item's word, below `words`, and the item's mask, which has a bit
/// for each hash; bits may coincide. `draw(m)` returns the item's next random number below
/// m. The first draw is for the word.
pub fn word_and_mask(words: usize, hashes: u8, draw: &mut dyn FnMut(u64) -> u64) -> (usize, u64) {
    let word = draw(words as u64) as usize;
    let mask = (0..hashes).fold(0, |mask, _| mask | 1 << draw(64));
    (word, mask)
}

/// Returns whether all bits of the mask are set in a word.
pub fn has(word: u64, mask: u64) -> bool {
    word & mask == mask
}
