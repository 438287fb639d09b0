//! Defines the command line: commands and flags, with their help.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::LazyLock;

use bloom_params::InputError;
use bloom_terminal::shells::{HELP, Printed};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::key::KeyType;
use crate::systems::{self, System};

/// Printed when there are no arguments.
pub(crate) const GUIDE: &str = "\
Reads the Bloom filters of Spark, Guava, Redis, Parquet, Go and other systems.

  bloom-file inspect users.bloom           what is it, and what is its true rate?
  bloom-file query users.bloom < keys      which of these keys may be in it?
  bloom-file --help                        all commands and formats
";

const EXAMPLES: &str = "\
Examples:
  bloom-file inspect users.bloom --p 1%    what it is, its true rate, and whether that is at most 1 %
  bloom-file query users.bloom user-7      is this key in it? exit code 0 or 1
  bloom-file query users.bloom --only yes < keys > candidates
  bloom-file build --format spark --n 1M --p 1% < keys > users.bloom
  bloom-file merge part-*.bloom --output users.bloom
  bloom-file build --format redis --n 1M --p 1% --chunks users < keys | redis-cli --pipe
  bloom-file inspect users.parquet         the filters of its row groups and columns
  bloom-file query users.parquet --column user_id 17
  bloom-file build --into filtered.parquet --column user_id users.parquet";

const EXIT_CODES: &str = "\
Exit codes: 0 success; 1 the only queried key is certainly not in the filter, inspect finds a rate above --p, \
or query --strict finds that the keys in the filter have another type than --keys; 2 bad usage, bad input, or a failed write.";

/// Inspects, builds, queries and merges the Bloom filters of Spark, Guava, Redis, Parquet, Go and
/// other systems
#[derive(Parser)]
#[command(
    name = "bloom-file",
    version,
    before_help = EXAMPLES,
    after_help = EXIT_CODES,
    after_long_help = more(),
    max_term_width = 100,
    disable_help_subcommand = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// All commands and flags with their full names, as shell completions and manual pages need them.
pub(crate) static ROOT: LazyLock<clap::Command> = LazyLock::new(|| {
    let mut built = root();
    built.build();
    built
});

/// Returns the flags and commands.
pub(crate) fn root() -> clap::Command {
    let root = Cli::command().help_template(HELP);
    let root = Printed::of(root, &["inspect", "build", "query", "merge", "convert"]);
    root.mut_subcommands(|command| command.help_template(HELP))
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Print what a filter is, its size, fill, items and true false-positive rate
    ///
    /// Few formats begin with magic bytes. Without --format, the bytes are tried as every format, and the filter is reported
    /// for each format that fits. The length must match the header exactly, so more than one format rarely fits.
    ///
    /// For a Parquet file, the filters of all row groups and columns are listed. Only the footer and the filters are
    /// read.
    Inspect(InspectArgs),
    /// Build the filter that a system would build from the keys in the standard input
    ///
    /// The filter has the size and the bytes that the system itself would give it. The filters of some systems miss the target
    /// rate, and then so does the filter that is built. Its true rate is printed to the standard error.
    ///
    /// With --into, a Parquet file is copied, and filters of the values of a column are added to the copy: one for each row
    /// group, of a size that keeps the rate. The data pages are copied byte for byte.
    Build(BuildArgs),
    /// Query a filter for one key, or for the keys in the standard input
    ///
    /// The answer "no" is certain. The answer "yes" may be a false positive: a key that was never inserted gets the answer
    /// "yes" with a probability that is the false-positive rate. Query keys as the type with which they were inserted (--keys):
    /// a filter does not record the type, and does not find keys that are queried as another type.
    ///
    /// For a Parquet file, the filters of --column are queried, and the answer for a key lists row groups by their
    /// numbers, from 0: after "yes" the row groups that may contain the key, after "unknown" the row groups without a
    /// filter. If there is no such row group, the answer is "no".
    Query(QueryArgs),
    /// Merge filters of the same system and size into one filter that contains the keys of all of them
    Merge(MergeArgs),
    /// Convert a filter to another format that has the same bits
    ///
    /// The formats of each of these pairs can be converted to each other: hadoop and hudi, hadoop-dynamic and hudi-dynamic,
    /// bits-and-blooms and bits-and-blooms-json, parquet and parquet-bitset, a dump of Redis and the commands that restore it
    /// (--chunks). Other conversions are impossible: the two systems set different bits for a key, and the keys are not in the
    /// filter.
    Convert(ConvertArgs),
    #[command(flatten)]
    Printed(Printed),
}

