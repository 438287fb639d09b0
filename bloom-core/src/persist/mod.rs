//! Saves filters as bytes and loads them, in a layout that is the same on every machine.
//!
//! `to_bytes` returns the bytes of a filter; `write_bytes` passes them to a function in chunks, so
//! that saving needs no second copy of the filter in memory. `from_bytes` loads a filter from all
//! its bytes, and `read_from` from a function that supplies them in order. `open` makes a filter
//! that is queried in the saved bytes; see [`BloomFilterRef`](crate::BloomFilterRef). With
//! `create_file` or `reopen_file`, a filter is filled in the bytes of its file, and `seal`
//! completes the file. Each function that loads, opens or creates a file uses the default hasher,
//! and has a variant that takes any hasher; the name of the variant ends in `_with_hasher`. A saved
//! `AtomicBloomFilter` loads as a `BloomFilter`.
//!
//! ```
//! use bloom_core::BloomFilter;
//! use std::fs::{self, File};
//! use std::io::Write;
//!
//! let mut seen = BloomFilter::<str>::with_rate(10_000, 0.01)?;
//! seen.insert("https://example.org/");
//!
//! let path = std::env::temp_dir().join("bloom-core-doc-example.bloom");
//! let mut file = File::create(&path)?;
//! seen.write_bytes(|chunk| file.write_all(chunk))?;
//!
//! let loaded = BloomFilter::<str>::from_bytes(&fs::read(&path)?)?;
//! assert!(loaded.contains("https://example.org/"));
//! assert_eq!(loaded, seen);
//! # fs::remove_file(path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Any byte string is either the unique representation of a filter or rejected with a [`LoadError`]
//! that names the problem. A loaded filter equals the saved one, behaves identically from then on,
//! and is saved to the same bytes again.
//!
//! # What is not in the bytes
//!
//! - **The type of the items.** Load a filter of `str` as a filter of `str`: it would also load as
//!   a filter of `u64`, but then its answers would mean nothing. The [page](crate::FixedState) of
//!   the default hasher lists types whose items have the same hashes on every machine.
//! - **Seeds and keys.** A file records only whether it was saved with the default hasher. If the
//!   filter was saved with another hasher, the caller passes that hasher again on loading. In
//!   either case the hashes of four fixed integers, which *are* in the file, show whether the hasher
//!   is the one that the filter was saved with. They do not reveal the key of a hasher that is designed
//!   to keep it secret.
//!
//! # The layout
//!
//! A file is a header of 128 bytes, the payload in words of 8 bytes, and a checksum of 8 bytes.
//! Integers are little-endian; rates and ratios are the bits of an IEEE 754 binary64, also
//! little-endian. The header is as long as two cache lines: if a file starts on a cache line, as a
//! mapped file does, the payload starts on one too.
//!
//! | offset | bytes | field | value |
//! | ---: | ---: | --- | --- |
//! | 0 | 8 | magic bytes | `89 42 4c 4f 4f 4d 0d 0a`: 0x89, `BLOOM`, CR, LF |
//! | 8 | 2 | version | 1 |
//! | 10 | 1 | kind | 1 basic, 2 blocked, 3 counting, 4 partitioned, 5 scalable ([`FilterKind`]) |
//! | 11 | 1 | counter bits | counting: 4 or 8; others: 0 |
//! | 12 | 1 | hashes k | blocked: 8; scalable: 0, for its stages have their own |
//! | 13 | 1 | default hasher | 1 if the four probe hashes are those of the default hasher, else 0 |
//! | 14 | 1 | folds | how often a hash is folded: 2, 1 or 0, see [`HashQuality`] |
//! | 15 | 1 | intersected | 1 if intersected, or united with an intersected filter, since made or cleared; else 0 |
//! | 16 | 8 | size | bits m; blocked: blocks; counting: counters; scalable: stages |
//! | 24 | 8 | words | words of the payload |
//! | 32 | 8 | seed | the default hasher's fixed seed, which is 0; 0 for other hashers, too |
//! | 40 | 32 | probe hashes | the hashes of the `u64` integers 0, 1, 0x0123456789abcdef and 2^64 - 1 |
//! | 72 | 8 | items | scalable: expected items of the first stage; others: 0 |
//! | 80 | 8 | rate | scalable: the compound rate, a binary64; others: 0 |
//! | 88 | 8 | tightening | scalable: the tightening ratio, a binary64; others: 0 |
//! | 96 | 4 | growth | scalable: the growth factor; others: 0 |
//! | 100 | 4 | most stages | scalable: the maximum number of stages; others: 0 |
//! | 104 | 8 | most bytes | scalable: the maximum number of bytes of all stages' bits, 0 for no limit; others: 0 |
//! | 112 | 8 | header checksum | rapidhash V3 of bytes 0 to 111, seed 0 |
//! | 120 | 8 | reserved | 0 |
//! | 128 | 8 × words | payload | see below |
//! | at the end | 8 | checksum | rapidhash V3 of all bytes before, seed 0 |
//!
//! The checksums are those of the reference implementation of rapidhash V3, with its default seed
//! (0) and constants. They detect damage, not deliberate changes: anyone can change a filter
//! together with its checksum. While a file is filled in place, its header checksum is `UNSEALED` in
//! ASCII, and the bytes after the header may be anything.
//!
//! # The payload
//!
//! **Basic and partitioned:** bit i of the filter is bit i mod 64, counted from the lowest, of word
//! i div 64. It is therefore also bit i mod 8 of byte i div 8. Bits from m on are 0.
//!
//! **Blocked:** eight words per block, one for each lane.
//!
//! **Counting:** a 4-bit counter i is in word i div 16, at bit 4 (i mod 16). An 8-bit counter i is
//! in word i div 8, at bit 8 (i mod 8). Counters from m on are 0.
//!
//! **Scalable:** the stages, oldest first. A stage is a header of 64 bytes, then its bits as in a
//! basic filter, then 0 up to the next multiple of 64 bytes, so that the bits of every stage start
//! on a cache line too. All of these words count as words of the payload.
//!
//! | offset in the stage | bytes | field | value |
//! | ---: | ---: | --- | --- |
//! | 0 | 8 | bits m | |
//! | 8 | 8 | hashes k | 1 to 255 |
//! | 16 | 8 | expected items | first stage's items × growth^number, where the first has number 0 |
//! | 24 | 8 | items | items inserted into this stage |
//! | 32 | 8 | words | words of the bits, without the zeros after them |
//! | 40 | 24 | reserved | 0 |
//! | 64 | 8 × words | bits | |
//!
//! # From an item to its hash
//!
//! This section defines the default hasher, for programs in other languages. A 64-bit state s
//! starts at 0x9e3779b97f4a7c15. The parts of the item change s as follows; the last value of s is
//! the hash. Integers are added and multiplied modulo 2^64, and `fold(a, b)` is the low half of the
//! 128-bit product a × b XOR its high half.
//!
//! ```text
//! integer n    s = fold(s ^ n, 0xd1342543de82ef95) + 0x9e3779b97f4a7c15
//! byte b       s = (s ^ b) * 0xd1342543de82ef95
//! bytes, l     e = s ^ (l << 32)
//!   l > 16       e_0 .. e_6 = e
//!                while more than 112 bytes are left, take the next 14 words w_0 .. w_13; for j = 0 .. 6:
//!                    e_j = fold(w_2j ^ c_j, w_(2j+1) ^ e_j)
//!                if l > 112, e = e_0 ^ .. ^ e_6
//!                r = how many bytes are left
//!                while more than 16 bytes are left, take the next words w_0, w_1; c is c_2, c_2, c_1, c_1, c_2, c_1 in turn:
//!                    e = fold(w_0 ^ c, w_1 ^ e)
//!                a, b = the last two words of the l bytes;  a ^= r
//!   8 to 16      a, b = the first and the last word;  e ^= l
//!   4 to 7       a, b = the first and the last four bytes;  e ^= l
//!   1 to 3       a = first byte << 45 | last byte;  b = byte l div 2
//!   0            a = b = 0
//!              s = fold(a ^ c_1, b ^ e)
//!
//! c_0 .. c_6   abd15f7afceb044d 5ce21f024a4d11a8 8dded36e468be806 9147fc25f15ea77c
//!              1650263d2196869d 88c84b755980d7d5 f93c386f7eecd428
//! ```
//!
//! - Integers of 16 bits and more are hashed as the unsigned integers of the same bits. `usize` and
//!   `isize` are first extended to 64 bits. A 128-bit integer is hashed as two integers, its low
//!   half and then its high half. A `char` is hashed as its code point.
//! - Integers of 8 bits and `bool` are one byte.
//! - A string is its bytes in UTF-8, then the byte 0xff. A slice of bytes is its length as an
//!   integer, then its bytes.
//! - Words are 8 bytes, lowest byte first. Each loop takes the bytes in order, and starts after
//!   those that the previous loop took.
//!
//! With a seed the state starts at mix(seed) ^ 0x9e3779b97f4a7c15 instead, where `mix` is the
//! finaliser of SplitMix64:
//!
//! ```text
//! mix(h)       h ^= h >> 30;  h *= 0xbf58476d1ce4e5b9;
//!              h ^= h >> 27;  h *= 0x94d049bb133111eb;  h ^= h >> 31
//! ```
//!
//! # From a hash to its bits
//!
//! The rule that gives the bits that a hash h sets is also fixed by the version of the layout. The
//! hash is folded to x, as often as byte 14 says (once if the constructor of the filter took no
//! hasher), and x starts a sequence of *probes*, one for each of the k hashes. Each probe is then
//! reduced to a *position*. All arithmetic is modulo 2^64, except that the products in `fold` (as
//! above) and in `reduce` have 128 bits.
//!
//! ```text
//! x              = fold(fold(h, 0xbf58476d1ce4e5b9), 0x94d049bb133111eb)   2 folds
//!                = fold(h, 0x94d049bb133111eb)                             1 fold
//!                = h                                                       0 folds
//! probe_0        = x + 0x9e3779b97f4a7c15
//! probe_(i+1)    = probe_i rotated left by 16 bits, unless i + 1 is a multiple of 4
//!                = probe_i * 0xd1342543de82ef95 + h, if it is
//! reduce(p, m)   = the high 64 bits of p * m
//! ```
//!
//! - Basic, counting and each stage of a scalable filter: position i, for i from 0 to k - 1, is
//!   `reduce(probe_i, m)`. All stages use the same hash of an item.
//! - Partitioned: slice i has m div k bits, one more if i < m mod k, and the slices lie one after
//!   the other; the position within slice i is `reduce(probe_i, bits of the slice)`.
//! - Blocked, which uses no probe sequence: the block is `reduce(x, blocks)`; with
//!   y = x * 0xd1342543de82ef95 + h, the bit in lane i, from 0 to 7, is (y >> (16 + 6 i)) mod 64.
//!
//! Test vectors for a port are in the folder `tests/vectors` of this crate: `layout_hashes.csv`,
//! `layout_positions.csv` and `layout_files.csv`. The Python program `layout.py` in the same
//! folder, which printed these files, implements all of this page except the growth of scalable
//! filters.
//!
//! # A whole file
//!
//! A filter of 64 bits and 3 hashes with one item, whose hash is 7, takes 144 bytes.
//!
//! ```
//! # use bloom_core::{BloomFilter, Shape};
//! let mut filter = BloomFilter::<u64>::new(Shape::new(64, 3)?)?;
//! filter.insert_hash(7);
//! let rows = [
//!     // magic bytes            version kind counters hashes default folds intersected
//!     "89 42 4c 4f 4f 4d 0d 0a  01 00 01 00 03 01 01 00",
//!     // size: 64 bits          words: 1
//!     "40 00 00 00 00 00 00 00  01 00 00 00 00 00 00 00",
//!     // seed                   four probe hashes
//!     "00 00 00 00 00 00 00 00  2a 0a 2b 79 ce b9 b6 18",
//!     "9d 3a ae 5a 92 95 82 49  b2 02 98 6c 0f 09 b8 58",
//!     // last probe hash        items
//!     "6a 2b 31 75 4e 30 b7 1a  00 00 00 00 00 00 00 00",
//!     // rate                   tightening
//!     "00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00",
//!     // growth    most stages  most bytes
//!     "00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00",
//!     // header checksum        reserved
//!     "4a 9e 23 08 1c e2 91 ef  00 00 00 00 00 00 00 00",
//!     // bits 1, 31 and 43     checksum
//!     "02 00 00 80 00 08 00 00  ee be 6e c8 f7 b7 25 63",
//! ];
//! let hex = |byte: &u8| format!("{byte:02x}");
//! let bytes: Vec<String> = filter.to_bytes()?.iter().map(hex).collect();
//! assert_eq!(bytes.join(" "), rows.join(" ").replace("  ", " "));
//! # Ok::<(), bloom_core::BuildError>(())
//! ```
//!
//! # What a reader checks
//!
//! A reader checks, in this order:
//!
//! - the length is at least 136;
//! - the magic bytes, the version, that the file is sealed, and the header checksum;
//! - the length agrees with the number of words in the header;
//! - the checksum (`read_from` checks it only after the payload, and opening a filter in place only
//!   on request);
//! - the kind is that of the filter, the probe hashes agree with the given hasher, and the folds are
//!   0, 1 or 2;
//! - the sizes are those of a valid filter, and the number of words is what these sizes require;
//! - reserved bytes, unused bits and counters, and fields that follow from others have their only
//!   valid value.
//!
//! The sizes are checked before any memory is allocated for them. Loading from bytes therefore takes
//! no more memory than the file has bytes, except for some KiB in which the rates of stages are
//! computed. `read_from` does not know the length of its source: before it reads on, it allocates
//! the memory that the header asks for, or for a scalable filter the memory of the next stage. It
//! reads as many words as the header states, even if a stage breaks a rule. Limit the length of the
//! source if it is not trusted.
//!
//! For a scalable filter, a reader also checks that the filter can have grown as its header says:
//!
//! - it has from 1 to *most stages* stages, each with the expected items that the growth gives;
//! - no stage has more items than expected, and none is empty unless it is the only one;
//! - every stage keeps its share P_i of the rate under the exact model with its expected items, and
//!   this share is not too low for 64-bit hashes; for stage i, P_i = P (1 - r) r^i, where P is the
//!   compound rate and r the tightening ratio;
//! - a stage has at least one set bit for each item, because each item found a clear bit, and at most
//!   k set bits for each item;
//! - no stage with more than one item has more bits set than its share allows: floor(m P_i^(1/k)),
//!   or 0 if that is less than k;
//! - every stage but the last is full: it has its expected items, or so many set bits that k more
//!   bits would exceed its share;
//! - the bits of all stages, in whole words, are at most *most bytes*.
//!
//! A reader accepts a stage that exceeds its share by up to one part in 10^9, because two versions
//! of a library may round a logarithm differently.
//!
//! # Versions
//!
//! A library reads the versions it knows and rejects others by their number. Any change to the
//! meaning of a byte, and so also to the derivation of bits from a hash or to the default hasher,
//! gets a new version. Later libraries will read every version that this library has written.
//!
//! # serde
//!
//! With the feature `serde`, every filter is serialized as one byte string of this layout. Binary formats store the bytes as
//! they are; JSON, which has no byte strings, stores an array of numbers, which is two to four times as long. Deserializing
//! creates the hasher with [`Default`]. A filter of the default hasher is accepted. A filter is rejected if it was saved with
//! another seed, or if `Default` gives each hasher a random seed: the new hasher is then not that of the saved filter.
//!
//! [`HashQuality`]: crate::HashQuality
//! [`LoadError`]: crate::LoadError
//! [`FilterKind`]: crate::FilterKind

pub(crate) mod error;
pub(crate) mod file_mut;
pub(crate) mod header;
pub(crate) mod kind;
mod methods;
mod opened;
mod parts;
#[cfg(feature = "alloc")]
mod read;
mod saved;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "alloc")]
mod source;
#[cfg(feature = "alloc")]
mod stage;
mod words;
mod write;

#[cfg(feature = "alloc")]
pub use source::ReadError;

/// Returns the length in bytes of the file of a filter with this many bits: the bits, rounded up to whole words
/// of 8 bytes, and 136 bytes for the header and the checksum.
///
/// [`create_file`](crate::Bloom::create_file) needs this number of bytes. For a counting filter,
/// `bits` is four times the number of counters.
#[must_use]
pub const fn file_bytes(bits: u64) -> u64 {
    bits.div_ceil(64) * 8 + header::MIN_BYTES
}
