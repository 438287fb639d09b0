//! Computes the filter that a system builds for a request, by the rule of the system.

use alloc::vec::Vec;
use core::f64::consts::LN_2;

use crate::refusal::Refusal;
use crate::request::{Built, ByFormula, Formula, Request, Worked};
use crate::rule::{Bits, Hashes, NoHash, Own, RateStep, Rounded, Step, Takes};
use crate::system::System;

impl System {
    /// Returns the filter that the system builds for a request.
    ///
    /// # Errors
    ///
    /// The system builds no such filter, and the refusal says why.
    ///
    /// # Examples
    ///
    /// ```
    /// use bloom_systems::{Request, system};
    ///
    /// let guava = system("guava").expect("a known system");
    /// let built = guava.build(Request::for_rate(2_000, 0.01)).expect("within its limits");
    /// assert_eq!((built.bits, built.hashes), (19_200, 7));
    /// ```
    pub fn build(&self, request: Request) -> Result<Built, Refusal> {
        let mut work = Work::new(self, request.items);
        let size = work.size(request)?;
        let (got, most) = (size.bits, self.sizing.most_bits);
        if got == 0 && self.sizing.no_hash == NoHash::Kept {
            return Err(Refusal::AlwaysTrue);
        }
        if got == 0 || got > most.into() {
            return Err(Refusal::Bits { most, got });
        }
        let hashes = work.hashes(&size)?;
        Ok(Built {
            bits: u64::try_from(got).unwrap_or(u64::MAX),
            hashes,
            work: work.done,
            capped: size.capped,
        })
    }

    /// Returns the bits by the system's rule, even if the system builds no filter of this size.
    pub(crate) fn bits(&self, request: Request) -> Result<Size, Refusal> {
        Work::new(self, request.items).size(request)
    }

    /// Returns the m/n that the system computes with. RocksDB limits m/n, and rounds it to thousandths of a bit; other systems
    /// use it as it is.
    pub fn per_item(&self, bits: u64, items: u64) -> f64 {
        let requested = bits as f64 / items as f64;
        match self.sizing.bits {
            Bits::Thousandths(of, _) => of(requested) as f64 / 1000.0,
            _ => requested,
        }
    }

    /// Returns the rate that the system computes with if `rate` is requested; 1/2 if no rate is requested.
    pub fn rate_taken(&self, rate: Option<f64>) -> f64 {
        Work::new(self, 1).rate_taken(rate)
    }
}

/// The bits of a filter, and the values that the hashes may be computed from.
pub(crate) struct Size {
    /// The rate p that the system computes with.
    rate: f64,
    begun: Begun,
    pub(crate) bits: u128,
    /// The limit to which a step lowered the bits, if one did.
    pub(crate) capped: Option<u64>,
}

/// The bits before any [`Step`] changes them, and the values that the hashes may be computed from.
#[derive(Default)]
struct Begun {
    whole: u128,
    per_item: f64,
    /// The hashes, if a table, slices or the system's own computation gives them with the bits; else 0.
    hashes: u64,
}

impl Begun {
    /// Returns a value with these bits, and with 0 for the bits per item and the hashes.
    fn of(whole: u128) -> Self {
        Self {
            whole,
            ..Self::default()
        }
    }
}

/// A computation of m and k for a number of items, with the steps that are done so far.
struct Work<'a> {
    system: &'a System,
    items: u64,
    done: Vec<Worked>,
}

impl<'a> Work<'a> {
    fn new(system: &'a System, items: u64) -> Self {
        Self {
            system,
            items,
            done: Vec::new(),
        }
    }

    /// Returns the bits of the filter after all steps of the rule.
    fn size(&mut self, request: Request) -> Result<Size, Refusal> {
        let (most, got) = (self.system.sizing.most_items, self.items);
        if got > most {
            return Err(Refusal::Items { most, got });
        }
        if let (Takes::WholeBitsPerItem, Some(bits)) = (self.system.sizing.takes, request.bits)
            && bits % self.items != 0
        {
            let got = bits as f64 / self.items as f64;
            return Err(Refusal::WholeBitsPerItem { got });
        }
        let requested = request.rate.filter(|_| request.bits.is_none());
        let rate = self.rate_taken(requested);
        if let (0.0, Some(got)) = (rate, requested) {
            // In single precision, a rate up to half of the least positive number is rounded to 0. A system
            // that halves p turns the least positive `f64` into 0.
            let mut steps = self.system.sizing.rate.iter();
            let least = if steps.any(|step| matches!(step, RateStep::Single)) {
                f64::from(f32::from_bits(1)) / 2.0
            } else {
                f64::from_bits(1)
            };
            return Err(Refusal::RateNotAbove { least, got });
        }
        let begun = self.begin(rate, request.bits)?;
        let mut capped = None;
        let mut bits = begun.whole;
        for &step in self.system.sizing.steps {
            let next = step.of(bits);
            if let (Step::AtMost(most), true) = (step, next < bits) {
                capped = Some(most);
            }
            if next != bits {
                self.done.push(Worked::Changed { step, bits: next });
            }
            bits = next;
        }
        Ok(Size {
            rate,
            begun,
            bits,
            capped,
        })
    }

