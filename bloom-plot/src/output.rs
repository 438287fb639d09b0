//! The file formats of a picture, and the [`Target`] that it is written to: a file or standard output.

pub use bloom_terminal::target::Target;

use crate::words::name_of;

/// Picture formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A scalable drawing, whose texts can be selected.
    Svg,
    /// A bitmap.
    Png,
    /// A document of one scalable page, whose texts can be selected.
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
