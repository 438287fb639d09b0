//! Tests every page of the book: its links lead somewhere, its samples are run, and its numbers stand in a sample, a command or
//! a table that is run or computed.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Reads a file under `src/`, with the texts that it includes from crates.
pub(crate) fn read(name: &str) -> Option<String> {
    let text = fs::read(book().join("src").join(name)).ok()?;
    let mut text = String::from_utf8_lossy(&text).into_owned();
    for file in between(&text.clone(), "{{#include ../../", '}') {
        let included = fs::read_to_string(book().join("..").join(file)).unwrap();
        text = text.replace(&format!("{{{{#include ../../{file}}}}}"), &included);
    }
    Some(text)
}

/// Returns the name and text of each page of the book; `SUMMARY.md` is not a page.
pub(crate) fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(book().join("src")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name != "SUMMARY.md" && path.extension().is_some_and(|extension| extension == "md") {
            let page = read(&name).unwrap();
            pages.push((name, page));
        }
    }
    assert!(!pages.is_empty(), "a book without pages");
    pages
}

/// Returns the texts between each `open` and the next `close`.
pub(crate) fn between<'a>(text: &'a str, open: &str, close: char) -> Vec<&'a str> {
    let parts = text.split(open).skip(1);
    parts
        .filter_map(|part| part.split_once(close))
        .map(|(inside, _)| inside)
        .collect()
}

/// Returns the text of a page without its fenced blocks, and the fenced blocks.
pub(crate) fn prose_and_blocks(page: &str) -> (String, String) {
    let (mut prose, mut blocks) = (String::new(), String::new());
    let mut fenced = false;
    for line in page.lines() {
        let is_fence = line.starts_with("```");
        let part = if fenced || is_fence {
            &mut blocks
        } else {
            &mut prose
        };
        part.push_str(line);
        part.push('\n');
        fenced ^= is_fence;
    }
    (prose, blocks)
}

/// Returns the anchor that mdBook gives a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().chars();
    let kept = kept.filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[test]
fn the_summary_lists_every_page_and_nothing_else() {
    let summary = fs::read_to_string(book().join("src/SUMMARY.md")).unwrap();
    let mut listed = between(&summary, "](", ')');
    let pages = pages();
    let mut there: Vec<_> = pages.iter().map(|(name, _)| name.as_str()).collect();
    listed.sort_unstable();
    there.sort_unstable();
    assert_eq!(listed, there);
}

#[test]
fn every_page_has_a_description_of_its_own() {
    let head = fs::read_to_string(book().join("theme/head.hbs")).unwrap();
    let mut seen = Vec::new();
    for (name, _) in pages() {
        let own = format!("(eq path \"{name}\")");
        let line = head.lines().find(|line| line.contains(&own));
        let line = line.unwrap_or_else(|| panic!("head.hbs has no line for {name}"));
        let text = between(line, "text=\"", '"')[0];
        // A search engine cuts off a longer description, and a shorter one says little.
        let length = text.chars().count();
        assert!((80..=160).contains(&length), "{name}: {length} characters");
        assert!(!seen.contains(&text), "{name}: the same as another page");
        seen.push(text);
    }
    // A description of the whole book would be a second one on every page.
    let config = fs::read_to_string(book().join("book.toml")).unwrap();
    assert!(!config.contains("description"));
}

#[test]
fn every_link_image_and_include_leads_somewhere() {
    for (name, page) in pages() {
        let (prose, _) = prose_and_blocks(&page);
        let mut targets = between(&prose, "](", ')');
        targets.extend(between(&prose, "src=\"", '"'));
        targets.extend(between(&prose, "href=\"", '"'));
        targets.extend(between(&page, "{{#include ", '}'));
        for target in targets {
            if target.starts_with("https://") || target.starts_with("http://") {
                continue;
            }
            // A link that fills in the fields of the calculator.
            if target.starts_with("calculator.html?") {
                continue;
            }
            // A link to a state of a widget: `lecturers.rs` checks the state.
            let widget = target.split_once(".html?").map(|(page, state)| {
                let (_, anchor) = state.split_once('#').expect("the link names a widget");
                format!("{page}.md#{anchor}")
            });
            let target = widget.as_deref().unwrap_or(target);
            // An `{{#include}}` of a part of a file has the file and the name of the part.
            let (target, part) = target.split_once(".rs:").unwrap_or((target, ""));
            let target = if part.is_empty() {
                target.to_owned()
            } else {
                format!("{target}.rs")
            };
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            let file = if file.is_empty() { &name } else { file };
            let text = read(file).unwrap_or_else(|| panic!("{name}: nothing at {target}"));
            for mark in ["ANCHOR: ", "ANCHOR_END: "] {
                let there = part.is_empty() || text.contains(&format!("// {mark}{part}\n"));
                assert!(there, "{name}: {target} has no {mark}{part}");
            }
            let mut headings = text.lines().filter(|line| line.starts_with('#'));
            let is_there = headings.any(|line| anchor(line) == heading)
                || text.contains(&format!("id=\"{heading}\""));
            assert!(
                heading.is_empty() || is_there,
                "{name}: no heading for {target}"
            );
        }
    }
}

