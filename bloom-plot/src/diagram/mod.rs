//! Computes diagrams of a small Bloom filter, which show which items set its bits and what queries find.

use std::collections::BTreeSet;

mod model;
mod rows;
pub(crate) mod scene;

pub use model::{Diagram, DiagramOf, Group, Item, Kind, MAX_BITS, Verdict};

use bloom_params::numbers::counted;

use crate::axes::{check, check_count, require};
use crate::curves::MAX_SERIES;
use crate::error::FigureError;
use crate::words::listed;
use rows::Rows;

/// The most letters in the name of an item.
pub const MAX_NAME: usize = 16;

/// The most collisions that the note of a diagram names, each by its item and position. If there are more, it names none. A
/// collision is a position that several hashes of one item select.
const MAX_COLLISIONS: usize = 3;

impl DiagramOf {
    /// Computes the diagram.
    ///
    /// # Errors
    ///
    /// Every field must be in its range, and at least one item must be inserted. Names must have 1 to 16 letters and no control
    /// characters. In a blocked filter, the number of blocks must divide `bits`; in a partitioned filter, which has a slice of
    /// the bits for each hash, each slice must have at least one bit. If an item is given positions, there must be 1 to 16 of
    /// them, all below `bits`; in a blocked filter, all must be in one block, and in a partitioned filter, each slice must have
    /// exactly one of them. Only a counting filter allows removal. The stages of a scalable filter, which are the parts by
    /// which it grows, must have at most 64 bits together, and items of such a filter cannot be given positions.
    pub fn diagram(&self) -> Result<Diagram, FigureError> {
        let holds = (1..=MAX_BITS).contains(&self.bits);
        check("m", "from 1 to 64 to be drawn", holds, self.bits)?;
        let holds = (1..=16).contains(&self.hashes);
        check("k", "from 1 to 16 to be drawn", holds, self.hashes)?;
        let holds = !self.inserts.is_empty();
        require("insert", "needs at least one item", holds, "none")?;
        let removable = self.kind == Kind::Counting || self.removes.is_empty();
        if !removable {
            let rule = "needs a counting filter (--filter counting)";
            return Err(FigureError::stated("remove", rule));
        }
        let mut rows = Rows::new(self)?;
        let inserts = each("insert", &self.inserts, |name| rows.insert(name))?;
        let removes = each("remove", &self.removes, |name| rows.remove(name))?;
        let queries = each("query", &self.queries, |name| rows.query(name))?;
        let Rows { counts, groups, .. } = rows;
        let set = counts.iter().filter(|count| **count > 0).count();
        let verdicts = queries
            .iter()
            .map(|(item, verdict)| format!("{} is {}", item.name, verdict.phrase()));
        let verdicts = listed(&verdicts.collect::<Vec<_>>(), "and");
        let colon = if verdicts.is_empty() { "" } else { ": " };
        let (title, kind) = self.names(&groups);
        let mut diagram = Diagram {
            title,
            note: self.note().to_owned(),
            description: format!(
                "A {kind}, {set} of its {} set by {}{colon}{verdicts}.",
                counted(counts.len() as u64, self.kind.cell()),
                listed(&self.inserts, "and"),
            ),
            kind: self.kind,
            counts,
            groups,
            inserts,
            removes,
            queries,
        };
        let collisions = collisions_note(&diagram);
        diagram.note += &collisions;
        if diagram.is_dense() {
            diagram.note = diagram
                .note
                .replace("a dashed arrow ends at", "a ring marks");
            diagram.note = diagram
                .note
                .replace("Two arrowheads:", "Two discs side by side:");
        }
        Ok(diagram)
    }

