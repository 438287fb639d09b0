//! Lays out a diagram of a small filter: a row of its bits, the inserted and removed items above the row, the queried items
//! below it, and arrows between items and bits.

use std::collections::BTreeMap;

use super::model::Diagram;
use crate::font::Typeface;
use crate::geometry::{Place, Rect};
use crate::heads;
use crate::look::{AXIS, Colour, FAINT_INK, GRID, INK, Look, PAPER, SERIES};
use crate::scene::{Anchor, Paint, Scene, Text, scaled};
use crate::style::{EDGE, HALF_HEIGHT, LABEL, label};

/// The sizes of texts and lines, in a picture of the default size.
const NAME: f64 = 15.0;
const ARROW_WIDTH: f64 = 1.6;
const HEAD: f64 = 7.0;

/// An arrow for several hashes has two heads. This is the distance between their tips, in lengths of a head.
const SECOND: f64 = 1.5;
const DASHES: (f64, f64) = (5.0, 4.0);
const FRAME: f64 = 1.2;

/// The gap between two slices, blocks or stages, in widths of a cell (the box of a bit or counter).
const GAP: f64 = 0.8;
/// The height of the strip with the labels of slices, blocks or stages, in a picture of the default size.
const FOOT: f64 = 17.0;

/// The height of a cell divided by its width.
const CELL: f64 = 1.5;
/// The least and the greatest height of a cell, in a picture of the default size.
const CELLS: (f64, f64) = (34.0, 60.0);

/// The numbers of the positions are vertical if they would otherwise need an em below this, in a picture of the default size.
const MIN: f64 = 8.0;

/// An item above or below the row of bits.
struct Slot<'a> {
    text: String,
    colour: Colour,
    /// A text below the name, such as `false positive`, and its colour. The text may be empty.
    below: (&'a str, Colour),
    arrows: Vec<Arrow>,
}

/// An arrow to a position.
struct Arrow {
    position: u64,
    dashed: bool,
    /// Whether several hashes of the item select the position. Then the arrow has two heads.
    double: bool,
}

/// Returns an arrow to each position. The map says of each position whether several hashes select it.
fn arrows(positions: BTreeMap<u64, bool>, dashed: impl Fn(u64) -> bool) -> Vec<Arrow> {
    let arrows = positions.into_iter().map(|(position, double)| Arrow {
        position,
        dashed: dashed(position),
        double,
    });
    arrows.collect()
}

/// The side of the row of bits on which items are drawn: above, with the height of the top of these items, or below, with the
/// height of their bottom.
#[derive(Clone, Copy)]
enum Side {
    Above(f64),
    Below(f64),
}

/// Where the row of bits is: the left edge of the box (cell) of each bit or counter, and below the boxes a strip (foot) with
/// the labels of slices, blocks or stages.
struct Row {
    lefts: Vec<f64>,
    top: f64,
    foot: f64,
    bottom: f64,
    cell: f64,
    unit: f64,
}

impl Row {
    fn left(&self, position: u64) -> f64 {
        self.lefts[position as usize]
    }
}

