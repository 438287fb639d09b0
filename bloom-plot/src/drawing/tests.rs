//! Lays out all kinds of charts and diagrams, as small and as large pictures, and checks their texts. No text may overlap
//! another or leave the picture. In a chart, a text without a halo may not be on a line or a disc, and a label at the end of a
//! curve may not be on a curve.

use bloom_core::Shape;

use super::*;
use crate::compared::compared;
use crate::diagram::{DiagramOf, Kind};
use crate::font::Typeface;
use crate::geometry::Rect;
use crate::look::{FAINT_INK, SERIES};
use crate::measure::Effort;
use crate::scene::{Anchor, Mark, Paint, Text};
use crate::size::Size;
use crate::{
    BitsByRate, BlockedCost, BlockedShown, CounterOverflow, EstimateError, FigureError, HashFloor,
    HashingError, Measurable, ModelError, RateByBits, RateByHashes, RateByItems, RateSpread,
    ScalableGrowth, Shown, SizingError, Speed, Trust,
};

impl Text {
    /// Returns the rectangle that the letters of the text cover.
    fn covers(&self) -> Rect {
        let ((x, y), em) = (self.place, self.size);
        let width = Typeface::Sans.width(&self.content, self.size, self.bold);
        let from = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        };
        let to = from + width;
        let (up, down) = (0.76 * em, 0.2 * em);
        if self.upwards {
            return Rect {
                left: x - up,
                top: y - to,
                right: x + down,
                bottom: y - from,
            };
        }
        Rect {
            left: x + from,
            top: y - up,
            right: x + to,
            bottom: y + down,
        }
    }
}

/// Returns charts whose labels are likely to overlap, laid out as small and as large pictures.
fn scenes() -> Vec<(String, Size, Scene)> {
    let effort = Effort::new(2, 100, 1).unwrap();
    let questions = [
        (20_000, vec![3, 5, 7], None, None),
        (20_000, vec![3, 5, 7], None, Some(effort)),
        (20_000, (1..=8).collect(), None, Some(effort)),
        (20_000, vec![7], None, None),
        (20_000, vec![3, 5, 7], Some(60_000), None),
        (1 << 63, (248..=255).collect(), None, None),
        (1_000_000_000, vec![3, 200], Some(100_000_000), None),
        (64, vec![1], None, Some(effort)),
    ];
    let mut figures = Vec::new();
    for (bits, hashes, items, effort) in questions {
        let name = format!("{bits} bits, {hashes:?} hashes");
        let question = RateByItems {
            bits,
            hashes,
            best: false,
            items,
        };
        figures.push((name, question.figure(effort).unwrap()));
    }
    figures.extend(others(effort));
    let mut scenes = Vec::new();
    for (name, figure) in figures {
        for (width, height) in [
            (800, 500),
            (300, 200),
            (400, 300),
            (4_000, 200),
            (300, 4_000),
        ] {
            let size = Size::new(width, height).unwrap();
            let name = format!("{name} at {width}x{height}");
            scenes.push((name, size, scene(&figure, size.into())));
        }
    }
    scenes
}

/// Returns one or more figures for each question, with their titles.
fn others(effort: Effort) -> Vec<(String, Figure)> {
    let mut all = of_plain_filters(effort);
    all.extend(of_other_filters(effort));
    let all = all.into_iter().map(|figure| {
        let figure = figure.unwrap();
        (figure.title.clone(), figure)
    });
    all.collect()
}

