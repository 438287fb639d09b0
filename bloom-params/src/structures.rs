//! Lists structures other than the Bloom filters of `bloom-core`, with the bits per item that the
//! authors of each state for many items.

/// A structure for approximate membership.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a column of a table")]
pub struct Structure {
    /// Its name.
    pub name: &'static str,
    /// Where its size is stated, and for which parameters.
    pub source: &'static str,
    /// Whether items can be removed.
    pub removes: bool,
    /// Whether it grows.
    pub grows: bool,
    /// Whether it is built item by item, rather than once from all items.
    pub streams: bool,
    /// Whether two structures of one size can be merged into their union.
    pub merges: bool,
    bits: fn(f64) -> f64,
}

impl Structure {
    /// Returns the bits per item at a rate between 0 and 1, for many items, as the authors state them. They are not measured.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_params::structures::STRUCTURES;
    ///
    /// let xor = STRUCTURES.iter().find(|structure| structure.name == "xor").expect("it is there");
    /// assert_eq!(xor.bits_per_item(0.01), 1.23 * 7.0);
    /// ```
    pub fn bits_per_item(&self, rate: f64) -> f64 {
        (self.bits)(rate)
    }
}

/// A filter of fingerprints, which are inserted one by one.
const CUCKOO: Structure = Structure {
    name: "cuckoo",
    source: "Fan et al. 2014, buckets of 4 at load 0.95",
    removes: true,
    grows: false,
    streams: true,
    merges: false,
    bits: |p| (information(p) + 3.0) / 0.95,
};

/// A filter of fingerprints. The number of bits of a fingerprint is whole, and is the only parameter.
const XOR: Structure = built_once("xor", "Graf and Lemire 2020", |p| 1.23 * whole(p));

/// Returns a filter that is built once, from all items.
const fn built_once(name: &'static str, source: &'static str, bits: fn(f64) -> f64) -> Structure {
    Structure {
        name,
        source,
        removes: false,
        grows: false,
        streams: false,
        merges: false,
        bits,
    }
}

/// The structures. Each comes after those that it improves on.
pub const STRUCTURES: [Structure; 9] = [
    Structure {
        name: "compressed Bloom",
        source: "Mitzenmacher 2002, sent with k = 1 and an ideal coder; n/p bits of memory",
        removes: false,
        merges: true,
        // A share p of the n/p bits is set, and an ideal coder sends each bit in the entropy of p.
        bits: |p| information(p) - (1.0 - p) / p * libm::log1p(-p) * std::f64::consts::LOG2_E,
        ..CUCKOO
    },
    CUCKOO,
    Structure {
        name: "cuckoo, semi-sorted",
        bits: |p| (information(p) + 2.0) / 0.95,
        ..CUCKOO
    },
    Structure {
        name: "quotient (rank-select)",
        source: "Pandey et al. 2017, load 0.95",
        grows: true,
        merges: true,
        bits: |p| (information(p) + 2.125) / 0.95,
        ..CUCKOO
    },
    XOR,
    built_once("binary fuse, 3-wise", "Graf and Lemire 2022", |p| {
        1.125 * whole(p)
    }),
    built_once("binary fuse, 4-wise", "Graf and Lemire 2022", |p| {
        1.075 * whole(p)
    }),
    built_once(
        "ribbon (smallest)",
        "Dillinger et al. 2022, least overhead",
        |p| 1.01 * information(p),
    ),
    built_once(
        "ribbon (fastest build)",
        "Dillinger and Walzer 2021, fast to build",
        |p| 1.1 * information(p),
    ),
];

/// Returns log2(1/p).
fn information(rate: f64) -> f64 {
    -libm::log2(rate)
}

/// Returns the whole bits of a fingerprint.
fn whole(rate: f64) -> f64 {
    // For a rate of 2^-f, rounding may give a little more than f, which `ceil` would raise to f + 1.
    (information(rate) - 1e-12).ceil()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes at 1 %, worked out by hand: log2(100) is 6.6439, and the entropy of 1 % is 0.080793 bits.
    #[test]
    fn each_takes_what_its_authors_state() {
        let sizes = [
            8.0793, 10.1514, 9.0988, 9.2303, 8.61, 7.875, 7.525, 6.7103, 7.3082,
        ];
        for (structure, bits) in STRUCTURES.iter().zip(sizes) {
            let found = structure.bits_per_item(0.01);
            assert!((found - bits).abs() < 1e-4, "{}: {found}", structure.name);
            // No structure takes less than log2(1/p) bits per item.
            for rate in [0.5, 0.1, 1.0 / 1024.0, 1e-9] {
                assert!(
                    structure.bits_per_item(rate) >= -rate.log2(),
                    "{}",
                    structure.name
                );
            }
        }
        assert_eq!(XOR.bits_per_item(1.0 / 1024.0), 12.3);
    }
}
