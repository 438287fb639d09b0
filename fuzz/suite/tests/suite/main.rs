//! Runs the bodies of the fuzz targets on the stable compiler: on random cases, on saved inputs, and on filters that are broken
//! on purpose.

mod beyond_32_bits;
mod broken;
mod conformance;
mod foreign;
mod mutants;
mod random;
mod replay;
mod saved;
mod scripts;
mod targets;
