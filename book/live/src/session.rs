//! Keeps the filters of a page, each with a number, and the two buffers by which the page and this WebAssembly module
//! exchange texts and lists of numbers.
//!
//! Before a call that takes a text, the page writes the text into the buffer for texts. A call that answers with a text or
//! a list leaves the answer in one of the buffers and returns its length. If it returns a negative number, there was an
//! error: the buffer for texts has the message, and the number without its sign is the length of the message.

use alloc::string::ToString;
use alloc::vec::Vec;

use bloom_core::math::{MathError, Model, expected_fill, hash_floor};
use bloom_core::{BuildError, Shape};
use bloom_systems::double_hashing::Scheme;

use crate::filter::{Filter, of_word, quarters, rates_of_many};

/// The state of a page.
pub(crate) struct Session {
    pub(crate) text: Vec<u8>,
    pub(crate) numbers: Vec<f64>,
    filters: Vec<Option<Filter>>,
}

/// Returns the integer that a page passed as an `f64`, as all numbers of JavaScript are.
pub(crate) fn whole(number: f64) -> u64 {
    number as u64
}

/// Returns k as the type of the crates. A k that is too large becomes 0, which `Shape::new` refuses.
fn hashes(k: u32) -> u8 {
    u8::try_from(k).unwrap_or(0)
}

/// Returns the formula for the false-positive rate that has this number in `live.js`.
fn model(number: u32) -> Model {
    match number {
        1 => Model::Textbook,
        2 => Model::Asymptotic,
        _ => Model::Exact,
    }
}

/// Returns the kind of double hashing that has this number in `live.js`, with two hash values of 64 bits.
fn scheme(number: u32) -> Scheme {
    match number {
        0 => Scheme::Modular { bits: 64 },
        1 => Scheme::Wrapping { bits: 64 },
        2 => Scheme::WrappingWithoutSecond { bits: 64 },
        3 => Scheme::Reflected,
        _ => Scheme::Enhanced,
    }
}

impl Session {
    pub(crate) const fn new() -> Self {
        Self {
            text: Vec::new(),
            numbers: Vec::new(),
            filters: Vec::new(),
        }
    }

    /// Leaves a text in the buffer for texts and returns its length.
    fn say(&mut self, text: impl Into<Vec<u8>>) -> i32 {
        self.text = text.into();
        self.text.len() as i32
    }

    /// Leaves the message of an error in the buffer for texts. The module without the calculator has one message for all
    /// errors, because code that formats the numbers in messages would make it larger.
    fn refuse(&mut self, error: &impl ToString) -> i32 {
        if cfg!(feature = "calculator") {
            -self.say(error.to_string())
        } else {
            -self.say("no filter has this size")
        }
    }

    /// Leaves a list in the buffer for numbers and returns its length.
    fn list(&mut self, numbers: impl IntoIterator<Item = f64>) -> i32 {
        self.numbers.clear();
        self.numbers.extend(numbers);
        self.numbers.len() as i32
    }

    /// Returns the text that the page wrote. It would be empty if it were not UTF-8, but pages write UTF-8.
    fn word(&self) -> &str {
        core::str::from_utf8(&self.text).unwrap_or_default()
    }

    /// Answers a question to the calculator.
    #[cfg(feature = "calculator")]
    pub(crate) fn solve(&mut self) -> i32 {
        let answer = crate::calculator::solve(self.word());
        self.say(answer)
    }

    /// Lists the systems that the calculator knows, one a line.
    #[cfg(feature = "calculator")]
    pub(crate) fn systems(&mut self) -> i32 {
        self.say(crate::calculator::systems())
    }

    /// Answers a question with all that the page of the calculator shows.
    #[cfg(feature = "calculator")]
    pub(crate) fn page(&mut self, times: u32, steps: u32) -> i32 {
        let page = crate::calculator::page(self.word(), times, steps);
        self.say(page)
    }

    /// Keeps a filter and returns its number, or leaves the message of the error.
    fn keep(&mut self, filter: Result<Filter, BuildError>) -> i32 {
        match filter {
            Ok(filter) => {
                let free = self.filters.iter().position(Option::is_none);
                let at = free.unwrap_or(self.filters.len());
                if at == self.filters.len() {
                    self.filters.push(None);
                }
                self.filters[at] = Some(filter);
                at as i32
            }
            Err(error) => self.refuse(&error),
        }
    }

