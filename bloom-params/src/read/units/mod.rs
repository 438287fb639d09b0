//! Parses the quantities of a Bloom filter as people write them (`1.5M`, `16KiB`, `0.7%`) into
//! exact numbers, and refuses anything else with one error that names the parameter, the rule and
//! the value.

mod unit;

use std::ops::RangeInclusive;

use bloom_core::math::MAX_BITS;

pub use crate::error::InputError as UnitError;
use crate::kind::filter::Filter;
use crate::read::decimal::{Decimal, quotient};
use crate::say::numbers::{counted, grouped};
use crate::say::words::position;
use unit::{Unit, letter_for};

/// Parses a number of items n, from 1 to `u64::MAX`: `2000`, `2_000`, `2,000`, `2k`, `1.5M`, `2e3`
/// or `2^20`. The letters k, M, G, T and P (in either case) and E stand for powers of 1000; `1e` is
/// refused, as an exponent without digits.
///
/// # Errors
///
/// The text is not such a number, is not whole, or is out of range.
pub fn parse_items(text: &str) -> Result<u64, UnitError> {
    Ok(count_of(&ITEMS, text, 1..=u64::MAX)?.0)
}

/// Parses a number of bits m, from 1 to 2^63: written like items, or with one of the units `b`,
/// `bit`, `bits`, `B`, `byte` and `bytes`, which take the prefixes k, M, G, T, P, E (powers of
/// 1000) or Ki, Mi, Gi, Ti, Pi, Ei (powers of 1024). Case matters in `b` (bits), in `B` (bytes, 8
/// bits) and in an `E` without a unit, and nowhere else. A number without a unit counts bits.
///
/// # Errors
///
/// The text is not such a number, is not a whole number of bits, or is out of range.
pub fn parse_bits(text: &str) -> Result<u64, UnitError> {
    Ok(count_of(&BITS, text, 1..=MAX_BITS)?.0)
}

/// Returns a note on a size that may be meant in bytes, because a prefix is followed by nothing or by `b`. The note says how
/// many bits (or counters) and bytes were read, and how to write bytes, as in `64mb is 64,000,000 bits (8,000,000 bytes); for
/// bytes write 64MB`. The last part is left out if the number, taken as bytes, is more than 2^63 bits.
pub fn size_note(text: &str, filter: Filter) -> Option<String> {
    let (bits, in_bytes) = count_of(&BITS, text, 1..=MAX_BITS).ok()?;
    let memory = u128::from(bits) * u128::from(filter.width());
    let bytes = memory.div_ceil(8);
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    let in_bytes = in_bytes?;
    let for_bytes = if bits <= MAX_BITS / 8 {
        format!("; for bytes write {in_bytes}")
    } else {
        String::new()
    };
    Some(format!(
        "{} is {} ({} {unit}){for_bytes}",
        text.trim_ascii(),
        counted(bits, position(filter)),
        grouped(bytes)
    ))
}

/// Parses a number of hashes k, from 1 to 255, written like a number of items.
///
/// # Errors
///
/// The text is not such a number, is not whole, or is out of range.
pub fn parse_hashes(text: &str) -> Result<u8, UnitError> {
    Ok(count_of(&HASHES, text, 1..=u8::MAX.into())?.0 as u8)
}

/// Parses a false-positive rate p, above 0 and below 1: a decimal (`0.01`, `1e-2`), a percentage
/// (`0.7%`), per mille (`7‰`), parts per million (`7ppm`), a fraction of whole numbers (`1/100`, `1/10k`) or a power
/// (`2^-7`). Returns the `f64` nearest to what is written, which must be at least [`f64::MIN_POSITIVE`].
///
/// # Errors
///
/// The text is not such a number, or is out of range.
pub fn parse_rate(text: &str) -> Result<f64, UnitError> {
    rate_of(&RATE, text)
}

/// Parses a whole number in a range. If the text may mean bytes, also returns how the same number of
/// bytes is usually written.
pub(crate) fn count_of(
    param: &Param<'_>,
    text: &str,
    range: RangeInclusive<u64>,
) -> Result<(u64, Option<String>), UnitError> {
    let (given, body) = Given::new(param, text)?;
    match given.count(body)? {
        (count, _) if count < *range.start() => Err(given.error(param.low)),
        (count, _) if count > *range.end() => Err(given.too_large()),
        found => Ok(found),
    }
}

/// Parses a number of this parameter, in the notation of rates.
pub(crate) fn rate_of(param: &Param<'_>, text: &str) -> Result<f64, UnitError> {
    let (given, body) = Given::new(param, text)?;
    given.rate(body).map_err(|error| {
        for (wrong, right) in [(",", "."), (":", "/"), (" in ", "/")] {
            let fixed = body.replace(wrong, right);
            let is_plain = body.len() <= 40 && !body.contains(char::is_control);
            let is_slip = is_plain && body.matches(wrong).count() == 1;
            if is_slip && given.rate(&fixed).is_ok() {
                return error.with_hint(format!("write {fixed}"));
            }
        }
        error
    })
}

