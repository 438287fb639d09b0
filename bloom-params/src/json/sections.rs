//! The optional sections of an answer as JSON.

use super::{Object, Value};
use crate::extras::{Extras, Grow, HashBits, Lookups, Overfill, Spread, State, Union};

/// Returns the sections that were requested, by their keys.
pub(super) fn all(extras: &Extras) -> Object {
    let mut all = Object::default();
    all.add_some("overfill", extras.overfill.as_ref().map(of_overfill));
    all.add_some("grow", extras.grow.as_ref().map(of_growth));
    all.add_some("union", extras.union.as_ref().map(of_union));
    all.add_some("spread", extras.spread.as_ref().map(of_spread));
    all.add_some("hash_bits", extras.hash_bits.as_ref().map(of_hash_bits));
    all.add_some("lookups", extras.lookups.as_ref().map(of_lookups));
    all
}

fn of_overfill(overfill: &Overfill) -> Object {
    let rows = overfill.rows.iter().map(|row| {
        let mut object = Object::from([
            ("times", row.times.into()),
            ("n", row.n.into()),
            ("p", row.p.into()),
        ]);
        object.add_some("m", row.m);
        object
    });
    let rows: Vec<_> = rows.collect();
    Object::from([("rows", rows.into()), ("twice", overfill.twice.into())])
}

fn of_growth(grow: &Grow) -> Object {
    let rows = grow.rows.iter().map(|row| {
        let mut object = Object::from([("name", row.name.into()), ("now", of_state(row.now))]);
        object.add_some("then", row.then.map(of_state));
        object
    });
    let rows: Vec<_> = rows.collect();
    let added = grow.added.iter();
    let added = added.map(|added| Object::from([("at", added.at.into()), ("m", added.m.into())]));
    let added: Vec<_> = added.collect();
    Object::from([
        ("n", grow.n.into()),
        ("rows", rows.into()),
        ("added", added.into()),
    ])
}

fn of_state(state: State) -> Value {
    Object::from([("m", state.m.into()), ("p", state.p.into())]).into()
}

fn of_union(union: &Union) -> Object {
    Object::from([
        ("filters", union.filters.into()),
        ("n", union.n.into()),
        ("p", union.p.into()),
        ("m", union.m.into()),
    ])
}

fn of_spread(spread: &Spread) -> Object {
    Object::from([
        ("of", spread.of.into()),
        ("sd", spread.sd.into()),
        ("above", spread.above.into()),
    ])
}

fn of_hash_bits(hash: &HashBits) -> Object {
    Object::from([
        ("w", hash.w.into()),
        ("floor", hash.floor.into()),
        ("p", hash.p.into()),
        ("ideal_p", hash.ideal_p.into()),
    ])
}

fn of_lookups(lookups: &Lookups) -> Object {
    Object::from([
        ("q", lookups.q.into()),
        ("prevalence", lookups.prevalence.into()),
        ("false_hits", lookups.false_hits.into()),
        ("none", lookups.none.into()),
        ("yes_is_true", lookups.yes_is_true.into()),
    ])
}