#[test]
fn texts_of_crates_have_no_links_that_work_only_in_the_book() {
    let command = fs::read_to_string(book().join("../bloom-params/COMMAND.md")).unwrap();
    let guide = fs::read_to_string(book().join("../fuzz/kit/GUIDE.md")).unwrap();
    for text in [command, guide] {
        let (prose, _) = prose_and_blocks(&text);
        let mut links = between(&prose, "](", ')').into_iter();
        assert_eq!(links.find(|link| !link.starts_with("https://")), None);
    }
}

#[test]
fn every_image_has_an_alternative_text() {
    for (name, page) in pages() {
        assert!(!page.contains("![]("), "{name}: an image without a text");
        assert!(
            !page.contains("<img"),
            "{name}: images are figures, which have a text"
        );
    }
}

#[test]
fn the_samples_of_every_page_are_run() {
    let samples = fs::read_to_string(book().join("samples.rs")).unwrap();
    for (name, page) in pages() {
        let line = format!("include_str!(\"src/{name}\")");
        assert!(samples.contains(&line), "{name} is missing in samples.rs");
        let mut lines = page.lines();
        while let Some(line) = lines.next() {
            if line == "```rust,ignore" {
                // The tests of the listings run samples that are included from the listings.
                let shown = lines.next().unwrap_or_default();
                let is_listing = shown.starts_with("{{#include ../listings/");
                assert!(is_listing, "{name}: not a listing: {shown}");
                assert_eq!(lines.next(), Some("```"), "{name}: more than a listing");
            } else if line.starts_with("```rust") {
                assert_eq!(line, "```rust", "{name}: a sample that is not run");
            }
        }
    }
}

/// Returns the numbers of a text that have a decimal point or a thousands separator, without the separators.
fn long_numbers(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '_');
    text.split(|c| !is_part(c))
        .map(|number| number.trim_matches(['.', ',', '_']))
        .filter(|number| number.contains(['.', ',', '_']))
        .map(|number| number.replace([',', '_'], ""))
        .collect()
}

#[test]
fn every_long_number_in_the_prose_stands_in_a_block_or_table_that_is_run() {
    let mut unknown = Vec::new();
    for (name, page) in pages() {
        let (mut prose, mut run) = prose_and_blocks(&page);
        // The addresses of papers on arXiv have numbers, which nothing computes.
        for paper in between(&prose.clone(), "https://arxiv.org/abs/", ')') {
            prose = prose.replace(paper, "");
        }
        for table in between(&page, "{{#include ", '}') {
            let file = table
                .split_once(".rs:")
                .map(|(file, _)| format!("{file}.rs"));
            let file = file.as_deref().unwrap_or(table);
            run += &fs::read_to_string(book().join("src").join(file)).unwrap();
        }
        // The same number is 20,000 in prose, 20_000, 20_000.0 or 0..20_000 in a sample, and 20000 in a flag.
        let plain = run.replace([',', '_'], "").replace("..", " ");
        let numbers = plain.split(|c: char| !c.is_ascii_digit() && c != '.');
        let known: Vec<_> = numbers
            .flat_map(|number| [number, number.strip_suffix(".0").unwrap_or(number)])
            .collect();
        for number in long_numbers(&prose) {
            if !known.contains(&number.as_str()) {
                unknown.push(format!("{name}: {number}"));
            }
        }
    }
    assert_eq!(unknown, [""; 0], "where do these numbers come from?");
}

/// Returns the figures that `figures.sh` draws: their names, and the commands that draw them.
fn figures() -> Vec<(String, String)> {
    let script = fs::read_to_string(book().join("figures.sh")).unwrap();
    let script = script.replace("\\\n", " ");
    let mut figures = Vec::new();
    for line in script.lines() {
        let (program, line) = match line.strip_prefix("program=bloom-charts ") {
            Some(line) => ("bloom-charts", line),
            None => ("bloom-plot", line),
        };
        if let Some(line) = line.strip_prefix("figure ") {
            let (name, question) = line.split_once(' ').expect("a figure has a question");
            let question: Vec<&str> = question.split_whitespace().collect();
            figures.push((name.to_owned(), format!("{program} {}", question.join(" "))));
        }
    }
    assert!(!figures.is_empty(), "no figure is drawn");
    figures
}

