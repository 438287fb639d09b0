//! What can be drawn: a figure or a diagram, laid out for a given look.

use crate::curves::Figure;
use crate::diagram::{self, Diagram};
use crate::look::Look;
use crate::scene::Scene;
use crate::{data, frame, series};

/// A picture before it is painted: a [`Figure`] or a diagram. No other type can be one, because
/// scenes are made in this crate only.
pub trait Drawing {
    /// Returns the title: what the picture shows, in a few words.
    fn title(&self) -> &str;

    /// Returns the description: what the picture shows, in one sentence, for screen readers.
    fn description(&self) -> &str;

    /// Returns the data behind the picture as comma-separated values with a header line.
    fn csv(&self) -> String;

    /// Lays out the drawing as marks at places.
    #[doc(hidden)]
    fn scene(&self, look: Look) -> Scene;
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

    fn scene(&self, look: Look) -> Scene {
        let mut scene = Scene::new(look.typeface);
        let plot = frame::draw(self, look, &mut scene);
        series::draw(self, &plot, &mut scene);
        scene
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

    fn scene(&self, look: Look) -> Scene {
        diagram::scene::scene(self, look)
    }
}

#[cfg(test)]
mod tests;
