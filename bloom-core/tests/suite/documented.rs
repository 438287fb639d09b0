//! Checks that the documentation of every public function and method has an example or leads to one.
//!
//! A function passes if its documentation has an example. It also passes if the documentation of a type or of the module in the
//! same file has an example that calls a function of this name. And it passes if its documentation links to another function
//! that has an example (as in "see [`hash_of`]"), or that links to a function with an example.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The documentation in a source file.
#[derive(Default)]
struct File {
    /// The examples in the documentation of the module and of its types.
    examples: String,
    /// The name of each public function, and its documentation.
    functions: Vec<(String, String)>,
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.file_name().is_some_and(|name| name != "tests.rs") {
            found.push(path);
        }
    }
}

fn read(path: &Path) -> File {
    let (mut file, mut doc) = (File::default(), String::new());
    for line in fs::read_to_string(path).unwrap().lines() {
        let line = line.trim();
        if line == "mod tests {" {
            break;
        } else if let Some(text) = line.strip_prefix("//!") {
            // The examples in this text are added to `examples` at the next line of code, which is not a function.
            doc = doc + text + "\n";
            continue;
        } else if let Some(text) = line.strip_prefix("///") {
            doc = doc + text + "\n";
            continue;
        } else if line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        let item = line.replace("const ", "").replace("unsafe ", "");
        if let Some(function) = item.strip_prefix("pub fn ") {
            let name = function.split(['(', '<']).next().unwrap();
            file.functions.push((name.to_owned(), doc.clone()));
        } else {
            file.examples += &examples(&doc);
        }
        doc.clear();
    }
    file
}

/// Returns the code blocks of a text, without those that name a language, which are not compiled.
fn examples(doc: &str) -> String {
    let fenced = doc.split("```").skip(1).step_by(2);
    fenced.filter(|code| code.starts_with('\n')).collect()
}

/// Returns the names to which a text links, without their paths. The result also has other words of the text.
fn links(doc: &str) -> BTreeSet<&str> {
    let text = doc.split("```").step_by(2);
    let names = text.flat_map(|text| text.split(['[', ']', '(', ')', '`']));
    names
        .map(|name| name.rsplit("::").next().unwrap())
        .collect()
}

#[test]
fn every_public_function_has_an_example_or_leads_to_one() {
    let mut paths = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    sources(&root.join("src"), &mut paths);
    // Helpers of tests are no public functions.
    paths.retain(|path| !path.starts_with(root.join("src/storage/testing")));
    let listed = fs::read_to_string(root.join("public-api.txt")).unwrap();
    let files: Vec<File> = paths.iter().map(|path| read(path)).collect();
    let mut missing = Vec::new();
    let mut shown = BTreeSet::new();
    for (path, file) in paths.iter().zip(&files) {
        for (name, doc) in &file.functions {
            if !examples(doc).is_empty() || file.examples.contains(&format!("{name}(")) {
                shown.insert(name.as_str());
            } else if listed.contains(&format!("::{name}")) {
                missing.push((path, name.as_str(), links(doc)));
            }
        }
    }
    assert!(shown.len() > 80, "{} names are read", shown.len());
    // The second round accepts links to functions that have no example but link to one.
    for _ in 0..2 {
        let (leads, others) = missing
            .into_iter()
            .partition::<Vec<_>, _>(|(.., links)| !links.is_disjoint(&shown));
        shown.extend(leads.iter().map(|(_, name, _)| name));
        missing = others;
    }
    assert!(missing.is_empty(), "without an example: {missing:#?}");
}
