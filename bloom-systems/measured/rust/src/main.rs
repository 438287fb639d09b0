//! Measures the filters of Rust crates, and of systems that are simulated. `bloom-measured REQUESTS FOLDER NAME...` writes two
//! files for each named system: the false-positive rates of its filters, and the sizes of its filters for the pairs of n and p
//! in the file REQUESTS. For some simulated systems, only one of the two is written.
//!
//! `systems.rs` and `simulated.rs` build the filters, and `cells.rs` measures them.

use std::fs;
use std::io;
use std::path::Path;

use crate::cells::{Filter, rates, sizes};
use crate::key::Text;
use crate::simulated::{Simulated, WITHOUT_RATES, WITHOUT_SIZES, choose};
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
            _ => {
                choose(name);
                measure::<Simulated, Simulated>(name, &requests, folder)
            }
        }?;
    }
    Ok(())
}

/// Writes the files of one system. `I` is the type of its filters of integers, and `T` that of its filters of texts.
fn measure<I: Filter<u64>, T: Filter<Text>>(
    name: &str,
    requests: &str,
    folder: &Path,
) -> io::Result<()> {
    if !WITHOUT_SIZES.contains(&name) {
        let sizes = sizes::<u64, I>(requests);
        fs::write(folder.join(format!("{name}.sizes.csv")), sizes)?;
    }
    if WITHOUT_RATES.contains(&name) {
        return Ok(());
    }
    let mut lines = String::from("keys,n,p,items,m,k,rate,deviation,filters,queries\n");
    rates::<u64, I>("integers", &mut lines);
    rates::<Text, T>("text", &mut lines);
    fs::write(folder.join(format!("{name}.rates.csv")), lines)
}
