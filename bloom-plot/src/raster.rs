//! Averages painted pixels down, because the drawing library does not antialias, and encodes them as
//! PNG, with the title and description of the picture.

use crate::drawing::Drawing;

/// Pixels per metre at 96 per inch, the resolution of the web.
const PIXELS_PER_METRE: f64 = 96.0 / 0.0254;

/// Averages squares of `side` × `side` pixels, in rows of `across` pixels, into one pixel each.
pub(crate) fn averaged(painted: &[u8], across: usize, side: usize) -> Vec<u8> {
    let count = (side * side) as u32;
    let mut image = Vec::with_capacity(painted.len() / (side * side));
    let mut sums = vec![0_u32; 3 * across / side];
    for rows in painted.chunks_exact(3 * across * side) {
        sums.fill(count / 2);
        for row in rows.chunks_exact(3 * across) {
            for (sums, pixels) in sums.chunks_exact_mut(3).zip(row.chunks_exact(3 * side)) {
                for pixel in pixels.chunks_exact(3) {
                    for (sum, part) in sums.iter_mut().zip(pixel) {
                        *sum += u32::from(*part);
                    }
                }
            }
        }
        image.extend(sums.iter().map(|sum| (sum / count) as u8));
    }
    image
}

/// Encodes rows of RGB pixels as a PNG image, with the title and description of its drawing.
pub(crate) fn encoded(
    image: &[u8],
    (width, height): (u32, u32),
    scale: u32,
    drawing: &impl Drawing,
) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let density = (PIXELS_PER_METRE * f64::from(scale)).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: density,
        yppu: density,
        unit: png::Unit::Meter,
    }));
    encoder.add_itxt_chunk("Title".to_owned(), drawing.title().to_owned())?;
    encoder.add_itxt_chunk("Description".to_owned(), drawing.description().to_owned())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(image)?;
    writer.finish()?;
    Ok(bytes)
}