#[test]
fn every_figure_is_drawn_for_each_theme_and_width_and_is_on_a_page() {
    let pages = pages();
    for (name, command) in figures() {
        let read = |file: &str| fs::read_to_string(book().join("src/figures").join(file)).unwrap();
        let included = read(&format!("{name}.html"));
        let texts = between(&included, "alt=\"", '"');
        assert_eq!(texts.len(), 2, "{name}: a text for each theme");
        for ending in ["", "-phone"] {
            let file = format!("{name}{ending}.svg");
            let svg = read(&file);
            for theme in ["light", "dark"] {
                let shown = format!("\"figures/{file}#{theme}\"");
                assert!(included.contains(&shown), "{shown}");
                assert!(svg.contains(&format!("<g id=\"{theme}\">")), "{shown}");
            }
            // The descriptions in the large file and in the file for phones may differ, because the small picture leaves out
            // what it has no room for.
            assert_eq!(between(&svg, "<desc>", '<').len(), 1, "{file}");
        }
        let svg = read(&format!("{name}.svg"));
        let description = between(&svg, "<desc>", '<')[0].replace('"', "&quot;");
        assert!(!description.is_empty());
        assert_eq!(texts, [&description, &description], "{name}");
        let command = format!("<code>{command}</code>");
        assert!(included.contains(&command), "{name}: {command}");
        let include = format!("{{{{#include figures/{name}.html}}}}");
        let shown = pages.iter().any(|(_, page)| page.contains(&include));
        assert!(shown, "{name} is drawn but not shown");
    }
}

#[test]
fn every_figure_that_a_page_includes_is_drawn() {
    let figures = figures();
    for (name, page) in pages() {
        for figure in between(&page, "{{#include figures/", '}') {
            let Some(figure) = figure.strip_suffix(".html") else {
                continue; // a diagram, which `diagrams.rs` or `faster.rs` compares
            };
            let drawn = figures.iter().any(|(drawn, _)| drawn == figure);
            assert!(drawn, "{name}: figures.sh does not draw {figure}");
        }
    }
}

#[test]
fn every_plot_command_shown_draws_a_figure() {
    let figures = figures();
    let mut shown = 0;
    for (name, page) in pages() {
        for line in page.lines() {
            let Some(plot) = line.strip_prefix("cargo run --release -p bloom-plot -- ") else {
                continue;
            };
            let (question, _) = plot.split_once(" -o ").expect("a plot goes to a file");
            let command = format!("bloom-plot {question}");
            let drawn = figures.iter().any(|(_, drawn)| *drawn == command);
            assert!(drawn, "{name}: figures.sh does not draw {question}");
            shown += 1;
        }
    }
    assert!(shown > 0, "no plot is shown");
}

#[test]
fn the_fonts_of_the_formulas_are_shipped_with_their_licence() {
    let folder = book().join("src/katex");
    let css = fs::read_to_string(folder.join("katex.css")).unwrap();
    let fonts = between(&css, "url(", ')');
    assert!(!fonts.is_empty(), "a stylesheet without fonts");
    for font in fonts {
        assert!(folder.join(font).is_file(), "nothing at {font}");
    }
    assert!(folder.join("LICENSE").is_file());
}

#[test]
fn every_exercise_in_code_is_on_its_page_and_in_a_chapter() {
    let pages = pages();
    let (_, code) = pages.iter().find(|(name, _)| name == "code.md").unwrap();
    let mut exercises = 0;
    for entry in fs::read_dir(book().join("listings/src/exercises")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() || name == "mod.rs" {
            continue;
        }
        for file in [name.to_owned(), format!("solutions/{name}")] {
            let shown = format!("{{{{#include ../listings/src/exercises/{file}}}}}");
            assert!(code.contains(&shown), "code.md does not show {file}");
        }
        let heading = name.trim_end_matches(".rs").replace('_', "-");
        let link = format!("(code.md#{heading})");
        let linked = pages.iter().any(|(_, page)| page.contains(&link));
        assert!(linked, "no chapter has {link}");
        exercises += 1;
    }
    assert!(exercises > 0, "a book without exercises in code");
}
