//! Solution: counters of four bits, two in each byte, that stay at 15.

/// Returns the place of a counter's lowest bit in its byte.
fn shift(number: usize) -> usize {
    4 * (number % 2)
}

/// Returns the value of the counter with this number.
pub fn count(bytes: &[u8], number: usize) -> u8 {
    bytes[number / 2] >> shift(number) & 15
}

/// Adds 1 to a counter, unless it is 15. The other counter in the byte does not change.
pub fn add(bytes: &mut [u8], number: usize) {
    if count(bytes, number) < 15 {
        bytes[number / 2] += 1 << shift(number);
    }
}

/// Subtracts 1 from a counter, unless it is 15 or 0. The other counter in the byte does not
/// change.
pub fn take_off(bytes: &mut [u8], number: usize) {
    if (1..15).contains(&count(bytes, number)) {
        bytes[number / 2] -= 1 << shift(number);
    }
}
