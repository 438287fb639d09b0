//! The command line: charts and their flags, parsed into questions.

mod classic;
mod diagram;
mod failure;
mod hashing;
mod measure;
mod models;
mod output;
mod read;
mod speed;
mod variants;

pub(crate) use failure::Failure;
pub(crate) use output::OutputArgs;

use bloom_plot::Figure;
use bloom_plot::diagram::Diagram;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};

use classic::{BitsByRateArgs, RateByBitsArgs, RateByHashesArgs, RateByItemsArgs, SizingErrorArgs};
use diagram::DiagramArgs;
use hashing::HashingErrorArgs;
use models::{EstimateErrorArgs, HashFloorArgs, ModelErrorArgs, RateSpreadArgs, TrustArgs};
use speed::SpeedArgs;
use variants::{BlockedCostArgs, CounterOverflowArgs, ScalableGrowthArgs};

const TEMPLATE: &str = "\
{before-help}{about}

{usage-heading} {usage}

{all-args}";

const EXAMPLES: &str = "\
Examples:
  bloom-plot rate-by-items --measured                write rate-by-items.svg, theory and measurement
  bloom-plot sizing-error --theme dark -o rules.png  another chart, dark, as PNG
  bloom-plot rate-by-hashes -o - --csv data.csv      to a pipe, with the data in a file
";

/// Plots what Bloom filters do, theory beside measurement, as SVG or PNG.
#[derive(Debug, Parser)]
#[command(name = "bloom-plot", version, before_help = EXAMPLES, help_template = TEMPLATE)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) chart: Chart,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl Cli {
    /// Parses the command line, or exits with clap's message.
    pub(crate) fn read() -> Self {
        let command = Self::command().mut_subcommands(|chart| chart.mut_args(shared));
        let read = Self::from_arg_matches(&command.get_matches());
        read.unwrap_or_else(|error| error.exit())
    }
}

/// Adds to a chart's flag what the charts have in common: the short flags and aliases of n, m, k
/// and p, and permission for values with a leading hyphen, so that the error about a negative value
/// is ours.
fn shared(arg: Arg) -> Arg {
    let named = |arg: Arg, letter, name, value| {
        let arg = arg.short(letter).visible_alias(name).value_name(value);
        arg.allow_hyphen_values(true)
    };
    match arg.get_id().as_str() {
        "n" => named(arg, 'n', "items", "ITEMS"),
        "m" => named(arg, 'm', "bits", "BITS"),
        "k" => named(arg, 'k', "hashes", "HASHES"),
        "p" => named(arg, 'p', "rate", "RATE"),
        "file" | "filter" | "only" => arg,
        id if id.ends_with("_bits") || id == "bits_per_item" => {
            arg.value_name("BITS").allow_hyphen_values(true)
        }
        _ if arg.get_action().takes_values() => arg.allow_hyphen_values(true),
        _ => arg,
    }
}

/// The result of a question.
pub(crate) enum Answer {
    Figure(Figure),
    Diagram(Diagram),
}

/// A question, as flags.
pub(crate) trait Ask {
    /// Returns the answer, after notes on how the flags were interpreted.
    fn answer(&self, note: &mut dyn FnMut(&str)) -> Result<Answer, Failure>;
}

/// Declares the charts: name, arguments and help.
macro_rules! charts {
    ($($(#[doc = $doc:literal])+ $name:literal $variant:ident($args:ident), $examples:expr;)+) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Chart {
            $(
                $(#[doc = $doc])+
                #[command(name = $name, before_help = $examples, help_template = TEMPLATE)]
                $variant($args),
            )+
        }

        impl Chart {
            /// Returns the name of the subcommand.
            pub(crate) fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)+
                }
            }

            /// Returns the question.
            pub(crate) fn ask(&self) -> &dyn Ask {
                match self {
                    $(Self::$variant(args) => args,)+
                }
            }
        }
    };
}

