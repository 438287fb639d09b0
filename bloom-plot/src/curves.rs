//! A figure (a chart with axes) as data: title, axes, curves and measured points, independent of any drawing.

/// A picture before it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What the figure shows, in a few words.
    pub title: String,
    /// The legend: how to read the picture, in a few short sentences under the title. May be empty.
    pub note: String,
    /// What the figure shows, for screen readers: one sentence, or several if the figure combines several figures.
    pub description: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series, each of which has a colour of its own, unless it is joined to the series before.
    pub series: Vec<Series>,
    /// Values on the horizontal axis that get a labelled vertical line, or, on an axis of names, the names.
    pub marks: Vec<Mark>,
}

impl Figure {
    /// Returns whether any part of a curve or a band, or any point, is inside both axes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_plot::{Measurable, Trust};
    ///
    /// let question = Trust { rates: vec![0.01], prevalence: 1e-6 };
    /// let mut figure = question.figure(None)?;
    /// assert!(figure.shows_something());
    /// (figure.y.from, figure.y.to) = (3.0, 9.0);
    /// assert!(!figure.shows_something());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shows_something(&self) -> bool {
        self.series.iter().any(|series| self.shows(series))
    }

    /// Returns the point of a series that has the series' label to its left, if there is such a point inside both axes.
    pub(crate) fn label_at(&self, series: &Series) -> Option<Point> {
        series.label_at.filter(|point| self.contains(*point))
    }

    /// Returns whether a point is inside both axes.
    pub(crate) fn contains(&self, point: Point) -> bool {
        let mut shares = [self.x.share(point.x), self.y.share(point.y)].into_iter();
        shares.all(|share| share.is_some_and(|share| (0.0..=1.0).contains(&share)))
    }

    /// Makes the horizontal or the vertical axis linear or logarithmic.
    pub(crate) fn rescale(&mut self, across: bool, log: bool) -> Result<(), &'static str> {
        let is_seen = |y: f64| self.y.share(y).is_some_and(|share| share >= 0.0);
        let curves = self.series.iter().flat_map(|series| &series.curve);
        // For the horizontal axis, points below the picture do not count, because a curve may begin far below it.
        let curves = curves.filter(|point| !across || is_seen(point.y));
        let curves = curves.map(|point| if across { point.x } else { point.y });
        let measured = self.series.iter().flat_map(|series| &series.measured);
        let measured = measured.map(|point| match (across, point.across) {
            (true, _) => point.x,
            (false, true) => point.y,
            (false, false) => point.high,
        });
        let values: Vec<f64> = curves.chain(measured).collect();
        let axis = if across { &mut self.x } else { &mut self.y };
        axis.rescale(log, &values)
    }

    /// Returns the labels of the series that are entirely outside the axes.
    pub(crate) fn unseen(&self) -> Vec<&str> {
        let unseen = self.series.iter().filter(|series| !self.shows(series));
        let labels = unseen.filter(|series| !series.joined);
        let labels = labels.map(|series| &*series.label);
        labels.filter(|label| !label.is_empty()).collect()
    }

    fn shows(&self, series: &Series) -> bool {
        let place = |x: f64, y: f64| Some((self.x.share(x)?, self.y.share(y)?));
        // A segment or an area is visible unless all its corners are beyond the same end of an axis.
        let is_seen = |corners: &[(f64, f64)]| {
            let are_all = |beyond: fn(&(f64, f64)) -> bool| corners.iter().all(beyond);
            let beside = are_all(|corner| corner.0 < 0.0) || are_all(|corner| corner.0 > 1.0);
            !(beside || are_all(|corner| corner.1 < 0.0) || are_all(|corner| corner.1 > 1.0))
        };
        let places = series.curve.iter();
        let places: Vec<_> = places.filter_map(|point| place(point.x, point.y)).collect();
        let dots = series.dots.iter().map(|dot| (dot.x, dot.y));
        let measured = series.measured.iter().map(|point| (point.x, point.y));
        let mut points = dots.chain(measured).filter_map(|(x, y)| place(x, y));
        let ends = |span: &Span| Some([place(span.x, span.low)?, place(span.x, span.high)?]);
        let spans: Vec<_> = series.band.iter().filter_map(ends).collect();
        places.windows(2).any(is_seen)
            || spans.windows(2).any(|pair| is_seen(pair.as_flattened()))
            || points.any(|point| is_seen(&[point]))
    }
}

/// A labelled vertical line at a value on the horizontal axis, or a name on an axis of names.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// The value on the horizontal axis.
    pub x: f64,
    /// The label above the line, in a few words, or the name.
    pub label: String,
}

impl Mark {
    pub(crate) fn new(x: f64, label: impl Into<String>) -> Self {
        let label = label.into();
        Self { x, label }
    }
}

/// The most series whose colours can be told apart.
pub const MAX_SERIES: usize = 8;

/// An axis of a figure: a range of values, with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What the values are, with their letter or unit, such as `items n` or `time in ns per key`.
    pub name: String,
    /// How values are mapped to the axis.
    pub scale: Scale,
    /// The value at the left or lower end.
    pub from: f64,
    /// The value at the right or upper end.
    pub to: f64,
}

/// How values are mapped to an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Linear: equal differences have equal lengths.
    Linear,
    /// Linear, with ticks at whole numbers only.
    Counts,
    /// Linear, with a name at each whole number instead of the number. The figure's marks have these names.
    Names,
    /// Logarithmic: equal ratios have equal lengths; 0 and negative values cannot be shown.
    Log,
    /// Logarithmic, for numbers of bits. If two powers of two fit on the axis, the ticks are at powers of two, written as
    /// bytes, KiB, MiB and so on.
    Bits,
}

