//! Reads the file of the flag `--over`: points that a user wants to see in a figure, as comma-separated values with a header.

use std::path::Path;

use crate::curves::{Figure, MAX_SERIES, Measured, Point, Series};
use crate::data::kind;
use crate::parse::{self, Failure, finite};
use crate::words::listed;

/// The values of the column `kind` whose points are drawn.
const DRAWN: [&str; 4] = [kind::CURVE, kind::DOT, kind::MEASURED, kind::MEASURED_X];

/// The other values that the column `kind` has in the output of `--csv`. Their lines have no point to draw, and are skipped.
const NOT_DRAWN: [&str; 4] = [kind::BAND, kind::BOUND, kind::BOUND_X, kind::MARK];

/// Reads the columns x and y. Each may have the name of the figure's axis instead, as in the output of `--csv`. Four columns
/// are optional: low, high, series and kind. Low and high are the ends of an interval. Points whose kind is curve are joined by
/// lines.
///
/// # Errors
///
/// The text must have the columns x and y, with a number in both for each point that is drawn. Low and high must be numbers or
/// empty, and low at most high. A kind must be one that `--csv` writes. There must be a point to draw, and the figure must have
/// at most [`MAX_SERIES`] series together with the points.
pub(crate) fn points(path: &Path, figure: &Figure) -> Result<Vec<Series>, Failure> {
    let text = parse::file(path)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    // The error names the line of the file that ends at byte `end`. The number of this line is not the number of records that
    // were read, because blank lines are not records.
    let wrong = |end: u64, rule: &str| {
        let read = text.get(..end as usize).unwrap_or(&text).trim_end();
        let (line, file) = (read.lines().count().max(1), path.display());
        let failure = Failure::new(format!("over must {rule}: see line {line} of {file}"));
        failure.hint("write a header such as x,y or x,y,low,high,series, then a point on each line")
    };
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let header = reader.headers().map_err(|_| wrong(0, "be text"))?.clone();
    let column = |names: [&str; 2]| header.iter().position(|name| names.contains(&name));
    let x_column = column(["x", &figure.x.name]).ok_or_else(|| wrong(0, "have a column x"))?;
    let y_column = column(["y", &figure.y.name]).ok_or_else(|| wrong(0, "have a column y"))?;
    let [low, high, series, of_kind] =
        ["low", "high", "series", "kind"].map(|name| column([name; 2]));
    let mut all: Vec<Series> = Vec::new();
    let mut records = reader.records();
    while let Some(record) = records.next() {
        let end = records.reader().position().byte();
        let wrong = |rule: &str| wrong(end, rule);
        let record =
            record.map_err(|_| wrong("have as many fields in each line as in the first"))?;
        let not_number = |column: usize| {
            let (name, text) = (&header[column], &record[column]);
            wrong(&format!("have a number in {name}, not {text:?}"))
        };
        let number = |column: usize| match &record[column] {
            "" => Ok(None),
            text => finite(text).map(Some).ok_or_else(|| not_number(column)),
        };
        let (x, y) = (number(x_column)?, number(y_column)?);
        let [low, high] = [low, high].map(|column| column.map_or(Ok(None), number));
        let (low, high) = (low?, high?);
        let field = |column: Option<usize>| record.get(column?).filter(|text| !text.is_empty());
        let kind = field(of_kind).unwrap_or(kind::MEASURED);
        if NOT_DRAWN.contains(&kind) {
            continue;
        }
        if !DRAWN.contains(&kind) {
            let kinds = listed(&[DRAWN, NOT_DRAWN].concat(), "or");
            return Err(wrong(&format!("have {kinds} as kind, not {kind:?}")));
        }
        let x = x.ok_or_else(|| not_number(x_column))?;
        let y = y.ok_or_else(|| not_number(y_column))?;
        let label = field(series).unwrap_or(&name);
        if all.last().is_none_or(|last| last.label != label) {
            all.push(Series::line(label, Vec::new()));
        }
        let last = all.len() - 1;
        match kind {
            kind::CURVE => all[last].curve.push(Point { x, y }),
            kind::DOT => all[last].dots.push(Point { x, y }),
            _ => {
                let across = kind == kind::MEASURED_X;
                let value = if across { x } else { y };
                let (low, high) = (low.unwrap_or(value), high.unwrap_or(value));
                if low > high {
                    let rule = format!("have low at most high, not {low} and {high}");
                    return Err(wrong(&rule));
                }
                let value = Measured::value(x, y, low, high);
                all[last].measured.push(Measured { across, ..value });
            }
        }
    }
    if all.is_empty() {
        return Err(wrong(0, "have points"));
    }
    if figure.series.len() + all.len() > MAX_SERIES {
        let got = figure.series.len() + all.len();
        let message =
            format!("chart and over must have at most {MAX_SERIES} curves together, got {got}");
        return Err(Failure::new(message));
    }
    Ok(all)
}

/// Returns a note that counts the points of a series that are missing in the picture, if there are any: points beyond the ends
/// of the axes and, on a logarithmic axis, points that are not above 0.
pub(crate) fn outside(figure: &Figure, series: &Series) -> Option<String> {
    let measured = series.measured.iter();
    let measured = measured.map(|&Measured { x, y, .. }| Point { x, y });
    let points = series.curve.iter().chain(&series.dots).copied();
    let inside: Vec<bool> = points
        .chain(measured)
        .map(|point| figure.contains(point))
        .collect();
    let (label, all) = (&series.label, inside.len());
    let count = inside.into_iter().filter(|inside| !inside).count();
    let are = if count == 1 { "is" } else { "are" };
    (count > 0)
        .then(|| format!("note: {count} of {all} points of {label} {are} outside of the picture"))
}
