//! The filters that systems build, as computed here, against those that the systems themselves built for a thousand requests; see
//! `measured/README.md`.

use std::f64::consts::LN_2;
use std::fs;
use std::path::Path;

use bloom_systems::{Request, System, system};

/// Returns the request that a system was measured with.
fn request(system: &System, items: u64, rate: f64) -> Request {
    if system.takes_rate() {
        return Request::for_rate(items, rate);
    }
    // It was given whole bits per item by the usual rule.
    let per_item = (-rate.ln() / LN_2.powi(2)).ceil() as u64;
    Request::for_bits(items, items * per_item)
}

#[test]
fn systems_build_what_they_built() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("measured/data");
    let (mut files, mut compared) = (0, 0);
    for file in fs::read_dir(folder).expect("measured") {
        let path = file.expect("a file").path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some(name) = name.strip_suffix(".sizes.csv") else {
            continue;
        };
        let system = system(name).unwrap_or_else(|| panic!("{name} is measured, but no system"));
        let mut wrong = Vec::new();
        for line in fs::read_to_string(&path).expect("a text").lines().skip(1) {
            let fields: Vec<_> = line.split(',').collect();
            let [items, rate, bits, hashes] = fields[..] else {
                panic!("{name}: {line}");
            };
            let (items, rate) = (items.parse().unwrap(), rate.parse().unwrap());
            // Of LevelDB, only the rates of few items are known.
            if items > system.sizing.most_items {
                continue;
            }
            let built = system.build(request(system, items, rate)).ok();
            let built = built.map(|built| (built.bits, built.hashes));
            let theirs = bits.parse().ok().zip(hashes.parse().ok());
            // A filter without hashes answers yes to everything: it is refused here.
            let theirs = theirs.filter(|(_, hashes)| *hashes > 0);
            compared += 1;
            if built != theirs {
                wrong.push(format!("{line}: {built:?}"));
            }
        }
        assert!(wrong.is_empty(), "{name}, {}: {wrong:#?}", wrong.len());
        files += 1;
    }
    assert!(
        files >= 21 && compared > 20_000,
        "{files} files, {compared} requests"
    );
}
