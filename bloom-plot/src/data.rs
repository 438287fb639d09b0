//! The data behind a figure or a diagram as comma-separated values.

use std::fmt::Write;

use crate::curves::{Figure, Measured, Point, Span};
use crate::diagram::{Diagram, Item};

/// The values of the column `kind` in the data of a figure.
pub(crate) mod kind {
    pub(crate) const CURVE: &str = "curve";
    pub(crate) const DOT: &str = "dot";
    pub(crate) const MEASURED: &str = "measured";
    pub(crate) const MEASURED_X: &str = "measured x";
    pub(crate) const BAND: &str = "band";
    pub(crate) const BOUND: &str = "bound";
    pub(crate) const BOUND_X: &str = "bound x";
    pub(crate) const MARK: &str = "mark";
}

/// Returns a header line, then one line for each point, each place of a band and each mark.
///
/// A point of the kind `curve` is computed, and a `band` is the range around a curve. A `dot` is drawn as a disc. A `measured`
/// point has its interval. A `bound` is measured, but none of the counted events was observed, so only an upper bound `high` of
/// its value is known. In `measured x` and `bound x`, the value and its interval are on the horizontal axis. A `mark` has only
/// an x.
pub(crate) fn csv(figure: &Figure) -> String {
    let mut text = format!(
        "series,kind,{},{},low,high\n",
        field(&figure.x.name),
        field(&figure.y.name)
    );
    let mut line = |label: &str, kind: &str, numbers: [Option<f64>; 4]| {
        let [x, y, low, high] = numbers.map(|number| number.map_or_else(String::new, written));
        writeln!(text, "{},{kind},{x},{y},{low},{high}", field(label)).expect("text is written");
    };
    for series in &figure.series {
        for Span { x, low, high } in &series.band {
            let ends = [Some(*x), None, Some(*low), Some(*high)];
            line(&series.label, kind::BAND, ends);
        }
        for (kind, points) in [(kind::CURVE, &series.curve), (kind::DOT, &series.dots)] {
            for Point { x, y } in points {
                line(&series.label, kind, [Some(*x), Some(*y), None, None]);
            }
        }
        for point in &series.measured {
            let Measured {
                x,
                y,
                low,
                high,
                is_bound,
                across,
            } = *point;
            let kind = match (is_bound, across) {
                (false, false) => kind::MEASURED,
                (true, false) => kind::BOUND,
                (false, true) => kind::MEASURED_X,
                (true, true) => kind::BOUND_X,
            };
            // If the point is a bound, neither its value nor the lower end of its interval is known.
            let x = (!(across && is_bound)).then_some(x);
            let y = (across || !is_bound).then_some(y);
            let low = (!is_bound).then_some(low);
            line(&series.label, kind, [x, y, low, Some(high)]);
        }
    }
    for mark in &figure.marks {
        line(&mark.label, kind::MARK, [Some(mark.x), None, None, None]);
    }
    text
}

/// Returns a header line, then one line for each position of each item that is inserted, removed or queried, then one for each
/// bit or counter of the filter.
pub(crate) fn diagram_csv(diagram: &Diagram) -> String {
    let mut text = "kind,name,position,value\n".to_owned();
    let mut lines = |kind: &str, item: &Item, value: &str| {
        for position in &item.positions {
            text += &format!("{kind},{},{position},{value}\n", field(&item.name));
        }
    };
    for item in &diagram.inserts {
        lines("insert", item, "");
    }
    for (item, accepted) in &diagram.removes {
        lines(
            "remove",
            item,
            if *accepted { "removed" } else { "refused" },
        );
    }
    for (item, verdict) in &diagram.queries {
        lines("query", item, verdict.text());
    }
    let kind = diagram.kind.cell();
    for (position, count) in diagram.counts.iter().enumerate() {
        let mut groups = diagram.groups.iter();
        let group = groups.find(|group| group.positions.contains(&(position as u64)));
        let name = group.map_or_else(String::new, |group| field(&group.label));
        let value = diagram.value(*count);
        text += &format!("{kind},{name},{position},{value}\n");
    }
    text
}

/// Returns a short text that parses back to the same number.
pub(crate) fn written(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return format!("{number:.0}");
    }
    format!("{number:?}")
}

/// Returns a text as a field, quoted where necessary.
pub(crate) fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::axis;
    use crate::curves::{Mark, Scale, Series};

    #[test]
    fn every_point_is_a_line_that_reads_back() {
        let axis = |name: &str| axis(name, Scale::Log, 1.0, 2.0);
        let point = |x, y| Point { x, y };
        let figure = Figure {
            title: String::new(),
            note: String::new(),
            description: String::new(),
            x: axis("items n"),
            y: axis("rate, \"p\""),
            series: vec![Series {
                label: "k = 7".to_owned(),
                curve: vec![point(1.0, 1e-300), point(2_000.0, 0.1 + 0.2)],
                band: vec![Span {
                    x: 1.0,
                    low: 0.0,
                    high: 0.5,
                }],
                dots: vec![point(0.5, 1.0)],
                measured: vec![
                    Measured::value(3.0, 0.25, 0.125, 0.5),
                    Measured::below(1.0, 0.1),
                ],
                ..Series::default()
            }],
            marks: vec![Mark::new(6.93, "best")],
        };
        assert_eq!(
            csv(&figure),
            "series,kind,items n,\"rate, \"\"p\"\"\",low,high\n\
             k = 7,band,1,,0,0.5\n\
             k = 7,curve,1,1e-300,,\n\
             k = 7,curve,2000,0.30000000000000004,,\n\
             k = 7,dot,0.5,1,,\n\
             k = 7,measured,3,0.25,0.125,0.5\n\
             k = 7,bound,1,,,0.1\n\
             best,mark,6.93,,,\n"
        );
    }
}
