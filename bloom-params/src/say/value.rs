//! Builds JSON values and prints them. The calculator page of the book downloads this code, so it is kept small: unlike a
//! general library, it does not parse JSON.

use std::borrow::Cow;
use std::fmt::{self, Write};

use crate::say::numbers::{shortest, split};

/// A line of the answer for people: name, value, unit and remark.
pub type Row = (&'static str, String, String, String);

/// A JSON object that keeps the order of its keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object(pub Vec<(Cow<'static, str>, Value)>);

/// Returns an [`Object`](crate::json::Object) of pairs of a key and a value. Each value is converted with `Into<Value>`:
/// `object![("n", 2000_u64), ("k", None::<u8>)]`.
///
/// ```
/// use bloom_params::json::Value;
/// use bloom_params::object;
///
/// let text = Value::from(object![("n", 2000_u64), ("k", None::<u8>)]).to_string();
/// assert_eq!(text, "{\n  \"n\": 2000,\n  \"k\": null\n}");
/// ```
#[macro_export]
macro_rules! object {
    ($(($key:expr, $value:expr)),* $(,)?) => {{
        let mut object = $crate::json::Object::default();
        $(object.add($key, $value);)*
        object
    }};
}

/// A JSON value.
///
/// Integers are printed exactly, however large. An `f64` is printed as the shortest text that parses to the same `f64`;
/// infinities and NaN are printed as null.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Null.
    Null,
    /// A truth value.
    Bool(bool),
    /// An unsigned integer.
    Whole(u128),
    /// A signed integer.
    Signed(i64),
    /// A floating-point number.
    Real(f64),
    /// A string.
    Text(Cow<'static, str>),
    /// An array.
    List(Vec<Value>),
    /// An object.
    Object(Object),
}

impl Object {
    /// Adds a value at the end.
    // Calling this function for each pair makes the page's module 6,120 bytes smaller than building
    // arrays of pairs in place did.
    #[inline(never)]
    pub fn add(&mut self, key: &'static str, value: impl Into<Value>) {
        self.0.push((Cow::Borrowed(key), value.into()));
    }

    /// Adds a value if there is one.
    pub fn add_some(&mut self, key: &'static str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }
}

impl<K: Into<Cow<'static, str>>> FromIterator<(K, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(pairs: I) -> Self {
        let pairs = pairs.into_iter();
        Self(pairs.map(|(key, value)| (key.into(), value)).collect())
    }
}

/// Implements the conversion of each type to the variant that holds it.
macro_rules! from {
    ($($type:ty => $variant:ident($value:ident) $inside:expr;)*) => {
        $(impl From<$type> for Value {
            fn from($value: $type) -> Self {
                Self::$variant($inside)
            }
        })*
    };
}

from! {
    bool => Bool(is) is;
    u8 => Whole(count) count.into();
    u32 => Whole(count) count.into();
    u64 => Whole(count) count.into();
    u128 => Whole(count) count;
    usize => Whole(count) count as u128;
    i32 => Signed(count) count.into();
    f64 => Real(number) number;
    &'static str => Text(text) text.into();
    String => Text(text) text.into();
    Object => Object(object) object;
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

/// Writes the value on lines that are indented by two spaces for each level.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text, 0);
        f.write_str(&text)
    }
}

impl Value {
    fn write(&self, out: &mut String, level: usize) {
        match self {
            Self::Null => *out += "null",
            Self::Bool(is) => *out += if *is { "true" } else { "false" },
            Self::Whole(count) => *out += &count.to_string(),
            Self::Signed(count) => *out += &count.to_string(),
            Self::Real(number) => *out += &real(*number),
            Self::Text(text) => quote(text, out),
            Self::List(values) => {
                let values = values.iter().map(|value| (None, value));
                write_all(out, level, ['[', ']'], values.collect());
            }
            Self::Object(object) => {
                let pairs = object.0.iter();
                let pairs = pairs.map(|(key, value)| (Some(key.as_ref()), value));
                write_all(out, level, ['{', '}'], pairs.collect());
            }
        }
    }
}

