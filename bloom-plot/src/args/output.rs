//! Flags for the look, the format and the destination of a picture.

use std::io;
use std::path::{Path, PathBuf};

use bloom_plot::curves::{Axis, Figure, Scale};
use bloom_plot::output::{Format, Target};
use bloom_plot::{Drawing, Look, Size, Theme, chart};
use clap::Args;

use super::Failure;

/// The longest title that leaves room for the plot.
const LONGEST_TITLE: usize = 80;

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// File to write, .svg or .png, or - for standard output [default: the chart's name, .svg]
    #[arg(short, long, value_name = "FILE", global = true)]
    output: Option<PathBuf>,

    /// Kind of picture, where the file's name does not say: svg or png
    #[arg(long, value_name = "KIND", global = true)]
    format: Option<String>,

    /// File to write the data behind the picture to as well, or - for standard output
    #[arg(long, value_name = "FILE", global = true)]
    csv: Option<PathBuf>,

    /// Width and height in pixels
    #[arg(
        long,
        value_name = "WxH",
        default_value = "800x500",
        allow_hyphen_values = true,
        global = true
    )]
    size: String,

    /// Width alone, from 300 to 4000 pixels
    #[arg(long, value_name = "PIXELS", allow_hyphen_values = true, global = true)]
    width: Option<String>,

    /// Height alone, from 200 to 4000 pixels
    #[arg(long, value_name = "PIXELS", allow_hyphen_values = true, global = true)]
    height: Option<String>,

    /// Pixels of a PNG, across and down, for each of the size [default: 2]
    #[arg(long, value_name = "COUNT", allow_hyphen_values = true, global = true)]
    scale: Option<String>,

    /// Colours: light, dark, or auto for an SVG that has both
    #[arg(long, value_name = "NAME", default_value = "light", global = true)]
    theme: String,

    /// Title in place of the chart's own
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, global = true)]
    title: Option<String>,

    /// Part of the horizontal axis to show, as 100..2000
    #[arg(
        long,
        value_name = "FROM..TO",
        allow_hyphen_values = true,
        global = true
    )]
    x_range: Option<String>,

    /// Part of the vertical axis to show, as 1e-4..1
    #[arg(
        long,
        value_name = "FROM..TO",
        allow_hyphen_values = true,
        global = true
    )]
    y_range: Option<String>,
}

