//! Estimates the mean false-positive rate of filters of DCSO bloom. Random samples say how full each class of positions is. A
//! class is the positions with one remainder modulo 2^e, the largest power of two that divides m.
//!
//! The positions of an item are a walk through these classes. The class of a position determines that of the next, so the
//! classes form cycles, and a class gets a position of every item that began at most k - 1 steps before it in its cycle. How
//! many items begin in each class is drawn at random. That gives the fill of each class. The fill gives the chance that all
//! positions of a query are set, one position in each of k successive classes.

use alloc::vec;
use alloc::vec::Vec;

use bloom_core::Shape;

use super::binomial::{binomial, log_binomial, uniform};
use super::fill::{Fill, Fills};
use super::odd_part;
use super::samples::{Effort, FEW, Samples};

/// The number of classes in which the queries of one sample begin, if the cycle has that many.
const RUN: usize = 1024;

/// Random filters, for which only the numbers of items that begin in each class modulo 2^e are drawn.
pub(super) struct Classes {
    hashes: usize,
    state: u64,
    /// The fill of a class, by the number of positions of items in it.
    fills: Fills,
    cycles: Vec<Cycle>,
    /// The numbers of items that begin in each class of a stretch of a cycle.
    begin: Vec<f64>,
    /// The fill of each class of the stretch.
    stretch: Vec<Fill>,
}

/// Cycles of one length, or stretches of longer ones.
struct Cycle {
    /// The number of classes in such a cycle or stretch, and the number of those in which queries begin.
    length: usize,
    queries: usize,
    /// The share of all classes that are in such cycles.
    share: f64,
    /// The numbers of items that may begin in such a cycle or stretch, in ascending order. Each has the probability that this
    /// number or a smaller one is drawn, and the weight of a sample with this number.
    totals: Vec<(f64, f64, f64)>,
    samples: Samples,
}

impl Classes {
    pub(super) fn new(shape: Shape, items: u64) -> Self {
        let (hashes, odd) = (usize::from(shape.hashes()), odd_part(shape));
        let room = RUN + 2 * hashes - 2;
        let mut all = Self {
            hashes,
            state: 1,
            fills: Fills::new(odd as f64),
            cycles: Vec::new(),
            begin: vec![0.0; room],
            stretch: vec![Fill::default(); room],
        };
        let classes = (shape.bits() / odd) as f64;
        // Classes whose numbers are divisible by the same power of two form a group. Class 0 is a group alone, and the other
        // groups have 1, 2, 4 and so on classes. In this order of the groups, the length of their cycles is the order of -1469
        // modulo 2^0, 2^1, 2^2 and so on: 1, 1, 2, 2, 4 and so on.
        let (mut length, mut left) = (1, classes);
        while left > 0.0 {
            let (is_long, next) = (length >= room, (2 * length) as f64);
            let of_length = match length {
                _ if is_long => left,
                1 => 2.0,
                2 => f64::min(6.0, left),
                _ => next,
            };
            let cycle = all.cycle(
                if is_long { room } else { length },
                is_long,
                items as f64,
                classes,
            );
            all.cycles.push(Cycle {
                share: of_length / classes,
                ..cycle
            });
            left -= of_length;
            length *= 2;
        }
        all
    }

    /// Returns cycles of a length, with the numbers of items that samples may have: those that matter most for the rate.
    fn cycle(&mut self, length: usize, is_long: bool, items: f64, classes: f64) -> Cycle {
        let share = length as f64 / classes;
        let deviation = libm::sqrt(items * share * (1.0 - share));
        // A sum over every `step`-th number of items is as good as a sum over all numbers.
        let step = libm::floor(deviation / 8.0).max(1.0);
        let least = libm::floor(items * share - 12.0 * deviation).max(0.0);
        let (mut totals, mut highest) = (Vec::new(), f64::NEG_INFINITY);
        let mut total = least;
        while total <= items {
            let rate = self.rate_of_mean(length, total);
            let log = log_binomial(items, total, share) + libm::log(rate);
            highest = highest.max(log);
            if log < highest - 30.0 {
                break;
            }
            totals.push((total, log, rate));
            total += step;
        }
        let all: f64 = totals
            .iter()
            .map(|(_, log, _)| libm::exp(log - highest))
            .sum();
        let scale = all * libm::exp(highest) * step;
        let mut sum = 0.0;
        for (_, log, rate) in &mut totals {
            sum += libm::exp(*log - highest) / all;
            (*log, *rate) = (sum, scale / *rate);
        }
        Cycle {
            length,
            queries: if is_long { RUN } else { length },
            share: 0.0,
            totals,
            samples: Samples::default(),
        }
    }