fn of_plain_filters(effort: Effort) -> Vec<Result<Figure, FigureError>> {
    let effort = Some(effort);
    vec![
        RateByItems {
            bits: 20_000,
            hashes: vec![2, 6],
            best: true,
            items: None,
        }
        .figure(effort),
        RateByBits {
            items: 10_000,
            bits_per_item: 24.0,
            hashes: vec![1, 2, 4, 7, 10, 14],
        }
        .figure(effort),
        RateByHashes {
            items: 2_000,
            bits: 20_000,
            hashes: None,
        }
        .figure(effort),
        SizingError {
            items: 100_000,
            rate: 1e-6,
            rules: ["textbook", "guava", "redis-nonscaling", "ours"]
                .map(str::to_owned)
                .to_vec(),
        }
        .figure(effort),
        ModelError {
            bits_per_item: vec![10, 20],
            bits: 10_000_000,
        }
        .figure(),
        HashingError {
            bits_per_item: 10,
            hashes: None,
            bits: 16_384,
        }
        .figure(effort),
        HashFloor {
            widths: vec![32, 64],
            rate: 1e-6,
            items: 1_000_000_000_000,
        }
        .figure(effort),
        Trust {
            rates: vec![0.1, 0.01, 0.001, 0.0001],
            prevalence: 1e-6,
        }
        .figure(effort),
        RateSpread {
            bits_per_item: 10,
            hashes: 7,
            items: 1_000,
        }
        .figure(effort),
        EstimateError {
            shape: Shape::new(20_000, 7).unwrap(),
        }
        .figure(effort),
    ]
}

fn of_other_filters(effort: Effort) -> Vec<Result<Figure, FigureError>> {
    let effort = Some(effort);
    let grown = |shown| {
        ScalableGrowth {
            items: 100_000,
            ..growing(shown)
        }
        .figure(effort)
    };
    let blocked = |shown, blocks| {
        BlockedCost {
            items: 100_000,
            bits_per_item: 24.0,
            blocks,
            shown,
        }
        .figure(effort)
    };
    vec![
        BitsByRate {
            items: 100_000,
            rate: 1e-6,
        }
        .figure(effort),
        Speed {
            csv: times(8),
            cell: 1,
            only: Vec::new(),
        }
        .figure(),
        Speed {
            csv: times(16),
            cell: 1,
            only: Vec::new(),
        }
        .figure(),
        blocked(BlockedShown::Ratio, vec![64, 256, 512]),
        blocked(BlockedShown::Rate, vec![8, 32, 64, 256, 512]),
        grown(Shown::Rate),
        grown(Shown::Memory),
        CounterOverflow {
            shape: Shape::new(100_000, 7).unwrap(),
            widths: vec![2, 3, 4, 5],
        }
        .figure(effort),
    ]
}

fn growing(shown: Shown) -> ScalableGrowth {
    ScalableGrowth {
        first: 1_000,
        rate: 0.01,
        growth: 2,
        tightening: 0.85,
        items: 4_000_000,
        shown,
    }
}

/// Returns the file of a benchmark with the times of this many candidates, which have long names, in six operations.
fn times(candidates: u32) -> String {
    let mut csv = "keys,n,p,candidate,operation,ns_lower,ns_median,ns_upper\n".to_owned();
    for candidate in 0..candidates {
        for (index, operation) in [
            "insert",
            "present",
            "absent",
            "mixed",
            "present batch",
            "absent batch",
        ]
        .iter()
        .enumerate()
        {
            let time = 2.0 * f64::from(candidate + 1) + index as f64;
            csv += &format!(
                "u64,1000000,0.01,candidate {candidate} of {candidates},{operation},{},{time},{}\n",
                0.9 * time,
                1.2 * time
            );
        }
    }
    csv
}

#[test]
fn no_text_covers_a_text_a_curve_or_an_edge() {
    for (name, size, scene) in scenes() {
        let texts: Vec<&Text> = texts_of(&scene).collect();
        assert!(texts.len() > 8, "{name}");
        for (index, text) in texts.iter().enumerate() {
            let covers = text.covers();
            let (right, bottom) = (size.width().into(), size.height().into());
            let inside = covers.left >= 0.0 && covers.top >= 0.0;
            let inside = inside && covers.right <= right && covers.bottom <= bottom;
            assert!(inside, "{:?} in {name}", text.content);
            for other in &texts[..index] {
                let (one, two) = (&text.content, &other.content);
                assert!(
                    covers.is_apart(&other.covers()),
                    "{one:?}, {two:?} in {name}"
                );
            }
            // A text with a halo may be on a line, because its halo hides the line.
            let behind = scene.marks.iter().filter(|_| !text.halo);
            for mark in behind {
                let is_on = mark.is_on(&covers);
                assert!(!is_on, "{:?} and {mark:?} in {name}", text.content);
            }
        }
    }
}

