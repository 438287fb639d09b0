//! Encodes pixels as PNG, with the title and description of the picture.

use crate::drawing::Drawing;

/// Encodes opaque RGBA pixels as a PNG image, with the title and description of its drawing.
pub(crate) fn encoded(
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
