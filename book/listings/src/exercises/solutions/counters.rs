//! A counter that sticks.

fn shift(number: usize) -> usize {
    4 * (number % 2)
}

/// Returns a counter.
pub fn count(bytes: &[u8], number: usize) -> u8 {
    bytes[number / 2] >> shift(number) & 15
}

/// Adds 1 to a counter, unless it is 15, and leaves its neighbour alone.
pub fn add(bytes: &mut [u8], number: usize) {
    if count(bytes, number) < 15 {
        bytes[number / 2] += 1 << shift(number);
    }
}

/// Subtracts 1 from a counter, unless it is 15 or 0, and leaves its neighbour alone.
pub fn take_off(bytes: &mut [u8], number: usize) {
    if (1..15).contains(&count(bytes, number)) {
        bytes[number / 2] -= 1 << shift(number);
    }
}
