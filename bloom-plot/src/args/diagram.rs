//! Computes the diagram that `bloom-plot diagram` draws from the flags on the command line.

use std::collections::BTreeMap;
use std::error::Error;

use super::given::Given;
use crate::diagram::{Diagram, DiagramOf, Kind};
use crate::parse::Failure;
use crate::words::name_of;

/// Computes the diagram of the given flags.
pub(super) fn diagram(given: &Given<'_>) -> Result<Diagram, Box<dyn Error>> {
    let kind = kind(given)?;
    let bits = match kind {
        Kind::Classic | Kind::Counting => 16,
        Kind::Partitioned => 24,
        Kind::Blocked(_) => 32,
        Kind::Scalable => 8,
    };
    // A single empty text, as in `--query ''`, stands for no items.
    let names = |flag| {
        let names = given.all::<String>(flag);
        if names == [""] { Vec::new() } else { names }
    };
    let mut question = DiagramOf {
        kind,
        bits: given.maybe("m").unwrap_or(bits),
        hashes: given.one("k"),
        inserts: names("insert"),
        removes: names("remove"),
        queries: names("query"),
        positions: BTreeMap::new(),
    };
    for (name, all) in given.all::<(String, Vec<u64>)>("positions") {
        let items = [&question.inserts, &question.removes, &question.queries];
        if !items.iter().any(|names| names.contains(&name)) {
            let rule = "belong to an item that is inserted, removed or queried";
            return Err(Failure::new(format!("positions must {rule}, got {name}")).into());
        }
        if question.positions.insert(name.clone(), all).is_some() {
            let message = format!("positions must be given only once for {name}");
            return Err(Failure::new(message).into());
        }
    }
    Ok(question.diagram()?)
}

fn kind(given: &Given<'_>) -> Result<Kind, Failure> {
    let kind = if given.is_set("counting") {
        Kind::Counting
    } else {
        given.one("filter")
    };
    match (kind, given.maybe("blocks")) {
        (Kind::Blocked(_), Some(blocks)) => Ok(Kind::Blocked(blocks)),
        (kind, None) => Ok(kind),
        (kind, Some(_)) => {
            let name = name_of(Kind::ALL, &kind);
            let failure = Failure::new(format!("blocks is for a blocked filter, got {name}"));
            Err(failure.hint("leave --blocks out, or add --filter blocked"))
        }
    }
}

/// Parses the name of an item and its positions, such as `a=2,6,13`.
pub(super) fn positions(flag: &str, text: &str) -> Result<(String, Vec<u64>), Failure> {
    let wrong = || {
        let message =
            format!("{flag} must be a name, an equals sign and whole numbers, got {text:?}");
        Failure::new(message).hint("write positions like --positions a=2,6,13")
    };
    let (name, all) = text.split_once('=').ok_or_else(wrong)?;
    let all = all.split(',').map(|position| position.trim().parse());
    let all = all.collect::<Result<Vec<u64>, _>>().map_err(|_| wrong())?;
    Ok((name.trim().to_owned(), all))
}