#[derive(Args)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,

    /// Target false-positive rate, such as 0.01, 1%, 1/100 or 2^-7: print whether the filter's rate is at most this, and with
    /// up to how many items filters of its size meet it on average
    #[arg(short, long, visible_alias = "rate", value_name = "RATE")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) p: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct BuildArgs {
    /// The Parquet file to copy, with --into
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The kind of filter to build: a system, or a variant of its filters
    #[arg(short, long, value_name = "FORMAT", value_parser = built())]
    #[arg(required_unless_present_any = ["into", "file"])]
    pub(crate) format: Option<String>,

    /// Expected items n: 2000, 2_000, 2k, 1.5M, 2e3, 2^20 [default with --into: the number of distinct values in each row
    /// group]
    #[arg(short, long, visible_alias = "items", value_name = "ITEMS")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) n: Option<String>,

    /// Target false-positive rate p: 0.01, 1%, 1/100, 2^-7 [default with --into: 1%]
    #[arg(short, long, visible_alias = "rate", value_name = "RATE")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) p: Option<String>,

    /// Copy the Parquet file FILE to the file COPY, and add filters of a column to the copy
    #[arg(long, value_name = "COPY", requires = "file", requires = "column")]
    #[arg(conflicts_with_all = [
        "format", "keys", "skip_bad_lines", "output", "m", "k", "seed", "growth", "chunks",
    ])]
    pub(crate) into: Option<PathBuf>,

    /// A column to build filters of; may be given several times
    #[arg(long, value_name = "COLUMN", requires = "into")]
    pub(crate) column: Vec<String>,

    #[command(flatten)]
    pub(crate) extra: ExtraArgs,

    #[command(flatten)]
    pub(crate) chunks: ChunksArgs,

    #[command(flatten)]
    pub(crate) keys: KeysArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The flags besides --n and --p that only some systems take.
#[derive(Args)]
pub(crate) struct ExtraArgs {
    /// Size m in bits, or in bytes with a unit, in place of p: 9600, 1200B, 16KiB
    #[arg(
        short,
        long,
        visible_alias = "bits",
        value_name = "BITS",
        conflicts_with = "p"
    )]
    #[arg(allow_hyphen_values = true)]
    pub(crate) m: Option<String>,

    /// Number of hashes k; needs --m
    #[arg(
        short,
        long,
        visible_alias = "hashes",
        value_name = "HASHES",
        requires = "m"
    )]
    #[arg(allow_hyphen_values = true)]
    pub(crate) k: Option<String>,

    /// Seed of the hash function
    #[arg(long, value_name = "SEED", allow_hyphen_values = true)]
    pub(crate) seed: Option<i128>,

    /// Growth of a Redis filter, which adds a part when its last part is full: each part is for this many times as many items
    /// as the part before [default: 2]
    #[arg(long, value_name = "TIMES", allow_hyphen_values = true)]
    pub(crate) growth: Option<u32>,
}

#[derive(Args)]
pub(crate) struct ChunksArgs {
    /// For Redis: write the commands that store the filter under this key of the database, as input of redis-cli --pipe
    #[arg(long, value_name = "KEY")]
    pub(crate) chunks: Option<OsString>,
}

#[derive(Args)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,

    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = forms(), required_unless_present = "chunks")]
    pub(crate) to: Option<String>,

    #[command(flatten)]
    pub(crate) chunks: ChunksArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Args)]
