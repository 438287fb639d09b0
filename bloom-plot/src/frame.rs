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

    let mut top = heads(&figure.title, &figure.note, size, scene);
    top += 0.6 * NAME * unit;
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
    draw_y(&plot, &y_ticks, edge, scene);
    draw_x(&plot, &x_ticks, height - edge / 2.0, scene);
    if figure.x.scale == Scale::Names {
        names.draw(&plot, scene);
    } else {
        marks::draw(&figure.marks, &plot, scene);
    }
    plot
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
        let lines = wrapped(text, em, bold, width - 2.0 * edge);
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

/// Returns a text in lines of whole words, each as long as there is room.
pub(crate) fn wrapped(text: &str, em: f64, bold: bool, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match longer.filter(|longer| font::width(longer, em, bold) <= room) {
            Some(longer) => {
                lines.pop();
                lines.push(longer);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
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

fn draw_y(plot: &Plot<'_>, ticks: &Ticks, edge: f64, scene: &mut Scene) {
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
    // In a low picture the name may be longer than its axis.
    let length = font::width(&plot.y.name, NAME * unit, false);
    let shrink = (area.height() / length).min(1.0);
    scene.text(Text {
        content: plot.y.name.clone(),
        place: (
            edge + 0.8 * NAME * unit,
            f64::midpoint(area.top, area.bottom),
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
