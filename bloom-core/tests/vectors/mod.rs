//! Compares the formulas, the hashes and the saved files of bloom-core with the tables of reference values in this
//! folder; `README.md` has the tolerances.

mod classic;
mod estimates;
mod family;
mod layout;
mod table;

#[test]
fn every_table_is_read() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors");
    let sources = [
        include_str!("classic.rs"),
        include_str!("estimates.rs"),
        include_str!("family.rs"),
        include_str!("layout.rs"),
    ];
    let files = std::fs::read_dir(directory).unwrap();
    let mut tables = 0;
    for path in files.map(|file| file.unwrap().path()) {
        if path.extension().is_some_and(|end| end == "csv") {
            let name = path.file_name().unwrap().to_str().unwrap();
            let read = format!("include_str!(\"{name}\")");
            let is_read = sources.iter().any(|source| source.contains(&read));
            assert!(is_read, "{name} is not read");
            tables += 1;
        }
    }
    assert!(tables > 20, "only {tables} tables found");
}
