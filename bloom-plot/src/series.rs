//! The curves, the points measured beside them, and the labels at the curves' ends.

use crate::curves::{Figure, Measured, Series};
use crate::geometry::{Place, dashes, set_apart};
use crate::look::Colour;
use crate::plot::Plot;
use crate::scene::{Anchor, Mark, Scene, Text};
use crate::style::{HALF_HEIGHT, LEADER, label};

/// Measures at the default size.
const CURVE_WIDTH: f64 = 2.0;
const BAR_WIDTH: f64 = 1.3;
const RADIUS: f64 = 3.6;
const DOT: f64 = 3.4;
const DASH: f64 = 7.0;
const DASH_GAP: f64 = 4.5;
const CAP: f64 = 3.2;
const ARROW: f64 = 20.0;
const ARROW_HEAD: f64 = 6.5;

/// From a label to the next, in em.
const LABEL_GAP: f64 = 1.2;

/// The dashes of a line from a curve that leaves the picture to its label.
const LEADER_DASH: f64 = 1.5;
const LEADER_GAP: f64 = 3.5;

/// Where a series ends, and what is written beside.
struct End<'a> {
    place: Place,
    label: &'a str,
    colour: Colour,
    /// Whether it is a curve, from whose end a line leads to the label.
    led: bool,
}

/// Draws the series of a figure.
pub(crate) fn draw(figure: &Figure, plot: &Plot<'_>, scene: &mut Scene) {
    let colours = scene.palette.series;
    let coloured = || figure.series.iter().zip(colours.into_iter().cycle());
    let mut ends = Vec::new();
    for (series, colour) in coloured() {
        let end = draw_curve(series, colour, plot, scene);
        let led = end.is_some();
        let end = end.or_else(|| last_measured(series, plot));
        ends.extend(end.map(|place| End {
            place,
            label: &series.label,
            colour,
            led,
        }));
    }
    for (series, colour) in coloured() {
        for dot in &series.dots {
            let place = plot.place(dot.x, dot.y);
            if let Some(place) = place.filter(|place| plot.area.contains(*place)) {
                scene.disc(place, DOT * plot.unit, colour);
            }
        }
        for point in &series.measured {
            draw_point(*point, colour, plot, scene);
        }
    }
    ends.retain(|end| !end.label.is_empty());
    draw_labels(&ends, plot, scene);
}

/// Draws a curve and returns where it ends, if any of it can be seen.
fn draw_curve(
    series: &Series,
    colour: Colour,
    plot: &Plot<'_>,
    scene: &mut Scene,
) -> Option<Place> {
    let last = series.dashed_after.unwrap_or(f64::INFINITY);
    let solid = series.curve.partition_point(|point| point.x <= last);
    // The point at which the dashes begin is of both parts.
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
            let width = CURVE_WIDTH * plot.unit;
            if dashed {
                for dash in dashes(&places, DASH * plot.unit, DASH_GAP * plot.unit) {
                    scene.line(dash, width, colour);
                }
            } else {
                scene.line(places, width, colour);
            }
        }
    }
    end
}

/// Returns where the last value measured is, for a series without a curve.
fn last_measured(series: &Series, plot: &Plot<'_>) -> Option<Place> {
    let mut values = series.measured.iter().rev();
    values.find_map(|point| match *point {
        Measured::Value { x, y, .. } => plot.place(x, y).filter(|place| plot.area.contains(*place)),
        _ => None,
    })
}

fn draw_point(point: Measured, colour: Colour, plot: &Plot<'_>, scene: &mut Scene) {
    let inside = |x, y| plot.place(x, y).filter(|place| plot.area.contains(*place));
    match point {
        Measured::Value { x, y, low, high } => {
            let Some(centre) = inside(x, y) else {
                return;
            };
            draw_bar(x, low, high, colour, plot, scene);
            draw_ring(centre, colour, plot, scene);
        }
        Measured::Below { x, bound } => {
            if let Some(place) = inside(x, bound) {
                draw_arrow(place, colour, plot, scene);
            }
        }
        Measured::Across { x, low, high, y } => {
            let Some(centre) = inside(x, y) else {
                return;
            };
            draw_level_bar(y, low, high, colour, plot, scene);
            draw_ring(centre, colour, plot, scene);
        }
        Measured::AcrossBelow { bound, y } => {
            if let Some(place) = inside(bound, y) {
                draw_level_arrow(place, colour, plot, scene);
            }
        }
    }
}

/// Draws a ring, paper inside: a point stays one on a line of its colour.
fn draw_ring(centre: Place, colour: Colour, plot: &Plot<'_>, scene: &mut Scene) {
    let radius = RADIUS * plot.unit;
    scene.disc(centre, radius, colour);
    scene.disc(centre, radius - BAR_WIDTH * plot.unit, scene.palette.paper);
}