impl Scale {
    /// Returns whether equal ratios have equal lengths.
    pub(crate) fn is_log(self) -> bool {
        matches!(self, Self::Log | Self::Bits)
    }
}

/// The names of the scales that a user may choose, each with whether the scale is logarithmic.
pub(crate) const LINEAR_OR_LOG: &[(&str, bool)] = &[("linear", false), ("log", true)];

/// A logarithmic axis that spans more than this ratio begins at 0 when it is made linear.
const MAX_RATIO: f64 = 100.0;

impl Axis {
    /// Makes an axis linear or logarithmic, with ends that show `values`.
    fn rescale(&mut self, log: bool, values: &[f64]) -> Result<(), &'static str> {
        let is_log = self.scale.is_log();
        if self.scale == Scale::Names {
            return Err("be left out where the axis has names");
        }
        let (low, high) = if self.from < self.to {
            (&mut self.from, &mut self.to)
        } else {
            (&mut self.to, &mut self.from)
        };
        if is_log && !log {
            let is_wide = *high > MAX_RATIO * *low;
            self.scale = match self.scale {
                Scale::Bits => Scale::Counts,
                _ => Scale::Linear,
            };
            if is_wide {
                *low = 0.0;
                // The logarithmic axis had a margin above the highest value; the linear axis ends at this value.
                *high = values.iter().copied().fold(0.0, f64::max).min(*high);
            }
        }
        if log && !is_log {
            self.scale = Scale::Log;
            if *low <= 0.0 {
                let values = values.iter().copied().filter(|value| *value > 0.0);
                *low = values.fold(*high, f64::min);
            }
            if *low >= *high {
                return Err("be linear, because no value is above 0");
            }
        }
        Ok(())
    }

    /// Returns the position of a value along the axis: 0 at `from`, 1 at `to`, and below 0 or above
    /// 1 outside the axis. Returns `None` if the axis cannot show the value.
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
        let place = |number: f64| {
            if self.scale.is_log() {
                number.log10()
            } else {
                number
            }
        };
        let (from, to) = (place(self.from), place(self.to));
        Some((place(number) - from) / (to - from)).filter(|share| share.is_finite())
    }
}

/// A curve and the points measured for it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// The label, such as `k = 7`.
    pub label: String,
    /// The point of the curve that has the label to its left. Without such a point, the label is at the end of the curve.
    pub label_at: Option<Point>,
    /// Whether the series belongs to the series before it. It then has the colour of that series, and no label in the picture.
    pub joined: bool,
    /// The computed curve, from left to right.
    pub curve: Vec<Point>,
    /// The band behind the curve, from left to right, if any: two standard deviations on either side, or the bounds or the
    /// range of its values.
    pub band: Vec<Span>,
    /// Whether the curve is a thin line that only joins its points, because nothing is computed between them.
    pub thin: bool,
    /// Whether the curve is dashed, as are the curves of bounds and of models that are drawn for comparison.
    pub dashed: bool,
    /// The value on the horizontal axis after which the curve is dashed, if there is one: the items with which the filter is
    /// half full. With more items, the filter is fuller than it was designed for.
    pub dashed_after: Option<f64>,
    /// Points that are drawn as discs, such as exact values of the curve, or values of real filters.
    pub dots: Vec<Point>,
    /// The measured points.
    pub measured: Vec<Measured>,
}

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The value on the horizontal axis.
    pub x: f64,
    /// The value on the vertical axis.
    pub y: f64,
}

/// The part of the vertical axis that a band covers at one value on the horizontal axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// The value on the horizontal axis.
    pub x: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A measured point: a value with its confidence interval, or a median with its quartiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The value on the horizontal axis.
    pub x: f64,
    /// The value on the vertical axis.
    pub y: f64,
    /// The lower end of the interval of the measured value.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// Whether none of the events that the measurement counts, such as false positives, was observed. Then only an upper bound
    /// of the value is known, and both `high` and the value are set to this bound.
    pub is_bound: bool,
    /// Whether the measured value is `x`, and not `y`.
    pub across: bool,
}

impl Series {
    /// Creates a series that has only a label and a curve.
    #[must_use]
    pub fn line(label: impl Into<String>, curve: Vec<Point>) -> Self {
        Self {
            label: label.into(),
            curve,
            ..Self::default()
        }
    }

    /// Creates a series that has only a label and a dashed curve.
    #[must_use]
    pub fn dashed(label: impl Into<String>, curve: Vec<Point>) -> Self {
        Self {
            dashed: true,
            ..Self::line(label, curve)
        }
    }
}

impl Measured {
    /// Creates a point with a measured value on the vertical axis, and the interval of this value.
    pub fn value(x: f64, y: f64, low: f64, high: f64) -> Self {
        Self {
            x,
            y,
            low,
            high,
            is_bound: false,
            across: false,
        }
    }

    /// Creates a point whose value on the vertical axis has only an upper bound.
    pub fn below(x: f64, bound: f64) -> Self {
        Self {
            is_bound: true,
            ..Self::value(x, bound, 0.0, bound)
        }
    }

    /// Returns the point with its measured value on the horizontal axis, and `at` as its value on the vertical axis.
    #[must_use]
    pub fn across(self, at: f64) -> Self {
        Self {
            x: self.y,
            y: at,
            across: true,
            ..self
        }
    }

    /// Returns the point in other units: applies `y` to the measured value and its interval. `y`
    /// must be increasing.
    #[must_use]
    pub fn map_y(self, y: impl Fn(f64) -> f64) -> Self {
        Self {
            y: y(self.y),
            low: y(self.low),
            high: y(self.high),
            ..self
        }
    }
}