/// Lays out a diagram.
pub(crate) fn scene(diagram: &Diagram, look: Look) -> Scene {
    let mut scene = Scene::new(look.typeface);
    let (unit, size) = (look.size.unit(), look.size);
    let (width, height) = size.sides();
    let top = heads::draw(&diagram.title, &diagram.note, look, &mut scene) + 0.8 * NAME * unit;
    let edge = EDGE * unit;
    let gaps = GAP * (diagram.groups.len() as f64 - 1.0);
    let across = diagram.counts.len() as f64 + gaps;
    let (above, below) = (above(diagram), below(diagram));
    let is_dense = diagram.is_dense();
    // If the diagram has rows of discs instead of arrows, the names are to the left of these rows and the results of queries to
    // the right.
    let beside = |texts: Vec<&str>, em: f64| {
        let widths = texts
            .into_iter()
            .map(|text| look.typeface.width(text, em * unit, true));
        let widest = widths.fold(0.0, f64::max);
        edge + if is_dense { widest + edge } else { 0.0 }
    };
    let slots = || above.iter().chain(&below);
    let start = beside(slots().map(|slot| &*slot.text).collect(), NAME);
    let end = width - beside(slots().map(|slot| slot.below.0).collect(), LABEL);
    let cell = (end - start) / across.max(8.0);
    let high = (CELL * cell)
        .clamp(CELLS.0 * unit, CELLS.1 * unit)
        .min(0.25 * (height - top));
    let named = diagram.groups.iter().any(|group| !group.label.is_empty());
    let foot = if named { FOOT * unit } else { 0.0 };
    let rows = slots().count() as f64;
    let step = ((height - edge - top - 1.5 * high - foot) / rows).min(2.0 * NAME * unit);
    let middle = if is_dense {
        top + step * above.len() as f64 + 0.75 * high + 0.5 * foot
    } else if diagram.queries.is_empty() {
        height - edge - high / 2.0
    } else {
        // The arrows above the row have as much room as those below.
        let above = 1.45 * NAME * unit;
        let below = (1.1 * NAME + 1.55 * LABEL) * unit;
        f64::midpoint(top + above, height - edge - below)
    };
    let mut lefts = Vec::new();
    let mut left = f64::midpoint(start, end) - cell * across / 2.0;
    for group in &diagram.groups {
        for _ in group.positions.clone() {
            lefts.push(left);
            left += cell;
        }
        left += GAP * cell;
    }
    let half = f64::midpoint(high, foot);
    let row = Row {
        lefts,
        top: middle - half,
        foot: middle + half - foot,
        bottom: middle + half,
        cell,
        unit,
    };
    if is_dense {
        let (texts, under) = ((edge, end + edge), row.bottom + 0.25 * high);
        draw_rows(&above, &row, texts, (top, step), &mut scene);
        draw_rows(&below, &row, texts, (under, step), &mut scene);
    } else {
        // The arrows are drawn first, so that the cells cover the parts of arrows that reach into them.
        let ends = (edge, width - edge);
        draw_slots(&above, &row, ends, Side::Above(top), &mut scene);
        let bottom = Side::Below(height - edge);
        draw_slots(&below, &row, ends, bottom, &mut scene);
    }
    draw_feet(diagram, &row, &mut scene);
    draw_row(diagram, &row, &mut scene);
    scene
}

/// Returns the inserted and removed items, which are drawn above the bits.
fn above(diagram: &Diagram) -> Vec<Slot<'_>> {
    let slot = |text, colour, below, arrows| Slot {
        text,
        colour,
        below: (below, colour),
        arrows,
    };
    let inserts = diagram.inserts.iter().zip(SERIES);
    let inserts = inserts.map(|(item, colour)| {
        // A scalable filter does not insert an item that it already finds.
        let found = if item.positions.is_empty() {
            "found"
        } else {
            ""
        };
        let arrows = arrows(item.arrows(), |_| false);
        slot(item.name.clone(), colour, found, arrows)
    });
    let removes = diagram.removes.iter().map(|(item, accepted)| {
        let (refused, arrows) = if *accepted {
            ("", arrows(item.arrows(), |_| true))
        } else {
            ("refused", Vec::new())
        };
        let (text, colour) = (format!("−{}", item.name), FAINT_INK);
        slot(text, colour, refused, arrows)
    });
    inserts.chain(removes).collect()
}

/// Returns the queried items, which are drawn below the bits.
fn below(diagram: &Diagram) -> Vec<Slot<'_>> {
    let is_clear = |position: u64| diagram.counts[position as usize] == 0;
    let queries = diagram.queries.iter().map(|(item, verdict)| Slot {
        text: format!("{}?", item.name),
        colour: INK,
        below: (verdict.text(), FAINT_INK),
        arrows: arrows(diagram.arrows_of_query(item), is_clear),
    });
    queries.collect()
}

/// Returns the largest em, up to `em`, at which every text fits in the width `room` with a margin.
fn fitting<'a>(
    face: Typeface,
    texts: impl IntoIterator<Item = &'a str>,
    em: f64,
    room: f64,
) -> f64 {
    let texts = texts.into_iter();
    let widest = texts
        .map(|text| face.width(text, em, true))
        .fold(0.0, f64::max);
    em * (0.92 * room / widest).min(1.0)
}

