//! What stands around the curves: title, note, axes and grid.

use crate::curves::{Axis, Figure, Scale};
use crate::geometry::Rect;
use crate::scene::{Anchor, Colour, Place, Scene, Text};
use crate::size::Size;
use crate::ticks::{Ticks, ticks};
use crate::{font, marks, names};

/// The em of each kind of text, at the default size.
const TITLE: f64 = 17.0;
const NOTE: f64 = 11.5;
const NAME: f64 = 13.5;
pub(crate) const TICK: f64 = 12.0;
const LABEL: f64 = 13.0;

/// The largest share of a picture's height that a note may have: a low picture goes without.
const MOST_NOTE: f64 = 0.2;

/// The largest share of a picture's width that the labels of curves may have.
const MOST_LABEL: f64 = 0.3;

/// From one line of a text to the next, in em.
pub(crate) const LINE: f64 = 1.3;

/// From the middle of a figure or a small letter down to the base line, in em.
pub(crate) const HALF_HEIGHT: f64 = 0.36;

/// The margin at the edges of the picture, at the default size.
pub(crate) const EDGE: f64 = 14.0;

/// From the end of a curve to its label, at the default size.
pub(crate) const LEADER: f64 = 30.0;
/// The length of a mark at an axis, at the default size.
pub(crate) const MARK: f64 = 5.0;

/// Where the curves are drawn, and how numbers become places there.
#[derive(Debug, Clone)]
pub(crate) struct Plot<'a> {
    pub(crate) area: Rect,
    /// The size of texts and strokes.
    pub(crate) unit: f64,
    /// The em of the labels of curves.
    pub(crate) label_em: f64,
    pub(crate) x: &'a Axis,
    y: &'a Axis,
}

impl Plot<'_> {
    /// Returns the place of a pair of numbers, inside the area or not.
    pub(crate) fn place(&self, x: f64, y: f64) -> Option<Place> {
        Some((self.right_of(self.x.share(x)?), self.up(self.y.share(y)?)))
    }

    pub(crate) fn right_of(&self, share: f64) -> f64 {
        self.area.left + share * self.area.width()
    }

    fn up(&self, share: f64) -> f64 {
        self.area.bottom - share * self.area.height()
    }
}

/// Draws the frame of a figure and returns the plot inside.
pub(crate) fn draw<'a>(figure: &'a Figure, size: Size, scene: &mut Scene) -> Plot<'a> {
    let unit = size.unit();
    let (width, height) = (f64::from(size.width()), f64::from(size.height()));
    let edge = EDGE * unit;

    let heads_end = heads(&figure.title, &note(figure), size, scene);
    let mut top = heads_end + 0.6 * NAME * unit;
    let mut under = (MARK + 1.6 * TICK + LINE * NAME) * unit;
    let names = names::Names::new(figure, (width, height), unit);
    if figure.x.scale == Scale::Names {
        under += names.height() - TICK * unit;
    } else if !figure.marks.is_empty() {
        top += 1.9 * TICK * unit;
    }
    let bottom = height - edge / 2.0 - under;

    // Heights first: how many marks the upright axis has decides how wide their texts are.
    let y_ticks = ticks(&figure.y, |ticks| {
        apart(ticks, bottom - top, |_| TICK * unit, 0.9 * TICK * unit)
    });
    let tick_width = |text: &str| font::width(text, TICK * unit, false);
    let y_width = y_ticks.major.iter().map(|(_, text)| tick_width(text));
    let left = edge + (LINE * NAME + 2.0 * MARK) * unit + y_width.fold(0.0, f64::max);
    let labels = figure.series.iter().map(|series| &*series.label);
    let labels = labels.filter(|label| !label.is_empty());
    let label_widths = labels.map(|label| font::width(label, LABEL * unit, false));
    let widest = label_widths.fold(0.0, f64::max);
    // Long labels shrink rather than leave no room for the curves.
    let label_em = LABEL * unit * (MOST_LABEL * width / widest).min(1.0);
    let label_width = widest * label_em / (LABEL * unit) + LEADER * unit;
    let right = width
        - edge
        - if widest > 0.0 {
            label_width
        } else {
            TICK * unit
        };
    let x_ticks = ticks(&figure.x, |ticks| {
        apart(ticks, right - left, tick_width, TICK * unit)
    });

    let plot = Plot {
        // Whole pixels, so that the thin lines of frame and grid are crisp.
        area: Rect {
            left: left.round(),
            top: top.round(),
            right: right.round(),
            bottom: bottom.round(),
        },
        unit,
        label_em,
        x: &figure.x,
        y: &figure.y,
    };
    draw_grid(&plot, &x_ticks, &y_ticks, scene);
    let beside = (heads_end + 0.3 * NAME * unit, height - edge / 2.0);
    draw_y(&plot, &y_ticks, edge, beside, scene);
    draw_x(&plot, &x_ticks, height - edge / 2.0, scene);
    if figure.x.scale == Scale::Names {
        names.draw(&plot, scene);
    } else {
        marks::draw(&figure.marks, &plot, scene);
    }
    plot
}

