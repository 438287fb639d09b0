//! Reads the bits and counters of real filters from their saved bytes.

/// The header of a saved filter, in bytes.
const HEADER_BYTES: u64 = 128;

/// Returns the bit or the counter at a position of a saved filter: `width` is 1 for bits, 4 or 8
/// for counters.
pub(crate) fn cell(bytes: &[u8], position: u64, width: u8) -> u8 {
    let of_a_byte = u64::from(8 / width);
    let byte = bytes[(HEADER_BYTES + position / of_a_byte) as usize];
    // The lowest bits come first.
    let below = (position % of_a_byte) as u8 * width;
    byte >> below & u8::MAX >> (8 - width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_holds_eight_bits_two_counters_or_one() {
        let mut bytes = [0; HEADER_BYTES as usize + 2];
        bytes[HEADER_BYTES as usize + 1] = 0b1101_0010;
        let all = |width: u8, cells: std::ops::Range<u64>| {
            let cells = cells.map(|position| cell(&bytes, position, width));
            cells.collect::<Vec<_>>()
        };
        assert_eq!(all(1, 7..16), [0, 0, 1, 0, 0, 1, 0, 1, 1]);
        assert_eq!(all(4, 1..4), [0, 0b0010, 0b1101]);
        assert_eq!(all(8, 0..2), [0, 0b1101_0010]);
    }
}
