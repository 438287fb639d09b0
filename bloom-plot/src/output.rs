//! The formats of a picture, and where it is written.

pub use bloom_terminal::target::Target;

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
        let mut all = Self::ALL.iter();
        all.find(|(_, format)| *format == self)
            .map_or("svg", |(name, _)| name)
    }

    /// Returns the format with this name, ignoring case.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter();
        let found = all.find(|(known, _)| name.eq_ignore_ascii_case(known));
        found.map(|(_, format)| *format)
    }
}
