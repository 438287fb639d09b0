//! What can be drawn: a figure or a diagram, laid out for a given look.

use crate::curves::Figure;
use crate::diagram::{self, Diagram};
use crate::look::Look;
use crate::scene::Scene;
use crate::{data, frame, series};

/// A picture before it is painted: a [`Figure`] or a diagram.
pub trait Drawing: Layout {
    /// Returns the title: what the picture shows, in a few words.
    fn title(&self) -> &str;

    /// Returns the description: what the picture shows, in one sentence, for screen readers.
    fn description(&self) -> &str;

    /// Returns the data behind the picture as comma-separated values with a header line.
    fn csv(&self) -> String;
}

/// The layout of a drawing as marks at places; not for use outside this crate.
pub trait Layout {
    /// Lays out the drawing.
    fn scene(&self, look: Look) -> Scene;
}

impl Layout for Figure {
    fn scene(&self, look: Look) -> Scene {
        let mut scene = Scene::new(look.typeface);
        let plot = frame::draw(self, look, &mut scene);
        series::draw(self, &plot, &mut scene);
        scene
    }
}

impl Drawing for Figure {
    fn title(&self) -> &str {
        &self.title
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn csv(&self) -> String {
        data::csv(self)
    }
}

impl Layout for Diagram {
    fn scene(&self, look: Look) -> Scene {
        diagram::scene::scene(self, look)
    }
}

impl Drawing for Diagram {
    fn title(&self) -> &str {
        &self.title
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn csv(&self) -> String {
        data::diagram_csv(self)
    }
}

#[cfg(test)]
mod tests;
