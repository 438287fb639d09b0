//! Computes how much the false-positive rate of double hashing rises because several positions of an item hit positions of a
//! query together, at first order in 1/m.
//!
//! Position i of an item hits position i' of a query with probability 1/m. The pair (i, i') is a point of a k by k grid. Two
//! pairs that hit fix both hash values of the item. If sums do not overflow, all other pairs on the line through these two then
//! hit as well. With overflows, a pair on the line hits only if the overflows fit, too. If t numbers the pairs on the line, the
//! points (t, item's overflows - query's overflows) of all pairs that hit must lie on a second line.

use alloc::vec;
use alloc::vec::Vec;

use super::Fill;
use super::enumeration::{gcd, totient};

/// The fewest points of a line that counts: two pairs of positions fix the line, and only a third pair hits because of them.
const MIN: usize = 3;

/// The most hashes for which [`enhanced`] counts pairs outside of the diagonal of the grid.
pub(super) const MAX_ENHANCED: usize = 32;

/// What splits the pairs on a line into groups that hit together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Split {
    /// Nothing: all pairs on a line hit together.
    None,
    /// Overflows modulo 2^W.
    Wrapped,
    /// The signs of both sums of a pair, and overflows.
    Reflected,
}

/// Returns the bounds of the excess due to the pairs of positions on lines, for `linked` positions in arithmetic progression.
/// The bounds are equal for [`Split::None`], and where [`WRAPPED`] has rows for all lines.
pub(super) fn excess(fill: &Fill<'_>, split: Split, linked: usize) -> (f64, f64) {
    let lines = lines(linked);
    let ways = |order| (order, totient(order as u64) as f64);
    let orders: Vec<_> = orders(split, fill.bits, linked)
        .into_iter()
        .map(ways)
        .collect();
    let (triples, twins) = (fill.unlikely(linked, 3), fill.unlikely(linked, 2));
    let bound = |is_high: bool| {
        let of_line = |weights: &[f64], points| split.mean(weights, points, is_high);
        let three: Vec<f64> = (0..=linked).map(|j| of_line(&triples, j)).collect();
        let two: Vec<f64> = (0..=linked).map(|j| of_line(&twins, j)).collect();
        let mut sum = 0.0;
        for (points, count) in lines.iter().enumerate().skip(MIN) {
            let mut each = three[points];
            for (order, ways) in &orders {
                // Modulo m/o, only every o-th point of the line hits because of two others.
                let (few, longer) = (points / order, points % order);
                let every = longer as f64 * two[few + 1] + (order - longer) as f64 * two[few];
                each += ways * every;
            }
            sum += count * each;
        }
        sum
    };
    let m = fill.bits as f64;
    let scale = fill.items / m / m;
    (scale * bound(false), scale * bound(true))
}

/// Returns the excess of enhanced double hashing. With more than [`MAX_ENHANCED`] hashes, it is that of
/// the diagonal alone.
///
/// Along a line i + t x, i' + t y the cubic terms of the two positions differ by a cubic c(t), and those pairs hit together
/// whose points (t, c(t)) lie on one line. On the diagonal, c is 0, so all pairs hit together. On other lines up to three do.
pub(super) fn enhanced(fill: &Fill<'_>) -> f64 {
    let weights = fill.unlikely(fill.hashes, 3);
    let mut sum = weights[fill.hashes];
    if fill.hashes <= MAX_ENHANCED {
        sum += enhanced_triples(fill.hashes as i64) * weights[3];
    }
    let m = fill.bits as f64;
    fill.items / m / m * sum
}

/// Returns the number of triples of points, over all lines except the diagonal, for which enhanced
/// positions hit together.
fn enhanced_triples(k: i64) -> f64 {
    let mut triples = 0_u64;
    let steps = (1..k).flat_map(|x| (1 - k..k).map(move |y| (x, y)));
    for (x, y) in steps.filter(|(x, y)| gcd(*x as u64, y.unsigned_abs()) == 1 && x != y) {
        for (i, j) in (0..k * k).map(|start| (start / k, start % k)) {
            let inside = |i: i64, j: i64| (0..k).contains(&i) && (0..k).contains(&j);
            if inside(i - x, j - y) {
                continue;
            }
            let points = (0..k).take_while(|t| inside(i + t * x, j + t * y)).count() as i64;
            // Three points of a cubic c3 t³ + c2 t² + ... are on a line if the sum of their t is -c2/c3.
            let (cubic, square) = (y * y * y - x * x * x, 3 * (j * y * y - i * x * x));
            if square % cubic != 0 {
                continue;
            }
            let sum = -square / cubic;
            for one in 0..points {
                let others = (one + 1)..points;
                let third =
                    others.filter(|other| (other + 1..points).contains(&(sum - one - other)));
                triples += third.count() as u64;
            }
        }
    }
    triples as f64
}

