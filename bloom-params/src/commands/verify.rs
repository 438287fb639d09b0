//! Holds a prediction to real filters of bloom-core.

use bloom_core::{
    BlockedBloomFilter, BlockedShape, BloomFilter, CounterBits, CountingBloomFilter, FixedState,
    PartitionedBloomFilter, ScalableBloomFilter, ScalableShape, Shape,
};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::memory;
use super::verdict::Verdict;
use crate::args::{InputError, Question};
use crate::filters::Filter;
use crate::flag;
use crate::numbers::{bytes_of_bits, grouped, nearest};
use crate::query::QueryError;
use crate::solution::Solution;

/// The flags of `verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    question: Question,

    /// Filters to build, from 30 on; without it up to 1,000, as many as take a moment
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    trials: Option<String>,

    /// Seed of the hashers and the items: the same seed, the same result
    #[arg(
        long,
        value_name = "SEED",
        default_value = "1",
        allow_hyphen_values = true
    )]
    seed: String,

    /// How the verdict is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: VerdictFormat,

    /// Print one JSON object: --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// How the verdict is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum VerdictFormat {
    /// For people
    #[default]
    Human,
    /// One JSON object
    Json,
}

/// The fewest filters whose differences tell of all.
const FEWEST: u64 = 30;
/// Insertions that are done where the number of filters is left open.
const INSERTIONS: u64 = 20_000_000;
/// The most that is done at all.
const MOST_WORK: u64 = 20_000_000_000;
/// The false positives waited for: their number alone is then known to 0.7 %.
const HITS: f64 = 20_000.0;

/// How many filters are built and asked.
pub(super) struct Plan {
    pub(super) filters: u64,
    pub(super) lookups: u64,
}

impl VerifyArgs {
    /// Returns the filter to build, how often, and the seed.
    fn read(&self) -> Result<(Solution, Plan, u64), InputError> {
        let query = self.question.read()?;
        let trials = self.trials.as_deref();
        let trials = trials.map(|text| {
            let read = flag::whole(text, "--trials", FEWEST..=u64::MAX);
            read.map_err(|error| match text.trim_ascii().parse::<u64>() {
                Ok(0..FEWEST) => {
                    error.with_hint("fewer filters do not tell how much they differ".to_string())
                }
                _ => error,
            })
        });
        let trials = trials.transpose()?;
        let seed = flag::whole(&self.seed, "--seed", 0..=u64::MAX)?;
        if query.items.is_none() && query.bits.is_none() && query.rate.is_some() {
            return Err(QueryError::NeedsSize { option: "verify" }.into());
        }
        let solution = query.solve()?;
        let plan = plan(&solution, trials)?;
        Ok((solution, plan, seed))
    }

    /// Returns whether its flags are right.
    pub(super) fn would_run(&self) -> bool {
        self.read().is_ok()
    }
}

