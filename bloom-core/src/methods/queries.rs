//! Queries by item and by slice, over the query by hash of a filter.

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

            /// Calls [`contains_hash`](Self::contains_hash) for every hash in order and stores the answers in a
            /// slice, without allocating; see [`contains_many_into`](Self::contains_many_into).
            ///
            /// # Errors
            ///
            /// There must be as many `answers` as `hashes`; otherwise nothing is stored.
            pub fn contains_hashes_into(
                &self,
                hashes: &[u64],
                answers: &mut [bool],
            ) -> Result<(), $crate::AnswersError> {
                $crate::error::check_answers(hashes.len(), answers.len())?;
                self.contains_each($crate::storage::prehashed(hashes), answers);
                Ok(())
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

pub(crate) use impl_queries;