/// Returns the divisors o > 1 of m for which coincidences modulo m/o add to those modulo m. With overflows the o are powers of
/// two: modulo an odd number, overflows add as many coincidences as they prevent.
pub(super) fn orders(split: Split, bits: u64, linked: usize) -> Vec<usize> {
    let orders = (2..linked).filter(|order| bits.is_multiple_of(*order as u64));
    let orders = orders.filter(|order| split == Split::None || order.is_power_of_two());
    orders.collect()
}

/// Returns for each j the number of lines with slopes other than 0 and infinity that pass through
/// exactly j points of a k by k grid; 0 for j below 3.
fn lines(k: usize) -> Vec<f64> {
    let mut lines = vec![0.0; k + 1];
    for x in 1..=(k - 1) / 2 {
        for y in 1..=(k - 1) / 2 {
            if gcd(x as u64, y as u64) != 1 {
                continue;
            }
            let runs = |points: usize| {
                let along = |step: usize| k.saturating_sub((points - 1) * step);
                (along(x) * along(y)) as f64
            };
            for (points, lines) in lines.iter_mut().enumerate().skip(MIN) {
                if runs(points) == 0.0 {
                    break;
                }
                // A line of j points has j - i + 1 runs of i points. The slope has either sign.
                *lines += 2.0 * (runs(points) - 2.0 * runs(points + 1) + runs(points + 2));
            }
        }
    }
    lines
}

impl Fill<'_> {
    /// Returns for j = 0..=`linked` the increase of the false-positive probability where j bits of a query
    /// are hit together, of which at least `least` were clear: r^(k-j) P(Bin(j, q) >= `least`).
    pub(super) fn unlikely(&self, linked: usize, least: usize) -> Vec<f64> {
        let of = |j: usize| {
            let mut ways = 1.0;
            let mut sum = 0.0;
            for clear in 0..=j {
                if clear >= least {
                    sum += ways * self.clear[clear] * self.set[self.hashes - clear];
                }
                ways *= (j - clear) as f64 / (clear + 1) as f64;
            }
            sum
        };
        (0..=linked).map(of).collect()
    }
}

impl Split {
    /// Returns the mean total weight of the groups into which overflows split a line of `points`, where `weights[j]` is the
    /// weight of a group of j points. For a line that is longer than those of [`WRAPPED`], the last row of this table gives a
    /// bound.
    pub(super) fn mean(self, weights: &[f64], points: usize, is_high: bool) -> f64 {
        if self == Self::None || points < MIN {
            return weights[points];
        }
        // Signs and overflows together leave half as many groups of each size as overflows alone.
        let share = if self == Self::Reflected { 0.5 } else { 1.0 };
        let row = (points - MIN).min(WRAPPED.len() - 1);
        let longer = if is_high { points - MIN - row } else { 0 };
        let mut sum = 0.0;
        let mut left = (points * (points - 1) / 2) as f64;
        for (index, groups) in WRAPPED[row].iter().enumerate() {
            let (size, groups) = (index + MIN, groups * share);
            sum += groups * weights[size + longer];
            left -= groups * (size * (size - 1) / 2) as f64;
        }
        // The pairs of points that are in no group of three or more.
        sum + left * weights[2]
    }
}

