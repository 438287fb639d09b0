//! Formats rates and counts for the sentences of an answer.

use bloom_core::math::{Model, Rate};

use crate::kind::filter::Filter;
use crate::say::numbers::{grouped, layout, nearest, rate_up_to, shortest};

/// Formats the rate of a filter for the lines and the remarks of an answer: rounded up, with the digits that show how far from
/// the target it is.
pub(crate) fn rate_shown(rate: Rate, target: Option<f64>) -> String {
    rate_up_to(5, rate.value(), rate.ln(), target)
}

/// Formats a rate with three digits, rounded to the nearest. A rate below the smallest normal `f64` gets five digits and is
/// rounded up.
pub(crate) fn rounded(rate: Rate) -> String {
    if rate.value() < f64::MIN_POSITIVE {
        return digits(rate, 5);
    }
    nearest(rate.value(), 3)
}

/// Formats a rate with at least this many digits, rounded up.
pub(crate) fn digits(rate: Rate, digits: usize) -> String {
    rate_up_to(digits, rate.value(), rate.ln(), None)
}

/// Formats a rate in the shortest form that parses to the same number.
pub(crate) fn as_typed(rate: f64) -> String {
    let (digits, scale) = shortest(rate);
    layout(&digits, scale)
}

/// Formats a number of bits with its unit, which is `bit` if the number is printed as 1.
pub(crate) fn bits_as_shown(bits: f64, digits: usize) -> String {
    let shown = nearest(bits, digits);
    let unit = if shown == "1" { "bit" } else { "bits" };
    format!("{shown} {unit}")
}

/// Formats a count with underscores, as most languages write long ones: `2_000`.
pub(crate) fn underscored(count: u64) -> String {
    grouped(count).replace(',', "_")
}

/// Formats a share as a percentage, like `49.9 %`. It has more digits if a share below 1 would otherwise be printed as 100 %.
pub(crate) fn share(part: f64, digits: usize) -> String {
    let mut shown = (digits..=17).map(|digits| nearest(part * 100.0, digits));
    let shown = shown.find(|text| part >= 1.0 || text != "100");
    format!("{} %", shown.unwrap_or_else(|| "100".to_string()))
}

/// Formats the [`share`] of filters that keep a rate, given the share of filters with a higher rate, `above`. If few filters
/// keep the rate, 1 - `above` has few accurate digits. So if it is below 1e-9, the text is `less than 1e-7 %`.
pub(crate) fn kept(above: f64, digits: usize) -> String {
    match 1.0 - above {
        few if few < 1e-9 => "less than 1e-7 %".to_string(),
        part => share(part, digits),
    }
}

/// Formats a range of bits.
pub(crate) fn bits_in((min, max): (u128, u128)) -> String {
    let most = if min < max {
        format!(" to {}", grouped(max))
    } else {
        String::new()
    };
    format!("{}{most} bits", grouped(min))
}

/// Returns the word for one of the m positions of a filter.
pub(crate) fn position(filter: Filter) -> &'static str {
    match filter {
        Filter::Counting { .. } => "counter",
        _ => "bit",
    }
}

/// Returns the words for a position that an insert has changed.
pub(crate) fn set(filter: Filter) -> &'static str {
    match filter {
        Filter::Counting { .. } => "above 0",
        _ => "set",
    }
}

/// Returns the name of the kind of filter with its article.
pub(crate) fn with_article(filter: Filter) -> String {
    match filter {
        Filter::Classic => "a Bloom filter".to_string(),
        filter => format!("a {} filter", filter.name()),
    }
}

/// Returns the flag with this name, as it is written on the command line.
pub(crate) fn dashed(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

/// Joins words as `a, b and c`.
pub(crate) fn listed(words: &[impl AsRef<str>]) -> String {
    let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [most @ .., end] if !most.is_empty() => format!("{} and {end}", most.join(", ")),
        words => words.concat(),
    }
}

/// Returns a model's name on the command line.
pub(crate) fn model_name(model: Model) -> &'static str {
    match model {
        Model::Textbook => "textbook",
        Model::Asymptotic => "asymptotic",
        _ => "exact",
    }
}

/// Returns the indices of the rows to print: all `count` rows if there are at most `most`; otherwise the first `ends` and the
/// last `ends`, with one `None` for the rows between them.
pub(crate) fn elided(count: usize, most: usize, ends: usize) -> Vec<Option<usize>> {
    if count <= most {
        return (0..count).map(Some).collect();
    }
    let first = (0..ends).map(Some);
    let last = (count - ends..count).map(Some);
    first.chain([None]).chain(last).collect()
}

/// The maximum width of a line, in columns.
pub(crate) const WIDTH: usize = 80;

/// Breaks a text into lines of at most [`WIDTH`] columns. The first line begins with `first` and all others with `rest`. A word
/// that is too long has its own line.
pub(crate) fn wrapped(text: &str, first: &str, rest: &str) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in unbroken(text) {
        if line.is_empty() {
            line = format!("{first}{word}");
        } else if line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, format!("{rest}{word}")));
        } else {
            line += &format!(" {word}");
        }
    }
    lines.push(if line.is_empty() {
        first.to_string()
    } else {
        line
    });
    lines
}

/// Splits a text into words, but keeps together what a line break must not separate, like `99 %` and `p = 0.5`.
fn unbroken(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut goes_on = false;
    for word in text.split_whitespace() {
        let belongs = word == "=" || word.starts_with('%') || word.starts_with("n)");
        match words.last_mut() {
            Some(last) if goes_on || belongs => *last += &format!(" {word}"),
            _ => words.push(word.to_string()),
        }
        goes_on = word == "=";
    }
    words
}

/// Returns the known name that is nearest to a misspelt one, if at most two letters must be changed, added, removed or swapped,
/// and the name has more letters than that.
#[cfg(feature = "json")]
pub(crate) fn similar<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let text = text.trim_ascii().to_ascii_lowercase();
    let apart = names.map(|name| (strsim::osa_distance(&text, name), name));
    let (apart, name) = apart.min_by_key(|(apart, _)| *apart)?;
    (apart <= 2 && apart < name.len()).then_some(name)
}
