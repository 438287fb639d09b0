//! Reading a file piece by piece, so that it is not in memory beside the filter.

use core::hash::BuildHasher;

use rapidhash::v3::RapidStreamHasherV3;

use super::error::LoadError;
use super::header::{CHECKSUM_BYTES, Fields, HEADER_BYTES};
use super::parts::Load;
use super::source::{ReadError, Source};
use super::write::SECRETS;
use crate::filter::{Bloom, Kind, Table};
use crate::hash::FixedState;
use crate::memory::Owned;

impl<K: Kind<Owned, Table: Load>, T: ?Sized> Bloom<K, T> {
    /// Reads a filter that was saved with the default hasher, without holding the file in memory as
    /// well. `read` fills each slice that it is passed, as `std::io::Read::read_exact` does.
    ///
    /// Everything is checked, as by `from_bytes`. The memory is allocated when the header has been
    /// read, whose checksum is verified before; that of a growing filter stage by stage, when the
    /// sizes of the stage have been read.
    ///
    /// # Errors
    ///
    /// The first error of `read`, or as for `from_bytes`. What follows the filter is not read.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_core::BloomFilter;
    /// use std::io::Read;
    ///
    /// let mut filter = BloomFilter::<str>::with_rate(10_000, 0.01)?;
    /// filter.insert("ant");
    /// let file = filter.to_bytes()?;
    ///
    /// let mut source = &file[..]; // or a `std::fs::File`, or any other `Read`
    /// let read = BloomFilter::<str>::read_from(|bytes| source.read_exact(bytes))?;
    /// assert_eq!(read, filter);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_from<E>(
        read: impl FnMut(&mut [u8]) -> Result<(), E>,
    ) -> Result<Self, ReadError<E>> {
        Self::read_from_with_hasher(read, FixedState::new())
    }
}

impl<K: Kind<Owned, Table: Load>, T: ?Sized, S: BuildHasher> Bloom<K, T, S> {
    /// [`read_from`](Self::read_from) with the hasher of `hash_builder`.
    ///
    /// # Errors
    ///
    /// As for [`read_from`](Self::read_from), but with this hasher.
    pub fn read_from_with_hasher<E>(
        mut read: impl FnMut(&mut [u8]) -> Result<(), E>,
        hash_builder: S,
    ) -> Result<Self, ReadError<E>> {
        let mut checksum = RapidStreamHasherV3::new(&SECRETS);
        let mut header = [0; HEADER_BYTES];
        read(&mut header).map_err(ReadError::Source)?;
        checksum.write(&header);
        let header = Fields(&header);
        header.check_itself()?;
        let quality = header.check(K::Table::KIND, &hash_builder)?;
        let mut checked = |bytes: &mut [u8]| {
            read(bytes)?;
            checksum.write(bytes);
            Ok(())
        };
        let mut payload = Source::new(header.words(), &mut checked);
        let table = match K::Table::read(header, &mut payload) {
            Err(ReadError::Load(LoadError::Memory(error))) => {
                return Err(LoadError::Memory(error).into());
            }
            // Damage is reported as damage, not as the rule that it breaks.
            Err(ReadError::Load(error)) if payload.taken > 0 => {
                payload.skip()?;
                Err(error)
            }
            table => Ok(table?),
        };
        let computed = checksum.finish();
        let mut stored = [0; CHECKSUM_BYTES];
        read(&mut stored).map_err(ReadError::Source)?;
        let stored = u64::from_le_bytes(stored);
        if stored != computed {
            return Err(LoadError::Checksum { stored, computed }.into());
        }
        Ok(Self::read(table?, hash_builder, quality, header)?)
    }
}
