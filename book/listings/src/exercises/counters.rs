//! *Deleting* (★★): a counter that sticks.
//!
//! Two counters of four bits share a byte: the one with the even number has the low
//! bits. A counter that has reached 15 has lost count, and stays at 15 for ever.

/// Returns a counter.
pub fn count(bytes: &[u8], number: usize) -> u8 {
    let _ = number;
    bytes[0]
}

/// Adds 1 to a counter, unless it is 15, and leaves its neighbour alone.
pub fn add(bytes: &mut [u8], number: usize) {
    bytes[number / 2] += 1;
}

/// Subtracts 1 from a counter, unless it is 15 or 0, and leaves its neighbour alone.
pub fn take_off(bytes: &mut [u8], number: usize) {
    bytes[number / 2] = bytes[number / 2].saturating_sub(1);
}
