//! The five filters of bloom-core as subjects, by items and by hashes.

use std::convert::{Infallible, identity};
use std::fmt;
use std::hash::{BuildHasher, Hash};

use bloom_core::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, Filter, PartitionedBloomFilter, Query,
    ScalableBloomFilter,
};

use crate::subject::{Inserted, Readings, Subject};

/// A filter that is used by hashes: a `u64` item is its own hash.
#[derive(Clone, PartialEq)]
pub(crate) struct ByHash<F>(pub(crate) F);

/// The operations of the five filters by hashes.
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

// A macro for the methods that all five have under the same names; each filter's other methods follow below.
// The methods called here are the filter's own, which take precedence over the trait's.
macro_rules! subject {
    ($filter:ident, $answer:expr, { $($own:item)* }, { $($by_hash:item)* }) => {
        impl<T: Hash + ?Sized, S: BuildHasher + Clone> Subject<T> for $filter<T, S> {
            fn insert(&mut self, item: &T) -> Inserted {
                inserted(self.try_insert(item))
            }

            fn contains(&self, item: &T) -> bool {
                Query::contains(self, item)
            }

            fn clear(&mut self) -> Option<()> {
                Filter::clear(self);
                Some(())
            }

            fn save(&self) -> Option<Vec<u8>> {
                Some(self.to_bytes().expect("a small filter fits twice"))
            }

            fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
                Some(in_words(Self::from_bytes_with_hasher(bytes, self.hasher().clone())))
            }

            fn copy(&self) -> Option<Self> {
                Some(self.to_plain().expect("a small filter fits twice"))
            }

            fn insert_many(&mut self, items: &[&T]) -> Option<Result<(), String>> {
                Some(in_words(self.try_insert_many(items)).map(|_| ()))
            }

            fn contains_many(&self, items: &[&T]) -> Option<Vec<bool>> {
                // The call must replace previous answers.
                let mut answers = vec![true; 3];
                Query::contains_many(self, items, &mut answers);
                Some(answers)
            }

            fn predicted_rate(&self) -> Option<f64> {
                Some(Query::false_positive_rate(self))
            }

            $($own)*
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

/// The methods of the four filters that do not grow.
macro_rules! of_one_size {
    ($saturated:expr) => {
        fn merge(&mut self, other: &Self) -> Option<Result<(), String>> {
            Some(in_words(self.union_with(other)))
        }

        fn intersect(&mut self, other: &Self) -> Option<Result<(), String>> {
            Some(in_words(self.intersect_with(other)))
        }

        fn readings(&self) -> Option<Readings> {
            Some(Readings {
                empty: Query::is_empty(self),
                fill: self.fill(),
                saturated: $saturated(self),
                estimate: self.estimated_items().ok(),
            })
        }
    };
}

subject!(
    BloomFilter,
    Ok::<_, Infallible>,
    {
        of_one_size!(|_| None);
    },
    {}
);
subject!(
    BlockedBloomFilter,
    Ok::<_, Infallible>,
    {
        of_one_size!(|_| None);
    },
    {}
);
subject!(
    PartitionedBloomFilter,
    Ok::<_, Infallible>,
    {
        of_one_size!(|_| None);
    },
    {}
);
subject!(
    CountingBloomFilter,
    Ok::<_, Infallible>,
    {
        of_one_size!(|filter: &Self| Some(filter.saturated()));

        fn remove(&mut self, item: &T) -> Option<bool> {
            Some(self.remove(item))
        }
    },
    {
        fn remove_hash(&mut self, hash: u64) -> Option<bool> {
            Some(self.remove_hash(hash))
        }
    }
);
subject!(ScalableBloomFilter, identity, {}, {});

impl<F: Subject<u64> + Hashes> Subject<u64> for ByHash<F> {
    fn insert(&mut self, hash: &u64) -> Inserted {
        self.0.insert_hash(*hash)
    }

    fn contains(&self, hash: &u64) -> bool {
        self.0.contains_hash(*hash)
    }

    fn clear(&mut self) -> Option<()> {
        self.0.clear()
    }

    fn remove(&mut self, hash: &u64) -> Option<bool> {
        self.0.remove_hash(*hash)
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
        Some(self.0.insert_hashes(&hashes))
    }

    fn contains_many(&self, hashes: &[&u64]) -> Option<Vec<bool>> {
        let hashes: Vec<u64> = hashes.iter().map(|hash| **hash).collect();
        Some(self.0.contains_hashes(&hashes))
    }

    fn predicted_rate(&self) -> Option<f64> {
        self.0.predicted_rate()
    }

    fn readings(&self) -> Option<Readings> {
        self.0.readings()
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
