//! Tests of the kit: sound filters must pass its examination, and filters that are broken on purpose must fail it.

mod broken;
mod five_lines;
mod growing;
mod plain;
mod scripts;
mod texts;
