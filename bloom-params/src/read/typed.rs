//! Holds a question as its flags and their texts, which come from a command line, a web page or a
//! program.

use std::ops::RangeInclusive;

use crate::error::InputError;
use crate::read::flags::{self, Flag, Takes};
use crate::read::units;
use crate::read::values;
use crate::say::unbuilt;
use crate::say::words::{dashed, listed, similar};

/// The flags that are given, with their texts. A flag that takes no value may have any text here; `check_switches` refuses
/// all but `true`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Typed(Vec<(&'static Flag, String)>);

/// Returns the error of a name that no flag has. Its hint is the flag that was probably meant, if one is similar or has this
/// alias.
fn unknown(name: &str) -> InputError {
    let alias = flags::FLAGS.iter().find(|flag| flag.alias == name);
    let near = || similar(name, flags::FLAGS.iter().map(|flag| flag.name));
    let meant = alias.map(|flag| flag.name).or_else(near);
    let hint = meant.map(|meant| format!("did you mean {meant}?"));
    InputError::new(format!("no flag has the name {}", units::displayed(name)))
        .with_hint(hint.unwrap_or_default())
}

impl Typed {
    /// Takes the flags of a question by their names, in any order.
    ///
    /// # Errors
    ///
    /// A flag is unknown, is given twice, lacks a flag that it needs, or is given beside `like`, which excludes it.
    pub(crate) fn from_names(flags: &[(&str, &str)]) -> Result<Self, InputError> {
        for (at, (name, _)) in flags.iter().enumerate() {
            let flag = flags::flag(name).ok_or_else(|| unknown(name))?;
            if flags[..at].iter().any(|(other, _)| other == name) {
                let flag = flag.dashed();
                return Err(InputError::new(format!("{flag} is given twice")));
            }
        }
        // The flags are added in the order of the table, as on the command line, so that both ways
        // to give flags refuse the same flag first.
        let mut typed = Self::default();
        for flag in &flags::FLAGS {
            let mut given = flags.iter().filter(|(name, _)| *name == flag.name);
            if let Some((_, text)) = given.next() {
                typed.add(flag, (*text).to_string());
            }
        }
        typed.check()?;
        Ok(typed)
    }

    /// Refuses a flag if the flag that it needs is missing, or if `like` is given and the library
    /// decides its value.
    pub(crate) fn check(&self) -> Result<(), InputError> {
        for (flag, _) in &self.0 {
            if !flag.needs.is_empty() && !self.has(flag.needs) {
                let (flag, needs) = (flag.dashed(), dashed(flag.needs));
                return Err(InputError::new(format!("{flag} needs {needs}"))
                    .with_hint(format!("write {needs} too, or leave out {flag}")));
            }
        }
        let decided = self.0.iter().find(|(flag, _)| flag.is_of_own_sizes);
        if let Some((flag, _)) = decided.filter(|_| self.has("like")) {
            let (message, hint) = unbuilt::decides(flag.name);
            return Err(InputError::new(message).with_hint(hint));
        }
        Ok(())
    }

    /// Refuses a flag that takes no value if its text is not `true`: whoever writes `false` does not want the flag.
    pub(crate) fn check_switches(&self) -> Result<(), InputError> {
        let mut switches = self.0.iter();
        let refused =
            switches.find(|(flag, text)| matches!(flag.takes, Takes::Nothing) && text != "true");
        refused.map_or(Ok(()), |(flag, text)| {
            let (name, got) = (flag.name, units::displayed(text));
            Err(InputError::new(format!(
                "{name} must be true or left out, got {got}"
            )))
        })
    }

    /// Adds a flag.
    pub(crate) fn add(&mut self, flag: &'static Flag, text: String) {
        self.0.push((flag, text));
    }

    /// Returns all flags but the one of this name.
    #[cfg(feature = "cli")]
    pub(crate) fn without(&self, name: &str) -> Self {
        let others = self.0.iter().filter(|(flag, _)| flag.name != name);
        Self(others.cloned().collect())
    }

    /// Returns the flags that are given, with their texts.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'static Flag, &str)> {
        self.0.iter().map(|(flag, text)| (*flag, text.as_str()))
    }

    /// Returns whether a flag is given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.text(name).is_some()
    }

    /// Returns the text of a flag, if it is given.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let mut flags = self.0.iter();
        flags
            .find(|(flag, _)| flag.name == name)
            .map(|(_, text)| text.as_str())
    }

    /// Parses the value of a flag, if it is given.
    pub(crate) fn read<T, E: Into<InputError>>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, InputError> {
        self.text(name)
            .map(|text| parse(text).map_err(Into::into))
            .transpose()
    }

    /// Parses a whole number in a range.
    pub(crate) fn whole(
        &self,
        name: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, InputError> {
        self.read(name, |text| values::whole(text, &dashed(name), range))
    }

    /// Parses a share. The hint of an error shows `example`.
    pub(crate) fn share(&self, name: &str, example: &str) -> Result<Option<f64>, InputError> {
        self.read(name, |text| values::share(text, &dashed(name), example))
    }

    /// Returns the value of a flag whose text must be one of the names that the flag accepts. `values` has one value for each
    /// of these names, in their order.
    pub(crate) fn one_of<T: Copy>(
        &self,
        name: &str,
        values: &[T],
    ) -> Result<Option<T>, InputError> {
        let names = flags::names(name);
        self.read(name, |text| {
            let at = names.iter().position(|(known, _)| *known == text);
            at.and_then(|at| values.get(at).copied()).ok_or_else(|| {
                let names: Vec<_> = names.iter().map(|(known, _)| *known).collect();
                let (flag, got) = (dashed(name), units::displayed(text));
                let hint = similar(text, names.iter().copied());
                let hint = hint.map(|near| format!("did you mean {flag} {near}?"));
                InputError::new(format!(
                    "{flag} must be one of {}, got {got}",
                    listed(&names)
                ))
                .with_hint(hint.unwrap_or_default())
            })
        })
    }
}
