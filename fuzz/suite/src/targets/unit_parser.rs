//! The body of the target `unit_parser`: the parsers of items, bits, hashes and rates in bloom-params must give a number or an
//! error for any text, and a number that is printed must be parsed as the same number. A rate that is rounded up when it is
//! printed must be parsed as a rate that is no lower.

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::math::MAX_BITS;
use bloom_fuzz_kit::{Bytes, Checked, law};
use bloom_params::numbers::{grouped, rate_up};
use bloom_params::units::{UnitError, parse_bits, parse_hashes, parse_items, parse_rate};

use super::runs;

/// Parts of typical input, separated by bars. A text that is made of such parts is valid or nearly so.
const PIECES: &str = "\
    0|1|2|9|12|1000|1024|18446744073709551615|9223372036854775808|.|,|_|'| |-|+|e|E|^|%|/|k|M|\
    G|T|P|Ki|Mi|Ti|Ei|b|B|bits|bytes|KiB|1.5|0.01|1e-3|2^10|\u{a0}|٣|inf";

/// A text that is parsed as a number of items, a number of bits, a number of hashes and a rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitParser {
    /// Any text; invalid UTF-8 is replaced.
    pub text: Bytes,
}

runs!(UnitParser);

impl UnitParser {
    fn check(&self) -> Checked {
        check_text(&String::from_utf8_lossy(&self.text.0))
    }
}

impl<'a> Arbitrary<'a> for UnitParser {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let pieces: Vec<&str> = PIECES.split('|').collect();
        let mut text = Vec::new();
        if u.int_in_range(0..=1)? == 0 {
            text = u.bytes(u.len())?.to_vec();
        }
        while !u.is_empty() && text.len() < 100 {
            text.extend(u.choose(&pieces)?.as_bytes());
        }
        Ok(Self { text: Bytes(text) })
    }
}

fn check_text(text: &str) -> Checked {
    const READS_BACK: &str = "a printed number must read back";
    match parse_items(text) {
        Ok(items) => {
            for printed in [
                items.to_string(),
                grouped(items),
                grouped(items).replace(',', "_"),
            ] {
                law(parse_items(&printed) == Ok(items), READS_BACK, &printed)?;
            }
            law(items > 0, "items must be at least 1", &items)?;
        }
        Err(error) => check_error(&error)?,
    }
    match parse_bits(text) {
        Ok(bits) => {
            let mut texts = vec![
                bits.to_string(),
                format!("{bits}b"),
                format!("{} bits", grouped(bits)),
            ];
            if bits % 8 == 0 {
                texts.push(format!("{}B", bits / 8));
            }
            for printed in texts {
                let again = parse_bits(&printed);
                law(again == Ok(bits), READS_BACK, &printed)?;
            }
            law(
                (1..=MAX_BITS).contains(&bits),
                "bits must be in range",
                &bits,
            )?;
        }
        Err(error) => check_error(&error)?,
    }
    match parse_hashes(text) {
        Ok(hashes) => {
            let again = parse_hashes(&hashes.to_string());
            law(again == Ok(hashes) && hashes > 0, READS_BACK, &hashes)?;
            // Numbers of hashes and of items have the same grammar, but hashes have a smaller range.
            let items = parse_items(text);
            law(
                items == Ok(hashes.into()),
                "a number of hashes must read as the same number of items",
                &items,
            )?;
        }
        Err(error) => check_error(&error)?,
    }
    match parse_rate(text) {
        Ok(rate) => {
            law(
                rate > 0.0 && rate < 1.0,
                "a rate must be between 0 and 1",
                &rate,
            )?;
            for printed in [rate.to_string(), format!("{rate:e}")] {
                law(parse_rate(&printed) == Ok(rate), READS_BACK, &printed)?;
            }
            let printed = rate_up(rate, rate.ln(), None);
            let again = parse_rate(&printed);
            law(
                printed == "1" || again.as_ref().is_ok_and(|again| *again >= rate),
                "a rate must be printed so that it reads back no lower",
                &(printed, rate),
            )?;
        }
        Err(error) => check_error(&error)?,
    }
    Ok(())
}

fn check_error(error: &UnitError) -> Checked {
    let lines = [Some(error.to_string()), error.hint().map(str::to_owned)];
    for line in lines.into_iter().flatten() {
        let clean = !line.is_empty() && !line.contains(char::is_control);
        law(
            clean,
            "an error must be one line without control characters",
            &line,
        )?;
    }
    Ok(())
}
