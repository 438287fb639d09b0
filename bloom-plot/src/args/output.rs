//! Flags for the look, the format and the destination of a picture.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::chart;
use crate::curves::{Axis, Figure};
use crate::diagram::Diagram;
use crate::drawing::Drawing;
use crate::look::{Look, Theme};
use crate::output::{Format, Target};
use crate::parse::{self, Failure};
use crate::size::{Size, SizeError};

/// The longest title that leaves room for the plot.
const LONGEST_TITLE: usize = 80;

/// The themes by name.
const THEMES: &[(&str, Theme)] = &[
    ("light", Theme::Light),
    ("dark", Theme::Dark),
    ("auto", Theme::Auto),
];

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// File to write, .svg, .png or .pdf, or - for standard output [default: the chart's name, .svg]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Format of the picture, if the file's name does not give it: svg, png or pdf
    #[arg(long, value_name = "KIND", value_parser = parse::one_of("format", Format::ALL))]
    format: Option<Format>,

    /// File to write the data behind the picture to as well, or - for standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "800x500", value_parser = size)]
    size: Size,

    /// Width alone, from 300 to 4000 pixels
    #[arg(long, value_name = "PIXELS", value_parser = whole("width", " of pixels"))]
    width: Option<u32>,

    /// Height alone, from 200 to 4000 pixels
    #[arg(long, value_name = "PIXELS", value_parser = whole("height", " of pixels"))]
    height: Option<u32>,

    /// Pixels per inch of a PNG; the size has 96 [default: 192]
    #[arg(long, value_name = "COUNT", value_parser = whole("dpi", ""))]
    dpi: Option<u32>,

    /// Colours: light, dark, or auto for an SVG that has both
    #[arg(long, value_name = "NAME", default_value = "light", value_parser = parse::one_of("theme", THEMES))]
    theme: Theme,

    /// Title in place of the chart's own
    #[arg(long, value_name = "TEXT", value_parser = title)]
    title: Option<String>,

    /// Part of the horizontal axis to show, as 100..2000
    #[arg(long, value_name = "FROM..TO", value_parser = range("x-range"))]
    x_range: Option<Range>,

    /// Part of the vertical axis to show, as 1e-4..1
    #[arg(long, value_name = "FROM..TO", value_parser = range("y-range"))]
    y_range: Option<Range>,
}

/// A range of an axis, as requested.
#[derive(Debug, Clone)]
struct Range {
    flag: &'static str,
    text: String,
    from: f64,
    to: f64,
}

/// The look, the format and the destination of a picture.
#[derive(Debug)]
pub(super) struct Output<'a> {
    flags: &'a OutputArgs,
    target: Target,
    csv: Option<Target>,
    format: Format,
    look: Look,
    dpi: u32,
}

impl Output<'_> {
    /// Applies the requested title and ranges to a figure.
    pub(super) fn adapt(&self, figure: &mut Figure) -> Result<(), Failure> {
        let OutputArgs {
            title,
            x_range,
            y_range,
            ..
        } = self.flags;
        if let Some(title) = title {
            figure.title.clone_from(title);
        }
        for (range, axis) in [(x_range, &mut figure.x), (y_range, &mut figure.y)] {
            if let Some(range) = range {
                range.apply(axis)?;
            }
        }
        match y_range.as_ref().or(x_range.as_ref()) {
            Some(range) if !figure.shows_something() => {
                let (flag, text) = (range.flag, &range.text);
                let message = format!("{flag} must hold a part of a curve, got {text:?}");
                Err(Failure::new(message).hint("leave it out to see where the curves are"))
            }
            _ => Ok(()),
        }
    }

    /// Applies the requested title to a diagram; rejects ranges, because it has no axes.
    pub(super) fn adapt_diagram(&self, diagram: &mut Diagram) -> Result<(), Failure> {
        let flags = self.flags;
        if let Some(range) = flags.x_range.as_ref().or(flags.y_range.as_ref()) {
            let message = format!("{} is for a chart; a diagram has no axes", range.flag);
            return Err(Failure::new(message));
        }
        if let Some(title) = &flags.title {
            diagram.title.clone_from(title);
        }
        Ok(())
    }

    /// Paints a picture, writes it, and its data if requested; returns the files written.
    pub(super) fn write(&self, drawing: &impl Drawing) -> Result<Vec<&Path>, Box<dyn Error>> {
        let picture = match self.format {
            Format::Svg => chart::svg(drawing, self.look)?.into_bytes(),
            Format::Png => chart::png(drawing, self.look, self.dpi)?,
            Format::Pdf => chart::pdf(drawing, self.look)?,
        };
        let mut files = Vec::new();
        let data = self
            .csv
            .as_ref()
            .map(|csv| (csv, drawing.csv().into_bytes()));
        for (target, bytes) in [(&self.target, picture)].into_iter().chain(data) {
            write(target, &bytes)?;
            files.extend(target.path());
        }
        Ok(files)
    }
}

