//! The example `mapped_blocklist`.

use std::path::PathBuf;

use crate::run::*;

fn file(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().expect("a path in UTF-8").to_owned()
}

#[test]
fn a_mapped_list_finds_every_saved_item() {
    let file = file("mapped.bloom");
    let blocked = urls(5_000);
    let saved = ["--save", "--items", "5000", "--rate=1e-4", &file];
    let done = run_well("mapped_blocklist", &saved, blocked.join("\n"));
    assert_eq!(done.figure("saved"), 5_000.0);
    for options in [&[&file[..]][..], &["--verify", &file]] {
        let done = run_well("mapped_blocklist", options, blocked.join("\n"));
        assert_eq!(done.lines(), vec!["blocked"; 5_000]);
        // A wide margin: 0.5 of 5000 is expected; 25 is exceeded by chance less than once in 10^9 runs.
        let others: Vec<String> = blocked.iter().map(|url| format!("{url}?")).collect();
        let done = run_well("mapped_blocklist", options, others.join("\n"));
        let found = done
            .lines()
            .iter()
            .filter(|line| **line == "blocked")
            .count();
        assert!(found < 25, "{found} found by mistake");
    }
}

#[test]
fn a_damaged_or_foreign_file_is_an_error() {
    let file = file("damaged.bloom");
    run_well(
        "mapped_blocklist",
        &["--save", "--items=1000", &file],
        "ant\n",
    );
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[200] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    let done = run("mapped_blocklist", &["--verify", &file], "ant");
    assert_eq!(done.code, Some(2));
    assert!(done.messages.contains("checksum"), "{}", done.messages);
    std::fs::write(
        &file,
        "no filter, but as long as one has to be at the least".repeat(3),
    )
    .unwrap();
    let done = run("mapped_blocklist", &[&file], "ant");
    assert_eq!(done.code, Some(2));
}
