//! Tests that each chapter of the book says at its end what it teaches and which pages it requires, and that these pages come
//! before it. Also tests the short path: eight pages ("stops"), in which sections are marked that a newcomer may skip.

use std::fs;

use crate::pages::{between, book, pages, prose_and_blocks, read};

/// The labels of the paragraphs in the section *About this page*, in their order.
const ABOUT: [&str; 3] = ["It teaches", "You need", "You may skip"];

/// Returns the pages in the order of the summary.
pub(crate) fn in_order() -> Vec<(String, String)> {
    let summary = fs::read_to_string(book().join("src/SUMMARY.md")).unwrap();
    let names = between(&summary, "](", ')').into_iter();
    names
        .map(|name| (name.to_owned(), read(name).unwrap()))
        .collect()
}

/// Returns the paragraph *You need* of a page, or `None` if it has no such paragraph.
pub(crate) fn needs(page: &str) -> Option<&str> {
    let (_, needs) = page.split_once("\n**You need** ")?;
    Some(needs.split_once("\n\n").unwrap_or((needs, "")).0)
}

/// Returns the pages of the book that a text links to.
fn pages_linked(text: &str) -> Vec<&str> {
    let links = between(text, "](", ')').into_iter();
    let links = links.filter(|link| !link.starts_with('#') && !link.contains("://"));
    links.map(|link| link.split('#').next().unwrap()).collect()
}

#[test]
fn every_chapter_says_at_its_end_what_it_teaches_and_needs() {
    let summary = fs::read_to_string(book().join("src/SUMMARY.md")).unwrap();
    let (chapters, _) = summary.split_once("# Appendices").unwrap();
    let chapters = between(chapters, "- [", ')').into_iter();
    let chapters: Vec<_> = chapters
        .map(|line| line.split_once("](").unwrap().1)
        .collect();
    for (name, page) in in_order() {
        let is_chapter = chapters.contains(&name.as_str());
        let (before, about) = page
            .split_once("\n## About this page\n\n")
            .unwrap_or((&page, ""));
        assert!(!about.is_empty() || !is_chapter, "{name}: nothing about it");
        let paragraphs: Vec<_> = about
            .split("\n\n")
            .filter(|text| !text.is_empty())
            .collect();
        assert!(matches!(paragraphs.len(), 0 | 3), "{name}: {paragraphs:?}");
        for (label, paragraph) in ABOUT.iter().zip(paragraphs) {
            let start = format!("**{label}**");
            assert!(paragraph.starts_with(&start), "{name}: no {label}");
        }
        for label in ["It teaches", "You will learn", "You need", "You may skip"] {
            let early = format!("\n**{label}**");
            assert!(!before.contains(&early), "{name}: {label} before the end");
        }
    }
}

#[test]
fn what_a_page_needs_comes_before_it() {
    let pages = in_order();
    let place = |wanted: &str| pages.iter().position(|(name, _)| name == wanted).unwrap();
    let mut linked = 0;
    for (name, page) in &pages {
        for needed in pages_linked(needs(page).unwrap_or_default()) {
            assert!(place(needed) < place(name), "{name} needs {needed}");
            linked += 1;
        }
    }
    assert!(linked > 0, "no page needs another");
}

/// The pages of the short path, in their order.
const STOPS: [&str; 8] = [
    "introduction.md",
    "idea.md",
    "rate.md",
    "sizes.md",
    "hashing.md",
    "yes.md",
    "practice.md",
    "cheatsheet.md",
];

#[test]
fn every_stop_of_the_short_path_says_which_it_is_and_leads_to_the_next() {
    for (i, name) in STOPS.iter().enumerate() {
        let page = read(name).unwrap();
        let number = format!("top {} of 8**", i + 1);
        let marked = page.split("<div class=\"path\">").skip(1);
        let marked: Vec<_> = marked
            .map(|part| part.split_once("</div>").unwrap().0)
            .collect();
        let place = marked.iter().filter(|part| part.contains(&number));
        assert_eq!(place.count(), 1, "{name}: {number}");
        let onward = between(&page, "**Next stop:** ", '\n');
        let next = STOPS.get(i + 1).map(|next| {
            let page = read(next).unwrap();
            let title = page.lines().next().unwrap().trim_start_matches("# ");
            format!("[{title}]({next})")
        });
        assert_eq!(onward, next.as_slice(), "{name}");
    }
    let marked = pages()
        .into_iter()
        .filter(|(_, page)| page.contains("class=\"path"));
    for (name, _) in marked {
        assert!(STOPS.contains(&name.as_str()), "{name} is off the path");
    }
}

/// Counts the words of a page that are on the short path: all but code, parts that are folded (`<details>`), the section
/// *Sources*, and sections that are marked as off the path.
fn words_on_the_path(name: &str) -> usize {
    let mut words = 0;
    let (prose, _) = prose_and_blocks(&read(name).unwrap());
    for section in prose.split("\n## ") {
        let is_off = section.contains("<div class=\"path off\">");
        if is_off || section.starts_with("Sources\n") {
            continue;
        }
        let mut folds = section.split("<details");
        let before = folds.next().unwrap();
        let after = folds.filter_map(|fold| Some(fold.split_once("</details>")?.1));
        let lines = [before].into_iter().chain(after).flat_map(str::lines);
        let lines = lines.filter(|line| !line.starts_with(['<', '{']));
        words += lines.flat_map(str::split_whitespace).count();
    }
    words
}

#[test]
fn the_short_path_is_short() {
    let words: usize = STOPS.iter().map(|name| words_on_the_path(name)).sum();
    assert!((6_000..=8_000).contains(&words), "{words} words");
}

#[test]
fn every_page_before_the_appendices_begins_with_a_question() {
    let summary = read("SUMMARY.md").unwrap();
    let (before, _) = summary.split_once("# Appendices").unwrap();
    let names = before
        .lines()
        .filter_map(|line| line.split_once("](")?.1.strip_suffix(')'));
    // These two pages are there to look things up, and ask no question.
    let names = names.filter(|name| !["cheatsheet.md", "calculator.md"].contains(name));
    let names: Vec<_> = names.collect();
    assert!(names.len() > 15, "{names:?}");
    for name in names {
        let page = read(name).unwrap();
        let (_, text) = page.split_once("\n\n").unwrap();
        let text = text.strip_prefix("<p class=\"lead\">").unwrap_or(text);
        let end = text.find(['.', ':', '?', '\n', '<']).unwrap();
        assert!(text[end..].starts_with('?'), "{name}: {}", &text[..end]);
    }
}

#[test]
fn the_front_page_lists_every_stop_with_its_minutes() {
    let front = read(STOPS[0]).unwrap().replace('\n', " ");
    let mut sum = 0;
    for name in STOPS {
        // 150 words a minute is less than for a novel, because a reader has formulas to follow and programs to read.
        let minutes = (words_on_the_path(name) + 75) / 150;
        let listed = if name == STOPS[0] {
            format!("**stop 1 of 8** ({minutes} minutes)")
        } else {
            format!("]({name}) ({minutes})")
        };
        assert!(front.contains(&listed), "{listed}");
        sum += minutes;
    }
    assert!(sum <= 50, "{sum} minutes");
}
