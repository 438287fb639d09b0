//! The body of the target `shape_solver`: for any items n, bits m, hashes k and rate p, the size that bloom-core computes must
//! keep the rate, no smaller size may keep it, and the crate bloom-params must agree.

use crate::repro::Real;
use arbitrary::{Arbitrary, Result, Unstructured};
use bloom_core::math::blocked::{self, Block};
use bloom_core::math::{MAX_BITS, MathError, Model};
use bloom_core::{BlockedShape, Shape, ShapeError};
use bloom_fuzz_kit::{Checked, Integer, law};
use bloom_params::{Query, QueryError};

use super::runs;

/// If there are fewer bits and fewer items than this, a computed size must be minimal to the bit. In larger filters, the rates
/// of neighbouring sizes may be equal as `f64`.
const EXACT: u64 = 1 << 40;

/// The block of bloom-core's blocked filter: each of its 8 lanes of 64 bits gets one bit of an item.
const BLOCK: Block = Block::Split {
    lanes: 8,
    lane_bits: 64,
};

/// The smallest number of bits that keeps a rate, with its number of hashes; or the reason why there is none.
type Size = std::result::Result<(u64, u8), MathError>;

/// Values for n, m, k and p, which may be out of range, and what to compute from them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeSolver {
    /// Items n.
    pub items: u64,
    /// Bits m.
    pub bits: u64,
    /// Hashes k.
    pub hashes: u8,
    /// The rate p.
    pub rate: Real,
    /// The formula for the rate: 0 exact, 1 textbook, 2 asymptotic, 3 partitioned.
    pub model: u8,
    /// Which of n, m, k and p are passed to bloom-params: one bit for each, from n in the lowest bit to p in the fourth.
    pub given: u8,
}

runs!(ShapeSolver);

impl ShapeSolver {
    fn check(&self) -> Checked {
        let model = match self.model % 4 {
            0 => Model::Exact,
            1 => Model::Textbook,
            2 => Model::Asymptotic,
            _ => Model::Partitioned,
        };
        self.check_rate(model)?;
        self.check_min_bits(model)?;
        let solved = model.min_size(self.items, self.rate.0);
        self.check_min_size(model, solved)?;
        self.check_max_items(model)?;
        self.check_shapes((model == Model::Exact).then_some(solved))?;
        self.check_query(model)
    }

    fn check_rate(&self, model: Model) -> Checked {
        let (n, m, k) = (self.items, self.bits, self.hashes);
        let valid = (1..=MAX_BITS).contains(&m) && k > 0;
        let rate = model.rate(n, m, k);
        law(
            rate.is_ok() == valid,
            "a rate must be returned exactly for sizes in range",
            &rate,
        )?;
        if let Ok(rate) = rate {
            let sound = (0.0..=1.0).contains(&rate.value()) && rate.ln() <= 0.0;
            law(
                sound && (n > 0 || rate.value() == 0.0),
                "a rate must be a share",
                &rate,
            )?;
        }
        Ok(())
    }

    fn check_min_bits(&self, model: Model) -> Checked {
        let (n, k, p) = (self.items, self.hashes, self.rate.0);
        let solved = model.min_bits(n, k, p);
        let valid = n > 0 && k > 0 && p > 0.0 && p < 1.0;
        let is_right = match solved {
            Ok(m) => valid && (1..=MAX_BITS).contains(&m),
            Err(MathError::NeedsTooManyBits { .. }) => valid,
            Err(_) => !valid,
        };
        law(
            is_right,
            "bits must be solved exactly if the numbers are in range",
            &solved,
        )?;
        let Ok(m) = solved else { return Ok(()) };
        let meets = model.meets(n, m, k, p) == Ok(true);
        law(meets, "the fewest bits must meet the rate", &m)?;
        if m > 1 && m < EXACT && n < EXACT {
            let misses = model.meets(n, m - 1, k, p) == Ok(false);
            law(misses, "one bit fewer must miss the rate", &m)?;
            let most = model.max_items(m, k, p);
            let holds = match most {
                Ok(most) => most >= n,
                Err(error) => matches!(error, MathError::HoldsTooManyItems { .. }),
            };
            law(
                holds,
                "the fewest bits for n items must hold n items",
                &most,
            )?;
        }
        Ok(())
    }

