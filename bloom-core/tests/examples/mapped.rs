//! Tests the example `mapped_blocklist`.

use std::path::PathBuf;

use crate::run::*;

fn file(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().expect("a path in UTF-8").to_owned()
}

/// Runs the example to save a list of addresses, one per line, in a filter that is sized for `items` items.
fn save(items: u64, file: &str, addresses: &str) {
    let items = format!("--items={items}");
    run_well("mapped_blocklist", &["--save", &items, file], addresses);
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
        // The limit is far above the mean: of 5,000 random others, 0.5 would be found on average, and 25 less than once in 10^9
        // runs.
        let others: Vec<String> = blocked.iter().map(|url| format!("{url}?")).collect();
        let done = run_well("mapped_blocklist", options, others.join("\n"));
        let found = done
            .lines()
            .iter()
            .filter(|line| **line == "blocked")
            .count();
        assert!(found < 25, "{found} false positives");
    }
}

#[test]
fn a_file_that_was_never_completed_is_refused_as_unsealed() {
    use std::fs;
    use std::io::Write;
    use std::thread;
    use std::time::{Duration, Instant};

    let file = file("killed.bloom");
    fs::remove_file(&file).ok();
    let mut writer = start("mapped_blocklist", &["--save", "--items=1000", &file]);
    let mut items = writer.stdin.take().unwrap();
    let unfinished = format!("{file}.{}.tmp", writer.id());
    let is_open = |bytes: Vec<u8>| bytes.get(112..120) == Some(b"UNSEALED");
    let deadline = Instant::now() + Duration::from_secs(20);
    while !fs::read(&unfinished).is_ok_and(is_open) {
        assert!(Instant::now() < deadline, "no {unfinished}");
        writeln!(items, "ant").unwrap();
        thread::sleep(Duration::from_millis(5));
    }
    writer.kill().unwrap();
    writer.wait().unwrap();
    assert!(!fs::exists(&file).unwrap());
    let done = run("mapped_blocklist", &[&unfinished], "ant");
    assert_eq!(done.code, Some(2), "{}", done.messages);
    assert!(
        done.messages.contains("file must be sealed"),
        "{}",
        done.messages
    );
    fs::remove_file(unfinished).unwrap();
}

#[cfg(unix)]
#[test]
fn a_reader_keeps_the_list_that_it_mapped_while_a_new_one_is_saved() {
    use std::fs;
    use std::io::{BufRead, BufReader, Write};

    let file = file("replaced.bloom");
    // A file of many pages. The file that replaces it is short: if the first file were overwritten in place, the reader would
    // lose most of the pages that it has mapped.
    save(1_000_000, &file, "ant\n");
    let mut reader = start("mapped_blocklist", &[&file]);
    let mut questions = reader.stdin.take().unwrap();
    let mut answers = BufReader::new(reader.stdout.take().unwrap()).lines();
    let mut ask = |question: &str| {
        writeln!(questions, "{question}").unwrap();
        answers.next().expect("the reader lives").unwrap()
    };
    assert_eq!(ask("ant"), "blocked");
    save(1, &file, "bee\n");
    assert_eq!(ask("ant"), "blocked");
    // These queries read pages all over the first file.
    (0..300).for_each(|item| _ = ask(&item.to_string()));
    assert!(!fs::exists(format!("{file}.tmp")).unwrap());
    drop(questions);
    assert!(reader.wait().unwrap().success());
    let done = run_well("mapped_blocklist", &[&file], "ant\nbee\n");
    assert_eq!(done.lines(), ["passed", "blocked"]);
}

/// The file has 4.3 GB, but only 64 MiB of it take space on the disk. The rest is a hole, which reads as empty blocks.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "reads 800 MB of a sparse file: cargo test --release -p bloom-core --test examples 4_gb -- --ignored --nocapture"]
fn a_list_of_4_gb_is_queried_with_64_mb_of_memory() {
    use std::fs::{self, File};
    use std::os::unix::fs::FileExt;
    use std::process::Command;
    use std::time::Instant;

    const BLOCKS: u64 = 1 << 26;
    const QUERIES: u64 = 200_001;
    let path = file("sparse.bloom");
    save(1, &path, "");
    let list = File::options().read(true).write(true).open(&path).unwrap();
    // Writes the number of blocks, the number of words and the header's checksum into the header, and sets all bits of the
    // first 64th of the blocks. The checksum at the end of the file stays wrong.
    let mut header = [0; 112];
    list.read_exact_at(&mut header, 0).unwrap();
    header[16..24].copy_from_slice(&BLOCKS.to_le_bytes());
    header[24..32].copy_from_slice(&(8 * BLOCKS).to_le_bytes());
    list.write_all_at(&header, 0).unwrap();
    let checksum = rapidhash::v3::rapidhash_v3(&header).to_le_bytes();
    list.write_all_at(&checksum, 112).unwrap();
    list.set_len(128 + 64 * BLOCKS + 8).unwrap();
    list.write_all_at(&vec![0xff; BLOCKS as usize], 128)
        .unwrap();
    let questions: Vec<String> = (0..QUERIES).map(|item| item.to_string()).collect();
    let questions = crate::run::file("questions.txt", questions.join("\n"));
    let start = Instant::now();
    let done = Command::new("sh")
        .args(["-c", r#"ulimit -d 65536 && exec "$0" "$1""#])
        .arg(program("mapped_blocklist"))
        .arg(&path)
        .stdin(File::open(questions).unwrap())
        .output()
        .unwrap();
    let messages = String::from_utf8(done.stderr).unwrap();
    println!("{messages}{QUERIES} answers in {:?}", start.elapsed());
    fs::remove_file(&path).unwrap();
    assert!(done.status.success(), "{messages}");
    let answers = String::from_utf8(done.stdout).unwrap();
    assert_eq!(answers.lines().count() as u64, QUERIES);
    let blocked = answers.lines().filter(|line| *line == "blocked").count();
    assert_near(blocked as f64, QUERIES as f64 / 64.0);
}

#[test]
fn a_damaged_or_foreign_file_is_an_error() {
    let file = file("damaged.bloom");
    save(1000, &file, "ant\n");
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
