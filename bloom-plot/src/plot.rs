//! The plot area, which is the rectangle that the axes span, and the mapping of values to pixels.

use crate::curves::Axis;
use crate::geometry::{Place, Rect};

/// The plot area and its axes.
#[derive(Debug, Clone)]
pub(crate) struct Plot<'a> {
    pub(crate) area: Rect,
    /// The scale factor of texts and strokes: 1 in a picture of the default size.
    pub(crate) unit: f64,
    /// The em of the curve labels.
    pub(crate) label_em: f64,
    pub(crate) x: &'a Axis,
    pub(crate) y: &'a Axis,
}

impl Plot<'_> {
    /// Returns the position of the values x and y, even if it is outside the area. There is none for a value that an axis
    /// cannot show, such as 0 on a logarithmic axis.
    pub(crate) fn place(&self, x: f64, y: f64) -> Option<Place> {
        Some((self.right_of(self.x.share(x)?), self.up(self.y.share(y)?)))
    }

    /// Returns the position of the values x and y, if it is inside the area.
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
