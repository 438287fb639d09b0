//! The table of all flags of `bloom-plot`. A new flag needs a row in the table, and code that reads its value.

use std::error::Error;

use bloom_params::units;
use clap::builder::{
    PathBufValueParser, PossibleValuesParser, StringValueParser, TypedValueParser,
};
use clap::{Arg, ArgAction};

use super::diagram;
use crate::curves::LINEAR_OR_LOG;
use crate::diagram::Kind;
use crate::error::FigureError;
use crate::font::Typeface;
use crate::look::Theme;
use crate::measure::Effort;
use crate::output::Format;
use crate::parse::{self, Failure};
use crate::questions::{BlockedShown, Shown};
use crate::size::Size;
use crate::words::by_name;

/// A flag of the command line.
#[derive(Clone, Copy)]
struct Flag {
    name: &'static str,
    /// Adds two things to the flag: the parser of its value, and the name that the help gives to the value.
    value: fn(Arg) -> Arg,
    help: &'static str,
    /// The names of the charts that take the flag, with blanks between. `chart=value` gives the flag's default value for this
    /// chart. [`EVERY`] stands for all charts.
    charts: &'static str,
}

/// The name that the help gives to a number of bits which a user could mistake for a number of bytes.
pub(super) const BITS: &str = "BITS";

/// The heading in the help above the flags for measuring real filters.
const MEASUREMENT: &str = "Measurement";

/// Stands for all charts in a row of the table.
const EVERY: &str = "";

/// The charts that can show points measured on real filters.
const MEASURED: &str = "rate-by-items rate-by-bits rate-by-hashes bits-by-rate sizing-error \
                        hashing-error hash-floor blocked-cost scalable-growth counter-overflow \
                        trust rate-spread estimate-error";

