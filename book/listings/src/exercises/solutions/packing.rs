//! Solution: bits packed in words of 64.

/// Sets a bit to 1 and leaves all other bits as they are.
pub fn set(words: &mut [u64], position: u64) {
    words[(position / 64) as usize] |= 1 << (position % 64);
}

/// Returns whether a bit is 1.
pub fn is_set(words: &[u64], position: u64) -> bool {
    words[(position / 64) as usize] >> (position % 64) & 1 == 1
}
