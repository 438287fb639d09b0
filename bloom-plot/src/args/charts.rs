//! The charts: what each shows, examples, and the question that it answers.

use std::error::Error;

use clap::Command;

use super::diagram::diagram;
use super::flags;
use super::given::Given;
use crate::curves::Figure;
use crate::diagram::Diagram;
use crate::error::FigureError;
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

/// A subcommand that draws.
pub(super) struct Chart {
    pub(super) name: &'static str,
    about: &'static str,
    /// What only the long help says.
    more: &'static str,
    /// The arguments of each example, and what they do.
    examples: &'static [(&'static str, &'static str)],
    pub(super) draw: fn(&Given<'_>) -> Drawn,
}

fn figure(figure: Result<Figure, FigureError>) -> Drawn {
    Ok(Picture::Figure(figure?))
}

/// All charts, in the order of the help.
#[rustfmt::skip]
pub(super) const CHARTS: &[Chart] = &[
    Chart {
        name: "rate-by-items",
        about: "Plots the false-positive rate p against the items n, a curve for each number of \
                hashes k",
        more: "Curves are the exact model's. Points are measured on real filters: the mean rate, \
               with an interval of 99 % from the scatter between filters; where no query was a \
               hit, an arrow down from the 99 % upper bound.",
        examples: &[
            ("", "write rate-by-items.svg"),
            ("--m 1KiB --k 4,7,10 -o curve.png", "other filters, as PNG"),
            ("--n 4000 --measured -o -", "measured too, to a pipe"),
            ("--k 2,6 --best", "beside the best k at each n"),
            ("--m 10k --m 20k --k 5 -o both.pdf", "two sizes, as PDF"),
        ],
        draw: |given| figure(RateByItems::figure(&RateByItems {
            bits: given.one("m"), hashes: given.all("k"), best: given.is_set("best"),
            items: given.maybe("n"), effort: given.effort()
        })),
    },
    Chart {
        name: "rate-by-bits",
        about: "Plots p against the bits per item m/n: a curve for each k, the best k, and the \
                bound of all filters",
        more: "",
        examples: &[
            ("", "write rate-by-bits.svg"),
            ("--k 4,8 --bits-per-item 16", "other curves"),
        ],
        draw: |given| figure(RateByBits::figure(&RateByBits {
            items: given.one("n"), hashes: given.all("k"),
            bits_per_item: given.one("bits-per-item"), effort: given.effort()
        })),
    },
    Chart {
        name: "rate-by-hashes",
        about: "Plots p against the number of hashes k, with the best whole and the best real one \
                marked",
        more: "",
        examples: &[
            ("", "write rate-by-hashes.svg"),
            ("--n 100 --m 1000", "small filters, where the formula is off"),
        ],
        draw: |given| figure(RateByHashes::figure(&RateByHashes {
            items: given.one("n"), bits: given.one("m"), hashes: given.maybe("k"),
            effort: given.effort()
        })),
    },
    Chart {
        name: "bits-by-rate",
        about: "Plots the bits per item that a rate costs: Bloom filters, blocked ones, cuckoo, xor \
                and fuse filters, and the bound",
        more: "",
        examples: &[
            ("", "write bits-by-rate.svg"),
            ("--p 1e-4", "down to another rate"),
            ("--measured --n 10k", "with real filters: their bits, their rates"),
        ],
        draw: |given| figure(BitsByRate::figure(&BitsByRate {
            items: given.one("n"), rate: given.one("p"), effort: given.effort()
        })),
    },
    Chart {
        name: "sizing-error",
        about: "Plots the true rate over the requested one for the sizing rules of textbooks, of \
                libraries and of this project",
        more: "The rules of libraries are those of bloom-params --like.",
        examples: &[
            ("", "write sizing-error.svg"),
            ("--n 2000", "fewer items: whole words and bits matter more"),
            ("--only parquet,ours", "Parquet's rule: a power of two"),
            ("--measured --n 10k", "with real filters of every rule"),
        ],
        draw: |given| figure(SizingError::figure(&SizingError {
            items: given.one("n"), rate: given.one("p"),
            rules: given.all::<String>("only").iter().map(|rule| rule.to_lowercase()).collect(),
            effort: given.effort()
        })),
    },
    Chart {
        name: "model-error",
        about: "Plots how far the textbook and the asymptotic formula are below the exact rate",
        more: "",
        examples: &[
            ("", "write model-error.svg"),
            ("--bits-per-item 10", "one load, up to another size"),
        ],
        draw: |given| figure(ModelError::figure(&ModelError {
            bits_per_item: given.all("bits-per-item"), bits: given.one("m")
        })),
    },
    Chart {
        name: "hashing-error",
        about: "Plots the rate of plain and enhanced double hashing, and of ours, over that of \
                independent hashes",
        more: "",
        examples: &[
            ("", "write hashing-error.svg"),
            ("--m 1024 --measured", "with real filters"),
            ("--bits-per-item 16 --m 1M", "other filters"),
        ],
        draw: |given| figure(HashingError::figure(&HashingError {
            bits: given.one("m"), hashes: given.maybe("k"),
            bits_per_item: given.one("bits-per-item"), effort: given.effort()
        })),
    },
    Chart {
        name: "hash-floor",
        about: "Plots what a hash of few bits adds to the rate, however large the filter",
        more: "",
        examples: &[
            ("", "write hash-floor.svg"),
            ("--hash-bits 16,24,32", "other widths"),
            ("--hash-bits 16 --n 100k --measured", "with real filters"),
        ],
        draw: |given| figure(HashFloor::figure(&HashFloor {
            widths: given.all("hash-bits"), rate: given.one("p"), items: given.one("n"),
            effort: given.effort()
        })),
    },
    Chart {
        name: "blocked-cost",
        about: "Plots the rate of blocked filters by the bits per item, or over that of plain ones \
                of the same bits",
        more: "",
        examples: &[
            ("", "write blocked-cost.svg"),
            ("--bits-per-item 40", "where it becomes much"),
            ("--measured --n 10k", "with real filters"),
            ("--show rate --block-bits 32,64,512", "the rates themselves"),
        ],
        draw: |given| figure(BlockedCost::figure(&BlockedCost {
            items: given.one("n"), bits_per_item: given.one("bits-per-item"),
            blocks: given.all("block-bits"), shown: given.one("show"), effort: given.effort()
        })),
    },
    Chart {
        name: "scalable-growth",
        about: "Plots the compound rate of a growing filter, or its memory, beside stages of one \
                rate",
        more: "",
        examples: &[
            ("", "write scalable-growth.svg"),
            ("--show memory", "the bits per item"),
            ("--measured --n 20k", "with real filters while they grow"),
        ],
        draw: scalable_growth,
    },
    Chart {
        name: "counter-overflow",
        about: "Plots the probability that any counter of a counting filter saturates, by its bits",
        more: "",
        examples: &[
            ("", "write counter-overflow.svg"),
            ("--counter-bits 4,8", "other widths"),
            ("--m 10k --measured", "with real filters"),
        ],
        draw: |given| figure(CounterOverflow::figure(&CounterOverflow {
            counters: given.one("m"), hashes: given.one("k"),
            widths: given.all("counter-bits"), effort: given.effort()
        })),
    },
    Chart {
        name: "trust",
        about: "Plots the probability that a yes is true, by how rare members are",
        more: "",
        examples: &[
            ("", "write trust.svg"),
            ("--p 1%,1e-6", "other rates"),
            ("--measured", "with real filters, queried for members and others"),
        ],
        draw: |given| figure(Trust::figure(&Trust {
            rates: given.all("p"), prevalence: given.one("prevalence"), effort: given.effort()
        })),
    },
    Chart {
        name: "rate-spread",
        about: "Plots how much the rates of single filters differ, by their size",
        more: "",
        examples: &[
            ("", "write rate-spread.svg"),
            ("--measured --n 10k", "with real filters"),
        ],
        draw: |given| figure(RateSpread::figure(&RateSpread {
            bits_per_item: given.one("bits-per-item"), hashes: given.one("k"),
            items: given.one("n"), effort: given.effort()
        })),
    },
    Chart {
        name: "estimate-error",
        about: "Plots how accurately a filter estimates the number of its items from its bits",
        more: "",
        examples: &[
            ("", "write estimate-error.svg"),
            ("--measured --m 4KiB", "with real filters"),
        ],
        draw: |given| figure(EstimateError::figure(&EstimateError {
            bits: given.one("m"), hashes: given.one("k"), effort: given.effort()
        })),
    },
    Chart {
        name: "diagram",
        about: "Draws the bits of a small filter: items, arrows, shared bits, and what queries find",
        more: "Items have the positions of a real filter, or those given by --positions, which are \
               counted through all slices or blocks. A classic filter is drawn as bits, others as \
               counters, slices, blocks or stages.",
        examples: &[
            ("", "write diagram.svg"),
            ("--m 32 --k 4 --insert ant,bee --query cat", "other items"),
            ("--positions a=2,6,13 --positions b=4,10,11", "positions by hand"),
            ("--filter counting --insert a,b --remove a", "counters, and a removal"),
            ("--filter scalable --insert a,b,c,d,e,f", "the stages of a growing filter"),
            ("--filter partitioned --k 4", "a slice of the bits for each hash"),
            ("--filter blocked --m 40 --blocks 5", "the blocks of a blocked one"),
        ],
        draw: |given| Ok(Picture::Diagram(diagram(given)?)),
    },
    Chart {
        name: "speed",
        about: "Plots the times of a benchmark, as it writes them with --csv: median \
                and quartiles",
        more: "",
        examples: &[
            ("bench.csv", "write speed.svg"),
            ("--only blocked,fastbloom bench.csv", "two of the candidates"),
        ],
        draw: |given| figure(Speed::figure(&Speed {
            csv: given.one("file"), cell: given.one("cell"), only: given.all("only")
        })),
    },
];

impl Chart {
    /// Returns the subcommand.
    pub(super) fn command(&self) -> Command {
        let lines = || {
            self.examples
                .iter()
                .map(|(args, does)| (format!("{} {args}", self.name), does))
        };
        let longest = lines()
            .map(|(line, _)| line.len())
            .max()
            .unwrap_or_default();
        let lines = lines().map(|(line, does)| format!("  bloom-plot {line:longest$}  {does}\n"));
        let command = Command::new(self.name).about(self.about);
        let command = command.before_help(format!("Examples:\n{}", lines.collect::<String>()));
        let command = command.args(flags::of_chart(self.name));
        if self.more.is_empty() {
            return command;
        }
        command.long_about(format!("{}.\n\n{}", self.about, self.more))
    }
}

fn scalable_growth(given: &Given<'_>) -> Drawn {
    let shown = given.one("show");
    if shown == Shown::Memory {
        let message = "queries is for the rate; memory needs none";
        given.refuse(
            "queries",
            message,
            "leave --queries out, or add --show rate",
        )?;
    }
    let question = ScalableGrowth {
        first: given.one("first"),
        rate: given.one("p"),
        growth: given.one("growth"),
        tightening: given.one("tightening"),
        items: given.one("n"),
        shown,
        effort: given.effort(),
    };
    figure(question.figure())
}
