//! A picture as a list of lines, areas, discs and texts at pixel positions, independent of the format of the file.

use crate::font::Typeface;
use crate::geometry::{Place, Rect};
use crate::look::Colour;

/// One element of a picture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// A line, an area or discs: the places, what is painted at these places, and the colour.
    Shape(Vec<Place>, Paint, Colour),
    /// A line of text.
    Text(Text),
}

/// What is painted at places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Paint {
    /// A polyline of this width, perhaps dashed.
    Line(f64, Dashes),
    /// A filled polygon.
    Area,
    /// A filled polygon through which the grid is seen.
    Band,
    /// A filled circle of this radius.
    Disc(f64),
}

/// The lengths of the dashes of a line and of the gaps between them, if the line is dashed.
pub(crate) type Dashes = Option<(f64, f64)>;

/// Returns dashes for a picture with this scale factor.
pub(crate) fn scaled((on, off): (f64, f64), unit: f64) -> (f64, f64) {
    (on * unit, off * unit)
}

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    pub(crate) content: String,
    /// The place of a point on the base line of the text; `anchor` says which point.
    pub(crate) place: Place,
    pub(crate) anchor: Anchor,
    /// The font size: the height of an em.
    pub(crate) size: f64,
    pub(crate) bold: bool,
    /// Whether the text is vertical, read upwards.
    pub(crate) upwards: bool,
    /// Whether the letters have a halo in the paper colour, because something may be behind them.
    pub(crate) halo: bool,
    pub(crate) colour: Colour,
}

/// Which point of a line of text is at the text's place: its start, its middle or its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Mark {
    /// Returns whether a part of a line, a corner of an area or the centre of a disc is inside `area`;
    /// `false` for texts and bands.
    pub(crate) fn is_on(&self, area: &Rect) -> bool {
        match self {
            Self::Shape(places, Paint::Line(..), _) => !area.clip(places).is_empty(),
            Self::Shape(places, Paint::Area | Paint::Disc(_), _) => {
                places.iter().any(|place| area.contains(*place))
            }
            Self::Shape(_, Paint::Band, _) | Self::Text(_) => false,
        }
    }
}

impl Text {
    /// Returns the text with this content at this place.
    pub(crate) fn at(self, place: Place, content: impl Into<String>) -> Self {
        Self {
            place,
            content: content.into(),
            ..self
        }
    }
}

/// A picture as its elements, from back to front.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scene {
    pub(crate) typeface: Typeface,
    pub(crate) marks: Vec<Mark>,
}

impl Scene {
    /// Returns an empty picture.
    pub(crate) fn new(typeface: Typeface) -> Self {
        Self {
            typeface,
            marks: Vec::new(),
        }
    }

    pub(crate) fn disc(&mut self, centre: Place, radius: f64, colour: Colour) {
        self.shape(vec![centre], Paint::Disc(radius), colour);
    }

    pub(crate) fn line(&mut self, places: Vec<Place>, width: f64, colour: Colour) {
        self.shape(places, Paint::Line(width, None), colour);
    }

    pub(crate) fn shape(&mut self, places: Vec<Place>, paint: Paint, colour: Colour) {
        self.marks.push(Mark::Shape(places, paint, colour));
    }

    pub(crate) fn text(&mut self, text: Text) {
        self.marks.push(Mark::Text(text));
    }
}
