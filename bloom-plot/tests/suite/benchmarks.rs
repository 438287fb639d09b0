//! Tests of the chart of a benchmark's times: which times it draws, where, and in which order.

use crate::common::{labels, series, speed};
use bloom_plot::Speed;

#[test]
fn a_benchmark_is_drawn_as_medians_and_quartiles_side_by_side() {
    let head = "keys,n,p,candidate,bits_per_item,operation,ns_lower,ns_median,ns_upper\n";
    let text = "u64,100,0.1,one,9,insert,1,2,3\nu64,100,0.1,two,9,insert,2,4,5\n\
                u64,100,0.1,two,9,present,6,7,8\ntext,9,0.1,one,9,present,1,1,1\n";
    let benchmark = || speed(format!("{head}{text}"));
    let figure = benchmark().figure().unwrap();
    assert_eq!(
        figure.title,
        "Nanoseconds a key, n = 100, p = 0.1, u64 keys"
    );
    let operations: Vec<&str> = figure.marks.iter().map(|mark| &*mark.label).collect();
    assert_eq!(operations, ["insert", "present"]);
    assert_eq!(figure.series.len(), 2);
    let two = &series(&figure, "two").measured;
    let bloom_plot::curves::Measured {
        x, y, low, high, ..
    } = two[1];
    assert_eq!((y, low, high), (7.0, 6.0, 8.0));
    assert!((1.5..2.5).contains(&x));
    let other = Speed {
        cell: 2,
        ..benchmark()
    };
    assert_eq!(other.figure().unwrap().series.len(), 1);
    let alone = Speed {
        only: vec!["two".to_owned()],
        ..benchmark()
    };
    assert_eq!(alone.figure().unwrap().series[0].label, "two");

    let error = |question: Speed| question.figure().unwrap_err().to_string();
    assert!(
        error(speed(String::new()))
            .starts_with("file must be a table of times, written by the benchmark")
    );
    assert!(
        error(speed(head.to_owned())).starts_with("file must be a table with at least one line")
    );
    for (line, rule) in [
        (
            "u64,100,0.1,one,9,insert,1,2",
            "as many fields in every line",
        ),
        ("u64,100,0.1,one,9,insert,1,0,3", "times above 0"),
        ("u64,100,0.1,one,9,insert,1,NaN,3", "times above 0"),
    ] {
        let message = error(speed(format!("{head}{line}\n")));
        assert!(message.contains(rule), "{message}");
    }
    let wrong = Speed {
        cell: 3,
        ..benchmark()
    };
    assert_eq!(
        error(wrong),
        "cell must be from 1 to 2, the cells of the file, got 3"
    );
    let wrong = Speed {
        only: vec!["three".to_owned()],
        ..benchmark()
    };
    assert_eq!(
        error(wrong),
        "only must be a candidate of the file, got three"
    );
}

#[test]
fn the_series_are_in_the_order_of_their_times() {
    let mut csv = "keys,n,p,candidate,operation,ns_lower,ns_median,ns_upper\n".to_owned();
    // Only the operations insert and present are timed for all three candidates. The geometric means of their median times are
    // 4 for a, 6 for b and 5 for c.
    let times = "a,insert,1,2 a,present,1,8 a,batch,1,900 b,insert,1,4 b,present,1,9 c,insert,1,5 c,present,1,5 c,batch,1,1";
    for time in times.split(' ') {
        csv += &format!("u64,100,0.1,{time},1000\n");
    }
    let question = speed(csv);
    let figure = question.figure().unwrap();
    assert_eq!(labels(&figure), ["b", "c", "a"]);
    assert!(figure.note.contains("Legend: slowest first"));
    // Without an operation that all candidates have, the series stay in the order of the file.
    let alone = Speed {
        csv: question
            .csv
            .replace("b,insert", "b,mixed")
            .replace("b,present", "b,absent"),
        ..question
    };
    let figure = alone.figure().unwrap();
    assert_eq!(labels(&figure), ["a", "b", "c"]);
    assert!(!figure.note.contains("Legend"), "{}", figure.note);
}

#[test]
fn many_candidates_are_along_the_axis() {
    let mut csv = "keys,n,p,candidate,operation,ns_lower,ns_median,ns_upper\n".to_owned();
    for candidate in 0..9 {
        csv += &format!(
            "u64,100,0.1,c{candidate},insert,1,2,3\nu64,100,0.1,c{candidate},present,2,3,4\n"
        );
    }
    let question = speed(csv);
    let figure = question.figure().unwrap();
    assert_eq!(labels(&figure), ["present", "insert"], "slowest first");
    assert_eq!((figure.marks.len(), &*figure.marks[8].label), (9, "c8"));
    assert!(
        figure
            .series
            .iter()
            .all(|series| series.measured.len() == 9)
    );
    assert_eq!(figure.x.name, "candidate");
    let only = (0..8).map(|candidate| format!("c{candidate}"));
    let fewer = Speed {
        only: only.collect(),
        ..question
    };
    assert_eq!(fewer.figure().unwrap().series.len(), 8);
}

#[test]
fn the_error_of_too_many_names_says_which_are_too_many() {
    let error = |line: fn(u32) -> String| {
        let lines: String = (0..25).map(line).collect();
        let csv = format!("keys,n,p,candidate,operation,ns_lower,ns_median,ns_upper\n{lines}");
        speed(csv).figure().unwrap_err().to_string()
    };
    let rule = "must have at most 24 entries to be told apart, got 25";
    assert_eq!(
        error(|number| format!("u64,100,0.1,one,operation{number},1,2,3\n")),
        format!("operations {rule}")
    );
    assert_eq!(
        error(|number| format!("u64,100,0.1,candidate{number},insert,1,2,3\n")),
        format!("only {rule}")
    );
}