/// The look, the format and the destination of a picture.
#[derive(Debug)]
pub(crate) struct Output {
    target: Target,
    csv: Option<Target>,
    format: Format,
    look: Look,
    scale: u32,
    title: Option<String>,
    x_range: Option<Range>,
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

impl Output {
    /// Applies the requested title and ranges to a figure.
    pub(crate) fn adapt(&self, figure: &mut Figure) -> Result<(), Failure> {
        if let Some(title) = &self.title {
            figure.title.clone_from(title);
        }
        let axes = [
            (&self.x_range, &mut figure.x),
            (&self.y_range, &mut figure.y),
        ];
        for (range, axis) in axes {
            if let Some(range) = range {
                range.apply(axis)?;
            }
        }
        let ranges = [&self.x_range, &self.y_range].into_iter().flatten();
        match ranges.last() {
            Some(range) if !figure.shows_something() => {
                let (flag, text) = (range.flag, &range.text);
                let message = format!("{flag} must hold a part of a curve, got {text:?}");
                Err(Failure::new(message).hint("leave it out to see where the curves are"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the requested title; rejects ranges, because a diagram has no axes.
    pub(crate) fn without_axes(&self) -> Result<Option<&str>, Failure> {
        match self.x_range.as_ref().or(self.y_range.as_ref()) {
            Some(range) => Err(Failure::new(format!(
                "{} is for a chart; a diagram has no axes",
                range.flag
            ))),
            None => Ok(self.title.as_deref()),
        }
    }

    /// Paints a picture, writes it, and its data if requested; returns the files written.
    pub(crate) fn write(&self, drawing: &impl Drawing) -> Result<Vec<&Path>, Failure> {
        let picture = match self.format {
            Format::Svg => chart::svg(drawing, self.look)?.into_bytes(),
            Format::Png => chart::png(drawing, self.look, self.scale)?,
        };
        let mut files = Vec::new();
        let put = |target: &'_ Target, bytes: &[u8]| {
            let written = target.write(bytes);
            written.map_err(|error| cannot_write(target, &error))
        };
        put(&self.target, &picture)?;
        files.extend(self.target.path());
        if let Some(csv) = &self.csv {
            put(csv, drawing.csv().as_bytes())?;
            files.extend(csv.path());
        }
        Ok(files)
    }
}

impl Range {
    fn read(flag: &'static str, text: &str) -> Result<Self, Failure> {
        let wrong = |rule: &str| {
            let failure = Failure::new(format!("{flag} must {rule}, got {text:?}"));
            failure.hint(format!("write a range like --{flag} 0.5..20"))
        };
        let (from, to) = text
            .split_once("..")
            .ok_or_else(|| wrong("be two numbers with .. between"))?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let (Some(from), Some(to)) = (number(from), number(to)) else {
            return Err(wrong("be two numbers with .. between"));
        };
        if from >= to {
            return Err(wrong("run from the lower to the higher number"));
        }
        Ok(Self {
            flag,
            text: text.to_owned(),
            from,
            to,
        })
    }

    fn apply(&self, axis: &mut Axis) -> Result<(), Failure> {
        if axis.scale == Scale::Log && self.from <= 0.0 {
            return Err(Failure::new(format!(
                "{} must be above 0 on a logarithmic axis, got {:?}",
                self.flag, self.text
            )));
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

fn cannot_write(target: &Target, error: &io::Error) -> Failure {
    match target {
        Target::Stdout => Failure::new(format!("cannot write to standard output: {error}")),
        Target::File(path) => Failure::new(format!("cannot write {}: {error}", path.display())),
    }
}

impl OutputArgs {
    /// Reads the destination of the chart with this name.
    pub(crate) fn output(&self, chart: &str) -> Result<Output, Failure> {
        let told = self.format.as_deref().map(|name| {
            Format::from_name(name)
                .ok_or_else(|| Failure::new(format!("format must be svg or png, got {name:?}")))
        });
        let told = told.transpose()?;
        let (target, format) = match &self.output {
            None => {
                let format = told.unwrap_or(Format::Svg);
                (Target::File(format!("{chart}.{format}").into()), format)
            }
            Some(path) => match Target::new(path) {
                Target::Stdout => (Target::Stdout, told.unwrap_or(Format::Svg)),
                file @ Target::File(_) => (file, file_format(path, told)?),
            },
        };
        let scale = self.scale(format)?;
        let look = Look {
            size: self.size()?,
            theme: self.theme()?,
        };
        // Predictable errors are reported before anything is measured.
        if format == Format::Png {
            look.pixels(scale)?;
        }
        let csv = self.csv.as_ref().map(|path| Target::new(path));
        if csv.as_ref().is_some_and(|csv| csv.is_same_place(&target)) {
            return Err(Failure::new(
                "csv and output must not be written to the same place",
            ));
        }
        for target in [Some(&target), csv.as_ref()].into_iter().flatten() {
            let checked = target.check();
            checked.map_err(|error| cannot_write(target, &error))?;
        }
        let range = |flag, text: &Option<String>| {
            let text = text.as_deref();
            text.map(|text| Range::read(flag, text)).transpose()
        };
        Ok(Output {
            target,
            csv,
            format,
            look,
            scale,
            title: self.title()?,
            x_range: range("x-range", &self.x_range)?,
            y_range: range("y-range", &self.y_range)?,
        })
    }

    fn size(&self) -> Result<Size, Failure> {
        let size = self.size.trim().parse::<Size>();
        let size = size.map_err(|error| Failure::new(error.to_string()))?;
        let side = |flag: &str, text: &Option<String>, otherwise| match text {
            None => Ok(otherwise),
            Some(text) => text.trim().parse::<u32>().map_err(|_| {
                Failure::new(format!(
                    "{flag} must be a whole number of pixels, got {text:?}"
                ))
            }),
        };
        let width = side("width", &self.width, size.width())?;
        let height = side("height", &self.height, size.height())?;
        Size::new(width, height).map_err(|error| Failure::new(error.to_string()))
    }

    fn theme(&self) -> Result<Theme, Failure> {
        Theme::from_name(self.theme.trim()).ok_or_else(|| {
            let got = &self.theme;
            Failure::new(format!("theme must be light, dark or auto, got {got:?}"))
        })
    }

    fn title(&self) -> Result<Option<String>, Failure> {
        let Some(title) = &self.title else {
            return Ok(None);
        };
        let letters = title.chars().count();
        if letters > LONGEST_TITLE || title.chars().any(char::is_control) {
            return Err(Failure::new(format!(
                "title must be one line of at most {LONGEST_TITLE} letters, got {letters}"
            )));
        }
        Ok(Some(title.clone()))
    }

    fn scale(&self, format: Format) -> Result<u32, Failure> {
        match (self.scale.as_deref().map(str::trim), format) {
            (None, _) => Ok(2),
            (Some(text), Format::Png) => text
                .parse()
                .map_err(|_| Failure::new(format!("scale must be a whole number, got {text:?}"))),
            (Some(_), Format::Svg) => {
                let failure = Failure::new("scale is for a PNG; an SVG has no pixels");
                Err(failure.hint("leave --scale out, or write to a .png file"))
            }
        }
    }
}

/// Returns the format by the file extension, or else the requested one; the two must not disagree.
fn file_format(path: &Path, told: Option<Format>) -> Result<Format, Failure> {
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy());
    let named = extension.as_deref().and_then(Format::from_name);
    match (named, told) {
        (Some(named), Some(told)) if named != told => Err(Failure::new(format!(
            "format must agree with the file's name, got {told} for {}",
            path.display()
        ))),
        (Some(format), _) | (None, Some(format)) => Ok(format),
        (None, None) => {
            let message = format!("output must end in .svg or .png, got {}", path.display());
            Err(Failure::new(message).hint("name the file so, or say which with --format"))
        }
    }
}