/// Draws an interval of the horizontal axis; an end outside of the plot has no cap.
fn draw_level_bar(y: f64, low: f64, high: f64, colour: Colour, plot: &Plot<'_>, scene: &mut Scene) {
    let (area, unit) = (&plot.area, plot.unit);
    let ends = [low, high].map(|x| plot.place(x, y));
    let [Some((from, height)), Some((to, _))] = ends else {
        return;
    };
    let within = |x: f64| x.clamp(area.left, area.right);
    let bar = vec![(within(from), height), (within(to), height)];
    scene.line(bar, BAR_WIDTH * unit, colour);
    for x in [from, to] {
        if area.contains((x, height)) {
            let cap = vec![(x, height - CAP * unit), (x, height + CAP * unit)];
            scene.line(cap, BAR_WIDTH * unit, colour);
        }
    }
}

/// Draws an upper bound of the horizontal axis: a bar at it, and an arrow to where the axis falls.
fn draw_level_arrow((x, y): Place, colour: Colour, plot: &Plot<'_>, scene: &mut Scene) {
    let unit = plot.unit;
    let (edge, way) = if plot.x.from > plot.x.to {
        (plot.area.right, 1.0)
    } else {
        (plot.area.left, -1.0)
    };
    let length = (ARROW * unit).min((edge - x).abs());
    let head = (ARROW_HEAD * unit).min(length);
    let (tip, neck) = (x + way * length, x + way * (length - head));
    let bar = vec![(x, y - 1.4 * CAP * unit), (x, y + 1.4 * CAP * unit)];
    scene.line(bar, BAR_WIDTH * unit, colour);
    scene.line(vec![(x, y), (neck, y)], BAR_WIDTH * unit, colour);
    let half = 0.5 * ARROW_HEAD * unit;
    scene.marks.push(Mark::Area {
        places: vec![(neck, y - half), (neck, y + half), (tip, y)],
        colour,
    });
}

/// Draws an interval; an end outside of the plot has no cap.
fn draw_bar(x: f64, low: f64, high: f64, colour: Colour, plot: &Plot<'_>, scene: &mut Scene) {
    let (area, unit) = (&plot.area, plot.unit);
    let Some((across, top)) = plot.place(x, high) else {
        return;
    };
    let bottom = plot.place(x, low).map_or(f64::INFINITY, |place| place.1);
    let ends = [
        (across, top.max(area.top)),
        (across, bottom.min(area.bottom)),
    ];
    scene.line(ends.to_vec(), BAR_WIDTH * unit, colour);
    for y in [top, bottom] {
        if area.contains((across, y)) {
            let cap = vec![(across - CAP * unit, y), (across + CAP * unit, y)];
            scene.line(cap, BAR_WIDTH * unit, colour);
        }
    }
}

/// Draws an upper bound: a bar at it, and an arrow down from there.
fn draw_arrow((x, y): Place, colour: Colour, plot: &Plot<'_>, scene: &mut Scene) {
    let unit = plot.unit;
    let tip = (y + ARROW * unit).min(plot.area.bottom);
    let head = (ARROW_HEAD * unit).min(tip - y);
    let bar = vec![(x - 1.4 * CAP * unit, y), (x + 1.4 * CAP * unit, y)];
    scene.line(bar, BAR_WIDTH * unit, colour);
    scene.line(vec![(x, y), (x, tip - head)], BAR_WIDTH * unit, colour);
    let half = 0.5 * ARROW_HEAD * unit;
    scene.marks.push(Mark::Area {
        places: vec![(x - half, tip - head), (x + half, tip - head), (x, tip)],
        colour,
    });
}

/// Writes each label beside the end of its curve, apart from the others, with a line between.
fn draw_labels(ends: &[End<'_>], plot: &Plot<'_>, scene: &mut Scene) {
    let (area, unit) = (&plot.area, plot.unit);
    let heights: Vec<f64> = ends.iter().map(|end| end.place.1).collect();
    // In a low picture with many curves labels shrink until there is room for all.
    let room = area.height() / (LABEL_GAP * plot.label_em * ends.len() as f64);
    let em = plot.label_em * room.min(1.0);
    let half = 0.5 * em;
    let heights = set_apart(
        &heights,
        LABEL_GAP * em,
        area.top + half,
        area.bottom - half,
    );
    for (end, height) in ends.iter().zip(heights) {
        let (x, y) = end.place;
        let at = area.right + (LEADER - 5.0) * unit;
        if end.led {
            let leader = vec![
                (x, y),
                (area.right + 0.25 * LEADER * unit, y),
                (at - 0.2 * LEADER * unit, height),
                (at, height),
            ];
            // From a curve that left the picture before its end the line must not look like one.
            if area.right - x > LEADER * unit {
                for dash in dashes(&leader, LEADER_DASH * unit, LEADER_GAP * unit) {
                    scene.line(dash, unit, end.colour);
                }
            } else {
                scene.line(leader, unit, end.colour);
            }
        } else {
            // Points alone: a line to the last of them would look like a curve.
            let centre = (at - RADIUS * unit, height);
            scene.disc(centre, 1.2 * RADIUS * unit * room.min(1.0), end.colour);
        }
        scene.text(Text {
            content: end.label.to_owned(),
            place: (area.right + LEADER * unit, height + HALF_HEIGHT * em),
            anchor: Anchor::Start,
            ..label(em, scene.palette.ink)
        });
    }
}
