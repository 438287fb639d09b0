//! Writes a picture as an SVG document.
//!
//! Consecutive lines, or consecutive discs, with the same style are written as one path with relative coordinates. The crate
//! Plotters is not used to write SVG: it writes an element with all attributes for every line and every disc, and so needs two
//! to eight times as many bytes for a picture.

use crate::drawing::{Drawing, scene};
use crate::geometry::Place;
use crate::look::{Look, PAPER, Theme, dark_properties};
use crate::scene::{Anchor, Mark, Paint, Scene, Text};

/// The units of the SVG's view box per pixel. Coordinates are rounded to whole units, so a place is off by an eighth of a pixel
/// at most.
const UNITS: f64 = 4.0;

/// The opacity of a band.
const BAND: f64 = 0.2;

/// The width of the stroke that is drawn around letters as their halo, in em. Half of this width is inside the letters.
const HALO: f64 = 0.35;

/// Returns the document, which ends in a newline.
pub(crate) fn document(drawing: &impl Drawing, look: Look) -> String {
    let Look {
        size,
        theme,
        typeface,
        ..
    } = look;
    let (width, height) = (size.width(), size.height());
    let (before, after) = if theme == Theme::Auto {
        (both_themes(), "</g></g>\n")
    } else {
        (String::new(), "")
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {} {}\" fill=\"none\" stroke-linejoin=\"round\" font-family=\"{}\" \
         role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n{before}\
         <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n{}{after}</svg>\n",
        units(width.into()),
        units(height.into()),
        typeface.families(),
        escaped(drawing.title()),
        escaped(drawing.description()),
        PAPER.css(theme),
        marks(&scene(drawing, look), theme),
    )
}

/// Returns the start of a picture in both themes: a style sheet, and the opening tags of two groups, which `document` closes.
///
/// Each colour is a property of CSS whose default is the light colour. The style sheet sets these properties to the dark
/// colours if the address ends in `#dark`, or if the reader prefers dark and the address does not end in `#light`. The style
/// sheet works only where the SVG is a document of its own; within a page, where `svg` is not the root, the page may set the
/// properties.
fn both_themes() -> String {
    let dark = dark_properties();
    format!(
        "<style>\nsvg:root #dark:target{{{dark}}}\n\
         @media (prefers-color-scheme:dark){{svg:root>:not(:target)>#dark{{{dark}}}}}\n</style>\n\
         <g id=\"light\"><g id=\"dark\">\n"
    )
}

/// Returns the elements of the marks, from back to front.
fn marks(scene: &Scene, theme: Theme) -> String {
    let mut svg = String::new();
    let mut path = Path::default();
    for mark in &scene.marks {
        let style = style(mark, theme);
        // Each area is a path of its own: two areas in one path would leave a hole where they overlap, if their outlines run in
        // opposite directions.
        if style != path.style || matches!(mark, Mark::Shape(_, Paint::Area | Paint::Band, _)) {
            svg.push_str(&path.element());
            path = Path {
                style,
                ..Path::default()
            };
        }
        match mark {
            // A disc is a line of no length with round ends.
            Mark::Shape(places, Paint::Disc(_), _) => path.line(&[places[0]; 2]),
            Mark::Shape(places, ..) => path.line(places),
            Mark::Text(text) => {
                if text.halo {
                    let paper = stroke(units(HALO * text.size), &PAPER.css(theme));
                    svg.push_str(&text_element(text, &format!("{} {paper}", path.style)));
                }
                svg.push_str(&text_element(text, &path.style));
            }
        }
    }
    svg + &path.element()
}

/// Returns the attributes of a mark that do not depend on its place.
fn style(mark: &Mark, theme: Theme) -> String {
    match mark {
        Mark::Shape(_, paint, colour) => {
            let colour = colour.css(theme);
            match paint {
                Paint::Line(width, None) => stroke(units(*width), &colour),
                Paint::Line(width, Some((on, off))) => {
                    let dashes = format!("stroke-dasharray=\"{} {}\"", units(*on), units(*off));
                    stroke(units(*width), &colour) + " " + &dashes
                }
                Paint::Area => format!("fill=\"{colour}\""),
                Paint::Band => format!("fill=\"{colour}\" fill-opacity=\"{BAND}\""),
                Paint::Disc(radius) => {
                    stroke(2 * units(*radius), &colour) + " stroke-linecap=\"round\""
                }
            }
        }
        Mark::Text(text) => {
            let anchor = match text.anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let weight = if text.bold {
                " font-weight=\"bold\""
            } else {
                ""
            };
            let (size, colour) = (units(text.size), text.colour.css(theme));
            format!("font-size=\"{size}\" fill=\"{colour}\"{anchor}{weight}")
        }
    }
}

