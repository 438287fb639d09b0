//! What is added to an answer: each a function of the answer and of the flags that ask for it, with its lines for people
//! and its object for programs.

mod cost;
mod fill;
mod grow;
mod hashing;
mod lookups;
mod overfill;
mod sequence;
mod stages;
mod union;

use crate::error::InputError;
use crate::json::Object;
use crate::query::QueryError;
use crate::read::typed::{Answer, Typed};
use crate::solution::Solution;

/// What is added to an answer; the columns of its lines are two or more blanks apart.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    /// Its key in the JSON object.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
    /// Its object there; empty where the answer itself has it.
    pub(crate) data: Object,
}

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

impl Answer {
    /// Returns the filter, or else the error of a flag that needs one.
    fn sized(&self, flag: &'static str) -> Result<&Solution, QueryError> {
        match self {
            Self::Sized(solution) => Ok(solution),
            Self::PerItem(_) => Err(QueryError::NeedsSize { option: flag }),
        }
    }

    /// Returns the rate.
    fn rate(&self) -> f64 {
        match self {
            Self::Sized(solution) => solution.rate.value(),
            Self::PerItem(each) => each.rate,
        }
    }
}
