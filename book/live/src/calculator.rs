//! The calculator for a page: takes a question as text, and returns as text the JSON object that the command `bloom-params`
//! prints for it.

use bloom_params::InputError;
use bloom_params::json::{self, Value};
use bloom_params::object;
use bloom_systems::{SYSTEMS, System};

/// Returns the flags of a question: name and text.
fn flags(question: &str) -> Vec<(&str, &str)> {
    let lines = question.lines();
    let pairs = lines.map(|line| line.split_once('\t').unwrap_or((line, "")));
    pairs.collect()
}

/// Answers a question. Each line of the question has the name of a flag, a tab and the text of the flag. The answer is
/// the JSON object of [`json::answer`]; the object of a refusal has the keys `error` and `hint`.
pub(crate) fn solve(question: &str) -> String {
    json::answer(&flags(question)).unwrap_or_else(|refused| of_refusal(&refused))
}

/// Answers a question with all that the page of the calculator shows of it, as [`json::page`] does.
pub(crate) fn page(question: &str, times: u32, steps: u32) -> String {
    let page = json::page(&flags(question), times, steps);
    page.unwrap_or_else(|refused| of_refusal(&refused))
}

fn of_refusal(refused: &InputError) -> String {
    let hint = refused.hint().map(str::to_string);
    Value::from(object![("error", refused.to_string()), ("hint", hint)]).to_string()
}

/// Returns a line for each system that `like` may name: its name, the language of its code, and which of the flags `p` and
/// `expansion` it takes. Instead of a language, the line has `redis` for commands of Redis, and `setting` for settings.
pub(crate) fn systems() -> String {
    let line = |system: &System| {
        let form = match system.call.language.name() {
            Some(language) => language,
            None if system.call.rate.starts_with("BF.") => "redis",
            None => "setting",
        };
        let p = system.takes_rate().then_some("p");
        let expansion = system.expansion.map(|_| "expansion");
        let words = [Some(system.name), Some(form), p, expansion];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    SYSTEMS.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn systems_are_listed_with_the_form_of_their_code_and_the_flags_that_they_take() {
        let lines = systems();
        for line in [
            "guava java p",
            "redis redis p expansion",
            "redis-nonscaling redis p",
            "pebble go",
            "orc setting p",
        ] {
            assert!(lines.lines().any(|known| known == line), "{line}");
        }
    }

    fn solved(question: &str) -> Value {
        serde_json::from_str(&solve(question)).expect("an object")
    }

    #[test]
    fn a_question_of_texts_has_the_answer_of_the_command_line() {
        let answer = solved("n\t2k\np\t1%");
        assert_eq!((&answer["m"], &answer["k"]), (&19_188.into(), &7.into()));
        let guava = solved("n\t2000\np\t0.01\nlike\tguava\nexplain\ttrue\noverfill\ttrue");
        assert_eq!(guava["like"]["name"], "guava");
        assert!(guava["explain"].is_array() && guava["overfill"]["rows"].is_array());
    }

    /// A filter of Redis that is full is followed by another filter with a lower rate. With an expansion of 1, there are a
    /// thousand filters before the rate of the next one is too small for an `f64`.
    #[test]
    fn the_rows_beyond_n_of_a_chain_are_answered_at_once() {
        let start = std::time::Instant::now();
        let page = page("n\t50M\np\t1%\nlike\tredis\nexpansion\t1", 2, 60);
        let page: Value = serde_json::from_str(&page).unwrap();
        assert!(page["overfill"]["lines"].as_array().unwrap().len() > 5);
        assert_eq!(page["points"].as_array().unwrap().len(), 61);
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }

    /// An error quotes what a reader typed. Whatever this is, the answer has to be valid JSON.
    #[test]
    fn a_refusal_escapes_what_was_typed() {
        for typed in [
            "a\"b",
            "a\\b",
            "\"",
            "a\u{1}b",
            "a\u{8}\u{c}\rb",
            "a\u{7f}b",
            "\u{2028}",
            "é🐝",
        ] {
            let answer = solve(&format!("n\t{typed}\np\t1%"));
            let inside: Value = serde_json::from_str(&answer)
                .unwrap_or_else(|error| panic!("{typed:?}: {error} in {answer}"));
            let error = inside["error"].as_str().unwrap();
            assert!(error.starts_with("n must be"), "{typed:?}: {error}");
            assert!(
                !answer.chars().any(|one| one < ' ' && one != '\n'),
                "{answer:?}"
            );
        }
        let quoted = solved("n\ta\"b\np\t1%");
        assert!(
            quoted["error"].as_str().unwrap().ends_with("got a\"b"),
            "{quoted}"
        );
        let name = solved("a\"b\tred");
        assert!(name["error"].as_str().unwrap().contains("a\"b"), "{name}");
    }

    #[test]
    fn a_refusal_is_an_object_with_a_reason() {
        let refused = solved("n\t2k\np\t1.5");
        let reason = "p must be between 0 and 1 (exclusive), got 1.5";
        assert_eq!(refused["error"], reason);
        for (question, reason) in [
            ("", "none of n, m, k and p is given"),
            ("colour\tred", "no flag has the name colour"),
            ("n\t1\nn\t2", "--n is given twice"),
            ("n\t1\np\t1%\nexpansion\t2", "--expansion needs --like"),
            (
                "n\t1\np\t1%\nfilter\tround",
                "--filter must be one of classic",
            ),
            (
                "n\t1\np\t1%\nlike\tguva",
                "--like must name a known library",
            ),
        ] {
            let refused = solved(question);
            let error = refused["error"].as_str().unwrap_or_default();
            assert!(error.contains(reason), "{question:?}: {error}");
        }
    }
}
