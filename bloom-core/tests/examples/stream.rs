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
    // The requested rate is an upper bound on the mean. The tolerance is 6.2 standard deviations above it, and
    // 6.2 lines more for the Poisson tail: random lines would exceed it less than once in 10^9 runs. Power: 0.5 for 1.23
    // times the requested rate, 0.999 for 1.35 times.
    let allowed = 6.2 * most.sqrt() + 6.2;
    assert!(lost > 0.0 && lost < most + allowed, "{lost} lost");

    assert_eq!(done.figure("lines read"), 160_000.0);
    assert_eq!(done.figure("printed"), kept.len() as f64);
    assert_eq!(done.figure("dropped:"), 160_000.0 - kept.len() as f64);
    // s stages are sized for 50 (2^s - 1) items.
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
    // The first filter would need too many stages, and the rate of the second is too close to the floor of the hash.
    let limited = [
        (
            ["--rate", "1e-9", "--max-stages", "3"],
            "stages must be at most 3",
            // The stages are sized for 70 items; a stage with more bits set than on average takes fewer.
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
