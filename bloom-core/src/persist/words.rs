//! Checks the words of a saved filter: their number, and the words and bits that can have only one
//! valid value. A cell is a bit or a counter of the filter.

use super::error::LoadError;
use super::header::words_for;

/// Checks that there are as many words as `cells` cells of `cell_bits` bits fill.
pub(super) fn check_words(cells: u64, cell_bits: u32, got: u64) -> Result<(), LoadError> {
    let expected = words_for(cells, cell_bits);
    if expected != got {
        return Err(LoadError::Words { expected, got });
    }
    Ok(())
}

/// Checks that the unused bits of `last`, the last word of `cells` cells of `cell_bits` bits, are
/// 0. The word ends at `end` in the file.
pub(super) fn check_unused(
    last: u64,
    cells: u64,
    cell_bits: u32,
    end: u64,
) -> Result<(), LoadError> {
    // The number of bits in use in the last word, or 0 if all are. It is less than 64, so the
    // product cannot overflow.
    let used = cells % u64::from(u64::BITS / cell_bits) * u64::from(cell_bits);
    if used == 0 {
        return Ok(());
    }
    check_are([last & !(u64::MAX << used)], &[last], end - 8)
}

/// Checks that the words at `offset` in the file are the expected ones.
pub(super) fn check_are(
    expected: impl IntoIterator<Item = u64>,
    got: &[u64],
    offset: u64,
) -> Result<(), LoadError> {
    let offsets = (offset..).step_by(8);
    for ((expected, got), offset) in expected.into_iter().zip(got).zip(offsets) {
        check_same(&expected.to_le_bytes(), &got.to_le_bytes(), offset)?;
    }
    Ok(())
}

/// Checks the bytes at `offset` in the file against the expected ones, which have the same length.
pub(super) fn check_same(expected: &[u8], got: &[u8], offset: u64) -> Result<(), LoadError> {
    let pairs = expected.iter().zip(got);
    match (offset..).zip(pairs).find(|(_, (one, other))| one != other) {
        Some((offset, (&expected, &got))) => Err(LoadError::Byte {
            offset,
            expected,
            got,
        }),
        None => Ok(()),
    }
}
