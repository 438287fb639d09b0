//! What can be drawn: a figure, which is a chart with axes, or a diagram of the bits of a small filter.

use crate::curves::Figure;
use crate::diagram::{self, Diagram};
use crate::look::Look;
use crate::scene::Scene;
use crate::{data, frame, series};

/// A picture before it is painted: a [`Figure`], which is a chart with axes, or a diagram of the bits of a small filter.
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

    /// Returns the description for screen readers: what the picture shows, in one or more sentences.
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

/// A figure or a diagram.
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

/// Computes the lines, areas, discs and texts of a drawing, and their positions in a picture of this look.
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
