//! Lists the flags of a question, for the command line, a web page and links. Only this table says
//! what their names, values and meanings are, and which of them need or exclude others.

use crate::say::words::dashed;

/// What a flag is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// What is known about a filter.
    Question,
    /// An option of some kinds of filter. The text names these kinds.
    Option(&'static str),
    /// The library that builds the filter.
    Library,
    /// What is added to an answer.
    Section,
}

/// What follows a flag.
#[cfg_attr(
    not(feature = "cli"),
    expect(dead_code, reason = "only a command line has a help")
)]
#[derive(Debug, Clone, Copy)]
pub(crate) enum Takes {
    /// Nothing.
    Nothing,
    /// A text. The help shows this name in its place.
    Text(&'static str),
    /// One of these texts, each with its meaning. The help shows this name in its place.
    OneOf(&'static str, &'static [(&'static str, &'static str)]),
    /// The name of a library.
    Library,
}

/// A flag.
#[cfg_attr(
    not(feature = "cli"),
    expect(dead_code, reason = "only a command line has a help")
)]
#[derive(Debug)]
pub(crate) struct Flag {
    /// Its name in JSON, in links and, with dashes, on the command line.
    pub(crate) name: &'static str,
    /// Another name on the command line; empty if there is none.
    pub(crate) alias: &'static str,
    pub(crate) takes: Takes,
    pub(crate) part: Part,
    /// Whether the short help has it.
    pub(crate) is_common: bool,
    /// Another flag that must be given with this one; empty if no other is needed.
    pub(crate) needs: &'static str,
    /// Whether a library decides what the flag asks for, so that the flag and `like` exclude each other.
    pub(crate) is_of_own_sizes: bool,
    /// A line of help.
    pub(crate) help: &'static str,
    /// More help, for the manual page.
    pub(crate) more: &'static str,
}

impl Flag {
    /// Returns the flag as it is written on the command line.
    pub(crate) fn dashed(&self) -> String {
        dashed(self.name)
    }
}

/// Returns the flag with this name.
pub(crate) fn flag(name: &str) -> Option<&'static Flag> {
    FLAGS.iter().find(|flag| flag.name == name)
}

/// Returns a help text. Without a command line it is empty, so that the WebAssembly module of a page is smaller.
const fn text(text: &'static str) -> &'static str {
    if cfg!(feature = "cli") { text } else { "" }
}

/// Returns the names that are the valid values of a flag, each with its meaning; empty if the flag
/// takes something else.
pub(crate) fn names(of: &str) -> &'static [(&'static str, &'static str)] {
    match flag(of).map(|flag| flag.takes) {
        Some(Takes::OneOf(_, names)) => names,
        _ => &[],
    }
}

/// The names of the four quantities of a filter.
#[cfg(feature = "cli")]
pub(crate) const QUANTITIES: [&str; 4] = ["n", "m", "k", "p"];

const TEXT: Flag = Flag {
    name: "",
    alias: "",
    takes: Takes::Text(""),
    part: Part::Question,
    is_common: false,
    needs: "",
    is_of_own_sizes: false,
    help: "",
    more: "",
};

const OPTION: Flag = Flag {
    is_of_own_sizes: true,
    ..TEXT
};

const SECTION: Flag = Flag {
    part: Part::Section,
    ..TEXT
};

const OF_BLOCKS: Part = Part::Option("blocked, split-block or plain-blocked");
const OF_COUNTING: Part = Part::Option("counting");
const OF_SCALABLE: Part = Part::Option("scalable");

