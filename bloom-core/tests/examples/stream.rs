//! Tests the example `stream_duplicates`.

use crate::run::*;

#[test]
fn a_stream_of_any_length_loses_its_duplicates_and_few_new_lines() {
    let (count, rate) = (80_000, 0.01);
    let distinct = urls(count);
    let options = ["--items", "50", "--rate", "0.01"];
    let done = run_well("stream_duplicates", &options, with_duplicates(&distinct));
    let kept = done.lines();
    assert_first_occurrences(&kept, &distinct);
    let lost = (distinct.len() - kept.len()) as f64;
    let most = rate * count as f64;
    // At the requested rate, at most `most` new lines are lost on average. The tolerance above this number is 6.2 standard
    // deviations, and 6.2 lines more, because a Poisson distribution has a heavier upper tail than a normal one. Random lines
    // would exceed it less than once in 10^9 runs. The test fails with a probability of 0.5 if the true rate is 1.23 times the
    // requested one, and with 0.999 if it is 1.35 times the requested one.
    let allowed = 6.2 * most.sqrt() + 6.2;
    assert!(lost > 0.0 && lost < most + allowed, "{lost} lost");

    assert_eq!(done.figure("lines read"), 160_000.0);
    assert_eq!(done.figure("printed"), kept.len() as f64);
    assert_eq!(done.figure("dropped:"), 160_000.0 - kept.len() as f64);
    // The first s stages are sized for 50 × (2^s - 1) items together: 10 stages for 51,150 and 11 for 102,350. So 80,000 lines
    // need 11 stages.
    assert_eq!(done.figure("stages"), 11.0);
}

#[test]
fn a_stream_is_compared_byte_by_byte() {
    let done = run_well("stream_duplicates", &[], b"\xff\n\na\n\xff\n\na \na\r\na");
    assert_eq!(done.output, b"\xff\n\na\na \na\r\n");
}

#[test]
fn a_stream_that_the_filter_cannot_take_stops_and_drops_nothing_silently() {
    let distinct = urls(1_000);
    // The first filter would need more than the 3 stages that it may have. The second would need a rate that is too low for
    // 64-bit hashes, because two items with the same hash cannot be told apart.
    let limited = [
        (
            ["--rate", "1e-9", "--max-stages", "3"],
            "stages must be at most 3",
            // The 3 stages are sized for 70 items together. A stage whose items happen to set more bits than usual takes fewer.
            60..=70,
        ),
        (
            ["--rate", "1e-15", "--max-stages", "64"],
            "the rate of collisions of 64-bit hashes",
            // The first stage is sized for 10 items.
            8..=10,
        ),
    ];
    for (limit, reason, room) in limited {
        let options = [&["--items", "10"], &limit[..]].concat();
        let done = run("stream_duplicates", &options, with_duplicates(&distinct));
        assert_eq!(done.code, Some(2));
        let printed = done.lines().len();
        assert!(room.contains(&printed), "{printed} printed");
        assert_eq!(done.lines(), &distinct[..printed]);
        let stop = format!("stopped before line {}, which is new", 2 * printed + 1);
        assert!(done.messages.contains(&stop), "{}", done.messages);
        assert!(done.messages.contains(reason), "{}", done.messages);
    }
}
