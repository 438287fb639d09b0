//! Exercise (★★) of the chapter *Deleting*: counters of four bits that stay at 15.
//!
//! Two counters share a byte: the counter with the even number has the low four bits. A
//! counter at 15 may have missed an addition, so it stays at 15 for ever.

/// Returns the value of the counter with this number.
pub fn count(bytes: &[u8], number: usize) -> u8 {
    let _ = number;
    bytes[0]
}

/// Adds 1 to a counter, unless it is 15. The other counter in the byte does not change.
pub fn add(bytes: &mut [u8], number: usize) {
    bytes[number / 2] += 1;
}

/// Subtracts 1 from a counter, unless it is 15 or 0. The other counter in the byte does not
/// change.
pub fn take_off(bytes: &mut [u8], number: usize) {
    bytes[number / 2] = bytes[number / 2].saturating_sub(1);
}
