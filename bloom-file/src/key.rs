//! Reads lines of text as keys of the type that the system hashes.

use bloom_formats::{Key, SparkKey};
use bloom_params::InputError;
use clap::ValueEnum;

/// How a line becomes a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum KeyType {
    /// The bytes of the line: a UTF-8 string
    #[default]
    Text,
    /// Bytes, each written as two hexadecimal digits
    Hex,
    /// A 64-bit integer
    I64,
    /// A 32-bit integer
    I32,
    /// A 64-bit floating-point number (double)
    F64,
    /// A 32-bit floating-point number (float)
    F32,
    /// A UTF-16 string, as for Guava's unencodedCharsFunnel
    Utf16,
    /// The 8 bytes of an integer, big-endian
    I64Be,
    /// The 8 bytes of an integer, little-endian
    I64Le,
    /// The 4 bytes of an integer, big-endian
    I32Be,
    /// The 4 bytes of an integer, little-endian
    I32Le,
    /// Spark's xxhash64 of a string, as in the runtime filters of joins
    Xxhash64Text,
    /// Spark's xxhash64 of bytes, each written as two hexadecimal digits
    Xxhash64Hex,
    /// Spark's xxhash64 of a 64-bit integer
    Xxhash64I64,
    /// Spark's xxhash64 of a 32-bit integer
    Xxhash64I32,
}

impl KeyType {
    /// Returns the name on the command line.
    pub(crate) fn name(self) -> String {
        let value = self.to_possible_value().expect("no type is hidden");
        value.get_name().to_string()
    }

    /// Returns whether a key is all the text of its line, including blanks around it and a CR at the end.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Utf16 | Self::Xxhash64Text)
    }

    /// Reads a line as a key; `buffer` keeps bytes that are computed from the line.
    pub(crate) fn read<'a>(
        self,
        line: &'a [u8],
        buffer: &'a mut Vec<u8>,
    ) -> Result<Key<'a>, InputError> {
        let be64 = |value: i64| value.to_be_bytes().to_vec();
        let be32 = |value: i32| value.to_be_bytes().to_vec();
        let reversed = |mut bytes: Vec<u8>| {
            bytes.reverse();
            bytes
        };
        *buffer = match self {
            Self::Text => return Ok(Key::Text(line)),
            Self::Utf16 => return utf8(line).map(Key::Utf16),
            Self::I64 => return number(line, "a 64-bit integer").map(Key::Long),
            Self::I32 => return number(line, "a 32-bit integer").map(Key::Int),
            Self::F64 => return float(line, f64::MAX).map(Key::Double),
            Self::F32 => return float(line, f32::MAX).map(Key::Float),
            Self::Xxhash64Text => return Ok(xxhash64(SparkKey::Bytes(line))),
            Self::Xxhash64Hex => return Ok(xxhash64(SparkKey::Bytes(&hex(line)?))),
            Self::Xxhash64I64 => {
                let value = number(line, "a 64-bit integer")?;
                return Ok(xxhash64(SparkKey::Long(value)));
            }
            Self::Xxhash64I32 => {
                let value = number(line, "a 32-bit integer")?;
                return Ok(xxhash64(SparkKey::Int(value)));
            }
            Self::Hex => hex(line)?,
            Self::I64Be => be64(number(line, "a 64-bit integer")?),
            Self::I64Le => reversed(be64(number(line, "a 64-bit integer")?)),
            Self::I32Be => be32(number(line, "a 32-bit integer")?),
            Self::I32Le => reversed(be32(number(line, "a 32-bit integer")?)),
        };
        Ok(Key::Bytes(buffer))
    }
}

/// Returns the hash that Spark's function `xxhash64` computes for a key, as a key.
fn xxhash64(key: SparkKey<'_>) -> Key<'static> {
    Key::Long(key.xxhash64())
}

/// Returns the text of a line.
pub(crate) fn utf8(line: &[u8]) -> Result<&str, InputError> {
    std::str::from_utf8(line).map_err(|_| must_be("UTF-8", line))
}

/// Parses a number; blanks around it are ignored.
pub(crate) fn number<T: std::str::FromStr>(line: &[u8], what: &str) -> Result<T, InputError> {
    let text = std::str::from_utf8(line.trim_ascii()).ok();
    text.and_then(|text| text.parse().ok())
        .ok_or_else(|| must_be(what, line))
}

/// Parses `inf`, NaN, or a number whose magnitude is at most `most`. Refuses larger finite numbers, which would be read
/// as infinite and so as a different key.
fn float<T>(line: &[u8], most: T) -> Result<T, InputError>
where
    T: std::str::FromStr + Into<f64> + std::fmt::LowerExp + Copy,
{
    let value: T = number(line, "a number")?;
    let is_inf = line
        .windows(3)
        .any(|part| part.eq_ignore_ascii_case(b"inf"));
    if value.into().is_infinite() && !is_inf {
        return Err(must_be(&format!("a number up to {most:e}, or inf"), line));
    }
    Ok(value)
}

/// Returns the bytes that hexadecimal digits stand for.
fn hex(line: &[u8]) -> Result<Vec<u8>, InputError> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let (pairs, rest) = line.trim_ascii().as_chunks::<2>();
    let bytes = pairs
        .iter()
        .map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?));
    let bytes: Option<Vec<u8>> = bytes.collect();
    bytes
        .filter(|_| rest.is_empty())
        .ok_or_else(|| must_be("pairs of hexadecimal digits", line))
}

pub(crate) fn must_be(what: &str, line: &[u8]) -> InputError {
    let shown = match line.trim_ascii() {
        [] => "an empty line".to_string(),
        _ => bloom_params::units::displayed(&String::from_utf8_lossy(line)),
    };
    InputError::new(format!("key must be {what}, got {shown}"))
}