    /// Returns the title of the diagram, and a phrase for the kind of filter.
    fn names(&self, groups: &[Group]) -> (String, String) {
        let (bits, k) = (self.bits, self.hashes);
        // The user may give an item fewer or more than k positions. Then the title leaves out k.
        let all_k = self
            .positions
            .values()
            .all(|given| given.len() == usize::from(k));
        let hashes = if all_k {
            format!(", {}", counted(k.into(), "hash"))
        } else {
            String::new()
        };
        let Some(noun) = self.kind.group() else {
            let kind = match self.kind {
                Kind::Counting => "counting Bloom filter",
                _ => "Bloom filter",
            };
            let cells = counted(bits, self.kind.cell());
            return (format!("{cells}{hashes}"), kind.to_owned());
        };
        let all = counted(groups.len() as u64, noun);
        let lengths = groups
            .iter()
            .map(|group| group.positions.end - group.positions.start);
        let lengths: BTreeSet<u64> = lengths.collect();
        let texts: Vec<String> = lengths.iter().map(u64::to_string).collect();
        let bits = if lengths.last() == Some(&1) {
            "bit"
        } else {
            "bits"
        };
        if self.kind == Kind::Scalable {
            let title = format!("{all} of {} {bits}", listed(&texts, "and"));
            return (title, format!("growing Bloom filter in {all}"));
        }
        let title = format!("{all} of {} {bits}{hashes}", texts.join(" or "));
        (title, format!("Bloom filter in {all}"))
    }

    fn note(&self) -> &'static str {
        match self.kind {
            Kind::Classic => {
                "Every item sets its bits. Grey bits belong to several items. A query is found if all \
                 its bits are set; a dashed arrow ends at a clear bit."
            }
            Kind::Counting => {
                "Every hash of an inserted item adds 1, every hash of a removed one takes 1 away. A \
                 query is found if none of its counters is 0."
            }
            Kind::Partitioned => {
                "Each hash has a slice of its own, where it sets one bit; grey bits belong to several \
                 items. A query is found if its bit in every slice is set; a dashed arrow ends at a \
                 clear bit."
            }
            Kind::Blocked(_) => {
                "The hashes of an item set bits in one block: a query reads no other. Grey bits \
                 belong to several items; a dashed arrow ends at a clear bit."
            }
            Kind::Scalable => {
                "Items go to the last stage; when half its bits are set, the next begins, twice as \
                 long, with one hash more. A query is found if all its bits in any stage are set."
            }
        }
    }
}

/// Checks the names of all items in a list, then calls `one` for each name.
fn each<'a, T>(
    parameter: &'static str,
    names: &'a [String],
    one: impl FnMut(&'a str) -> Result<T, FigureError>,
) -> Result<Vec<T>, FigureError> {
    check_count(parameter, names.len(), MAX_SERIES)?;
    for name in names {
        let letters = name.chars().count();
        let holds = (1..=MAX_NAME).contains(&letters) && !name.contains(char::is_control);
        require(
            "name",
            "must have 1 to 16 letters and no control characters",
            holds,
            letters,
        )?;
    }
    names.iter().map(String::as_str).map(one).collect()
}

/// Returns a sentence about collisions, with a leading space; an empty text if there are none. Up to [`MAX_COLLISIONS`]
/// collisions are named.
fn collisions_note(diagram: &Diagram) -> String {
    let collisions = diagram.collisions();
    if collisions.is_empty() {
        return String::new();
    }
    let noun = diagram.kind.cell();
    let several = format!("Two arrowheads: several hashes of an item select one {noun}");
    if collisions.len() > MAX_COLLISIONS {
        return format!(" {several}.");
    }
    let places = collisions.into_iter().map(|(name, position)| {
        let mut groups = diagram.groups.iter();
        let group = groups.find(|group| group.positions.contains(&position));
        match group.filter(|group| !group.label.is_empty()) {
            Some(Group { label, positions }) => {
                format!("{name} on {} of {label}", position - positions.start)
            }
            None => format!("{name} on {position}"),
        }
    });
    format!(
        " {several} ({}).",
        listed(&places.collect::<Vec<_>>(), "and")
    )
}
