//! Builds the sections that are added to an answer. Each section is computed from the answer and
//! from the flags that request it, and has lines for people and an object for programs.

mod cost;
mod fill;
mod grow;
mod hashing;
mod lookups;
pub(crate) mod overfill;
pub(crate) mod section;
mod sequence;
mod stages;
mod union;

use self::section::Section;
use crate::answer::Answer;
use crate::error::InputError;
use crate::question::Query;
use crate::read::typed::Typed;

/// A function that returns a section, if the answer has it or a flag requests it.
type Of = fn(&Typed, &Answer) -> Result<Option<Section>, InputError>;

/// All sections, in the order in which they are printed.
const ALL: [Of; 11] = [
    |_, answer| Ok(stages::stages(answer)),
    overfill::overfill,
    grow::grow,
    union::union,
    hashing::spread,
    hashing::hash_bits,
    fill::fill,
    sequence::sequence,
    sequence::levels,
    cost::cost,
    lookups::lookups,
];

/// An answer with everything that its flags request.
pub(crate) struct Answered {
    pub(crate) answer: Answer,
    /// The sections that the answer has or a flag requests.
    pub(crate) sections: Vec<Section>,
    /// Whether m follows from bits per item that were given.
    pub(crate) is_per_item: bool,
    /// How an m like `64mb`, which may mean bits or bytes, was read.
    pub(crate) size_note: Option<String>,
    /// The lines of the derivation, if requested.
    pub(crate) explain: Vec<String>,
}

impl Answered {
    /// Answers a question.
    pub(crate) fn new(typed: &Typed, query: Query) -> Result<Self, InputError> {
        let answer = Answer::from_query(query)?;
        let sections = ALL.iter().map(|section| section(typed, &answer));
        let sections = sections.collect::<Result<Vec<_>, _>>()?;
        let explain = typed.has("explain").then(|| answer.explain());
        Ok(Self {
            sections: sections.into_iter().flatten().collect(),
            is_per_item: typed.has("bits_per_item"),
            size_note: typed.size_note(),
            explain: explain.unwrap_or_default(),
            answer,
        })
    }
}