pub(super) fn run(args: &VerifyArgs) -> Result<(String, u8), InputError> {
    let (solution, plan, seed) = args.read()?;
    let bits = solution.memory_bits();
    memory::check(&solution, bits.div_ceil(8))?;
    let bar = ProgressBar::new(plan.filters);
    let template = "{bar:40} {pos}/{len} filters of {prefix}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
        bar.set_prefix(bytes_of_bits(bits));
    }
    let mut rates = Vec::new();
    for trial in 0..plan.filters {
        rates.push(measure(&solution, &plan, seed, trial)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let verdict = Verdict::new(&solution, &plan, seed, &rates);
    let text = if args.json || args.format == VerdictFormat::Json {
        verdict.json()
    } else {
        verdict.human()
    };
    Ok((text, u8::from(!verdict.agrees)))
}

fn plan(solution: &Solution, trials: Option<u64>) -> Result<Plan, InputError> {
    let (n, p) = (solution.items, solution.rate.value());
    let refuse = |reason: String, hint: String| Err(InputError::Unmeasurable { reason, hint });
    if n == 0 {
        return refuse(
            "a filter of no items has no false positives to measure".to_string(),
            "ask for a larger m or p".to_string(),
        );
    }
    let filters = trials.unwrap_or_else(|| (INSERTIONS / n).clamp(FEWEST, 1_000));
    let wanted = HITS / p / filters as f64;
    let lookups = if wanted < MOST_WORK as f64 {
        wanted.ceil() as u64
    } else {
        MOST_WORK
    };
    let work = u128::from(filters) * (u128::from(n) + u128::from(lookups));
    if work > u128::from(MOST_WORK) {
        return refuse(
            format!(
                "{filters} filters of n = {} at p = {} need {} insertions and lookups, and at most \
                 {} are done",
                grouped(n),
                nearest(p, 3),
                nearest(work as f64, 3),
                grouped(MOST_WORK)
            ),
            scaled_down(solution),
        );
    }
    Ok(Plan { filters, lookups })
}

/// A question of the same m/n and k that is quick to measure.
pub(super) fn scaled_down(solution: &Solution) -> String {
    let n = solution.items.clamp(1, 10_000);
    let m = (solution.bits as f64 / solution.items.max(1) as f64 * n as f64).round() as u64;
    if solution.rate.value() < 1e-6 {
        return "rates under 1 in a million take too long to measure: ask for a larger p"
            .to_string();
    }
    let k = solution.hashes;
    let size = format!("--n {n} --m {m}");
    let flags = match solution.asked.filter {
        Filter::Scalable { .. } => return "ask for fewer items".to_string(),
        Filter::Classic => format!("{size} --k {k}"),
        Filter::SplitBlock { block_bits } => {
            format!("{size} --filter split-block --block-bits {block_bits}")
        }
        Filter::Counting { counter_bits } => {
            format!("{size} --k {k} --filter counting --counter-bits {counter_bits}")
        }
        filter => format!("{size} --k {k} --filter {}", filter.name()),
    };
    format!("the same m/n and k, scaled down: bloom-params verify {flags}")
}

/// What a filter did.
pub(super) struct Measured {
    /// The share of other items that it found.
    pub(super) hits: f64,
    /// Its own rate, read off its bits.
    pub(super) own: f64,
}

/// Fills one filter and asks it for other items.
fn measure(
    solution: &Solution,
    plan: &Plan,
    seed: u64,
    trial: u64,
) -> Result<Measured, InputError> {
    let hasher = FixedState::with_seed(mixed(seed ^ mixed(trial)));
    let shape = || Shape::new(solution.bits, solution.hashes);
    let unfit = |error: &dyn std::fmt::Display| InputError::Unmeasurable {
        reason: error.to_string(),
        hint: scaled_down(solution),
    };
    macro_rules! asked {
        ($filter:expr) => {
            asked(
                $filter.map_err(|error| unfit(&error))?,
                solution,
                plan,
                seed,
                trial,
            )
        };
    }
    let share = match solution.asked.filter {
        Filter::Classic => {
            asked!(BloomFilter::<u64, _>::with_hasher(
                shape().map_err(|e| unfit(&e))?,
                hasher
            ))
        }
        Filter::Partitioned => asked!(PartitionedBloomFilter::<u64, _>::with_hasher(
            shape().map_err(|e| unfit(&e))?,
            hasher
        )),
        Filter::Counting { counter_bits } => {
            let width = match counter_bits {
                4 => CounterBits::Four,
                8 => CounterBits::Eight,
                _ => return Err(not_built(solution)),
            };
            let shape = shape().map_err(|e| unfit(&e))?;
            asked!(CountingBloomFilter::<u64, _>::with_counter_bits(
                shape, width, hasher
            ))
        }
        Filter::SplitBlock { block_bits: 512 } => {
            let shape = BlockedShape::new(solution.bits / 512).map_err(|e| unfit(&e))?;
            asked!(BlockedBloomFilter::<u64, _>::with_hasher(shape, hasher))
        }
        Filter::Scalable {
            growth, tightening, ..
        } => {
            let grown = solution.grown.as_ref();
            let start = grown.expect("a filter that grows has its stages").growth;
            let shape = ScalableShape::new(start.items, start.rate)
                .and_then(|shape| shape.with_growth(growth))
                .and_then(|shape| shape.with_tightening(tightening))
                .map_err(|e| unfit(&e))?;
            asked!(ScalableBloomFilter::<u64, _>::with_hasher(shape, hasher))
        }
        _ => {
            return Err(not_built(solution));
        }
    };
    share.map_err(|error| unfit(&error))
}

fn not_built(solution: &Solution) -> InputError {
    let filter = solution.asked.filter;
    QueryError::NotBuilt { filter }.into()
}

/// Inserts the items and asks for others, a few thousand at a time.
fn asked<F: bloom_core::Filter<u64>>(
    mut filter: F,
    solution: &Solution,
    plan: &Plan,
    seed: u64,
    trial: u64,
) -> Result<Measured, String> {
    const MANY: u64 = 4_096;
    // Every trial has items of its own; lookups go on where they end, so that none was inserted.
    let first = mixed(mixed(seed).wrapping_add(trial));
    let mut keys = Vec::new();
    let mut answers = Vec::new();
    let mut hits = 0_u64;
    let total = solution.items + plan.lookups;
    let mut done = 0;
    while done < total {
        let inserting = done < solution.items;
        let end = if inserting { solution.items } else { total };
        let next = end.min(done + MANY);
        keys.clear();
        keys.extend((done..next).map(|index| first.wrapping_add(index)));
        if inserting {
            let inserted = filter.try_insert_many(&keys);
            inserted.map_err(|error| error.to_string())?;
        } else {
            filter.contains_many(&keys, &mut answers);
            hits += answers.iter().filter(|found| **found).count() as u64;
        }
        done = next;
    }
    Ok(Measured {
        hits: hits as f64 / plan.lookups as f64,
        own: filter.false_positive_rate(),
    })
}

/// SplitMix64's mixing: a bijection.
fn mixed(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
