//! Lays out a diagram: items above, the row of bits, queries below, arrows between.

use std::ops::Range;

use super::model::{Diagram, Item, Kind};
use crate::geometry::{Place, dashes};
use crate::look::{Colour, Look};
use crate::scene::{Mark, Scene, Text};
use crate::style::{EDGE, HALF_HEIGHT, label};
use crate::{font, heads};

/// Sizes at the default picture size.
const NAME: f64 = 15.0;
const VERDICT: f64 = 13.0;
const ARROW_WIDTH: f64 = 1.6;
const HEAD: f64 = 7.0;
const DASH: f64 = 5.0;
const DASH_GAP: f64 = 4.0;
const FRAME: f64 = 1.2;

/// The gap between two blocks or stages, in cells, and the height of their labels.
const GAP: f64 = 0.8;
const FOOT: f64 = 17.0;

/// The height of a cell relative to its width, and its limits at the default size.
const CELL: f64 = 1.5;
const LOWEST_CELL: f64 = 34.0;
const HIGHEST_CELL: f64 = 60.0;

/// The smallest em of a position number that is horizontal, at the default size.
const SMALLEST: f64 = 8.0;

/// An item above or below the row of bits.
struct Slot<'a> {
    item: &'a Item,
    text: String,
    colour: Colour,
    /// The text below the name, if any.
    below: &'a str,
    removal: bool,
}

/// The row of bits: the left edge of each cell, and the foot below with the label of each group.
struct Row {
    lefts: Vec<f64>,
    top: f64,
    foot: f64,
    bottom: f64,
    cell: f64,
}

impl Row {
    fn left(&self, position: u64) -> f64 {
        self.lefts[position as usize]
    }

    fn middle(&self, position: u64) -> f64 {
        self.left(position) + 0.5 * self.cell
    }
}

/// Lays out a diagram.
pub(crate) fn scene(diagram: &Diagram, look: Look) -> Scene {
    let mut scene = Scene::new();
    let palette = scene.palette;
    let (unit, size) = (look.size.unit(), look.size);
    let (width, height) = (f64::from(size.width()), f64::from(size.height()));
    let top = heads::draw(&diagram.title, &diagram.note, size, &mut scene) + 0.8 * NAME * unit;
    let edge = EDGE * unit;
    let gaps = GAP * (diagram.groups.len() as f64 - 1.0);
    let across = diagram.counts.len() as f64 + gaps;
    let cell = (width - 2.0 * edge) / across.max(8.0);
    let high = (CELL * cell)
        .clamp(LOWEST_CELL * unit, HIGHEST_CELL * unit)
        .min(0.25 * (height - top));
    let middle = if diagram.queries.is_empty() {
        height - edge - high / 2.0
    } else {
        // The same room for arrows above and below.
        let above = 1.45 * NAME * unit;
        let below = (1.1 * NAME + 1.55 * VERDICT) * unit;
        f64::midpoint(top + above, height - edge - below)
    };
    let named = diagram.groups.iter().any(|group| !group.label.is_empty());
    let foot = if named { FOOT * unit } else { 0.0 };
    let mut lefts = Vec::new();
    let mut left = (width - cell * across) / 2.0;
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
    };
    let inserts = diagram.inserts.iter().zip(palette.series);
    let above = inserts.map(|(item, colour)| Slot {
        item,
        text: item.name.clone(),
        colour,
        // A scalable filter does not insert an item that it already reports as present.
        below: if item.positions.is_empty() {
            "found"
        } else {
            ""
        },
        removal: false,
    });
    let removes = diagram.removes.iter().map(|(item, lets_go)| Slot {
        item,
        text: format!("−{}", item.name),
        colour: palette.faint_ink,
        below: if *lets_go { "" } else { "refused" },
        removal: true,
    });
    let above: Vec<Slot<'_>> = above.chain(removes).collect();
    let queries = diagram.queries.iter().map(|(item, verdict)| Slot {
        item,
        text: format!("{}?", item.name),
        colour: palette.ink,
        below: verdict.text(),
        removal: false,
    });
    let below: Vec<Slot<'_>> = queries.collect();
    // Arrows first: the cells cover the parts that reach inside.
    draw_above(&above, &row, (edge, width - edge), top, unit, &mut scene);
    let bottom = height - edge;
    draw_below(
        &below,
        diagram,
        &row,
        (edge, width - edge),
        bottom,
        unit,
        &mut scene,
    );
    draw_row(diagram, &row, unit, &mut scene);
    scene
}

