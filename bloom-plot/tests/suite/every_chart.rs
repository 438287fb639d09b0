//! Tests that every subcommand that draws a chart runs with its defaults, that the examples of its help run, and that its
//! output is the same each time.

use std::fs;
use std::time::Instant;

use crate::common::{self, alone, folder, names, run, stderr};

/// Returns the names of all charts, read from the help. `test` is part of the name of a folder, so that tests do not share it.
fn charts(test: &str) -> Vec<String> {
    let output = run(&folder(&format!("charts-{test}")), &["--help"]);
    let help = String::from_utf8(output.stdout).unwrap();
    let commands = help.split("Commands:\n").nth(1).unwrap();
    let commands = commands.split("\n\n").next().unwrap();
    let names = commands.lines().filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        let draws = !["", "completions", "man", "help"].contains(&name);
        draws.then(|| name.to_owned())
    });
    let names: Vec<String> = names.collect();
    assert!(names.len() >= 15, "{names:?}");
    names
}

/// Returns the examples of a help text, as arguments.
fn examples(help: &str) -> Vec<Vec<&str>> {
    let (_, examples) = help.split_once("\n\nExamples:\n").expect("examples");
    let examples = examples.split_once("\n\n").unwrap().0;
    let lines = examples.lines().map(|line| {
        let command = line.trim().split("  ").next().unwrap();
        let mut words = command.split(' ');
        assert_eq!(words.next(), Some("bloom-plot"), "{line}");
        words.collect()
    });
    lines.collect()
}

#[test]
fn every_example_of_every_help_runs() {
    let charts = charts("examples");
    let helps = charts
        .iter()
        .map(|chart| vec![chart.as_str(), "--help"])
        .chain([vec!["--help"]]);
    for args in helps {
        let folder = folder(&format!("help-{}", args[0]));
        let output = run(&folder, &args);
        let help = String::from_utf8(output.stdout).unwrap();
        let examples = examples(&help);
        assert!(!examples.is_empty(), "{args:?}");
        for example in examples {
            if args.len() == 2 {
                assert_eq!(example[0], args[0]);
            }
            if example.iter().any(|word| word.ends_with("bench.csv")) {
                fs::write(folder.join("bench.csv"), common::BENCHMARK).unwrap();
            }
            let output = run(&folder, &example);
            assert!(output.status.success(), "{example:?}: {}", stderr(&output));
        }
    }
}

#[test]
fn every_chart_runs_with_its_defaults_and_is_reproducible() {
    for chart in charts("alone") {
        let folder = folder(&format!("alone-{chart}"));
        let args = alone(&folder, &chart);
        let start = Instant::now();
        let output = run(&folder, &args);
        // The limit is generous, for a build without optimisation on a busy machine.
        assert!(start.elapsed().as_secs() < 20, "{chart}");
        assert!(output.status.success(), "{chart}: {}", stderr(&output));
        let name = format!("{chart}.svg");
        assert!(names(&folder).contains(&name), "{chart}");
        let first = fs::read_to_string(folder.join(&name)).unwrap();
        assert!(first.starts_with("<svg ") && first.ends_with("</svg>\n"));
        let element = |name: &str| {
            let (_, rest) = first.split_once(&format!("<{name}>")).unwrap();
            rest.split('<').next().unwrap()
        };
        let (title, desc) = (element("title"), element("desc"));
        assert!(title.len() > 10 && title.len() < 90, "{chart}: {title}");
        assert!(desc.len() > 40 && desc.ends_with('.'), "{chart}: {desc}");
        assert!(
            !desc.contains("NaN") && !desc.contains("inf "),
            "{chart}: {desc}"
        );
        run(&folder, &args);
        assert_eq!(
            fs::read_to_string(folder.join(&name)).unwrap(),
            first,
            "{chart}"
        );
    }
}

#[test]
fn every_chart_has_its_data_and_a_dark_small_png() {
    for chart in charts("small") {
        let folder = folder(&format!("small-{chart}"));
        let mut args = alone(&folder, &chart);
        args.extend([
            "--theme",
            "dark",
            "--size",
            "300x200",
            "-o",
            "small.png",
            "--csv",
            "-",
        ]);
        let output = run(&folder, &args);
        assert!(output.status.success(), "{chart}: {}", stderr(&output));
        assert!(
            fs::read(folder.join("small.png"))
                .unwrap()
                .starts_with(b"\x89PNG")
        );
        let csv = String::from_utf8(output.stdout).unwrap();
        let fields = csv.lines().next().unwrap().matches(',').count();
        assert!(csv.lines().count() > 5, "{chart}");
        assert!(
            csv.lines()
                .all(|line| line.matches(',').count() == fields || line.contains('"'))
        );
        assert!(!csv.contains("NaN") && !csv.contains("inf"), "{chart}");
        let mut lines: Vec<&str> = csv.lines().collect();
        lines.sort_unstable();
        let twice = lines.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None, "{chart}");
    }
}
