//! Reads points that a user draws over a figure: comma-separated values with a header.

use crate::curves::{Figure, MAX_SERIES, Measured, Point, Series};
use crate::parse::Failure;

/// Reads the columns x and y, or those of the axes' names as `--csv` writes them, and, if known, low
/// and high, the ends of an interval, and series and kind: points of the kind curve are joined.
///
/// # Errors
///
/// The text must have these columns, with a number in each x and y; the series must not be more
/// than can be told apart.
pub(crate) fn points(text: &str, name: &str, figure: &Figure) -> Result<Vec<Series>, Failure> {
    let wrong = |line: usize, rule: &str| {
        let failure = Failure::new(format!("over must {rule}, got line {line} of {name}"));
        failure.hint("write a header such as x,y or x,y,low,high,series, then a point on each line")
    };
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let header = reader.headers().map_err(|_| wrong(1, "be text"))?.clone();
    let column = |names: [&str; 2]| header.iter().position(|name| names.contains(&name));
    let x = column(["x", &figure.x.name]).ok_or_else(|| wrong(1, "have a column x"))?;
    let y = column(["y", &figure.y.name]).ok_or_else(|| wrong(1, "have a column y"))?;
    let [low, high, series, kind] = ["low", "high", "series", "kind"].map(|name| column([name; 2]));
    let mut all: Vec<Series> = Vec::new();
    for (index, record) in reader.records().enumerate() {
        let wrong = |rule: &str| wrong(index + 2, rule);
        let record =
            record.map_err(|_| wrong("have as many fields in each line as in the first"))?;
        let field = |column: Option<usize>| record.get(column?).filter(|text| !text.is_empty());
        let number = |column| field(column).and_then(|text| text.parse::<f64>().ok());
        let kind = field(kind).unwrap_or("measured");
        // A band, a mark and a bound have no point.
        if !["curve", "dot", "measured"].contains(&kind) {
            continue;
        }
        let (Some(x), Some(y)) = (number(Some(x)), number(Some(y))) else {
            let [x, y] = [Some(x), Some(y)].map(|column| field(column).unwrap_or("nothing"));
            return Err(wrong(&format!("have numbers as x and y, not {x} and {y}")));
        };
        let label = field(series).unwrap_or(name);
        if all.last().is_none_or(|last| last.label != label) {
            all.push(Series::line(label, Vec::new()));
        }
        let last = all.len() - 1;
        match kind {
            "curve" => all[last].curve.push(Point { x, y }),
            "dot" => all[last].dots.push(Point { x, y }),
            _ => {
                let ends = [number(low).unwrap_or(y), number(high).unwrap_or(y)];
                all[last]
                    .measured
                    .push(Measured::value(x, y, ends[0], ends[1]));
            }
        }
    }
    if all.is_empty() {
        return Err(wrong(1, "have points"));
    }
    if figure.series.len() + all.len() > MAX_SERIES {
        let got = figure.series.len() + all.len();
        let message = format!("over must leave at most {MAX_SERIES} curves, got {got}");
        return Err(Failure::new(message));
    }
    Ok(all)
}