    /// Returns the rate of a cycle in whose classes items begin as evenly as possible.
    fn rate_of_mean(&mut self, length: usize, items: f64) -> f64 {
        let fill = self.fills.of(items * self.hashes as f64 / length as f64);
        (0..self.hashes)
            .map(|step| self.fills.after_others(fill, step / length))
            .product()
    }

    /// Returns the mean rate, and its standard error.
    pub(super) fn mean(&mut self, effort: Effort) -> (f64, f64) {
        let mut taken = 0;
        loop {
            // How much the next sample of a cycle lowers the variance of the mean, per class of the cycle.
            let gain = |cycle: &Cycle| {
                let variance = cycle.share * cycle.share * cycle.samples.variance_of_mean();
                variance / f64::from(cycle.samples.count + 1) / cycle.length as f64
            };
            let few = self
                .cycles
                .iter()
                .position(|cycle| cycle.samples.count < FEW);
            let next = few.unwrap_or_else(|| {
                let best = (0..self.cycles.len())
                    .max_by(|&a, &b| gain(&self.cycles[a]).total_cmp(&gain(&self.cycles[b])));
                best.expect("there is a cycle")
            });
            let value = self.sample(next);
            self.cycles[next].samples.push(value);
            taken += self.cycles[next].length as u64;
            if few.is_some() {
                continue;
            }
            let mean: f64 = self
                .cycles
                .iter()
                .map(|cycle| cycle.share * cycle.samples.mean())
                .sum();
            let variance =
                |cycle: &Cycle| cycle.share * cycle.share * cycle.samples.variance_of_mean();
            let error = libm::sqrt(self.cycles.iter().map(variance).sum());
            if taken >= effort.most || error <= effort.error * mean {
                return (mean, error);
            }
        }
    }

    /// Draws the items of a cycle. Returns the mean rate of the queries that begin in the cycle, times the weight of the number
    /// of items.
    fn sample(&mut self, cycle: usize) -> f64 {
        let (hashes, cycle) = (self.hashes, &self.cycles[cycle]);
        let (length, queries) = (cycle.length, cycle.queries);
        let drawn = uniform(&mut self.state);
        let found = cycle.totals.iter().find(|(_, below, _)| drawn < *below);
        let Some(&(total, _, weight)) = found.or(cycle.totals.last()) else {
            return 0.0;
        };
        let (mut left, mut classes) = (total, length as f64);
        for begin in &mut self.begin[..length] {
            *begin = binomial(left, 1.0 / classes, &mut self.state);
            left -= *begin;
            classes -= 1.0;
        }
        // A class has a position of each item that began at most k - 1 classes before it.
        let mut positions: f64 = (0..hashes).map(|step| self.begin[step % length]).sum();
        for class in 0..length.min(queries + hashes - 1) {
            self.stretch[class] = self.fills.of(positions);
            positions += self.begin[(class + hashes) % length] - self.begin[class];
        }
        let mut sum = 0.0;
        if length < hashes {
            // A query has several positions in one class.
            for query in 0..length {
                let set = |step: usize| {
                    let fill = self.stretch[(query + step) % length];
                    self.fills.after_others(fill, step / length)
                };
                sum += (0..hashes).map(set).product::<f64>();
            }
        } else {
            let mut log: f64 = self.stretch[..hashes].iter().map(|fill| fill.log).sum();
            for query in 0..queries {
                sum += libm::exp(log);
                log += self.stretch[(query + hashes) % length].log - self.stretch[query].log;
            }
        }
        sum / queries as f64 * weight
    }
}
