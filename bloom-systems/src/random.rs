//! Draws random numbers from a seed. They stand for keys in simulated filters, as for [`System::visit`](crate::System::visit).

/// Returns the next output of SplitMix64, and changes `state` for the output after it. Source: Steele, Lea and Flood (2014).
///
/// # Examples
///
/// The false-positive rate of a simulated filter of Guava is measured. The filter has 64 bits, 5 hashes and 9 items:
///
/// ```
/// use bloom_systems::random::split_mix;
/// use bloom_systems::system;
///
/// let guava = system("guava").expect("a known system");
/// let (mut set, mut state) = ([false; 64], 1);
/// for _ in 0..9 {
///     guava.visit(split_mix(&mut state), 64, 5, |position| {
///         set[position as usize] = true;
///         true
///     });
/// }
/// let is_hit = |_: &u32| guava.visit(split_mix(&mut state), 64, 5, |position| set[position as usize]);
/// let hits = (0..100_000).filter(is_hit).count();
/// assert!((2_000..8_000).contains(&hits));
/// ```
pub fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
