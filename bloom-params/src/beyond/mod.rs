//! What is added to an answer: each a function of the answer and of the flags that ask for it, with its lines for people
//! and its object for programs.

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
use crate::read::typed::Typed;

/// A section of an answer, if it has it or a flag asks for it.
type Of = fn(&Typed, &Answer) -> Result<Option<Section>, InputError>;

/// In the order in which they are printed.
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
    |_, answer| Ok(cost::cost(answer)),
    lookups::lookups,
];

/// Returns every section that the answer has or a flag asks for.
pub(crate) fn sections(typed: &Typed, answer: &Answer) -> Result<Vec<Section>, InputError> {
    let all = ALL.iter().map(|section| section(typed, answer));
    Ok(all
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect())
}