/// All flags, in the order in which the help lists them.
#[rustfmt::skip]
const FLAGS: &[Flag] = &[
    flag("file", table, "The CSV file of times that the benchmark writes with --csv", "speed"),
    flag("n", |arg| again(items(arg)), "Items n: 2000, 1.5M, 2^20",
         "rate-by-bits=10000 rate-by-hashes=2000 sizing-error=100k blocked-cost=1M"),
    flag("n", items, "Items n: 2000, 1.5M, 2^20", "bits-by-rate=1M"),
    flag("m", |arg| again(bits(arg)), "Bits m of the filter: 20000, 20kbit, 2^20; or bytes: 2400B, 16KiB",
         "rate-by-items=20000 rate-by-hashes=20000 estimate-error=20000"),
    flag("m", |arg| again(counters(arg)), "Counters m: 20000, 1M, 2^20", "counter-overflow=1M"),
    flag("m", bits, "Bits m at the right end of the axis: 20000, 20kbit, 2^20", "model-error=1e7 hashing-error=16384"),
    flag("k", |arg| list(hashes(arg)), "Numbers of hashes k, separated by commas: a curve for each",
         "rate-by-items=3,5,7 rate-by-bits=1,2,4,7,10,14"),
    flag("k", hashes, "Largest number of hashes k on the axis [default: a little over twice the best]", "rate-by-hashes"),
    flag("k", hashes, "Hashes k, from 3 to 14 [default: the best]", "hashing-error"),
    flag("k", hashes, "Hashes k", "counter-overflow=7 rate-spread=7 estimate-error=7"),
    flag("counter-bits", |arg| list(small(arg)), "Bits of a counter, separated by commas: a curve for each, up to 8",
         "counter-overflow=2,3,4,5"),
    flag("hash-bits", |arg| list(small(arg)), "Bits of a hash, separated by commas: two curves for each, up to 4",
         "hash-floor=32,64"),
    flag("p", rate, "Lowest rate p on the axis: 0.001, 0.1%, 1/1000", "bits-by-rate=1e-6 sizing-error=1e-6"),
    flag("p", rate, "Rate p for which the filters are sized: 0.001, 0.1%, 1/1000", "hash-floor=1e-6"),
    flag("p", |arg| list(rate(arg)), "Rates p, separated by commas: a curve for each, up to 8",
         "trust=10%,1%,0.1%,0.01%"),
    flag("prevalence", |arg| value(arg, "SHARE", parse::share), "Smallest share of members among the queries: 0.001, 0.1%, 1/1000", "trust=1e-6"),
    flag("first", |arg| value(arg, "ITEMS", |_, text| units::parse_items(text)), "Items of the first stage: 2000, 1.5M, 2^20",
         "scalable-growth=1000"),
    flag("p", rate, "Rate p that all stages together keep: 0.001, 0.1%, 1/1000", "scalable-growth=1%"),
    flag("growth", small, "Growth: the items of a stage divided by those of the stage before", "scalable-growth=2"),
    flag("tightening", decimal, "Tightening ratio: the rate of a stage divided by that of the stage before",
         "scalable-growth=0.85"),
    flag("bits-per-item", decimal, "Bits per item m/n at the right end of the axis", "rate-by-bits=24 blocked-cost=24"),
    flag("bits-per-item", |arg| list(count(arg)), "Bits per item m/n, separated by commas: two curves for each, up to 4",
         "model-error=10,20"),
    flag("bits-per-item", count, "Bits per item m/n", "hashing-error=10 rate-spread=10"),
    flag("n", items, "Items n at the right end of the axis: 4000, 1.5M, 2^20 [default: where every rate is 0.3 or more]",
         "rate-by-items"),
    flag("n", items, "Items n at the right end of the axis: 2000, 1.5M, 2^20",
         "hash-floor=1T scalable-growth=1M rate-spread=100k"),
    flag("block-bits", |arg| list(small(arg)), "Bits of a block, separated by commas: a curve for each, up to 5",
         "blocked-cost=64,256,512"),
    flag("best", switch, "Also draws the rate of the best k at each n", "rate-by-items"),
    flag("only", |arg| list(names(arg)),
         "Rules, separated by commas: textbook, ours, and libraries by their names in bloom-params --like",
         "sizing-error=textbook,guava,redis-nonscaling,ours"),
    flag("show", |arg| word(arg, &[("ratio", BlockedShown::Ratio), ("rate", BlockedShown::Rate)]),
         "What is plotted: ratio, the rate divided by that of a plain filter, or rate", "blocked-cost=ratio"),
    flag("show", |arg| word(arg, &[("rate", Shown::Rate), ("memory", Shown::Memory)]),
         "What is plotted: rate or memory", "scalable-growth=rate"),
    flag("cell", count, "Cell of the file to plot, counted from 1: a cell has one kind of key, n and p", "speed=1"),
    flag("only", |arg| list(names(arg)),
         "Candidates to plot, separated by commas: up to 8 as colours, up to 24 along the axis [default: all]", "speed"),

    flag("filter", |arg| word(arg, Kind::ALL), "Kind of filter: classic, counting, partitioned, blocked or scalable",
         "diagram=classic"),
    flag("m", bits, "Bits m, or counters, up to 64; for a scalable filter, those of its first stage [default: 16; 8 if \
                     scalable, 24 if partitioned, 32 if blocked]", "diagram"),
    flag("k", hashes, "Hashes k: up to 16", "diagram=3"),
    flag("blocks", count, "Blocks of a blocked filter [default: 4]", "diagram"),
    flag("insert", |arg| list(names(arg)), "Items to insert: up to 8, separated by commas", "diagram=a,b,c"),
    flag("remove", |arg| list(names(arg)), "Items to remove from a counting filter: up to 8, separated by commas", "diagram"),
    flag("query", |arg| list(names(arg)), "Items to query: up to 8, separated by commas", "diagram=b,x,f"),
    flag("positions", |arg| value(arg, "NAME=POSITIONS", diagram::positions).action(ArgAction::Append),
         "Positions of an item, from 0; may be given for several items", "diagram"),
    flag("counting", |arg| switch(arg).conflicts_with("filter"), "The same as --filter counting", "diagram"),

    flag("measured", switch, "Also measures real filters", MEASURED),
    flag("filters", |arg| effort(arg, |filters| Effort::new(filters, 1, 1)), "Real filters per measured point, at least 2",
         "rate-by-items=20 rate-by-bits=20 rate-by-hashes=20 bits-by-rate=5 sizing-error=10 hashing-error=2000 \
          hash-floor=5 blocked-cost=5 scalable-growth=10 counter-overflow=1000 trust=20 rate-spread=60 estimate-error=60"),
    flag("queries", |arg| effort(arg, |queries| Effort::new(2, queries, 1)), "Queries per filter",
         "rate-by-items=20000 rate-by-bits=20000 rate-by-hashes=20000 bits-by-rate=200000 sizing-error=500000 \
          hashing-error=1000 hash-floor=200000 blocked-cost=200000 scalable-growth=50000 trust=20000"),
    flag("seed", |arg| effort(arg, |seed| Effort::new(2, 1, seed)),
         "Selects other filters of the same kind; the same seed gives the same picture [default: 1]", MEASURED),

    flag("output", |arg| path(arg).short('o'),
         "File to write: .svg, .png or .pdf, or - for standard output [default: the chart's name with .svg]", EVERY),
    flag("format", |arg| word(arg, Format::ALL),
         "Format of the picture, if the file's name does not give it: svg, png or pdf", EVERY),
    flag("csv", path, "File to write the plotted data to as well, as CSV, or - for standard output", EVERY),
    flag("over", path,
         "CSV file of points to draw over a chart: columns x and y, and optionally low, high, series and kind, as in --csv; \
          rows of the kinds band, bound, bound x and mark are not drawn", EVERY),
    flag("size", |arg| value(arg, "WxH", |_, text| text.trim().parse::<Size>()),
         "Width and height in pixels, or in inches of 96 pixels, such as 3.5x2.2in [default: 800x500]", EVERY),
    flag("width", |arg| value(arg, "PIXELS", |flag, text| parse::whole(flag, " of pixels", text)).conflicts_with("size"),
         "Width in pixels, from 300 to 4000", EVERY),
    flag("height", |arg| value(arg, "PIXELS", |flag, text| parse::whole(flag, " of pixels", text)).conflicts_with("size"),
         "Height in pixels, from 200 to 4000", EVERY),
    flag("dpi", |arg| value(arg, "COUNT", |flag, text| parse::whole(flag, "", text)), "Pixels per inch of a PNG [default: 192]", EVERY),
    flag("theme", |arg| word(arg, Theme::NAMES), "Colours: light, dark, or auto for an SVG that has both [default: light]",
         EVERY),
    flag("font", |arg| word(arg, Typeface::NAMES), "Typeface: sans or serif [default: sans]", EVERY),
    flag("title", |arg| value(arg, "TEXT", parse::title), "Title in place of the chart's own", EVERY),
    flag("no-title", |arg| switch(arg).conflicts_with("title"),
         "Leaves out the title and the legend below it, for a paper whose caption has both", EVERY),
    flag("x-scale", |arg| word(arg, LINEAR_OR_LOG), "Horizontal axis: linear or log [default: that of the chart]", EVERY),
    flag("y-scale", |arg| word(arg, LINEAR_OR_LOG), "Vertical axis: linear or log [default: that of the chart]", EVERY),
    flag("x-range", |arg| value(arg, "FROM..TO", parse::range),
         "Part of the horizontal axis to show, such as 100..2000", EVERY),
    flag("y-range", |arg| value(arg, "FROM..TO", parse::range),
         "Part of the vertical axis to show, such as 1e-4..1", EVERY),
];