/// Returns how to read a figure, and which of its series are outside of the axes, so that none is
/// missed in silence.
fn note(figure: &Figure) -> String {
    let unseen = figure.unseen();
    if unseen.is_empty() || !figure.shows_something() {
        return figure.note.clone();
    }
    let note = format!(
        "{} Outside of the picture: {}.",
        figure.note,
        unseen.join(", ")
    );
    note.trim_start().to_owned()
}

/// Writes title and note at the top of a picture and returns where what is below may start.
pub(crate) fn heads(title: &str, note: &str, size: Size, scene: &mut Scene) -> f64 {
    let (unit, palette) = (size.unit(), scene.palette);
    let (edge, width) = (EDGE * unit, f64::from(size.width()));
    let mut top = edge;
    let heads = [
        (title, TITLE * unit, true, palette.ink),
        (note, NOTE * unit, false, palette.faint_ink),
    ];
    for (text, em, bold, colour) in heads {
        let room = width - 2.0 * edge;
        let lines = wrapped(&cut(text, em, bold, room), em, bold, room);
        if !bold && lines.len() as f64 * LINE * em > MOST_NOTE * f64::from(size.height()) {
            continue;
        }
        for line in lines {
            scene.text(Text {
                content: line,
                place: (edge, top + em),
                anchor: Anchor::Start,
                bold,
                ..label(em, colour)
            });
            top += LINE * em;
        }
    }
    top
}

