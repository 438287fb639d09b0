//! The methods that the filters have in common, written once as macros.
//!
//! A filter's own file has its fields, its positions and the methods that only this filter has. It provides
//! `with_hasher`, `insert_hash`, `contains_hash` and, for batches, the private `insert_each` and `contains_each`; the
//! macros add the methods that only hash items and pass the hashes on. They are macros and not a trait, so that
//! callers need no import and every page of the documentation is complete.

/// Adds `new`, `with_rate` and `with_rate_and_hasher` to `$filter`. `$for_rate` returns the shape for items and
/// a rate, and `$rules` links its rules; `$empty` and `$sized` name the filters created in the documentation.
macro_rules! impl_constructors {
    ($filter:ident, $shape:ty, $error:ty, $for_rate:expr, $rules:literal, $empty:literal, $sized:literal) => {
        impl<T: ?Sized> $filter<T> {
            #[doc = concat!("Creates ", $empty, " with the default hasher.")]
            ///
            /// # Errors
            ///
            /// As for [`with_hasher`](Self::with_hasher).
            pub fn new(shape: $shape) -> Result<Self, $error> {
                Self::with_hasher(shape, $crate::FixedState::new())
            }

            #[doc = concat!("Creates ", $sized, " with the default hasher.")]
            ///
            /// # Errors
            ///
            #[doc = concat!("As for ", $rules, "; the filter must also fit in memory.")]
            pub fn with_rate(items: u64, rate: f64) -> Result<Self, $crate::BuildError> {
                Self::with_rate_and_hasher(items, rate, $crate::FixedState::new())
            }
        }

        impl<T: ?Sized, S> $filter<T, S> {
            #[doc = concat!("Creates ", $sized, " and hashes with `hash_builder`.")]
            ///
            /// # Errors
            ///
            /// As for [`with_rate`](Self::with_rate).
            pub fn with_rate_and_hasher(
                items: u64,
                rate: f64,
                hash_builder: S,
            ) -> Result<Self, $crate::BuildError> {
                let shape = $for_rate(items, rate)?;
                Self::with_hasher(shape, hash_builder).map_err($crate::BuildError::from)
            }
        }
    };
}

/// Adds the queries by item and by slice to `$filter`, and its hash builder. `$setup` is the start of the examples:
/// it creates `filter`, a filter of `str` that contains "ant".
macro_rules! impl_queries {
    ($filter:ident $(<$life:lifetime>)?, $setup:literal) => {
        impl<$($life,)? T: ?Sized, S> $filter<$($life,)? T, S> {
            /// Returns the hash builder.
            #[must_use]
            pub fn hasher(&self) -> &S {
                &self.hash_builder
            }

            /// Calls [`contains_hash`](Self::contains_hash) for every hash in order and stores the
            /// answers in `answers`; see [`contains_many`](Self::contains_many).
            #[cfg(feature = "alloc")]
            pub fn contains_hashes(&self, hashes: &[u64], answers: &mut alloc::vec::Vec<bool>) {
                let answers = $crate::storage::reset_answers(hashes.len(), answers);
                self.contains_each($crate::storage::prehashed(hashes), answers);
            }
        }

        impl<$($life,)? T: ?Sized, S: core::hash::BuildHasher> $filter<$($life,)? T, S> {
            /// Returns the hash of an item, as the methods that take hashes expect it.
            ///
            /// One hash serves several filters with the same hasher.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = $setup]
            /// let hash = filter.hash_of("ant");
            /// assert!(filter.contains_hash(hash));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[inline]
            #[must_use]
            pub fn hash_of<Q>(&self, item: &Q) -> u64
            where
                T: core::borrow::Borrow<Q>,
                Q: core::hash::Hash + ?Sized,
            {
                self.hash_builder.hash_one(item)
            }

            /// Returns whether an item may have been inserted; `false` is certain.
            ///
            /// As in `std`, the item may be any borrowed form of `T` that hashes like it.
            #[inline]
            #[must_use]
            pub fn contains<Q>(&self, item: &Q) -> bool
            where
                T: core::borrow::Borrow<Q>,
                Q: core::hash::Hash + ?Sized,
            {
                self.contains_hash(self.hash_of(item))
            }

            /// Queries every item in order and stores the answers in `answers`, one per item.
            ///
            /// Same result as one [`contains`](Self::contains) after the other, and faster for
            /// filters larger than the caches: on x86-64 the memory of several items is fetched at
            /// a time. `answers` is cleared first, so one vector serves many calls.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = $setup]
            /// let mut answers = Vec::new();
            /// filter.contains_many(&["ant", "bee"], &mut answers);
            /// assert_eq!(answers, [true, false]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[cfg(feature = "alloc")]
            pub fn contains_many<Q>(&self, items: &[Q], answers: &mut alloc::vec::Vec<bool>)
            where
                T: core::hash::Hash,
                Q: core::borrow::Borrow<T>,
            {
                let answers = $crate::storage::reset_answers(items.len(), answers);
                let hash = |item: &Q| self.hash_builder.hash_one(item.borrow());
                self.contains_each($crate::storage::hashes_of(items, hash), answers);
            }

            /// [`contains_many`](Self::contains_many) with the answers in a slice, without
            /// allocating.
            ///
            /// # Errors
            ///
            /// There must be as many `answers` as `items`; otherwise nothing is stored.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = $setup]
            /// let mut answers = [false; 2];
            /// filter.contains_many_into(&["ant", "bee"], &mut answers)?;
            /// assert_eq!(answers, [true, false]);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn contains_many_into<Q>(
                &self,
                items: &[Q],
                answers: &mut [bool],
            ) -> Result<(), $crate::AnswersError>
            where
                T: core::hash::Hash,
                Q: core::borrow::Borrow<T>,
            {
                $crate::error::check_answers(items.len(), answers.len())?;
                let hash = |item: &Q| self.hash_builder.hash_one(item.borrow());
                self.contains_each($crate::storage::hashes_of(items, hash), answers);
                Ok(())
            }
        }
    };
}

