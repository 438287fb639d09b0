//! The formats of a picture, and where it is written.

pub use bloom_terminal::target::Target;

use crate::words::name_of;

/// Picture formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Scalable; text stays text.
    Svg,
    /// A bitmap.
    Png,
    /// A page, scalable; text stays text.
    Pdf,
}

impl Format {
    /// Every format with its name, which is also the file extension.
    pub(crate) const ALL: &[(&str, Self)] =
        &[("svg", Self::Svg), ("png", Self::Png), ("pdf", Self::Pdf)];

    /// Returns the name, which is also the file extension.
    pub fn name(self) -> &'static str {
        name_of(Self::ALL, &self)
    }
}