const fn flag(
    name: &'static str,
    value: fn(Arg) -> Arg,
    help: &'static str,
    charts: &'static str,
) -> Flag {
    Flag {
        name,
        value,
        help,
        charts,
    }
}

impl Flag {
    /// Returns the charts that take the flag, each with the flag's default value for this chart (empty if it has none).
    fn charts(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let charts = self.charts.split_whitespace();
        charts.map(|chart| chart.split_once('=').unwrap_or((chart, "")))
    }

    fn arg(&self, default: &'static str) -> Arg {
        let arg = (self.value)(Arg::new(self.name).help(self.help));
        let arg = match self.charts {
            EVERY => arg.help_heading("Output").global(true),
            MEASURED => arg.help_heading(MEASUREMENT),
            _ => arg,
        };
        let arg = match self.name {
            "file" => arg.required(true),
            name => arg.long(name),
        };
        let defaults = Some(default).filter(|default| !default.is_empty());
        defaults.into_iter().fold(arg, Arg::default_value)
    }
}

/// Returns the flags that all pictures have.
pub(super) fn of_every_picture() -> impl Iterator<Item = Arg> {
    let every = FLAGS.iter().filter(|flag| flag.charts == EVERY);
    every.map(|flag| flag.arg(""))
}

/// Returns the flags of a chart, without those that all pictures have.
pub(super) fn of_chart(chart: &str) -> impl Iterator<Item = Arg> {
    FLAGS.iter().filter_map(move |flag| {
        let mut charts = flag.charts();
        let (_, default) = charts.find(|(name, _)| *name == chart)?;
        Some(flag.arg(default))
    })
}