impl Range {
    fn apply(&self, axis: &mut Axis) -> Result<(), Failure> {
        if axis.scale.is_log() && self.from <= 0.0 {
            return Err(Failure::new(format!(
                "{} must be above 0 on a logarithmic axis, got {:?}",
                self.flag, self.text
            )));
        }
        let (low, high) = (axis.from.min(axis.to), axis.from.max(axis.to));
        // Beyond the ends of the horizontal axis nothing is computed; along the vertical one, curves
        // just leave the picture.
        if self.flag == "x-range" && (self.from < low || self.to > high) {
            let message = format!(
                "x-range must be inside the computed {low}..{high}, got {:?}",
                self.text
            );
            return Err(Failure::new(message).hint(match flag_of(axis) {
                Some(flag) => format!("move the end of the axis with {flag}"),
                None => "the ends of this axis are fixed".to_owned(),
            }));
        }
        // A reversed axis stays reversed.
        (axis.from, axis.to) = if axis.from > axis.to {
            (self.to, self.from)
        } else {
            (self.from, self.to)
        };
        Ok(())
    }
}

/// Returns the flag that says where a horizontal axis ends: that of the letter in its name.
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

impl OutputArgs {
    /// Returns the destination of the chart with this name. Predictable errors are reported here,
    /// before anything is measured.
    pub(super) fn output(&self, chart: &str) -> Result<Output<'_>, Box<dyn Error>> {
        let (target, format) = match &self.output {
            None => {
                let format = self.format.unwrap_or(Format::Svg);
                (
                    Target::File(format!("{chart}.{}", format.name()).into()),
                    format,
                )
            }
            Some(path) => match Target::new(path) {
                Target::Stdout => (Target::Stdout, self.format.unwrap_or(Format::Svg)),
                file @ Target::File(_) => (file, file_format(path, self.format)?),
            },
        };
        if self.dpi.is_some() && format != Format::Png {
            let failure = Failure::new("dpi is for a PNG; an SVG or a PDF has no pixels");
            return Err(failure
                .hint("leave --dpi out, or write to a .png file")
                .into());
        }
        let (size, dpi) = (self.size, self.dpi.unwrap_or(192));
        let width = self.width.unwrap_or(size.width());
        let size = Size::new(width, self.height.unwrap_or(size.height()))?;
        let look = Look {
            size,
            theme: self.theme,
        };
        if format == Format::Png {
            look.pixels(dpi)?;
        }
        let csv = self.csv.as_ref().map(|path| Target::new(path));
        if csv.as_ref().is_some_and(|csv| csv.is_same_place(&target)) {
            let message = "csv and output must not be written to the same place";
            return Err(Failure::new(message).into());
        }
        for target in [Some(&target), csv.as_ref()].into_iter().flatten() {
            written(target, target.check())?;
        }
        Ok(Output {
            flags: self,
            target,
            csv,
            format,
            look,
            dpi,
        })
    }
}

/// Writes all bytes to a target.
pub(super) fn write(target: &Target, bytes: &[u8]) -> Result<(), Failure> {
    written(target, target.write(bytes))
}

/// Names the target in the error of writing to it.
pub(super) fn written(target: &Target, result: io::Result<()>) -> Result<(), Failure> {
    result.map_err(|error| Failure::new(target.unwritten(&error)))
}

fn size(text: &str) -> Result<Size, SizeError> {
    text.trim().parse()
}

fn title(text: &str) -> Result<String, Failure> {
    let letters = text.chars().count();
    if letters > LONGEST_TITLE || text.chars().any(char::is_control) {
        return Err(Failure::new(format!(
            "title must be one line of at most {LONGEST_TITLE} letters, got {letters}"
        )));
    }
    Ok(text.to_owned())
}

/// Returns the parser of a whole number of something.
fn whole(flag: &'static str, of: &'static str) -> impl Fn(&str) -> Result<u32, Failure> + Clone {
    move |text| {
        let message = || format!("{flag} must be a whole number{of}, got {text:?}");
        text.trim().parse().map_err(|_| Failure::new(message()))
    }
}

/// Returns the parser of a range of an axis.
fn range(flag: &'static str) -> impl Fn(&str) -> Result<Range, Failure> + Clone {
    move |text| {
        let wrong = |rule: &str| {
            let failure = Failure::new(format!("{flag} must {rule}, got {text:?}"));
            failure.hint(format!("write a range like --{flag} 0.5..20"))
        };
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let ends = text.split_once("..");
        let ends = ends.and_then(|(from, to)| Some((number(from)?, number(to)?)));
        let (from, to) = ends.ok_or_else(|| wrong("be two numbers with .. between"))?;
        if from >= to {
            return Err(wrong("run from the lower to the higher number"));
        }
        let text = text.to_owned();
        Ok(Range {
            flag,
            text,
            from,
            to,
        })
    }
}

/// Returns the format by the file extension, or else the requested one; the two must not disagree.
fn file_format(path: &Path, requested: Option<Format>) -> Result<Format, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let named = extension.and_then(|name| parse::one_of("output", Format::ALL).read(name).ok());
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
