//! Describes the filter of Apache Cassandra (Java).

use super::prelude::*;

/// The filter of a data file (SSTable).
pub const CASSANDRA: System = System {
    name: "cassandra",
    version: "trunk",
    source: "apache/cassandra, BloomCalculations.java at 1c055686, FilterFactory.java at 52ab6b74, \
             OffHeapBitSet.java at 457832e9; BloomFilter.java, TableParams.java",
    note: "p of 0.393 or more gets 1 bit per item and 2 hashes, because two numbers of the code are in the wrong order",
    sizing: Sizing {
        bits: Bits::Table(&PEI_CAO),
        steps: &[Step::Add(20), Step::Up(64)],
        hashes: Hashes::WithBits,
        most_bits: JAVA_LONGS,
        ..USUAL
    },
    positions: Positions::Double(Scheme::Reflected),
    call: Template::of_rate(
        Language::Other,
        "ALTER TABLE my_table WITH bloom_filter_fp_chance = {p};",
    ),
    ..SYSTEM
};

/// Pei Cao's table: the rate for each number of bits per item (a row) and of hashes (a column). For rates from 0.393 on,
/// Cassandra takes 1 bit per item and 2 hashes, although 0.393 is the rate of 2 bits per item and 1 hash.
pub(super) const PEI_CAO: Table = Table {
    name: "Pei Cao's table",
    rates: &RATES,
    first: 2,
    coarse: (0.393, (1, 2)),
    fine: None,
};

/// The table of an early version of Cassandra, with rows for 2 to 15 bits per item. Rates below all entries
/// get 15 bits per item and 8 hashes.
pub(super) const OLD_PEI_CAO: Table = Table {
    rates: &OLD_RATES,
    fine: Some((15, 8)),
    ..PEI_CAO
};

/// The number of entries in each row of the early table. They are the first entries of the same row of [`RATES`].
const OLD_HASHES: [usize; 14] = [1, 2, 3, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 8];

const OLD_RATES: [&[f64]; 14] = {
    let (mut rows, mut row) = ([RATES[0]; 14], 0);
    while row < rows.len() {
        rows[row] = RATES[row].split_at(OLD_HASHES[row]).0;
        row += 1;
    }
    rows
};

pub(super) const RATES: [&[f64]; 19] = [
    &[0.393, 0.400],
    &[0.283, 0.237, 0.253],
    &[0.221, 0.155, 0.147, 0.160],
    &[0.181, 0.109, 0.092, 0.092, 0.101],
    &[0.154, 0.0804, 0.0609, 0.0561, 0.0578, 0.0638],
    &[0.133, 0.0618, 0.0423, 0.0359, 0.0347, 0.0364],
    &[0.118, 0.0489, 0.0306, 0.024, 0.0217, 0.0216, 0.0229],
    &[
        0.105, 0.0397, 0.0228, 0.0166, 0.0141, 0.0133, 0.0135, 0.0145,
    ],
    &[
        0.0952, 0.0329, 0.0174, 0.0118, 0.00943, 0.00844, 0.00819, 0.00846,
    ],
    &[
        0.0869, 0.0276, 0.0136, 0.00864, 0.0065, 0.00552, 0.00513, 0.00509,
    ],
    &[
        0.08, 0.0236, 0.0108, 0.00646, 0.00459, 0.00371, 0.00329, 0.00314,
    ],
    &[
        0.074, 0.0203, 0.00875, 0.00492, 0.00332, 0.00255, 0.00217, 0.00199, 0.00194,
    ],
    &[
        0.0689, 0.0177, 0.00718, 0.00381, 0.00244, 0.00179, 0.00146, 0.00129, 0.00121, 0.0012,
    ],
    &[
        0.0645, 0.0156, 0.00596, 0.003, 0.00183, 0.00128, 0.001, 0.000_852, 0.000_775, 0.000_744,
    ],
    &[
        0.0606, 0.0138, 0.005, 0.00239, 0.00139, 0.000_935, 0.000_702, 0.000_574, 0.000_505,
        0.00047, 0.000_459,
    ],
    &[
        0.0571, 0.0123, 0.00423, 0.00193, 0.00107, 0.000_692, 0.000_499, 0.000_394, 0.000_335,
        0.000_302, 0.000_287, 0.000_284,
    ],
    &[
        0.054, 0.0111, 0.00362, 0.00158, 0.000_839, 0.000_519, 0.00036, 0.000_275, 0.000_226,
        0.000_198, 0.000_183, 0.000_176,
    ],
    &[
        0.0513, 0.00998, 0.00312, 0.0013, 0.000_663, 0.000_394, 0.000_264, 0.000_194, 0.000_155,
        0.000_132, 0.000_118, 0.000_111, 0.000_109,
    ],
    &[
        0.0488, 0.00906, 0.0027, 0.00108, 0.00053, 0.000_303, 0.000_196, 0.00014, 0.000_108,
        8.89e-5, 7.77e-5, 7.12e-5, 6.79e-5, 6.71e-5,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Each entry is (1 - e^(-k n / m))^k, rounded to three digits, except one that is rounded to two.
    #[test]
    fn every_entry_is_its_formula_to_three_digits() {
        for (bits, rates) in (PEI_CAO.first..).zip(RATES) {
            for (hashes, entry) in (1..).map(f64::from).zip(rates) {
                let clear = libm::exp(-hashes / bits as f64);
                let rate = libm::pow(1.0 - clear, hashes);
                let last_digit = libm::pow(10.0, libm::floor(libm::log10(rate)) - 2.0);
                // The table has 0.092 where the formula gives 0.0918.
                let digit = if (bits, hashes) == (5, 3.0) {
                    1e-3
                } else {
                    last_digit
                };
                assert!(
                    (rate - entry).abs() <= 0.500_001 * digit,
                    "m/n = {bits}, k = {hashes}: {entry} for {rate}"
                );
            }
        }
    }
}
