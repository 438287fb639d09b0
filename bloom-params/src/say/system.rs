//! Writes remarks on the filter of another system (a library or a database), and describes how the system derives the k
//! positions of an item.

use bloom_systems::Positions;

use crate::answer::Solution;
use crate::kind::of_system::WhyNoMore;
use crate::say::certainty::Certainty;
use crate::say::numbers::{binary_size, bytes_of_bits, grouped, nearest};
use crate::say::words::{as_typed, rounded};

/// Returns the remarks about the system and its filter.
pub(crate) fn notes(solution: &Solution) -> Vec<String> {
    let (Some(system), Some(as_built)) = (solution.asked.filter.system(), solution.as_built())
    else {
        return Vec::new();
    };
    let (name, version) = (system.name, system.version);
    let promise = solution.promised().map_or(String::new(), |rate| {
        format!("it promises {}, and ", as_typed(rate))
    });
    let hashing = Hashing::of(system.positions).noun;
    let of_rate = match solution.certainty() {
        Certainty::Rate if solution.is_dependent() => "its true rate",
        Certainty::Rate => "its true rate, for ideal hashes",
        Certainty::Estimate => "an estimate of its true rate",
        Certainty::Bound { measured: true } => "the upper bound of its true rate, as measured",
        _ => "the most that its true rate can be",
    };
    let with = if solution.is_dependent() {
        format!(", with its {hashing}")
    } else {
        String::new()
    };
    let mut notes = vec![format!(
        "this is what {name} ({version}) builds; {promise}p is {of_rate}{with}"
    )];
    if let (Some(full), Some(given)) = (as_built.full, solution.asked.bits) {
        let given = bytes_of_bits(given);
        notes.push(match full {
            WhyNoMore::Memory => format!("n is the most that it puts in {given}"),
            WhyNoMore::Rate => {
                format!("with one more item its filter of at most {given} misses p")
            }
            WhyNoMore::Cap(most) => {
                format!(
                    "with more items its filter stays at {}",
                    bytes_of_bits(most)
                )
            }
            WhyNoMore::Program => format!(
                "n is the most that it sizes a filter for at this p; {given} are more than it needs"
            ),
        });
    }
    if let Some(most) = as_built.built.capped {
        let most = bytes_of_bits(most);
        let given = if as_built.request.bits.is_some() {
            "m"
        } else {
            "p"
        };
        notes.push(format!(
            "it takes at most {most}, whatever {given} is requested"
        ));
    }
    if !system.note.is_empty() {
        notes.push(system.note.to_string());
    }
    if let Some(more) = solution.items.checked_add(1)
        && let Some(bits) = solution.memory_bits_with(more)
    {
        let (more, bits) = (grouped(more), binary_size(bits - solution.memory_bits()));
        notes.push(format!(
            "at item {more} it adds a filter of {bits}, and so on (see --grow)"
        ));
    }
    notes.extend(about_dependence(solution));
    notes
}

/// How a system derives positions, in words.
pub(crate) struct Hashing {
    /// The name of the derivation.
    noun: &'static str,
    /// The name with the verb "adds" or "add".
    adds: &'static str,
    /// The heading of the step that explains it.
    pub(crate) title: &'static str,
    /// The rest of a sentence that starts with the name of the system and "derives", without the full stop.
    pub(crate) how: &'static str,
}

impl Hashing {
    pub(crate) fn of(positions: Positions) -> Self {
        let (noun, adds, title, how) = match positions {
            Positions::Signed => (
                "sums of 32 bits",
                "sums of 32 bits add",
                "Sums of 32 bits",
                "all of them from two hash values, a + i b in 32 bits with its sign dropped, so that an item may share three and \
                 more of them with a query, and no position from 2^31 on is reached",
            ),
            Positions::FourHashes => (
                "four hash values",
                "four hash values add",
                "Four hash values",
                "all of them from four hash values in turn, so that an item that shares some positions with a query tends to share more",
            ),
            Positions::Chained { .. } => (
                "dependent positions",
                "dependent positions add",
                "Dependent positions",
                "each of them from the hash before, so that a chain may repeat; and no position from 2^31 on is reached",
            ),
            Positions::Walk => (
                "dependent positions",
                "dependent positions add",
                "Dependent positions",
                "each of them from the one before, so that an item that shares one with a query shares the next ones, too, \
                 more often",
            ),
            Positions::Rotated => (
                "one hash of 32 bits",
                "one hash of 32 bits adds",
                "One hash of 32 bits",
                "all of them from one hash value, a + i b where b is a rotated, so that an item may share three and more of \
                 them with a query, and all of them if it has the same hash value",
            ),
            Positions::Narrow => (
                "hash of 32 bits",
                "a hash of 32 bits adds",
                "A hash of 32 bits",
                "all of them from one hash value of 32 bits, so that a query with the hash value of an item finds all of them",
            ),
            Positions::Slices => (
                "uneven positions",
                "uneven positions add",
                "Uneven positions",
                "them as remainders of numbers that are little larger than a slice, so that the first ones are set more often",
            ),
            _ => (
                "double hashing",
                "double hashing adds",
                "Double hashing",
                "all of them from two hash values, a + i b, so that an item may share three and more of them with a query, \
                 and some items have fewer",
            ),
        };
        Self {
            noun,
            adds,
            title,
            how,
        }
    }
}

/// Returns whether dependent positions alone make the filter miss the target.
pub(crate) fn dependence_misses(solution: &Solution) -> bool {
    let ideal = solution.ideal.value();
    let misses = |target| ideal <= target && target < solution.rate.value();
    solution.asked.rate.is_some_and(misses)
}

/// States what the dependence of the positions adds to the rate of ideal hashes. Returns `None` if that is at most 1 % of this
/// rate, and does not make the filter miss the target.
fn about_dependence(solution: &Solution) -> Option<String> {
    let (ideal, excess) = (solution.ideal, solution.excess);
    let adds = Hashing::of(solution.asked.filter.system()?.positions).adds;
    let decides = dependence_misses(solution);
    if !decides && excess.high <= ideal.value() / 100.0 {
        return None;
    }
    let so = match solution.asked.rate {
        Some(target) if decides && ideal.value() + excess.low > target => ": too much",
        Some(_) if decides => ": perhaps too much",
        _ => "",
    };
    let (low, high) = (nearest(excess.low, 2), nearest(excess.high, 2));
    let added = if low == high {
        low
    } else {
        format!("{low} to {high}")
    };
    let p = rounded(ideal);
    Some(format!(
        "with ideal hashes p would be {p}; {adds} {added}{so}"
    ))
}