    pub(crate) fn new_filter(&mut self, counting: bool, bits: f64, k: u32) -> i32 {
        self.keep(Filter::new(counting, whole(bits), hashes(k)))
    }

    pub(crate) fn new_growing(&mut self, items: f64, rate: f64, growth: u32, ratio: f64) -> i32 {
        self.keep(Filter::growing(whole(items), rate, growth, ratio))
    }

    /// Frees a filter. Its number may then be given to a new filter.
    pub(crate) fn free(&mut self, number: usize) {
        if let Some(filter) = self.filters.get_mut(number) {
            *filter = None;
        }
    }

    /// Returns a filter. Panics if the page has freed it, which is a bug of the page.
    pub(crate) fn filter(&mut self, number: usize) -> &mut Filter {
        let filter = self.filters.get_mut(number).and_then(Option::as_mut);
        filter.expect("the filter of this number was freed")
    }

    pub(crate) fn insert(&mut self, number: usize) -> bool {
        let hash = of_word(self.word());
        self.filter(number).insert(hash)
    }

    pub(crate) fn contains(&mut self, number: usize) -> bool {
        let hash = of_word(self.word());
        self.filter(number).contains(hash)
    }

    pub(crate) fn remove(&mut self, number: usize) -> bool {
        let hash = of_word(self.word());
        self.filter(number).remove(hash)
    }

    /// Lists the positions that the word in the buffer sets.
    pub(crate) fn positions(&mut self, number: usize) -> i32 {
        let hash = of_word(self.word());
        let positions = self.filter(number).positions(hash);
        self.list(positions.into_iter().map(|at| at as f64))
    }

    /// Lists the four quarters of the 64-bit number that chooses the positions of the word in the buffer.
    pub(crate) fn quarters(&mut self) -> i32 {
        let quarters = quarters(self.word());
        self.list(quarters.map(f64::from))
    }

    /// Lists the bits or counters of a filter, as bytes in the buffer of texts.
    pub(crate) fn cells(&mut self, number: usize) -> i32 {
        let cells = self.filter(number).cells();
        self.say(cells)
    }

    /// Lists the stages of a filter that grows, five numbers for each: those of [`Filter::stages`].
    pub(crate) fn stages(&mut self, number: usize) -> i32 {
        let stages = self.filter(number).stages();
        self.list(stages.into_iter().flatten().map(|number| number as f64))
    }

    /// Lists n, the rate by a formula and the expected fill, for numbers n of items from 0 to `last` in `steps` steps.
    pub(crate) fn curve(&mut self, of: u32, last: f64, steps: u32, bits: f64, k: u32) -> i32 {
        let (last, bits, k) = (whole(last), whole(bits), hashes(k));
        let point = |step: u32| {
            let items = u128::from(last) * u128::from(step) / u128::from(steps.max(1));
            let items = items as u64;
            let rate = model(of).rate(items, bits, k)?.value();
            Ok([items as f64, rate, expected_fill(items, bits, k)?])
        };
        let points: Result<Vec<_>, MathError> = (0..=steps).map(point).collect();
        match points {
            Ok(points) => self.list(points.into_iter().flatten()),
            Err(error) => self.refuse(&error),
        }
    }

    /// Lists the bits that a set takes in five forms: texts of `length` bytes, hashes of 8 bytes, the shortest hashes that
    /// keep the rate, a filter with k = 1, and the smallest Bloom filter. The sixth number is the k of this smallest filter.
    pub(crate) fn sizes(&mut self, items: f64, length: f64, rate: f64) -> i32 {
        let n = whole(items);
        let solve = || {
            let keeps = |width: &u32| hash_floor(n, *width).is_ok_and(|floor| floor <= rate);
            let width = (1..=64).find(keeps).unwrap_or(64);
            let one = Model::Exact.min_bits(n, 1, rate)?;
            let (bits, k) = Model::Exact.min_size(n, rate)?;
            Ok((width, one, bits, k))
        };
        match solve() {
            Ok((width, one, bits, k)) => {
                let per_item = [8.0 * length, 64.0, width.into()];
                let of_items = per_item.map(|bits: f64| bits * n as f64);
                self.list(
                    of_items
                        .into_iter()
                        .chain([one as f64, bits as f64, k.into()]),
                )
            }
            Err(error) => {
                let error: MathError = error;
                self.refuse(&error)
            }
        }
    }

