//! How a picture looks: its size, typeface and colours.

use bloom_params::numbers::grouped;

use crate::curves::MAX_SERIES;
use crate::error::ChartError;
use crate::font::Typeface;
use crate::size::{PIXELS_PER_INCH, Size};
use crate::words::by_name;

/// The most pixels of a PNG.
const MAX_PIXELS: u64 = 16_000_000;

/// A colour: its name, and red, green and blue as `0xrrggbb` in each theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colour {
    name: &'static str,
    light: u32,
    dark: u32,
}

/// The colours of a picture: for a light background, for a dark one, or for both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Dark lines on white.
    #[default]
    Light,
    /// Light lines on near-black.
    Dark,
    /// Both themes in one SVG. A browser shows the theme that its user prefers, or the theme that the address of the SVG names:
    /// `picture.svg#light` or `picture.svg#dark`. A page that contains the SVG sets the colours by the properties
    /// `--bloom-paper`, `--bloom-ink`, `--bloom-faint-ink`, `--bloom-axis`, `--bloom-grid`, and `--bloom-series-1` to `8`.
    /// Within a page that does not set these properties, the theme is light.
    Auto,
}

/// The size, the theme and the typeface of a picture, and whether it has a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// The width and height.
    pub size: Size,
    /// The colours.
    pub theme: Theme,
    /// The typeface of all texts.
    pub typeface: Typeface,
    /// Whether title and note are left out of the picture. An SVG or a PNG still has the title as metadata.
    pub untitled: bool,
}

impl From<Size> for Look {
    fn from(size: Size) -> Self {
        Self {
            size,
            ..Self::default()
        }
    }
}

impl Look {
    /// Returns the width and height of a PNG with `dpi` pixels per inch.
    ///
    /// # Errors
    ///
    /// `dpi` must be at least 1, the PNG must have at most 16 million pixels, and the theme must be
    /// light or dark.
    pub fn pixels(self, dpi: u32) -> Result<(u32, u32), ChartError> {
        if self.theme == Theme::Auto {
            return Err(ChartError::TwoThemes);
        }
        let (wide, high) = (self.size.width(), self.size.height());
        let scaled = |side: u32| (f64::from(side) * f64::from(dpi) / PIXELS_PER_INCH).round();
        let (width, height) = (scaled(wide), scaled(high));
        if width < 1.0 || height < 1.0 || width * height > MAX_PIXELS as f64 {
            let most = grouped(MAX_PIXELS);
            return Err(ChartError::Pixels {
                rule: format!("must be at least 1 and make a PNG of at most {most} pixels"),
                got: format!("{wide}x{high} at {dpi} dpi"),
            });
        }
        Ok((width as u32, height as u32))
    }
}

impl Theme {
    /// Every theme by its name.
    pub const NAMES: &[(&str, Self)] = &[
        ("light", Self::Light),
        ("dark", Self::Dark),
        ("auto", Self::Auto),
    ];

    /// Returns the theme with this name, ignoring case.
    pub fn from_name(name: &str) -> Option<Self> {
        by_name(Self::NAMES, name)
    }
}

impl Colour {
    /// Returns the colour as CSS: a number, or, for both themes in one SVG, a property with a number as its default.
    pub(crate) fn css(self, theme: Theme) -> String {
        match theme {
            Theme::Light => format!("#{:06X}", self.light),
            Theme::Dark => format!("#{:06X}", self.dark),
            Theme::Auto => format!("var(--bloom-{},#{:06X})", self.name, self.light),
        }
    }
}

/// The background.
pub(crate) const PAPER: Colour = colour("paper", 0xff_ff_ff, 0x14_17_1c);

/// Text.
pub(crate) const INK: Colour = colour("ink", 0x22_22_22, 0xe8_e8_e8);
pub(crate) const FAINT_INK: Colour = colour("faint-ink", 0x55_55_55, 0xb4_b4_b4);

pub(crate) const AXIS: Colour = colour("axis", 0x66_66_66, 0xa0_a0_a0);
pub(crate) const GRID: Colour = colour("grid", 0xe4_e4_e4, 0x33_37_3d);

/// The colours of curves, in the order of the series. Colour-blind readers can tell these colours apart: they are those of
/// Okabe and Ito (2008), with two exceptions. On white, brown takes the place of yellow, which is too light for lines. On
/// black, the colours are lighter, and white takes the place of black. No curve is grey, because in diagrams grey is for bits
/// that several items set.
pub(crate) const SERIES: [Colour; MAX_SERIES] = [
    colour("series-1", 0x00_72_b2, 0x56_b4_e9),
    colour("series-2", 0xd5_5e_00, 0xf0_7f_35),
    colour("series-3", 0x00_9e_73, 0x2d_c0_98),
    colour("series-4", 0xcc_79_a7, 0xe4_9d_c6),
    colour("series-5", 0xe6_9f_00, 0xf0_e4_42),
    colour("series-6", 0x56_b4_e9, 0x8c_9e_ff),
    colour("series-7", 0x00_00_00, 0xff_ff_ff),
    colour("series-8", 0x8c_51_0a, 0xc8_95_5a),
];

const fn colour(name: &'static str, light: u32, dark: u32) -> Colour {
    Colour { name, light, dark }
}

/// Returns CSS that sets the properties that `Colour::css` names to the dark colours.
pub(crate) fn dark_properties() -> String {
    let all = [PAPER, INK, FAINT_INK, AXIS, GRID]
        .into_iter()
        .chain(SERIES);
    let properties = all.map(|colour| {
        let value = colour.css(Theme::Dark);
        format!("--bloom-{}:{value};", colour.name)
    });
    properties.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Colour {
        /// Returns red, green and blue.
        fn rgb(self, theme: Theme) -> [u8; 3] {
            let dark = theme == Theme::Dark;
            let [_, red, green, blue] = if dark { self.dark } else { self.light }.to_be_bytes();
            [red, green, blue]
        }
    }

    /// Returns the contrast ratio of two colours, from their relative luminance, after the Web
    /// Content Accessibility Guidelines.
    fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
        let luminance = |colour: [u8; 3]| {
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
        for theme in [Theme::Light, Theme::Dark] {
            let on_paper = |colour: Colour| contrast(colour.rgb(theme), PAPER.rgb(theme));
            assert!(on_paper(INK) > 10.0);
            assert!(on_paper(FAINT_INK) > 7.0);
            let series = SERIES.map(|colour| colour.rgb(theme));
            for (index, colour) in SERIES.into_iter().enumerate() {
                assert!(on_paper(colour) > 2.0, "{theme:?} {index}");
                assert!(!series[..index].contains(&series[index]));
                let [red, green, blue] = series[index];
                let is_grey = red == green && green == blue;
                assert!(!is_grey || [0, 255].contains(&red), "{theme:?} {index}");
            }
        }
    }

    #[test]
    fn themes_are_parsed_by_name() {
        for (name, theme) in Theme::NAMES {
            assert_eq!(Theme::from_name(&name.to_uppercase()), Some(*theme));
        }
        assert_eq!(Theme::from_name("grey"), None);
    }
}
