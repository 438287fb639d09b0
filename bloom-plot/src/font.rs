//! The typefaces of all pictures, `DejaVu` Sans and Serif, and the widths of texts in them. The typefaces are embedded, because
//! pictures with installed fonts would differ between machines.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};

/// The typeface of the texts of a picture: `DejaVu` Sans or Serif.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Typeface {
    /// Without serifs.
    #[default]
    Sans,
    /// With serifs.
    Serif,
}

/// The font files: regular and bold of each typeface.
pub(crate) const FILES: [fn() -> &'static [u8]; 4] = [
    dejavu::sans::regular,
    dejavu::sans::bold,
    dejavu::serif::regular,
    dejavu::serif::bold,
];

static FONTS: LazyLock<[FontRef<'static>; 4]> = LazyLock::new(|| {
    FILES.map(|file| FontRef::try_from_slice(file()).expect("the embedded font is well-formed"))
});

impl Typeface {
    /// Every typeface by its name.
    pub const NAMES: &[(&str, Self)] = &[("sans", Self::Sans), ("serif", Self::Serif)];

    /// Returns the font families to use in SVG. The first family is the embedded one, by which the layout measures texts; texts
    /// in the other families are usually not wider.
    pub(crate) fn families(self) -> &'static str {
        match self {
            Self::Sans => "DejaVu Sans, Verdana, sans-serif",
            Self::Serif => "DejaVu Serif, Georgia, serif",
        }
    }

    fn font(self, bold: bool) -> &'static FontRef<'static> {
        &FONTS[2 * usize::from(self == Self::Serif) + usize::from(bold)]
    }

    /// Returns the first character of a text for which the typeface has no glyph.
    pub(crate) fn missing(self, text: &str, bold: bool) -> Option<char> {
        let font = self.font(bold);
        text.chars().find(|letter| font.glyph_id(*letter).0 == 0)
    }

    /// Returns the width of a text at this em.
    pub(crate) fn width(self, text: &str, em: f64, bold: bool) -> f64 {
        let font = self.font(bold);
        let units = font.units_per_em().unwrap_or(2048.0);
        let scaled = font.as_scaled(PxScale::from(em as f32 * font.height_unscaled() / units));
        let (mut width, mut before) = (0.0, None);
        for letter in text.chars() {
            let id = font.glyph_id(letter);
            width += before.map_or(0.0, |before| scaled.kern(before, id)) + scaled.h_advance(id);
            before = Some(id);
        }
        width.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_the_pictures_is_in_the_font() {
        for letter in "k = 7, 10⁻⁰¹²³⁴⁵⁶⁷⁸⁹×%–·".chars() {
            for font in FONTS.iter() {
                assert_ne!(font.glyph_id(letter).0, 0, "{letter}");
            }
        }
    }

    #[test]
    fn widths_grow_with_the_em_and_with_the_letters() {
        let one = Typeface::Sans.width("0", 100.0, false);
        // A digit of the typeface is 1303 of 2048 units wide.
        assert!((one - 63.62).abs() < 0.01, "{one}");
        assert!((Typeface::Sans.width("00", 50.0, false) - one).abs() < 0.01);
        assert!(Typeface::Sans.width("0", 100.0, true) > one);
    }
}
