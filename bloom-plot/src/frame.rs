//! Draws everything around the curves of a chart: title, note, axes and grid. The widths of all texts are computed before
//! anything is placed, so that no text overlaps another or is cut off, whatever the size of the picture. The layout of the
//! crate Plotters is not used, because its caller must choose the widths of the label areas and the number of labels.

use crate::curves::{Figure, Scale};
use crate::geometry::{Place, Rect};
use crate::look::{AXIS, GRID, INK, Look};
use crate::plot::Plot;
use crate::scene::{Anchor, Scene, Text};
use crate::style::{
    EDGE, HALF_HEIGHT, LABEL, LEADER, LINE, MARK, NAME, TICK, crisp, label, stroke,
};
use crate::ticks::{Ticks, ticks};
use crate::{heads, marks, names};

/// The largest share of a picture's width that the curve labels may take.
const MAX_LABEL: f64 = 0.3;

/// Draws everything around the curves of a figure, and returns the plot area inside.
pub(crate) fn draw<'a>(figure: &'a Figure, look: Look, scene: &mut Scene) -> Plot<'a> {
    let (unit, face) = (look.size.unit(), look.typeface);
    let (width, height) = look.size.sides();
    let edge = EDGE * unit;

    let heads_end = heads::draw(&figure.title, &note(figure), look, scene);
    let mut top = heads_end + 0.6 * NAME * unit;
    let mut under = (MARK + 1.6 * TICK + LINE * NAME) * unit;
    let names = names::Names::new(figure, look);
    if figure.x.scale == Scale::Names {
        under += names.height() - TICK * unit;
    } else if !figure.marks.is_empty() {
        top += 1.9 * TICK * unit;
    }
    let bottom = height - edge / 2.0 - under;

    // The heights are computed before the widths, because the number of ticks on the vertical axis decides how wide their
    // labels are.
    let y_ticks = ticks(&figure.y, |ticks| {
        apart(ticks, bottom - top, |_| TICK * unit, 0.9 * TICK * unit)
    });
    let tick_width = |text: &str| face.width(text, TICK * unit, false);
    let y_width = y_ticks.major.iter().map(|(_, text)| tick_width(text));
    let left = edge + (LINE * NAME + 2.0 * MARK) * unit + y_width.fold(0.0, f64::max);
    let beside = figure.series.iter();
    let beside = beside.filter(|series| !series.joined && figure.label_at(series).is_none());
    let labels = beside.map(|series| &*series.label);
    let labels = labels.filter(|label| !label.is_empty());
    let label_widths = labels.map(|label| face.width(label, LABEL * unit, false));
    let widest = label_widths.fold(0.0, f64::max);
    // Long labels shrink so that they leave room for the curves.
    let label_em = LABEL * unit * (MAX_LABEL * width / widest).min(1.0);
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
        // The edges are on whole pixels, which keeps the thin lines of the frame and the grid crisp.
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

/// Returns the note of a figure. If some series are entirely outside the axes, but something is inside, the note also has the
/// labels of these series, so that the reader knows what is missing.
fn note(figure: &Figure) -> String {
    let unseen = figure.unseen();
    if unseen.is_empty() || !figure.shows_something() {
        return figure.note.clone();
    }
    let unseen = unseen.join(", ");
    let note = format!("{} Outside of the picture: {unseen}.", figure.note);
    note.trim_start().to_owned()
}

/// Returns whether there is a gap of at least `gap` between neighbouring tick labels on an axis of this length.
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
    let (area, unit) = (&plot.area, plot.unit);
    let across = y_ticks.major.iter().map(|(share, _)| {
        let y = crisp(plot.up(*share), unit);
        vec![(area.left, y), (area.right, y)]
    });
    let down = x_ticks.major.iter().map(|(share, _)| {
        let x = crisp(plot.right_of(*share), unit);
        vec![(x, area.top), (x, area.bottom)]
    });
    for line in across.chain(down) {
        scene.line(line, stroke(unit), GRID);
    }
}

/// Draws the line of an axis, its ticks, which point outwards, and the labels of the ticks. `at` returns the place at a share
/// of the axis's length and a distance outwards. `text` is a label without content, and `(right, down)` is the distance of a
/// label from the end of its tick.
fn draw_axis(
    plot: &Plot<'_>,
    ticks: &Ticks,
    line: Vec<Place>,
    at: impl Fn(f64, f64) -> Place,
    (text, (right, down)): (&Text, Place),
    scene: &mut Scene,
) {
    let unit = plot.unit;
    let tick = |share: f64, length: f64, scene: &mut Scene| {
        let (start, end) = (at(share, 0.0), at(share, length * unit));
        // A tick is drawn from left to right or downwards.
        let line = if end < start {
            [end, start]
        } else {
            [start, end]
        };
        scene.line(line.to_vec(), stroke(unit), AXIS);
        end
    };
    for share in &ticks.minor {
        tick(*share, 0.6 * MARK, scene);
    }
    for (share, content) in &ticks.major {
        let (x, y) = tick(*share, MARK, scene);
        scene.text(text.clone().at((x + right, y + down), content));
    }
    scene.line(line, stroke(unit), AXIS);
}

fn draw_y(
    plot: &Plot<'_>,
    ticks: &Ticks,
    edge: f64,
    (ceiling, floor): (f64, f64),
    scene: &mut Scene,
) {
    let (area, unit) = (&plot.area, plot.unit);
    let axis = crisp(area.left, unit);
    let at = |share, out| (axis - out, crisp(plot.up(share), unit));
    let line = vec![(axis, area.top), (axis, area.bottom)];
    let text = Text {
        anchor: Anchor::End,
        ..label(TICK * unit, INK)
    };
    let beside = (-0.6 * MARK * unit, HALF_HEIGHT * TICK * unit);
    draw_axis(plot, ticks, line, at, (&text, beside), scene);
    // In a low picture, the name of the vertical axis may be longer than the axis, and even longer than the free space beside
    // it.
    let length = scene.typeface.width(&plot.y.name, NAME * unit, false);
    let shrink = ((floor - ceiling) / length).min(1.0);
    let half = 0.5 * shrink * length;
    let middle = f64::midpoint(area.top, area.bottom);
    let middle = middle.min(floor - half).max(ceiling + half);
    scene.text(Text {
        upwards: true,
        ..label(NAME * unit * shrink, INK).at((edge + 0.8 * NAME * unit, middle), &plot.y.name)
    });
}

fn draw_x(plot: &Plot<'_>, ticks: &Ticks, bottom: f64, scene: &mut Scene) {
    let (area, unit) = (&plot.area, plot.unit);
    let axis = crisp(area.bottom, unit);
    let at = |share, out| (crisp(plot.right_of(share), unit), axis + out);
    let line = vec![(area.left, axis), (area.right, axis)];
    let text = label(TICK * unit, INK);
    let below = (0.0, 1.1 * TICK * unit);
    draw_axis(plot, ticks, line, at, (&text, below), scene);
    let middle = f64::midpoint(area.left, area.right);
    let place = (middle, bottom - 0.3 * NAME * unit);
    scene.text(label(NAME * unit, INK).at(place, &plot.x.name));
}
