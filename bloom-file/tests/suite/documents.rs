//! Runs the commands of bloom-file that pages show, and compares their output with the page. The pages are those of the book,
//! and the READMEs of the repository and of this package. With `BLESS=1` in the environment, the output is
//! written to the pages instead.
//!
//! Commands of the repository's README are run in the root of the repository, as a newcomer types them. Each other page has a
//! folder of its own with the Parquet file `users.parquet`, which bloom-file cannot write by itself.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The fence of a block of commands.
const OPEN: &str = "```console\n";

/// The words in place of `bloom-file ` where a page runs the command without installing it.
const FROM_SOURCE: &str = "cargo run --release -p bloom-file -- ";

#[test]
fn every_command_shown_prints_what_is_shown() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src");
    let pages = fs::read_dir(book).unwrap();
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.join("..");
    let mut commands = check(&root.join("README.md"), &root);
    assert!(commands >= 1, "the README shows no command");
    commands += check_apart(&package.join("README.md"));
    for page in pages {
        let page = page.unwrap().path();
        if page.extension().is_some_and(|extension| extension == "md") {
            commands += check_apart(&page);
        }
    }
    assert!(commands >= 9, "only {commands} commands are shown");
}

/// Checks the blocks of a page in a folder of its own.
fn check_apart(page: &Path) -> usize {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(page.file_stem().unwrap());
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("users.parquet"), crate::parquet::users()).unwrap();
    check(page, &folder)
}

/// Checks the blocks of a page, which share a folder, and returns the number of commands.
fn check(page: &Path, folder: &Path) -> usize {
    let text = fs::read_to_string(page).unwrap();
    let (mut shown, mut commands) = (String::new(), 0);
    let mut parts = text.split(OPEN);
    shown += parts.next().unwrap_or_default();
    for part in parts {
        let (block, rest) = part.split_once("```").unwrap();
        shown += OPEN;
        if block.contains("bloom-file ") {
            for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
                shown += &format!("$ {command}\n{}", output(command, folder));
                commands += 1;
            }
        } else {
            shown += block;
        }
        shown += "```";
        shown += rest;
    }
    if env::var_os("BLESS").is_some() {
        fs::write(page, &shown).unwrap();
    } else {
        assert!(
            shown == text,
            "{} shows other output than this:\n{shown}",
            page.display()
        );
    }
    commands
}

/// Returns what a shell command prints to the standard output and the standard error.
fn output(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_bloom-file"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    let ran = Command::new("sh")
        .args([
            "-c",
            &format!(
                "{{ {}\n}} 2>&1",
                command.replace(FROM_SOURCE, "bloom-file ")
            ),
        ])
        .env("PATH", path)
        .current_dir(folder)
        .output()
        .unwrap();
    String::from_utf8(ran.stdout).unwrap()
}
