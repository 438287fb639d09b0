//! Paints a figure as SVG or PNG. This is the only file that uses the drawing library.
//!
//! The library has integer coordinates and no antialiasing. So both formats are painted on a canvas
//! several times as large: the SVG's view box scales it down, and the PNG is averaged down.

use std::fmt::Display;

use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle,
};

use crate::drawing::Drawing;
use crate::error::ChartError;
use crate::geometry::Place;
use crate::look::{Colour, Look};
use crate::scene::{Anchor, Mark, Scene, Text};
use crate::{font, raster};

/// Canvas units per pixel of an SVG.
const SVG_UNITS: u32 = 4;

/// Canvas pixels per pixel of a PNG, in each direction.
const PNG_UNITS: u32 = 3;

/// Paints a figure or a diagram as an SVG document.
///
/// Text stays text, and the document contains the title and the description for screen readers. The
/// same drawing and look give the same document, byte for byte. A bare size is a look with the
/// light theme.
///
/// # Errors
///
/// None known, but the drawing library could fail.
pub fn svg(drawing: &impl Drawing, look: impl Into<Look>) -> Result<String, ChartError> {
    let look = look.into();
    let size = look.size;
    let mut painted = String::new();
    let (width, height) = (size.width() * SVG_UNITS, size.height() * SVG_UNITS);
    let mut canvas = Canvas {
        backend: SVGBackend::with_string(&mut painted, (width, height)),
        units: f64::from(SVG_UNITS),
        pixels: false,
    };
    let scene = drawing.scene(look);
    canvas.paint(&scene)?;
    drop(canvas);
    let [red, green, blue] = scene.palette.paper;
    // The library's own first line has nothing for screen readers and shows the canvas at full
    // size.
    let (_, marks) = painted.split_once('\n').unwrap_or_default();
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" \
         viewBox=\"0 0 {width} {height}\" stroke-linejoin=\"round\" role=\"img\">\n\
         <title>{}</title>\n<desc>{}</desc>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#{red:02X}{green:02X}{blue:02X}\"/>\n{marks}",
        size.width(),
        size.height(),
        escaped(drawing.title()),
        escaped(drawing.description()),
    ))
}

/// Paints a figure or a diagram as a PNG image with `scale` times the pixels of the size in each
/// direction.
///
/// The image contains the title and the description as text chunks.
///
/// # Errors
///
/// `scale` must be at least 1, the image must have at most 16 million pixels and fit in memory, and
/// the typeface must have a glyph for every character.
pub fn png(
    drawing: &impl Drawing,
    look: impl Into<Look>,
    scale: u32,
) -> Result<Vec<u8>, ChartError> {
    let look = look.into();
    let (width, height) = look.size.scaled(scale)?;
    let scene = drawing.scene(look);
    for mark in &scene.marks {
        if let Mark::Text(text) = mark
            && let Some(letter) = font::missing(&text.content, text.bold)
        {
            return Err(ChartError::NoLetter(letter));
        }
    }
    let (across, down) = (width * PNG_UNITS, height * PNG_UNITS);
    let mut painted = Vec::new();
    let bytes = 3 * across as usize * down as usize;
    painted
        .try_reserve_exact(bytes)
        .map_err(|_| ChartError::Memory)?;
    let paper = scene.palette.paper.into_iter().cycle();
    painted.extend(paper.take(bytes));
    let mut canvas = Canvas {
        backend: BitMapBackend::with_buffer(&mut painted, (across, down)),
        units: f64::from(scale * PNG_UNITS),
        pixels: true,
    };
    canvas.paint(&scene)?;
    drop(canvas);
    let image = raster::averaged(&painted, across as usize, PNG_UNITS as usize);
    raster::encoded(&image, (width, height), scale, drawing).map_err(library)
}

/// The canvas that a scene is painted on.
struct Canvas<B> {
    backend: B,
    /// Canvas units per pixel.
    units: f64,
    /// Whether the backend is a bitmap. If so, strokes and glyphs are drawn here, because the
    /// library's own have spikes and uneven gaps.
    pixels: bool,
}

