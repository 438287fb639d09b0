//! The filters that rows of `--like` build, against those that the systems themselves built for a thousand questions; see
//! `bloom-systems/measured/README.md`.

use std::f64::consts::LN_2;
use std::fs;
use std::path::Path;

use bloom_params::{Query, like};

/// A row and its file, with every how many requests are compared where a rate takes long.
const ROWS: [(&str, &str, usize); 12] = [
    ("bits-and-blooms", "bits-and-blooms", 1),
    ("bloomfilter", "bloomfilter", 1),
    ("datasketches", "datasketches", 1),
    ("dcso", "dcso", 20),
    ("fastbloom", "fastbloom", 1),
    ("guava", "guava", 1),
    ("parquet", "parquet", 1),
    ("pyprobables", "pyprobables", 1),
    ("rbloom", "rbloom", 1),
    ("redis-nonscaling", "redis-nonscaling", 1),
    ("rocksdb", "rocksdb", 1),
    ("spark", "spark-v2", 1),
];

#[test]
fn rows_build_what_the_systems_built() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bloom-systems/measured/data");
    for (row, file, step) in ROWS {
        let library = like::library(row).expect("a row");
        let sizes = fs::read_to_string(folder.join(format!("{file}.sizes.csv"))).expect("measured");
        let (mut compared, mut wrong) = (0, Vec::new());
        for line in sizes.lines().skip(1).step_by(step) {
            let fields: Vec<_> = line.split(',').collect();
            let [items, rate, bits, hashes] = fields[..] else {
                panic!("{file}: {line}");
            };
            let mut query = Query {
                items: items.parse().ok(),
                rate: rate.parse().ok(),
                ..Query::default()
            };
            if row == "rocksdb" {
                // It was given whole bits per item by the usual rule.
                let rate: f64 = query.rate.take().expect("a rate");
                let per_item = (-rate.ln() / LN_2.powi(2)).ceil() as u64;
                query.bits = query.items.map(|items| items * per_item);
            }
            let built = library.solve(query).ok();
            let built = built.map(|built| (built.bits, built.hashes));
            let theirs = bits.parse().ok().zip(hashes.parse().ok());
            // A filter without hashes answers yes to everything: the row refuses it.
            let theirs = theirs.filter(|(_, hashes)| *hashes > 0);
            // RedisBloom 2.8.2, which was measured, takes any p; 8.8 takes at most 0.25.
            if row == "redis-nonscaling" && query.rate > Some(0.25) {
                continue;
            }
            compared += 1;
            if built != theirs {
                wrong.push(format!("{line}: {built:?}"));
            }
        }
        assert!(
            wrong.is_empty(),
            "{row}, {} of {compared}: {wrong:#?}",
            wrong.len()
        );
    }
}
