//! Recognises the system of a filter by its bytes. If the bytes fit no system, guesses what they most likely are.

use std::cmp::Reverse;

use bloom_formats::Format;
use bloom_params::numbers::counted;

use super::{Opened, System, all};

/// How many of the first bytes are searched for a flipped bit.
const HEADER: usize = 128;
/// How many of the first bytes are passed to the systems, once for each bit that may be the flipped one. Headers are shorter,
/// except in filters of Redis that have grown to a thousand parts or more.
const HEAD: usize = 1 << 16;
/// The minimum number of bytes for a guess. Fewer bytes may be the start of a header of many systems.
const MIN: usize = 64;

/// Returns the filters that fill all of the bytes, to the last byte. A filter is left out if nothing in the bytes proves its
/// format.
pub(crate) fn candidates(bytes: &[u8]) -> Vec<(&'static System, Opened<'_>)> {
    let mut found = fitting(bytes);
    found.retain(|(_, filter)| !filter.needs_name());
    found
}

/// Returns the systems that read the bytes as a filter, although nothing in the bytes proves the format.
pub(crate) fn bare(bytes: &[u8]) -> Vec<&'static System> {
    let found = fitting(bytes).into_iter();
    let bare = found.filter(|(_, filter)| filter.needs_name());
    bare.map(|(system, _)| system).collect()
}

fn fitting(bytes: &[u8]) -> Vec<(&'static System, Opened<'_>)> {
    let read = |system: &'static System| Some((system, system.read(bytes).ok()?));
    all().filter_map(read).collect()
}

/// Guesses what filter the bytes are: a damaged filter of bloom-core, a filter with one flipped bit in its header, or a filter
/// of a wrong length.
pub(crate) fn likely(bytes: &[u8]) -> Option<String> {
    if bytes.len() < MIN {
        return None;
    }
    let own = all().find_map(|system| system.read(bytes).err()?.own());
    own.or_else(|| flipped(bytes))
        .or_else(|| of_other_length(bytes))
}

/// Searches for a flipped bit in the header: after the bit is flipped back, the header agrees with the length.
fn flipped(bytes: &[u8]) -> Option<String> {
    let mut head = bytes[..bytes.len().min(HEAD)].to_vec();
    for (at, bit) in (0..head.len().min(HEADER)).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        head[at] ^= 1 << bit;
        let agrees = |system: &&System| match system.read(&head) {
            Ok(filter) => head.len() == bytes.len() && !filter.needs_name(),
            Err(unread) => unread
                .length()
                .is_some_and(|(_, needed, _)| needed == bytes.len() as u64),
        };
        if let Some(system) = all().find(agrees) {
            return Some(format!(
                "most likely a filter of {} with one flipped bit in its header",
                system.name
            ));
        }
        head[at] ^= 1 << bit;
    }
    None
}

/// Searches for a valid header that states another length than the bytes have. For a format whose header unrelated bytes often
/// fit, the stated length must be from half to twice the length of the bytes.
fn of_other_length(bytes: &[u8]) -> Option<String> {
    let reason = |system: &'static System| {
        let (format, needed, length) = system.read(bytes).err()?.length()?;
        let is_near = (length / 2..=length.saturating_mul(2)).contains(&needed);
        let is_weak = matches!(format, Format::Guava | Format::Orc | Format::Hive);
        let holds = is_near || !is_weak;
        // If several formats have such a header, formats whose headers unrelated bytes seldom fit are preferred, then filters
        // that are too short, then the greatest stated length.
        let order = (is_weak, needed < length, Reverse(needed));
        holds.then_some((order, needed.abs_diff(length), system.name))
    };
    let ((_, is_long, _), by, name) = all().filter_map(reason).min()?;
    let (by, which) = (counted(by, "byte"), if is_long { "long" } else { "short" });
    Some(format!(
        "most likely a filter of {name} that is {by} too {which}"
    ))
}
