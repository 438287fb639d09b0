//! Paints a figure as SVG or PNG. This is the only file that uses the drawing library, for the PNG.
//!
//! The library has integer coordinates and no antialiasing. So a PNG is painted on a canvas several
//! times as large and averaged down.

use std::fmt::Display;

use plotters::backend::{BitMapBackend, DrawingBackend};
use plotters::style::{Color, RGBColor};

use crate::drawing::Drawing;
use crate::error::ChartError;
use crate::geometry::Place;
use crate::look::{Colour, Look, PALETTE, Theme};
use crate::scene::{Mark, Scene, Text};
use crate::style::BAND;
use crate::{font, raster, svg};

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
/// None known.
pub fn svg(drawing: &impl Drawing, look: impl Into<Look>) -> Result<String, ChartError> {
    Ok(svg::document(drawing, look.into()))
}

/// Paints a figure or a diagram as a PNG image with `scale` times the pixels of the size in each
/// direction.
///
/// The image contains the title and the description as text chunks.
///
/// # Errors
///
/// `scale` must be at least 1, the image must have at most 16 million pixels and fit in memory, the
/// theme must be light or dark, and the typeface must have a glyph for every character.
pub fn png(
    drawing: &impl Drawing,
    look: impl Into<Look>,
    scale: u32,
) -> Result<Vec<u8>, ChartError> {
    let look = look.into();
    let (width, height) = look.pixels(scale)?;
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
    let paper = PALETTE.paper.rgb(look.theme).into_iter().cycle();
    painted.extend(paper.take(bytes));
    let mut canvas = Canvas {
        backend: BitMapBackend::with_buffer(&mut painted, (across, down)),
        units: f64::from(scale * PNG_UNITS),
        theme: look.theme,
    };
    canvas.paint(&scene)?;
    drop(canvas);
    let image = raster::averaged(&painted, across as usize, PNG_UNITS as usize);
    raster::encoded(&image, (width, height), scale, drawing).map_err(library)
}

/// The canvas that a scene is painted on. Strokes and glyphs are drawn here, because the library's
/// own have spikes and uneven gaps.
struct Canvas<B> {
    backend: B,
    /// Canvas units per pixel.
    units: f64,
    theme: Theme,
}

impl<B: DrawingBackend> Canvas<B> {
    fn paint(&mut self, scene: &Scene) -> Result<(), ChartError> {
        for mark in &scene.marks {
            match mark {
                Mark::Line {
                    places,
                    width,
                    colour,
                } => self.stroke(places, *width, *colour)?,
                Mark::Area { places, colour } => self.fill(places, *colour, 1.0)?,
                Mark::Band { places, colour } => self.fill(places, *colour, BAND)?,
                Mark::Disc {
                    centre,
                    radius,
                    colour,
                } => self.disc(*centre, *radius, *colour)?,
                Mark::Text(text) => self.letters(text)?,
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

    fn rgb(&self, colour: Colour) -> RGBColor {
        let [red, green, blue] = colour.rgb(self.theme);
        RGBColor(red, green, blue)
    }

    fn fill(&mut self, places: &[Place], colour: Colour, opacity: f64) -> Result<(), ChartError> {
        let path: Vec<_> = places.iter().map(|place| self.at(*place)).collect();
        let style = self.rgb(colour).mix(opacity).filled();
        self.backend.fill_polygon(path, &style).map_err(library)
    }

    fn disc(&mut self, centre: Place, radius: f64, colour: Colour) -> Result<(), ChartError> {
        let radius = (radius * self.units).round() as u32;
        let style = self.rgb(colour).filled();
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
                self.fill(&corners, colour, 1.0)?;
            }
        }
        for bend in places.iter().skip(1).rev().skip(1) {
            self.disc(*bend, width / 2.0, colour)?;
        }
        Ok(())
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
        let colour = self.rgb(text.colour);
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

fn library(error: impl Display) -> ChartError {
    ChartError::Library(error.to_string())
}