/// The flags, in the order of the help.
pub(crate) static FLAGS: [Flag; 31] = [
    Flag {
        name: "n",
        alias: "items",
        takes: Takes::Text("ITEMS"),
        is_common: true,
        help: text("Items n: 2000, 2_000, 2k, 1.5M, 2e3, 2^20"),
        more: text(
            "A whole number from 1 to 2^64 - 1. Groups of three digits may be separated by _ or commas. k, M, G, T and P (in \
               either case) and E are powers of 1000.",
        ),
        ..TEXT
    },
    Flag {
        name: "m",
        alias: "bits",
        takes: Takes::Text("BITS"),
        is_common: true,
        help: text("Bits m: 20000, 20kbit; or bytes: 2400B, 64kB, 16KiB"),
        more: text(
            "From 1 to 2^63 bits, written as items are, or with a unit: b, bit or bits; B, byte or bytes (8 bits each). The \
               unit may have a prefix: k, M, G, T, P or E (powers of 1000), or Ki, Mi, Gi, Ti, Pi or Ei (powers of 1024). Case \
               matters for b and B, and for an E without a unit: 1E is 10^18, and 1e is the start of a number like 1e6. \
               1G, 1Gb and 1gb are 1,000,000,000 bits, and the answer says so; for bytes write 1GB. \
               Beyond 2^46 bits a solved m is minimal within 1 part in 10^14.",
        ),
        ..TEXT
    },
    Flag {
        name: "k",
        alias: "hashes",
        takes: Takes::Text("HASHES"),
        is_common: true,
        help: text("Hashes k: 1 to 255"),
        more: text(
            "A whole number. Without it, the answer has the best k. If p is given with n or m, the answer has the smallest k \
               that keeps p, if there is one.",
        ),
        ..TEXT
    },
    Flag {
        name: "p",
        alias: "rate",
        takes: Takes::Text("RATE"),
        is_common: true,
        help: text("False-positive rate p to keep: 0.01, 1%, 1e-2, 1/100, 2^-7"),
        more: text(
            "Above 0 and below 1: a decimal (0.01, 1e-2), a percentage (0.7%), per mille (5‰), parts per million (100ppm), a \
               fraction of whole numbers (1/100, 1/10k) or a power (2^-7). At least 2.2250738585072014e-308.\n\nThe p of an \
               answer is rounded up, so that its n, m, k and p are met when they are typed back. Three answers cannot be typed \
               back: p = 1, of a filter so full that every query returns true; p = 0, where not even one item keeps the target \
               rate; and a p below that minimum.",
        ),
        ..TEXT
    },
    Flag {
        name: "filter",
        takes: Takes::OneOf(
            "FILTER",
            &[
                ("classic", "k bits anywhere among m"),
                ("partitioned", "A slice of the bits for each hash"),
                (
                    "blocked",
                    "One bit in each of 8 lanes of a block of 512 bits, as bloom-core builds",
                ),
                (
                    "split-block",
                    "One bit in each of 8 lanes of a block of 256 bits, as in Parquet",
                ),
                ("plain-blocked", "k bits anywhere in a block"),
                ("counting", "Counters in place of bits"),
                ("scalable", "Stages added as it fills"),
            ],
        ),
        is_common: true,
        help: text("The kind of filter [default: classic]"),
        more: text(
            "Each is sized and judged by its own model, which is exact except for scalable: there p is an upper bound. \
               Classic sets k bits anywhere; partitioned gives each hash a slice of the bits; blocked, split-block and \
               plain-blocked keep an item within one block; counting has a counter in place of each bit, so that items can be \
               removed; scalable adds stages as it fills.",
        ),
        ..OPTION
    },
    Flag {
        name: "block_bits",
        takes: Takes::Text("BITS"),
        part: OF_BLOCKS,
        help: text(
            "Bits of a block of blocked and plain-blocked (default 512) and split-block (256)",
        ),
        ..OPTION
    },
    Flag {
        name: "counter_bits",
        takes: Takes::Text("BITS"),
        part: OF_COUNTING,
        help: text("Bits of a counter of counting (default 4), 2 to 16"),
        more: text(
            "m is then the number of counters; given in bytes it is the memory of all of them.",
        ),
        ..OPTION
    },
    Flag {
        name: "initial",
        takes: Takes::Text("ITEMS"),
        part: OF_SCALABLE,
        help: text("Expected items of the first stage of scalable (default 1000)"),
        ..OPTION
    },
    Flag {
        name: "growth",
        takes: Takes::Text("TIMES"),
        part: OF_SCALABLE,
        help: text("Items of a stage of scalable, as a multiple of the stage before (default 2)"),
        ..OPTION
    },
    Flag {
        name: "tightening",
        takes: Takes::Text("RATIO"),
        part: OF_SCALABLE,
        help: text("Rate of a stage of scalable, as a multiple of the stage before (default 0.85)"),
        ..OPTION
    },
    Flag {
        name: "model",
        takes: Takes::OneOf(
            "MODEL",
            &[
                ("exact", "E[(X/m)^k], the mean rate over all filters"),
                ("textbook", "(1 - (1 - 1/m)^(kn))^k"),
                ("asymptotic", "(1 - e^(-kn/m))^k"),
            ],
        ),
        help: text("The formula that sizes and judges a classic filter [default: exact]"),
        more: text(
            "Exact is the rate of a filter with ideal hashes. Textbook and asymptotic are the two usual approximations; they \
               are never too high, so most sizes computed by them miss the rate.",
        ),
        ..OPTION
    },
    Flag {
        name: "round",
        takes: Takes::OneOf(
            "TO",
            &[
                ("8", "Whole bytes"),
                ("64", "Words of 64 bits"),
                ("512", "Cache lines of 512 bits"),
                ("pow2", "A power of two"),
            ],
        ),
        help: text("Round a solved m up, then choose k again"),
        ..OPTION
    },
    Flag {
        name: "bits_per_item",
        takes: Takes::Text("BITS"),
        help: text("Bits of memory per item, in place of m; without n, the rate for many items"),
        more: text(
            "Above 0, with at most 6 decimals, up to 1,000,000. With n, the memory is n times that, rounded down.",
        ),
        ..TEXT
    },
    Flag {
        name: "set_bits",
        takes: Takes::Text("X"),
        help: text(
            "The bits set in a filter of m and k; the answer has its items and its rate now",
        ),
        more: text(
            "The p of the answer is then that of this one filter, (X/m)^k, and n is estimated unless it is given. With n, the \
               answer says whether n and X agree; with p, how many more items fit. For classic and counting filters; in a \
               counting filter, X is the number of counters above 0.",
        ),
        ..OPTION
    },
    Flag {
        name: "fill",
        takes: Takes::Text("SHARE"),
        help: text("The share of m that is set, like 47%, in place of --set-bits"),
        ..OPTION
    },
    Flag {
        name: "cost_false_hit",
        takes: Takes::Text("COST"),
        needs: "lookups",
        help: text(
            "The cost of a false positive: finds the m of the least total cost for n and --lookups",
        ),
        more: text(
            "In any unit; --cost-per-bit must use the same unit. Without --cost-per-bit, the unit is the cost of a bit. The \
               answer has the least sum of the cost of its bits and the cost of the false positives in all lookups.",
        ),
        ..OPTION
    },
    Flag {
        name: "cost_per_bit",
        takes: Takes::Text("COST"),
        needs: "cost_false_hit",
        help: text("The cost of a bit of memory during the time of all lookups [default: 1]"),
        ..OPTION
    },
    Flag {
        name: "distinct",
        takes: Takes::Text("SHARE"),
        help: text("The share of the inserts that are distinct items, like 80%"),
        more: text(
            "An item that is inserted again sets no new bit, so only distinct items count. --n is then the number of inserts, \
               and the n of the answer is the number of distinct items.",
        ),
        ..TEXT
    },
    Flag {
        name: "hash_bits",
        takes: Takes::Text("W"),
        help: text(
            "The bits W of the hash that positions come from, like 32; p includes collisions of hashes",
        ),
        more: text(
            "From 1 to 1024. A query with the same hash as an item is a false positive in any filter. Without --hash-bits, \
               hashes are ideal.",
        ),
        ..OPTION
    },
    Flag {
        name: "confidence",
        takes: Takes::Text("SHARE"),
        help: text("The share of single filters that must keep p, like 99%"),
        more: text(
            "Each filter has its own rate, which depends on the bits that happen to be set. Without this flag, about half of the \
               filters sized for p exceed it. For classic and counting filters.",
        ),
        ..OPTION
    },
    Flag {
        name: "like",
        takes: Takes::Library,
        part: Part::Library,
        is_common: true,
        help: text("Show what a library builds for n and p, and its true rate"),
        more: text(
            "The answer is the filter that the library builds by its own rule; --explain shows the rule, and --json its \
               source. Most libraries take n and p; some take only n and m, and some take either. If a library takes only n and m, \
               the question may still have n and p: the answer is then its filter of the smallest m that keeps p. With m and p, \
               the answer has the most items whose filter fits in m. For a library that takes only n and m, the answer has the \
               most items with which its filter of m bits keeps p. The answer ends with what to write to get the filter or, if the filter \
               misses p, to get one that keeps p. The library decides k, the rounding of m and the kind of \
               filter.\n\nThree programs that are printed in documents have names, too: golang-implemented (\"A Golang \
               Implemented Bloom Filter\"), to-visit-queue (\"Probabilistic to-visit Queue\") and large-data (\"BloomFilter, a \
               tool for large data\").",
        ),
        ..TEXT
    },
    Flag {
        name: "expansion",
        takes: Takes::Text("TIMES"),
        part: Part::Library,
        needs: "like",
        help: text(
            "Items of each filter that redis adds, as a multiple of the filter before [default: 2]",
        ),
        more: text(
            "From 0 to 32768, like EXPANSION of redis. With 0 the filter does not grow, as with NONSCALING.",
        ),
        ..TEXT
    },
    Flag {
        name: "overfill",
        takes: Takes::Nothing,
        is_common: true,
        help: text("Add the rate with up to 10 times the items"),
        more: text("And the number of items at which the rate doubles."),
        ..SECTION
    },
    Flag {
        name: "grow",
        alias: "later",
        takes: Takes::Text("ITEMS"),
        is_common: true,
        help: text("Add the rate and the memory with more items: 3x, +1M or 150M"),
        more: text(
            "Compares this filter, one sized for the larger number of items, and one that grows. Also lists the memory that the \
               growing filter adds.",
        ),
        ..SECTION
    },
    Flag {
        name: "union",
        takes: Takes::Text("FILTERS"),
        help: text("Add the rate of the union of this many filters, each full"),
        ..SECTION
    },
    Flag {
        name: "sequence",
        takes: Takes::Text("FILTERS"),
        help: text(
            "Add the rate of this many such filters, asked one after the other until the first yes",
        ),
        more: text(
            "The filters may be for shards, for days, or for the levels of a log-structured merge tree. Also adds how many \
               filters a lookup of an absent item asks, and the p that each needs so that all together keep the target.",
        ),
        ..SECTION
    },
    Flag {
        name: "level_ratio",
        takes: Takes::Text("TIMES"),
        needs: "sequence",
        help: text(
            "Add the best split of memory over levels, each with this many times the items (with --sequence)",
        ),
        more: text(
            "n is the number of items of the first level. The best rates are in proportion to the items (Dayan et al. 2017).",
        ),
        ..SECTION
    },
    Flag {
        name: "spread",
        takes: Takes::Nothing,
        help: text("Add how much the rates of single filters differ, and how many exceed p"),
        more: text("By the exact model of classic and counting filters."),
        ..SECTION
    },
    Flag {
        name: "lookups",
        takes: Takes::Text("Q"),
        is_common: true,
        help: text("Add expected false positives for Q lookups, and the chance of none"),
        ..SECTION
    },
    Flag {
        name: "prevalence",
        takes: Takes::Text("SHARE"),
        needs: "lookups",
        help: text("The share of lookups for inserted items, like 1% (with --lookups)"),
        more: text(
            "Adds the chance that a yes is true. Without --prevalence, no lookup is for an inserted item.",
        ),
        ..SECTION
    },
    Flag {
        name: "explain",
        takes: Takes::Nothing,
        is_common: true,
        help: text("Add the derivation of the answer, step by step"),
        ..SECTION
    },
];
