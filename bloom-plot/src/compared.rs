//! Combines several figures into one, for a chart that compares several n or m.

use crate::axes::check_count;
use crate::curves::{Axis, Figure, MAX_SERIES, Series};
use crate::error::FigureError;

/// Two curves count as the same if the coordinates of their ends differ by at most this share.
const SAME: f64 = 1e-3;

/// Returns one figure with the curves of all figures. Its title keeps the parts between commas that all figures have. Its note
/// keeps the sentences that all figures have, and any sentence on bands. The label of each figure is added to the labels of its
/// curves. A dashed curve without measured points that is the same in several figures is drawn once, without the label of a
/// figure.
///
/// # Errors
///
/// There must be at most [`MAX_SERIES`] curves, because more could not be told apart by their colours.
pub(crate) fn compared(figures: Vec<(String, Figure)>) -> Result<Figure, FigureError> {
    let all: Vec<&Figure> = figures.iter().map(|(_, figure)| figure).collect();
    let said = |part: fn(&Figure) -> &str, between: &str| {
        let parts = |figure| part(figure).trim_end_matches('.').split(between);
        let mut kept: Vec<&str> = Vec::new();
        for said in all.iter().flat_map(|figure| parts(figure)) {
            let by_all = || {
                all.iter()
                    .all(|figure| parts(figure).any(|other| other == said))
            };
            // The sentence on bands is kept even if some of the figures have no band.
            if !kept.contains(&said) && (said.starts_with("Bands ") || by_all()) {
                kept.push(said);
            }
        }
        kept.join(between)
    };
    let mut marks = all[0].marks.clone();
    marks.retain(|mark| all.iter().all(|figure| figure.marks.contains(mark)));
    let descriptions: Vec<&str> = all.iter().map(|figure| &*figure.description).collect();
    let mut whole = Figure {
        title: said(|figure| &figure.title, ", "),
        note: said(|figure| &figure.note, ". ") + ".",
        description: descriptions.join(" "),
        x: around(all.iter().map(|figure| &figure.x)),
        y: around(all.iter().map(|figure| &figure.y)),
        series: Vec::new(),
        marks,
    };
    for (label, figure) in figures {
        for series in figure.series {
            let named = |known: &&mut Series| known.label.split(", ").next() == Some(&series.label);
            let mut known = whole.series.iter_mut().filter(named);
            if let Some(known) = known.find(|known| are_same(known, &series)) {
                // The curve holds for each figure, so its label names no figure.
                known.label = series.label;
            } else {
                let label = format!("{}, {label}", series.label);
                whole.series.push(Series { label, ..series });
            }
        }
    }
    check_count("curves", whole.series.len(), MAX_SERIES)?;
    Ok(whole)
}

/// Returns an axis that covers the ranges of all the given axes.
fn around<'a>(axes: impl Iterator<Item = &'a Axis>) -> Axis {
    let whole = axes.cloned().reduce(|mut whole, axis| {
        let is_reversed = whole.from > whole.to;
        let ends = if is_reversed {
            [f64::max, f64::min]
        } else {
            [f64::min, f64::max]
        };
        whole.from = ends[0](whole.from, axis.from);
        whole.to = ends[1](whole.to, axis.to);
        whole
    });
    whole.expect("there are figures to compare")
}

/// Returns whether two series are equal dashed curves without measured points, such as a lower bound that holds for all
/// filters. Only the ends of the curves are compared.
fn are_same(one: &Series, other: &Series) -> bool {
    let ends = |series: &Series| Some([*series.curve.first()?, *series.curve.last()?]);
    let close = |one: f64, other: f64| (one - other).abs() <= SAME * one.abs();
    let bare = one.measured.is_empty() && other.measured.is_empty();
    let (Some(ends), Some(others)) = (ends(one), ends(other)) else {
        return false;
    };
    let mut pairs = ends.iter().zip(&others);
    let dashed = one.dashed && other.dashed;
    bare && dashed && pairs.all(|(one, other)| close(one.x, other.x) && close(one.y, other.y))
}