fn stroke(width: i32, colour: &str) -> String {
    format!("stroke=\"{colour}\" stroke-width=\"{width}\"")
}

fn text_element(text: &Text, style: &str) -> String {
    let (x, y) = at(text.place);
    let turn = if text.upwards {
        format!(" transform=\"rotate(-90 {x} {y})\"")
    } else {
        String::new()
    };
    let content = escaped(&text.content);
    format!("<text x=\"{x}\" y=\"{y}\" {style}{turn}>{content}</text>\n")
}

/// Lines, areas or discs of one style.
#[derive(Default)]
struct Path {
    style: String,
    /// For each line, `m` and then the distances right and down from each place to the next. The first distances of a line are
    /// from the end of the line before.
    data: String,
    /// The place that was written last.
    at: (i32, i32),
}

impl Path {
    /// Returns the element of the path; an empty text for a path without lines.
    fn element(&self) -> String {
        let Self { style, data, .. } = self;
        if data.is_empty() {
            return String::new();
        }
        format!("<path {style} d=\"{data}\"/>\n")
    }

    fn line(&mut self, places: &[Place]) {
        let mut before = 'm';
        for place in places {
            let (x, y) = at(*place);
            let (right, down) = (x - self.at.0, y - self.at.1);
            self.data.push_str(&format!("{before}{right} {down}"));
            self.at = (x, y);
            before = ' ';
        }
    }
}

fn at((x, y): Place) -> (i32, i32) {
    (units(x), units(y))
}

fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

/// Escapes a text for use as the content of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::font::Typeface;
    use crate::look::{AXIS, GRID, INK};

    fn scene(marks: Vec<Mark>) -> Scene {
        Scene {
            marks,
            ..Scene::new(Typeface::Sans)
        }
    }

    fn line(places: &[Place]) -> Mark {
        Mark::Shape(places.to_vec(), Paint::Line(1.0, None), INK)
    }

    #[test]
    fn dashes_are_an_attribute_of_their_path() {
        let mut dashed = scene(Vec::new());
        let places = vec![(0.0, 1.0), (9.0, 1.0)];
        let paint = Paint::Line(1.0, Some((7.0, 4.5)));
        dashed.shape(places, paint, INK);
        let stroke = "stroke=\"#222222\" stroke-width=\"4\"";
        let expected = format!("<path {stroke} stroke-dasharray=\"28 18\" d=\"m0 4 36 0\"/>\n");
        assert_eq!(marks(&dashed, Theme::Light), expected);
    }

    #[test]
    fn consecutive_marks_of_one_style_are_one_path_in_steps_from_place_to_place() {
        let bend = [(1.0, 1.0), (2.0, 1.0), (4.0, 0.0)];
        let slope = [(0.0, 0.0), (1.0, 2.0), (0.45, 3.0)];
        let drawn = marks(&scene(vec![line(&bend), line(&slope)]), Theme::Light);
        let data = "m4 4 4 0 8 -4m-16 0 4 8 -2 4";
        let expected = format!("<path stroke=\"#222222\" stroke-width=\"4\" d=\"{data}\"/>\n");
        assert_eq!(drawn, expected);
    }

    #[test]
    fn marks_of_different_styles_keep_their_order() {
        let disc = |x: f64, colour| Mark::Shape(vec![(x, 1.0)], Paint::Disc(0.75), colour);
        let corners = vec![(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)];
        let area = Mark::Shape(corners, Paint::Area, GRID);
        let all = vec![
            disc(1.0, AXIS),
            disc(2.0, AXIS),
            disc(3.0, INK),
            area.clone(),
            area,
        ];
        let dots = |colour: &str, data: &str| {
            let ends = "stroke-width=\"6\" stroke-linecap=\"round\"";
            format!("<path stroke=\"{colour}\" {ends} d=\"{data}\"/>\n")
        };
        let area = "<path fill=\"#E4E4E4\" d=\"m0 0 4 0 -4 4\"/>\n";
        let expected = [
            &*dots("#666666", "m4 4 0 0m4 0 0 0"),
            &dots("#222222", "m12 4 0 0"),
            area,
            area,
        ];
        assert_eq!(marks(&scene(all), Theme::Light), expected.concat());
    }
}
