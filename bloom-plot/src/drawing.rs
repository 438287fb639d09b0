//! What can be drawn: a figure or a diagram, laid out for a look.

use crate::curves::Figure;
use crate::look::Look;
use crate::scene::Scene;

/// A picture before it is drawn: a [`Figure`] or a diagram.
pub trait Drawing: Layout {
    /// Returns what the picture shows, in a few words.
    fn title(&self) -> &str;

    /// Returns what the picture says, in one sentence, for who cannot see it.
    fn description(&self) -> &str;

    /// Returns the data behind the picture as comma-separated values with a line of names.
    fn csv(&self) -> String;
}

/// How a drawing becomes marks at places: for this crate alone.
pub trait Layout {
    /// Lays the drawing out.
    fn scene(&self, look: Look) -> Scene;
}

impl Layout for Figure {
    fn scene(&self, look: Look) -> Scene {
        Scene::new(self, look)
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
        crate::data::csv(self)
    }
}
