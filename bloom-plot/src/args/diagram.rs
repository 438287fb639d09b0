//! Flags of the diagram.

use std::collections::BTreeMap;

use bloom_params::units;
use bloom_plot::diagram::{DiagramOf, Kind};
use clap::Args;

use super::{Answer, Ask, Failure, read};

#[derive(Debug, Args)]
pub(crate) struct DiagramArgs {
    /// Kind of filter: classic, counting, partitioned, blocked or scalable
    #[arg(long, value_name = "KIND", default_value = "classic")]
    filter: String,

    /// Bits m, or counters: up to 64; of a scalable filter those of its first stage [default: 16; 8
    /// if scalable, 24 if partitioned, 32 if blocked]
    #[arg(long)]
    m: Option<String>,

    /// Hashes k: up to 16
    #[arg(long, default_value = "3")]
    k: String,

    /// Blocks of a blocked filter [default: 4]
    #[arg(long, value_name = "COUNT")]
    blocks: Option<String>,

    /// Items to insert: up to 8, with commas between
    #[arg(long, value_name = "NAMES", default_value = "a,b,c")]
    insert: String,

    /// Items to remove from a counting filter: up to 8, with commas between
    #[arg(long, value_name = "NAMES")]
    remove: Option<String>,

    /// Items to ask for: up to 8, with commas between
    #[arg(long, value_name = "NAMES", default_value = "b,x,e")]
    query: String,

    /// Positions of an item, from 0; may be given for several items
    #[arg(long, value_name = "NAME=POSITIONS")]
    positions: Vec<String>,

    /// The same as --filter counting
    #[arg(long, conflicts_with = "filter")]
    counting: bool,
}

impl Ask for DiagramArgs {
    fn answer(&self, note: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let mut positions = BTreeMap::new();
        for text in &self.positions {
            let (name, all) = read_positions(text)?;
            if positions.insert(name.clone(), all).is_some() {
                return Err(Failure::new(format!(
                    "positions must be given once for {name}"
                )));
            }
        }
        let kind = self.kind()?;
        let bits = match (&self.m, kind) {
            (Some(text), _) => read::bits(text, note)?,
            (None, Kind::Classic | Kind::Counting) => 16,
            (None, Kind::Partitioned) => 24,
            (None, Kind::Blocked(_)) => 32,
            (None, Kind::Scalable) => 8,
        };
        let question = DiagramOf {
            kind,
            bits,
            hashes: units::parse_hashes(&self.k)?,
            inserts: names(&self.insert),
            removes: self.remove.as_deref().map(names).unwrap_or_default(),
            queries: names(&self.query),
            positions,
        };
        let all = [&question.inserts, &question.removes, &question.queries];
        let unknown = question
            .positions
            .keys()
            .find(|name| all.iter().all(|names| !names.contains(name)));
        if let Some(name) = unknown {
            return Err(Failure::new(format!(
                "positions must be of an item inserted, removed or asked for, got {name}"
            )));
        }
        Ok(Answer::Diagram(question.diagram()?))
    }
}

impl DiagramArgs {
    fn kind(&self) -> Result<Kind, Failure> {
        let asked = self.filter.trim().to_lowercase();
        let asked = if self.counting { "counting" } else { &asked };
        let kind = match asked {
            "classic" => Kind::Classic,
            "counting" => Kind::Counting,
            "partitioned" => Kind::Partitioned,
            "blocked" => {
                let blocks = self.blocks.as_deref().unwrap_or("4");
                Kind::Blocked(read::count("blocks", blocks)?)
            }
            "scalable" => Kind::Scalable,
            _ => {
                return Err(Failure::new(format!(
                    "filter must be classic, counting, partitioned, blocked or scalable, got {:?}",
                    self.filter
                )));
            }
        };
        if self.blocks.is_some() && !matches!(kind, Kind::Blocked(_)) {
            let failure = Failure::new(format!("blocks is for a blocked filter, got {asked}"));
            return Err(failure.hint("leave --blocks out, or add --filter blocked"));
        }
        Ok(kind)
    }
}

/// Splits a comma-separated list of names; an empty text gives none.
fn names(text: &str) -> Vec<String> {
    let all = text.split(',').filter(|_| !text.trim().is_empty());
    all.map(|name| name.trim().to_owned()).collect()
}

fn read_positions(text: &str) -> Result<(String, Vec<u64>), Failure> {
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