charts! {
    /// Plots the false-positive rate p against the items n, a curve for each number of hashes k.
    ///
    /// Curves are the exact model's. Points are measured on real filters: the mean rate, with an
    /// interval of 99 % from the scatter between filters; where no query was a hit, an arrow down
    /// from the 99 % upper bound.
    "rate-by-items" RateByItems(RateByItemsArgs), "\
Examples:
  bloom-plot rate-by-items                                     write rate-by-items.svg
  bloom-plot rate-by-items --m 1KiB --k 4,7,10 -o curve.png    other filters, as PNG
  bloom-plot rate-by-items --n 4000 --measured -o -            measured too, to a pipe
  bloom-plot rate-by-items --k 2,6 --best                      beside the best k at each n
";

    /// Plots p against the bits per item m/n: a curve for each k, the best k, and the bound of all
    /// filters.
    "rate-by-bits" RateByBits(RateByBitsArgs), "\
Examples:
  bloom-plot rate-by-bits                             write rate-by-bits.svg
  bloom-plot rate-by-bits --k 4,8 --bits-per-item 16  other curves
";

    /// Plots p against the number of hashes k, with the best whole and the best real one marked.
    "rate-by-hashes" RateByHashes(RateByHashesArgs), "\
Examples:
  bloom-plot rate-by-hashes                     write rate-by-hashes.svg
  bloom-plot rate-by-hashes --n 100 --m 1000    small filters, where the formula is off
";

    /// Plots the bits per item that a rate costs: Bloom filters, blocked ones, cuckoo, xor and fuse
    /// filters, and the bound.
    "bits-by-rate" BitsByRate(BitsByRateArgs), "\
Examples:
  bloom-plot bits-by-rate               write bits-by-rate.svg
  bloom-plot bits-by-rate --p 1e-4      down to another rate
  bloom-plot bits-by-rate --measured --n 10k  with real filters: their bits, their rates
";

    /// Plots the true rate over the asked one for the sizing rules of textbooks, of libraries and of
    /// this project.
    ///
    /// The rules of libraries are those of bloom-params --like.
    "sizing-error" SizingError(SizingErrorArgs), "\
Examples:
  bloom-plot sizing-error                       write sizing-error.svg
  bloom-plot sizing-error --n 2000              fewer items: whole words and bits matter more
  bloom-plot sizing-error --only parquet,ours   Parquet's rule: a power of two
  bloom-plot sizing-error --measured --n 10k    with real filters of every rule
";

    /// Plots how far the textbook and the asymptotic formula are below the exact rate.
    "model-error" ModelError(ModelErrorArgs), "\
Examples:
  bloom-plot model-error                        write model-error.svg
  bloom-plot model-error --bits-per-item 10     one load, up to another size
";

    /// Plots the rate of plain and enhanced double hashing, and of ours, over that of independent
    /// hashes.
    "hashing-error" HashingError(HashingErrorArgs), "\
Examples:
  bloom-plot hashing-error                                  write hashing-error.svg
  bloom-plot hashing-error --m 1024 --measured              with real filters
  bloom-plot hashing-error --bits-per-item 16 --m 1M        other filters
";

    /// Plots what a hash of few bits adds to the rate, however large the filter.
    "hash-floor" HashFloor(HashFloorArgs), "\
Examples:
  bloom-plot hash-floor                         write hash-floor.svg
  bloom-plot hash-floor --hash-bits 16,24,32    other widths
  bloom-plot hash-floor --hash-bits 16 --n 100k --measured  with real filters
";

    /// Plots the rate of blocked filters by the bits per item, or over that of plain ones of the
    /// same bits.
    "blocked-cost" BlockedCost(BlockedCostArgs), "\
Examples:
  bloom-plot blocked-cost                       write blocked-cost.svg
  bloom-plot blocked-cost --bits-per-item 40    where it becomes much
  bloom-plot blocked-cost --measured --n 10k    with real filters
  bloom-plot blocked-cost --show rate --block-bits 32,64,512  the rates themselves
";

    /// Plots the compound rate of a growing filter, or its memory, beside stages of one rate.
    "scalable-growth" ScalableGrowth(ScalableGrowthArgs), "\
Examples:
  bloom-plot scalable-growth                    write scalable-growth.svg
  bloom-plot scalable-growth --show memory      the bits per item
  bloom-plot scalable-growth --measured --n 20k  with real filters while they grow
";

    /// Plots the chance that any counter of a counting filter sticks, by its bits.
    "counter-overflow" CounterOverflow(CounterOverflowArgs), "\
Examples:
  bloom-plot counter-overflow                     write counter-overflow.svg
  bloom-plot counter-overflow --counter-bits 4,8  other widths
  bloom-plot counter-overflow --m 10k --measured  with real filters
";

    /// Plots the chance that a yes is true, by how rare members are.
    "trust" Trust(TrustArgs), "\
Examples:
  bloom-plot trust                  write trust.svg
  bloom-plot trust --p 1%,1e-6      other rates
  bloom-plot trust --measured       with real filters, asked for members and others
";

    /// Plots how much the rates of single filters differ, by their size.
    "rate-spread" RateSpread(RateSpreadArgs), "\
Examples:
  bloom-plot rate-spread                             write rate-spread.svg
  bloom-plot rate-spread --measured --n 10k          with real filters
";

    /// Plots how well a filter knows the number of its items from its bits.
    "estimate-error" EstimateError(EstimateErrorArgs), "\
Examples:
  bloom-plot estimate-error                          write estimate-error.svg
  bloom-plot estimate-error --measured --m 4KiB      with real filters
";

    /// Draws the bits of a small filter: items, arrows, shared bits, and what queries find.
    ///
    /// Items have the positions of a real filter, or those given by --positions, which are counted
    /// through all slices or blocks. A classic filter is drawn as bits, others as counters, slices,
    /// blocks or stages.
    "diagram" Diagram(DiagramArgs), "\
Examples:
  bloom-plot diagram                                            write diagram.svg
  bloom-plot diagram --m 32 --k 4 --insert ant,bee --query cat  other items
  bloom-plot diagram --positions a=2,6,13 --positions b=4,10,11  positions by hand
  bloom-plot diagram --filter counting --insert a,b --remove a  counters, and a removal
  bloom-plot diagram --filter scalable --insert a,b,c,d,e,f     the stages of a growing filter
  bloom-plot diagram --filter partitioned --k 4                 a slice of the bits for each hash
  bloom-plot diagram --filter blocked --m 40 --blocks 5         the blocks of a blocked one
";

    /// Plots the times of a race that the bench wrote with --csv: median and quartiles.
    "speed" Speed(SpeedArgs), "\
Examples:
  bloom-plot speed race.csv                            write speed.svg
  bloom-plot speed --only blocked,fastbloom race.csv   two of the contenders
";
}
