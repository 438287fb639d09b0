//! The Bloom filters of other systems: read, judged, queried, filled, merged and written, byte for byte
//! as the system does it.

#![no_std]
#![forbid(unsafe_code)]

pub mod hash;
