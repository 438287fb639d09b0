//! A filter whose block is a word.

/// Returns the index of an item's word, below `words`, and the item's mask. `draw(m)`
/// returns the next number below m that is derived from the item. The first draw is for
/// the word, and each hash has one more draw.
pub fn word_and_mask(words: usize, hashes: u8, draw: &mut dyn FnMut(u64) -> u64) -> (usize, u64) {
    let word = draw(words as u64) as usize;
    let mask = (0..hashes).fold(0, |mask, _| mask | 1 << draw(64));
    (word, mask)
}

/// Returns whether all bits of the mask are set in a word.
pub fn has(word: u64, mask: u64) -> bool {
    word & mask == mask
}
