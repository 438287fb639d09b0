//! Implements the trait `Subject` of bloom-fuzz-kit for the five filters of bloom-core, twice: by their methods that take
//! items, and by those that take hashes.

use crate::readings::{Read, Readings};
use bloom_fuzz_kit::{Inserted, Subject};
use std::convert::{Infallible, identity};
use std::fmt;
use std::hash::{BuildHasher, Hash};

use bloom_core::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, Filter, PartitionedBloomFilter, Query,
    ScalableBloomFilter,
};

/// A filter of bloom-core whose methods are called with items.
#[derive(Clone, PartialEq)]
pub struct ByItem<F>(pub F);

/// A filter of bloom-core whose methods are called with hashes. An item of the script is a `u64`, which is passed as the hash.
#[derive(Clone, PartialEq)]
pub(crate) struct ByHash<F>(pub(crate) ByItem<F>);

/// The methods of the five filters that take hashes.
trait Hashes: Sized {
    fn insert_hash(&mut self, hash: u64) -> Inserted;
    fn contains_hash(&self, hash: u64) -> bool;
    fn insert_hashes(&mut self, hashes: &[u64]) -> Result<(), String>;
    fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool>;

    fn remove_hash(&mut self, hash: u64) -> Option<bool> {
        let _ = hash;
        None
    }
}

// This macro implements the methods that all five filters have under the same names; what only some filters have is passed to
// the macro. In the implementation of `Hashes`, a call such as `self.insert_hash(hash)` calls the filter's own method, which
// takes precedence over the method of the trait.
macro_rules! subject {
    ($filter:ident, $answer:expr, { $($own:item)* }, { $($read:item)* }, { $($by_hash:item)* }) => {
        impl<T: Hash + ?Sized, S: BuildHasher + Clone> Subject<T> for ByItem<$filter<T, S>> {
            fn insert(&mut self, item: &T) -> Inserted {
                inserted(self.0.try_insert(item))
            }

            fn contains(&self, item: &T) -> bool {
                Query::contains(&self.0, item)
            }

            fn clear(&mut self) -> Option<()> {
                Filter::clear(&mut self.0);
                Some(())
            }

            fn save(&self) -> Option<Vec<u8>> {
                Some(self.0.to_bytes().expect("memory for a small file"))
            }

            fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
                let loaded = $filter::from_bytes_with_hasher(bytes, self.0.hasher().clone());
                Some(in_words(loaded).map(Self))
            }

            fn copy(&self) -> Option<Self> {
                Some(Self(self.0.to_plain().expect("memory for a small file")))
            }

            fn insert_many(&mut self, items: &[&T]) -> Option<Result<(), String>> {
                Some(in_words(self.0.try_insert_many(items)).map(|_| ()))
            }

            fn contains_many(&self, items: &[&T]) -> Option<Vec<bool>> {
                // The call must replace the answers that the vector has before.
                let mut answers = vec![true; 3];
                Query::contains_many(&self.0, items, &mut answers);
                Some(answers)
            }

            fn predicted_rate(&self) -> Option<f64> {
                Some(Query::false_positive_rate(&self.0))
            }

            fn bits(&self) -> Option<u64> {
                Some(8 * self.0.memory_bytes())
            }

            $($own)*
        }

        impl<T: Hash + ?Sized, S: BuildHasher + Clone> Read for ByItem<$filter<T, S>> {
            $($read)*
        }

        impl<S: BuildHasher + Clone> Hashes for $filter<u64, S> {
            fn insert_hash(&mut self, hash: u64) -> Inserted {
                inserted($answer(self.insert_hash(hash)))
            }

            fn contains_hash(&self, hash: u64) -> bool {
                self.contains_hash(hash)
            }

            fn insert_hashes(&mut self, hashes: &[u64]) -> Result<(), String> {
                in_words($answer(self.insert_hashes(hashes))).map(|_| ())
            }

            fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
                let mut answers = vec![true; hashes.len()];
                self.contains_hashes_into(hashes, &mut answers).expect("as many answers");
                answers
            }

            $($by_hash)*
        }
    };
}