/// The highest number that [`number_of`] accepts: its product with any `u64` is finite.
#[cfg(feature = "json")]
pub(crate) const MAX_NUMBER: f64 = 1e280;

/// Parses a number above 0, up to [`MAX_NUMBER`], without a unit.
#[cfg(feature = "json")]
pub(crate) fn number_of(param: &Param<'_>, text: &str) -> Result<f64, UnitError> {
    let (given, body) = Given::new(param, text)?;
    let (number, _, rest) = given.number(body)?;
    match number.to_f64() {
        real if rest.is_empty() && real > 0.0 && real <= MAX_NUMBER => Ok(real),
        _ => Err(given.error(param.form)),
    }
}

/// A parameter: its name, and the rules and examples that errors about its value show.
pub(crate) struct Param<'a> {
    /// A letter, or a flag with its hyphens.
    pub(crate) name: &'a str,
    /// The rule for a text that is not a number of the right form.
    pub(crate) form: &'a str,
    /// The rule for a number that is too small.
    pub(crate) low: &'a str,
    /// The rule for a number that is too large.
    pub(crate) high: &'a str,
    /// The rule for a number with a unit that the parameter does not take.
    pub(crate) no_unit: &'a str,
    /// The valid letters and units; empty if there are none.
    pub(crate) units: &'a str,
    /// What to write instead; empty if no example is of use.
    pub(crate) hint: &'a str,
}

pub(crate) const ITEMS: Param<'_> = Param {
    name: "n",
    form: "must be a whole number",
    low: "must be at least 1",
    high: "must be at most 18,446,744,073,709,551,615",
    no_unit: "counts items, which have no unit",
    units: "a number may be followed by k, M, G, T, P or E (powers of 1000)",
    hint: "write items like 2000, 2_000, 1.5M or 2^20",
};

const BITS: Param<'_> = Param {
    name: "m",
    form: "must be a whole number of bits",
    low: "must be at least 1",
    high: "must be at most 2^63 bits (9,223,372,036,854,775,808)",
    no_unit: "must be in bits or bytes, with prefixes up to E or Ei, not in",
    units: "the units are b, bit and bits, B, byte and bytes, with k, M, G, T, P, E (powers of 1000) or \
            Ki, Mi, Gi, Ti, Pi, Ei (powers of 1024) before them",
    hint: "write bits like 19200, 19.2k or 2^20, or bytes like 2400B, 2.4kB or 16KiB",
};

const HASHES: Param<'_> = Param {
    name: "k",
    high: "must be between 1 and 255",
    no_unit: "counts hashes, which have no unit",
    units: "",
    hint: "write hashes like 7",
    ..ITEMS
};

pub(crate) const RATE: Param<'_> = Param {
    name: "p",
    form: "must be a decimal, a share in %, ‰ or ppm, a fraction of whole numbers or a power",
    low: "must be between 0 and 1 (exclusive)",
    high: "must be a fraction of whole numbers up to 18,446,744,073,709,551,615",
    no_unit: "is a fraction of whole numbers, which have no unit",
    units: "",
    hint: "write a rate like 0.01, 1%, 1/100, 1e-9 or 2^-7",
};

/// A parameter and the text given for it, which every error names.
#[derive(Clone, Copy)]
struct Given<'a> {
    param: &'a Param<'a>,
    text: &'a str,
}

