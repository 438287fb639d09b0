//! A cache for searches that compute many false-positive rates of double hashing: it has the parts of these computations that
//! do not depend on the number of items.

use alloc::vec::Vec;
use core::cell::RefCell;

use super::enumeration::Enumeration;
use super::repeated::Repeated;
use super::scheme::Scheme;
use super::together::Split;

/// A scheme, the bits and the hashes.
type Size = (Scheme, u64, u8);

/// What splits positions into groups that hit together, the exponent of 2 in m (at most 7), and the number of positions in an
/// arithmetic progression.
type Progression = (Split, u32, usize);

/// What was computed so far. Enumerations are large, so only the last one is kept.
#[derive(Debug, Default)]
pub(crate) struct Known {
    enumeration: RefCell<Option<(Size, Option<Enumeration>)>>,
    repeated: RefCell<Vec<(Progression, Repeated)>>,
}

impl Known {
    /// Returns the exact rate, by enumeration of all pairs of hash values; `None` where sums overflow or the enumeration would
    /// be slow.
    pub(super) fn rate(&self, scheme: Scheme, items: u64, bits: u64, hashes: u8) -> Option<f64> {
        let (mut kept, size) = (self.enumeration.borrow_mut(), (scheme, bits, hashes));
        let (_, pairs) = match kept.take().filter(|(kept, _)| *kept == size) {
            Some(same) => kept.insert(same),
            None => kept.insert((size, Enumeration::new(scheme, bits, hashes))),
        };
        Some(pairs.as_ref()?.rate(items))
    }

    /// Returns how often positions of one item coincide, if `linked` positions are an arithmetic progression.
    pub(super) fn repeated(&self, split: Split, bits: u64, linked: usize) -> Repeated {
        if split == Split::None {
            return Repeated::new(split, bits, linked);
        }
        // Where sums overflow, coincidences depend on m only by its largest power of two, and only up to 2^7: positions are at
        // most 254 steps apart, and no higher power of two divides such a distance.
        let key = (split, bits.trailing_zeros().min(7), linked);
        let mut kept = self.repeated.borrow_mut();
        if let Some((_, known)) = kept.iter().find(|(known, _)| *known == key) {
            return known.clone();
        }
        let new = Repeated::new(split, bits, linked);
        kept.push((key, new.clone()));
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_values_equal_new_ones() {
        let known = Known::default();
        // The largest power of two that divides m ranges from 2^0 to 2^8. The cache has the same entry for 2^7 and 2^8.
        for bits in [127, 254, 1_016, 640, 1_280, 960, 127] {
            for linked in [3, 9, 20, 36, 130] {
                for split in [Split::None, Split::Wrapped, Split::Reflected] {
                    let (kept, new) = (
                        known.repeated(split, bits, linked),
                        Repeated::new(split, bits, linked),
                    );
                    assert_eq!((kept.ways, kept.pairs), (new.ways, new.pairs), "{bits}");
                }
            }
            let scheme = Scheme::Modular { bits: 64 };
            for items in [5, 50] {
                let new = Enumeration::new(scheme, bits, 3).map(|pairs| pairs.rate(items));
                assert_eq!(known.rate(scheme, items, bits, 3), new);
            }
        }
    }
}