    /// Lists the rates of filters with the same size and different items: of the filters with the numbers `from` up to,
    /// but not including, `to`. Each rate is computed from the fill of its filter.
    pub(crate) fn rates_of_many(
        &mut self,
        items: f64,
        bits: f64,
        k: u32,
        from: f64,
        to: f64,
    ) -> i32 {
        let shape = Shape::new(whole(bits), hashes(k)).map_err(BuildError::from);
        let rates = shape.and_then(|shape| {
            let filters = whole(from)..whole(to);
            rates_of_many(whole(items), shape, filters)
        });
        match rates {
            Ok(rates) => self.list(rates),
            Err(error) => self.refuse(&error),
        }
    }

    /// Returns the mean of the first `count` numbers in the buffer for numbers.
    pub(crate) fn mean(&self, count: usize) -> f64 {
        let first = &self.numbers[..count.min(self.numbers.len())];
        first.iter().sum::<f64>() / first.len() as f64
    }

    /// Lists the positions that double hashing derives from two hash values.
    pub(crate) fn derived(&mut self, by: u32, a: f64, b: f64, bits: f64, k: u32) -> i32 {
        let bits = whole(bits).clamp(1, 1 << 63);
        let positions = scheme(by).positions(whole(a), whole(b), bits, hashes(k));
        self.list(positions.map(|at| at as f64))
    }

