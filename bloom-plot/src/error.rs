//! The errors of this crate: a figure cannot be computed, or a picture cannot be painted.

use std::error::Error;
use std::fmt;

use bloom_core::math::MathError;
use bloom_core::{BuildError, GrowError, ShapeError};
use bloom_params::InputError;

/// Why no figure can be computed from the given parameters.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FigureError {
    /// A parameter breaks a rule of its chart.
    Refused {
        /// The name of the parameter.
        parameter: &'static str,
        /// The rule, with its verb, such as `must be at least 2`.
        rule: String,
        /// The value given; empty if no single value breaks the rule.
        got: String,
    },
    /// A library whose sizing rule is plotted would refuse to build a filter for these parameters.
    Library {
        /// The refusal, which names the parameter and the rule.
        error: InputError,
        /// What to write instead, if it is known.
        hint: Option<String>,
    },
    /// No filter can be built for these parameters, or the filter would not fit in memory.
    Build(BuildError),
    /// A growing filter that is filled for a measurement cannot grow further.
    Grow(GrowError),
}

impl FigureError {
    /// Creates the error of a parameter that breaks a rule.
    pub(crate) fn refused(
        parameter: &'static str,
        rule: impl Into<String>,
        got: impl Into<String>,
    ) -> Self {
        let (rule, got) = (rule.into(), got.into());
        Self::Refused {
            parameter,
            rule,
            got,
        }
    }

    /// Creates the error of a rule that is broken by no single value.
    pub(crate) fn stated(parameter: &'static str, rule: impl Into<String>) -> Self {
        Self::refused(parameter, rule, "")
    }

    /// Creates the error of a bit array that does not fit in memory.
    pub(crate) fn no_memory(bits: u64) -> Self {
        Self::refused("bits", "must fit in memory", bits.to_string())
    }

    /// Returns what would help, if it is known.
    pub(crate) fn hint(&self) -> Option<&str> {
        match self {
            Self::Build(BuildError::Memory(_)) => {
                Some("lower --m; without --measured the theory is drawn alone")
            }
            Self::Library { error, hint } => hint.as_deref().or(error.hint()),
            Self::Refused {
                parameter, rule, ..
            } => match *parameter {
                "filters" => {
                    Some("leave --filters out; without --measured the theory is drawn alone")
                }
                "measuring" => Some(
                    "lower --filters, --queries, --n or --m; without --measured the theory is \
                     drawn alone",
                ),
                "curves" => Some(
                    "repeat --n or --m less often, or write fewer numbers in --k, --block-bits or --only",
                ),
                "k" if rule.contains("entries") => Some("write hashes like --k 3,5,7"),
                "p" if rule.contains("be drawn") => Some("raise --n, or lower --m"),
                "library" => Some("write names like --only textbook,guava,redis-nonscaling,ours"),
                "operations" => Some("name up to 8 candidates with --only"),
                _ => None,
            },
            _ => None,
        }
    }
}

impl From<ShapeError> for FigureError {
    fn from(error: ShapeError) -> Self {
        Self::Build(error.into())
    }
}

impl From<MathError> for FigureError {
    fn from(error: MathError) -> Self {
        ShapeError::from(error).into()
    }
}

impl From<BuildError> for FigureError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl fmt::Display for FigureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused {
                parameter,
                rule,
                got,
            } if got.is_empty() => write!(f, "{parameter} {rule}"),
            Self::Refused {
                parameter,
                rule,
                got,
            } => write!(f, "{parameter} {rule}, got {got}"),
            Self::Library { error, .. } => error.fmt(f),
            Self::Build(error) => error.fmt(f),
            Self::Grow(error) => error.fmt(f),
        }
    }
}

impl Error for FigureError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Refused { .. } => None,
            Self::Library { error, .. } => Some(error),
            Self::Build(error) => Some(error),
            Self::Grow(error) => Some(error),
        }
    }
}

/// Why a figure could not be painted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChartError {
    /// A picture cannot have this size.
    Size {
        /// The rule, with its verb.
        rule: String,
        /// The size given.
        got: String,
    },
    /// The size is valid, but at the requested resolution a PNG would have no pixels or too many.
    Pixels {
        /// The rule, with its verb.
        rule: String,
        /// The size and the resolution given.
        got: String,
    },
    /// Both themes were requested for a PNG or a PDF, which can have only one.
    TwoThemes,
    /// The canvas does not fit in memory.
    Memory,
    /// The typeface of a PNG or PDF has no glyph for this character.
    NoLetter(char),
    /// A library that paints or encodes pictures failed, with this message.
    Library(String),
}

impl ChartError {
    /// Returns what would help, if it is known.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Pixels { .. } => Some("lower --size or --dpi"),
            Self::NoLetter(_) => Some("write an .svg, whose viewer can use other typefaces"),
            _ => None,
        }
    }
}

impl fmt::Display for ChartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { rule, got } => write!(f, "size {rule}, got {got}"),
            Self::Pixels { rule, got } => write!(f, "dpi {rule}, got {got}"),
            Self::TwoThemes => f.write_str("theme of a PNG or PDF must be light or dark, got auto"),
            Self::Memory => f.write_str("picture does not fit in memory"),
            Self::NoLetter(letter) => write!(
                f,
                "a PNG or PDF cannot show {letter:?}: its typeface, DejaVu, has no such letter"
            ),
            Self::Library(message) => write!(f, "picture could not be painted: {message}"),
        }
    }
}

impl Error for ChartError {}
