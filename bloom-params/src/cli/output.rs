//! Defines the flags that choose the output format, and formats the answer.

use bloom_core::math::Model;
use clap::{Args, ValueEnum};

use crate::answer::Answer;
use crate::beyond::Answered;
use crate::cli::{call, human};
use crate::error::InputError;
use crate::kind::filter::Filter;
use crate::question::Query;
use crate::read::flags::Part;
use crate::read::typed::Typed;
use crate::say::code;
use crate::say::object as json;
use crate::say::rows;
use crate::say::value::{Object, Value};
use crate::say::words::model_name;
use bloom_systems::rule::Language;

/// How the answer is printed.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct OutputArgs {
    /// How the answer is printed [default: human]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,

    /// Print one JSON object: --format json
    ///
    /// Integers are exact, however large; other numbers are the shortest that parse to the same f64.
    /// The manual page lists the keys.
    #[arg(long, hide_short_help = true)]
    pub(crate) json: bool,

    /// Print one number and nothing else
    ///
    /// p is rounded up, as in the answer for people.
    #[arg(
        long,
        value_enum,
        value_name = "LETTER",
        conflicts_with_all = ["format", "json"],
        hide_short_help = true
    )]
    get: Option<Letter>,

    /// Print the address of the book's calculator page with this question, and nothing else
    ///
    /// BASE is the address of the page, by default calculator.html. The keys in the printed address are those of the JSON
    /// object. The address leaves out --overfill, because the page always shows it.
    #[arg(
        long,
        value_name = "BASE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "calculator.html",
        conflicts_with_all = ["format", "json", "get"],
        hide_short_help = true
    )]
    link: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Human,
    /// One JSON object
    Json,
    /// Rust code for bloom-core, or for the library of --like
    Rust,
    /// Python code for the library of --like
    Python,
    /// Java code for the library of --like
    Java,
    /// Go code for the library of --like
    Go,
}

impl Format {
    /// Returns the language of the code that is printed in this format; `None` for a format without code.
    fn language(self) -> Option<Language> {
        match self {
            Self::Rust => Some(Language::Rust),
            Self::Python => Some(Language::Python),
            Self::Java => Some(Language::Java),
            Self::Go => Some(Language::Go),
            Self::Human | Self::Json => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Letter {
    /// Items
    N,
    /// Bits, or counters of a counting filter
    M,
    /// Hashes
    K,
    /// False-positive rate
    P,
}

impl OutputArgs {
    fn is_json(&self) -> bool {
        self.json || self.format == Some(Format::Json)
    }

    /// Refuses two formats at once, sections in a format without room for them, and a language in which there is no code for
    /// the library.
    pub(crate) fn check(&self, typed: &Typed) -> Result<(), InputError> {
        let form = form(self.json, self.format, Format::Json)?;
        let language = form.language();
        // Rust is also the language of bloom-core, which needs no --like.
        let is_like = |language: &Language| *language != Language::Rust || typed.has("like");
        if let Some(language) = language.filter(is_like) {
            call::check(language, typed.text("like"))?;
        }
        let flag = match (self.get, language.and_then(Language::name)) {
            _ if self.link.is_some() => return Ok(()),
            (Some(_), _) => "--get".to_string(),
            (_, Some(name)) => format!("--format {name}"),
            (None, None) => return Ok(()),
        };
        let mut sections = typed.all().filter(|(flag, _)| flag.part == Part::Section);
        sections.next().map_or(Ok(()), |(section, _)| {
            let message = format!("{flag} prints nothing else, got {}", section.dashed());
            Err(InputError::new(message)
                .with_hint("leave out one of them, or write --json for all at once"))
        })
    }

    /// Returns the answer in the requested form, and whether it is for people.
    pub(crate) fn print(
        &self,
        answered: Answered,
        typed: &Typed,
    ) -> Result<(String, bool), InputError> {
        let answer = &answered.answer;
        let out = match (&self.link, self.get, self.format) {
            (Some(base), ..) => link(base, answer, typed),
            (_, Some(Letter::N), _) => answer.sized("--get n")?.items.to_string(),
            (_, Some(Letter::M), _) => answer.sized("--get m")?.bits.to_string(),
            (_, Some(Letter::K), _) => answer.hashes().to_string(),
            (_, Some(Letter::P), _) => match answer {
                Answer::Sized(solution) => rows::rate_kept(solution),
                Answer::PerItem(each) => rows::rate_of_each(each),
            },
            _ if self.is_json() => json::object(answered).to_string(),
            (.., Some(format)) if format.language().is_some() => match answer {
                Answer::Sized(solution) if solution.as_built().is_some() => {
                    code::of_library(solution)
                }
                answer => code::of_core(answer.sized("--format rust")?)?,
            },
            _ => return Ok((human::render(&answered), true)),
        };
        Ok((out, false))
    }
}

/// Returns the address of a page with this question.
fn link(base: &str, answer: &Answer, typed: &Typed) -> String {
    let mut keys = question(answer.query());
    // The page always shows the section of --overfill.
    let sections = typed
        .all()
        .filter(|(flag, _)| flag.part == Part::Section && flag.name != "overfill");
    let lookups =
        sections.map(|(flag, text)| (flag.name.into(), Value::from(text.trim_ascii().to_string())));
    keys.0.extend(lookups);
    let keys = keys.0.into_iter().map(|(key, value)| match value {
        Value::Text(text) => format!("{key}={}", encoded(&text)),
        value => format!("{key}={value}"),
    });
    let keys = keys.collect::<Vec<_>>().join("&");
    let (page, place) = base.split_at(base.find('#').unwrap_or(base.len()));
    let sign = if page.contains('?') { '&' } else { '?' };
    format!("{page}{sign}{keys}{place}")
}

/// Encodes a text as the value of a key in an address.
fn encoded(text: &str) -> String {
    let mut coded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._".contains(&byte) {
            coded.push(char::from(byte));
        } else {
            coded += &format!("%{byte:02X}");
        }
    }
    coded
}

/// Returns the keys and values of the question in a link.
fn question(query: &Query) -> Object {
    let mut keys = json::given(query);
    if let Filter::OfSystem { system, expansion } = query.filter {
        keys.0
            .retain(|(key, _)| ["n", "m", "p", "distinct"].contains(&key.as_ref()));
        keys.add("like", system.name);
        keys.add_some("expansion", expansion);
    } else {
        if query.filter != Filter::Classic {
            keys.add("filter", query.filter.name());
        }
        if query.model != Model::Exact {
            keys.add("model", model_name(query.model));
        }
    }
    keys
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
