//! Holds the bits of a filter in the order in which its file has them, as owned or borrowed bytes. If there are fewer bytes
//! than the filter needs, the missing bits count as clear: the file of an empty filter may leave out all bits.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::error::{Field, Format, FormatError, Must};

/// The order of the bytes of a 64-bit word. In both orders, bit j of the filter is bit j mod 64 of word j / 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The lowest byte first, so that bit j is bit j mod 8 of byte j / 8, too.
    LowFirst,
    /// The highest byte first.
    HighFirst,
}

/// The bits of a filter.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Words<'a> {
    bytes: Cow<'a, [u8]>,
    order: Order,
}

impl Words<'static> {
    /// Returns `count` words without a set bit.
    pub(crate) fn cleared(format: Format, count: u64, order: Order) -> Result<Self, FormatError> {
        Self::cleared_bytes(format, count.saturating_mul(8), order)
    }

    /// Returns `length` bytes without a set bit.
    pub(crate) fn cleared_bytes(
        format: Format,
        length: u64,
        order: Order,
    ) -> Result<Self, FormatError> {
        let mut bytes = reserved(format, length)?;
        bytes.resize(length as usize, 0);
        Ok(Words::new(bytes, order))
    }
}

impl<'a> Words<'a> {
    /// Makes the bits writable: copies them if they are borrowed. If there are no bytes, adds `count` clear words.
    pub(crate) fn own(&mut self, format: Format, count: u64) -> Result<(), FormatError> {
        if self.is_empty() {
            *self = Words::cleared(format, count, self.order)?;
        } else if let Cow::Borrowed(_) = self.bytes {
            *self = self.owned(format)?;
        }
        Ok(())
    }

    /// Sets a bit and returns whether it was clear before.
    pub(crate) fn insert(&mut self, position: u64) -> bool {
        let byte = &mut self.bytes.to_mut()[byte_of(position, self.order)];
        let before = *byte;
        *byte |= 1 << (position % 8);
        *byte != before
    }

    /// Sets all bits that are set in `other`, which has no more words than `self`, and the same order.
    pub(crate) fn unite(&mut self, other: &Words<'_>) {
        debug_assert_eq!(self.order, other.order, "one format has one order");
        for (byte, theirs) in self.bytes.to_mut().iter_mut().zip(other.bytes()) {
            *byte |= theirs;
        }
    }

    /// Makes the bits from bytes in this order.
    pub(crate) fn new(bytes: impl Into<Cow<'a, [u8]>>, order: Order) -> Self {
        let bytes = bytes.into();
        Self { bytes, order }
    }

    /// Returns a copy that owns its bytes.
    pub(crate) fn owned(&self, format: Format) -> Result<Words<'static>, FormatError> {
        Ok(Words::new(self.write(format, &[])?, self.order))
    }

    /// Returns a header followed by the words.
    pub(crate) fn write(&self, format: Format, header: &[u8]) -> Result<Vec<u8>, FormatError> {
        let bytes = self.bytes();
        let mut file = reserved(format, (header.len() as u64).saturating_add(self.length()))?;
        file.extend_from_slice(header);
        file.extend_from_slice(bytes);
        Ok(file)
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn length(&self) -> u64 {
        self.bytes().len() as u64
    }

    /// Returns the number of whole words.
    pub(crate) fn count(&self) -> u64 {
        self.length() / 8
    }

    #[inline]
    pub(crate) fn contains(&self, position: u64) -> bool {
        let byte = self.bytes().get(byte_of(position, self.order));
        byte.is_some_and(|byte| byte >> (position % 8) & 1 != 0)
    }

    /// Returns the number of set bits.
    pub(crate) fn ones(&self) -> u64 {
        ones(self.bytes())
    }

    /// Returns an error if a bit at position `bits` or later is set.
    pub(crate) fn check_end(&self, format: Format, bits: u64) -> Result<(), FormatError> {
        match self.ones() - self.ones_before(bits) {
            0 => Ok(()),
            got => Err(format.field(Field::SetBitsBeyond, Must::Be(0), got)),
        }
    }

    /// Returns the number of set bits before a position.
    pub(crate) fn ones_before(&self, position: u64) -> u64 {
        let position = position.min(8 * self.length());
        let whole = position / 64;
        let part = (whole * 64..position).filter(|&position| self.contains(position));
        ones(&self.bytes()[..(whole * 8) as usize]) + part.count() as u64
    }
}

/// Returns the index of the byte that has the bit of a position.
#[inline]
fn byte_of(position: u64, order: Order) -> usize {
    let last = match order {
        Order::LowFirst => 0,
        Order::HighFirst => 7,
    };
    (position / 8) as usize ^ last
}

fn ones(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let of_words = words
        .iter()
        .map(|word| u64::from_le_bytes(*word).count_ones());
    let of_rest = rest.iter().map(|byte| byte.count_ones());
    of_words.chain(of_rest).map(u64::from).sum()
}

/// Appends bytes to a list; returns an error if the memory is not available.
pub(crate) fn append(format: Format, list: &mut Vec<u8>, more: &[u8]) -> Result<(), FormatError> {
    let bytes = (list.len() as u64).saturating_add(more.len() as u64);
    list.try_reserve_exact(more.len())
        .map_err(|_| format.memory(bytes))?;
    list.extend_from_slice(more);
    Ok(())
}

/// Returns an empty list with memory for `count` bytes; returns an error if the memory is not available.
pub(crate) fn reserved(format: Format, count: u64) -> Result<Vec<u8>, FormatError> {
    let refused = format.memory(count);
    let mut list = Vec::new();
    let length = usize::try_from(count).map_err(|_| refused)?;
    list.try_reserve_exact(length).map_err(|_| refused)?;
    Ok(list)
}