pub(crate) struct QueryArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,

    /// The key to query [default: each line of the standard input is a key]
    #[arg(allow_hyphen_values = true)]
    pub(crate) key: Option<OsString>,

    #[command(flatten)]
    pub(crate) keys: KeysArgs,

    /// The column of a Parquet file: a name, or a path with dots
    #[arg(long, value_name = "COLUMN", conflicts_with = "offset")]
    pub(crate) column: Option<String>,

    /// Print keys instead of yes and no: those that may be in the filter, or those that are not
    #[arg(long, value_enum, value_name = "ANSWER")]
    pub(crate) only: Option<Only>,

    /// Print only the number of keys with each answer
    #[arg(long, conflicts_with = "only")]
    pub(crate) count: bool,

    /// Number of threads [default: one for each core]
    #[arg(long, value_name = "N", conflicts_with_all = ["column", "key"])]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Exit with 1 if the keys in the filter seem to have another type than --keys: if the queried keys are read as that other
    /// type, more of them are found than false positives explain
    #[arg(long, conflicts_with_all = ["column", "key"])]
    pub(crate) strict: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Only {
    /// Keys that may be in the filter
    Yes,
    /// Keys that are certainly not in it
    No,
}

#[derive(Args)]
pub(crate) struct MergeArgs {
    /// The filters
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Format of the files [default: the only format that the first file fits]
    #[arg(short, long, value_name = "FORMAT", value_parser = read())]
    pub(crate) format: Option<String>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// A file with a filter.
#[derive(Args)]
pub(crate) struct FileArgs {
    /// The file, or - for the standard input
    ///
    /// A file is mapped into memory: it must not become shorter while it is read.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Format of the file [default: the only format that it fits]
    #[arg(short, long, value_name = "FORMAT", value_parser = read())]
    pub(crate) format: Option<String>,

    /// Offset of the filter in the file, in bytes, such as bloom_filter_offset in a Parquet file
    #[arg(long, value_name = "BYTES", allow_hyphen_values = true)]
    pub(crate) offset: Option<String>,
}

#[derive(Args)]
pub(crate) struct KeysArgs {
    /// The type of the keys, which decides how they are hashed [default: text; for a Parquet file, the type of the column]
    #[arg(long, value_enum, value_name = "TYPE")]
    pub(crate) keys: Option<KeyType>,

    /// Skip lines that are not keys of the type, and report their number; a query prints "bad" for each
    #[arg(long)]
    pub(crate) skip_bad_lines: bool,
}

#[derive(Args)]
pub(crate) struct OutputArgs {
    /// The file to write [default: the standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl KeysArgs {
    /// Returns the type of the keys of a filter outside of Parquet files: text by default.
    pub(crate) fn key_type(&self) -> KeyType {
        self.keys.unwrap_or_default()
    }
}

impl FileArgs {
    pub(crate) fn offset(&self) -> Result<u64, InputError> {
        let offset = self.offset.as_deref().unwrap_or("0");
        bloom_params::flag::whole(offset, "--offset", 0..=u64::MAX)
    }
}

/// Returns the system with this name, or the system that has a kind of filter with this name.
pub(crate) fn by_name(name: Option<&str>) -> Option<&'static System> {
    name.and_then(systems::by_name)
}

/// Accepts the names of systems. Names of a version or a hash function, such as spark-1 and hadoop-jenkins, are left out,
/// because a conversion changes neither.
fn forms() -> PossibleValuesParser {
    PossibleValuesParser::new(systems::all().map(|system| system.name))
}

/// Accepts the names of systems, and the names of filters that can be built.
fn read() -> PossibleValuesParser {
    let systems = systems::all().map(|system| PossibleValue::new(system.name));
    let builds = systems::builds().filter(|(system, build)| system.name != build.name);
    let builds = builds.map(|(_, build)| PossibleValue::new(build.name).hide(true));
    PossibleValuesParser::new(systems.chain(builds))
}

/// Accepts the names of filters that can be built.
fn built() -> PossibleValuesParser {
    PossibleValuesParser::new(systems::builds().map(|(_, build)| build.name))
}

/// Returns what `--help` prints after the flags; `-h` prints only the exit codes there.
fn more() -> String {
    let mut text = "Systems, and the types of their keys:\n".to_string();
    for system in systems::all() {
        let keys: Vec<_> = system.keys.iter().map(|key| key.name()).collect();
        text += &format!(
            "  {}: {}\n      keys: {}\n",
            system.name,
            system.about,
            keys.join(", ")
        );
    }
    text += "\nFilters that can be built:\n";
    for (_, build) in systems::builds() {
        text += &format!("  {:<20} {}\n", build.name, build.about);
    }
    format!("{text}\n{EXIT_CODES}")
}
