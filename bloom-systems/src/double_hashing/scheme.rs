//! The schemes by which libraries derive the k positions of an item from two hash values: double hashing and its variants.

/// How the k positions of an item among m bits are derived from two hash values a and b.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// a + i b modulo m, for i from 0 to k - 1, where no sum overflows.
    Modular {
        /// The bits W of a hash value.
        bits: u32,
    },
    /// a + i b modulo 2^`bits`, then modulo m. This is the same as [`Self::Modular`] where m is a power of two.
    ///
    /// If m has an odd divisor from 3 to below 2k, the upper bound of the rate moves towards that
    /// of [`Self::Modular`].
    Wrapping {
        /// The bits W in which the sums are computed, at most 64.
        bits: u32,
    },
    /// As [`Self::Wrapping`], but position 1 is b instead of a + b. The bounds of the rate enclose the bounds for k - 2 and for
    /// k positions in arithmetic progression.
    WrappingWithoutSecond {
        /// The bits W in which the sums are computed, at most 64.
        bits: u32,
    },
    /// a + i b in signed 64-bit arithmetic, which may overflow, then the absolute value of the remainder modulo m.
    Reflected,
    /// a + i b + (i³ - i)/6 modulo m: the increment b grows by i at step i (Dillinger and Manolios, 2004). The bounds of the
    /// rate start from 0.8 and 1.5 times the first order in 1/m of what the dependence of positions adds. Beyond 32 hashes, the
    /// upper bound starts from this first order or from that of [`Self::Modular`], whichever is higher. Where k²/m is above 4,
    /// the bounds are rates of 0 and 1.
    Enhanced,
}

impl Scheme {
    /// Returns the positions of an item with these hash values, all below `bits`, which must be
    /// from 1 to 2^63.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_systems::double_hashing::Scheme;
    ///
    /// let (a, b) = (u64::MAX, 3);
    /// let wrapping = Scheme::Wrapping { bits: 64 }.positions(a, b, 100, 3);
    /// assert!(wrapping.eq([15, 2, 5]));
    /// let modular = Scheme::Modular { bits: 64 }.positions(a, b, 100, 3);
    /// assert!(modular.eq([15, 18, 21]));
    /// ```
    pub fn positions(self, a: u64, b: u64, bits: u64, hashes: u8) -> impl Iterator<Item = u64> {
        let (mut place, mut step) = match self {
            Self::Modular { .. } | Self::Enhanced => (a % bits, b % bits),
            _ => (a, b),
        };
        (0..hashes.into()).map(move |index: u64| {
            let here = place;
            match self {
                Self::Modular { .. } => place = (place + step) % bits,
                Self::Enhanced => {
                    place = (place + step) % bits;
                    step = (step + (index + 1) % bits) % bits;
                }
                _ => place = place.wrapping_add(step),
            }
            match self {
                Self::Modular { .. } | Self::Enhanced => here,
                Self::WrappingWithoutSecond { .. } if index == 1 => b % bits,
                Self::Wrapping { bits: width } | Self::WrappingWithoutSecond { bits: width } => {
                    (here & u64::MAX.unbounded_shr(u64::BITS.saturating_sub(width))) % bits
                }
                Self::Reflected => (here as i64).unsigned_abs() % bits,
            }
        })
    }

    /// Returns a hash value: the upper W bits of a random number of 64 bits.
    pub(crate) fn value(self, random: u64) -> u64 {
        random >> (u64::BITS - self.width())
    }

    /// Returns 2^W for hash values of W bits.
    pub(super) fn values(self) -> f64 {
        libm::scalbn(1.0, self.width() as i32)
    }

    /// Returns W, the number of bits of a hash value.
    fn width(self) -> u32 {
        match self {
            Self::Modular { bits }
            | Self::Wrapping { bits }
            | Self::WrappingWithoutSecond { bits } => bits.min(u64::BITS),
            Self::Reflected | Self::Enhanced => u64::BITS,
        }
    }

    /// Returns [`Self::Modular`] for [`Self::Wrapping`] if `bits` is a power of two, because overflows then do not change a
    /// position. Otherwise returns the scheme itself.
    pub(super) fn reduced(self, bits: u64) -> Self {
        match self {
            Self::Wrapping { bits: width } if bits.is_power_of_two() => {
                Self::Modular { bits: width }
            }
            same => same,
        }
    }
}
