//! Compares the SVG of each chart, and of diagrams, with a snapshot that was reviewed by eye, as text.
//!
//! After an intended change of the looks, review the pictures and update the snapshots with `SNAPSHOTS=overwrite cargo test -p
//! bloom-plot --test suite snapshots::`. The diagrams are given all positions, and nothing is measured, so that no snapshot
//! depends on the default hasher.

use std::fs;
use std::path::Path;

use crate::common::{BENCHMARK, folder, run, stderr};

/// A plain filter of sixteen bits, in which y is a false positive.
const SIXTEEN: &str = "diagram --positions a=2,6,13 --positions b=4,10,11 --positions c=6,11,12 \
                       --positions x=4,13,15 --positions y=2,4,11 --query x,y,b";

/// A filter of five counters, in which a is inserted and removed, and b stays.
const COUNTERS: &str = "diagram --filter counting --m 5 --insert a,b --remove a --query a,b \
                        --positions a=1,2 --positions b=2,4";

/// A filter of four blocks, in which the positions of each item are in one block.
const BLOCKS: &str = "diagram --filter blocked --insert a,b --query a,d --positions a=1,2,7 \
                      --positions b=17,18,20 --positions d=17,18,21";

/// A filter of three slices, in which each item has one position in each slice.
const SLICES: &str = "diagram --filter partitioned --insert a,b --query a,d,e --positions a=2,9,21 \
                      --positions b=2,12,18 --positions d=2,9,18 --positions e=2,13,18";

/// The names of pictures, and the arguments that produce them.
const PICTURES: [(&str, &str); 20] = [
    ("rate-by-items", "rate-by-items"),
    ("rate-by-bits", "rate-by-bits"),
    ("rate-by-hashes", "rate-by-hashes"),
    ("bits-by-rate", "bits-by-rate"),
    ("sizing-error", "sizing-error"),
    ("model-error", "model-error"),
    ("hashing-error", "hashing-error"),
    ("hash-floor", "hash-floor"),
    ("blocked-cost", "blocked-cost --theme dark"),
    ("blocked-rate", "blocked-cost --show rate"),
    ("scalable-growth", "scalable-growth"),
    ("scalable-memory", "scalable-growth --show memory"),
    ("counter-overflow", "counter-overflow"),
    ("trust", "trust"),
    ("rate-spread", "rate-spread"),
    ("estimate-error", "estimate-error"),
    ("sixteen-bits", SIXTEEN),
    ("counters", COUNTERS),
    ("blocks", BLOCKS),
    ("slices", SLICES),
];

#[test]
fn every_picture_matches_its_snapshot() {
    let overwrite = std::env::var("SNAPSHOTS").is_ok_and(|what| what == "overwrite");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let folder = folder("snapshots");
    fs::write(folder.join("bench.csv"), BENCHMARK).unwrap();
    let mut changed = Vec::new();
    for (name, args) in PICTURES.into_iter().chain([("speed", "speed bench.csv")]) {
        let args = args.split_whitespace();
        let args: Vec<&str> = args.chain(["--size", "400x300", "-o", "-"]).collect();
        let output = run(&folder, &args);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let drawn = String::from_utf8(output.stdout).unwrap();
        let path = kept.join(name).with_extension("svg");
        if overwrite {
            fs::write(&path, &drawn).unwrap();
            continue;
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        let mut lines = kept.lines().zip(drawn.lines());
        if let Some((old, new)) = lines.find(|(old, new)| old != new) {
            changed.push(format!("{name}:\n- {old:.160}\n+ {new:.160}"));
        } else if kept.lines().count() != drawn.lines().count() {
            changed.push(format!("{name}: another length"));
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

#[test]
fn every_chart_has_a_png() {
    let folder = folder("pixels");
    fs::write(folder.join("bench.csv"), BENCHMARK).unwrap();
    for (name, args) in PICTURES.into_iter().chain([("speed", "speed bench.csv")]) {
        let args = args.split_whitespace();
        let more = [
            "--size", "400x300", "--dpi", "192", "--format", "png", "-o", "-",
        ];
        let output = run(&folder, &args.chain(more).collect::<Vec<_>>());
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let decoder = png::Decoder::new(std::io::Cursor::new(output.stdout));
        let mut reader = decoder.read_info().unwrap();
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut buffer).unwrap();
        assert_eq!((info.width, info.height), (800, 600), "{name}");
        let pixel = |x: usize, y: usize| &buffer[3 * (800 * y + x)..][..3];
        let dark = name == "blocked-cost";
        let paper: [u8; 3] = if dark { [0x14, 0x17, 0x1c] } else { [0xff; 3] };
        for (x, y) in [(0, 0), (799, 0), (0, 599), (799, 599), (4, 300)] {
            assert_eq!(pixel(x, y), paper, "{name} at {x}, {y}");
        }
        let count = |colour: [u8; 3]| buffer.chunks(3).filter(|pixel| **pixel == colour).count();
        // The image must have pixels in the colour of the texts, and in the colour of the first series.
        let ink = if dark { [0xe8; 3] } else { [0x22; 3] };
        assert!(count(ink) > 40, "{name} has texts");
        let first = if dark {
            [0x56, 0xb4, 0xe9]
        } else {
            [0x00, 0x72, 0xb2]
        };
        assert!(count(first) > 30, "{name} has a first curve");
        assert!(count(paper) > 800 * 600 / 2, "{name} is not a blot");
    }
}
