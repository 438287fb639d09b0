//! Draws the names on an axis that has names instead of numbers, with lines between neighbouring names. The labels of the crate
//! Plotters are not used, because Plotters does not wrap labels, and rotates them only if its caller says so.

use crate::curves::{Figure, Mark};
use crate::font::Typeface;
use crate::heads::wrapped;
use crate::look::{GRID, INK, Look};
use crate::plot::Plot;
use crate::scene::{Anchor, Scene, Text};
use crate::style::{LINE, MARK, TICK, crisp, label, stroke};

/// The most lines of a name.
const MAX_LINES: usize = 2;
/// The share of the width of a name's room that the lines of the name may take.
const FULL: f64 = 0.94;

/// The layout of the names is chosen before the width of the plot is known. This share of the picture's width is assumed.
const PLOT: f64 = 0.55;

/// The largest share of a picture's height for vertical names.
const DOWN: f64 = 0.3;

/// The smallest em of horizontal names, as a share of the em of numbers at ticks. Names that need a smaller em are vertical.
const MIN: f64 = 0.7;

/// The names and their layout.
pub(crate) struct Names<'a> {
    all: &'a [Mark],
    em: f64,
    upwards: bool,
    unit: f64,
    face: Typeface,
}

impl<'a> Names<'a> {
    /// Chooses the layout of a figure's names in a picture of this look.
    pub(crate) fn new(figure: &'a Figure, look: Look) -> Self {
        let (unit, face) = (look.size.unit(), look.typeface);
        let (width, height) = look.size.sides();
        let all = &figure.marks[..];
        let room = PLOT * width / (figure.x.to - figure.x.from).abs();
        let em = fitting(face, all, room, TICK * unit);
        let upwards = em < MIN * TICK * unit;
        let mut names = Self {
            all,
            em: (0.8 * room).min(TICK * unit),
            upwards,
            unit,
            face,
        };
        if upwards {
            names.em *= (DOWN * height / names.height()).min(1.0);
        }
        names
    }

    /// Returns the height that the names take.
    pub(crate) fn height(&self) -> f64 {
        if !self.upwards {
            return (1.0 + LINE) * TICK * self.unit;
        }
        let widths = self.all.iter();
        let widths = widths.map(|name| self.face.width(&name.label, self.em, false));
        widths.fold(0.0, f64::max)
    }

    /// Draws the names that are inside the axis, and the lines between them. Each name has a room of width 1 on the axis, and
    /// is drawn in the middle of this room.
    pub(crate) fn draw(&self, plot: &Plot<'_>, scene: &mut Scene) {
        let area = &plot.area;
        let room = FULL * area.width() / (plot.x.to - plot.x.from).abs();
        let em = if self.upwards {
            self.em
        } else {
            fitting(self.face, self.all, room, TICK * plot.unit)
        };
        let top = area.bottom + MARK * plot.unit;
        for name in self.all {
            let share = plot.x.share(name.x);
            let Some(share) = share.filter(|share| (0.0..=1.0).contains(share)) else {
                continue;
            };
            let x = plot.right_of(share);
            if self.upwards {
                scene.text(Text {
                    anchor: Anchor::End,
                    upwards: true,
                    ..label(em, INK).at((x + 0.36 * em, top), &name.label)
                });
            } else {
                let mut base = top + 1.1 * em;
                for text in wrapped(self.face, &name.label, em, false, room) {
                    scene.text(label(em, INK).at((x, base), text));
                    base += LINE * em;
                }
            }
            let Some(edge) = plot.x.share(name.x + 0.5).filter(|share| *share < 1.0) else {
                continue;
            };
            let x = crisp(plot.right_of(edge), plot.unit);
            let line = vec![(x, area.top), (x, area.bottom)];
            scene.line(line, stroke(plot.unit), GRID);
        }
    }
}

/// Returns an em, at most `em` and about as large as possible, at which every name fits in its room; a tenth of `em` if no such
/// em is found.
fn fitting(face: Typeface, names: &[Mark], room: f64, em: f64) -> f64 {
    let fits = |em: f64| {
        names.iter().all(|name| {
            let lines = wrapped(face, &name.label, em, false, room);
            let widest = lines.iter().map(|line| face.width(line, em, false));
            lines.len() <= MAX_LINES && widest.fold(0.0, f64::max) <= room
        })
    };
    let mut smaller = (0..60).map(|step| em * 0.96_f64.powi(step));
    smaller.find(|em| fits(*em)).unwrap_or(0.1 * em)
}
