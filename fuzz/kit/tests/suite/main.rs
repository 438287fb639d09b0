//! Examines sound filters, and filters that are broken on purpose.

mod broken;
mod five_lines;
mod growing;
mod plain;
mod scripts;
mod texts;
