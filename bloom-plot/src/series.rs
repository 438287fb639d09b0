//! Draws the curves of a chart, its measured points, and the labels of the curves. The drawing of the crate Plotters is not
//! used: its legend is a box, which covers curves and whose entries must be matched by colour. Plotters also moves points
//! beyond the plot onto the edge of the plot, so that a curve bends at the edge. Here, curves are cut off at the edge.

use crate::curves::{Figure, Measured, Series, Span};
use crate::font::Typeface;
use crate::geometry::{Place, Rect, set_apart};
use crate::look::{Colour, INK, PAPER, SERIES};
use crate::plot::Plot;
use crate::scene::{Anchor, Mark, Paint, Scene, Text, scaled};
use crate::style::{HALF_HEIGHT, LEADER, THIN, label};

/// The sizes of lines and marks, in a picture of the default size.
const CURVE_WIDTH: f64 = 2.0;
const THIN_WIDTH: f64 = 0.9;
const RADIUS: f64 = 3.6;
const DOT: f64 = 3.4;
const SMALL_DOT: f64 = 1.8;
const DASHES: (f64, f64) = (7.0, 4.5);
const CAP: f64 = 3.2;
const ARROW: f64 = 20.0;
const ARROW_HEAD: f64 = 6.5;

/// The distance between the base lines of neighbouring labels, in em.
const LABEL_GAP: f64 = 1.2;

/// The dashes of the leader line from a curve that leaves the picture to its label.
const LEADER_DASHES: (f64, f64) = (1.5, 3.5);

/// A label and the place that it is for.
struct End<'a> {
    /// A place of the curve. For a series with measured points alone, it is the top right corner of the plot, so that the
    /// labels of such series form a list in the order of the series. For a label in a legend, it is the top right or the bottom
    /// right corner.
    place: Place,
    label: &'a str,
    colour: Colour,
    at: At,
}

/// Where a label is.
#[derive(Clone, Copy, PartialEq)]
enum At {
    /// Right of the plot, with a leader line from the end of the curve.
    Led,
    /// Right of the plot, with a disc in the colour of the series.
    Marked,
    /// In the plot, left of a place of the curve.
    Left,
    /// In the plot, right of the place where the curve ends.
    Right,
}