/// Returns a text in lines of whole words, each as long as there is room; an equation, `n = 10`,
/// is one word if it can be.
pub(crate) fn wrapped(text: &str, em: f64, bold: bool, room: f64) -> Vec<String> {
    let fits = |line: &str| font::width(line, em, bold) <= room;
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

/// Returns a text whose words are no longer than there is room: longer ones are cut.
fn cut(text: &str, em: f64, bold: bool, room: f64) -> String {
    let mut cut = String::new();
    let mut word = String::new();
    for letter in text.chars() {
        word.push(letter);
        if letter == ' ' {
            word.clear();
        } else if word.chars().count() > 1 && font::width(&word, em, bold) > room {
            cut.push(' ');
            word = letter.to_string();
        }
        cut.push(letter);
    }
    cut
}

/// Returns whether all texts keep a gap along an axis of this length.
fn apart(ticks: &Ticks, length: f64, extent: impl Fn(&str) -> f64, gap: f64) -> bool {
    ticks.major.windows(2).all(|pair| {
        let [(one, one_text), (next, next_text)] = pair else {
            return true;
        };
        let room = f64::midpoint(extent(one_text), extent(next_text)) + gap;
        (next - one) * length >= room
    })
}

fn draw_grid(plot: &Plot<'_>, x_ticks: &Ticks, y_ticks: &Ticks, scene: &mut Scene) {
    let (area, palette) = (&plot.area, scene.palette);
    for (share, _) in &y_ticks.major {
        let y = crisp(plot.up(*share), plot.unit);
        scene.line(
            vec![(area.left, y), (area.right, y)],
            stroke(plot.unit),
            palette.grid,
        );
    }
    for (share, _) in &x_ticks.major {
        let x = crisp(plot.right_of(*share), plot.unit);
        scene.line(
            vec![(x, area.top), (x, area.bottom)],
            stroke(plot.unit),
            palette.grid,
        );
    }
}

fn draw_y(
    plot: &Plot<'_>,
    ticks: &Ticks,
    edge: f64,
    (ceiling, floor): (f64, f64),
    scene: &mut Scene,
) {
    let (area, unit, palette) = (&plot.area, plot.unit, scene.palette);
    let axis = crisp(area.left, plot.unit);
    for share in &ticks.minor {
        let y = crisp(plot.up(*share), plot.unit);
        let end = axis - 0.6 * MARK * unit;
        scene.line(vec![(end, y), (axis, y)], stroke(unit), palette.axis);
    }
    for (share, text) in &ticks.major {
        let y = crisp(plot.up(*share), plot.unit);
        let end = axis - MARK * unit;
        scene.line(vec![(end, y), (axis, y)], stroke(unit), palette.axis);
        scene.text(Text {
            content: text.clone(),
            place: (end - 0.6 * MARK * unit, y + HALF_HEIGHT * TICK * unit),
            anchor: Anchor::End,
            ..label(TICK * unit, palette.ink)
        });
    }
    scene.line(
        vec![(axis, area.top), (axis, area.bottom)],
        stroke(unit),
        palette.axis,
    );
    // In a low picture the name may be longer than its axis, and even than what is free beside it.
    let length = font::width(&plot.y.name, NAME * unit, false);
    let shrink = ((floor - ceiling) / length).min(1.0);
    let half = 0.5 * shrink * length;
    let middle = f64::midpoint(area.top, area.bottom);
    scene.text(Text {
        content: plot.y.name.clone(),
        place: (
            edge + 0.8 * NAME * unit,
            middle.min(floor - half).max(ceiling + half),
        ),
        anchor: Anchor::Middle,
        upwards: true,
        ..label(NAME * unit * shrink, palette.ink)
    });
}

fn draw_x(plot: &Plot<'_>, ticks: &Ticks, bottom: f64, scene: &mut Scene) {
    let (area, unit, palette) = (&plot.area, plot.unit, scene.palette);
    let axis = crisp(area.bottom, plot.unit);
    for share in &ticks.minor {
        let x = crisp(plot.right_of(*share), plot.unit);
        scene.line(
            vec![(x, axis), (x, axis + 0.6 * MARK * unit)],
            stroke(unit),
            palette.axis,
        );
    }
    for (share, text) in &ticks.major {
        let x = crisp(plot.right_of(*share), plot.unit);
        let end = axis + MARK * unit;
        scene.line(vec![(x, axis), (x, end)], stroke(unit), palette.axis);
        scene.text(Text {
            content: text.clone(),
            place: (x, end + 1.1 * TICK * unit),
            ..label(TICK * unit, palette.ink)
        });
    }
    scene.line(
        vec![(area.left, axis), (area.right, axis)],
        stroke(unit),
        palette.axis,
    );
    scene.text(Text {
        content: plot.x.name.clone(),
        place: (
            f64::midpoint(area.left, area.right),
            bottom - 0.3 * NAME * unit,
        ),
        ..label(NAME * unit, palette.ink)
    });
}

/// A text of the frame, to be filled in.
pub(crate) fn label(em: f64, colour: Colour) -> Text {
    Text {
        content: String::new(),
        place: (0.0, 0.0),
        anchor: Anchor::Middle,
        size: em,
        bold: false,
        upwards: false,
        colour,
    }
}

/// The width of the lines of frame and grid.
pub(crate) fn stroke(unit: f64) -> f64 {
    unit.round().max(1.0)
}

/// Moves the middle of such a line to where its edges are those of pixels.
pub(crate) fn crisp(place: f64, unit: f64) -> f64 {
    place.floor() + stroke(unit) % 2.0 / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_of_whole_words_and_equations() {
        let room = font::width("the rate of n = 10", 10.0, false) + 0.1;
        let lines = |text: &str| wrapped(text, 10.0, false, room);
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
        let room = font::width("xxxxx", 10.0, true) + 0.1;
        assert_eq!(
            cut("xxx xxxxxxxxxxxx xx", 10.0, true, room),
            "xxx xxxxx xxxxx xx xx"
        );
        assert_eq!(cut("xxxxx", 10.0, true, room), "xxxxx");
        assert_eq!(cut("ww", 10.0, true, 0.1), "w w");
    }
}
