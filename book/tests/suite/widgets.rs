//! Tests the widgets of the book, which are elements `<live-NAME>` with a script `src/live/NAME.js`: a widget encloses what
//! paper shows, asks for a guess and says what was learned, and its script has no formula.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bloom_core::math::Model;

/// The widgets that ask for no guess and teach no lesson, because they answer a reader's questions: the calculator, the small
/// calculator in a box, and sentences whose numbers can be dragged.
const CALCULATORS: [&str; 3] = ["solver", "box", "say"];

/// The scripts in `src/live/` that define no widget.
const SHARED: [&str; 5] = ["live", "widgets", "drawing", "filters", "calculator"];

fn source() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

/// Returns the page, the name and the text of every widget in the pages.
fn elements() -> Vec<(String, String, String)> {
    let mut elements = Vec::new();
    for entry in fs::read_dir(source()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let page = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        for part in text.split("\n<live-").skip(1) {
            let (name, rest) = part.split_once([' ', '>']).unwrap();
            let end = format!("\n</live-{name}>");
            let (element, _) = rest.split_once(&end).expect("an element that ends");
            elements.push((page.clone(), name.to_owned(), element.to_owned()));
        }
    }
    elements
}

/// Returns the name and the text of the script of every widget.
fn scripts() -> Vec<(String, String)> {
    let mut scripts = Vec::new();
    for entry in fs::read_dir(source().join("live")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if !SHARED.contains(&name.as_str()) {
            scripts.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    scripts
}

#[test]
fn every_widget_has_a_script_and_every_script_a_page() {
    let on_pages: BTreeSet<_> = elements().into_iter().map(|(_, name, _)| name).collect();
    let written: BTreeSet<_> = scripts().into_iter().map(|(name, _)| name).collect();
    assert_eq!(on_pages, written);
    for (name, script) in scripts() {
        let defines = format!("live.widget(\"{name}\"");
        assert!(script.contains(&defines), "{name}.js: {defines}");
    }
}

#[test]
fn every_widget_stands_around_what_is_printed_and_has_an_address() {
    for (page, name, element) in elements() {
        assert!(
            element.trim_start().starts_with("id=\""),
            "{page}: live-{name} has no id"
        );
        let printed = [
            "{{#include ",
            "<details",
            "|",
            "```",
            "<form",
            "<b data-name",
        ];
        assert!(
            printed.iter().any(|part| element.contains(part)),
            "{page}: nothing is printed in live-{name}"
        );
    }
}

#[test]
fn every_widget_leaves_a_drawing_where_scripts_are_missing() {
    for (page, name, element) in elements() {
        assert!(
            CALCULATORS.contains(&name.as_str()) || element.contains("<figure"),
            "{page}: without scripts and on paper live-{name} has no drawing"
        );
    }
}

#[test]
fn every_widget_asks_for_a_guess_and_says_what_was_learned() {
    for (name, script) in scripts() {
        if CALCULATORS.contains(&name.as_str()) {
            assert!(!script.contains("this.guess("), "{name}.js asks");
            continue;
        }
        for part in ["this.guess(", "this.lesson(", "this.announce("] {
            assert!(script.contains(part), "{name}.js has no {part}…)");
        }
    }
}

#[test]
fn widgets_are_short_and_have_no_formula_and_no_request() {
    for (name, script) in scripts() {
        let lines = script.lines().count();
        // The calculator's script and those that draw moving pictures may be longer than the others.
        let most = match name.as_str() {
            "solver" => 500,
            "type" | "field" | "balls" => 240,
            _ => 150,
        };
        assert!(lines <= most, "{name}.js has {lines} lines");
        for formula in [
            "Math.pow",
            "Math.exp",
            "Math.log",
            "Math.random",
            "**",
            "fetch(",
            "import ",
            "http",
        ] {
            assert!(!script.contains(formula), "{formula} in {name}.js");
        }
    }
}

/// The rows of sizes in overfill.js, such as `"1in100": [19188, 7, 0.01]`, have m, k and the rate p. Each must be the smallest
/// filter for 2,000 items at its rate.
#[test]
fn the_filters_that_go_over_capacity_have_the_smallest_sizes() {
    let script = fs::read_to_string(source().join("live/overfill.js")).unwrap();
    let (_, sizes) = script.split_once("static sizes = {").unwrap();
    let (sizes, _) = sizes.split_once('}').unwrap();
    let rows: Vec<_> = sizes.split('[').skip(1).collect();
    assert_eq!(rows.len(), 3);
    for row in rows {
        let (row, _) = row.split_once(']').unwrap();
        let [bits, hashes, rate] = *row.split(", ").collect::<Vec<_>>() else {
            panic!("{row}");
        };
        let least = Model::Exact.min_size(2_000, rate.parse().unwrap());
        assert_eq!(
            least.unwrap(),
            (bits.parse().unwrap(), hashes.parse().unwrap())
        );
    }
}
