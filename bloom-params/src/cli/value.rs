//! What flags with a value have in common.

use std::borrow::Cow;

use clap::{Arg, ValueEnum};

use crate::error::InputError;

/// Lets a value that is not one of a list start with a hyphen: the parser of the value refuses it with a
/// better message than clap has.
pub(crate) fn with_any_value(arg: Arg) -> Arg {
    let is_free = arg.get_long().is_some() && arg.get_possible_values().is_empty();
    if is_free && arg.get_action().takes_values() {
        arg.allow_hyphen_values(true)
    } else {
        arg
    }
}

/// Parses a value, if it is given.
pub(crate) fn read<T>(
    text: Option<&str>,
    parse: impl FnOnce(&str) -> Result<T, InputError>,
) -> Result<Option<T>, InputError> {
    text.map(parse).transpose()
}

/// Returns the name of one of a list of values.
pub(crate) fn named(value: &impl ValueEnum) -> Cow<'static, str> {
    let value = value.to_possible_value();
    value.map_or(Cow::default(), |value| value.get_name().to_string().into())
}
