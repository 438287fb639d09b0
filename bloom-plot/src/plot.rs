//! Where the curves are drawn, and how numbers become places there.

use crate::curves::Axis;
use crate::geometry::{Place, Rect};

/// The area of the curves and its axes.
#[derive(Debug, Clone)]
pub(crate) struct Plot<'a> {
    pub(crate) area: Rect,
    /// The size of texts and strokes.
    pub(crate) unit: f64,
    /// The em of the labels of curves.
    pub(crate) label_em: f64,
    pub(crate) x: &'a Axis,
    pub(crate) y: &'a Axis,
}

impl Plot<'_> {
    /// Returns the place of a pair of numbers, inside the area or not.
    pub(crate) fn place(&self, x: f64, y: f64) -> Option<Place> {
        Some((self.right_of(self.x.share(x)?), self.up(self.y.share(y)?)))
    }

    pub(crate) fn right_of(&self, share: f64) -> f64 {
        self.area.left + share * self.area.width()
    }

    pub(crate) fn up(&self, share: f64) -> f64 {
        self.area.bottom - share * self.area.height()
    }
}
