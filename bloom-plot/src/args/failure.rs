//! Errors of the command: what went wrong, and which flag would help.

use bloom_params::units::UnitError;
use bloom_plot::{ChartError, FigureError};

/// What went wrong, and a hint.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<UnitError> for Failure {
    fn from(error: UnitError) -> Self {
        let hint = error.hint().map(str::to_owned);
        Self {
            hint,
            ..Self::new(error.to_string())
        }
    }
}

impl From<FigureError> for Failure {
    fn from(error: FigureError) -> Self {
        let failure = Self::new(error.to_string());
        match error {
            FigureError::RateTooLow { .. } => failure.hint("raise --n, or lower --m"),
            FigureError::FiltersOutOfRange(_) => failure.hint("without --measured the theory is drawn alone"),
            FigureError::TooMuchWork(_) => failure
                .hint("lower --filters, --queries, --n or --m; without --measured the theory is drawn alone"),
            FigureError::Memory(_) => failure.hint("lower --m; without --measured the theory is drawn alone"),
            FigureError::NoHashes | FigureError::TooManyCurves(_) => {
                failure.hint("write hashes like --k 3,5,7")
            }
            _ => failure,
        }
    }
}

impl From<ChartError> for Failure {
    fn from(error: ChartError) -> Self {
        let failure = Self::new(error.to_string());
        match error {
            ChartError::TooManyPixels { .. } => failure.hint("lower --size or --scale"),
            ChartError::NoLetter(_) => {
                failure.hint("write an .svg, whose reader has other typefaces")
            }
            _ => failure,
        }
    }
}
