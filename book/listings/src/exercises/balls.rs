//! *The rate of a filter* (★★): play the game with balls.
//!
//! Throw `hashes` balls for each of `items` items into `bits` bins, then `hashes`
//! balls more for a query, and check whether each of these falls into an occupied
//! bin. Play the game `games` times, each time starting with empty bins.

/// Returns the share of the games in which each ball of the query fell into an occupied
/// bin. `draw(m)` returns each number below m with the same probability.
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
