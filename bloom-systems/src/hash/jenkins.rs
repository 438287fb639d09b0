//! The hash function lookup3 by Jenkins, which Hadoop can use. Source: Jenkins (2006), `lookup3.c`.

/// Returns `hashlittle`, the 32-bit hash of lookup3, of the bytes. A filter of Hadoop uses this function or MurmurHash2. A file
/// of such a filter that has no version number stands for a filter with this function.
///
/// # Examples
///
/// ```
/// // A test value of `lookup3.c`.
/// let hash = bloom_systems::hash::jenkins_lookup3(b"Four score and seven years ago", 0);
/// assert_eq!(hash, 0x1777_0551);
/// ```
#[inline]
#[must_use]
pub fn jenkins_lookup3(bytes: &[u8], seed: u32) -> u32 {
    let start = 0xdead_beef_u32
        .wrapping_add(bytes.len() as u32)
        .wrapping_add(seed);
    let mut state = [start; 3];
    let mut rest = bytes;
    // The last block has 1 to 12 bytes. It is not mixed here, because `finish` takes it.
    while let Some((block, after)) = rest.split_first_chunk::<12>().filter(|_| rest.len() > 12) {
        mix(added(&mut state, *block));
        rest = after;
    }
    if rest.is_empty() {
        return start;
    }
    let mut last = [0; 12];
    last[..rest.len()].copy_from_slice(rest);
    finish(added(&mut state, last))
}

/// Adds a block of three lanes to the state.
fn added(state: &mut [u32; 3], block: [u8; 12]) -> &mut [u32; 3] {
    let (lanes, _) = block.as_chunks::<4>();
    for (value, lane) in state.iter_mut().zip(lanes) {
        *value = value.wrapping_add(u32::from_le_bytes(*lane));
    }
    state
}

/// Mixes the three values of the state reversibly, in six steps. With the values in a circle, each step takes the next value as
/// `one`, and `before` and `next` are the values before and after `one`. The step subtracts `before` from `one`, xors `one`
/// with a rotation of `before`, and adds `next` to `before`.
fn mix(state: &mut [u32; 3]) {
    for (step, turns) in [4, 6, 8, 16, 19, 4].into_iter().enumerate() {
        let [one, next, before] = [0, 1, 2].map(|ahead| (step + ahead) % 3);
        state[one] = state[one].wrapping_sub(state[before]) ^ state[before].rotate_left(turns);
        state[before] = state[before].wrapping_add(state[next]);
    }
}

/// Mixes the three values of the state a last time, and returns the hash.
fn finish(state: &mut [u32; 3]) -> u32 {
    for (step, turns) in [14, 11, 25, 16, 4, 14, 24].into_iter().enumerate() {
        let [one, other] = [2, 1].map(|ahead| (step + ahead) % 3);
        state[one] = (state[one] ^ state[other]).wrapping_sub(state[other].rotate_left(turns));
    }
    state[2]
}