/// Gives a flag a value. The value may begin with a hyphen, so that the error for a negative number is from `read` and not from
/// clap. `read` parses the value; it takes the name of the flag and the text.
fn value<T, E>(
    arg: Arg,
    name: &'static str,
    read: impl Fn(&str, &str) -> Result<T, E> + Clone + Send + Sync + 'static,
) -> Arg
where
    T: Clone + Send + Sync + 'static,
    E: Into<Box<dyn Error + Send + Sync>> + 'static,
{
    let flag = arg.get_id().to_string();
    let parser = StringValueParser::new().try_map(move |text| read(&flag, &text));
    let arg = arg.value_name(name).allow_hyphen_values(true);
    arg.value_parser(parser)
}

fn items(arg: Arg) -> Arg {
    let arg = value(arg, "ITEMS", |_, text| units::parse_items(text));
    arg.short('n').visible_alias("items")
}

fn bits(arg: Arg) -> Arg {
    let read = |_: &str, text: &str| units::parse_bits(text);
    value(arg, BITS, read).short('m').visible_alias("bits")
}

fn counters(arg: Arg) -> Arg {
    let arg = value(arg, "COUNTERS", parse::count);
    arg.short('m').visible_alias("bits")
}

fn hashes(arg: Arg) -> Arg {
    let arg = value(arg, "HASHES", |_, text| units::parse_hashes(text));
    arg.short('k').visible_alias("hashes")
}

fn rate(arg: Arg) -> Arg {
    let arg = value(arg, "RATE", |_, text| units::parse_rate(text));
    arg.short('p').visible_alias("rate")
}

fn count(arg: Arg) -> Arg {
    value(arg, "COUNT", parse::count)
}

fn small(arg: Arg) -> Arg {
    value(arg, "COUNT", parse::small_count)
}

fn decimal(arg: Arg) -> Arg {
    value(arg, "NUMBER", parse::number)
}

/// Makes the value of a flag one of the three numbers of an [`Effort`]: the filters, the queries or the seed. `accepts` checks
/// this number, by creating an effort with valid values for the other two numbers.
fn effort(arg: Arg, accepts: fn(u64) -> Result<Effort, FigureError>) -> Arg {
    let arg = value(arg, "COUNT", move |flag, text| {
        let number = parse::from_zero(flag, text)?;
        accepts(number).map_err(|error| Failure::of(&error))?;
        Ok::<_, Failure>(number)
    });
    arg.help_heading(MEASUREMENT).requires("measured")
}

fn names(arg: Arg) -> Arg {
    value(arg, "NAMES", |_, text| {
        Ok::<_, Failure>(text.trim().to_owned())
    })
}

fn word<T: Copy + Send + Sync + 'static>(arg: Arg, all: &'static [(&'static str, T)]) -> Arg {
    let names = PossibleValuesParser::new(all.iter().map(|(name, _)| *name));
    let known = move |name: String| by_name(all, &name).expect("a possible value is a name");
    let arg = arg.value_name("NAME").ignore_case(true);
    arg.value_parser(names.map(known))
}

fn path(arg: Arg) -> Arg {
    arg.value_name("FILE")
        .value_parser(PathBufValueParser::new())
}

fn table(arg: Arg) -> Arg {
    let parser = PathBufValueParser::new().try_map(|path| parse::file(&path));
    arg.value_name("FILE.csv").value_parser(parser)
}

fn switch(arg: Arg) -> Arg {
    arg.action(ArgAction::SetTrue)
}

/// Makes a flag take several values with commas between.
fn list(arg: Arg) -> Arg {
    arg.value_delimiter(',').action(ArgAction::Append)
}

/// Lets a flag be given several times. Commas cannot separate its values, because in a value they separate thousands.
fn again(arg: Arg) -> Arg {
    let once = arg.get_help().cloned().unwrap_or_default();
    arg.help(format!(
        "{once}; may be repeated, with curves for each value"
    ))
    .action(ArgAction::Append)
}

#[cfg(test)]
mod tests {
    use super::super::charts::CHARTS;
    use super::*;

    #[test]
    fn every_chart_that_a_flag_names_exists_and_has_the_flag_once() {
        for flag in FLAGS {
            for (chart, _) in flag.charts() {
                assert!(CHARTS.iter().any(|known| known.name == chart), "{chart}");
                let rows = FLAGS.iter().filter(|other| other.name == flag.name);
                let rows = rows.filter(|other| other.charts().any(|(name, _)| name == chart));
                assert_eq!(rows.count(), 1, "{} of {chart}", flag.name);
            }
        }
    }

    #[test]
    fn flags_refer_only_to_flags_of_the_same_chart() {
        for chart in CHARTS.iter() {
            chart.command().args(of_every_picture()).debug_assert();
        }
    }
}
