//! What to write to get a library's filter: as a section of the answer, or alone as code.

use crate::cli::human::rate_kept;
use crate::error::InputError;
use crate::like::{Argument, Call, LIBRARIES, Language, Library, library};
use crate::numbers::grouped;
use crate::solution::Solution;
use crate::words::{as_typed, wrapped};

/// The languages whose code `--format` prints for a library, by their names there.
const LANGUAGES: [(Language, &str); 3] = [
    (Language::Python, "python"),
    (Language::Java, "java"),
    (Language::Go, "go"),
];

/// Returns the names of the libraries with code in this language.
fn libraries(language: Language) -> Vec<&'static str> {
    let all = LIBRARIES.iter();
    let with_code = all.filter(|library| library.code() == Some(language));
    with_code.map(|library| library.name).collect()
}

/// Refuses a language in which there is no code for the library.
pub(crate) fn check(language: Language, like: Option<&str>) -> Result<(), InputError> {
    let known = libraries(language);
    if like.is_some_and(|like| known.contains(&like)) {
        return Ok(());
    }
    let mut languages = LANGUAGES.into_iter();
    let name = languages.find(|(other, _)| *other == language);
    let name = name.map_or("", |(_, name)| name);
    let got = like.map_or("no --like".to_string(), |like| format!("--like {like}"));
    let message = format!(
        "--format {name} is for --like {}, got {got}",
        known.join(" or ")
    );
    let mut languages = LANGUAGES.into_iter();
    let other =
        languages.find(|(other, _)| like.is_some_and(|like| libraries(*other).contains(&like)));
    let hint = match other {
        Some((_, other)) => format!("for {} write --format {other}", like.unwrap_or_default()),
        None => format!("write --like {}", known.join(", or --like ")),
    };
    Err(InputError::new(message).with_hint(hint))
}

/// Returns the imports and the call, in the language of the library; empty if it has no code.
pub(crate) fn code(solution: &Solution) -> String {
    let call = solution.call();
    let code = call
        .as_ref()
        .and_then(|call| Some((call, call.code.as_ref()?)));
    let Some((call, code)) = code else {
        return String::new();
    };
    let (Some(target), Some((imports, statement))) = (missed(solution), code.rsplit_once("\n\n"))
    else {
        return code.clone();
    };
    let remark = match (call.given, call.pass) {
        (Some(given), Some(_)) => format!("keeps {target} ({})", instead(solution, given)),
        _ => no_value(call, &target),
    };
    let like = solution.like.as_ref().and_then(|like| library(like.name));
    let comment = match like.and_then(Library::code) {
        Some(Language::Python) => "#",
        _ => "//",
    };
    format!("{imports}\n\n{comment} {remark}\n{statement}")
}

/// Returns the call with a blank line before it, and what it passes in place of the value asked for;
/// empty if no library chose the size.
pub(crate) fn section(solution: &Solution) -> String {
    let Some(call) = solution.call() else {
        return String::new();
    };
    let heading = match (missed(solution), call.given, call.pass) {
        (None, ..) => "to get this filter".to_string(),
        (Some(target), Some(given), Some(pass)) => {
            let (letter, value) = (pass.value.letter(), pass.value);
            let (instead, m, k) = (instead(solution, given), grouped(pass.bits), pass.hashes);
            let asked = &solution.asked;
            let room = asked.bits.filter(|_| asked.items.is_none());
            let over = match room {
                Some(room) if pass.bits > room => ", more than the m given,",
                _ => "",
            };
            format!(
                "to keep {target}, pass {letter} = {value} ({instead}), for m = {m}{over} and k = {k}"
            )
        }
        (Some(target), ..) => format!("to get this filter ({})", no_value(&call, &target)),
    };
    let lines = call.text.lines().map(|line| format!("  {line}\n"));
    let heading = wrapped(&format!("{heading}:"), "", "      ").join("\n");
    format!("\n{heading}\n{}", lines.collect::<String>())
}

/// Returns the rate asked for, if the filter misses it.
fn missed(solution: &Solution) -> Option<String> {
    let target = solution.asked.rate.filter(|_| solution.met == Some(false));
    target.map(as_typed)
}

/// States what the value asked for gives in place of the rate.
fn instead(solution: &Solution, given: Argument) -> String {
    match solution.asked.rate {
        Some(target) if solution.rate.value() > target => {
            format!("{given} gives {}", rate_kept(solution))
        }
        _ => format!("{given} misses it"),
    }
}

/// States that no value keeps the rate.
fn no_value(call: &Call, target: &str) -> String {
    match call.given {
        Some(given) => format!("no {} keeps {target}", given.letter()),
        None => format!("its only size misses {target}"),
    }
}
