//! Tests the page of the book for lecturers: its table, which lists for each page of the book the required pages and the number
//! of exercises, and its links to widgets in a certain state.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::common::assert_is_file;
use crate::path::{in_order, needs};

/// The title of a page.
fn title(page: &str) -> &str {
    page.lines().next().unwrap().trim_start_matches("# ")
}

/// Returns the links of a text in Markdown, except links within a page.
fn links(text: &str) -> Vec<String> {
    let parts = text.split('[').skip(1);
    let links = parts.filter_map(|part| {
        let (label, rest) = part.split_once("](")?;
        let (target, _) = rest.split_once(')')?;
        Some(format!("[{}]({target})", label.replace('\n', " ")))
    });
    links.filter(|link| !link.contains("](#")).collect()
}

/// Counts the exercises of a page by their stars, which are the difficulty: `2 × ★, 1 × ★★★`. No-break spaces let a line break
/// only after a comma. Returns `None` for a page without exercises.
fn exercises(page: &str) -> Option<String> {
    let (_, exercises) = page.split_once("\n## Exercises\n")?;
    let counts = ["★", "★★", "★★★"].map(|stars| {
        let marked = format!(" ({stars})**");
        (exercises.matches(&marked).count(), stars)
    });
    let shown = counts.iter().filter(|(count, _)| *count > 0);
    let shown: Vec<_> = shown
        .map(|(count, stars)| format!("{count}\u{a0}×\u{a0}{stars}"))
        .collect();
    assert!(!shown.is_empty(), "{}: no exercise", title(page));
    Some(shown.join(", "))
}

#[test]
fn what_pages_need_and_their_exercises_are_as_listed() {
    let mut table = String::from("| page | needs | exercises |\n| --- | --- | --- |\n");
    for (name, page) in in_order() {
        let needs = links(needs(&page).unwrap_or_default()).join(", ");
        let exercises = exercises(&page);
        if needs.is_empty() && exercises.is_none() {
            continue;
        }
        let exercises = exercises.map_or(String::new(), |counts| {
            format!("[{counts}]({name}#exercises)")
        });
        writeln!(
            table,
            "| [{}]({name}) | {needs} | {exercises} |",
            title(&page)
        )
        .unwrap();
    }
    assert_is_file(&table, "tables/lecturers.md");
}

/// A link such as `rate.html?balls.thrown=100#ball-drop` opens a page with the state `thrown` of the widget `balls` set to 100.
/// The script of the widget must have this state, and a page must have the widget with the id `ball-drop`.
#[test]
fn every_moment_is_a_state_of_its_widget() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let page = fs::read_to_string(source.join("lecturers.md")).unwrap();
    let mut moments = 0;
    for link in page.split(".html?").skip(1) {
        let (link, _) = link.split_once(')').unwrap();
        let (states, id) = link.split_once('#').unwrap();
        for state in states.split('&') {
            let (key, _) = state.split_once('=').unwrap();
            let (widget, key) = key.split_once('.').unwrap();
            let script = fs::read_to_string(source.join(format!("live/{widget}.js"))).unwrap();
            let defaults = script
                .lines()
                .find(|line| line.contains("static defaults"))
                .unwrap();
            // `defaults` leaves out the guess, which every widget has.
            let has = key == "guess" || defaults.contains(&format!(" {key}: "));
            assert!(has, "{link}: {key}");
            let element = format!("<live-{widget} id=\"{id}\">");
            let pages = in_order();
            assert!(
                pages.iter().any(|(_, page)| page.contains(&element)),
                "{link}: {element}"
            );
        }
        moments += 1;
    }
    assert!(moments > 0, "no moment");
}
