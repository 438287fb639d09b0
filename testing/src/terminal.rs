//! Checks that the output of a command cannot control the terminal, even if it repeats a text that a user typed.

/// The escape sequences of the colours that the commands print. A sequence comes before the shorter sequences with which it
/// begins, so that the longest match is found. The commands print red and cyan only in bold: red that is not bold can only come
/// from a text that a user typed.
const COLOURS: [&str; 9] = [
    "\x1b[1m\x1b[31m",
    "\x1b[1m\x1b[32m",
    "\x1b[1m\x1b[33m",
    "\x1b[1m\x1b[36m",
    "\x1b[1m\x1b[4m",
    "\x1b[1m",
    "\x1b[32m",
    "\x1b[33m",
    "\x1b[0m",
];

/// Returns the first character of a text that could control a terminal: a control character, or a character that changes the
/// direction of writing. Line breaks and the colours that the commands print are allowed.
///
/// A test must not remove escape sequences from the text before it calls this function, or none would be found.
pub fn terminal_control(text: &str) -> Option<char> {
    let controls = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut rest = text;
    while let Some(at) = rest.find(controls) {
        let found = &rest[at..];
        match COLOURS.iter().find_map(|colour| found.strip_prefix(colour)) {
            Some(after) => rest = after,
            None => return found.chars().next(),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_colours_of_the_commands_are_no_control() {
        let own = "\x1b[1m\x1b[31merror:\x1b[0m unexpected '\x1b[33m--nn\x1b[0m'\n";
        assert_eq!(terminal_control(own), None);
        for (typed, control) in [
            ("\x1b[31m", '\x1b'),
            ("\x1b[2J", '\x1b'),
            ("\x1b\x1b[0m[1m", '\x1b'),
            ("a\tb", '\t'),
            ("\u{7}", '\u{7}'),
            ("\u{9b}", '\u{9b}'),
            ("\u{202e}", '\u{202e}'),
        ] {
            let text = format!("{own}{typed}{own}");
            assert_eq!(terminal_control(&text), Some(control), "{typed:?}");
        }
    }
}
