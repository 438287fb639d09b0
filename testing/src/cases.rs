//! Reads test cases from a text. A case is a command line and, under it, the texts that the program must print.
//!
//! A list of Rust tuples would be harder to read, because of its quotes and commas, and a case with one line
//! in the text would take three lines of Rust. In the text, a case looks as it does in a terminal:
//!
//! ```text
//! $ -n 5 --fpr 1%
//!   unexpected argument '--fpr' found
//!   tip: the false-positive rate is --p here\n
//! # A comment. The next case has its expected line behind the command line.
//! $ compare 5 => '5'
//! ```

use std::fmt::Display;

/// Returns the cases of a table: for each, its command line and its expected lines. A command line starts with `$`, which is
/// left out of the result. An expected line is under the command line, or behind it after ` => `.
///
/// Indentation and empty lines are ignored, and a line that starts with `#` is a comment. In an expected line, `\n` stands for
/// a line break. Double quotes around an expected line are removed: a quoted line can be empty or have blanks at its ends.
///
/// # Panics
///
/// If an expected line is before the first `$`. Also if the table has no case, because the test that calls this function would
/// pass without checking anything.
pub fn cases(table: &str) -> Vec<(&str, Vec<String>)> {
    let mut cases: Vec<(&str, Vec<String>)> = Vec::new();
    let lines = table.lines().map(str::trim);
    for text in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut parts = text.split(" => ");
        if let Some(case) = text.strip_prefix('$') {
            let line = case.split(" => ").next().unwrap_or_default();
            cases.push((line.trim(), Vec::new()));
            parts.next();
        }
        let case = cases.last_mut();
        let (_, of_case) = case.unwrap_or_else(|| panic!("a case begins with $, got {text}"));
        of_case.extend(parts.map(unquoted));
    }
    assert!(!cases.is_empty(), "no case in the table");
    cases
}

/// Removes the double quotes around an expected line, and replaces `\n` by a line break.
fn unquoted(part: &str) -> String {
    let quoted = part
        .strip_prefix('"')
        .and_then(|part| part.strip_suffix('"'));
    quoted.unwrap_or(part).replace("\\n", "\n")
}

/// Returns the cases of a table, each with exactly `N` expected lines.
///
/// # Panics
///
/// If a case has fewer or more than `N` expected lines; the message has its command line. Also where [`cases`] panics.
pub fn rows<const N: usize>(table: &str) -> Vec<(&str, [String; N])> {
    let rows = cases(table).into_iter().map(|(line, parts)| {
        let parts = parts.try_into();
        let parts = parts.unwrap_or_else(|parts| panic!("{line}: not {N} lines: {parts:?}"));
        (line, parts)
    });
    rows.collect()
}

/// Checks that `text` contains each of `parts`.
///
/// # Panics
///
/// If the text lacks a part. The message has `what`, which says where the text is from, the missing part, and the text.
#[track_caller]
pub fn assert_has(what: impl Display, text: &str, parts: &[impl AsRef<str>]) {
    for part in parts.iter().map(AsRef::as_ref) {
        assert!(text.contains(part), "{what}: no {part:?} in {text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_a_line_with_the_lines_under_it() {
        let table = r#"
            $ -n 5 --fpr 1%
              two\nlines
              " in quotes "
              ""

            # A comment.
            $
              "5" then 6
            $ alone
            $ first => 5 => "6 "
              7
        "#;
        let found: Vec<_> = cases(table)
            .into_iter()
            .map(|(line, parts)| format!("{line}: {parts:?}"))
            .collect();
        let expected = [
            r#"-n 5 --fpr 1%: ["two\nlines", " in quotes ", ""]"#,
            r#": ["\"5\" then 6"]"#,
            "alone: []",
            r#"first: ["5", "6 ", "7"]"#,
        ];
        assert_eq!(found, expected);
    }

    #[test]
    #[should_panic(expected = "no case in the table")]
    fn a_table_without_a_case_is_an_error() {
        cases("  # All are gone.\n");
    }

    #[test]
    #[should_panic(expected = "a case begins with $, got 5")]
    fn a_line_before_the_first_case_is_an_error() {
        cases("5\n$ -n 5");
    }

    #[test]
    #[should_panic(expected = "-n 5: not 2 lines: [\"7\"]")]
    fn a_row_has_all_its_lines() {
        rows::<2>("$ -n 5\n7\n");
    }

    #[test]
    #[should_panic(expected = "-n 5: no \"8\" in 5, 6, 7")]
    fn a_part_that_is_not_there_is_named() {
        assert_has("-n 5", "5, 6, 7", &["5", "7", "8"]);
    }
}