/// Draws the names of items side by side, the text below each name, and the arrows from each name to its bits.
fn draw_slots(
    slots: &[Slot<'_>],
    row: &Row,
    (left, right): (f64, f64),
    side: Side,
    scene: &mut Scene,
) {
    let unit = row.unit;
    let room = (right - left) / slots.len() as f64;
    let names = slots.iter().map(|slot| &*slot.text);
    let em = fitting(scene.typeface, names, NAME * unit, room);
    let texts = || slots.iter().map(|slot| slot.below.0);
    let small = fitting(scene.typeface, texts(), LABEL * unit, room).min(em);
    // The heights of the base lines of the names and of the texts below them, and of the starts and the tips of the arrows.
    let (name, below, start, end) = match side {
        Side::Above(top) => {
            let name = top + em;
            let any = texts().any(|text| !text.is_empty());
            let below = if any { name + 1.3 * small } else { name };
            (name, below, below + 0.45 * em, row.top - FRAME * unit)
        }
        Side::Below(bottom) => {
            let below = bottom - 0.3 * small;
            let name = below - 1.25 * small;
            (name, below, name - 1.1 * em, row.bottom + FRAME * unit)
        }
    };
    for (index, slot) in slots.iter().enumerate() {
        let x = left + (index as f64 + 0.5) * room;
        let (text, colour) = slot.below;
        write(&slot.text, (x, name), em, slot.colour, scene);
        write(text, (x, below), small, colour, scene);
        for arrow in &slot.arrows {
            let to = (row.left(arrow.position) + 0.5 * row.cell, end);
            draw_arrow(arrow, (x, start), to, slot.colour, unit, scene);
        }
    }
}

/// Draws a row for each item, instead of arrows: the name, a disc above or below each bit of the item, and the text that would
/// be below the name, such as the result of a query.
fn draw_rows(
    slots: &[Slot<'_>],
    row: &Row,
    (name, verdict): (f64, f64),
    (top, step): (f64, f64),
    scene: &mut Scene,
) {
    let radius = 0.36 * row.cell.min(step);
    let size = |em: f64| (em * row.unit).min(0.8 * step);
    let ends = (row.left(0), row.left(row.lefts.len() as u64 - 1) + row.cell);
    for (index, slot) in slots.iter().enumerate() {
        let y = top + (index as f64 + 0.5) * step;
        let guide = vec![(ends.0, y), (ends.1, y)];
        scene.line(guide, row.unit, GRID);
        let texts = [
            (name, &*slot.text, slot.colour, size(NAME)),
            (verdict, slot.below.0, slot.below.1, size(LABEL)),
        ];
        for (x, text, colour, em) in texts {
            scene.text(Text {
                bold: true,
                anchor: Anchor::Start,
                ..label(em, colour).at((x, y + HALF_HEIGHT * em), text)
            });
        }
        for arrow in &slot.arrows {
            let x = row.left(arrow.position) + 0.5 * row.cell;
            // Two smaller discs side by side mean that several hashes of the item select the position.
            let (offsets, radius): (&[f64], f64) = if arrow.double {
                (&[-0.7, 0.7], 0.7 * radius)
            } else {
                (&[0.0], radius)
            };
            for offset in offsets {
                let centre = (x + offset * radius / 0.7, y);
                scene.disc(centre, radius, slot.colour);
                if arrow.dashed {
                    scene.disc(centre, 0.6 * radius, PAPER);
                }
            }
        }
    }
}

fn write(text: &str, place: Place, em: f64, colour: Colour, scene: &mut Scene) {
    if text.is_empty() {
        return;
    }
    scene.text(Text {
        bold: true,
        ..label(em, colour).at(place, text)
    });
}

fn draw_arrow(arrow: &Arrow, from: Place, to: Place, colour: Colour, unit: f64, scene: &mut Scene) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1e-9);
    let (dx, dy) = (dx / length, dy / length);
    // The distances of the tips of the heads from the end of the arrow, in lengths of a head.
    let tips: &[f64] = if arrow.double { &[0.0, SECOND] } else { &[0.0] };
    let head = (HEAD * unit).min(length / (1.0 + tips[tips.len() - 1]));
    let back = |heads: f64| (to.0 - heads * head * dx, to.1 - heads * head * dy);
    let dashes = arrow.dashed.then(|| scaled(DASHES, unit));
    let shaft = Paint::Line(ARROW_WIDTH * unit, dashes);
    scene.shape(vec![from, back(1.0)], shaft, colour);
    let half = 0.42 * head;
    for distance in tips {
        let (tip, neck) = (back(*distance), back(1.0 + distance));
        let corners = vec![
            (neck.0 - half * dy, neck.1 + half * dx),
            (neck.0 + half * dy, neck.1 - half * dx),
            tip,
        ];
        scene.shape(corners, Paint::Area, colour);
    }
}

