//! Tests the example `service`, which reads a filter that another program saved.

use bloom_core::BloomFilter;

use crate::run::*;

pub(crate) const NAME: &str = "service";

#[test]
fn a_saved_filter_of_users_and_days_answers_each_line() {
    let mut visits = BloomFilter::<(String, i64)>::with_rate(100, 1e-6).unwrap();
    visits.insert(&("ann".to_owned(), 3));
    let file = file("visits.bloom", visits.to_bytes().unwrap());
    let done = run(NAME, &[&file], "ann 3\nann 4\nbob 3\n");
    assert_eq!(
        (done.code, done.lines()),
        (Some(0), vec!["yes", "no", "no"])
    );
    for (arguments, input, reason) in [
        (&[][..], "", "usage: service FILTER"),
        (&[&file[..]], "ann", "a line must be a user and a day"),
        (
            &[&file],
            "ann three",
            "day must be a whole number, got three",
        ),
        (&["missing.bloom"], "", "missing.bloom: "),
    ] {
        let done = run(NAME, arguments, input);
        assert_eq!(done.code, Some(1), "{input}");
        assert!(done.messages.contains(reason), "{}", done.messages);
    }
}
