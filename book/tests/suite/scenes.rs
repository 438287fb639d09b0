//! Makes the drawings that stand in for three interactive widgets of the book on paper and where scripts are off: two with a
//! chart, and one with queries. Each drawing shows one state of its widget, in the style classes of the widget's picture.
//! `drawings.rs` makes the drawings for other widgets.

use std::fmt::Write;

use bloom_core::math::scalable::Growth;
use bloom_core::math::{Model, exact};
use bloom_core::{BloomFilter, Shape};
use bloom_params::numbers::grouped;

use crate::common::assert_is_file;
use crate::drawings::figure;

/// A chart of rates by items.
struct Chart {
    svg: String,
    /// Maps a number of items to its place on the axis, from 0 on the left to 1 on the right.
    scale: fn(f64) -> f64,
    highest: f64,
}

const LEFT: f64 = 52.0;
const RIGHT: f64 = 440.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 200.0;

impl Chart {
    fn new(label: &str, scale: fn(f64) -> f64, items: &[u64], highest: f64, step: f64) -> Self {
        let svg = format!(
            "<svg class=\"drawing live-chart\" viewBox=\"0 0 450 245\" role=\"img\" aria-label=\"{label}\">\n\
             <text x=\"{LEFT}\" y=\"14\">false positives</text>\n<text x=\"{RIGHT}\" y=\"242\" text-anchor=\"end\">items</text>\n"
        );
        let mut chart = Self {
            svg,
            scale,
            highest,
        };
        for tick in 0..=(highest / step) as u32 {
            let rate = f64::from(tick) * step;
            let y = chart.y(rate);
            writeln!(
                chart.svg,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{RIGHT}\"/>\n<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{:.0}\u{a0}%</text>",
                LEFT - 6.0,
                y + 5.0,
                100.0 * rate,
            )
            .unwrap();
        }
        for &number in items {
            let x = chart.x(number as f64);
            writeln!(
                chart.svg,
                "<text x=\"{x:.1}\" y=\"220\" text-anchor=\"middle\">{}</text>",
                grouped(number)
            )
            .unwrap();
        }
        chart
    }

    fn x(&self, items: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * (self.scale)(items)
    }

    fn y(&self, rate: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * rate / self.highest
    }

    fn line(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<_> = points
            .iter()
            .map(|&(items, rate)| format!("{:.1},{:.1}", self.x(items), self.y(rate)))
            .collect();
        writeln!(
            self.svg,
            "<polyline class=\"line {class}\" points=\"{}\"/>",
            points.join(" ")
        )
        .unwrap();
    }

    /// Adds a label that ends a few pixels to the left of a point of the chart, and above it.
    fn name(&mut self, class: &str, items: f64, rate: f64, text: &str) {
        let (x, y) = (self.x(items) - 6.0, self.y(rate) - 6.0);
        writeln!(
            self.svg,
            "<text class=\"name {class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{text}</text>"
        )
        .unwrap();
    }

    fn figure(mut self, caption: &str) -> String {
        self.svg.push_str("</svg>\n");
        figure(&self.svg, caption)
    }
}

/// Draws the rate of a filter that is sized for 2,000 items at a rate of 1 in 100, when it has up to 8,000 items.
#[test]
fn the_rate_of_a_filter_over_capacity_is_drawn() {
    let (bits, hashes) = Model::Exact.min_size(2_000, 0.01).unwrap();
    let rate = |items| exact::rate(items, bits, hashes).unwrap().value();
    let curve: Vec<_> = (0..=8_000)
        .step_by(100)
        .map(|items| (items as f64, rate(items)))
        .collect();
    let twice = rate(4_000);
    let label = format!(
        "The rate by items: {:.0} % at the 2,000 items of the design, {:.1} % at twice as many, {:.0} % at four times",
        100.0 * rate(2_000),
        100.0 * twice,
        100.0 * rate(8_000),
    );
    let ticks = [0, 2_000, 4_000, 6_000];
    let mut chart = Chart::new(&label, |items| items / 8_000.0, &ticks, 0.8, 0.2);
    chart.line("thin", &[(2_000.0, 0.0), (2_000.0, 0.6)]);
    chart.line("dashed", &[(0.0, 0.01), (8_000.0, 0.01)]);
    chart.line("", &curve);
    chart.name("", 2_000.0, 0.5, "sized for");
    chart.name("", 8_000.0, 0.03, "promised");
    let (x, y) = (chart.x(4_000.0), chart.y(twice));
    writeln!(
        chart.svg,
        "<circle class=\"dot wrong\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>"
    )
    .unwrap();
    let caption = format!(
        "The rate of the filter for 2,000 items at 1 in 100. With 4,000 items (the dot) {:.1} % of other items are false positives, {:.0} times the \
         promise.",
        100.0 * twice,
        twice / rate(2_000),
    );
    assert_is_file(&chart.figure(&caption), "tables/overfill-drawing.md");
}

