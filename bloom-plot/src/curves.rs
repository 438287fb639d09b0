//! What a figure is: names, axes, curves and measured points, with no drawing in it.

/// A picture before it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What the picture shows, in a few words.
    pub title: String,
    /// How to read the marks: one or two short sentences, shown under the title. May be empty.
    pub note: String,
    /// What the picture says, in one sentence, for who cannot see it.
    pub description: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, each in a colour of its own.
    pub series: Vec<Series>,
    /// Numbers of the horizontal axis that are pointed out.
    pub marks: Vec<Mark>,
}

impl Figure {
    /// Returns whether any part of a curve or any point is within both axes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_plot::Trust;
    ///
    /// let question = Trust { rates: vec![0.01], prevalence: 1e-6, effort: None };
    /// let mut figure = question.figure()?;
    /// assert!(figure.shows_something());
    /// (figure.y.from, figure.y.to) = (3.0, 9.0);
    /// assert!(!figure.shows_something());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shows_something(&self) -> bool {
        self.series.iter().any(|series| self.shows(series))
    }

    /// Returns the names of the series of which nothing is within both axes.
    pub(crate) fn unseen(&self) -> Vec<&str> {
        let unseen = self.series.iter().filter(|series| !self.shows(series));
        let labels = unseen.map(|series| &*series.label);
        labels.filter(|label| !label.is_empty()).collect()
    }

    fn shows(&self, series: &Series) -> bool {
        let place = |x: f64, y: f64| Some((self.x.share(x)?, self.y.share(y)?));
        // Two neighbours of a curve are seen where neither axis has both of them on one side.
        let is_seen = |one: (f64, f64), other: (f64, f64)| {
            let crosses = |one: f64, other: f64| one.min(other) <= 1.0 && one.max(other) >= 0.0;
            crosses(one.0, other.0) && crosses(one.1, other.1)
        };
        let places = series.curve.iter();
        let places: Vec<_> = places.filter_map(|point| place(point.x, point.y)).collect();
        let dots = series.dots.iter().map(|dot| (dot.x, dot.y));
        let measured = series.measured.iter().map(|point| match *point {
            Measured::Value { x, y, .. } | Measured::Across { x, y, .. } => (x, y),
            Measured::Below { x, bound } => (x, bound),
            Measured::AcrossBelow { bound, y } => (bound, y),
        });
        let mut points = dots.chain(measured).filter_map(|(x, y)| place(x, y));
        places.windows(2).any(|pair| is_seen(pair[0], pair[1]))
            || points.any(|point| is_seen(point, point))
    }
}

/// A number of the horizontal axis that is pointed out by an upright line.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// The number.
    pub x: f64,
    /// What it is, in a few words, written above the line.
    pub label: String,
}

/// The most series whose colours can be told apart.
pub const MOST_SERIES: usize = 8;

/// A named range of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The name, with its letter and, in brackets, its unit if it has one: `items n`.
    pub name: String,
    /// How numbers are spread over the axis.
    pub scale: Scale,
    /// The number at the left or lower end.
    pub from: f64,
    /// The number at the right or upper end.
    pub to: f64,
}

/// How numbers are spread over an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps for equal differences.
    Linear,
    /// As linear, with whole numbers only.
    Counts,
    /// As linear; whole numbers stand for names, which the figure's marks give.
    Names,
    /// Equal steps for equal ratios; no place for 0 and below.
    Log,
}

impl Axis {
    /// Returns where a number is between the ends of the axis: 0 at `from`, 1 at `to`, and outside
    /// of that beyond them. `None` if the axis has no place for it.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_plot::curves::{Axis, Scale};
    ///
    /// let axis = Axis { name: "rate p".into(), scale: Scale::Log, from: 1e-4, to: 1.0 };
    /// assert_eq!(axis.share(0.01), Some(0.5));
    /// assert_eq!(axis.share(0.0), None);
    /// ```
    pub fn share(&self, number: f64) -> Option<f64> {
        let place = |number: f64| match self.scale {
            Scale::Linear | Scale::Counts | Scale::Names => number,
            Scale::Log => number.log10(),
        };
        let (from, to) = (place(self.from), place(self.to));
        Some((place(number) - from) / (to - from)).filter(|share| share.is_finite())
    }
}

/// A curve and the points measured beside it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// The name, written at the end of the curve: `k = 7`.
    pub label: String,
    /// The theory, from left to right.
    pub curve: Vec<Point>,
    /// Whether the curve is drawn with dashes, as a bound or a model to compare with is.
    pub dashed: bool,
    /// The number of the horizontal axis after which the curve goes on in dashes, if any: where a
    /// filter is fuller than it is meant to be.
    pub dashed_after: Option<f64>,
    /// Points that are shown as discs: where the curve has a value, or one that is pointed out.
    pub dots: Vec<Point>,
    /// What was measured.
    pub measured: Vec<Measured>,
}

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Its place on the horizontal axis.
    pub x: f64,
    /// Its place on the vertical axis.
    pub y: f64,
}

/// What was measured at one place of the horizontal axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measured {
    /// A value with the interval it is sure to.
    Value {
        /// The place on the horizontal axis.
        x: f64,
        /// The value measured.
        y: f64,
        /// The lower end of the interval.
        low: f64,
        /// The upper end of the interval.
        high: f64,
    },
    /// Nothing was seen: all that is known is that the value is below a bound.
    Below {
        /// The place on the horizontal axis.
        x: f64,
        /// The upper bound.
        bound: f64,
    },
    /// A value of the horizontal axis with the interval it is sure to.
    Across {
        /// The value measured.
        x: f64,
        /// The lower end of the interval.
        low: f64,
        /// The higher end of the interval.
        high: f64,
        /// The place on the vertical axis.
        y: f64,
    },
    /// Nothing was seen: all that is known is that the value of the horizontal axis is below a
    /// bound.
    AcrossBelow {
        /// The upper bound.
        bound: f64,
        /// The place on the vertical axis.
        y: f64,
    },
}

impl Series {
    /// Returns the series without what was measured.
    #[must_use]
    pub fn theory(&self) -> Self {
        Self {
            measured: Vec::new(),
            ..self.clone()
        }
    }
}

impl Measured {
    /// Returns the same with its value on the horizontal axis, at a place of the vertical one.
    #[must_use]
    pub fn across(self, at: f64) -> Self {
        match self {
            Self::Value { y, low, high, .. } => Self::Across {
                x: y,
                low,
                high,
                y: at,
            },
            Self::Below { bound, .. } => Self::AcrossBelow { bound, y: at },
            across => across,
        }
    }

    /// Returns the same in other units: each number of the vertical axis as `y` says, which must
    /// rise.
    #[must_use]
    pub fn map_y(self, y: impl Fn(f64) -> f64) -> Self {
        match self {
            Self::Value {
                x,
                y: value,
                low,
                high,
            } => Self::Value {
                x,
                y: y(value),
                low: y(low),
                high: y(high),
            },
            Self::Below { x, bound } => Self::Below { x, bound: y(bound) },
            Self::Across {
                x,
                low,
                high,
                y: at,
            } => Self::Across {
                x,
                low,
                high,
                y: y(at),
            },
            Self::AcrossBelow { bound, y: at } => Self::AcrossBelow { bound, y: y(at) },
        }
    }
}