    fn rate_taken(&mut self, rate: Option<f64>) -> f64 {
        let Some(mut rate) = rate else {
            return 0.5;
        };
        for step in self.system.sizing.rate {
            let (next, worked) = match *step {
                RateStep::AtMost(most) => (rate.min(most), Worked::RateAtMost(most)),
                RateStep::Times(factor) => {
                    let rate = rate * factor;
                    (rate, Worked::RateTimes { factor, rate })
                }
                RateStep::Single => {
                    let rate = f64::from(rate as f32);
                    (rate, Worked::RateSingle(rate))
                }
            };
            if next != rate {
                self.done.push(worked);
            }
            rate = next;
        }
        rate
    }

    /// Returns the bits before any [`Step`] changes them.
    fn begin(&mut self, rate: f64, given: Option<u64>) -> Result<Begun, Refusal> {
        let items = self.items as f64;
        let per_item = |square: f64| -(libm::log(rate) / square);
        Ok(match (self.system.sizing.bits, given) {
            (Bits::Usual(_, Rounded::UpToBytes), Some(bits)) => {
                Begun::of(u128::from(bits).next_multiple_of(8))
            }
            (Bits::Usual(..) | Bits::Given, Some(bits)) => Begun {
                per_item: bits as f64 / items,
                ..Begun::of(bits.into())
            },
            (Bits::Usual(square, rounded), _) => {
                self.formula(Formula::Usual, -items * libm::log(rate) / square, rounded)
            }
            (Bits::UsualPerItem(square, rounded), _) => Begun {
                per_item: per_item(square),
                ..self.formula(Formula::Usual, items * per_item(square), rounded)
            },
            (Bits::OfHashes(hashes, rounded), _) => {
                let k = f64::from(hashes);
                let real = -k * items / libm::log(1.0 - libm::pow(rate, 1.0 / k));
                self.formula(Formula::OfHashes(hashes), real, rounded)
            }
            (Bits::Table(table), _) => {
                let below = |least| Refusal::RateNotAbove { least, got: rate };
                let (per_item, hashes) = table.choose(rate).map_err(below)?;
                let bits = u128::from(self.items) * u128::from(per_item);
                self.done.push(Worked::BitsByTable {
                    table: table.name,
                    per_item,
                    hashes,
                    bits,
                });
                Begun {
                    whole: bits,
                    per_item: per_item as f64,
                    hashes,
                }
            }
            (Bits::Thousandths(of, least), _) => {
                let requested = given.unwrap_or_default() as f64 / items;
                if requested < least {
                    return Err(Refusal::BitsPerItemBelow {
                        least,
                        got: requested,
                    });
                }
                let thousandths = of(requested);
                let product = u128::from(self.items) * u128::from(thousandths);
                let bits = product.div_ceil(8_000) * 8;
                self.done.push(Worked::BitsByThousandths {
                    requested,
                    thousandths,
                    bits,
                });
                Begun {
                    whole: bits,
                    per_item: thousandths as f64 / 1000.0,
                    hashes: 0,
                }
            }
            (Bits::Slices(square), _) => {
                let value = -libm::log(rate) / LN_2;
                let hashes = self.hashes_by(Formula::OfRate, value, Rounded::Up);
                let value = -items * libm::log(rate) / (hashes as f64 * square);
                let slice = Rounded::Up.of(value);
                let bits = slice.saturating_mul(hashes);
                self.done.push(Worked::Slice { value, slice, bits });
                Begun {
                    hashes: u64::try_from(hashes).unwrap_or(u64::MAX),
                    ..Begun::of(bits)
                }
            }
            (Bits::Own(Own { rule, of }), _) => {
                let (bits, hashes) = of(self.items, rate)?;
                self.done.push(Worked::BitsByOwn { rule, bits });
                Begun {
                    hashes,
                    ..Begun::of(bits)
                }
            }
            (Bits::Given, _) => Begun::default(),
            (Bits::Fixed(whole), _) => {
                self.done.push(Worked::FixedBits(whole));
                Begun::of(whole.into())
            }
        })
    }

