//! The subcommands that draw: each is a question, whose fields are its flags.

use std::error::Error;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgMatches, Subcommand};

use super::diagram::DiagramArgs;
use super::output::Output;
use crate::parse::Failure;
use crate::questions::{
    BitsByRate, BlockedCost, CounterOverflow, EstimateError, HashFloor, HashingError, ModelError,
    RateByBits, RateByHashes, RateByItems, RateSpread, ScalableGrowth, Shown, SizingError, Speed,
    Trust,
};

/// A question, as flags.
#[derive(Debug, Subcommand)]
pub(super) enum Chart {
    /// Plots the false-positive rate p against the items n, a curve for each number of hashes k.
    ///
    /// Curves are the exact model's. Points are measured on real filters: the mean rate, with an
    /// interval of 99 % from the scatter between filters; where no query was a hit, an arrow down
    /// from the 99 % upper bound.
    #[command(before_help = "\
Examples:
  bloom-plot rate-by-items                                     write rate-by-items.svg
  bloom-plot rate-by-items --m 1KiB --k 4,7,10 -o curve.png    other filters, as PNG
  bloom-plot rate-by-items --n 4000 --measured -o -            measured too, to a pipe
  bloom-plot rate-by-items --k 2,6 --best                      beside the best k at each n
")]
    RateByItems(RateByItems),

    /// Plots p against the bits per item m/n: a curve for each k, the best k, and the bound of all
    /// filters.
    #[command(before_help = "\
Examples:
  bloom-plot rate-by-bits                             write rate-by-bits.svg
  bloom-plot rate-by-bits --k 4,8 --bits-per-item 16  other curves
")]
    RateByBits(RateByBits),

    /// Plots p against the number of hashes k, with the best whole and the best real one marked.
    #[command(before_help = "\
Examples:
  bloom-plot rate-by-hashes                     write rate-by-hashes.svg
  bloom-plot rate-by-hashes --n 100 --m 1000    small filters, where the formula is off
")]
    RateByHashes(RateByHashes),

    /// Plots the bits per item that a rate costs: Bloom filters, blocked ones, cuckoo, xor and fuse
    /// filters, and the bound.
    #[command(before_help = "\
Examples:
  bloom-plot bits-by-rate               write bits-by-rate.svg
  bloom-plot bits-by-rate --p 1e-4      down to another rate
  bloom-plot bits-by-rate --measured --n 10k  with real filters: their bits, their rates
")]
    BitsByRate(BitsByRate),

    /// Plots the true rate over the requested one for the sizing rules of textbooks, of libraries and of this
    /// project.
    ///
    /// The rules of libraries are those of bloom-params --like.
    #[command(before_help = "\
Examples:
  bloom-plot sizing-error                       write sizing-error.svg
  bloom-plot sizing-error --n 2000              fewer items: whole words and bits matter more
  bloom-plot sizing-error --only parquet,ours   Parquet's rule: a power of two
  bloom-plot sizing-error --measured --n 10k    with real filters of every rule
")]
    SizingError(SizingError),

    /// Plots how far the textbook and the asymptotic formula are below the exact rate.
    #[command(before_help = "\
Examples:
  bloom-plot model-error                        write model-error.svg
  bloom-plot model-error --bits-per-item 10     one load, up to another size
")]
    ModelError(ModelError),

    /// Plots the rate of plain and enhanced double hashing, and of ours, over that of independent
    /// hashes.
    #[command(before_help = "\
Examples:
  bloom-plot hashing-error                                  write hashing-error.svg
  bloom-plot hashing-error --m 1024 --measured              with real filters
  bloom-plot hashing-error --bits-per-item 16 --m 1M        other filters
")]
    HashingError(HashingError),

    /// Plots what a hash of few bits adds to the rate, however large the filter.
    #[command(before_help = "\
Examples:
  bloom-plot hash-floor                         write hash-floor.svg
  bloom-plot hash-floor --hash-bits 16,24,32    other widths
  bloom-plot hash-floor --hash-bits 16 --n 100k --measured  with real filters
")]
    HashFloor(HashFloor),

    /// Plots the rate of blocked filters by the bits per item, or over that of plain ones of the
    /// same bits.
    #[command(before_help = "\
Examples:
  bloom-plot blocked-cost                       write blocked-cost.svg
  bloom-plot blocked-cost --bits-per-item 40    where it becomes much
  bloom-plot blocked-cost --measured --n 10k    with real filters
  bloom-plot blocked-cost --show rate --block-bits 32,64,512  the rates themselves
")]
    BlockedCost(BlockedCost),

