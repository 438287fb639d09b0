//! Describes the signatures of PostgreSQL's index `bloom` (C).

use super::prelude::*;

/// The signature of a table's row, a Bloom filter of up to 4,096 bits in which each indexed column sets 2 bits.
pub const POSTGRES: System = System {
    name: "postgres-bloom",
    aliases: &["postgres", "postgresql", "pg-bloom"],
    version: "9.6 to 18",
    source: "postgres/postgres, contrib/bloom/blutils.c at 18267e04",
    note: "n is the number of indexed columns, m the length of the signature of a row, and p the share of rows without the \
           searched value that a search for a value of one column returns all the same; each column sets 2 bits, the \
           default of PostgreSQL",
    sizing: Sizing {
        takes: Takes::Bits,
        bits: Bits::Given,
        steps: &[Step::Up(16)],
        hashes: Hashes::Fixed(2),
        most_items: 32,
        most_bits: 4_096,
        ..USUAL
    },
    call: Template::of_bits(
        Language::Other,
        "CREATE INDEX my_index ON my_table USING bloom (my_columns) WITH (length = {m});",
    ),
    ..SYSTEM
};
