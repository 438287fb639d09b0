//! A case: the shape and hasher of a filter and what is done to it, drawn from raw bytes.

use std::fmt;

use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::Shape;

use crate::bit_filter::BitFilter;
use crate::key::{Integer, Key};
use crate::model::Model;
use crate::paste::List;
use crate::promise::Violation;
use crate::state::AnyState;

/// A case has at most so many operations, and an operation so many keys, so that it stays quick.
const MOST_OPERATIONS: usize = 256;
const MOST_KEYS: usize = 15;

/// Bits at which a word is short, full or just begun, or a filter of 2^16 bits is.
const EDGES: [u64; 16] = [
    1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 511, 512, 65_535, 65_536,
];

/// What is done to one filter.
///
/// Every string of bytes is a case, read from front to back: what is cut off reads as zeros, and
/// operations end where the bytes do.
#[derive(Clone)]
pub struct Case<K> {
    /// The bits and hashes of the filter: at most 2^16 bits.
    pub shape: Shape,
    /// What the filter hashes with.
    pub state: AnyState,
    /// What is done, in this order.
    pub operations: List<Operation<K>>,
}

/// One thing done to a filter.
#[derive(Debug, Clone)]
pub enum Operation<K> {
    /// Inserts a key.
    Insert(K),
    /// Inserts a hash.
    InsertHash(u64),
    /// Asks for a key.
    Contains(K),
    /// Inserts keys at once.
    Extend(List<K>),
    /// Unites with a filter of these keys.
    Union(List<K>),
    /// Intersects with a filter of these keys.
    Intersect(List<K>),
    /// Tries to combine with a filter that does not fit.
    Refuse(Stranger),
    /// Goes on with a copy.
    Copy,
    /// Forgets every key.
    Clear,
}

/// The shape and hasher of another filter, of which one or both differ from the case's.
///
/// Where by chance neither does, there is nothing to refuse.
#[derive(Clone, Copy)]
pub struct Stranger {
    /// Another shape, or `None` for the same.
    pub shape: Option<Shape>,
    /// Another hasher, or `None` for the same.
    pub state: Option<AnyState>,
}

impl<K: Key> Case<K> {
    /// Does every operation to a filter from `build` and to a set beside it, and compares them.
    ///
    /// `build` makes an empty filter of a shape and a hasher; it is also asked for others, to
    /// combine with.
    ///
    /// # Errors
    ///
    /// The filter must keep every [`Promise`](crate::Promise).
    pub fn check<F: BitFilter<K::Item>>(
        &self,
        build: impl Fn(Shape, AnyState) -> F,
    ) -> std::result::Result<(), Violation> {
        let mut model = Model::new(self.shape, self.state, build);
        model.check_readings()?;
        for (number, operation) in self.operations.0.iter().enumerate() {
            model
                .apply(operation)
                .and_then(|()| model.check_readings())
                .map_err(|violation| violation.after(number, operation))?;
        }
        model.check_all()
    }
}

impl<'a, K: Key> Arbitrary<'a> for Case<K> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let shape = shape(u)?;
        let state = u.arbitrary()?;
        let mut operations = Vec::new();
        while !u.is_empty() && operations.len() < MOST_OPERATIONS {
            operations.push(u.arbitrary()?);
        }
        Ok(Self {
            shape,
            state,
            operations: List(operations),
        })
    }
}

impl<'a, K: Key> Arbitrary<'a> for Operation<K> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u.int_in_range(0..=31)? {
            0..=13 => Self::Insert(u.arbitrary()?),
            14..=18 => Self::Contains(u.arbitrary()?),
            19..=20 => Self::InsertHash(u.arbitrary::<Integer>()?.0),
            21..=22 => Self::Extend(keys(u)?),
            23..=24 => Self::Union(keys(u)?),
            25..=26 => Self::Intersect(keys(u)?),
            27..=28 => Self::Refuse(u.arbitrary()?),
            29 => Self::Copy,
            _ => Self::Clear,
        })
    }
}

impl<'a> Arbitrary<'a> for Stranger {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let differs = u.int_in_range(0..=2)?;
        Ok(Self {
            shape: if differs == 1 { None } else { Some(shape(u)?) },
            state: if differs == 0 {
                None
            } else {
                Some(u.arbitrary()?)
            },
        })
    }
}

/// Draws a valid shape: small ones and edges more often than others.
fn shape(u: &mut Unstructured<'_>) -> Result<Shape> {
    let bits = match u.int_in_range(0..=3)? {
        0 => *u.choose(&EDGES)?,
        1 | 2 => u.int_in_range(1..=256)?,
        // Even over orders of magnitude: readings cost O(m), and large filters teach little more.
        _ => {
            let most = 1 << u.int_in_range(8..=16)?;
            u.int_in_range(1..=most)?
        }
    };
    let hashes = match u.int_in_range(0..=7)? {
        0..=6 => u.int_in_range(1..=16)?,
        _ => u.int_in_range(1..=255)?,
    };
    Ok(Shape::new(bits, hashes).expect("1 to 2^16 bits and 1 to 255 hashes are valid"))
}

fn keys<K: Key>(u: &mut Unstructured<'_>) -> Result<List<K>> {
    let count = u.int_in_range(0..=MOST_KEYS)?;
    Ok(List(
        (0..count).map(|_| u.arbitrary()).collect::<Result<_>>()?,
    ))
}

/// A shape as Rust.
struct Code(Shape);

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Shape::new({}, {}).unwrap()",
            self.0.bits(),
            self.0.hashes()
        )
    }
}

impl<K: fmt::Debug> fmt::Debug for Case<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case")
            .field("shape", &Code(self.shape))
            .field("state", &self.state)
            .field("operations", &self.operations)
            .finish()
    }
}

impl fmt::Debug for Stranger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stranger")
            .field("shape", &self.shape.map(Code))
            .field("state", &self.state)
            .finish()
    }
}
