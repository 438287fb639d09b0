//! Labelled vertical lines at values on the horizontal axis, with the labels above the plot.

use crate::curves::Mark;
use crate::font;
use crate::geometry::set_apart;
use crate::plot::Plot;
use crate::scene::Scene;
use crate::style::{TICK, label};

/// Sizes at the default picture size.
const WIDTH: f64 = 1.3;
const DASH: f64 = 2.5;
const GAP: f64 = 3.5;

/// The distance from the plot up to the base line of a label, and the space between two labels, in
/// em.
const RISE: f64 = 0.75;
const SPACE: f64 = 1.0;

/// Draws the marks that are inside the axis.
pub(crate) fn draw(marks: &[Mark], plot: &Plot<'_>, scene: &mut Scene) {
    let (area, unit, palette) = (&plot.area, plot.unit, scene.palette);
    let seen = marks.iter().filter_map(|mark| {
        let share = plot.x.share(mark.x)?;
        let inside = (0.0..=1.0).contains(&share);
        inside.then(|| (plot.right_of(share), &*mark.label))
    });
    let seen: Vec<(f64, &str)> = seen.collect();
    // Every label gets the width of the widest; if that is too much, all shrink.
    let widths = seen.iter().map(|(_, text)| font::width(text, TICK, false));
    let widest = (widths.fold(0.0, f64::max) + SPACE * TICK) * unit;
    let shrink = (area.width() / (widest * seen.len() as f64)).min(1.0);
    let (em, room) = (TICK * unit * shrink, widest * shrink);
    let places: Vec<f64> = seen.iter().map(|(x, _)| *x).collect();
    let centres = set_apart(
        &places,
        room,
        area.left + room / 2.0,
        area.right - room / 2.0,
    );
    for ((x, text), centre) in seen.into_iter().zip(centres) {
        let line = [(x, area.bottom), (x, area.top)];
        let dashes = (DASH * unit, GAP * unit);
        scene.dashed(&line, dashes, WIDTH * unit, palette.faint_ink);
        let base = area.top - RISE * em;
        let leader = vec![(x, area.top), (centre, base + 0.3 * em)];
        scene.line(leader, WIDTH * unit, palette.faint_ink);
        scene.text(label(em, palette.ink).at((centre, base), text));
    }
}
