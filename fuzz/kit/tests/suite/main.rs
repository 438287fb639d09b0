//! The kit on filters that are sound, and on filters that are broken on purpose.

mod broken;
mod five_lines;
mod growing;
mod plain;
mod scripts;
mod texts;
