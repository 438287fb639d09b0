//! Derives the positions of random items as a system does, so that its filters can be simulated.

use bloom_core::Shape;

use crate::divisor::Divisor;
use crate::positions::{Positions, slice_width};
use crate::random::split_mix;
use crate::system::{LANES, Layout, System};
use crate::{chain, four_hashes, sums, walk};

impl System {
    /// Calls `visit` with the k positions of an item in turn, until `visit` returns `false`. Returns whether `visit` always
    /// returned `true`.
    ///
    /// The hash values of the item are random numbers that `key` seeds, so items of the same key have the same positions.
    ///
    /// # Panics
    ///
    /// `bits` and `hashes` must be those of a filter that the system builds.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_systems::system;
    ///
    /// let guava = system("guava").expect("a known system");
    /// let mut set = [false; 64];
    /// guava.visit(7, 64, 5, |position| {
    ///     set[position as usize] = true;
    ///     true
    /// });
    /// assert!(guava.visit(7, 64, 5, |position| set[position as usize]));
    /// ```
    pub fn visit(&self, key: u64, bits: u64, hashes: u8, visit: impl FnMut(u64) -> bool) -> bool {
        let mut state = key;
        let mut draw = move || split_mix(&mut state);
        if self.positions.hash_bits().is_none() {
            return self.visit_by(&mut draw, bits, hashes, visit);
        }
        // All positions follow from one hash value of 32 bits.
        let hash = draw() >> 32;
        if self.positions == Positions::Rotated {
            return self.visit_rotated(hash as u32, bits, hashes, visit);
        }
        let mut state = hash;
        self.visit_by(&mut || split_mix(&mut state), bits, hashes, visit)
    }

    fn visit_by(
        &self,
        draw: &mut dyn FnMut() -> u64,
        bits: u64,
        hashes: u8,
        mut visit: impl FnMut(u64) -> bool,
    ) -> bool {
        let k = u64::from(hashes);
        match self.layout {
            Layout::Whole => self.positions.all(draw, bits, hashes, &mut visit),
            Layout::Slices => {
                let slice = bits / k;
                let width = slice_width(slice);
                (0..k).all(|at| visit(at * slice + (draw() >> (64 - width)) % slice))
            }
            Layout::Blocks(block_bits) => {
                let block_bits = u64::from(block_bits);
                let first = draw() % (bits / block_bits) * block_bits;
                (0..k).all(|_| visit(first + draw() % block_bits))
            }
            Layout::SplitBlocks(block_bits) => {
                let (block_bits, lanes) = (u64::from(block_bits), u64::from(LANES));
                let first = draw() % (bits / block_bits) * block_bits;
                let lane_bits = block_bits / lanes;
                (0..lanes).all(|lane| visit(first + lane * lane_bits + draw() % lane_bits))
            }
        }
    }

    fn visit_rotated(
        &self,
        hash: u32,
        bits: u64,
        hashes: u8,
        mut visit: impl FnMut(u64) -> bool,
    ) -> bool {
        let (first, among) = match self.layout {
            Layout::Blocks(block_bits) => {
                let block_bits = u64::from(block_bits);
                (
                    u64::from(hash) % (bits / block_bits) * block_bits,
                    block_bits,
                )
            }
            _ => (0, bits),
        };
        let (mut sum, step) = (hash, hash.rotate_right(17));
        (0..hashes).all(|_| {
            let position = first + u64::from(sum) % among;
            sum = sum.wrapping_add(step);
            visit(position)
        })
    }
}

impl Positions {
    /// Calls `visit` with the positions of an item in turn, as [`System::visit`] does, for the layout [`Layout::Whole`].
    fn all(
        self,
        draw: &mut dyn FnMut() -> u64,
        bits: u64,
        hashes: u8,
        visit: &mut dyn FnMut(u64) -> bool,
    ) -> bool {
        let k = u64::from(hashes);
        let shape = || Shape::new(bits, hashes).expect("a filter that the system builds");
        match self {
            Self::Double(scheme) => {
                let (a, b) = (scheme.value(draw()), scheme.value(draw()));
                scheme.positions(a, b, bits, hashes).all(visit)
            }
            Self::Signed => {
                let mut next = sums::signed(draw() as u32, draw() as u32, Divisor::new(bits));
                (0..k).all(|_| visit(next()))
            }
            Self::Halved => {
                let mut next = sums::halved(draw(), draw(), Divisor::new(bits));
                (0..k).all(|_| visit(next()))
            }
            Self::FourHashes => {
                let (starts, steps) = ([draw(), draw()], [draw(), draw()]);
                let mut next = four_hashes::positions(starts, steps, Divisor::new(bits));
                (0..k).all(|_| visit(next()))
            }
            Self::Chained { .. } => {
                let key = draw();
                let hash = |seed: u32| split_mix(&mut (key ^ u64::from(seed))) as u32;
                chain::positions(hash, bits, hashes).all(visit)
            }
            Self::Walk => walk::positions(draw(), shape()).all(visit),
            _ => (0..k).all(|_| visit(draw() % bits)),
        }
    }
}
