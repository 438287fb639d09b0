//! Stands in for the vector kernel on architectures that have none.
use super::view::{AnyBlock, BlocksMut, BlocksView, Kernel};
use crate::probe::Mixed;
use crate::storage::cpu::{Absent, Cpu};

/// A kernel type without values: there is no vector kernel for this architecture.
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
