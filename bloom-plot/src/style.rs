//! The sizes of texts, lines and margins in a picture. Those in pixels are for a picture of the default size.

use crate::look::Colour;
use crate::scene::{Anchor, Text};

/// The em (the font size) of each kind of text, in a picture of the default size.
pub(crate) const TITLE: f64 = 17.0;
pub(crate) const NOTE: f64 = 11.5;
pub(crate) const NAME: f64 = 13.5;
pub(crate) const TICK: f64 = 12.0;
pub(crate) const LABEL: f64 = 13.0;

/// The width of thin lines in a plot, in a picture of the default size.
pub(crate) const THIN: f64 = 1.3;

/// Line spacing, in em.
pub(crate) const LINE: f64 = 1.3;

/// The distance from the middle of a digit or a lower-case letter down to the base line, in em.
pub(crate) const HALF_HEIGHT: f64 = 0.36;

/// The margin at the edges of a picture of the default size.
pub(crate) const EDGE: f64 = 14.0;

/// The distance from the end of a curve to its label, in a picture of the default size.
pub(crate) const LEADER: f64 = 30.0;

/// The length of a tick, in a picture of the default size.
pub(crate) const MARK: f64 = 5.0;

/// Returns a text whose content and place remain to be filled in.
pub(crate) fn label(em: f64, colour: Colour) -> Text {
    Text {
        content: String::new(),
        place: (0.0, 0.0),
        anchor: Anchor::Middle,
        size: em,
        bold: false,
        upwards: false,
        halo: false,
        colour,
    }
}

/// Returns the width of the lines of the frame and the grid.
pub(crate) fn stroke(unit: f64) -> f64 {
    unit.round().max(1.0)
}

/// Returns the centre of a line of the frame or the grid, moved so that the edges of the line are on pixel boundaries.
pub(crate) fn crisp(place: f64, unit: f64) -> f64 {
    place.floor() + stroke(unit) % 2.0 / 2.0
}
