//! Examines filters that confuse some texts with others, because they hash only a part of a text. For one kind of texts, the
//! rate of such a filter is too high.

use std::hash::BuildHasher;
use std::sync::{Mutex, RwLock};

use bloom_core::FixedState;
use bloom_fuzz_kit::{Examination, examine, subject};

use crate::broken::assert_breaks;
use crate::plain::{Plain, Sound};

/// A filter that hashes only the part of a text that the function in `SEEN` returns. The function is not a parameter of the
/// type, because the examination would then be compiled once for each function.
struct Texts(Plain);

type Seen = fn(&str) -> Vec<u8>;

static SEEN: RwLock<Seen> = RwLock::new(all);

fn all(text: &str) -> Vec<u8> {
    text.into()
}

fn number(text: &str) -> u64 {
    let seen = *SEEN.read().expect("no panic under the lock");
    FixedState::new().hash_one(seen(text))
}

subject!(
    Texts,
    items: str,
    with_rate: |items, rate| Plain::build(items, rate, &Sound).map(Texts),
    insert: |filter, item| filter.0.insert(&number(item)),
    contains: |filter, item| filter.0.contains(&number(item)),
);

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

#[test]
fn a_filter_that_sees_all_of_a_text_passes() {
    let _only = ONE_AT_A_TIME.lock();
    examine::<Texts>().assert_passed();
}

/// Defines a test of a filter that hashes only the part of a text that `$seen` returns. The filter confuses texts, and so
/// exceeds the target rate `$rate`, at which the test examines it.
macro_rules! sees {
    ($($test:ident at $rate:literal: $seen:expr;)*) => {
        $(
            #[test]
            fn $test() {
                let _only = ONE_AT_A_TIME.lock();
                *SEEN.write().expect("no panic under the lock") = $seen;
                let report = Examination::<Texts>::new().sizes([1_000]).rates([$rate]).run();
                *SEEN.write().expect("no panic under the lock") = all;
                assert_breaks(&report, "target rate");
            }
        )*
    };
}

sees! {
    the_57th_byte_ignored at 0.01: |text| {
        let bytes = text.bytes().enumerate();
        bytes.filter(|it| it.0 != 56).map(|it| it.1).collect()
    };
    spaces_around_ignored at 0.1: |text| text.trim().into();
    the_rest_after_a_nul_ignored at 0.1: |text| text.split('\0').next().unwrap_or_default().into();
    nuls_at_the_end_ignored at 0.1: |text| text.trim_end_matches('\0').into();
    bytes_after_the_128th_ignored at 0.1: |text| text.bytes().take(128).collect();
    letters_of_two_bytes at 0.1: |text| text.chars().flat_map(|it| (it as u16).to_le_bytes()).collect();
    letters_of_one_byte at 0.1: |text| text.chars().map(|letter| letter as u8).collect();
}
