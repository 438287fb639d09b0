//! Writes the results of a run to the CSV file of this processor and its vector instructions in `bench/records`. Puts tables
//! made from the files in this folder into `bench/README.md` and `bench/LIMITS.md`.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use crate::machine::{Level, level};
use crate::recorded::{Levels, Record};
use crate::tables::{display, reached};

/// Writes `lines` and `csv` to the CSV file of this processor and its vector instructions. Then puts the table of results of
/// this processor into `bench/README.md`, and the tables of results and aims of all processors into `bench/LIMITS.md`.
pub(crate) fn write(root: &Path, lines: &[(&str, String)], csv: &str) -> io::Result<()> {
    let folder = root.join("bench/records");
    fs::create_dir_all(&folder)?;
    let processor = lines.iter().find(|(name, _)| *name == "processor");
    let processor = slug(processor.map_or("", |(_, value)| value));
    let head = lines
        .iter()
        .map(|(name, value)| format!("# {name}: {value}\n"));
    let file = folder.join(format!("{processor}-{}.csv", level().file_name()));
    fs::write(file, head.collect::<String>() + csv)?;
    replace(
        &root.join("bench/README.md"),
        "speed",
        &display(&records(&folder, &processor)),
    )?;
    let all = all_records(&folder)?;
    replace(&root.join("bench/LIMITS.md"), "reached", &reached(&all))
}

/// Reads the CSV files of every processor, ordered by the name of the processor.
fn all_records(folder: &Path) -> io::Result<Vec<Levels>> {
    let mut processors = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        processors.extend(
            name.rsplit_once('-')
                .map(|(processor, _)| processor.to_owned()),
        );
    }
    let all = processors.iter().map(|name| records(folder, name));
    Ok(all.collect())
}

/// Reads the CSV files of a processor: one for each level of vector instructions, or `None` if the file cannot be read.
fn records(folder: &Path, processor: &str) -> Levels {
    Level::ALL.map(|level| {
        Record::read(&folder.join(format!("{processor}-{}.csv", level.file_name()))).ok()
    })
}

/// Returns a processor's name in the form used in file names.
fn slug(processor: &str) -> String {
    let words = processor.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && !["R", "TM", "Processor"].contains(word));
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// Replaces the text between the comments `<!-- NAME -->` and `<!-- /NAME -->` in a file, where NAME is `name`.
fn replace(path: &Path, name: &str, part: &str) -> io::Result<()> {
    let text = fs::read_to_string(path)?;
    let text = replaced(&text, name, part)
        .ok_or_else(|| io::Error::other(format!("{} must have a part `{name}`", path.display())))?;
    fs::write(path, text)
}

fn replaced(text: &str, name: &str, part: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}{part}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_comments_is_replaced() {
        let text = "a\n<!-- x -->\nold\nlines\n<!-- /x -->\nb\n";
        let new = replaced(text, "x", "new\n").unwrap();
        assert_eq!(new, "a\n<!-- x -->\nnew\n<!-- /x -->\nb\n");
        assert_eq!(replaced(&new, "x", "new\n").unwrap(), new);
        assert_eq!(replaced("a\n", "x", "new\n"), None);
    }

    #[test]
    fn the_pages_have_a_place_for_their_tables() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for (page, name) in [("README.md", "speed"), ("LIMITS.md", "reached")] {
            let text = fs::read_to_string(root.join(page)).unwrap();
            assert!(replaced(&text, name, "").is_some(), "{page}");
        }
    }

    #[test]
    fn the_page_of_limits_has_the_tables_of_the_records() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(root.join("LIMITS.md")).unwrap();
        let tables = reached(&all_records(&root.join("records")).unwrap());
        assert!(replaced(&text, "reached", &tables).unwrap() == text);
    }

    #[test]
    fn a_processor_name_becomes_a_file_name() {
        let name = "Intel(R) Xeon(R) Processor (family 6, model 167)";
        assert_eq!(slug(name), "intel-xeon-family-6-model-167");
    }
}
