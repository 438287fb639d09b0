//! The flags of the diagram.

use std::collections::BTreeMap;

use bloom_params::units;
use bloom_plot::diagram::DiagramOf;
use clap::Args;

use super::{Answer, Ask, Failure, read};

#[derive(Debug, Args)]
pub(crate) struct DiagramArgs {
    /// Bits m, or counters: up to 64
    #[arg(
        short,
        long,
        visible_alias = "bits",
        value_name = "BITS",
        default_value = "16",
        allow_hyphen_values = true
    )]
    m: String,

    /// Hashes k: up to 16
    #[arg(
        short,
        long,
        visible_alias = "hashes",
        value_name = "HASHES",
        default_value = "3",
        allow_hyphen_values = true
    )]
    k: String,

    /// Items to insert: up to 8, with commas between
    #[arg(long, value_name = "NAMES", default_value = "a,b,c")]
    insert: String,

    /// Items to remove from a counting filter: up to 8, with commas between
    #[arg(long, value_name = "NAMES")]
    remove: Option<String>,

    /// Items to ask for: up to 8, with commas between
    #[arg(long, value_name = "NAMES", default_value = "b,x,y")]
    query: String,

    /// Positions of an item, from 0; may be given for several items
    #[arg(long, value_name = "NAME=POSITIONS")]
    positions: Vec<String>,

    /// Counters in place of bits
    #[arg(long)]
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
        let question = DiagramOf {
            bits: read::bits(&self.m, note)?,
            hashes: units::parse_hashes(&self.k)?,
            counting: self.counting,
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

/// Reads names with commas between; an empty text has none.
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
