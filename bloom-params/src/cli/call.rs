//! Builds the section of an answer that shows the call with which a library creates the filter. The module `say::code`
//! returns the code of the call without a heading.

use crate::answer::Solution;
use crate::error::InputError;
use crate::like::call::language;
use crate::like::{SYSTEMS, system};
use crate::read::units::displayed;
use crate::say::code::purpose;
use crate::say::words::wrapped;
use bloom_systems::rule::Language;

/// Returns the names of the libraries with code in this language.
fn libraries(of: Language) -> Vec<&'static str> {
    let all = SYSTEMS.iter().filter(|library| !library.is_document());
    let with_code = all.filter(|library| language(library) == Some(of));
    with_code.map(|library| library.name).collect()
}

/// Refuses a `--format` that names a language in which there is no code for the library of `--like`.
pub(crate) fn check(asked: Language, like: Option<&str>) -> Result<(), InputError> {
    let found = like.and_then(system);
    let own = found.and_then(language);
    // An unknown library passes this check: `Typed::query` refuses it.
    if own == Some(asked) || like.is_some() && found.is_none() {
        return Ok(());
    }
    let known = libraries(asked);
    let name = asked.name().unwrap_or_default();
    let got = like.map_or("no --like".to_string(), |like| {
        format!("--like {}", displayed(like))
    });
    let message = format!(
        "--format {name} is for --like {}, got {got}",
        known.join(" or ")
    );
    let hint = match (found, own.and_then(Language::name)) {
        (Some(found), Some(other)) if own != Some(Language::Cpp) => {
            format!("for {} write --format {other}", found.name)
        }
        (Some(found), _) => format!(
            "what to write for {} is in the answer without --format",
            found.name
        ),
        (None, _) => format!("write --like {}", known.join(", or --like ")),
    };
    Err(InputError::new(message).with_hint(hint))
}

/// Returns a blank line, a heading and the call. The heading says which filter the call creates: that of the answer. But if
/// this filter misses the target rate, and the library builds one that keeps the rate for another value, the call creates the
/// latter. The text is empty if no library chose the size.
pub(crate) fn section(solution: &Solution) -> String {
    let Some(call) = solution.call() else {
        return String::new();
    };
    let heading = purpose(solution, &call);
    let lines = call.text.lines().map(|line| format!("  {line}\n"));
    let heading = wrapped(&format!("{heading}:"), "", "      ").join("\n");
    format!("\n{heading}\n{}", lines.collect::<String>())
}