fn write_all(out: &mut String, level: usize, ends: [char; 2], values: Vec<(Option<&str>, &Value)>) {
    let line = |out: &mut String, level| {
        out.push('\n');
        *out += &"  ".repeat(level);
    };
    out.push(ends[0]);
    let is_empty = values.is_empty();
    for (index, (key, value)) in values.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        line(out, level + 1);
        if let Some(key) = key {
            quote(key, out);
            *out += ": ";
        }
        value.write(out, level + 1);
    }
    if !is_empty {
        line(out, level);
    }
    out.push(ends[1]);
}

/// Returns a floating-point number as text: with an exponent from 1e16 on and below 1e-5, and otherwise with a point.
fn real(number: f64) -> String {
    if !number.is_finite() {
        return "null".to_string();
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let (digits, scale) = shortest(number.abs());
    match split(&digits, scale, -5..=15) {
        (whole, decimals, None) if decimals.is_empty() => format!("{sign}{whole}.0"),
        (whole, decimals, None) => format!("{sign}{whole}.{decimals}"),
        (whole, decimals, Some(exponent)) => {
            let point = if decimals.is_empty() { "" } else { "." };
            let plus = if exponent > 0 { "+" } else { "" };
            format!("{sign}{whole}{point}{decimals}e{plus}{exponent}")
        }
    }
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\n' => *out += "\\n",
            '\r' => *out += "\\r",
            '\t' => *out += "\\t",
            '\u{8}' => *out += "\\b",
            '\u{c}' => *out += "\\f",
            '\0'..' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(char));
            }
            _ => out.push(char),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_value_is_escaped_and_parsed_as_by_other_libraries() {
        let text = Value::from("a \"b\" \\ \n \r \t \u{8} \u{c} \u{1b} \u{7f} é 🐝".to_string());
        let value = Value::from(object![
            ("text", text),
            ("none", None::<u8>),
            ("empty", Vec::<u8>::new()),
            ("nothing", Object::default()),
            ("list", vec![u64::MAX, 0]),
            ("objects", vec![object![("is", true)]]),
            ("large", u128::MAX),
            ("not a number", f64::NAN),
            ("endless", f64::NEG_INFINITY),
        ]);
        let text = value.to_string();
        let parsed: serde_json::Map<String, serde_json::Value> = {
            let large = u128::MAX.to_string();
            serde_json::from_str(&text.replace(&large, "1")).unwrap()
        };
        assert_eq!(
            parsed["text"],
            "a \"b\" \\ \n \r \t \u{8} \u{c} \u{1b} \u{7f} é 🐝"
        );
        assert_eq!(
            serde_json::to_string(&parsed["text"]).unwrap(),
            value_of(&value, "text")
        );
        for key in ["none", "not a number", "endless"] {
            assert!(parsed[key].is_null(), "{key}");
        }
        let list = "\"list\": [\n    18446744073709551615,\n    0\n  ],\n";
        assert!(text.contains(list) && text.contains("\"empty\": [],\n  \"nothing\": {},\n"));
    }

    fn value_of(object: &Value, key: &str) -> String {
        let Value::Object(object) = object else {
            panic!("{object} is not an object");
        };
        let found = object.0.iter().find(|(known, _)| known == key);
        found.map_or(String::new(), |(_, value)| value.to_string())
    }

    fn as_others_write_it(number: f64) {
        assert_eq!(
            Value::from(number).to_string(),
            serde_json::to_string(&number).unwrap()
        );
    }

    #[test]
    fn a_number_is_written_as_by_other_libraries() {
        // If two shortest texts are equally near, the one with the even last digit is written.
        for number in [
            0.0,
            -0.0,
            1.0,
            100.0,
            -2.5,
            2_049_445_820_731_963.2,
            5e-324,
            f64::MAX,
        ] {
            as_others_write_it(number);
        }
        for exponent in -1074..1024 {
            // The neighbour below a power of two is nearer than the neighbour above.
            as_others_write_it(libm::exp2(exponent.into()));
        }
        for exponent in -323..=308 {
            for digits in [1, 5, 123_456] {
                as_others_write_it(format!("{digits}e{}", exponent - 5).parse().unwrap());
            }
        }
    }

    proptest! {
        #[test]
        fn any_number_is_written_as_by_other_libraries(bits in any::<u64>(), part in 0.0..1.0) {
            for number in [f64::from_bits(bits), part, part * 1e17, part * 1e-3, bits as f64] {
                as_others_write_it(number);
            }
        }
    }
}