#[test]
fn a_label_at_the_end_of_a_curve_is_free_of_all_curves_or_in_the_legend() {
    for (sizes, hashes, in_plot) in [
        (&[10_000, 20_000][..], &[5][..], 1),
        (&[10_000, 20_000, 40_000], &[5, 7], 0),
        (&[10_000, 20_000], &[3, 5, 7], 0),
    ] {
        let figures = sizes.iter().map(|bits| {
            let question = RateByItems {
                bits: *bits,
                hashes: hashes.to_vec(),
                best: false,
                items: None,
            };
            (format!("m = {bits}"), question.figure(None).unwrap())
        });
        let figure = compared(figures.collect()).unwrap();
        for (width, height) in [(800, 500), (400, 300), (300, 200)] {
            let size = Size::new(width, height).unwrap();
            let scene = scene(&figure, size.into());
            let name = format!("{sizes:?} {hashes:?} at {width}x{height}");
            let labels: Vec<&Text> = texts_of(&scene)
                .filter(|text| text.content.starts_with("k = "))
                .collect();
            assert_eq!(labels.len(), figure.series.len(), "{name}");
            // In the smallest picture there may be no room for the labels in the plot.
            let within = labels.iter().filter(|label| label.halo).count();
            let is_listed = within == 0 && width == 300;
            assert!(within == in_plot || is_listed, "{within} in {name}");
            for (label, mark) in labels
                .iter()
                .flat_map(|label| scene.marks.iter().map(move |mark| (label, mark)))
            {
                let is_curve = matches!(mark, Mark::Shape(.., colour)
                    if SERIES.contains(colour));
                let on = is_curve && mark.is_on(&label.covers());
                assert!(!on, "{:?} and {mark:?} in {name}", label.content);
            }
        }
    }
}

#[test]
fn the_numbers_of_stages_stay_above_their_lines() {
    let figures = [Shown::Rate, Shown::Memory].map(|shown| growing(shown).figure(None).unwrap());
    let sizes = [(800, 500), (400, 300), (300, 200)];
    let sizes = sizes.map(|(width, height)| Size::new(width, height).unwrap());
    for (figure, size) in figures
        .iter()
        .flat_map(|figure| sizes.map(|size| (figure, size)))
    {
        let (name, scene) = (&figure.title, scene(figure, size.into()));
        // The upper ends of the upright lines at which stages begin, and of the short lines from these lines to the numbers of
        // the stages.
        let dashes = scene.marks.iter().filter_map(|mark| match mark {
            Mark::Shape(places, Paint::Line(..), colour) => {
                let upright = places[0].0 == places[1].0 && *colour == FAINT_INK;
                upright.then_some(places[1])
            }
            _ => None,
        });
        let (mut lines, heights): (Vec<f64>, Vec<f64>) = dashes.unzip();
        lines.sort_by(f64::total_cmp);
        lines.dedup();
        let top = heights.into_iter().fold(f64::INFINITY, f64::min);
        let stages = texts_of(&scene).filter(|text| {
            let is_number = text.content.parse::<u64>().is_ok();
            is_number && text.place.1 < top && text.anchor == Anchor::Middle
        });
        let stages: Vec<&Text> = stages.collect();
        assert!(!stages.is_empty(), "{name}");
        for stage in &stages {
            let number: usize = stage.content.parse().unwrap();
            let line = lines[number - 2];
            assert!((stage.place.0 - line).abs() < 1.0, "{number} in {name}");
        }
        assert_eq!(lines.len(), 11, "{name}");
        // In the smallest picture there is room only for every second number.
        let least = if size.width() == 300 { 6 } else { 11 };
        assert!(stages.len() >= least, "{} at {size:?}", stages.len());
    }
}

#[test]
fn a_curve_that_joins_points_is_thin() {
    let question = RateByHashes {
        items: 2_000,
        bits: 20_000,
        hashes: None,
    };
    let figure = question.figure(None).unwrap();
    let scene = scene(&figure, Size::default().into());
    let [exact, asymptotic] = [0, 1].map(|index| {
        let widths = scene.marks.iter().filter_map(|mark| match mark {
            Mark::Shape(_, Paint::Line(width, _), colour) if *colour == SERIES[index] => {
                Some(*width)
            }
            _ => None,
        });
        widths.fold(0.0, f64::max)
    });
    assert!(exact < asymptotic / 1.9, "{exact} {asymptotic}");
    let discs = scene
        .marks
        .iter()
        .filter(|mark| matches!(mark, Mark::Shape(_, Paint::Disc(_), _)));
    assert_eq!(discs.count(), 16);
}