    /// Lists a lower and an upper bound of what double hashing adds to the rate of independent positions.
    #[cfg(feature = "calculator")]
    pub(crate) fn excess(&mut self, by: u32, items: f64, bits: f64, k: u32) -> i32 {
        match bloom_systems::double_hashing::excess(
            scheme(by),
            whole(items),
            whole(bits),
            hashes(k),
        ) {
            Ok(added) => self.list([added.low, added.high]),
            Err(error) => self.refuse(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_freed_filter_is_used_again() {
        let mut session = Session::new();
        let filters = [false, true, false].map(|counting| session.new_filter(counting, 64.0, 3));
        assert_eq!(filters, [0, 1, 2]);
        session.free(1);
        assert_eq!(session.new_filter(true, 64.0, 3), 1);
        assert_eq!(session.new_filter(false, 1_024.0, 8), 3);
    }

    #[test]
    fn a_refused_filter_leaves_its_reason() {
        let mut session = Session::new();
        for (bits, k) in [(0.0, 3), (64.0, 0), (64.0, 256), (f64::NAN, 3)] {
            let length = session.new_filter(false, bits, k);
            assert!(length < 0, "{bits} {k}");
            let reason = session.word();
            assert_eq!(reason.len() as i32, -length);
            assert!(
                !cfg!(feature = "calculator") || reason.contains("must be"),
                "{reason}"
            );
        }
    }

    #[test]
    fn words_are_inserted_and_found_by_their_text() {
        let mut session = Session::new();
        let filter = session.new_filter(false, 64.0, 3) as usize;
        session.text = "ant".into();
        assert!(session.insert(filter) && session.contains(filter));
        let lit = session.positions(filter);
        assert!((1..=3).contains(&lit));
        assert_eq!(session.cells(filter), 64);
        let set: u8 = session.text.iter().sum();
        assert_eq!(i32::from(set), lit);
        session.text = "an other word".into();
        assert!(!session.contains(filter));
    }

    #[test]
    fn the_positions_of_a_filter_are_those_of_the_quarters() {
        let mut session = Session::new();
        for bits in [64_u64, 4_096] {
            for number in 0..200 {
                session.text = alloc::format!("word {number}").into();
                assert_eq!(session.quarters(), 4);
                let quarters = session.numbers.clone();
                for k in 1..=4 {
                    let filter = session.new_filter(false, bits as f64, k) as usize;
                    session.positions(filter);
                    session.free(filter);
                    let mut expected: Vec<_> = quarters[..k as usize]
                        .iter()
                        .map(|quarter| (quarter * bits as f64 / 65_536.0).floor())
                        .collect();
                    expected.sort_unstable_by(f64::total_cmp);
                    expected.dedup();
                    assert_eq!(session.numbers, expected, "word {number} k {k}");
                }
            }
        }
    }

    #[test]
    fn a_curve_ends_at_the_rate_of_the_model() {
        let mut session = Session::new();
        assert_eq!(session.curve(0, 2_000.0, 4, 19_188.0, 7), 15);
        let rate = Model::Exact.rate(2_000, 19_188, 7).unwrap().value();
        let fill = expected_fill(2_000, 19_188, 7).unwrap();
        assert_eq!(session.numbers[..3], [0.0; 3]);
        assert_eq!(session.numbers[12..], [2_000.0, rate, fill]);
        session.curve(1, 2_000.0, 1, 19_188.0, 7);
        assert!(session.numbers[4] < rate);
        assert!(session.curve(0, 2_000.0, 4, 0.0, 7) < 0);
    }

    /// The expected values are those that the first chapter of the book computes.
    #[test]
    fn the_forms_of_a_set_have_the_sizes_of_the_first_chapter() {
        let mut session = Session::new();
        assert_eq!(session.sizes(1e8, 50.0, 0.01), 6);
        let gigabytes: Vec<_> = session.numbers[..5].iter().map(|bits| bits / 8e9).collect();
        assert_eq!(gigabytes[..3], [5.0, 0.8, 0.425]);
        let (bits, k) = Model::Exact.min_size(100_000_000, 0.01).unwrap();
        assert_eq!(session.numbers[4..], [bits as f64, k.into()]);
        let rounded: Vec<_> = gigabytes[3..]
            .iter()
            .map(|size| format!("{size:.2}"))
            .collect();
        assert_eq!(rounded, ["1.24", "0.12"]);
        // Ten times as many items need fingerprints that are 3 bits longer.
        session.sizes(1e9, 50.0, 0.01);
        assert_eq!(session.numbers[2] / 1e9, 37.0);
        for (items, rate) in [(0.0, 0.01), (1e3, 0.0), (1e3, f64::NAN)] {
            assert!(session.sizes(items, 50.0, rate) < 0, "{items} {rate}");
        }
    }

    #[test]
    fn the_mean_is_that_of_the_first_numbers() {
        let mut session = Session::new();
        assert_eq!(session.rates_of_many(3.0, 16.0, 3, 0.0, 100.0), 100);
        let sum = session.numbers[0] + session.numbers[1];
        assert_eq!(session.mean(2), sum / 2.0);
        let all = session.numbers.clone();
        assert_eq!(session.rates_of_many(3.0, 16.0, 3, 50.0, 100.0), 50);
        assert_eq!(session.numbers, all[50..]);
    }

    #[test]
    fn double_hashing_with_an_increment_of_0_has_one_position() {
        let mut session = Session::new();
        assert_eq!(session.derived(0, 5.0, 0.0, 12.0, 4), 4);
        assert_eq!(session.numbers, [5.0; 4]);
        session.derived(4, 5.0, 0.0, 12.0, 4);
        assert_eq!(session.numbers, [5.0, 5.0, 6.0, 9.0]);
    }

    #[cfg(feature = "calculator")]
    #[test]
    fn a_page_has_a_curve_through_its_answer_or_the_reason_of_a_refusal() {
        let mut session = Session::new();
        let mut page = |question: &str| -> serde_json::Value {
            session.text = question.into();
            assert_eq!(session.page(3, 6), session.text.len() as i32);
            serde_json::from_slice(&session.text).unwrap()
        };
        let guava = page("n\t2000\np\t0.01\nlike\tguava");
        let points = guava["points"].as_array().unwrap();
        let items: Vec<_> = points
            .iter()
            .map(|point| point[0].as_u64().unwrap())
            .collect();
        assert_eq!(items, [0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000]);
        assert!((0.0099..0.0101).contains(&points[2][1].as_f64().unwrap()));
        let refused = page("n\t2000\np\t2");
        assert!(refused["error"].as_str().unwrap().starts_with("p must be"));
    }

    #[cfg(feature = "calculator")]
    #[test]
    fn double_hashing_adds_to_the_rate() {
        let mut session = Session::new();
        assert_eq!(session.excess(0, 100.0, 1_000.0, 7), 2);
        assert!(session.numbers[0] > 0.0 && session.numbers[1] >= session.numbers[0]);
    }
}