    fn check_min_size(&self, model: Model, solved: Size) -> Checked {
        let (n, p) = (self.items, self.rate.0);
        let Ok((m, k)) = solved else {
            return Ok(());
        };
        let meets = model.meets(n, m, k, p) == Ok(true);
        let misses = |bits, hashes| model.meets(n, bits, hashes, p) == Ok(false);
        law(meets, "a smallest size must meet the rate", &(m, k))?;
        if m > 1 && m < EXACT && n < EXACT {
            for other in [
                k.saturating_sub(1).max(1),
                k,
                k.saturating_add(1),
                self.hashes.max(1),
            ] {
                let misses = misses(m - 1, other);
                law(misses, "no smaller size must meet the rate", &other)?;
            }
            let fewest = k == 1 || misses(m, k - 1);
            law(fewest, "ties must go to fewer hashes", &(m, k))?;
        }
        Ok(())
    }

    fn check_max_items(&self, model: Model) -> Checked {
        let (m, k, p) = (self.bits, self.hashes, self.rate.0);
        let Ok(n) = model.max_items(m, k, p) else {
            return Ok(());
        };
        let meets = n == 0 || model.meets(n, m, k, p) == Ok(true);
        law(meets, "the most items must meet the rate", &n)?;
        if m < EXACT && n < EXACT {
            let misses = model.meets(n + 1, m, k, p) == Ok(false);
            law(misses, "one item more must miss the rate", &n)?;
        }
        let over_all = model.max_items_and_hashes(m, p);
        let no_fewer = over_all.is_ok_and(|(most, _)| most >= n || m >= EXACT || n >= EXACT);
        let too_many = matches!(over_all, Err(MathError::HoldsTooManyItems { .. }));
        law(
            no_fewer || too_many,
            "the best hashes must hold no fewer items",
            &(over_all, n),
        )
    }

    /// Checks `Shape::for_rate`, which solves the exact model, and `BlockedShape::for_rate`. To solve the exact model takes
    /// long. So the shape is compared with `solved` if the caller has the smallest size already; otherwise, the shape must
    /// satisfy the laws of a smallest size.
    fn check_shapes(&self, solved: Option<Size>) -> Checked {
        let (n, m, k, p) = (self.items, self.bits, self.hashes, self.rate.0);
        let valid = (1..=MAX_BITS).contains(&m) && k > 0;
        law(
            Shape::new(m, k).is_ok() == valid,
            "a shape must have sizes in range",
            &(m, k),
        )?;
        let shape = Shape::for_rate(n, p);
        let agrees = match (shape, solved) {
            (Ok(shape), Some(solved)) => solved == Ok((shape.bits(), shape.hashes())),
            (Ok(shape), None) => {
                self.check_min_size(Model::Exact, Ok((shape.bits(), shape.hashes())))?;
                true
            }
            (Err(ShapeError::RateUnderHashFloor { floor, .. }), _) => floor * 100.0 > p,
            (Err(_), Some(solved)) => solved.is_err(),
            (Err(_), None) => Model::Exact.min_size(n, p).is_err(),
        };
        law(agrees, "a shape for a rate must be the smallest", &shape)?;
        // Blocked filters are checked only for few items and high rates: their rate is a sum over the numbers of items that a
        // block may get, which takes long.
        if n > 100_000 || p < 1e-9 {
            return Ok(());
        }
        let Ok(shape) = BlockedShape::for_rate(n, p) else {
            return Ok(());
        };
        let rate = |blocks| blocked::rate(n, blocks, BLOCK).map(|rate| rate.value() <= p);
        let blocks = shape.blocks();
        let least = rate(blocks) == Ok(true) && (blocks == 1 || rate(blocks - 1) == Ok(false));
        law(least, "blocks for a rate must be the fewest", &blocks)
    }

