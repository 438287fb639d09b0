//! Stands in for the vector kernel of blocked filters on architectures that have none. A kernel is
//! the code that sets and tests bits.
use super::view::{AnyBlock, BlocksMut, BlocksView, Kernel};
use crate::probe::Mixed;
use crate::storage::cpu::{Absent, Cpu};

/// A kernel type without values, so its methods are never called.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vectors(Absent);

impl Vectors {
    pub(super) fn of(_: Cpu) -> Option<Self> {
        None
    }
}

impl From<Absent> for Vectors {
    fn from(absent: Absent) -> Self {
        Self(absent)
    }
}

impl Kernel for Vectors {
    fn insert(self, _: BlocksMut<'_>, _: Mixed) -> bool {
        match self.0 {}
    }

    fn contains<L: AnyBlock>(self, _: BlocksView<'_, L>, _: Mixed) -> bool {
        match self.0 {}
    }
}