/// Adds the inserts by item, by slice and by iterator to `$filter`, which takes every item. The expression inserts
/// `$hashes` into the storage of `$self` and returns how many were certainly new. It must not borrow the hash
/// builder, which computes the hashes meanwhile. `$receiver` is `&self` or `&mut self`; the attributes of `insert`
/// add the documentation that differs.
macro_rules! impl_inserts {
    (
        $filter:ident,
        ($($receiver:tt)*),
        |$self:ident, $hashes:ident| $insert_each:expr,
        $(#[$insert:meta])*
    ) => {
        impl<T: ?Sized, S> $filter<T, S> {
            /// Calls [`insert_hash`](Self::insert_hash) for every hash in order; returns how many
            /// were certainly new. See [`insert_many`](Self::insert_many).
            pub fn insert_hashes($($receiver)*, hashes: &[u64]) -> u64 {
                let $hashes = $crate::storage::prehashed(hashes);
                $insert_each
            }
        }

        impl<T: core::hash::Hash + ?Sized> $filter<T> {
            /// Creates the smallest filter that keeps these items within the false-positive rate `rate`,
            /// with the default hasher, and inserts them.
            ///
            /// It is sized for the length that the iterator reports. Repeated items count each time, so
            /// with them the filter is larger than it must be and its rate lower.
            ///
            /// # Errors
            ///
            /// As for [`with_rate`](Self::with_rate).
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use bloom_core::", stringify!($filter), ";")]
            ///
            #[doc = concat!("let filter = ", stringify!($filter), "::<str>::with_rate_from([\"ant\", \"bee\"], 0.01)?;")]
            /// assert!(filter.contains("ant"));
            #[doc = concat!("assert_eq!(filter.shape(), ", stringify!($filter), "::<str>::with_rate(2, 0.01)?.shape());")]
            /// # Ok::<(), bloom_core::BuildError>(())
            /// ```
            pub fn with_rate_from<I>(items: I, rate: f64) -> Result<Self, $crate::BuildError>
            where
                I: IntoIterator<Item: core::borrow::Borrow<T>, IntoIter: ExactSizeIterator>,
            {
                let items = items.into_iter();
                let mut filter = Self::with_rate(items.len() as u64, rate)?;
                filter.extend(items);
                Ok(filter)
            }
        }

        impl<T: ?Sized, S: core::hash::BuildHasher> $filter<T, S> {
            /// Inserts an item and returns whether it is certainly new.
            ///
            $(#[$insert])*
            #[inline]
            pub fn insert($($receiver)*, item: &T) -> bool
            where
                T: core::hash::Hash,
            {
                $self.insert_hash($self.hash_builder.hash_one(item))
            }

            /// Inserts every item in order and returns how many were certainly new.
            ///
            /// Same result as one [`insert`](Self::insert) after the other, and faster for filters
            /// larger than the caches: on x86-64 the memory of several items is fetched at a time.
            /// If the `Hash` of an item panics, some of the items before it may be missing.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use bloom_core::", stringify!($filter), ";")]
            ///
            #[doc = concat!("let mut seen = ", stringify!($filter), "::<str>::with_rate(1_000, 1e-6)?;")]
            /// assert_eq!(seen.insert_many(&["ant", "bee", "ant"]), 2);
            /// # Ok::<(), bloom_core::BuildError>(())
            /// ```
            pub fn insert_many<Q>($($receiver)*, items: &[Q]) -> u64
            where
                T: core::hash::Hash,
                Q: core::borrow::Borrow<T>,
            {
                let $hashes = $crate::storage::hashes_of(items, |item| $self.hash_builder.hash_one(item.borrow()));
                $insert_each
            }
        }

        /// Inserts every item of an iterator whose items borrow as `T`.
        ///
        /// `String`, `&str` and `Box<str>` borrow as `str`; `Vec<u8>`, `&[u8]` and `[u8; 3]` borrow
        /// as `[u8]`. A reference to an owned type, such as `&String`, does not: take its slice
        /// first.
        ///
        /// # Examples
        ///
        /// ```
        #[doc = concat!("use bloom_core::", stringify!($filter), ";")]
        ///
        /// let words = vec![String::from("ant"), String::from("bee")];
        #[doc = concat!("let mut filter = ", stringify!($filter), "::<str>::with_rate(1_000, 0.01)?;")]
        /// filter.extend(words.iter().map(String::as_str));
        /// filter.extend(words);
        /// filter.extend(["cat", "dog"]);
        ///
        #[doc = concat!("let mut bytes = ", stringify!($filter), "::<[u8]>::with_rate(1_000, 0.01)?;")]
        /// bytes.extend([*b"ant", *b"bee"]);
        /// bytes.extend([b"ant", b"bee"].map(|array| array.as_slice()));
        /// # Ok::<(), bloom_core::BuildError>(())
        /// ```
        impl<T, S, Q> Extend<Q> for $filter<T, S>
        where
            T: core::hash::Hash + ?Sized,
            S: core::hash::BuildHasher,
            Q: core::borrow::Borrow<T>,
        {
            fn extend<I: IntoIterator<Item = Q>>(&mut $self, items: I) {
                let mut pending = $crate::storage::Pending::new(|group: &[u64]| {
                    let $hashes = $crate::storage::prehashed(group);
                    $insert_each;
                });
                for item in items {
                    pending.push($self.hash_builder.hash_one(item.borrow()));
                }
            }
        }
    };
}

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

/// Adds `words`, and the constructor from words, to `$filter`.
macro_rules! impl_words {
    ($filter:ident, $shape:ty, $storage:ident, $example:literal) => {
        impl<T: ?Sized, S> $filter<T, S> {
            /// Returns the words that hold the bits: bit i is bit i mod 64, counted from the lowest, of
            /// word i div 64. Bits beyond the last are 0.
            ///
            /// For other storage and other formats. To save a filter, use `to_bytes`.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = $example]
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[must_use]
            pub fn words(&self) -> &[u64] {
                self.$storage.words()
            }

            /// Creates a filter with the bits of [`words`](Self::words), which are copied.
            ///
            /// Words do not record the hasher, so it cannot be checked that the bits were set with this one.
            ///
            /// # Errors
            ///
            /// There must be as many words as the shape needs, the bits beyond the last must be 0, and the filter
            /// must fit in memory.
            pub fn from_words(
                shape: $shape,
                words: &[u64],
                hash_builder: S,
            ) -> Result<Self, $crate::WordsError> {
                $crate::error::check_words(shape.bits(), words)?;
                let mut filter = Self::with_hasher(shape, hash_builder)?;
                filter.$storage.words_mut().copy_from_slice(words);
                Ok(filter)
            }
        }
    };
}

/// Adds copies and equality to `$filter`, whose bits are in `$storage`.
macro_rules! impl_copies {
    ($filter:ident, $storage:ident $(, $field:ident)*) => {
        impl<T: ?Sized, S> $filter<T, S> {
            /// Copies the filter, or returns an error where `clone` would abort.
            ///
            /// # Errors
            ///
            /// The copy must fit in memory.
            pub fn try_clone(&self) -> Result<Self, $crate::MemoryError>
            where
                S: Clone,
            {
                Ok(Self {
                    $storage: self.$storage.try_clone()?,
                    $($field: self.$field,)*
                    hash_builder: self.hash_builder.clone(),
                    items: core::marker::PhantomData,
                })
            }
        }

        impl<T: ?Sized, S: Clone> Clone for $filter<T, S> {
            fn clone(&self) -> Self {
                Self {
                    $storage: self.$storage.clone(),
                    $($field: self.$field,)*
                    hash_builder: self.hash_builder.clone(),
                    items: core::marker::PhantomData,
                }
            }
        }

        /// Filters are equal if they have the same shape, hasher and content.
        impl<T: ?Sized, S: core::hash::BuildHasher> PartialEq for $filter<T, S> {
            fn eq(&self, other: &Self) -> bool {
                self.check_compatible(other).is_ok() && self.$storage == other.$storage
            }
        }

        impl<T: ?Sized, S: core::hash::BuildHasher> Eq for $filter<T, S> {}
    };
}

pub(crate) use {
    impl_blocked_readings, impl_constructors, impl_copies, impl_inserts, impl_queries,
    impl_readings, impl_words,
};
