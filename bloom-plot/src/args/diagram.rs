//! Flags of the diagram.

use std::collections::BTreeMap;
use std::error::Error;

use clap::Args;

use crate::diagram::{Diagram, DiagramOf, Kind};
use crate::parse::{self, Failure};

#[derive(Debug, Args)]
pub(super) struct DiagramArgs {
    /// Kind of filter: classic, counting, partitioned, blocked or scalable
    #[arg(long, value_name = "KIND", default_value = "classic", value_parser = parse::one_of("filter", KINDS))]
    filter: Kind,

    /// Bits m, or counters: up to 64; of a scalable filter those of its first stage [default: 16; 8
    /// if scalable, 24 if partitioned, 32 if blocked]
    #[arg(long = "m")]
    bits: Option<u64>,

    /// Hashes k: up to 16
    #[arg(long = "k", default_value = "3")]
    hashes: u8,

    /// Blocks of a blocked filter [default: 4]
    #[arg(long, value_name = "COUNT", value_parser = parse::count("blocks"))]
    blocks: Option<u64>,

    /// Items to insert: up to 8, with commas between
    #[arg(long, value_name = "NAMES", default_value = "a,b,c")]
    insert: String,

    /// Items to remove from a counting filter: up to 8, with commas between
    #[arg(
        long,
        value_name = "NAMES",
        default_value = "",
        hide_default_value = true
    )]
    remove: String,

    /// Items to query: up to 8, with commas between
    #[arg(long, value_name = "NAMES", default_value = "b,x,f")]
    query: String,

    /// Positions of an item, from 0; may be given for several items
    #[arg(long, value_name = "NAME=POSITIONS", value_parser = positions)]
    positions: Vec<(String, Vec<u64>)>,

    /// The same as --filter counting
    #[arg(long, conflicts_with = "filter")]
    counting: bool,
}

/// The kinds of filter. The number of blocks is that of the default.
const KINDS: &[(&str, Kind)] = &[
    ("classic", Kind::Classic),
    ("counting", Kind::Counting),
    ("partitioned", Kind::Partitioned),
    ("blocked", Kind::Blocked(4)),
    ("scalable", Kind::Scalable),
];

impl DiagramArgs {
    pub(super) fn diagram(&self) -> Result<Diagram, Box<dyn Error>> {
        let kind = self.kind()?;
        let bits = match kind {
            Kind::Classic | Kind::Counting => 16,
            Kind::Partitioned => 24,
            Kind::Blocked(_) => 32,
            Kind::Scalable => 8,
        };
        let mut question = DiagramOf {
            kind,
            bits: self.bits.unwrap_or(bits),
            hashes: self.hashes,
            inserts: names(&self.insert),
            removes: names(&self.remove),
            queries: names(&self.query),
            positions: BTreeMap::new(),
        };
        for (name, all) in &self.positions {
            let items = [&question.inserts, &question.removes, &question.queries];
            if !items.iter().any(|names| names.contains(name)) {
                let rule = "be of an item inserted, removed or queried";
                return Err(Failure::new(format!("positions must {rule}, got {name}")).into());
            }
            let given = question.positions.insert(name.clone(), all.clone());
            if given.is_some() {
                let message = format!("positions must be given once for {name}");
                return Err(Failure::new(message).into());
            }
        }
        Ok(question.diagram()?)
    }

    fn kind(&self) -> Result<Kind, Failure> {
        let kind = if self.counting {
            Kind::Counting
        } else {
            self.filter
        };
        match (kind, self.blocks) {
            (Kind::Blocked(_), Some(blocks)) => Ok(Kind::Blocked(blocks)),
            (kind, None) => Ok(kind),
            (kind, Some(_)) => {
                let mut names = KINDS.iter();
                let name = names
                    .find(|(_, known)| *known == kind)
                    .map_or("another", |(name, _)| *name);
                let failure = Failure::new(format!("blocks is for a blocked filter, got {name}"));
                Err(failure.hint("leave --blocks out, or add --filter blocked"))
            }
        }
    }
}

/// Splits a comma-separated list of names; an empty text gives none.
fn names(text: &str) -> Vec<String> {
    let all = text.split(',').filter(|_| !text.trim().is_empty());
    all.map(|name| name.trim().to_owned()).collect()
}

/// Parses the name of an item and its positions.
fn positions(text: &str) -> Result<(String, Vec<u64>), Failure> {
    let wrong = || {
        let failure = Failure::new(format!(
            "positions must be a name, = and whole numbers, got {text:?}"
        ));
        failure.hint("write positions like --positions a=2,6,13")
    };
    let (name, all) = text.split_once('=').ok_or_else(wrong)?;
    let all = all.split(',').map(|position| position.trim().parse());
    let all = all.collect::<Result<Vec<u64>, _>>().map_err(|_| wrong())?;
    Ok((name.trim().to_owned(), all))
}
