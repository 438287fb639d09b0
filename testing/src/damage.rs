//! Applies the damage that a file of test cases describes, so that all crates that read the cases test the same bytes.

/// Returns the bytes after a mutation: `none`, `truncate:LENGTH`, `append:HEX` or `set:OFFSET:HEX`.
///
/// # Panics
///
/// If there is no such mutation, if a part of it is not a number or not hexadecimal, or if the bytes are too short for `set`.
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

/// Returns the bytes that hexadecimal digits stand for.
///
/// # Panics
///
/// If a pair of digits is not a byte, or if the number of digits is odd.
#[must_use]
pub fn from_hex(digits: &str) -> Vec<u8> {
    let starts = (0..digits.len()).step_by(2);
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits are a byte");
    starts.map(byte).collect()
}

fn number(text: &str) -> usize {
    text.parse().expect("a mutation has whole numbers")
}
