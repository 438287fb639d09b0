//! Lists the charts that `bloom-plot` draws, each with its help, its examples, and the code that computes the chart from its
//! flags.

use std::error::Error;
use std::sync::LazyLock;

use bloom_core::Shape;
use clap::Command;

use super::diagram::diagram;
use super::flags;
use super::given::Given;
use crate::curves::Figure;
use crate::diagram::Diagram;
use crate::error::FigureError;
use crate::measuring::Measurable;
use crate::parse::Failure;
use crate::questions::{
    BitsByRate, BlockedCost, CounterOverflow, EstimateError, HashFloor, HashingError, ModelError,
    RateByBits, RateByHashes, RateByItems, RateSpread, ScalableGrowth, Shown, SizingError, Speed,
    Trust,
};

/// What a chart draws.
pub(super) enum Picture {
    Figure(Figure),
    Diagram(Diagram),
}

type Drawn = Result<Picture, Box<dyn Error>>;

type Draw = fn(&Given<'_>) -> Drawn;

/// What the help says about each chart: the name of the chart; what it plots; for some charts, a line that only the long help
/// (`--help`) prints; and the examples.
const DESCRIBED: &str = include_str!("charts.txt");

/// A subcommand that draws.
pub(super) struct Chart {
    pub(super) name: &'static str,
    about: &'static str,
    /// A line that only the long help (`--help`) prints, if there is one.
    more: Option<&'static str>,
    examples: &'static str,
    pub(super) draw: Draw,
}

fn figure(figure: Result<Figure, FigureError>) -> Drawn {
    Ok(Picture::Figure(figure?))
}

fn shape(given: &Given<'_>) -> Result<Shape, FigureError> {
    Ok(Shape::new(given.one("m"), given.one("k"))?)
}

fn measurable(given: &Given<'_>, question: &impl Measurable) -> Drawn {
    figure(question.figure(given.effort()))
}

/// The function that draws each chart of `DESCRIBED`, in the order in which the help lists the charts.
#[rustfmt::skip]
const DRAWN: &[(&str, Draw)] = &[
    ("rate-by-items", |given| measurable(given, &RateByItems {
        bits: given.one("m"), hashes: given.all("k"), best: given.is_set("best"), items: given.maybe("n"),
    })),
    ("rate-by-bits", |given| measurable(given, &RateByBits {
        items: given.one("n"), hashes: given.all("k"), bits_per_item: given.one("bits-per-item"),
    })),
    ("rate-by-hashes", |given| measurable(given, &RateByHashes {
        items: given.one("n"), bits: given.one("m"), hashes: given.maybe("k"),
    })),
    ("bits-by-rate", |given| measurable(given, &BitsByRate { items: given.one("n"), rate: given.one("p") })),
    ("sizing-error", |given| measurable(given, &SizingError {
        items: given.one("n"), rate: given.one("p"),
        rules: given.all::<String>("only").iter().map(|rule| rule.to_lowercase()).collect(),
    })),
    ("model-error", |given| figure(ModelError {
        bits_per_item: given.all("bits-per-item"), bits: given.one("m"),
    }.figure())),
    ("hashing-error", |given| measurable(given, &HashingError {
        bits: given.one("m"), hashes: given.maybe("k"), bits_per_item: given.one("bits-per-item"),
    })),
    ("hash-floor", |given| measurable(given, &HashFloor {
        widths: given.all("hash-bits"), rate: given.one("p"), items: given.one("n"),
    })),
    ("blocked-cost", |given| measurable(given, &BlockedCost {
        items: given.one("n"), bits_per_item: given.one("bits-per-item"),
        blocks: given.all("block-bits"), shown: given.one("show"),
    })),
    ("scalable-growth", scalable_growth),
    ("counter-overflow", |given| measurable(given, &CounterOverflow {
        shape: shape(given)?, widths: given.all("counter-bits"),
    })),
    ("trust", |given| measurable(given, &Trust { rates: given.all("p"), prevalence: given.one("prevalence") })),
    ("rate-spread", |given| measurable(given, &RateSpread {
        bits_per_item: given.one("bits-per-item"), hashes: given.one("k"), items: given.one("n"),
    })),
    ("estimate-error", |given| measurable(given, &EstimateError { shape: shape(given)? })),
    ("diagram", |given| Ok(Picture::Diagram(diagram(given)?))),
    ("speed", |given| figure(Speed {
        csv: given.one("file"), cell: given.one("cell"), only: given.all("only"),
    }.figure())),
];

/// All charts, in the order in which the help lists them.
pub(super) static CHARTS: LazyLock<Vec<Chart>> = LazyLock::new(|| {
    let described: Vec<_> = DESCRIBED.trim_end().split("\n\n").collect();
    assert_eq!(described.len(), DRAWN.len(), "each chart has a text");
    let charts = described.into_iter().zip(DRAWN);
    let charts = charts.map(|(text, (name, draw))| Chart::new(text, name, *draw));
    charts.collect()
});

impl Chart {
    /// Creates a chart from its paragraph of [`DESCRIBED`].
    fn new(text: &'static str, name: &'static str, draw: Draw) -> Self {
        let examples = text.find("  bloom-plot").expect("a chart has examples");
        let (heads, examples) = text.split_at(examples);
        let mut heads = heads.lines();
        assert_eq!(
            heads.next(),
            Some(name),
            "the text and the table have the same order"
        );
        Self {
            name,
            about: heads.next().expect("a chart says what it plots"),
            more: heads.next(),
            examples,
            draw,
        }
    }

    /// Returns the subcommand.
    pub(super) fn command(&self) -> Command {
        let command = Command::new(self.name)
            .about(self.about)
            .before_help(format!("Examples:\n{}\n", self.examples))
            .args(flags::of_chart(self.name));
        match self.more {
            Some(more) => command.long_about(format!("{}.\n\n{more}", self.about)),
            None => command,
        }
    }
}

fn scalable_growth(given: &Given<'_>) -> Drawn {
    let shown = given.one("show");
    if shown == Shown::Memory && given.is_given("queries") {
        let got: u64 = given.one("queries");
        let message = format!("queries is for the rate; memory needs none, got {got}");
        let hint = "leave --queries out, or add --show rate";
        return Err(Failure::new(message).hint(hint).into());
    }
    let question = ScalableGrowth {
        first: given.one("first"),
        rate: given.one("p"),
        growth: given.one("growth"),
        tightening: given.one("tightening"),
        items: given.one("n"),
        shown,
    };
    measurable(given, &question)
}
