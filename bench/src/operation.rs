//! The operations that are timed.

/// One operation on a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Inserts all items into an empty filter.
    Insert,
    /// Queries inserted items in random order.
    Present,
    /// Queries absent items.
    Absent,
    /// Queries inserted and absent items, about half of each, in random order.
    Mixed,
    /// Queries as in [`Mixed`](Self::Mixed), but each answer decides which key is queried next.
    Dependent,
    /// Inserts by batch calls, each of which takes many keys.
    InsertBatch,
    /// Queries inserted items by batch calls.
    PresentBatch,
    /// Queries absent items by batch calls.
    AbsentBatch,
    /// Removes inserted items.
    Remove,
}

impl Operation {
    /// All operations, in the order of the report.
    pub(crate) const ALL: [Self; 9] = [
        Self::Insert,
        Self::Present,
        Self::Absent,
        Self::Mixed,
        Self::Dependent,
        Self::InsertBatch,
        Self::PresentBatch,
        Self::AbsentBatch,
        Self::Remove,
    ];

    /// The operations that build a filter.
    pub(crate) const BUILDS: [Self; 2] = [Self::Insert, Self::InsertBatch];

    /// The operations that query a filter.
    pub(crate) const QUERIES: [Self; 6] = [
        Self::Present,
        Self::PresentBatch,
        Self::Absent,
        Self::AbsentBatch,
        Self::Mixed,
        Self::Dependent,
    ];

    /// Returns the name in tables and CSV files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Present => "present",
            Self::Absent => "absent",
            Self::Mixed => "mixed",
            Self::Dependent => "dependent",
            Self::InsertBatch => "insert batch",
            Self::PresentBatch => "present batch",
            Self::AbsentBatch => "absent batch",
            Self::Remove => "remove",
        }
    }

    /// Returns the operation that does by single calls what this operation does by batch calls. Returns an operation by single
    /// calls unchanged.
    pub(crate) fn single(self) -> Self {
        match self {
            Self::InsertBatch => Self::Insert,
            Self::PresentBatch => Self::Present,
            Self::AbsentBatch => Self::Absent,
            single => single,
        }
    }

    /// Whether the operation uses batch calls.
    pub(crate) fn is_batch(self) -> bool {
        self.single() != self
    }
}
