//! The typeface of every picture: embedded `DejaVu` Sans, measured here. With the fonts of the system
//! pictures would differ between machines.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};

/// Font families to use in SVG. The first is the one measured here; the others are as wide or
/// narrower.
pub(crate) const FAMILIES: &str = "DejaVu Sans, Verdana, sans-serif";

/// The files of the typeface.
pub(crate) const FILES: [fn() -> &'static [u8]; 2] = [dejavu::sans::regular, dejavu::sans::bold];

static REGULAR: LazyLock<FontRef<'static>> = LazyLock::new(|| face(dejavu::sans::regular()));
static BOLD: LazyLock<FontRef<'static>> = LazyLock::new(|| face(dejavu::sans::bold()));

fn face(bytes: &'static [u8]) -> FontRef<'static> {
    FontRef::try_from_slice(bytes).expect("the font carried along is well-formed")
}

/// Returns the first character of a text that the typeface lacks.
pub(crate) fn missing(text: &str, bold: bool) -> Option<char> {
    let font = if bold { &*BOLD } else { &*REGULAR };
    text.chars().find(|letter| font.glyph_id(*letter).0 == 0)
}

/// Returns the width of a text at this em.
pub(crate) fn width(text: &str, em: f64, bold: bool) -> f64 {
    let font = if bold { &*BOLD } else { &*REGULAR };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_the_pictures_is_in_the_font() {
        for letter in "k = 7, 10⁻⁰¹²³⁴⁵⁶⁷⁸⁹×%–·".chars() {
            for font in [&*REGULAR, &*BOLD] {
                assert_ne!(font.glyph_id(letter).0, 0, "{letter}");
            }
        }
    }

    #[test]
    fn widths_grow_with_the_em_and_with_the_letters() {
        let one = width("0", 100.0, false);
        // A digit of the typeface is 1303 of 2048 units wide.
        assert!((one - 63.62).abs() < 0.01, "{one}");
        assert!((width("00", 50.0, false) - one).abs() < 0.01);
        assert!(width("0", 100.0, true) > one);
    }
}
