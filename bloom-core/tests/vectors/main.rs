//! The formulas against reference values of 40 digits, every row of every file; `README.md` gives
//! the tolerances.

mod classic;
mod family;
mod table;
