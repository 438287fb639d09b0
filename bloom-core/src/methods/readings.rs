//! The shape of a filter, its query by hash, and what its bits say: fill, rate and estimate. Written for any storage of
//! the bits, so that owned, shared and borrowed filters have them alike.

/// Adds the shape of a plain filter, its query by hash and its readings (fill, rate, estimate) to `$filter`, whose
/// `bits` may have any storage. `$estimate` is the start of an example: it creates a filter of 1000 items.
macro_rules! impl_readings {
    ($filter:ident $(<$life:lifetime>)?, $estimate:literal) => {
        impl<$($life,)? T: ?Sized, S> $filter<$($life,)? T, S> {
            /// Returns the bits and hashes.
            #[must_use]
            pub fn shape(&self) -> $crate::Shape {
                self.shape
            }

            /// Returns whether an item with this hash may have been inserted; `false` is certain.
            #[inline]
            #[must_use]
            pub fn contains_hash(&self, hash: u64) -> bool {
                self.bits.contains(hash, self.shape.hashes())
            }

            #[inline]
            fn contains_each(&self, hashes: impl $crate::storage::Hashes, answers: &mut [bool]) {
                self.bits
                    .contains_each(hashes, self.shape.hashes(), answers);
            }

            /// Returns the bytes of memory that hold the bits.
            #[must_use]
            pub fn memory_bytes(&self) -> u64 {
                self.bits.memory_bytes()
            }

            /// Returns whether no bit is set, so that every query returns `false`. O(m) at worst.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.bits.is_empty()
            }

            /// Returns the share of set bits, from 0 to 1. O(m).
            #[must_use]
            pub fn fill(&self) -> f64 {
                self.bits.ones() as f64 / self.shape.bits() as f64
            }

            /// Estimates the number of distinct items from the set bits, with its standard deviation;
            /// `None` if every bit is set, which any large number of items explains. O(m).
            ///
            /// # Examples
            ///
            /// ```
            #[doc = $estimate]
            /// let estimate = filter.estimated_items().expect("not every bit is set");
            /// // The standard deviation is 5 % here: fails by chance 0.6 times in 10^9 runs.
            /// assert!((estimate.items - 1_000.0).abs() < 6.2 * estimate.standard_deviation);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[must_use]
            pub fn estimated_items(&self) -> Option<$crate::math::Estimate> {
                $crate::math::estimate_items(self.shape.bits(), self.shape.hashes(), self.bits.ones())
                    .expect("a shape is valid and has no more set bits than bits")
            }

            /// Returns the false-positive rate of this filter at its current fill: fill^k. O(m).
            #[must_use]
            pub fn false_positive_rate(&self) -> f64 {
                $crate::math::rate_at_fill(self.fill(), self.shape.hashes())
            }

            /// Returns the mean false-positive rate of filters of this shape with `items` items, under the
            /// exact model.
            #[cfg(feature = "alloc")]
            #[must_use]
            pub fn expected_false_positive_rate(&self, items: u64) -> f64 {
                self.shape.expected_false_positive_rate(items)
            }
        }

        /// Prints the shape, never the bits: O(1).
        impl<$($life,)? T: ?Sized, S> core::fmt::Debug for $filter<$($life,)? T, S> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($filter))
                    .field("bits", &self.shape.bits())
                    .field("hashes", &self.shape.hashes())
                    .finish_non_exhaustive()
            }
        }
    };
}

/// Adds the methods of [`impl_readings`] to `$filter`, a blocked filter with `blocks`.
macro_rules! impl_blocked_readings {
    ($filter:ident $(<$life:lifetime>)?) => {
        impl<$($life,)? T: ?Sized, S> $filter<$($life,)? T, S> {
            /// Returns the number of blocks.
            #[must_use]
            pub fn shape(&self) -> $crate::BlockedShape {
                $crate::BlockedShape {
                    blocks: self.blocks.count(),
                }
            }

            /// Returns whether an item with this hash may have been inserted; `false` is certain.
            #[inline]
            #[must_use]
            pub fn contains_hash(&self, hash: u64) -> bool {
                self.blocks.contains(hash)
            }

            #[inline]
            fn contains_each(&self, hashes: impl $crate::storage::Hashes, answers: &mut [bool]) {
                self.blocks.contains_each(hashes, answers);
            }

            /// Returns the bytes of memory that hold the blocks.
            #[must_use]
            pub fn memory_bytes(&self) -> u64 {
                self.shape().bits() / 8
            }

            /// Returns whether no bit is set, so that every query returns `false`. O(m) at worst.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.blocks.lanes().all(|lane| lane == 0)
            }

            /// Returns the share of set bits, from 0 to 1. O(m).
            #[must_use]
            pub fn fill(&self) -> f64 {
                self.blocks.ones() as f64 / self.shape().bits() as f64
            }

            /// Returns the false-positive rate of this filter: the mean over blocks of the product of the
            /// fills of their lanes. O(m).
            #[must_use]
            pub fn false_positive_rate(&self) -> f64 {
                let rate = |block: [u64; $crate::storage::LANES as usize]| -> f64 {
                    let fills = block.iter().map(|lane| f64::from(lane.count_ones()));
                    fills.map(|ones| ones / f64::from($crate::storage::LANE_BITS)).product()
                };
                self.blocks.iter().map(rate).sum::<f64>() / self.blocks.count() as f64
            }

            /// Returns the mean false-positive rate of filters of this shape with `items` items, under the
            /// exact model of blocks.
            #[cfg(feature = "alloc")]
            #[must_use]
            pub fn expected_false_positive_rate(&self, items: u64) -> f64 {
                $crate::math::blocked::rate(items, self.blocks.count(), $crate::shape::BLOCK)
                    .expect("a shape is valid")
                    .value()
            }

            /// Estimates the number of distinct items from the set bits, with its standard deviation;
            /// `None` if every bit is set. O(m).
            ///
            /// ```text
            /// n = ln(1 - X/(512 B)) / ln(1 - 1/(64 B))
            /// sd = sqrt(B (8 (h(a) - 64 h(a/64)) + 4096 h(a/64))),  a = n/(64 B),  h(x) = e^x - 1 - x
            /// ```
            ///
            /// for X set bits in B blocks. Each of the eight lanes, taken over all blocks, is a filter with
            /// one hash, so n inverts the expected number of set bits exactly. The standard deviation
            /// allows for unequal numbers of items per block, and is asymptotic in the number of blocks.
            /// The derivation is that of [`math::estimate_items`](crate::math::estimate_items).
            #[must_use]
            pub fn estimated_items(&self) -> Option<$crate::math::Estimate> {
                self.laned_blocks().estimate_items(self.blocks.ones())
            }

            fn laned_blocks(&self) -> $crate::math::LanedBlocks {
                $crate::math::LanedBlocks {
                    blocks: self.blocks.count(),
                    lanes: $crate::storage::LANES,
                    lane_bits: $crate::storage::LANE_BITS,
                }
            }
        }

        /// Prints the shape, never the bits: O(1).
        impl<$($life,)? T: ?Sized, S> core::fmt::Debug for $filter<$($life,)? T, S> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($filter))
                    .field("blocks", &self.shape().blocks())
                    .field("bits", &self.shape().bits())
                    .field("hashes", &$crate::storage::LANES)
                    .finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use {impl_blocked_readings, impl_readings};