/// Draws a filled rectangle with a frame.
fn draw_box(area: &Rect, fill: Colour, unit: f64, scene: &mut Scene) {
    let corners = vec![
        (area.left, area.top),
        (area.right, area.top),
        (area.right, area.bottom),
        (area.left, area.bottom),
    ];
    let mut frame = corners.clone();
    frame.push(corners[0]);
    scene.shape(corners, Paint::Area, fill);
    scene.line(frame, FRAME * unit, INK);
}

/// Draws the cells of the bits or counters. A cell is filled if its value is not 0, and shows the value and, smaller, the
/// position within its slice, block or stage, or within the whole filter.
fn draw_row(diagram: &Diagram, row: &Row, scene: &mut Scene) {
    let unit = row.unit;
    let high = row.foot - row.top;
    let room = 0.85 * row.cell;
    let values = diagram.counts.iter().max().copied().unwrap_or_default();
    let value_em = fitting(scene.typeface, [&*values.to_string()], 0.42 * high, room);
    let groups = diagram.groups.iter().map(|group| &group.positions);
    let longest = groups.clone().map(|all| all.end - all.start - 1).max();
    let numbers = longest.unwrap_or_default().to_string();
    let number_em = fitting(scene.typeface, [&*numbers], 0.27 * high, room);
    // In narrow cells, the numbers of the positions are vertical, because cells are higher than wide.
    let upwards = number_em < MIN * unit;
    let number_em = if upwards {
        fitting(scene.typeface, [&*numbers], 0.8 * row.cell, 0.42 * high)
    } else {
        number_em
    };
    let cells = groups.flat_map(|all| all.clone().map(|position| (all.start, position)));
    for (start, position) in cells {
        let count = diagram.counts[position as usize];
        let area = Rect {
            left: row.left(position),
            top: row.top,
            right: row.left(position) + row.cell,
            bottom: row.foot,
        };
        let mut owners = diagram
            .inserts
            .iter()
            .zip(SERIES)
            .filter(|(item, _)| item.positions.contains(&position) && !diagram.is_gone(item))
            .map(|(_, colour)| colour);
        let (fill, ink) = match (count, owners.next(), owners.next()) {
            (0, ..) => (PAPER, INK),
            (_, Some(one), None) => (one, PAPER),
            _ => (AXIS, PAPER),
        };
        draw_box(&area, fill, unit, scene);
        let x = f64::midpoint(area.left, area.right);
        let base = row.top + 0.34 * high + HALF_HEIGHT * value_em;
        let value = diagram.value(count).to_string();
        write(&value, (x, base), value_em, ink, scene);
        let middle = row.top + 0.78 * high;
        let below = HALF_HEIGHT * number_em;
        let place = if upwards {
            (x + below, middle)
        } else {
            (x, middle + below)
        };
        let number = (position - start).to_string();
        scene.text(Text {
            upwards,
            ..label(number_em, ink).at(place, number)
        });
    }
}

/// Draws the labels of slices, blocks or stages below their cells.
fn draw_feet(diagram: &Diagram, row: &Row, scene: &mut Scene) {
    let groups = diagram.groups.iter();
    for group in groups.filter(|group| !group.label.is_empty()) {
        let area = Rect {
            left: row.left(group.positions.start),
            top: row.foot,
            right: row.left(group.positions.end - 1) + row.cell,
            bottom: row.bottom,
        };
        draw_box(&area, GRID, row.unit, scene);
        let em = |text: &str| fitting(scene.typeface, [text], 0.75 * area.height(), area.width());
        // If the label does not fit, only its number is drawn. The title of the diagram says what is numbered.
        let mut text = &*group.label;
        if em(text) < MIN * row.unit {
            text = text.split(' ').next_back().unwrap_or_default();
        }
        let em = em(text);
        let base = f64::midpoint(area.top, area.bottom) + HALF_HEIGHT * em;
        let middle = f64::midpoint(area.left, area.right);
        write(text, (middle, base), em, INK, scene);
    }
}
