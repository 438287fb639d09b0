//! Compares the bytes of two files. If they differ, the message shows only the bytes around the first difference, because in a
//! whole file on one line a wrong field would be hard to find.

use std::fmt::{Arguments, Write};

/// Asserts that two files have equal bytes. The arguments are the bytes found, the bytes expected and, as in `assert_eq!`, a
/// message, which may be left out.
#[macro_export]
macro_rules! assert_bytes {
    ($found:expr, $expected:expr $(,)?) => {
        $crate::assert_bytes!($found, $expected, "the bytes")
    };
    ($found:expr, $expected:expr, $($what:tt)+) => {
        $crate::compare(
            ::core::convert::AsRef::<[u8]>::as_ref(&$found),
            ::core::convert::AsRef::<[u8]>::as_ref(&$expected),
            ::core::format_args!($($what)+),
        )
    };
}

/// The maximum number of bytes of a file that are shown before the first byte that differs. At most twice as
/// many bytes of the file are shown in all.
const BESIDE: usize = 8;

/// The function that [`assert_bytes!`] calls.
///
/// # Panics
///
/// If the bytes differ. The message begins with `what`, and has the offset of the first byte that differs, this byte and its
/// neighbours in both files, and both lengths.
#[track_caller]
pub fn compare(found: &[u8], expected: &[u8], what: Arguments<'_>) {
    if found == expected {
        return;
    }
    let same = found.iter().zip(expected).take_while(|(a, b)| a == b);
    let at = same.count();
    panic!(
        "{what}: differs from byte {at} ({at:#x}) on\n   found {}\nexpected {}",
        around(found, at),
        around(expected, at),
    );
}

/// Formats the bytes around an offset. The byte at the offset is in brackets.
fn around(bytes: &[u8], at: usize) -> String {
    let start = at.saturating_sub(BESIDE);
    let mut shown = String::from(if start > 0 { "..." } else { "" });
    for (index, byte) in bytes.iter().enumerate().skip(start).take(2 * BESIDE) {
        if index == at {
            write!(shown, " [{byte:02x}]").expect("a string takes everything");
        } else {
            write!(shown, " {byte:02x}").expect("a string takes everything");
        }
    }
    if at == bytes.len() {
        shown += " [end]";
    }
    format!("{shown} (of {} bytes)", bytes.len())
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    fn message(found: &[u8], expected: &[u8]) -> String {
        let failed = catch_unwind(|| assert_bytes!(found, expected, "file {}", 7)).unwrap_err();
        *failed.downcast::<String>().unwrap()
    }

    #[test]
    fn the_first_byte_that_differs_is_shown_between_its_neighbours() {
        let expected: Vec<u8> = (0..40).collect();
        let mut found = expected.clone();
        found[20] = 0xff;
        found[30] = 0xff;
        assert_eq!(
            message(&found, &expected),
            "file 7: differs from byte 20 (0x14) on\n   \
             found ... 0c 0d 0e 0f 10 11 12 13 [ff] 15 16 17 18 19 1a 1b (of 40 bytes)\n\
             expected ... 0c 0d 0e 0f 10 11 12 13 [14] 15 16 17 18 19 1a 1b (of 40 bytes)"
        );
    }

    #[test]
    fn a_file_that_ends_early_differs_from_its_end_on() {
        assert_eq!(
            message(&[1, 2], &[1, 2, 3]),
            "file 7: differs from byte 2 (0x2) on\n   \
             found  01 02 [end] (of 2 bytes)\nexpected  01 02 [03] (of 3 bytes)"
        );
        assert_bytes!([1, 2], vec![1, 2]);
    }
}
