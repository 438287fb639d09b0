//! The flags that say how a picture is made and where it goes.

use std::io;
use std::path::{Path, PathBuf};

use bloom_plot::Size;
use bloom_plot::output::{Format, Target};
use clap::Args;

use super::Failure;

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// File to write, .svg or .png, or - for standard output [default: the chart's name, .svg]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Kind of picture, where the file's name does not say: svg or png
    #[arg(long, value_name = "KIND")]
    format: Option<String>,

    /// Width and height in pixels
    #[arg(
        long,
        value_name = "WxH",
        default_value = "800x500",
        allow_hyphen_values = true
    )]
    size: String,

    /// Pixels of a PNG, across and down, for each of the size [default: 2]
    #[arg(long, value_name = "COUNT", allow_hyphen_values = true)]
    scale: Option<String>,
}

/// How a picture is to be made and where it goes.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) target: Target,
    pub(crate) format: Format,
    pub(crate) size: Size,
    pub(crate) scale: u32,
}

impl Output {
    /// Puts a picture where it goes.
    pub(crate) fn write(&self, picture: &[u8]) -> Result<(), Failure> {
        let written = self.target.write(picture);
        written.map_err(|error| cannot_write(&self.target, &error))
    }
}

fn cannot_write(target: &Target, error: &io::Error) -> Failure {
    match target {
        Target::Stdout => Failure::new(format!("cannot write to standard output: {error}")),
        Target::File(path) => Failure::new(format!("cannot write {}: {error}", path.display())),
    }
}

impl OutputArgs {
    /// Reads where the picture of the chart with this name goes.
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
            Some(path) if path.as_os_str() == "-" => (Target::Stdout, told.unwrap_or(Format::Svg)),
            Some(path) => (Target::File(path.clone()), file_format(path, told)?),
        };
        let scale = self.scale(format)?;
        let size = self.size.trim().parse::<Size>();
        let size = size.map_err(|error| Failure::new(error.to_string()))?;
        // What can be known to go wrong is said before anything is measured.
        if format == Format::Png {
            size.scaled(scale)?;
        }
        target
            .check()
            .map_err(|error| cannot_write(&target, &error))?;
        Ok(Output {
            target,
            format,
            size,
            scale,
        })
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

/// Returns the kind that a file's name says, or else what was told.
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
