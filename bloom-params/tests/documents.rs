//! Runs every bloom-params command that is shown in README.md, in this crate's README.md and COMMAND.md, and in the book, and
//! compares the output with the output shown. This file is a test program of its own, because it changes the current folder,
//! which all tests of a program share.

use std::path::Path;
use std::{env, fs};

/// The command that runs the calculator before it is installed.
const FROM_SOURCE: &str = "$ cargo run --release -p bloom-params -- ";

#[test]
fn every_command_shown_prints_what_is_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let chapters = fs::read_dir(root.join("book/src")).unwrap();
    let mut pages: Vec<_> = chapters.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    assert!(!pages.is_empty(), "a book without pages");
    for file in [
        "README.md",
        "bloom-params/README.md",
        "bloom-params/COMMAND.md",
    ] {
        pages.push(root.join(file));
    }

    let copies = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents");
    fs::create_dir_all(&copies).unwrap();
    // TRYCMD=dump writes the output of commands below the current folder, which must be outside the
    // sources.
    env::set_current_dir(&copies).unwrap();
    let cases = trycmd::TestCases::new();
    let mut commands = 0;
    for page in pages {
        let text = fs::read_to_string(&page)
            .unwrap()
            .replace(FROM_SOURCE, "$ bloom-params ");
        let shown = text.matches("\n$ bloom-params ").count();
        if shown == 0 {
            // This page has no command of bloom-params. The commands of other programs are run by the tests of those.
            continue;
        }
        commands += shown;
        // Two pages are called README.md, so the copies have the folder in their names.
        let name = page.strip_prefix(&root).unwrap().to_str().unwrap();
        let copy = copies.join(name.replace(['/', '\\'], "-"));
        fs::write(&copy, as_trycmd_reads_it(&text)).unwrap();
        for (name, content) in files(&text) {
            // The folder in which trycmd runs the commands of this page.
            let folder = copy.with_extension("in");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(name), content).unwrap();
        }
        cases.case(copy);
    }
    assert!(commands >= 2, "only {commands} commands are shown");
}

/// Returns the files that a page shows: blocks with a name after their language, as ` ```text NAME `.
fn files(text: &str) -> Vec<(&str, &str)> {
    let blocks = text.split("\n```text ").skip(1);
    let blocks = blocks.filter_map(|block| block.split_once('\n'));
    let ended = blocks.filter_map(|(name, rest)| Some((name, rest.split_once("```")?.0)));
    ended.collect()
}

/// Ends each block of commands with a blank line, which trycmd needs and a reader does not. Blocks that begin with the command
/// of another program become plain text, which trycmd does not run.
fn as_trycmd_reads_it(text: &str) -> String {
    let mut copy = String::new();
    let mut inside = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if inside && line == "```" {
            copy.push('\n');
        }
        let ours = lines
            .peek()
            .is_some_and(|next| next.starts_with("$ bloom-params "));
        if line.starts_with("```") {
            inside = line == "```console" && ours;
        }
        copy += if line == "```console" && !ours {
            "```text"
        } else {
            line
        };
        copy.push('\n');
    }
    copy
}
