//! Draws the title and the note at the top of a picture, wrapped at word boundaries.

use crate::font::Typeface;
use crate::look::{FAINT_INK, INK, Look};
use crate::scene::{Anchor, Scene, Text};
use crate::style::{EDGE, LINE, NOTE, TITLE, label};

/// The largest share of a picture's height that a note may take. A note that would take more is omitted.
const MAX_NOTE: f64 = 0.2;

/// Draws title and note at the top of a picture and returns the top of the space below them.
pub(crate) fn draw(title: &str, note: &str, look: Look, scene: &mut Scene) -> f64 {
    let (unit, face) = (look.size.unit(), scene.typeface);
    let (edge, (width, height)) = (EDGE * unit, look.size.sides());
    let mut top = edge;
    if look.untitled {
        return top;
    }
    let heads = [
        (title, TITLE * unit, true, INK),
        (note, NOTE * unit, false, FAINT_INK),
    ];
    for (text, em, bold, colour) in heads {
        let room = width - 2.0 * edge;
        let lines = wrapped(face, &cut(face, text, em, bold, room), em, bold, room);
        if !bold && lines.len() as f64 * LINE * em > MAX_NOTE * height {
            continue;
        }
        for line in lines {
            scene.text(Text {
                anchor: Anchor::Start,
                bold,
                ..label(em, colour).at((edge, top + em), line)
            });
            top += LINE * em;
        }
    }
    top
}

/// Wraps a text to the width `room` at word boundaries; an equation such as `n = 10` counts as one
/// word if it fits.
pub(crate) fn wrapped(face: Typeface, text: &str, em: f64, bold: bool, room: f64) -> Vec<String> {
    let fits = |line: &str| face.width(line, em, bold) <= room;
    let mut lines: Vec<String> = Vec::new();
    let mut write = |word: &str| match lines.last_mut() {
        Some(line) if fits(&format!("{line} {word}")) => *line += &format!(" {word}"),
        _ => lines.push(word.to_owned()),
    };
    let equations = text.replace(" = ", "\u{a0}=\u{a0}");
    for word in equations.split(' ').filter(|word| !word.is_empty()) {
        let equation = word.replace('\u{a0}', " ");
        if fits(&equation) {
            write(&equation);
        } else {
            word.split('\u{a0}').for_each(&mut write);
        }
    }
    lines
}

/// Cuts the words of a text that are wider than `room`.
fn cut(face: Typeface, text: &str, em: f64, bold: bool, room: f64) -> String {
    let mut cut = String::new();
    let mut word = String::new();
    for letter in text.chars() {
        word.push(letter);
        if letter == ' ' {
            word.clear();
        } else if word.chars().count() > 1 && face.width(&word, em, bold) > room {
            cut.push(' ');
            word = letter.to_string();
        }
        cut.push(letter);
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_of_whole_words_and_equations() {
        let room = Typeface::Sans.width("the rate of n = 10", 10.0, false) + 0.1;
        let lines = |text: &str| wrapped(Typeface::Sans, text, 10.0, false, room);
        assert_eq!(
            lines("the rate of n = 10 items"),
            ["the rate of n = 10", "items"]
        );
        assert_eq!(lines("the rate of a, n = 10"), ["the rate of a,", "n = 10"]);
        let long = "x".repeat(40);
        assert_eq!(lines(&format!("a {long} b")), ["a", &long, "b"]);
        assert_eq!(lines(&format!("n = {long}")), ["n =", &long]);
    }

    #[test]
    fn words_longer_than_a_line_are_cut() {
        let room = Typeface::Sans.width("xxxxx", 10.0, true) + 0.1;
        assert_eq!(
            cut(Typeface::Sans, "xxx xxxxxxxxxxxx xx", 10.0, true, room),
            "xxx xxxxx xxxxx xx xx"
        );
        assert_eq!(cut(Typeface::Sans, "xxxxx", 10.0, true, room), "xxxxx");
        assert_eq!(cut(Typeface::Sans, "ww", 10.0, true, 0.1), "w w");
    }
}
