//! The flags that choose the output format, and the printing.

use clap::{Args, ValueEnum};

use crate::cli::extras::{ExtraArgs, Extras};
use crate::cli::{human, json, rust};
use crate::error::InputError;
use crate::explain::Explanation;
use crate::per_item::PerItem;
use crate::query::QueryError;
use crate::solution::Solution;

/// How the answer is printed.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct OutputArgs {
    /// How the answer is printed [default: human]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,

    /// Print one JSON object: --format json
    ///
    /// Integers are exact however large, other numbers the shortest that read back as the same f64.
    /// The keys are listed below.
    #[arg(long, hide_short_help = true)]
    pub(crate) json: bool,

    /// Print one number and nothing else
    ///
    /// p is rounded up, as in the answer for people.
    #[arg(
        long,
        value_enum,
        value_name = "LETTER",
        conflicts_with_all = ["format", "json", "explain"],
        hide_short_help = true
    )]
    get: Option<Letter>,

    /// Add how the answer comes about, step by step
    #[arg(long)]
    explain: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Human,
    /// One JSON object
    Json,
    /// Rust code for bloom-core
    Rust,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Letter {
    /// Items
    N,
    /// Bits
    M,
    /// Hashes
    K,
    /// False-positive rate
    P,
}

/// What is printed to each stream.
pub(crate) struct Printed {
    pub(crate) out: String,
    /// A remark for people, on stderr because stdout is for programs.
    pub(crate) err: String,
}

impl OutputArgs {
    fn is_json(&self) -> bool {
        self.json || self.format == Some(Format::Json)
    }

    /// Refuses two formats at once, and sections in a format that has no room for them.
    pub(crate) fn check(&self, extras: &ExtraArgs) -> Result<(), InputError> {
        let form = form(self.json, self.format, Format::Json)?;
        let flag = match (self.get, form) {
            (Some(_), _) => "--get",
            (_, Format::Rust) => "--format rust",
            _ => return Ok(()),
        };
        if extras.is_empty() && !self.explain {
            return Ok(());
        }
        let message = format!(
            "{flag} prints nothing beside it: not --overfill, --spread, --hash-bits, --lookups or \
             --explain"
        );
        Err(InputError::new(message)
            .with_hint("leave out one of them, or write --json for all at once"))
    }

    /// Returns the lines of a derivation, if it is requested.
    fn explained(&self, explain: impl Fn() -> Explanation) -> Vec<String> {
        if self.explain {
            explain().lines()
        } else {
            Vec::new()
        }
    }

    /// Returns the answer in the requested format.
    pub(crate) fn solution(
        &self,
        solution: &Solution,
        extras: &Extras,
        echo: Option<&str>,
    ) -> Result<Printed, QueryError> {
        let explained = || self.explained(|| solution.explain());
        let note = |echo: &str| format!("note: {echo}\n");
        let mut err = echo.map_or(String::new(), note);
        let out = if let Some(letter) = self.get {
            match letter {
                Letter::N => solution.items.to_string(),
                Letter::M => solution.bits.to_string(),
                Letter::K => solution.hashes.to_string(),
                Letter::P => human::rate_kept(solution),
            }
        } else if self.is_json() {
            json::render(solution, extras, explained())
        } else if self.format == Some(Format::Rust) {
            rust::render(solution)?.trim_end().to_string()
        } else {
            err.clear();
            let mut text = human::render(solution, extras, echo);
            for (i, line) in explained().iter().enumerate() {
                if i == 0 {
                    text.push('\n');
                }
                text += &format!("{line}\n");
            }
            text.trim_end().to_string()
        };
        Ok(Printed {
            out: out + "\n",
            err,
        })
    }

    /// Returns an answer in bits per item, without a number of items, in the requested format.
    pub(crate) fn per_item(&self, each: &PerItem, extras: &Extras) -> Result<Printed, InputError> {
        let sized = match (self.get, self.format) {
            (Some(Letter::N), _) => Some("--get n"),
            (Some(Letter::M), _) => Some("--get m"),
            (_, Some(Format::Rust)) => Some("--format rust"),
            _ => None,
        };
        if let Some(option) = sized {
            return Err(QueryError::NeedsSize { option }.into());
        }
        let explained = || self.explained(|| each.explain());
        let out = match self.get {
            Some(Letter::K) => each.hashes.to_string(),
            Some(Letter::P) => each.rate.to_string(),
            _ if self.is_json() => json::render_per_item(each, extras, explained()),
            _ => {
                let explained = explained()
                    .iter()
                    .fold(String::new(), |text, line| text + "\n" + line);
                let text = human::render_per_item(each, extras) + &explained;
                text.trim_end().to_string()
            }
        };
        Ok(Printed {
            out: out + "\n",
            err: String::new(),
        })
    }
}

/// Returns the format that `--json` and `--format` choose.
///
/// # Errors
///
/// The two flags choose different formats.
pub(crate) fn form<F: ValueEnum + PartialEq + Default>(
    json: bool,
    format: Option<F>,
    as_json: F,
) -> Result<F, InputError> {
    match format {
        Some(format) if json && format != as_json => {
            let name = format.to_possible_value();
            let format = name.map_or(String::new(), |name| name.get_name().to_string());
            Err(InputError::new(format!(
                "--json is --format json, and --format {format} is given too"
            ))
            .with_hint("leave out one of them"))
        }
        _ if json => Ok(as_json),
        format => Ok(format.unwrap_or_default()),
    }
}
