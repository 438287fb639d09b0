//! What to write to get a library's filter, as a section of the answer; `code` has it alone.

use crate::code::purpose;
use crate::error::InputError;
use crate::like::SYSTEMS;
use crate::like::call::language;
use crate::solution::Solution;
use crate::words::wrapped;
use bloom_systems::rule::Language;

/// The languages whose code `--format` prints for a library, by their names there.
const LANGUAGES: [(Language, &str); 3] = [
    (Language::Python, "python"),
    (Language::Java, "java"),
    (Language::Go, "go"),
];

/// Returns the names of the libraries with code in this language.
fn libraries(of: Language) -> Vec<&'static str> {
    let all = SYSTEMS.iter();
    let with_code = all.filter(|library| language(library) == Some(of));
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

/// Returns the call with a blank line before it, and what it passes in place of the value asked for;
/// empty if no library chose the size.
pub(crate) fn section(solution: &Solution) -> String {
    let Some(call) = solution.call() else {
        return String::new();
    };
    let heading = purpose(solution, &call);
    let lines = call.text.lines().map(|line| format!("  {line}\n"));
    let heading = wrapped(&format!("{heading}:"), "", "      ").join("\n");
    format!("\n{heading}\n{}", lines.collect::<String>())
}
