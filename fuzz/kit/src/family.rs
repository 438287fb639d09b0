//! The five filters of bloom-core as subjects.

use std::hash::{BuildHasher, Hash};

use bloom_core::{
    BlockedBloomFilter, BloomFilter, CountingBloomFilter, Filter, PartitionedBloomFilter,
    ScalableBloomFilter,
};

use crate::subject::{Inserted, Subject};

// What all five have under the same names; what only some have follows in each.
macro_rules! subject {
    ($filter:ident { $($own:item)* }) => {
        impl<T: Hash + ?Sized, S: BuildHasher + Clone> Subject<T> for $filter<T, S> {
            fn insert(&mut self, item: &T) -> Inserted {
                match self.try_insert(item) {
                    Ok(new) => Inserted::as_new(new),
                    Err(error) => Inserted::Refused(error.to_string()),
                }
            }

            fn contains(&self, item: &T) -> bool {
                Filter::contains(self, item)
            }

            fn clear(&mut self) -> Option<()> {
                Filter::clear(self);
                Some(())
            }

            fn save(&self) -> Option<Vec<u8>> {
                Some(self.to_bytes().expect("a small filter fits twice"))
            }

            fn load(&self, bytes: &[u8]) -> Option<Result<Self, String>> {
                let loaded = Self::from_bytes_with_hasher(bytes, self.hasher().clone());
                Some(loaded.map_err(|error| error.to_string()))
            }

            fn insert_many(&mut self, items: &[&T]) -> Option<Result<(), String>> {
                let outcome = self.try_insert_many(items);
                Some(outcome.map(|_| ()).map_err(|error| error.to_string()))
            }

            fn contains_many(&self, items: &[&T]) -> Option<Vec<bool>> {
                let mut answers = Vec::new();
                Filter::contains_many(self, items, &mut answers);
                Some(answers)
            }

            fn predicted_rate(&self) -> Option<f64> {
                Some(Filter::false_positive_rate(self))
            }

            $($own)*
        }
    };
}

macro_rules! merged {
    () => {
        fn merge(&mut self, other: &Self) -> Option<Result<(), String>> {
            Some(self.union_with(other).map_err(|error| error.to_string()))
        }
    };
}

subject!(BloomFilter {
    merged!();
});
subject!(BlockedBloomFilter {
    merged!();
});
subject!(PartitionedBloomFilter {
    merged!();
});
subject!(CountingBloomFilter {
    merged!();

    fn remove(&mut self, item: &T) -> Option<bool> {
        Some(self.remove(item))
    }
});
subject!(ScalableBloomFilter {});
