//! What is timed.

/// One kind of work on a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Inserting into an empty filter until it is full.
    Insert,
    /// Asking for inserted items in random order.
    Hit,
    /// Asking for others.
    Miss,
    /// Asking for both, half and half in random order.
    Mix,
    /// The same, where the answer decides what is asked next.
    Dependent,
    /// Inserting by calls that take many.
    InsertBatch,
    /// Asking for inserted items by calls that take many.
    HitBatch,
    /// Asking for others by calls that take many.
    MissBatch,
}

impl Operation {
    /// All of them, in the order of the report.
    pub(crate) const ALL: [Self; 8] = [
        Self::Insert,
        Self::Hit,
        Self::Miss,
        Self::Mix,
        Self::Dependent,
        Self::InsertBatch,
        Self::HitBatch,
        Self::MissBatch,
    ];

    /// Those that build a filter.
    pub(crate) const BUILDS: [Self; 2] = [Self::Insert, Self::InsertBatch];

    /// Those that ask one.
    pub(crate) const QUERIES: [Self; 6] = [
        Self::Hit,
        Self::HitBatch,
        Self::Miss,
        Self::MissBatch,
        Self::Mix,
        Self::Dependent,
    ];

    /// Returns the name in the report.
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
        }
    }

    /// Returns the same work by single calls: what a crate without batches is compared by.
    pub(crate) fn single(self) -> Self {
        match self {
            Self::InsertBatch => Self::Insert,
            Self::HitBatch => Self::Hit,
            Self::MissBatch => Self::Miss,
            single => single,
        }
    }

    /// Whether it is by calls that take many.
    pub(crate) fn is_batch(self) -> bool {
        self.single() != self
    }
}
