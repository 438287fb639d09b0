//! Exercise (★★) of the chapter *The rate of a filter*: a Bloom filter as a game with balls.
//!
//! A game starts with `bits` empty bins. Throw `hashes` balls for each of `items` items
//! into them. Then throw `hashes` balls for a query, and check whether each ball of the
//! query falls into a bin that has a ball of an item. Play `games` games.

/// Returns the share of the games in which each ball of the query fell into a bin that has
/// a ball of an item. `draw(m)` returns each number below m with the same probability.
pub fn rate(
    items: u64,
    bits: u64,
    hashes: u64,
    games: u64,
    draw: &mut dyn FnMut(u64) -> u64,
) -> f64 {
    let _ = (items, bits, hashes, games, draw);
    0.0
}