/// The methods that only the four filters of fixed size have.
macro_rules! of_one_size {
    () => {
        fn merge(&mut self, other: &Self) -> Option<Result<(), String>> {
            Some(in_words(self.0.union_with(&other.0)))
        }

        fn intersect(&mut self, other: &Self) -> Option<Result<(), String>> {
            Some(in_words(self.0.intersect_with(&other.0)))
        }

        fn estimated_items(&self) -> Option<f64> {
            self.0.estimated_items().ok().map(|estimate| estimate.items)
        }
    };
}

/// What the four filters of fixed size report about their bits.
macro_rules! reads {
    ($saturated:expr) => {
        fn readings(&self) -> Option<Readings> {
            Some(Readings {
                empty: Query::is_empty(&self.0),
                fill: self.0.fill(),
                saturated: $saturated(&self.0),
                estimate: self.0.estimated_items().ok(),
            })
        }
    };
}

subject!(
    BloomFilter,
    Ok::<_, Infallible>,
    {
        of_one_size!();

        fn classic(&self) -> Option<(u64, u8)> {
            Some((self.0.shape().bits(), self.0.shape().hashes()))
        }
    },
    {
        reads!(|_| None);
    },
    {}
);
subject!(
    BlockedBloomFilter,
    Ok::<_, Infallible>,
    {
        of_one_size!();
    },
    {
        reads!(|_| None);
    },
    {}
);
subject!(
    PartitionedBloomFilter,
    Ok::<_, Infallible>,
    {
        of_one_size!();
    },
    {
        reads!(|_| None);
    },
    {}
);
subject!(
    CountingBloomFilter,
    Ok::<_, Infallible>,
    {
        of_one_size!();

        fn remove(&mut self, item: &T) -> Option<bool> {
            Some(self.0.remove(item))
        }

        fn classic(&self) -> Option<(u64, u8)> {
            Some((self.0.shape().bits(), self.0.shape().hashes()))
        }
    },
    {
        reads!(|filter: &CountingBloomFilter<T, S>| Some(filter.saturated()));
    },
    {
        fn remove_hash(&mut self, hash: u64) -> Option<bool> {
            Some(self.remove_hash(hash))
        }
    }
);
subject!(
    ScalableBloomFilter,
    identity,
    {},
    {
        fn readings(&self) -> Option<Readings> {
            None
        }
    },
    {}
);

impl<F> Read for ByHash<F>
where
    ByItem<F>: Read,
{
    fn readings(&self) -> Option<Readings> {
        self.0.readings()
    }
}

impl<F: Hashes> Subject<u64> for ByHash<F>
where
    ByItem<F>: Subject<u64>,
{
    fn insert(&mut self, hash: &u64) -> Inserted {
        self.0.0.insert_hash(*hash)
    }

    fn contains(&self, hash: &u64) -> bool {
        self.0.0.contains_hash(*hash)
    }

    fn clear(&mut self) -> Option<()> {
        self.0.clear()
    }

    fn remove(&mut self, hash: &u64) -> Option<bool> {
        self.0.0.remove_hash(*hash)
    }

    fn merge(&mut self, other: &Self) -> Option<Result<(), String>> {
        self.0.merge(&other.0)
    }

    fn intersect(&mut self, other: &Self) -> Option<Result<(), String>> {
        self.0.intersect(&other.0)
    }

    fn save(&self) -> Option<Vec<u8>> {
        self.0.save()
    }

    fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
        Some(self.0.load(bytes)?.map(Self))
    }

    fn copy(&self) -> Option<Self> {
        self.0.copy().map(Self)
    }

    fn insert_many(&mut self, hashes: &[&u64]) -> Option<Result<(), String>> {
        let hashes: Vec<u64> = hashes.iter().map(|hash| **hash).collect();
        Some(self.0.0.insert_hashes(&hashes))
    }

    fn contains_many(&self, hashes: &[&u64]) -> Option<Vec<bool>> {
        let hashes: Vec<u64> = hashes.iter().map(|hash| **hash).collect();
        Some(self.0.0.contains_hashes(&hashes))
    }

    fn predicted_rate(&self) -> Option<f64> {
        self.0.predicted_rate()
    }
}

fn inserted<E: fmt::Display>(answer: Result<bool, E>) -> Inserted {
    match answer {
        Ok(new) => Inserted::as_new(new),
        Err(error) => Inserted::Refused(error.to_string()),
    }
}

fn in_words<T, E: fmt::Display>(answer: Result<T, E>) -> Result<T, String> {
    answer.map_err(|error| error.to_string())
}
