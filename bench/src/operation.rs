//! The operations that are timed.

/// One operation on a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Inserts into an empty filter until it is full.
    Insert,
    /// Queries inserted items in random order.
    Hit,
    /// Queries absent items.
    Miss,
    /// Queries inserted and absent items, half of each, in random order.
    Mix,
    /// The same mix, but each answer decides which key is queried next.
    Dependent,
    /// Inserts by batch calls.
    InsertBatch,
    /// Queries inserted items by batch calls.
    HitBatch,
    /// Queries absent items by batch calls.
    MissBatch,
    /// Removes inserted items.
    Remove,
}

impl Operation {
    /// All operations, in the order of the report.
    pub(crate) const ALL: [Self; 9] = [
        Self::Insert,
        Self::Hit,
        Self::Miss,
        Self::Mix,
        Self::Dependent,
        Self::InsertBatch,
        Self::HitBatch,
        Self::MissBatch,
        Self::Remove,
    ];

    /// The operations that build a filter.
    pub(crate) const BUILDS: [Self; 2] = [Self::Insert, Self::InsertBatch];

    /// The operations that query a filter.
    pub(crate) const QUERIES: [Self; 6] = [
        Self::Hit,
        Self::HitBatch,
        Self::Miss,
        Self::MissBatch,
        Self::Mix,
        Self::Dependent,
    ];

    /// Returns the name in tables for people.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Hit => "present",
            Self::Miss => "absent",
            Self::Mix => "mixed",
            Self::HitBatch => "present batch",
            Self::MissBatch => "absent batch",
            same => same.name(),
        }
    }

    /// Returns the name in CSV files, which earlier records have too.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Hit => "hit",
            Self::Miss => "miss",
            Self::Mix => "mix",
            Self::Dependent => "dependent",
            Self::InsertBatch => "insert batch",
            Self::HitBatch => "hit batch",
            Self::MissBatch => "miss batch",
            Self::Remove => "remove",
        }
    }

    /// Returns the same operation by single calls, for comparison with a crate without batch calls.
    pub(crate) fn single(self) -> Self {
        match self {
            Self::InsertBatch => Self::Insert,
            Self::HitBatch => Self::Hit,
            Self::MissBatch => Self::Miss,
            single => single,
        }
    }

    /// Whether it uses batch calls.
    pub(crate) fn is_batch(self) -> bool {
        self.single() != self
    }
}
