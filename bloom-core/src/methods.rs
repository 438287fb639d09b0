//! The methods that the filters have in common, each written once.
//!
//! A filter's own file keeps its fields, its positions and what only it can do. It provides `with_hasher`,
//! `insert_hash`, `contains_hash` and, for batches, the private `insert_each` and `contains_each`; the macros
//! add the methods that only hash items and pass the hashes on. Macros rather than a trait, so that callers
//! need no import and every page of the documentation is complete.

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

/// Adds the queries by item and by slice to `$filter`, and its hash builder.
macro_rules! impl_queries {
    ($filter:ident) => {
        impl<T: ?Sized, S> $filter<T, S> {
            /// Returns the hash builder.
            pub fn hasher(&self) -> &S {
                &self.hash_builder
            }

            /// Calls [`contains_hash`](Self::contains_hash) for every hash in order and stores the
            /// answers in `answers`; see [`contains_many`](Self::contains_many).
            pub fn contains_hashes(&self, hashes: &[u64], answers: &mut alloc::vec::Vec<bool>) {
                self.contains_each($crate::storage::prehashed(hashes), $crate::storage::reset_answers(hashes.len(), answers));
            }
        }

        impl<T: ?Sized, S: core::hash::BuildHasher> $filter<T, S> {
            /// Returns whether an item may have been inserted; `false` is certain.
            ///
            /// As in `std`, the item may be any borrowed form of `T` that hashes like it.
            #[inline]
            pub fn contains<Q>(&self, item: &Q) -> bool
            where
                T: core::borrow::Borrow<Q>,
                Q: core::hash::Hash + ?Sized,
            {
                self.contains_hash(self.hash_builder.hash_one(item))
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
            #[doc = concat!("use bloom_core::", stringify!($filter), ";")]
            ///
            #[doc = concat!("let mut seen = ", stringify!($filter), "::<str>::with_rate(1_000, 1e-6)?;")]
            /// let _ = seen.insert("ant");
            /// let mut answers = Vec::new();
            /// seen.contains_many(&["ant", "bee"], &mut answers);
            /// assert_eq!(answers, [true, false]);
            /// # Ok::<(), bloom_core::BuildError>(())
            /// ```
            pub fn contains_many<Q>(&self, items: &[Q], answers: &mut alloc::vec::Vec<bool>)
            where
                T: core::hash::Hash,
                Q: core::borrow::Borrow<T>,
            {
                let hashes = $crate::storage::hashes_of(items, |item| self.hash_builder.hash_one(item.borrow()));
                self.contains_each(hashes, $crate::storage::reset_answers(items.len(), answers));
            }
        }
    };
}

/// Adds the inserts by item, by slice and by iterator to `$filter`, which takes every item. The expression
/// inserts `$hashes` into the storage of `$self` and returns how many were certainly new; it must not borrow
/// the hash builder, which makes the hashes meanwhile. The attributes of `insert` document what is particular.
macro_rules! impl_inserts {
    ($filter:ident, ($self:ident, $hashes:ident) => $insert_each:expr, $(#[$insert:meta])*) => {
        impl<T: ?Sized, S> $filter<T, S> {
            /// Calls [`insert_hash`](Self::insert_hash) for every hash in order; returns how many
            /// were certainly new. See [`insert_many`](Self::insert_many).
            pub fn insert_hashes(&mut $self, hashes: &[u64]) -> u64 {
                let $hashes = $crate::storage::prehashed(hashes);
                $insert_each
            }
        }

        impl<T: ?Sized, S: core::hash::BuildHasher> $filter<T, S> {
            /// Inserts an item and returns whether it is certainly new.
            ///
            $(#[$insert])*
            #[inline]
            pub fn insert(&mut self, item: &T) -> bool
            where
                T: core::hash::Hash,
            {
                self.insert_hash(self.hash_builder.hash_one(item))
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
            pub fn insert_many<Q>(&mut $self, items: &[Q]) -> u64
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
    };
}

pub(crate) use {impl_constructors, impl_copies, impl_inserts, impl_queries};
