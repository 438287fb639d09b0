//! Draws labelled vertical lines at values on the horizontal axis, with the labels above the plot.

use crate::curves::Mark;
use crate::font::Typeface;
use crate::geometry::set_apart;
use crate::look::{FAINT_INK, INK};
use crate::plot::Plot;
use crate::scene::{Paint, Scene, scaled};
use crate::style::{THIN, TICK, label};

/// The lengths of the dashes of a line and of the gaps between them, in a picture of the default size.
const DASHES: (f64, f64) = (2.5, 3.5);

/// The distance from the plot up to the base line of a label, in em.
const RISE: f64 = 0.75;
/// The smallest space between two labels, in em, if a label is not a number.
const SPACE: f64 = 1.0;
/// The smallest space between two labels, in em, if all labels are numbers.
const SPACE_OF_NUMBERS: f64 = 0.5;

/// Draws the marks whose values are inside the horizontal axis.
pub(crate) fn draw(marks: &[Mark], plot: &Plot<'_>, scene: &mut Scene) {
    let (area, unit) = (&plot.area, plot.unit);
    let seen = marks.iter().filter_map(|mark| {
        let share = plot.x.share(mark.x)?;
        let inside = (0.0..=1.0).contains(&share);
        inside.then(|| (plot.right_of(share), &*mark.label))
    });
    let seen: Vec<(f64, &str)> = seen.collect();
    for (x, _) in &seen {
        let line = vec![(*x, area.bottom), (*x, area.top)];
        let dashes = Some(scaled(DASHES, unit));
        scene.shape(line, Paint::Line(THIN * unit, dashes), FAINT_INK);
    }
    let (em, labels) = placed(&seen, plot, scene.typeface);
    let base = area.top - RISE * em;
    for (x, centre, text) in labels {
        let leader = vec![(x, area.top), (centre, base + 0.3 * em)];
        scene.line(leader, THIN * unit, FAINT_INK);
        scene.text(label(em, INK).at((centre, base), text));
    }
}

/// Places the labels of the vertical lines side by side. If all labels are numbers, each stays right above its line; if there
/// is no room for all of them, only every second number is shown, or every third, and so on. Labels with words move sideways or
/// shrink instead. Returns the em, and for each label the x of its line, the x of its centre, and its text.
fn placed<'a>(
    seen: &[(f64, &'a str)],
    plot: &Plot<'_>,
    face: Typeface,
) -> (f64, Vec<(f64, f64, &'a str)>) {
    let (area, unit) = (&plot.area, plot.unit);
    let are_numbers = seen.iter().all(|(_, text)| text.parse::<u64>().is_ok());
    let space = if are_numbers { SPACE_OF_NUMBERS } else { SPACE };
    for step in 1..=seen.len() {
        let labelled: Vec<_> = seen.iter().step_by(step).collect();
        // Every label gets as much room as the widest label needs. If this is more than the plot has, all labels shrink.
        let widths = labelled
            .iter()
            .map(|(_, text)| face.width(text, TICK, false));
        let widest = (widths.fold(0.0, f64::max) + space * TICK) * unit;
        let shrink = (area.width() / (widest * labelled.len() as f64)).min(1.0);
        let (em, room) = (TICK * unit * shrink, widest * shrink);
        let places: Vec<f64> = labelled.iter().map(|(x, _)| *x).collect();
        // A number is so narrow that it may reach beyond the end of the axis.
        let edge = if are_numbers { 0.0 } else { room / 2.0 };
        let centres = set_apart(&places, room, area.left + edge, area.right - edge);
        let stay = centres
            .iter()
            .zip(&places)
            .all(|(centre, x)| (centre - x).abs() < 0.5);
        if stay || !are_numbers {
            let labels = labelled.iter().zip(centres);
            let labels = labels.map(|((x, text), centre)| (*x, centre, *text));
            return (em, labels.collect());
        }
    }
    (0.0, Vec::new())
}
