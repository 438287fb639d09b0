//! The names of an axis that has names for numbers: below their places, with lines between.

use crate::curves::Mark;
use crate::font;
use crate::frame::{LINE, MARK, Plot, TICK, crisp, label, stroke, wrapped};
use crate::scene::{Scene, Text};

/// The most lines of a name, and how much of its room it may take.
const MOST_LINES: usize = 2;
const FULL: f64 = 0.94;

/// Draws the names that are on the axis, each in the middle of its place, which is 1 wide.
pub(crate) fn draw(names: &[Mark], plot: &Plot<'_>, scene: &mut Scene) {
    let (area, palette) = (&plot.area, scene.palette);
    let seen = names.iter().filter_map(|name| {
        let share = plot.x.share(name.x)?;
        (0.0..=1.0).contains(&share).then_some((share, name))
    });
    let seen: Vec<(f64, &Mark)> = seen.collect();
    let room = FULL * area.width() / (plot.x.to - plot.x.from).abs();
    let em = fitting(&seen, room, TICK * plot.unit);
    for (share, name) in seen {
        let x = plot.right_of(share);
        for (line, text) in wrapped(&name.label, em, false, room)
            .into_iter()
            .enumerate()
        {
            let base = area.bottom + MARK * plot.unit + (1.1 + LINE * line as f64) * em;
            scene.text(Text {
                content: text,
                place: (x, base),
                ..label(em, palette.ink)
            });
        }
        let Some(edge) = plot.x.share(name.x + 0.5).filter(|share| *share < 1.0) else {
            continue;
        };
        let x = crisp(plot.right_of(edge), plot.unit);
        let line = vec![(x, area.top), (x, area.bottom)];
        scene.line(line, stroke(plot.unit), palette.grid);
    }
}

/// Returns the largest em, up to `em`, at which every name fits in its room.
fn fitting(names: &[(f64, &Mark)], room: f64, em: f64) -> f64 {
    let fits = |em: f64| {
        names.iter().all(|(_, name)| {
            let lines = wrapped(&name.label, em, false, room);
            let widest = lines.iter().map(|line| font::width(line, em, false));
            lines.len() <= MOST_LINES && widest.fold(0.0, f64::max) <= room
        })
    };
    let smaller = (0..60).map(|step| em * 0.96_f64.powi(step));
    smaller.into_iter().find(|em| fits(*em)).unwrap_or(0.1 * em)
}
