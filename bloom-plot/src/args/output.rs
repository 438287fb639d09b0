//! Reads the flags that all pictures have, such as those for the size, the format and the file, applies them to a picture, and
//! writes the picture.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bloom_terminal::report;

use super::charts::Picture;
use super::given::Given;
use crate::chart;
use crate::curves::{Axis, Figure};
use crate::data::written as digits;
use crate::drawing::Drawing;
use crate::look::Look;
use crate::output::{Format, Target};
use crate::overlay::{outside, points};
use crate::parse::{Failure, Range};
use crate::size::Size;
use crate::words::by_name;

/// The look, the format and the destination of a picture.
pub(super) struct Output<'a> {
    given: &'a Given<'a>,
    target: Target,
    csv: Option<Target>,
    format: Format,
    look: Look,
    dpi: u32,
}

impl<'a> Output<'a> {
    /// Reads the flags for a picture of the chart with this name. Errors that can be foreseen, such as a file that cannot be
    /// written, are reported here, before anything is measured.
    pub(super) fn new(given: &'a Given<'a>, chart: &str) -> Result<Self, Box<dyn Error>> {
        let requested = given.maybe("format");
        let path = given.maybe::<PathBuf>("output");
        let path = path.unwrap_or_else(|| {
            let format = requested.unwrap_or(Format::Svg);
            format!("{chart}.{}", format.name()).into()
        });
        let (target, format) = match Target::new(&path) {
            Target::Stdout => (Target::Stdout, requested.unwrap_or(Format::Svg)),
            file @ Target::File(_) => (file, file_format(&path, requested)?),
        };
        let dpi = given.maybe("dpi");
        if dpi.is_some() && format != Format::Png {
            let failure = Failure::new("dpi is for a PNG; an SVG or a PDF has no pixels");
            return Err(failure
                .hint("leave --dpi out, or write to a .png file")
                .into());
        }
        let dpi = dpi.unwrap_or(192);
        let size: Size = given.maybe("size").unwrap_or_default();
        let width = given.maybe("width").unwrap_or(size.width());
        let look = Look {
            size: Size::new(width, given.maybe("height").unwrap_or(size.height()))?,
            theme: given.maybe("theme").unwrap_or_default(),
            typeface: given.maybe("font").unwrap_or_default(),
            untitled: given.is_set("no-title"),
        };
        if format != Format::Svg {
            // `pixels` checks the theme, too. So it is also called for a PDF, which has no pixels.
            look.pixels(if format == Format::Png { dpi } else { 96 })?;
        }
        let csv = given.maybe::<PathBuf>("csv");
        let csv = csv.map(|path| Target::new(&path));
        if csv.as_ref().is_some_and(|csv| csv.is_same_place(&target)) {
            let message = "csv and output must not be the same file, or both the standard output";
            return Err(Failure::new(message).into());
        }
        for target in [Some(&target), csv.as_ref()].into_iter().flatten() {
            written(target, target.check())?;
        }
        Ok(Self {
            given,
            target,
            csv,
            format,
            look,
            dpi,
        })
    }

    /// Applies the flags to a picture, paints the picture, and writes it and, if requested, its data. Returns the files that
    /// were written. Writes a note to `err` for each series of `--over` with points outside of the picture.
    pub(super) fn write(
        &self,
        picture: Picture,
        err: &mut dyn Write,
    ) -> Result<Vec<&Path>, Box<dyn Error>> {
        match picture {
            Picture::Figure(mut figure) => {
                let own = figure.series.len();
                self.adapt(&mut figure)?;
                for note in figure.series[own..]
                    .iter()
                    .filter_map(|series| outside(&figure, series))
                {
                    write!(err, "{}", report::note(&note))?;
                }
                figure.title = self.given.maybe("title").unwrap_or(figure.title);
                self.paint(&figure)
            }
            Picture::Diagram(mut diagram) => {
                for flag in ["x-scale", "y-scale", "x-range", "y-range", "over"] {
                    if self.given.is_given(flag) {
                        let message = format!("{flag} is for a chart; a diagram has no axes");
                        return Err(Failure::new(message).into());
                    }
                }
                diagram.title = self.given.maybe("title").unwrap_or(diagram.title);
                self.paint(&diagram)
            }
        }
    }

