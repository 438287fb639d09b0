//! Runs the command `verify`: measures the rate of real filters and compares it with the computed rate. The filters are those
//! of bloom-core or, with `--like`, have the bit positions of another library.

use std::io::Write;
use std::time::Instant;

use bloom_terminal::progress;
use clap::{Args, ValueEnum};

use super::plan::{MIN, Plan};
use super::verdict::Verdict;
use super::{memory, real};
use crate::answer::Answer;
use crate::cli::flags::{Flags, LIBRARY};
use crate::cli::output::form;
use crate::error::InputError;
use crate::read::units::displayed;
use crate::read::values;
use crate::say::numbers::bytes_of_bits;
use crate::say::words::dashed;

/// The flags of `verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(super) flags: Flags<LIBRARY>,

    /// Filters to build, at least 30; by default up to 1,000, fewer if n is large
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    trials: Option<String>,

    /// Seed of the hashers and the items; the same seed gives the same result
    #[arg(
        long,
        value_name = "SEED",
        allow_hyphen_values = true,
        default_value = "1"
    )]
    seed: String,

    /// Build one filter, print an estimate for all of them, and stop
    #[arg(long)]
    estimate: bool,

    /// How the verdict is printed [default: human]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<VerdictFormat>,

    /// Print one JSON object: --format json
    #[arg(long)]
    json: bool,
}

/// The flags of a question that `verify` hides and refuses. The error says which filters `verify`
/// builds instead.
pub(crate) const REFUSED: [(&str, &str); 3] = [
    ("hash_bits", "with hashes of 64 bits"),
    ("set_bits", "whose set bits are random"),
    ("fill", "whose set bits are random"),
];

/// How the verdict is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum VerdictFormat {
    /// For people
    #[default]
    Human,
    /// One JSON object
    Json,
}

/// Parses the number of filters to build.
fn trials(text: &str) -> Result<u64, InputError> {
    values::whole(text, "--trials", MIN..=u64::MAX).map_err(|error| {
        match text.trim_ascii().parse::<u64>() {
            Ok(0..MIN) => error.with_hint("fewer filters do not show how much they differ"),
            _ => error,
        }
    })
}

pub(super) fn run(args: &VerifyArgs, err: &mut dyn Write) -> Result<(String, u8), InputError> {
    let form = form(args.json, args.format, VerdictFormat::Json)?;
    let query = args.flags.read()?;
    for (flag, why) in REFUSED {
        if let Some(text) = args.flags.0.text(flag) {
            let (flag, got) = (dashed(flag), displayed(text));
            let message = format!("verify builds filters {why}, got {flag} {got}");
            return Err(InputError::new(message).with_hint(format!("leave out {flag}")));
        }
    }
    let trials = args.trials.as_deref().map(trials).transpose()?;
    let seed = values::whole(&args.seed, "--seed", 0..=u64::MAX)?;
    let answer = Answer::from_query(query)?;
    let solution = answer.sized("verify")?;
    let plan = Plan::new(solution, trials)?;
    let bytes = real::bytes(solution);
    memory::check(solution, bytes)?;
    let mut size = bytes_of_bits(bytes * 8);
    if solution.grown.is_some() {
        size = format!("at most {size}");
    }
    let template = "{bar:40} {pos}/{len} filters of {prefix}, {eta} left";
    let bar = progress::bar(Some(plan.filters), template);
    bar.set_prefix(size.clone());
    let mut rates = Vec::new();
    for trial in 0..plan.filters {
        let begun = Instant::now();
        rates.push(real::measure(solution, &plan, seed, trial)?);
        let cost = plan.announcement(solution.items, &size, begun.elapsed());
        if args.estimate {
            bar.finish_and_clear();
            return Ok((format!("{cost}\n"), 0));
        }
        if trial == 0 && plan.is_long(solution.items) {
            // If this write fails, the verdict is still of use, so the error is ignored.
            let _ = bar.suspend(|| writeln!(err, "{cost}"));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let verdict = Verdict::new(solution, &plan, seed, &rates);
    let text = match form {
        VerdictFormat::Json => format!("{}\n", verdict.json()),
        VerdictFormat::Human => verdict.human(),
    };
    Ok((text, u8::from(!verdict.passes())))
}
