//! How filters are made: constructors, words and copies.

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

pub(crate) use {impl_constructors, impl_copies, impl_words};
