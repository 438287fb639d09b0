//! Damages the bytes of a file for a test. A table describes damaged files, and the tests of several crates make these files
//! from it with this module.

/// Changes bytes as a mutation says, and returns them. `none` changes nothing. `truncate:LENGTH` removes the bytes from LENGTH
/// on. `append:HEX` adds bytes at the end. `set:OFFSET:HEX` overwrites bytes from OFFSET on. HEX is two digits for each byte.
///
/// # Panics
///
/// If the mutation has none of these forms, if LENGTH or OFFSET is not a number, if HEX is not hexadecimal, or if `set` would
/// write past the end.
#[must_use]
pub fn mutated(mut bytes: Vec<u8>, mutation: &str) -> Vec<u8> {
    let parts: Vec<&str> = mutation.split(':').collect();
    match parts[..] {
        ["none"] => {}
        ["truncate", count] => bytes.truncate(number(count)),
        ["append", digits] => bytes.extend(from_hex(digits)),
        ["set", offset, digits] => {
            let (start, new) = (number(offset), from_hex(digits));
            bytes[start..start + new.len()].copy_from_slice(&new);
        }
        _ => panic!("no such mutation: {mutation}"),
    }
    bytes
}

/// Returns the bytes that are written as hexadecimal digits, two for each byte.
///
/// # Panics
///
/// If a character is not a hexadecimal digit, or if the number of digits is odd.
#[must_use]
pub fn from_hex(digits: &str) -> Vec<u8> {
    let starts = (0..digits.len()).step_by(2);
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits are a byte");
    starts.map(byte).collect()
}

fn number(text: &str) -> usize {
    text.parse().expect("a mutation has whole numbers")
}
