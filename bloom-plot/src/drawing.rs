//! What can be drawn: a figure or a diagram, laid out for a given look.

use crate::curves::Figure;
use crate::diagram::{self, Diagram};
use crate::look::Look;
use crate::scene::Scene;
use crate::{data, frame, series};

/// A picture before it is painted: a [`Figure`] or a diagram. No other type can implement this trait.
pub trait Drawing {
    /// Returns the figure or the diagram itself.
    #[doc(hidden)]
    fn drawn(&self) -> Drawn<'_>;

    /// Returns the title: what the picture shows, in a few words.
    fn title(&self) -> &str {
        match self.drawn() {
            Drawn::Figure(figure) => &figure.title,
            Drawn::Diagram(diagram) => &diagram.title,
        }
    }

    /// Returns the description: what the picture shows, in a sentence or a few, for screen readers.
    fn description(&self) -> &str {
        match self.drawn() {
            Drawn::Figure(figure) => &figure.description,
            Drawn::Diagram(diagram) => &diagram.description,
        }
    }

    /// Returns the data behind the picture as comma-separated values with a header line.
    fn csv(&self) -> String {
        match self.drawn() {
            Drawn::Figure(figure) => data::csv(figure),
            Drawn::Diagram(diagram) => data::diagram_csv(diagram),
        }
    }
}

/// Something that can be drawn.
#[derive(Debug, Clone, Copy)]
pub enum Drawn<'a> {
    Figure(&'a Figure),
    Diagram(&'a Diagram),
}

impl Drawing for Figure {
    fn drawn(&self) -> Drawn<'_> {
        Drawn::Figure(self)
    }
}

impl Drawing for Diagram {
    fn drawn(&self) -> Drawn<'_> {
        Drawn::Diagram(self)
    }
}

/// Lays out a drawing as marks at places.
pub(crate) fn scene(drawing: &impl Drawing, look: Look) -> Scene {
    match drawing.drawn() {
        Drawn::Figure(figure) => {
            let mut scene = Scene::new(look.typeface);
            let plot = frame::draw(figure, look, &mut scene);
            series::draw(figure, &plot, &mut scene);
            scene
        }
        Drawn::Diagram(diagram) => diagram::scene::scene(diagram, look),
    }
}

#[cfg(test)]
mod tests;
