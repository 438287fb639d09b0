//! Turns the flags of a question, which a table in `read::flags` lists, into arguments of the
//! command line.

use std::ffi::OsStr;

use bloom_systems::SYSTEMS;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::error::InputError;
use crate::question::Query;
use crate::read::flags::{self, FLAGS, Flag, Part, Takes};
use crate::read::typed::Typed;
use crate::say::unbuilt::takes;

/// Which flags of a question a command takes: with `FILTER` those of a filter, with [`LIBRARY`] also those of a library, and
/// with [`ANSWER`] also those that add a section to the answer, such as `--overfill`.
pub(crate) const FILTER: u8 = 0;
pub(crate) const LIBRARY: u8 = 1;
pub(crate) const ANSWER: u8 = 2;

/// The flags of a question, as typed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flags<const TAKEN: u8>(pub(crate) Typed);

impl<const TAKEN: u8> Flags<TAKEN> {
    /// Parses the values into a query.
    pub(crate) fn read(&self) -> Result<Query, InputError> {
        self.0.check()?;
        self.0.query()
    }
}

fn is_taken(flag: &Flag, taken: u8) -> bool {
    let is_part = match flag.part {
        Part::Question | Part::Option(_) => true,
        Part::Library => taken >= LIBRARY,
        Part::Section => taken >= ANSWER,
    };
    // A flag that needs another is taken only if the command also takes the other.
    let needs = flags::flag(flag.needs);
    is_part && needs.is_none_or(|needs| is_taken(needs, taken))
}

impl<const TAKEN: u8> Args for Flags<TAKEN> {
    fn augment_args(command: Command) -> Command {
        let flags = FLAGS.iter().filter(|flag| is_taken(flag, TAKEN));
        command.args(flags.map(arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const TAKEN: u8> FromArgMatches for Flags<TAKEN> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut typed = Typed::default();
        for flag in FLAGS.iter().filter(|flag| is_taken(flag, TAKEN)) {
            let text = match flag.takes {
                Takes::Nothing => matches.get_flag(flag.name).then(|| "true".to_string()),
                _ => matches.get_one::<String>(flag.name).cloned(),
            };
            if let Some(text) = text {
                typed.add(flag, text);
            }
        }
        Ok(Self(typed))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the argument of a flag.
fn arg(flag: &'static Flag) -> Arg {
    let arg = Arg::new(flag.name)
        .long(flag.name.replace('_', "-"))
        .help(flag.help)
        .hide_short_help(!flag.is_common);
    let arg = match flag.name.as_bytes() {
        [letter] => arg.short(char::from(*letter)),
        _ => arg,
    };
    let arg = match flag.alias {
        "" => arg,
        alias => arg.visible_alias(alias),
    };
    let arg = match flag.more {
        "" => arg,
        more => arg.long_help(format!("{}\n\n{more}", flag.help)),
    };
    let arg = match flag.part {
        Part::Question | Part::Section => arg,
        Part::Option(_) => arg.help_heading("Options of one filter"),
        Part::Library => arg.help_heading("Other libraries"),
    };
    match flag.takes {
        Takes::Nothing => arg.action(ArgAction::SetTrue),
        Takes::Text(name) => arg.value_name(name).allow_hyphen_values(true),
        Takes::OneOf(name, values) => {
            let values = values
                .iter()
                .map(|(name, help)| PossibleValue::new(*name).help(*help));
            arg.value_name(name).value_parser(Named(values.collect()))
        }
        Takes::Library => arg
            .value_name("NAME")
            .value_parser(Named(libraries().collect())),
    }
}

/// Returns the names of known libraries.
fn libraries() -> impl Iterator<Item = PossibleValue> {
    SYSTEMS.iter().map(|library| {
        let help = format!("{}, {}", library.version, takes(library.sizing.takes));
        let name = PossibleValue::new(library.name).help(help);
        let name = name.aliases(library.aliases.iter().copied());
        name.hide(library.is_document())
    })
}

/// Accepts the names of known libraries, and `all` for all of them.
pub(crate) fn names_and_all() -> PossibleValuesParser {
    let all = PossibleValue::new("all").help("All libraries");
    libraries().chain([all]).collect::<Vec<_>>().into()
}

/// Lists names for the help and for shells, but accepts any text. `Typed::query` refuses unknown
/// names, so that the command and a web page refuse them with the same error.
#[derive(Clone)]
struct Named(Vec<PossibleValue>);

impl TypedValueParser for Named {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        _: Option<&Arg>,
        text: &OsStr,
    ) -> Result<String, clap::Error> {
        let text = text.to_str().map(str::to_string);
        text.ok_or_else(|| clap::Error::new(clap::error::ErrorKind::InvalidUtf8).with_cmd(command))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().cloned()))
    }
}
