//! The body of the target `command_line`: for any arguments, the command `bloom-params` must answer or report what is wrong.

use crate::repro::List;
use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_fuzz_kit::{Bytes, Checked, law};
use bloom_testing::terminal_control;
use serde_json::Value;

use super::runs;

/// Words that users type, valid or not, separated by bars. The subcommand `batch` is left out because it would read standard
/// input, and the subcommand `verify` because it is slow.
const WORDS: &str = "\
    --n|--m|--k|--p|-n|-m|-k|-p|--items|--bits|--hashes|--rate|--json|--model|exact|textbook|\
    asymptotic|--help|-h|--version|-V|--|-||2000|0.01|1%|16KiB|1.5M|7|0|-1|1e400|nan|inf|2^63|\
    2^64|1/0|1/100|255|256|0.5|1e-300|5e-324|--n=2000|--p=0.01|--m=9.6k|--k=7|--n=|-n2000|\
    -p.01|--nn|help|\u{202e}|\x1b[31m|\n|--filter|blocked|split-block|counting|scalable|\
    --counter-bits|--initial|--like|guava|rocksdb|cassandra|--round|pow2|--confidence|99%|\
    --overfill|--spread|--explain|--get|m|--hash-bits|32|--lookups|--prevalence|--format|rust|\
    csv|compare|table";

/// The arguments after the name of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// The arguments as bytes; invalid UTF-8 is replaced.
    pub arguments: List<Bytes>,
}

runs!(CommandLine);

impl CommandLine {
    fn check(&self) -> Checked {
        let texts = self.arguments.0.iter();
        let texts: Vec<String> = texts
            .map(|text| String::from_utf8_lossy(&text.0).into_owned())
            .collect();
        let arguments = std::iter::once("bloom-params").chain(texts.iter().map(String::as_str));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = bloom_params::run(arguments, &mut out, &mut err);
        let (out, err) = (String::from_utf8(out), String::from_utf8(err));
        let (Ok(code), Ok(out), Ok(err)) = (code, out, err) else {
            return law(false, "writing to memory must work, in UTF-8", &"an error");
        };
        law(code <= 2, "the exit code must be 0, 1 or 2", &code)?;
        let answered = if code == 2 {
            out.is_empty() && !err.is_empty()
        } else {
            !out.is_empty()
        };
        law(
            answered,
            "there must be an answer, or an error and nothing else",
            &(code, &out, &err),
        )?;
        let controls = [&out, &err].map(|text| terminal_control(text));
        law(
            controls == [None; 2],
            "nothing that is printed may control the terminal",
            &(&out, &err),
        )?;
        let is_help = out.contains("Usage:") || out.starts_with("bloom-params ");
        if code < 2 && texts.iter().any(|text| text == "--json") && !is_help {
            let parsed = serde_json::from_str::<Value>(&out);
            law(
                parsed.is_ok_and(|value| value.is_object() || value.is_array()),
                "--json must print one JSON object, or one array for a table, and nothing else",
                &out,
            )?;
        }
        Ok(())
    }
}

impl<'a> Arbitrary<'a> for CommandLine {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let words: Vec<&str> = WORDS.split('|').collect();
        let mut arguments = Vec::new();
        while !u.is_empty() && arguments.len() < 12 {
            arguments.push(match u.int_in_range(0..=3)? {
                0 => u.arbitrary()?,
                _ => Bytes(u.choose(&words)?.as_bytes().to_vec()),
            });
        }
        Ok(Self {
            arguments: List(arguments),
        })
    }
}
