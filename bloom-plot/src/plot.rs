//! The plot area, and the mapping of values to pixels.

use crate::curves::Axis;
use crate::geometry::{Place, Rect};

/// The plot area and its axes.
#[derive(Debug, Clone)]
pub(crate) struct Plot<'a> {
    pub(crate) area: Rect,
    /// The scale factor of texts and strokes.
    pub(crate) unit: f64,
    /// The em of the curve labels.
    pub(crate) label_em: f64,
    pub(crate) x: &'a Axis,
    pub(crate) y: &'a Axis,
}

impl Plot<'_> {
    /// Returns the position of a pair of values, inside the area or not.
    pub(crate) fn place(&self, x: f64, y: f64) -> Option<Place> {
        Some((self.right_of(self.x.share(x)?), self.up(self.y.share(y)?)))
    }

    /// Returns the position of a pair of values, if it is inside the area.
    pub(crate) fn inside(&self, x: f64, y: f64) -> Option<Place> {
        self.place(x, y).filter(|place| self.area.contains(*place))
    }

    pub(crate) fn right_of(&self, share: f64) -> f64 {
        self.area.left + share * self.area.width()
    }

    pub(crate) fn up(&self, share: f64) -> f64 {
        self.area.bottom - share * self.area.height()
    }
}
