//! Solution: a Bloom filter as a game with balls.

/// Returns the share of the games in which each ball of the query fell into a bin that has
/// a ball of an item. `draw(m)` returns each number below m with the same probability.
pub fn rate(
    items: u64,
    bits: u64,
    hashes: u64,
    games: u64,
    draw: &mut dyn FnMut(u64) -> u64,
) -> f64 {
    let mut fooled = 0;
    for _ in 0..games {
        let mut occupied = vec![false; bits as usize];
        for _ in 0..items * hashes {
            occupied[draw(bits) as usize] = true;
        }
        fooled += u64::from((0..hashes).all(|_| occupied[draw(bits) as usize]));
    }
    fooled as f64 / games as f64
}