    /// Records a formula for the bits, and returns the rounded bits, with the bits per item before rounding.
    fn formula(&mut self, formula: Formula, value: f64, rounded: Rounded) -> Begun {
        let worked = ByFormula::new(formula, value, rounded);
        self.done.push(Worked::Bits(worked));
        Begun {
            whole: worked.result,
            per_item: value / self.items as f64,
            hashes: 0,
        }
    }

    fn hashes(&mut self, size: &Size) -> Result<u8, Refusal> {
        let (sizing, begun) = (&self.system.sizing, &size.begun);
        let per_item = |bits: u128, items: u64| bits as f64 / items as f64;
        let of_bits = |ln_2: f64, value, rounded| (Formula::OfBits(ln_2), value, rounded);
        let (formula, value, rounded) = match sizing.hashes {
            Hashes::OfRate(rounded) => (Formula::OfRate, -libm::log(size.rate) / LN_2, rounded),
            Hashes::OfBitsPerItem(ln_2, rounded) => of_bits(ln_2, ln_2 * begun.per_item, rounded),
            Hashes::OfWhole(rounded) => {
                of_bits(LN_2, per_item(begun.whole, self.items) * LN_2, rounded)
            }
            Hashes::OfStored(ln_2, rounded) => {
                of_bits(ln_2, per_item(size.bits, self.items) * ln_2, rounded)
            }
            Hashes::OfBounded { bits, items } => {
                let (bits, items) = (begun.whole.min(bits.into()), self.items.min(items));
                if items < self.items {
                    self.done.push(Worked::ItemsAtMost(items));
                }
                of_bits(LN_2, per_item(bits, items) * LN_2, Rounded::Nearest)
            }
            Hashes::OfWholePerItem => {
                let per_item = size.bits / u128::from(self.items);
                let value = per_item as f64 * LN_2;
                (Formula::OfWholePerItem, value, Rounded::Down)
            }
            // The formula for the hashes was recorded when the bits of the slices were computed.
            Hashes::WithBits if matches!(sizing.bits, Bits::Slices(_)) => {
                return self.limited(begun.hashes.into());
            }
            Hashes::WithBits => return self.fixed(begun.hashes),
            Hashes::OfThousandths(of) => {
                let stored = size.bits * 1_000 / u128::from(self.items);
                self.done.push(Worked::StoredThousandths(stored));
                return self.fixed(of(stored));
            }
            Hashes::OfAsked(of) => return self.fixed(of(begun.per_item)),
            Hashes::Fixed(hashes) => return self.fixed(hashes),
        };
        let hashes = self.hashes_by(formula, value, rounded);
        self.limited(hashes)
    }

    /// Records a formula for the hashes, and returns the hashes.
    fn hashes_by(&mut self, formula: Formula, value: f64, rounded: Rounded) -> u128 {
        let worked = ByFormula::new(formula, value, rounded);
        self.done.push(Worked::Hashes(worked));
        worked.result
    }

    /// Records hashes that do not come from a formula, and returns them within the limits of the system.
    fn fixed(&mut self, hashes: u64) -> Result<u8, Refusal> {
        self.done.push(Worked::FixedHashes(hashes.into()));
        self.limited(hashes.into())
    }

    /// Returns the hashes within the limits of the system.
    fn limited(&mut self, mut hashes: u128) -> Result<u8, Refusal> {
        let sizing = &self.system.sizing;
        if hashes > sizing.hashes_at_most.into() {
            self.done.push(Worked::HashesAtMost(sizing.hashes_at_most));
            hashes = sizing.hashes_at_most.into();
        }
        match sizing.no_hash {
            _ if hashes > 0 => {}
            NoHash::One => {
                self.done.push(Worked::OneHash);
                hashes = 1;
            }
            NoHash::Refused => return Err(Refusal::NoHash),
            NoHash::Kept => return Err(Refusal::AlwaysTrue),
        }
        let most = sizing.most_hashes.min(u8::MAX.into());
        let valid = u8::try_from(hashes).ok().filter(|k| u64::from(*k) <= most);
        valid.ok_or(Refusal::Hashes {
            most,
            got: hashes,
            is_own: sizing.most_hashes == most,
        })
    }
}
