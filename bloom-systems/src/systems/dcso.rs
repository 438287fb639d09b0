//! Describes the filter of DCSO bloom, a Go library.

use super::prelude::*;

/// The filter of the library.
pub const DCSO: System = System {
    name: "dcso",
    aliases: &["dcso/bloom"],
    version: "0.2.4",
    source: "DCSO/bloom, bloom.go at v0.2.4",
    note: "each position depends on the previous one, so the rate is many times that of ideal hashes if m is a power of \
           two or a small multiple of one",
    sizing: Sizing {
        hashes: Hashes::OfWhole(Rounded::Up),
        ..USUAL
    },
    positions: Positions::Walk,
    call: Template {
        language: Language::Go,
        rate: "bloom.Initialize({n}, {p})",
        bits: "",
        code: "\
import \"github.com/DCSO/bloom\"

filter := {call}",
    },
    ..SYSTEM
};
