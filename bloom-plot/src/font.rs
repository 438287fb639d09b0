//! The typeface of every picture: embedded `DejaVu` Sans, measured and rasterised. The drawing
//! library only estimates widths unless it uses the fonts of the system, with which pictures differ
//! between machines.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};

/// Font families to use in SVG. The first is the one measured here; the others are as wide or
/// narrower.
pub(crate) const FAMILIES: &str = "DejaVu Sans, Verdana, sans-serif";

static REGULAR: LazyLock<FontRef<'static>> = LazyLock::new(|| face(dejavu::sans::regular()));
static BOLD: LazyLock<FontRef<'static>> = LazyLock::new(|| face(dejavu::sans::bold()));

fn face(bytes: &'static [u8]) -> FontRef<'static> {
    FontRef::try_from_slice(bytes).expect("the font carried along is well-formed")
}

/// Returns the glyphs of a text at this em, each with its position on a base line that starts at 0,
/// and the total width.
fn glyphs(text: &str, em: f64, bold: bool) -> (Vec<Glyph>, f64) {
    let font = if bold { &*BOLD } else { &*REGULAR };
    let units = font.units_per_em().unwrap_or(2048.0);
    let scale = PxScale::from(em as f32 * font.height_unscaled() / units);
    let scaled = font.as_scaled(scale);
    let mut glyphs: Vec<Glyph> = Vec::new();
    let mut width = 0.0;
    for letter in text.chars() {
        let id = font.glyph_id(letter);
        if let Some(before) = glyphs.last() {
            width += scaled.kern(before.id, id);
        }
        glyphs.push(id.with_scale_and_position(scale, point(width, 0.0)));
        width += scaled.h_advance(id);
    }
    (glyphs, width.into())
}

/// Returns the first character of a text that the typeface lacks.
pub(crate) fn missing(text: &str, bold: bool) -> Option<char> {
    let font = if bold { &*BOLD } else { &*REGULAR };
    text.chars().find(|letter| font.glyph_id(*letter).0 == 0)
}

/// Returns the width of a text at this em.
pub(crate) fn width(text: &str, em: f64, bold: bool) -> f64 {
    glyphs(text, em, bold).1
}

/// Calls `pixel` for each pixel of a text on a base line from (0, 0), with its position (right,
/// down) and its coverage.
pub(crate) fn pixels(text: &str, em: f64, bold: bool, mut pixel: impl FnMut(i32, i32, f32)) {
    let font = if bold { &*BOLD } else { &*REGULAR };
    for glyph in glyphs(text, em, bold).0 {
        if let Some(outline) = font.outline_glyph(glyph) {
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, covered| {
                pixel(
                    corner.x as i32 + x as i32,
                    corner.y as i32 + y as i32,
                    covered,
                );
            });
        }
    }
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

    #[test]
    fn pixels_cover_the_text_above_its_base_line() {
        let (mut left, mut right, mut top, mut bottom) = (i32::MAX, i32::MIN, i32::MAX, i32::MIN);
        pixels("HH", 100.0, false, |x, y, covered| {
            if covered > 0.5 {
                (left, right) = (left.min(x), right.max(x));
                (top, bottom) = (top.min(y), bottom.max(y));
            }
        });
        // Capitals are 1493 of 2048 units high and have a margin on both sides.
        assert_eq!((top, bottom), (-73, -1));
        assert!(left > 5 && f64::from(right) < width("HH", 100.0, false) - 5.0);
    }
}
