//! Tests which bits a hash sets in filters of up to 2^63 bits. The expected positions are in a CSV
//! file that `tests/vectors/layout.py` computed from the documentation of the file format, with no
//! code of this crate.

use alloc::vec::Vec;

use crate::probe::{BlockProbe, LANE_SHIFTS, Mixed, Positions, ProbeSequence, reduce};
use crate::quality::HashQuality;
use crate::shape::Shape;
use crate::storage::slices;

#[test]
fn positions_are_those_of_the_vectors() {
    let mut count = 0;
    for row in include_str!("../tests/vectors/layout_positions.csv")
        .lines()
        .skip(1)
    {
        let columns: Vec<&str> = row.split(',').collect();
        let [kind, hash, folds, size, hashes, expected] = columns[..] else {
            panic!("six columns: {row}");
        };
        let hash = u64::from_str_radix(&hash[2..], 16).unwrap();
        let quality = HashQuality::of_folds(folds.parse().unwrap()).unwrap();
        let (size, k): (u64, u8) = (size.parse().unwrap(), hashes.parse().unwrap());
        let hash = Mixed::new(hash, quality);
        let got: Vec<u64> = match kind {
            "basic" | "counting" => Positions::new(hash, size, k).collect(),
            "partitioned" => slices(Shape::new(size, k).unwrap())
                .zip(ProbeSequence::new(hash))
                .map(|((start, length), probe)| start + reduce(probe, length))
                .collect(),
            "blocked" => {
                let BlockProbe { block, lanes } = BlockProbe::new(hash, size);
                let shifts = LANE_SHIFTS.iter().zip(0..);
                let lane =
                    |(shift, lane): (&u32, u64)| 512 * block + 64 * lane + (lanes >> shift & 63);
                shifts.map(lane).collect()
            }
            other => panic!("no kind {other}"),
        };
        let expected: Vec<u64> = expected.split(' ').map(|at| at.parse().unwrap()).collect();
        assert_eq!(got, expected, "{row}");
        count += 1;
    }
    assert_eq!(count, 648);
}