/// Draws the rates of two growing filters, each with eight stages (filters of a fixed size), the first for 1,000 items. In one
/// filter all stages have the same rate; in the other each stage has a lower rate than the stage before. The lines have eight
/// points for each stage.
#[test]
fn the_rates_of_eight_stages_add_up_as_drawn() {
    let growth = Growth {
        items: 1_000,
        rate: 0.01,
        growth: 2,
        tightening: 0.85,
    };
    let grown = |rate_of: &dyn Fn(u32) -> f64| {
        let (mut inside, mut noes) = (0, 1.0);
        let mut points = Vec::new();
        for stage in 0..8 {
            let items = growth.stage_items(stage).unwrap();
            let (bits, hashes) = Model::Exact.min_size(items, rate_of(stage)).unwrap();
            for part in 1..=8 {
                let rate = exact::rate(part * items / 8, bits, hashes).unwrap();
                points.push((
                    (inside + part * items / 8) as f64,
                    1.0 - noes * (1.0 - rate.value()),
                ));
            }
            inside += items;
            noes = 1.0 - points.last().unwrap().1;
        }
        points
    };
    let same = grown(&|_| growth.rate);
    let tightened = grown(&|stage| growth.stage_rate(stage));
    let (most, highest) = *same.last().unwrap();
    let (_, kept) = *tightened.last().unwrap();
    assert!(kept < 0.01);
    let label = format!(
        "The rates of two filters by items: after eight stages {:.1} % with the same rate for all, {:.2} % with \
         tightened rates",
        100.0 * highest,
        100.0 * kept,
    );
    let scale = |items: f64| (items / 100.0).ln() / 2_550_f64.ln();
    let ticks = [100, 1_000, 10_000, 100_000];
    let mut chart = Chart::new(&label, scale, &ticks, 0.08, 0.02);
    for end in same.iter().skip(7).step_by(8) {
        chart.line("upright", &[(end.0, 0.0), (end.0, 0.08)]);
    }
    chart.line("dashed", &[(100.0, 0.01), (most, 0.01)]);
    chart.line("wrong", &same);
    chart.line("", &tightened);
    chart.name("wrong", 80_000.0, 0.064, "same rate for all");
    chart.name("", 2_500.0, 0.01, "promised");
    let caption = format!(
        "Two filters that grow to eight stages; an upright line marks the end of each stage. In the end {:.1} % of other items are \
         false positives with a rate of 1 in 100 for all stages, and {:.2} % with tightened rates (below the target, the dashed line).",
        100.0 * highest,
        100.0 * kept,
    );
    assert_is_file(&chart.figure(&caption), "tables/growing-drawing.md");
}

/// Draws the first 1,000 queries of the widget: one for an item that is in the filter, and 999 for other items.
#[test]
fn a_few_of_a_thousand_queries_get_a_false_yes() {
    const COLUMNS: usize = 45;
    let items = 10_000_u64;
    let (bits, hashes) = Model::Exact.min_size(items, 0.01).unwrap();
    let mut filter = BloomFilter::<u64>::new(Shape::new(bits, hashes).unwrap()).unwrap();
    filter.extend(0..items);
    let wrong = (items..items + 999)
        .filter(|stranger| filter.contains(stranger))
        .count();
    let no = 999 - wrong;
    let groups = [
        ("Yes, and true", "yes", 1),
        ("Yes, but false", "wrong", wrong),
        ("No, and true", "no", no),
    ];
    let label = groups.map(|(name, _, count)| format!("{name}: {count}"));
    let rows = no.div_ceil(COLUMNS);
    let height = 3 * 28 + 20 + 10 * rows;
    let mut svg = format!(
        "<svg class=\"drawing live-queries\" viewBox=\"0 0 450 {height}\" role=\"img\" aria-label=\"{}\">\n",
        label.join("; ")
    );
    let mut top = 0;
    for ((_, class, count), name) in groups.into_iter().zip(&label) {
        writeln!(svg, "<text x=\"0\" y=\"{}\">{name}</text>", top + 14).unwrap();
        let mut path = String::new();
        for first in (0..count).step_by(COLUMNS) {
            let (y, in_row) = (
                top + 28 + 10 * (first / COLUMNS),
                COLUMNS.min(count - first),
            );
            match class {
                // A row of dots is a dashed line with very short dashes.
                "no" => write!(path, "M5 {y}h{}", 10 * (in_row - 1)).unwrap(),
                "wrong" => (0..in_row).for_each(|at| {
                    let (x, y) = (2 + 10 * at, y - 3);
                    write!(path, "M{x} {y}l6 6m0-6l-6 6").unwrap();
                }),
                _ => (0..in_row).for_each(|at| {
                    write!(
                        path,
                        "M{} {y}a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0",
                        1 + 10 * at
                    )
                    .unwrap();
                }),
            }
        }
        let dots = if class == "no" {
            " stroke-width=\"4\" stroke-linecap=\"round\" stroke-dasharray=\"0 10\""
        } else {
            ""
        };
        writeln!(svg, "<path class=\"{class}\" d=\"{path}\"{dots}/>").unwrap();
        top += 28 + 10 * count.div_ceil(COLUMNS);
    }
    svg.push_str("</svg>\n");
    let caption = format!(
        "A thousand queries, one of them for a member, to a filter with the rate 1 in 100. Of the {} yeses one is true; \
         all {no} noes are true.",
        wrong + 1
    );
    assert_is_file(&figure(&svg, &caption), "tables/worth-drawing.md");
}