impl<'a> Given<'a> {
    /// Returns the text without blanks around it and without a `+` before it. Refuses an empty text and one that begins with
    /// `-`.
    fn new(param: &'a Param<'a>, text: &'a str) -> Result<(Self, &'a str), UnitError> {
        let text = text.trim_ascii();
        let given = Self { param, text };
        if text.is_empty() {
            return Err(given.no_value("an empty one"));
        }
        let Some(rest) = text.strip_prefix('-') else {
            return Ok((given, text.strip_prefix('+').unwrap_or(text)));
        };
        if is_no_number(rest) || rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            Err(given.error(param.low))
        } else if rest.starts_with(|c: char| c.is_alphabetic() || c == '-') {
            Err(given.no_value(&displayed(text)))
        } else {
            Err(given.error(param.form))
        }
    }

    /// Returns the flag of the parameter.
    fn flag(self) -> String {
        format!("--{}", self.param.name.trim_start_matches('-'))
    }

    fn no_value(self, got: &str) -> UnitError {
        self.with_example(format!("{} needs a value, got {got}", self.flag()))
    }

    fn error(self, rule: &str) -> UnitError {
        let got = displayed(self.text);
        self.with_example(format!("{} {rule}, got {got}", self.param.name))
    }

    fn with_example(self, message: String) -> UnitError {
        UnitError::new(message).with_hint(self.param.hint)
    }

    /// Splits off the leading digits of `text`, without their thousands separators.
    fn integer(self, text: &str) -> Result<(String, &str), UnitError> {
        let (written, rest) = split_while(text, |c| c.is_ascii_digit() || c == ',' || c == '_');
        if written.contains(',') && written.contains('_') {
            return Err(self.error("must not mix , and _ as thousands separators"));
        }
        let mut groups = written.split([',', '_']);
        let first = groups.next().unwrap_or_default().len();
        let separated = first < written.len();
        if separated && (first == 0 || first > 3 || groups.any(|group| group.len() != 3)) {
            let rule = "must have thousands separators only between groups of three digits";
            return Err(self.error(rule));
        }
        Ok((written.replace([',', '_'], ""), rest))
    }

    /// Splits off the signed whole number after `e` or `^`. The number saturates at the ends of `i64`, where every exponent is
    /// out of range.
    fn exponent(self, text: &str) -> Result<(i64, &str), UnitError> {
        let negative = text.starts_with('-');
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (digits, rest) = split_while(unsigned, |c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.error("must have a whole number after e or ^"));
        }
        let size = digits.parse().unwrap_or(i64::MAX);
        Ok((if negative { -size } else { size }, rest))
    }

    /// Splits off the decimal or power that `text` starts with, and returns whether it is a power.
    fn number(self, text: &str) -> Result<(Decimal, bool, &str), UnitError> {
        let (mut digits, mut rest) = self.integer(text)?;
        if let Some(after) = rest.strip_prefix('^').filter(|_| !digits.is_empty()) {
            let (exponent, rest) = self.exponent(after)?;
            return Ok((Decimal::new(&digits, 0).raised(exponent), true, rest));
        }
        let mut exponent = 0_i64;
        if let Some(after) = rest.strip_prefix('.') {
            let (fraction, after) = split_while(after, |c| c.is_ascii_digit());
            if after.starts_with([',', '_']) {
                return Err(self.error("must have thousands separators only before the point"));
            }
            digits += fraction;
            exponent = exponent.saturating_sub_unsigned(fraction.len() as u64);
            rest = after;
        }
        if digits.is_empty() {
            return Err(self.error(self.param.form));
        }
        // In `1EB` and `1E` the letter belongs to the unit, in `1e5` and `1e` to the exponent.
        let after = rest.strip_prefix(['e', 'E']).filter(|_| rest != "E");
        if let Some(after) = after.filter(|after| !after.starts_with(char::is_alphabetic)) {
            let (shift, after) = self.exponent(after)?;
            exponent = exponent.saturating_add(shift);
            rest = after;
        }
        Ok((Decimal::new(&digits, exponent), false, rest))
    }

    /// Parses the whole number in `text` and applies its unit. If the text may mean bytes, also returns how the same number of
    /// bytes is usually written.
    fn count(self, text: &str) -> Result<(u64, Option<String>), UnitError> {
        let (number, is_power, rest) = self.number(text)?;
        let typed = &text[..text.len() - rest.len()];
        let written = rest.strip_prefix(' ').unwrap_or(rest);
        let in_bits = self.param.name == BITS.name;
        let unit =
            Unit::read(written).filter(|unit| in_bits || unit.bits.is_none() && !unit.is_binary());
        let Some(unit) = unit else {
            if !written.chars().all(char::is_alphabetic) {
                return Err(self.error(self.param.form));
            }
            let error = self.error(&format!("{} {}", self.param.no_unit, displayed(written)));
            let word = letter_for(written).filter(|_| !self.param.units.is_empty());
            if let Some((word, letter)) = word {
                let number = displayed(typed);
                let hint = format!("for {number} {word} write {number}{letter}");
                return Err(error.with_hint(hint));
            }
            return Err(error.with_hint(self.param.units));
        };
        if unit.is_binary() && unit.bits.is_none() {
            let right = displayed(&format!("{typed}{}", unit.prefix));
            let hint = format!("for bytes write {right}B, for bits write {right}b");
            let error = self.error("must have b or B after Ki, Mi, Gi, Ti, Pi or Ei");
            return Err(error.with_hint(hint));
        }
        if is_power && unit.scale > 1 && unit.bits.is_none() {
            // `2^3k` may mean 2^3 thousands or 2^3000.
            return Err(self.error("must have no k, M, G, T, P or E alone after a power"));
        }
        let in_bytes = unit
            .may_mean_bytes
            .then(|| format!("{typed}{}B", unit.prefix));
        let number = number.times(unit.scale).times(unit.bits.unwrap_or(1));
        match number.whole() {
            Some(count) => Ok((count, in_bytes)),
            None if number.exponent < 0 => Err(self.error(self.param.form)),
            None => Err(self.too_large()),
        }
    }

    /// Returns the error of a number above the range; for m, the hint says that no machine has so much memory.
    fn too_large(self) -> UnitError {
        let hint = if self.param.name == BITS.name {
            "2^63 bits are 1 EiB, more than a machine has; write the bits of one filter"
        } else {
            ""
        };
        self.error(self.param.high).with_hint(hint)
    }

    fn rate(self, body: &str) -> Result<f64, UnitError> {
        if is_no_number(body) {
            return Err(self.error(RATE.low));
        }
        if let Some((top, bottom)) = body.split_once('/') {
            let top = self.count(top.trim_ascii())?.0;
            let bottom = self.count(bottom.trim_ascii())?.0;
            return match top {
                _ if bottom == 0 => Err(self.error("must not divide by zero")),
                _ if top == 0 || top >= bottom => Err(self.error(RATE.low)),
                _ => self.in_range(quotient(top, bottom)),
            };
        }
        if let Some((base, size)) = body.split_once("^-") {
            return self.reciprocal_power(base, size);
        }
        if body.contains(',') {
            return Err(self.error("must have a decimal point, not a comma"));
        }
        let parts = [("%", 2), ("‰", 3), ("ppm", 6)].into_iter();
        let mut parts = parts.filter_map(|(unit, digits)| Some((body.strip_suffix(unit)?, digits)));
        let part = parts.next();
        let plain = part.map_or(body, |(number, _)| {
            number.strip_suffix(' ').unwrap_or(number)
        });
        let (mut number, is_power, rest) = self.number(plain)?;
        if !rest.is_empty() || is_power && part.is_some() {
            return Err(self.error(RATE.form));
        }
        if let Some((_, digits)) = part {
            number.exponent = number.exponent.saturating_sub(digits);
        }
        match number.whole() {
            Some(whole @ 1..) if part.is_none() && self.param.hint.contains('%') => {
                let (meant, right) = match whole {
                    1..=99 => (format!("{whole} percent"), format!("{whole}%")),
                    _ => (format!("1 in {whole}"), format!("1/{whole}")),
                };
                let hint = format!("for {meant} write {right}");
                Err(self.error(RATE.low).with_hint(hint))
            }
            Some(_) => Err(self.error(RATE.low)),
            None if number.magnitude() > 0 => Err(self.error(RATE.low)),
            None => self.in_range(number.to_f64()),
        }
    }

    /// Returns `base^-size`. With base 2 or 10 the result may be any normal `f64`; with other bases, base^size must fit a `u64`.
    fn reciprocal_power(self, base: &str, size: &str) -> Result<f64, UnitError> {
        if size.is_empty() || !size.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.error(RATE.form));
        }
        match (base, size.parse().unwrap_or(u64::MAX)) {
            ("2", halvings @ 1..=1022) => Ok(f64::from_bits((1023 - halvings) << 52)),
            ("2", 1023..) => self.in_range(0.0),
            ("10", _) => self.rate(&format!("1e-{size}")),
            _ => self.rate(&format!("1/{base}^{size}")),
        }
    }

    /// Refuses a number that is between 0 and 1 as written, but as an `f64` is 1 or not normal.
    fn in_range(self, rate: f64) -> Result<f64, UnitError> {
        if rate < f64::MIN_POSITIVE {
            Err(self.error("must be at least 2.2250738585072014e-308"))
        } else if rate >= 1.0 {
            Err(self.error("must be at most 0.9999999999999999"))
        } else {
            Ok(rate)
        }
    }
}

fn is_no_number(text: &str) -> bool {
    let words = ["inf", "infinity", "nan"];
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn split_while(text: &str, keep: fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !keep(c)).unwrap_or(text.len()))
}

/// Returns a text as an error shows it: escaped, so that it stays on one line, and cut to 40 characters.
pub fn displayed(text: &str) -> String {
    shortened(text, 40)
}

/// Returns the text escaped, so that it stays on one line.
pub fn on_one_line(text: &str) -> String {
    shortened(text, usize::MAX)
}

fn shortened(text: &str, most: usize) -> String {
    let mut shown = String::new();
    let mut length = 0;
    for c in text.chars() {
        let piece = match c {
            '\'' | '"' | '\\' => c.to_string(),
            _ => c.escape_debug().to_string(),
        };
        length += piece.chars().count();
        if length > most {
            return shown + "…";
        }
        shown += &piece;
    }
    shown
}
