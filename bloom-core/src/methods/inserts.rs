//! Inserts by hash, item, slice and iterator.

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
            /// As for [`with_rate`](Self::with_rate): there must be at least one item.
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

pub(crate) use impl_inserts;