impl<B: DrawingBackend> Canvas<B> {
    fn paint(&mut self, scene: &Scene) -> Result<(), ChartError> {
        for mark in &scene.marks {
            match mark {
                Mark::Line {
                    places,
                    width,
                    colour,
                } if self.pixels => self.stroke(places, *width, *colour)?,
                Mark::Line {
                    places,
                    width,
                    colour,
                } => {
                    let style = self.style(*width, *colour);
                    let path: Vec<_> = places.iter().map(|place| self.at(*place)).collect();
                    self.backend.draw_path(path, &style).map_err(library)?;
                }
                Mark::Area { places, colour } => self.fill(places, *colour)?,
                Mark::Disc {
                    centre,
                    radius,
                    colour,
                } => self.disc(*centre, *radius, *colour)?,
                Mark::Text(text) if self.pixels => self.letters(text)?,
                Mark::Text(text) => self.text(text)?,
            }
        }
        self.backend.present().map_err(library)
    }

    fn at(&self, (x, y): Place) -> (i32, i32) {
        (
            (x * self.units).round() as i32,
            (y * self.units).round() as i32,
        )
    }

    fn style(&self, width: f64, colour: Colour) -> ShapeStyle {
        rgb(colour).stroke_width((width * self.units).round() as u32)
    }

    fn fill(&mut self, places: &[Place], colour: Colour) -> Result<(), ChartError> {
        let path: Vec<_> = places.iter().map(|place| self.at(*place)).collect();
        let style = self.style(0.0, colour).filled();
        self.backend.fill_polygon(path, &style).map_err(library)
    }

    fn disc(&mut self, centre: Place, radius: f64, colour: Colour) -> Result<(), ChartError> {
        let radius = (radius * self.units).round() as u32;
        let style = self.style(0.0, colour).filled();
        let centre = self.at(centre);
        self.backend
            .draw_circle(centre, radius, &style, true)
            .map_err(library)
    }

    /// Draws a line as a filled rectangle for each segment and a disc for each bend.
    fn stroke(&mut self, places: &[Place], width: f64, colour: Colour) -> Result<(), ChartError> {
        for ends in places.windows(2) {
            let ((x0, y0), (x1, y1)) = (ends[0], ends[1]);
            let length = (x1 - x0).hypot(y1 - y0);
            if length > 0.0 {
                let (dx, dy) = (
                    width / 2.0 * (y1 - y0) / length,
                    width / 2.0 * (x0 - x1) / length,
                );
                let corners = [
                    (x0 + dx, y0 + dy),
                    (x1 + dx, y1 + dy),
                    (x1 - dx, y1 - dy),
                    (x0 - dx, y0 - dy),
                ];
                self.fill(&corners, colour)?;
            }
        }
        for bend in places.iter().skip(1).rev().skip(1) {
            self.disc(*bend, width / 2.0, colour)?;
        }
        Ok(())
    }

    fn text(&mut self, text: &Text) -> Result<(), ChartError> {
        // The library draws text 1.24 times smaller and 0.76 em lower than requested.
        const HEIGHT: f64 = 1.24;
        const DROP: f64 = 0.76;
        let size = text.size * self.units;
        let style = if text.bold {
            FontStyle::Bold
        } else {
            FontStyle::Normal
        };
        let turn = if text.upwards {
            FontTransform::Rotate270
        } else {
            FontTransform::None
        };
        let anchor = match text.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let font = FontDesc::new(
            FontFamily::Name(font::FAMILIES),
            size.round() * HEIGHT,
            style,
        );
        let style = font.transform(turn).color(&rgb(text.colour));
        let style = style.pos(Pos::new(anchor, VPos::Top));
        let (x, y) = text.place;
        let top = if text.upwards {
            (x - DROP * text.size, y)
        } else {
            (x, y - DROP * text.size)
        };
        self.backend
            .draw_text(&text.content, &style, self.at(top))
            .map_err(library)
    }

    fn letters(&mut self, text: &Text) -> Result<(), ChartError> {
        let (x, y) = text.place;
        let start = text.start();
        let origin = if text.upwards {
            (x, y - start)
        } else {
            (x + start, y)
        };
        let (x, y) = self.at(origin);
        let colour = rgb(text.colour);
        let mut result = Ok(());
        font::pixels(
            &text.content,
            text.size * self.units,
            text.bold,
            |right, down, covered| {
                let place = if text.upwards {
                    (x + down, y - right)
                } else {
                    (x + right, y + down)
                };
                let pixel = colour.mix(covered.into()).to_backend_color();
                let drawn = self.backend.draw_pixel(place, pixel).map_err(library);
                if result.is_ok() {
                    result = drawn;
                }
            },
        );
        result
    }
}

fn rgb([red, green, blue]: Colour) -> RGBColor {
    RGBColor(red, green, blue)
}

fn library(error: impl Display) -> ChartError {
    ChartError::Library(error.to_string())
}

/// Escapes a text for use as the content of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