/// Returns the largest em, up to `em`, at which every text fits in a slot.
fn fitting(texts: &[&str], em: f64, room: f64) -> f64 {
    let widths = texts.iter().map(|text| font::width(text, em, true));
    let widest = widths.fold(0.0, f64::max);
    em * (0.92 * room / widest).min(1.0)
}

fn draw_above(
    slots: &[Slot<'_>],
    row: &Row,
    (left, right): (f64, f64),
    top: f64,
    unit: f64,
    scene: &mut Scene,
) {
    let room = (right - left) / slots.len() as f64;
    let texts: Vec<&str> = slots.iter().map(|slot| &*slot.text).collect();
    let em = fitting(&texts, NAME * unit, room);
    let refusals: Vec<&str> = slots.iter().map(|slot| slot.below).collect();
    let small = fitting(&refusals, VERDICT * unit, room).min(em);
    let any_refusal = refusals.iter().any(|text| !text.is_empty());
    for (index, slot) in slots.iter().enumerate() {
        let x = left + (index as f64 + 0.5) * room;
        let mut base = top + em;
        write(&slot.text, (x, base), em, slot.colour, scene);
        if any_refusal {
            base += 1.3 * small;
            write(slot.below, (x, base), small, slot.colour, scene);
        }
        if slot.removal && !slot.below.is_empty() {
            continue;
        }
        for position in &slot.item.positions {
            let from = (x, base + 0.45 * em);
            let to = (row.middle(*position), row.top - FRAME * unit);
            draw_arrow(from, to, slot.removal, slot.colour, unit, scene);
        }
    }
}

fn draw_below(
    slots: &[Slot<'_>],
    diagram: &Diagram,
    row: &Row,
    (left, right): (f64, f64),
    bottom: f64,
    unit: f64,
    scene: &mut Scene,
) {
    let room = (right - left) / slots.len() as f64;
    let texts: Vec<&str> = slots.iter().map(|slot| &*slot.text).collect();
    let em = fitting(&texts, NAME * unit, room);
    let verdicts: Vec<&str> = slots.iter().map(|slot| slot.below).collect();
    let small = fitting(&verdicts, VERDICT * unit, room).min(em);
    for (index, slot) in slots.iter().enumerate() {
        let x = left + (index as f64 + 0.5) * room;
        let verdict = bottom - 0.3 * small;
        let name = verdict - 1.25 * small;
        write(&slot.text, (x, name), em, slot.colour, scene);
        write(
            slot.below,
            (x, verdict),
            small,
            scene.palette.faint_ink,
            scene,
        );
        // If stages reported the query as present, draw arrows only to those.
        let stages = diagram.groups.iter();
        let stages = stages.filter(|_| diagram.kind == Kind::Scalable);
        let finds = stages.filter(|group| group.finds(slot.item, &diagram.counts));
        let found: Vec<_> = finds.map(|group| &group.positions).collect();
        let is_told = |position: &&u64| {
            found.is_empty() || found.iter().any(|positions| positions.contains(position))
        };
        for position in slot.item.positions.iter().filter(is_told) {
            let clear = diagram.counts[*position as usize] == 0;
            let from = (x, name - 1.1 * em);
            let to = (row.middle(*position), row.bottom + FRAME * unit);
            draw_arrow(from, to, clear, slot.colour, unit, scene);
        }
    }
}

fn write(text: &str, place: Place, em: f64, colour: Colour, scene: &mut Scene) {
    if text.is_empty() {
        return;
    }
    scene.text(Text {
        content: text.to_owned(),
        place,
        bold: true,
        ..label(em, colour)
    });
}

fn draw_arrow(from: Place, to: Place, dashed: bool, colour: Colour, unit: f64, scene: &mut Scene) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1e-9);
    let (dx, dy) = (dx / length, dy / length);
    let head = (HEAD * unit).min(length);
    let neck = (to.0 - head * dx, to.1 - head * dy);
    let shaft = [from, neck];
    let shafts = if dashed {
        dashes(&shaft, DASH * unit, DASH_GAP * unit)
    } else {
        vec![shaft.to_vec()]
    };
    for shaft in shafts {
        scene.line(shaft, ARROW_WIDTH * unit, colour);
    }
    let half = 0.42 * head;
    scene.marks.push(Mark::Area {
        places: vec![
            (neck.0 - half * dy, neck.1 + half * dx),
            (neck.0 + half * dy, neck.1 - half * dx),
            to,
        ],
        colour,
    });
}

