//! Paints a figure as SVG, PNG or PDF. Every picture is first an SVG, which resvg converts to a PNG and svg2pdf to a PDF. Both
//! libraries get the typefaces of this crate, so that a PNG or a PDF is the same on every machine. No other file uses these two
//! libraries.

use std::fmt::Display;
use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use svg2pdf::{ConversionOptions, PageOptions};

use crate::drawing::{Drawing, scene};
use crate::error::ChartError;
use crate::look::{Look, Theme};
use crate::scene::Mark;
use crate::size::PIXELS_PER_INCH;
use crate::{font, svg};

/// The typefaces of the texts in a PNG or a PDF.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    for bytes in font::FILES {
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(bytes())));
    }
    Arc::new(fonts)
});

/// Paints a figure or a diagram as an SVG document.
///
/// Texts can be selected, and the document contains the title and the description for screen readers. Equal drawings with equal
/// looks give equal documents, byte for byte. A [`Size`](crate::Size) can be passed instead of a look; the theme is then light.
///
/// # Errors
///
/// Returns no error at present.
pub fn svg(drawing: &impl Drawing, look: impl Into<Look>) -> Result<String, ChartError> {
    Ok(svg::document(drawing, look.into()))
}

/// Paints a figure or a diagram as a PNG image with `dpi` pixels per inch. The size in `look` is in pixels of 1/96 inch.
///
/// The image contains the title and the description as text chunks.
///
/// # Errors
///
/// `dpi` must be at least 1, the image must have at most 16 million pixels and fit in memory, the
/// theme must be light or dark, and the typeface must have a glyph for every character.
pub fn png(drawing: &impl Drawing, look: impl Into<Look>, dpi: u32) -> Result<Vec<u8>, ChartError> {
    let look = look.into();
    let (width, height) = look.pixels(dpi)?;
    let tree = tree(drawing, look)?;
    let mut image = Pixmap::new(width, height).ok_or(ChartError::Memory)?;
    // Width and height have a scale factor each, because each number of pixels is rounded to a whole number.
    let right = width as f32 / look.size.width() as f32;
    let down = height as f32 / look.size.height() as f32;
    resvg::render(
        &tree,
        Transform::from_scale(right, down),
        &mut image.as_mut(),
    );
    encoded(image.data(), (width, height), dpi, drawing).map_err(library)
}

/// Paints a figure or a diagram as a PDF document of one page, whose texts can be selected.
///
/// # Errors
///
/// The theme must be light or dark, and the typeface must have a glyph for every character.
pub fn pdf(drawing: &impl Drawing, look: impl Into<Look>) -> Result<Vec<u8>, ChartError> {
    let page = PageOptions {
        dpi: PIXELS_PER_INCH as f32,
    };
    let tree = tree(drawing, look.into())?;
    svg2pdf::to_pdf(&tree, ConversionOptions::default(), page).map_err(library)
}

/// Returns the picture as the tree of elements that resvg and svg2pdf take.
fn tree(drawing: &impl Drawing, look: Look) -> Result<Tree, ChartError> {
    if look.theme == Theme::Auto {
        return Err(ChartError::TwoThemes);
    }
    for mark in &scene(drawing, look).marks {
        if let Mark::Text(text) = mark
            && let Some(letter) = look.typeface.missing(&text.content, text.bold)
        {
            return Err(ChartError::NoLetter(letter));
        }
    }
    let options = Options {
        fontdb: FONTS.clone(),
        ..Options::default()
    };
    Tree::from_str(&svg::document(drawing, look), &options).map_err(library)
}

/// Encodes opaque RGBA pixels as a PNG image, with the title and description of its drawing.
fn encoded(
    pixels: &[u8],
    (width, height): (u32, u32),
    dpi: u32,
    drawing: &impl Drawing,
) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let density = (f64::from(dpi) / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: density,
        yppu: density,
        unit: png::Unit::Meter,
    }));
    encoder.add_itxt_chunk("Title".to_owned(), drawing.title().to_owned())?;
    encoder.add_itxt_chunk("Description".to_owned(), drawing.description().to_owned())?;
    let mut writer = encoder.write_header()?;
    let opaque = pixels
        .chunks_exact(4)
        .flat_map(|pixel| &pixel[..3])
        .copied();
    writer.write_image_data(&opaque.collect::<Vec<u8>>())?;
    writer.finish()?;
    Ok(bytes)
}

fn library(error: impl Display) -> ChartError {
    ChartError::Library(error.to_string())
}
