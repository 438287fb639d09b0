//! The first test that `GUIDE.md` shows, in which `Mine` stands for the filter of the guide's reader.

use bloom_fuzz_kit::{Inserted, Subject};

use crate::plain::{Plain, Sound};

/// The sound filter of the other tests. It does not implement the kit's traits by hand: the macro `subject!` below does it.
struct Mine(Plain);

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "filters take items by reference"
)]
impl Mine {
    fn new(items: u64, rate: f64) -> Result<Self, String> {
        Plain::build(items, rate, &Sound).map(Self)
    }

    fn add(&mut self, item: &u64) -> Inserted {
        self.0.insert(item)
    }

    fn has(&self, item: &u64) -> bool {
        self.0.contains(item)
    }
}

#[rustfmt::skip]
bloom_fuzz_kit::subject!(Mine, items: u64, with_rate: Mine::new, insert: Mine::add, contains: Mine::has);

#[test]
fn my_filter_keeps_its_promises() {
    bloom_fuzz_kit::examine::<Mine>().assert_passed();
}

/// `GUIDE.md` and `README.md` contain the call of `subject!` and the test above, and these have five lines together, without
/// empty lines.
#[test]
fn the_guide_shows_this_test() {
    let source = include_str!("five_lines.rs");
    let start = source
        .find("bloom_fuzz_kit::subject!")
        .expect("it is above");
    let end = start + source[start..].find("\n}\n").expect("the test ends") + 3;
    let lines = &source[start..end];
    assert_eq!(lines.lines().filter(|line| !line.is_empty()).count(), 5);
    assert!(include_str!("../../GUIDE.md").contains(lines));
    assert!(include_str!("../../README.md").contains(lines));
}
