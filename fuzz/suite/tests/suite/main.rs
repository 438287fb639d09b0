//! The bodies of the fuzz targets on stable: random cases, saved inputs, and filters that are broken on purpose.

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