/// Draws the cells: filled where set, with the value and, smaller, the position.
fn draw_row(diagram: &Diagram, row: &Row, unit: f64, scene: &mut Scene) {
    let palette = scene.palette;
    let high = row.foot - row.top;
    let room = 0.85 * row.cell;
    let longest = |all: &mut dyn Iterator<Item = u64>| all.max().unwrap_or_default().to_string();
    let values = longest(&mut diagram.counts.iter().copied());
    let value_em = fitting(&[&values], 0.42 * high, room);
    let numbers = longest(&mut diagram.groups.iter().map(|group| {
        let Range { start, end } = group.positions;
        end - start - 1
    }));
    let number_em = fitting(&[&numbers], 0.27 * high, room);
    // In narrow cells the numbers are vertical, where there is more room.
    let upwards = number_em < SMALLEST * unit;
    let number_em = if upwards {
        fitting(&[&numbers], 0.8 * row.cell, 0.42 * high)
    } else {
        number_em
    };
    draw_feet(diagram, row, unit, scene);
    let is_gone = |item: &Item| {
        let mut gone = diagram.removes.iter();
        gone.any(|(removed, lets_go)| *lets_go && removed.name == item.name)
    };
    for (position, count) in diagram.counts.iter().enumerate() {
        let left = row.left(position as u64);
        let right = left + row.cell;
        let mut owners = diagram
            .inserts
            .iter()
            .zip(palette.series)
            .filter(|(item, _)| item.positions.contains(&(position as u64)) && !is_gone(item))
            .map(|(_, colour)| colour);
        let fill = match (count, owners.next(), owners.next()) {
            (0, ..) => palette.paper,
            (_, Some(one), None) => one,
            _ => palette.axis,
        };
        let corners = vec![
            (left, row.top),
            (right, row.top),
            (right, row.foot),
            (left, row.foot),
        ];
        let mut frame = corners.clone();
        frame.push(corners[0]);
        scene.marks.push(Mark::Area {
            places: corners,
            colour: fill,
        });
        scene.line(frame, FRAME * unit, palette.ink);
        let ink = if *count > 0 {
            palette.paper
        } else {
            palette.ink
        };
        let value = diagram.value(*count);
        let x = f64::midpoint(left, right);
        let base = row.top + 0.34 * high + HALF_HEIGHT * value_em;
        write(&value.to_string(), (x, base), value_em, ink, scene);
        let middle = row.top + 0.78 * high;
        let below = HALF_HEIGHT * number_em;
        scene.text(Text {
            content: number(diagram, position as u64).to_string(),
            place: if upwards {
                (x + below, middle)
            } else {
                (x, middle + below)
            },
            upwards,
            ..label(number_em, ink)
        });
    }
}

/// Returns the number of a position within its group.
fn number(diagram: &Diagram, position: u64) -> u64 {
    let mut groups = diagram.groups.iter();
    let group = groups.find(|group| group.positions.contains(&position));
    position - group.map_or(0, |group| group.positions.start)
}

/// Draws the labels of blocks or stages below their cells.
fn draw_feet(diagram: &Diagram, row: &Row, unit: f64, scene: &mut Scene) {
    let palette = scene.palette;
    let high = row.bottom - row.foot;
    for group in &diagram.groups {
        if group.label.is_empty() {
            continue;
        }
        let left = row.left(group.positions.start);
        let right = row.left(group.positions.end - 1) + row.cell;
        let corners = vec![
            (left, row.foot),
            (right, row.foot),
            (right, row.bottom),
            (left, row.bottom),
        ];
        let mut frame = corners.clone();
        frame.push(corners[0]);
        scene.marks.push(Mark::Area {
            places: corners,
            colour: palette.grid,
        });
        scene.line(frame, FRAME * unit, palette.ink);
        let number = group.label.split(' ').next_back().unwrap_or_default();
        let em = |text: &str| fitting(&[text], 0.75 * high, right - left);
        // If the label does not fit, its number is enough: the title names the kind.
        let text = if em(&group.label) < SMALLEST * unit {
            number
        } else {
            &group.label
        };
        let em = em(text);
        let base = f64::midpoint(row.foot, row.bottom) + HALF_HEIGHT * em;
        write(
            text,
            (f64::midpoint(left, right), base),
            em,
            palette.ink,
            scene,
        );
    }
}