#[test]
fn a_legend_of_points_alone_is_in_the_order_of_the_series() {
    // The candidate `slow` is faster than `quick` only in the last operation.
    let mut csv = "keys,n,p,candidate,operation,ns_lower,ns_median,ns_upper\n".to_owned();
    for (candidate, times) in [("quick", [2, 3, 8]), ("slow", [9, 9, 2])] {
        for (operation, time) in ["insert", "present", "absent"].iter().zip(times) {
            csv += &format!("u64,100,0.1,{candidate},{operation},1,{time},10\n");
        }
    }
    let question = Speed {
        csv,
        cell: 1,
        only: Vec::new(),
    };
    let figure = question.figure().unwrap();
    assert_eq!(figure.series[0].label, "slow");
    for (width, height) in [(800, 500), (400, 300), (300, 200)] {
        let size = Size::new(width, height).unwrap();
        let scene = scene(&figure, size.into());
        let heights = figure.series.iter().map(|series| {
            let mut texts = texts_of(&scene);
            let text = texts.find(|text| text.content == series.label);
            text.expect("each series has its label").place.1
        });
        let heights: Vec<f64> = heights.collect();
        assert!(
            heights.windows(2).all(|pair| pair[0] < pair[1]),
            "{heights:?}"
        );
    }
}

#[test]
fn every_curve_has_its_label() {
    for (name, _, scene) in scenes() {
        if !name.contains(" hashes at ") {
            continue;
        }
        let labels = scene
            .marks
            .iter()
            .filter(|mark| matches!(mark, Mark::Text(text) if text.content.starts_with("k = ")));
        let listed = name.split(['[', ']']).nth(1).unwrap();
        assert_eq!(labels.count(), listed.split(',').count(), "{name}");
    }
}

#[test]
fn no_text_of_a_diagram_covers_another_or_an_edge() {
    let names = |text: &str| -> Vec<String> { text.split(',').map(str::to_owned).collect() };
    for kind in [
        Kind::Classic,
        Kind::Counting,
        Kind::Partitioned,
        Kind::Blocked(4),
        Kind::Scalable,
    ] {
        for bits in [8, 16, 64] {
            let question = DiagramOf {
                kind,
                bits: if kind == Kind::Scalable { 8 } else { bits },
                hashes: 2,
                inserts: names("ant,b,c,d,sixteen letters!,fox"),
                removes: if kind == Kind::Counting {
                    names("ant,zebra")
                } else {
                    Vec::new()
                },
                queries: names("ant,cow,sixteen letters?"),
                positions: std::collections::BTreeMap::new(),
            };
            let diagram = question.diagram().unwrap();
            for (width, height) in [(800, 500), (300, 200), (400, 300), (1_600, 1_000)] {
                let size = Size::new(width, height).unwrap();
                let scene = scene(&diagram, size.into());
                let covers: Vec<(&str, Rect)> = texts_of(&scene)
                    .map(|text| (&*text.content, text.covers()))
                    .collect();
                for (index, (text, one)) in covers.iter().enumerate() {
                    let inside = one.left >= 0.0 && one.top >= 0.0;
                    let inside = inside && one.right <= f64::from(width);
                    let name = format!("{text:?} of {kind:?}, {bits} bits at {width}x{height}");
                    assert!(inside && one.bottom <= f64::from(height), "{name}");
                    for (other_text, other) in &covers[..index] {
                        assert!(one.is_apart(other), "{other_text:?} and {name}");
                    }
                }
            }
        }
    }
}

fn texts_of(scene: &Scene) -> impl Iterator<Item = &Text> {
    scene.marks.iter().filter_map(|mark| match mark {
        Mark::Text(text) => Some(text),
        Mark::Shape(..) => None,
    })
}