    /// Applies the requested scales and ranges of axes to a figure, and adds the points of the file of `--over`.
    fn adapt(&self, figure: &mut Figure) -> Result<(), Box<dyn Error>> {
        if let Some(path) = self.given.maybe::<PathBuf>("over") {
            let points = points(&path, figure)?;
            figure.series.extend(points);
        }
        for (flag, is_x) in [("x-scale", true), ("y-scale", false)] {
            if let Some(log) = self.given.maybe(flag) {
                let rescaled = figure.rescale(is_x, log);
                rescaled.map_err(|rule| Failure::new(format!("{flag} must {rule}")))?;
            }
        }
        let [x_range, y_range] = ["x-range", "y-range"].map(|flag| self.given.maybe::<Range>(flag));
        for (range, axis) in [(&x_range, &mut figure.x), (&y_range, &mut figure.y)] {
            if let Some(range) = range {
                show(range, axis)?;
            }
        }
        match y_range.as_ref().or(x_range.as_ref()) {
            Some(range) if !figure.shows_something() => {
                let Range { flag, text, .. } = range;
                let message = format!("{flag} must show a part of a curve, got {text:?}");
                let failure = Failure::new(message);
                Err(failure
                    .hint("leave it out to see where the curves are")
                    .into())
            }
            _ => Ok(()),
        }
    }

    fn paint(&self, drawing: &impl Drawing) -> Result<Vec<&Path>, Box<dyn Error>> {
        let picture = match self.format {
            Format::Svg => chart::svg(drawing, self.look)?.into_bytes(),
            Format::Png => chart::png(drawing, self.look, self.dpi)?,
            Format::Pdf => chart::pdf(drawing, self.look)?,
        };
        let mut files = Vec::new();
        let data = self.csv.as_ref();
        let data = data.map(|csv| (csv, drawing.csv().into_bytes()));
        for (target, bytes) in [(&self.target, picture)].into_iter().chain(data) {
            write(target, &bytes)?;
            files.extend(target.path());
        }
        Ok(files)
    }
}

/// Shows the requested part of an axis.
fn show(range: &Range, axis: &mut Axis) -> Result<(), Failure> {
    let Range {
        flag,
        text,
        from,
        to,
    } = range;
    if axis.scale.is_log() && *from <= 0.0 {
        let message = format!("{flag} must be above 0 on a logarithmic axis, got {text:?}");
        return Err(Failure::new(message));
    }
    let (low, high) = (axis.from.min(axis.to), axis.from.max(axis.to));
    // Nothing is computed beyond the ends of the horizontal axis, so a requested range must be between these ends. On the
    // vertical axis any range can be shown, and curves may leave the picture.
    if flag == "x-range" && (*from < low || *to > high) {
        let [low, high] = [low, high].map(digits);
        let message =
            format!("{flag} must be inside the computed range {low}..{high}, got {text:?}");
        return Err(Failure::new(message).hint(match flag_of(axis) {
            Some(flag) => format!("move the end of the axis with {flag}"),
            None => "the ends of this axis are fixed".to_owned(),
        }));
    }
    // An axis whose numbers fall from left to right keeps this direction.
    let (start, end) = if axis.from > axis.to {
        (to, from)
    } else {
        (from, to)
    };
    (axis.from, axis.to) = (*start, *end);
    Ok(())
}

/// Finds the flag that moves an end of a horizontal axis, by the last word of the axis's name; `None` if the ends are fixed.
fn flag_of(axis: &Axis) -> Option<&'static str> {
    Some(match axis.name.rsplit(' ').next()? {
        "n" => "--n",
        "m" => "--m",
        "k" => "--k",
        "p" => "--p",
        "m/n" => "--bits-per-item",
        "queries" => "--prevalence",
        _ => return None,
    })
}

/// Writes all bytes to a target.
pub(super) fn write(target: &Target, bytes: &[u8]) -> Result<(), Failure> {
    written(target, target.write(bytes))
}

/// Turns the error of writing to a target into one that names the target.
pub(super) fn written(target: &Target, result: io::Result<()>) -> Result<(), Failure> {
    result.map_err(|error| Failure::new(target.unwritten(&error)))
}

/// Returns the format that the file extension names or, if it names none, the requested format. If both are given, they must be
/// the same.
fn file_format(path: &Path, requested: Option<Format>) -> Result<Format, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let named = extension.and_then(|name| by_name(Format::ALL, name));
    let path = path.display();
    match (named, requested) {
        (Some(named), Some(requested)) if named != requested => Err(Failure::new(format!(
            "format must agree with the file's name, got {} for {path}",
            requested.name(),
        ))),
        (Some(format), _) | (None, Some(format)) => Ok(format),
        (None, None) => {
            let message = format!("output must end in .svg, .png or .pdf, got {path}");
            Err(Failure::new(message).hint("give the file that name, or add --format"))
        }
    }
}