    /// bloom-params must keep the values that it is given, and report a given rate as met exactly if it is met. If it gives an
    /// error, the error must report too few values exactly if too few are given.
    fn check_query(&self, model: Model) -> Checked {
        let given = |bit: u8| self.given >> bit & 1 == 1;
        let query = Query {
            items: given(0).then_some(self.items),
            bits: given(1).then_some(self.bits),
            hashes: given(2).then_some(self.hashes),
            rate: given(3).then_some(self.rate.0),
            model,
            ..Query::default()
        };
        match query.solve() {
            Ok(solution) => {
                let (n, m, k) = (solution.items, solution.bits, solution.hashes);
                let keeps = query.items.is_none_or(|items| items == n)
                    && query.bits.is_none_or(|bits| bits == m)
                    && query.hashes.is_none_or(|hashes| hashes == k);
                law(keeps, "what is given must stay", &(n, m, k))?;
                // bloom-params may answer with 0 items, which does not count as meeting the rate.
                let meets = |rate| n > 0 && model.meets(n, m, k, rate) == Ok(true);
                let met = query.rate.map(meets);
                law(
                    solution.met == met,
                    "a rate must be reported as met exactly if it is met",
                    &(solution.met, met),
                )
            }
            Err(error) => {
                let follows = matches!(error, QueryError::Underdetermined(_));
                // The values that do not suffice: none, one alone, or k with p. Items with hashes suffice, and bits with
                // hashes, because bloom-params then assumes a half-full filter.
                let few = [0b0000, 0b0001, 0b0010, 0b0100, 0b1000, 0b1100];
                let expected = few.contains(&(self.given & 15)) && query.items != Some(0);
                law(
                    follows == expected,
                    "the error must report too few values exactly if too few are given",
                    &(error, query),
                )
            }
        }
    }
}

/// Draws a number of any order of magnitude, often a special one, such as 0, 2^k, 2^k - 1 or 2^64 - 1.
fn wide(u: &mut Unstructured<'_>) -> Result<u64> {
    Ok(match u.int_in_range(0..=3)? {
        0 => u.arbitrary::<Integer>()?.0,
        1 => (1 << u.int_in_range(0..=63)?) - u64::from(u.int_in_range(0..=2_u8)? == 1),
        2 => u.int_in_range(0..=1_000_000)?,
        _ => u.arbitrary::<u64>()? >> u.int_in_range(0..=63)?,
    })
}

impl<'a> Arbitrary<'a> for ShapeSolver {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let items = wide(u)?;
        let bits = match u.int_in_range(0..=2)? {
            0 => wide(u)?,
            // From 1 to 40 bits per item, as filters have in practice.
            _ => items.saturating_mul(u.int_in_range(1..=40)?),
        };
        let hashes = match u.int_in_range(0..=3)? {
            0 => u.arbitrary()?,
            _ => u.int_in_range(1..=20)?,
        };
        let rate = match u.int_in_range(0..=3)? {
            0 => f64::from_bits(u.arbitrary()?),
            1 => *u.choose(&[
                0.01,
                0.001,
                0.5,
                1e-6,
                0.1,
                1e-9,
                0.25,
                1.0 - 1e-16,
                5e-324,
                0.0,
            ])?,
            2 => 0.5_f64.powi(u.int_in_range(1..=60)?),
            _ => f64::from(u.int_in_range(1..=999_999_u32)?) / 1e6,
        };
        Ok(Self {
            items,
            bits,
            hashes,
            rate: Real(rate),
            model: u.int_in_range(0..=3)?,
            given: u.int_in_range(0..=15)?,
        })
    }
}
