//! Formats the measurements as Markdown and as CSV.

use std::fmt::Write;

use bloom_params::numbers::nearest;

use crate::candidate::Name;
use crate::measure::{Cell, Row};
use crate::operation::Operation;
use crate::stats::Summary;

/// Returns the summary of a row's nanoseconds per key.
pub(crate) fn nanoseconds(row: &Row, operation: Operation) -> Option<Summary> {
    Summary::of(row.samples(operation).iter().copied().flatten())
}

/// Returns how many times as fast a candidate is as `other`: a summary of the ratios of single rounds.
///
/// A batch is compared with the batch of `other`, or with the single calls of `other` if that has no batch calls.
pub(crate) fn times_as_fast(row: &Row, other: &Row, operation: Operation) -> Option<Summary> {
    let ours = row.samples(operation);
    let theirs = match other.samples(operation) {
        [] => other.samples(operation.single()),
        samples => samples,
    };
    let rounds = ours.iter().zip(theirs);
    Summary::of(rounds.filter_map(|(ours, theirs)| Some((*theirs)? / (*ours)?)))
}

/// Returns the median with three digits, and half the interquartile range in per cent of the median.
fn with_spread(summary: Option<Summary>) -> String {
    summary.map_or_else(String::new, |summary| {
        let median = nearest(summary.median, 3);
        let percent = (100.0 * summary.spread()).ceil();
        // One round has no spread.
        if summary.count == 1 {
            median
        } else {
            format!("{median} ±{percent}%")
        }
    })
}

/// Returns the head of a report: the lines about the machine, the seed, and how to read the tables.
pub(crate) fn head(lines: &[(&str, String)], seed: u64) -> String {
    let mut text = String::new();
    for (name, value) in lines {
        text += &format!("- {name}: {value}\n");
    }
    text += &format!("- seed: {seed}\n");
    text += "
Times are processor time in nanoseconds per key: the median of the rounds, ± half the distance between
their quartiles in per cent of the median. Bits/item counts the memory that the filter allocated.
Rate/target is the measured rate divided by the requested rate, ± one standard deviation, which includes
the variance between filters. It is **bold** if it exceeds 1 by more than three standard deviations.
*Times as fast* is the median of ratios, each between two times of the same round. A batch is
compared with single calls if the other crate has no batch calls.
";
    text
}

/// Returns the results of a cell as Markdown: a table of times, and a table of ratios for each candidate of `against` that ran.
pub(crate) fn markdown(cell: &Cell, against: &[Name]) -> String {
    let mut text = format!(
        "## n = {:e}, p = {} %, {} keys\n\n",
        cell.items as f64,
        nearest(100.0 * cell.rate, 3),
        cell.keys
    );
    let names = Operation::ALL.map(Operation::name).join(" | ");
    let rule = " ---: |".repeat(Operation::ALL.len());
    text += &format!("| ns per key | bits/item | rate/target | {names} |\n");
    text += &format!("| --- | ---: | ---: |{rule}\n");
    for row in &cell.rows {
        let times = Operation::ALL.map(|operation| with_spread(nanoseconds(row, operation)));
        text += &format!(
            "| {} | {} | {} | {} |\n",
            row.name.text(),
            nearest(row.bits_per_item, 4),
            rate(row),
            times.join(" | ")
        );
    }
    for other in cell.rows.iter().filter(|row| against.contains(&row.name)) {
        text += &format!("\n| times as fast as {} | {names} |\n", other.name.text());
        text += &format!("| --- |{rule}\n");
        for row in cell.rows.iter().filter(|row| row.name != other.name) {
            let ratios =
                Operation::ALL.map(|operation| with_spread(times_as_fast(row, other, operation)));
            text += &format!("| {} | {} |\n", row.name.text(), ratios.join(" | "));
        }
    }
    text
}

pub(crate) fn rate(row: &Row) -> String {
    let checked = &row.checked;
    if checked.missing > 0 {
        return format!("**{} false negatives**", checked.missing);
    }
    if checked.disagreements > 0 {
        return format!("**batches differ on {} keys**", checked.disagreements);
    }
    let rate = format!("{:.3} ±{:.3}", checked.rate.value, checked.rate.sigma);
    if checked.misses_rate() {
        format!("**{rate}**")
    } else {
        rate
    }
}

/// The first line of the CSV.
pub(crate) fn csv_head(against: &[Name]) -> String {
    let mut line = String::from(
        "keys,n,p,candidate,bits_per_item,rate_over_target,rate_sigma,operation,rounds,\
         ns_lower,ns_median,ns_upper",
    );
    for name in against.iter().map(|name| name.text()) {
        write!(line, ",vs_{name}_lower,vs_{name}_median,vs_{name}_upper").expect("text is written");
    }
    line + "\n"
}

/// Returns the results of a cell as lines of CSV, one per candidate and operation.
pub(crate) fn csv(cell: &Cell, against: &[Name]) -> String {
    let mut text = String::new();
    for row in &cell.rows {
        for operation in Operation::ALL {
            let Some(time) = nanoseconds(row, operation) else {
                continue;
            };
            text += &format!(
                "{},{},{},{},{},{},{},{},{},{}",
                cell.keys,
                cell.items,
                cell.rate,
                row.name.text(),
                row.bits_per_item,
                row.checked.rate.value,
                row.checked.rate.sigma,
                operation.name(),
                time.count,
                quartiles(Some(time))
            );
            for name in against {
                let other = cell.rows.iter().find(|row| row.name == *name);
                let ratio = other.and_then(|other| times_as_fast(row, other, operation));
                text += &format!(",{}", quartiles(ratio));
            }
            text.push('\n');
        }
    }
    text
}