/// Draws the series of a figure.
pub(crate) fn draw(figure: &Figure, plot: &Plot<'_>, scene: &mut Scene) {
    let mut colours = SERIES.into_iter().cycle();
    let mut colour = INK;
    let mut coloured = Vec::new();
    for series in &figure.series {
        if !series.joined {
            colour = colours.next().unwrap_or(colour);
        }
        coloured.push((series, colour));
    }
    let coloured = || coloured.iter().copied();
    let mut ends = Vec::new();
    let start = scene.marks.len();
    for (series, colour) in coloured() {
        draw_band(&series.band, colour, plot, scene);
    }
    for (series, colour) in coloured() {
        let end = draw_curve(series, colour, plot, scene);
        let mut values = series.measured.iter().filter(|point| !point.is_bound);
        let is_seen = values.any(|point| plot.inside(point.x, point.y).is_some());
        let top = is_seen.then_some(((plot.area.right, plot.area.top), At::Marked));
        let left = figure.label_at(series);
        let left = left.and_then(|point| plot.place(point.x, point.y));
        let left = left.map(|place| (place, At::Left));
        let end = end.map(|place| (place, end_of(series, place, plot)));
        ends.extend(left.or(end).or(top).map(|(place, at)| End {
            place,
            label: if series.joined { "" } else { &series.label },
            colour,
            at,
        }));
    }
    for (series, colour) in coloured() {
        for point in &series.measured {
            draw_point(*point, colour, plot, scene);
        }
        let rings = series.measured.iter();
        let rings: Vec<Place> = rings
            .filter_map(|ring| plot.inside(ring.x, ring.y))
            .collect();
        for dot in &series.dots {
            let Some(place) = plot.inside(dot.x, dot.y) else {
                continue;
            };
            // A disc that overlaps the ring of a measured point is small, so that both are visible.
            let reach = (RADIUS + DOT) * plot.unit;
            let on_ring = |ring: &Place| (ring.0 - place.0).hypot(ring.1 - place.1) < reach;
            let radius = if rings.iter().any(on_ring) {
                SMALL_DOT
            } else {
                DOT
            };
            scene.disc(place, radius * plot.unit, colour);
        }
    }
    ends.retain(|end| !end.label.is_empty());
    let is_beside = |end: &End<'_>| matches!(end.at, At::Led | At::Marked);
    let (mut beside, within): (Vec<_>, Vec<_>) = ends.into_iter().partition(is_beside);
    let within_plot =
        |ends: &[End<'_>]| labels_within(ends, plot, scene.typeface, &scene.marks[start..]);
    let mut texts = within_plot(&within);
    if texts.is_none() {
        let (legend, others): (Vec<_>, Vec<_>) =
            within.into_iter().partition(|end| end.at == At::Right);
        texts = within_plot(&others);
        // The legend is in the corner away from the leader lines, which would otherwise cross it.
        let area = &plot.area;
        let is_low = |end: &End<'_>| end.place.1 > f64::midpoint(area.top, area.bottom);
        let is_up = beside.iter().any(is_low);
        beside.extend(legend.into_iter().map(|end| End {
            place: (area.right, if is_up { area.top } else { area.bottom }),
            at: At::Marked,
            ..end
        }));
    }
    draw_labels(&beside, plot, scene);
    let texts = texts.into_iter().flatten();
    scene.marks.extend(texts.map(Mark::Text));
}

/// Returns where the label of a curve is, given the last visible place of the curve. If the curve has no value further to the
/// right, and there is room, the label is in the plot, right of this place.
fn end_of(series: &Series, place: Place, plot: &Plot<'_>) -> At {
    let last = series.curve.last();
    let last = last.and_then(|point| plot.inside(point.x, point.y));
    if last == Some(place) && plot.area.right - place.0 > LEADER * plot.unit {
        return At::Right;
    }
    At::Led
}

/// Draws a band as far as it is inside the plot.
fn draw_band(band: &[Span], colour: Colour, plot: &Plot<'_>, scene: &mut Scene) {
    let spans = band.iter().filter_map(|span| {
        let high = plot.place(span.x, span.high)?;
        // If the lower end of the band is 0, which a logarithmic axis cannot show, the band extends beyond the end of the axis.
        let low = plot.place(span.x, span.low);
        Some((high, low.unwrap_or((high.0, plot.area.bottom + 1.0))))
    });
    let (mut highs, lows): (Vec<Place>, Vec<Place>) = spans.unzip();
    highs.extend(lows.into_iter().rev());
    let places = plot.area.clip_area(&highs);
    if !places.is_empty() {
        scene.shape(places, Paint::Band, colour);
    }
}

/// Draws a curve, and returns the end of its visible part, if it has a visible part.
fn draw_curve(
    series: &Series,
    colour: Colour,
    plot: &Plot<'_>,
    scene: &mut Scene,
) -> Option<Place> {
    let last = series.dashed_after.unwrap_or(f64::INFINITY);
    let solid = series.curve.partition_point(|point| point.x <= last);
    // The last point of the solid part is also the first point of the dashed part.
    let parts = [
        (&series.curve[..solid], series.dashed),
        (&series.curve[solid.saturating_sub(1)..], true),
    ];
    let mut end = None;
    for (points, dashed) in parts {
        let places = points.iter();
        let places: Vec<Place> = places
            .filter_map(|point| plot.place(point.x, point.y))
            .collect();
        for places in plot.area.clip(&places) {
            end = places.last().copied();
            let width = if series.thin { THIN_WIDTH } else { CURVE_WIDTH };
            let dashes = dashed.then(|| scaled(DASHES, plot.unit));
            scene.shape(places, Paint::Line(width * plot.unit, dashes), colour);
        }
    }
    end
}

fn draw_point(point: Measured, colour: Colour, plot: &Plot<'_>, scene: &mut Scene) {
    let Measured { x, y, .. } = point;
    let Some(centre) = plot.inside(x, y) else {
        return;
    };
    if point.is_bound {
        // The arrow points towards lower values.
        let (room, way) = match (point.across, plot.x.from > plot.x.to) {
            (false, _) => (plot.area.bottom - centre.1, (0.0, 1.0)),
            (true, true) => (plot.area.right - centre.0, (1.0, 0.0)),
            (true, false) => (centre.0 - plot.area.left, (-1.0, 0.0)),
        };
        return draw_arrow(centre, way, room, colour, plot, scene);
    }
    let ends = [point.low, point.high].map(|end| {
        let (x, y) = if point.across { (end, y) } else { (x, end) };
        plot.place(x, y)
    });
    match (ends, point.across) {
        ([Some(low), Some(high)], true) => draw_bar([low, high], (0.0, 1.0), colour, plot, scene),
        ([low, Some(high)], false) => {
            // If the lower end of the interval is 0, which a logarithmic axis cannot show, the error bar extends beyond the end
            // of the axis.
            let low = low.unwrap_or((high.0, f64::INFINITY));
            draw_bar([high, low], (1.0, 0.0), colour, plot, scene);
        }
        _ => {}
    }
    draw_ring(centre, colour, plot, scene);
}

/// Draws a circle that is filled with the colour of the paper, so that the point is visible on a line of its own colour.
fn draw_ring(centre: Place, colour: Colour, plot: &Plot<'_>, scene: &mut Scene) {
    let radius = RADIUS * plot.unit;
    scene.disc(centre, radius, colour);
    scene.disc(centre, radius - THIN * plot.unit, PAPER);
}

/// Draws an error bar. Each end inside the plot has a cap, which is a short line in the direction `cap`.
fn draw_bar(ends: [Place; 2], cap: (f64, f64), colour: Colour, plot: &Plot<'_>, scene: &mut Scene) {
    let (area, width) = (&plot.area, THIN * plot.unit);
    let within = |(x, y): Place| {
        (
            x.clamp(area.left, area.right),
            y.clamp(area.top, area.bottom),
        )
    };
    scene.line(ends.map(within).to_vec(), width, colour);
    for end in ends {
        if area.contains(end) {
            scene.line(across(end, cap, CAP * plot.unit), width, colour);
        }
    }
}

/// Draws an upper bound: a cap, which is a short line, and an arrow from the cap in the direction `way`. The arrow is at most
/// as long as `room`.
fn draw_arrow(
    place: Place,
    way: (f64, f64),
    room: f64,
    colour: Colour,
    plot: &Plot<'_>,
    scene: &mut Scene,
) {
    let (unit, width) = (plot.unit, THIN * plot.unit);
    let side = (way.1.abs(), way.0.abs());
    let length = (ARROW * unit).min(room);
    let head = (ARROW_HEAD * unit).min(length);
    let along = |length: f64| (place.0 + way.0 * length, place.1 + way.1 * length);
    let (neck, tip) = (along(length - head), along(length));
    scene.line(across(place, side, 1.4 * CAP * unit), width, colour);
    scene.line(vec![place, neck], width, colour);
    let mut places = across(neck, side, 0.5 * ARROW_HEAD * unit);
    places.push(tip);
    scene.shape(places, Paint::Area, colour);
}

/// Returns a line segment centred at a place, with `half` of its length on either side.
fn across((x, y): Place, (right, down): (f64, f64), half: f64) -> Vec<Place> {
    let (right, down) = (right * half, down * half);
    vec![(x - right, y - down), (x + right, y + down)]
}

/// Draws the labels right of the plot, without overlap, each with a leader line from the end of its curve, or with a disc in
/// the colour of its series.
fn draw_labels(ends: &[End<'_>], plot: &Plot<'_>, scene: &mut Scene) {
    let (area, unit) = (&plot.area, plot.unit);
    let heights: Vec<f64> = ends.iter().map(|end| end.place.1).collect();
    // In a low picture with many curves, labels shrink until all fit.
    let room = area.height() / (LABEL_GAP * plot.label_em * ends.len() as f64);
    let em = plot.label_em * room.min(1.0);
    let (top, bottom) = (area.top + 0.5 * em, area.bottom - 0.5 * em);
    let heights = set_apart(&heights, LABEL_GAP * em, top, bottom);
    for (end, height) in ends.iter().zip(heights) {
        let (x, y) = end.place;
        let at = area.right + (LEADER - 5.0) * unit;
        if end.at == At::Led {
            let leader = vec![
                (x, y),
                (area.right + 0.25 * LEADER * unit, y),
                (at - 0.2 * LEADER * unit, height),
                (at, height),
            ];
            // A leader line from a curve that left the picture early is dashed, so that it does not
            // look like a curve.
            let is_early = area.right - x > LEADER * unit;
            let dashes = is_early.then(|| scaled(LEADER_DASHES, unit));
            scene.shape(leader, Paint::Line(unit, dashes), end.colour);
        } else {
            // If no curve of the series ends at the edge of the plot, the label gets a disc, because a leader line would look
            // like a curve.
            let centre = (at - RADIUS * unit, height);
            scene.disc(centre, 1.2 * RADIUS * unit * room.min(1.0), end.colour);
        }
        let place = (area.right + LEADER * unit, height + HALF_HEIGHT * em);
        scene.text(Text {
            anchor: Anchor::Start,
            ..label(em, INK).at(place, end.label)
        });
    }
}

/// Returns the labels that are in the plot, each with a halo, and as near to its place of the curve as there is room. A label
/// at the end of a curve must not overlap any of `marks`. If there is no room for a label at the end of its curve, the function
/// returns `None`, and the caller moves all labels at ends of curves to a legend.
fn labels_within(
    ends: &[End<'_>],
    plot: &Plot<'_>,
    face: Typeface,
    marks: &[Mark],
) -> Option<Vec<Text>> {
    let (area, em) = (&plot.area, plot.label_em);
    let (gap, space) = (LABEL_GAP * em, 0.5 * em);
    let mut placed: Vec<Rect> = Vec::new();
    let texts = ends.iter().map(|end| {
        let width = face.width(end.label, em, false);
        let is_end = end.at == At::Right;
        // A label at the end of a curve stays near this end.
        let (left, wanted, most) = if is_end {
            (end.place.0 + space, end.place.1, 2)
        } else {
            let (x, y) = end.place;
            (x - space - width, y - 0.4 * em, 2 * ends.len())
        };
        let left = left.min(area.right - width).max(area.left + space);
        let covers = |height: f64| Rect {
            left,
            top: height - gap / 2.0,
            right: left + width,
            bottom: height + gap / 2.0,
        };
        let is_free = |height: &f64| {
            let covers = covers(*height);
            (area.top + space..=area.bottom - space).contains(height)
                && placed.iter().all(|other| covers.is_apart(other))
                && !(is_end && marks.iter().any(|mark| mark.is_on(&covers)))
        };
        // Heights above and below the wanted height are tried in turn, further and further away.
        let steps = (0..=most).flat_map(|step| [-(step as f64), step as f64]);
        let mut heights = steps.map(|step| wanted + step * gap);
        let height = heights.find(is_free).or((!is_end).then_some(wanted))?;
        placed.push(covers(height));
        Some(Text {
            anchor: Anchor::Start,
            halo: true,
            ..label(em, end.colour).at((left, height + HALF_HEIGHT * em), end.label)
        })
    });
    texts.collect()
}
