//! The size of a picture.

use std::str::FromStr;

use crate::error::ChartError;

/// How many pixels of a [`Size`] make an inch, as in CSS.
pub(crate) const PIXELS_PER_INCH: f64 = 96.0;

/// The width and height of a picture, in pixels of 1/96 inch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    width: u32,
    height: u32,
}

impl Size {
    /// The smallest width and height at which the texts fit.
    const MIN: (u32, u32) = (300, 200);

    /// The largest width or height.
    const MAX: u32 = 4_000;

    /// Creates a size.
    ///
    /// # Errors
    ///
    /// The width must be from 300 to 4,000 and the height from 200 to 4,000.
    pub fn new(width: u32, height: u32) -> Result<Self, ChartError> {
        let (least_width, least_height) = Self::MIN;
        if (least_width..=Self::MAX).contains(&width)
            && (least_height..=Self::MAX).contains(&height)
        {
            return Ok(Self { width, height });
        }
        Err(Self::refused(format!("{width}x{height}")))
    }

    fn refused(got: String) -> ChartError {
        let ((width, height), most) = (Self::MIN, Self::MAX);
        let rule = format!("must be from {width}x{height} to {most}x{most} pixels");
        ChartError::Size { rule, got }
    }

    /// Returns the width.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Returns the height.
    pub fn height(self) -> u32 {
        self.height
    }

    /// Returns the width and the height.
    pub(crate) fn sides(self) -> (f64, f64) {
        (self.width.into(), self.height.into())
    }

    /// Returns the scale factor of texts and strokes, relative to the default size.
    pub(crate) fn unit(self) -> f64 {
        let default = Self::default();
        let across = f64::from(self.width) / f64::from(default.width);
        let down = f64::from(self.height) / f64::from(default.height);
        // In a small picture, texts shrink less than the rest so that they stay readable.
        across.min(down).max(0.75)
    }
}

impl Default for Size {
    fn default() -> Self {
        Self {
            width: 800,
            height: 500,
        }
    }
}

impl FromStr for Size {
    type Err = ChartError;

    /// Parses a size in pixels, such as `800x500`, or in inches, such as `3.5x2.2in`.
    fn from_str(text: &str) -> Result<Self, ChartError> {
        let wrong = || Self::refused(text.to_owned());
        let inches = text.strip_suffix("in");
        let sides = inches.unwrap_or(text).split_once(['x', '×']);
        let (width, height) = sides.ok_or_else(|| ChartError::Size {
            rule: "must be a width and a height, like 800x500 or 3.5x2.2in".to_owned(),
            got: text.to_owned(),
        })?;
        let side = |side: &str| {
            if inches.is_none() {
                return side.parse().ok();
            }
            // NaN and negative numbers become 0, which is out of range.
            let inches = side.parse::<f64>().ok();
            inches.map(|inches| (inches * PIXELS_PER_INCH).round() as u32)
        };
        let size = Self::new(
            side(width).ok_or_else(wrong)?,
            side(height).ok_or_else(wrong)?,
        );
        size.map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_bounded() {
        assert_eq!("800x500".parse(), Ok(Size::default()));
        assert_eq!("400×300".parse(), Size::new(400, 300));
        assert_eq!("3.5x2.5in".parse(), Size::new(336, 240));
        for wrong in [
            "", "800", "x", "800x", "299x200", "300x199", "4001x200", "1e3x500", "-800x500",
            "3x2in", "3.5x2.5", "NaNx3in", "-4x3in", "in", "42x3in",
        ] {
            let error = wrong.parse::<Size>().unwrap_err().to_string();
            let rule = if wrong.contains(['x', '×']) {
                "from 300x200 to 4000x4000 pixels"
            } else {
                "a width and a height, like 800x500 or 3.5x2.2in"
            };
            assert_eq!(error, format!("size must be {rule}, got {wrong}"));
        }
    }
}