/// Returns the three quartiles as fields with up to four decimals; the fields are empty without a summary.
fn quartiles(summary: Option<Summary>) -> String {
    summary.map_or_else(
        || ",,".into(),
        |summary| {
            let [lower, median, upper] = [summary.lower, summary.median, summary.upper]
                .map(|value| (value * 1e4).round() / 1e4);
            format!("{lower},{median},{upper}")
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Checked, Ratio};
    use crate::measure::Samples;

    const SOUND: Checked = Checked {
        missing: 0,
        disagreements: 0,
        rate: Ratio {
            value: 0.998,
            sigma: 0.004,
            margin: 0.012,
        },
    };

    fn row(name: Name, present: &[f64], present_batches: &[f64]) -> Row {
        let mut samples = Samples::default();
        samples[Operation::Present as usize] = present.iter().copied().map(Some).collect();
        samples[Operation::PresentBatch as usize] =
            present_batches.iter().copied().map(Some).collect();
        Row {
            name,
            bits_per_item: 10.1,
            checked: SOUND,
            samples,
        }
    }

    fn cell() -> Cell {
        // The first filter is twice as fast as the second in every round, though the machine becomes ten times slower.
        let ours = row(Name::Blocked, &[1.0, 2.0, 10.0], &[0.5, 1.0, 5.0]);
        let theirs = row(Name::Fastbloom, &[2.0, 4.0, 20.0], &[]);
        Cell {
            items: 1_000_000,
            rate: 0.01,
            keys: "u64",
            rows: vec![ours, theirs],
        }
    }

    #[test]
    fn ratios_are_of_rounds_and_not_of_medians() {
        let mut cell = cell();
        let [ours, theirs] = &cell.rows[..] else {
            unreachable!("two rows")
        };
        let ratio = times_as_fast(ours, theirs, Operation::Present).unwrap();
        assert_eq!((ratio.lower, ratio.median, ratio.upper), (2.0, 2.0, 2.0));
        // With its times in another order, a filter has the same median, but the ratios of the rounds change.
        cell.rows[0] = row(Name::Blocked, &[10.0, 2.0, 1.0], &[]);
        let ratio = times_as_fast(&cell.rows[0], &cell.rows[1], Operation::Present).unwrap();
        assert_eq!(ratio.median, 2.0);
        assert!(ratio.spread() > 1.0, "{ratio:?}");
    }

    #[test]
    fn a_batch_is_compared_with_single_calls_of_a_crate_without_batches() {
        let cell = cell();
        let ratio = times_as_fast(&cell.rows[0], &cell.rows[1], Operation::PresentBatch).unwrap();
        assert_eq!(ratio.median, 4.0);
        assert_eq!(
            times_as_fast(&cell.rows[1], &cell.rows[0], Operation::PresentBatch),
            None
        );
    }

    #[test]
    fn a_round_missing_from_one_candidate_is_left_out() {
        let mut cell = cell();
        let samples = &mut cell.rows[0].samples[Operation::Present as usize];
        *samples = vec![None, None, Some(5.0)];
        let ratio = times_as_fast(&cell.rows[0], &cell.rows[1], Operation::Present).unwrap();
        assert_eq!((ratio.count, ratio.median), (1, 4.0));
        assert_eq!(with_spread(Some(ratio)), "4");
    }

    #[test]
    fn the_markdown_tables_have_the_same_number_of_fields_in_every_line() {
        let text = markdown(&cell(), &[Name::Fastbloom]);
        assert!(
            text.starts_with("## n = 1e6, p = 1 %, u64 keys\n"),
            "{text}"
        );
        assert!(
            text.contains("| blocked | 10.1 | 0.998 ±0.004 |  | 2 ±113% |"),
            "{text}"
        );
        assert!(
            text.contains("| times as fast as fastbloom | insert"),
            "{text}"
        );
        let tables = text.split("\n\n").skip(1);
        for table in tables {
            let bars: Vec<usize> = table
                .lines()
                .map(|line| line.matches('|').count())
                .collect();
            assert!(bars.len() >= 3, "{table}");
            assert!(bars.iter().all(|count| *count == bars[0]), "{table}");
        }
    }

    #[test]
    fn a_missed_rate_is_bold_and_an_unsound_filter_has_no_times() {
        let mut broken = row(Name::Parquet, &[], &[]);
        broken.checked.rate.value = 1.02;
        assert_eq!(rate(&broken), "**1.020 ±0.004**");
        broken.checked.rate.value = 1.011;
        assert_eq!(rate(&broken), "1.011 ±0.004");
        broken.checked.missing = 3;
        assert_eq!(rate(&broken), "**3 false negatives**");
        assert_eq!(nanoseconds(&broken, Operation::Present), None);
        let cell = Cell {
            rows: vec![broken],
            ..cell()
        };
        assert_eq!(csv(&cell, &[]), "");
    }

    #[test]
    fn the_csv_has_a_field_for_every_name_of_its_head() {
        let against = [Name::Fastbloom, Name::SplitBlockFold];
        let fields = csv_head(&against).matches(',').count();
        let text = csv(&cell(), &against);
        assert_eq!(text.lines().count(), 3);
        for line in text.lines() {
            assert_eq!(line.matches(',').count(), fields, "{line}");
        }
        let first = text.lines().next().unwrap();
        assert!(
            first.starts_with(
                "u64,1000000,0.01,blocked,10.1,0.998,0.004,present,3,1.5,2,6,2,2,2,,,"
            ),
            "{first}"
        );
    }
}