    /// Plots the compound rate of a growing filter, or its memory, beside stages of one rate.
    #[command(before_help = "\
Examples:
  bloom-plot scalable-growth                    write scalable-growth.svg
  bloom-plot scalable-growth --show memory      the bits per item
  bloom-plot scalable-growth --measured --n 20k  with real filters while they grow
")]
    ScalableGrowth(ScalableGrowth),

    /// Plots the probability that any counter of a counting filter saturates, by its bits.
    #[command(before_help = "\
Examples:
  bloom-plot counter-overflow                     write counter-overflow.svg
  bloom-plot counter-overflow --counter-bits 4,8  other widths
  bloom-plot counter-overflow --m 10k --measured  with real filters
")]
    CounterOverflow(CounterOverflow),

    /// Plots the probability that a yes is true, by how rare members are.
    #[command(before_help = "\
Examples:
  bloom-plot trust                  write trust.svg
  bloom-plot trust --p 1%,1e-6      other rates
  bloom-plot trust --measured       with real filters, queried for members and others
")]
    Trust(Trust),

    /// Plots how much the rates of single filters differ, by their size.
    #[command(before_help = "\
Examples:
  bloom-plot rate-spread                             write rate-spread.svg
  bloom-plot rate-spread --measured --n 10k          with real filters
")]
    RateSpread(RateSpread),

    /// Plots how accurately a filter estimates the number of its items from its bits.
    #[command(before_help = "\
Examples:
  bloom-plot estimate-error                          write estimate-error.svg
  bloom-plot estimate-error --measured --m 4KiB      with real filters
")]
    EstimateError(EstimateError),

    /// Draws the bits of a small filter: items, arrows, shared bits, and what queries find.
    ///
    /// Items have the positions of a real filter, or those given by --positions, which are counted
    /// through all slices or blocks. A classic filter is drawn as bits, others as counters, slices,
    /// blocks or stages.
    #[command(before_help = "\
Examples:
  bloom-plot diagram                                            write diagram.svg
  bloom-plot diagram --m 32 --k 4 --insert ant,bee --query cat  other items
  bloom-plot diagram --positions a=2,6,13 --positions b=4,10,11  positions by hand
  bloom-plot diagram --filter counting --insert a,b --remove a  counters, and a removal
  bloom-plot diagram --filter scalable --insert a,b,c,d,e,f     the stages of a growing filter
  bloom-plot diagram --filter partitioned --k 4                 a slice of the bits for each hash
  bloom-plot diagram --filter blocked --m 40 --blocks 5         the blocks of a blocked one
")]
    Diagram(DiagramArgs),

    /// Plots the times of a benchmark race, as the bench writes them with --csv: median and quartiles.
    #[command(before_help = "\
Examples:
  bloom-plot speed race.csv                            write speed.svg
  bloom-plot speed --only blocked,fastbloom race.csv   two of the contenders
")]
    Speed(Speed),
}

impl Chart {
    /// Refuses a flag that would be ignored.
    pub(super) fn check(&self, given: &ArgMatches) -> Result<(), Failure> {
        let memory =
            matches!(self, Self::ScalableGrowth(question) if question.shown == Shown::Memory);
        if memory && given.value_source("queries") == Some(ValueSource::CommandLine) {
            let got = given.get_one::<u64>("queries").copied().unwrap_or_default();
            let message = format!("queries is for the rate; memory needs none, got {got}");
            let failure = Failure::new(message);
            return Err(failure.hint("leave --queries out, or add --show rate"));
        }
        Ok(())
    }

    /// Answers the question, draws the answer, and returns the files written.
    pub(super) fn draw<'a>(&self, output: &'a Output<'_>) -> Result<Vec<&'a Path>, Box<dyn Error>> {
        let figure = match self {
            Self::Diagram(question) => {
                let mut diagram = question.diagram()?;
                output.adapt_diagram(&mut diagram)?;
                return output.write(&diagram);
            }
            Self::RateByItems(question) => question.figure(),
            Self::RateByBits(question) => question.figure(),
            Self::RateByHashes(question) => question.figure(),
            Self::BitsByRate(question) => question.figure(),
            Self::SizingError(question) => question.figure(),
            Self::ModelError(question) => question.figure(),
            Self::HashingError(question) => question.figure(),
            Self::HashFloor(question) => question.figure(),
            Self::BlockedCost(question) => question.figure(),
            Self::ScalableGrowth(question) => question.figure(),
            Self::CounterOverflow(question) => question.figure(),
            Self::Trust(question) => question.figure(),
            Self::RateSpread(question) => question.figure(),
            Self::EstimateError(question) => question.figure(),
            Self::Speed(question) => question.figure(),
        };
        let mut figure = figure?;
        output.adapt(&mut figure)?;
        output.write(&figure)
    }
}
