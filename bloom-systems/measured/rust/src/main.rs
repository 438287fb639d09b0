//! Measures the filters of other crates: `bloom-measured REQUESTS FOLDER NAME...` writes a file of rates and one of
//! sizes for each named system.
//!
//! `systems.rs` has what differs between systems, `cells.rs` how all of them are measured.

use std::fs;
use std::io;
use std::path::Path;

use crate::cells::{Filter, rates, sizes};
use crate::key::Text;
use crate::simulated::{NAMES, Simulated, WITHOUT_SIZES};
use crate::systems::WholeBitsPerItem;

mod cells;
mod key;
mod random;
mod simulated;
mod systems;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [requests, folder, names @ ..] = arguments.as_slice() else {
        panic!("usage: bloom-measured REQUESTS FOLDER NAME...");
    };
    let requests = fs::read_to_string(requests)?;
    let folder = Path::new(folder);
    for name in names {
        match name.as_str() {
            "bloomfilter" => measure::<bloomfilter::Bloom<u64>, bloomfilter::Bloom<Text>>(
                name, &requests, folder,
            ),
            "fastbloom" => {
                measure::<fastbloom::BloomFilter, fastbloom::BloomFilter>(name, &requests, folder)
            }
            "parquet" => measure::<parquet::bloom_filter::Sbbf, parquet::bloom_filter::Sbbf>(
                name, &requests, folder,
            ),
            "sbbf-rs-safe" => {
                measure::<WholeBitsPerItem, WholeBitsPerItem>(name, &requests, folder)
            }
            _ => match NAMES.iter().position(|known| known == name) {
                Some(0) => simulated::<0>(name, &requests, folder),
                Some(1) => simulated::<1>(name, &requests, folder),
                Some(2) => simulated::<2>(name, &requests, folder),
                Some(3) => simulated::<3>(name, &requests, folder),
                Some(4) => simulated::<4>(name, &requests, folder),
                Some(5) => simulated::<5>(name, &requests, folder),
                Some(6) => simulated::<6>(name, &requests, folder),
                Some(7) => simulated::<7>(name, &requests, folder),
                Some(8) => simulated::<8>(name, &requests, folder),
                _ => panic!("unknown system {name:?}"),
            },
        }?;
    }
    Ok(())
}

/// Writes the files of one system that is simulated.
fn simulated<const SYSTEM: usize>(name: &str, requests: &str, folder: &Path) -> io::Result<()> {
    measure::<Simulated<SYSTEM>, Simulated<SYSTEM>>(name, requests, folder)
}

/// Writes the files of one system, whose filters of integers and of texts may differ in type.
fn measure<I: Filter<u64>, T: Filter<Text>>(
    name: &str,
    requests: &str,
    folder: &Path,
) -> io::Result<()> {
    if !WITHOUT_SIZES.contains(&name) {
        let sizes = sizes::<u64, I>(requests);
        fs::write(folder.join(format!("{name}.sizes.csv")), sizes)?;
    }
    let mut lines = String::from("keys,n,p,items,m,k,rate,deviation,filters,queries\n");
    rates::<u64, I>("integers", &mut lines);
    rates::<Text, T>("text", &mut lines);
    fs::write(folder.join(format!("{name}.rates.csv")), lines)
}