/// Each row is for lines of j points, from j = 3 on. It has the expected numbers of groups of 3, 4, ... j points into which
/// overflows split such a line.
///
/// The sums along a line are again a progression, whose start and step, modulo 2^W, are uniform and independent. So the
/// distribution of the groups depends on j alone. The test `print_the_tables` computes it, exactly up to rounding, from the
/// areas of all patterns of overflows.
const WRAPPED: [&[f64]; 22] = [
    &[0.37500],
    &[0.47222, 0.19444],
    &[0.75000, 0.24306, 0.11458],
    &[1.02000, 0.28250, 0.14139, 0.07583],
    &[1.40278, 0.40694, 0.17014, 0.09139, 0.05278],
    &[1.79202, 0.53583, 0.18228, 0.11093, 0.06340, 0.03878],
    &[
        2.37105, 0.59188, 0.25106, 0.12065, 0.07894, 0.04504, 0.02964,
    ],
    &[
        2.76519, 0.78107, 0.32286, 0.12594, 0.08540, 0.05838, 0.03339, 0.02328,
    ],
    &[
        3.45640, 0.96864, 0.35025, 0.17091, 0.08840, 0.06487, 0.04373, 0.02565, 0.01867,
    ],
    &[
        4.14814, 1.15692, 0.37891, 0.21786, 0.09072, 0.06760, 0.04927, 0.03405, 0.02006, 0.01535,
    ],
    &[
        4.82272, 1.33895, 0.48747, 0.23335, 0.12179, 0.06817, 0.05245, 0.03898, 0.02698, 0.01598,
        0.01277,
    ],
    &[
        5.49753, 1.52134, 0.59619, 0.25019, 0.15288, 0.07048, 0.05303, 0.04152, 0.03132, 0.02188,
        0.01292, 0.01080,
    ],
    &[
        6.49712, 1.70620, 0.69684, 0.27018, 0.16257, 0.09274, 0.05385, 0.04261, 0.03382, 0.02556,
        0.01784, 0.01063, 0.00926,
    ],
    &[
        7.26934, 2.04090, 0.73883, 0.34110, 0.17269, 0.11583, 0.05492, 0.04306, 0.03494, 0.02777,
        0.02118, 0.01483, 0.00884, 0.00801,
    ],
    &[
        8.22862, 2.30271, 0.83800, 0.40723, 0.18627, 0.12179, 0.07206, 0.04330, 0.03560, 0.02885,
        0.02331, 0.01769, 0.01245, 0.00744, 0.00698,
    ],
    &[
        9.18795, 2.56461, 0.93725, 0.47353, 0.19993, 0.12816, 0.08938, 0.04429, 0.03556, 0.02975,
        0.02416, 0.01969, 0.01499, 0.01053, 0.00633, 0.00614,
    ],
    &[
        10.30599, 2.88498, 1.03957, 0.49720, 0.24449, 0.13883, 0.09307, 0.05759, 0.03611, 0.02939,
        0.02529, 0.02060, 0.01678, 0.01277, 0.00901, 0.00543, 0.00544,
    ],
    &[
        11.42406, 3.20541, 1.14191, 0.52101, 0.28904, 0.14965, 0.09701, 0.07110, 0.03674, 0.02980,
        0.02513, 0.02149, 0.01770, 0.01441, 0.01102, 0.00774, 0.00470, 0.00486,
    ],
    &[
        12.68322, 3.40609, 1.29177, 0.58370, 0.33201, 0.15693, 0.10493, 0.07356, 0.04728, 0.03026,
        0.02504, 0.02180, 0.01848, 0.01532, 0.01246, 0.00957, 0.00671, 0.00408, 0.00436,
    ],
    &[
        13.70860, 3.77644, 1.43061, 0.64917, 0.34671, 0.19030, 0.11280, 0.07627, 0.05793, 0.03088,
        0.02520, 0.02179, 0.01873, 0.01615, 0.01327, 0.01093, 0.00831, 0.00589, 0.00357, 0.00393,
    ],
    &[
        15.07517, 4.14715, 1.57011, 0.71567, 0.36111, 0.22184, 0.11834, 0.08238, 0.05955, 0.03961,
        0.02544, 0.02184, 0.01881, 0.01644, 0.01414, 0.01163, 0.00957, 0.00730, 0.00517, 0.00314,
        0.00356,
    ],
    &[
        16.44175, 4.51789, 1.70963, 0.78221, 0.37554, 0.25342, 0.12390, 0.08860, 0.06117, 0.04856,
        0.02578, 0.02200, 0.01878, 0.01668, 0.01436, 0.01243, 0.01029, 0.00843, 0.00644, 0.00458,
        0.00278, 0.00324,
    ],
];
