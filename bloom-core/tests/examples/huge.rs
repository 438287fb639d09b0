//! Tests the example `huge_filter`.

use crate::run::*;

#[test]
fn all_three_ways_lose_no_item_and_keep_the_rate() {
    for items in ["1", "1000", "300000"] {
        // The example stops with an error if an inserted item is not found.
        let done = run_well("huge_filter", &["--items", items, "--rate", "0.02"], "");
        let lines = done.lines();
        assert_eq!(lines.len(), 5, "{lines:?}");
        for (line, way) in lines[2..].iter().zip(["shared", "united", "parts"]) {
            assert!(line.starts_with(&format!("| {way} | ")), "{line}");
            let rate: f64 = line
                .rsplit(" | ")
                .next()
                .unwrap()
                .trim_end_matches(" |")
                .parse()
                .unwrap();
            // At a rate of 0.02, on average 6,000 of 300,000 absent items are found, with a standard deviation of 77. The limit
            // 0.0217 is 6,510 items, which random items would exceed less than once in 10^9 runs.
            assert!(items != "300000" || rate < 0.0217, "{line}");
        }
    }
}

#[test]
fn both_kinds_of_pages_find_every_item() {
    // With `--pages`, too, the example stops with an error if an inserted item is not found.
    let done = run_well("huge_filter", &["--pages", "--items", "100000"], "");
    let lines = done.lines();
    assert!(lines.len() >= 4, "{lines:?}");
    for (line, kind) in lines[2..].iter().zip(["blocked", "plain"]) {
        assert!(line.starts_with(&format!("| {kind} | ")), "{line}");
        let times: Vec<&str> = line.trim_matches('|').split(" | ").skip(1).collect();
        assert_eq!(times.len(), 4, "{line}");
        assert!(
            times.iter().all(|time| time.trim().ends_with(" ns")),
            "{line}"
        );
    }
    // If the system reports huge pages, the last line says how much memory is in huge pages, or that none is.
    if let Some(huge) = lines.get(4) {
        let none = *huge == "none of the memory is in huge pages";
        let some = huge.ends_with(" MiB are in huge pages") && !huge.starts_with("0 ");
        assert!(none || some, "{huge}");
    }
}
