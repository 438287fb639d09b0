//! How a picture looks: its size, and the colours of its theme.

use std::fmt;

use crate::curves::MOST_SERIES;
use crate::size::Size;

/// A colour as red, green and blue.
pub(crate) type Colour = [u8; 3];

/// The background that a picture is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Dark lines on white.
    #[default]
    Light,
    /// Light lines on near-black.
    Dark,
}

/// The size and the theme of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// Width and height.
    pub size: Size,
    /// Colours.
    pub theme: Theme,
}

impl From<Size> for Look {
    fn from(size: Size) -> Self {
        Self {
            size,
            theme: Theme::default(),
        }
    }
}

impl Theme {
    /// Every theme.
    pub const ALL: [Self; 2] = [Self::Light, Self::Dark];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Returns the theme with this name, ignoring case.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|theme| name.eq_ignore_ascii_case(theme.name()))
    }

    pub(crate) fn palette(self) -> &'static Palette {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The colours of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Palette {
    pub(crate) paper: Colour,
    /// Text.
    pub(crate) ink: Colour,
    pub(crate) faint_ink: Colour,
    pub(crate) axis: Colour,
    pub(crate) grid: Colour,
    /// Curves, in the order of the series.
    pub(crate) series: [Colour; MOST_SERIES],
}

/// Colours that colour-blind readers can tell apart, after Okabe and Ito (2008), with grey in place
/// of their yellow, which is too light for lines on white.
const LIGHT: Palette = Palette {
    paper: [0xff; 3],
    ink: [0x22; 3],
    faint_ink: [0x55; 3],
    axis: [0x66; 3],
    grid: [0xe4; 3],
    series: [
        [0x00, 0x72, 0xb2],
        [0xd5, 0x5e, 0x00],
        [0x00, 0x9e, 0x73],
        [0xcc, 0x79, 0xa7],
        [0xe6, 0x9f, 0x00],
        [0x56, 0xb4, 0xe9],
        [0x00, 0x00, 0x00],
        [0x80, 0x80, 0x80],
    ],
};

/// The same colours, lighter, with their yellow, and with white in place of black.
const DARK: Palette = Palette {
    paper: [0x14, 0x17, 0x1c],
    ink: [0xe8; 3],
    faint_ink: [0xb4; 3],
    axis: [0xa0; 3],
    grid: [0x33, 0x37, 0x3d],
    series: [
        [0x56, 0xb4, 0xe9],
        [0xf0, 0x7f, 0x35],
        [0x2d, 0xc0, 0x98],
        [0xe4, 0x9d, 0xc6],
        [0xf0, 0xe4, 0x42],
        [0x8c, 0x9e, 0xff],
        [0xff, 0xff, 0xff],
        [0x96, 0x96, 0x96],
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, and the contrast ratio of two colours, after the Web Content
    /// Accessibility Guidelines.
    fn contrast(one: Colour, other: Colour) -> f64 {
        let luminance = |colour: Colour| {
            let part = |part: u8| match f64::from(part) / 255.0 {
                low if low <= 0.04045 => low / 12.92,
                high => ((high + 0.055) / 1.055).powf(2.4),
            };
            0.2126 * part(colour[0]) + 0.7152 * part(colour[1]) + 0.0722 * part(colour[2])
        };
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn texts_and_curves_contrast_with_the_background() {
        for theme in Theme::ALL {
            let palette = theme.palette();
            assert!(contrast(palette.ink, palette.paper) > 10.0);
            assert!(contrast(palette.faint_ink, palette.paper) > 7.0);
            for (index, colour) in palette.series.iter().enumerate() {
                assert!(contrast(*colour, palette.paper) > 2.0, "{theme} {index}");
                assert!(!palette.series[..index].contains(colour));
            }
        }
    }

    #[test]
    fn themes_are_parsed_by_name() {
        for theme in Theme::ALL {
            assert_eq!(Theme::from_name(&theme.name().to_uppercase()), Some(theme));
        }
        assert_eq!(Theme::from_name("grey"), None);
    }
}
