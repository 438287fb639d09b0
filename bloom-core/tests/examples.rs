//! Runs the examples as a user does and holds them to what they say.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{env, fs, thread};

use bloom_core::BloomFilter;

const ALL: [&str; 3] = ["visit_queue", "blocklist", "stream_duplicates"];

/// What an example did.
struct Done {
    code: Option<i32>,
    output: Vec<u8>,
    messages: String,
}

impl Done {
    fn lines(&self) -> Vec<&str> {
        let output = std::str::from_utf8(&self.output).expect("the input was UTF-8");
        assert!(output.is_empty() || output.ends_with('\n'));
        output.lines().collect()
    }

    /// Returns the number after the label that a line of the counts begins with.
    fn figure(&self, label: &str) -> f64 {
        let mut lines = self.messages.lines();
        let rest = lines.find_map(|line| line.strip_prefix(label));
        let rest = rest.unwrap_or_else(|| panic!("no {label:?} in {}", self.messages));
        let is_part = |c: char| c.is_ascii_digit() || c == '.';
        let start = rest.find(is_part).expect("a number");
        let number = rest[start..].split(|c| !is_part(c)).next();
        number.expect("a number").parse().expect("a number")
    }

    fn warnings(&self) -> usize {
        self.messages.matches("warning").count()
    }
}

fn start(example: &str, arguments: &[&str]) -> Child {
    // Cargo puts examples beside the directory of this test.
    let test = env::current_exe().unwrap();
    let directory = test.parent().unwrap().parent().unwrap().join("examples");
    let program = directory.join(format!("{example}{}", env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "{} is not built; `cargo test -p bloom-core` does, or `cargo build --examples`",
        program.display()
    );
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Writes the input from a thread of its own, so that neither side waits for the other.
fn feed(child: &mut Child, input: &[u8]) {
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // An example that stops early leaves the rest unread.
    thread::spawn(move || stdin.write_all(&input).ok());
}

fn run(example: &str, arguments: &[&str], input: impl AsRef<[u8]>) -> Done {
    let mut child = start(example, arguments);
    feed(&mut child, input.as_ref());
    let output = child.wait_with_output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(!messages.contains("panicked"), "{messages}");
    Done {
        code: output.status.code(),
        output: output.stdout,
        messages,
    }
}

/// As [`run`], for what must go well.
fn run_well(example: &str, arguments: &[&str], input: impl AsRef<[u8]>) -> Done {
    let done = run(example, arguments, input);
    assert_eq!(done.code, Some(0), "{arguments:?}: {}", done.messages);
    done
}

fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path.into_os_string().into_string().unwrap()
}

fn urls(count: u64) -> Vec<String> {
    let url = |i| format!("https://site-{}.example/page/{i}", i % 97);
    (0..count).map(url).collect()
}

fn text<L: AsRef<str>>(lines: &[L]) -> String {
    let lines = lines.iter().flat_map(|line| [line.as_ref(), "\n"]);
    lines.collect()
}

/// Each line, and after it one that came long before: in all, twice as many lines.
fn with_duplicates(distinct: &[String]) -> String {
    let lines = distinct.iter().enumerate();
    let lines = lines.flat_map(|(i, line)| [line, "\n", &distinct[i / 2], "\n"]);
    lines.collect()
}

/// Asserts that `kept` are some of the lines, in their order, none of them twice.
fn assert_first_occurrences(kept: &[&str], distinct: &[String]) {
    let mut rest = distinct.iter();
    for line in kept {
        assert!(rest.any(|known| known == line), "{line} is twice or moved");
    }
}

/// Asserts that a count that is nearly Poisson is within 5 σ of its mean.
fn assert_near(count: f64, mean: f64) {
    let allowed = 5.0 * mean.sqrt();
    assert!(
        (count - mean).abs() < allowed,
        "{count} beside {mean} ± {allowed}"
    );
}

#[test]
fn the_queue_hands_out_first_occurrences_in_order_and_none_twice() {
    let (items, rate) = (20_000, 0.02);
    let distinct = urls(items);
    let options = ["--items", "20000", "--rate", "0.02", "--compare"];
    let done = run_well("visit_queue", &options, with_duplicates(&distinct));
    let kept = done.lines();
    assert_first_occurrences(&kept, &distinct);

    let mistakes = distinct.len() - kept.len();
    let filter = BloomFilter::<[u8]>::with_rate(items, rate).unwrap();
    let mean: f64 = (0..items)
        .map(|n| filter.expected_false_positive_rate(n))
        .sum();
    assert!(mean < rate * items as f64);
    assert_near(mistakes as f64, mean);

    assert_eq!(done.figure("URLs read"), 40_000.0);
    assert_eq!(done.figure("handed out"), kept.len() as f64);
    assert_eq!(done.figure("dropped:"), 40_000.0 - kept.len() as f64);
    assert!(done.messages.contains(" of 20000 distinct URLs"));
    assert_eq!(done.figure("dropped by mistake"), mistakes as f64);
    assert_eq!(done.figure("filter"), filter.shape().bits() as f64);
}

#[test]
fn the_queue_measures_the_memory_of_the_filter_and_of_a_set() {
    let distinct = urls(10_000);
    let done = run_well("visit_queue", &["--compare"], text(&distinct));
    // 10 000 items take a table of 2^14 places, each a vector and a control byte.
    let texts: usize = distinct.iter().map(String::len).sum();
    let least = texts + (1 << 14) * (size_of::<Vec<u8>>() + 1);
    let set = done.figure("measured memory of a HashSet");
    assert!((least..=least + 64).contains(&(set as usize)), "{set}");

    let filter = BloomFilter::<[u8]>::with_rate(1_000_000, 0.01).unwrap();
    let measured = done.figure("measured memory of the filter");
    let least = filter.memory_bytes();
    assert!(
        (least..=least + 64).contains(&(measured as u64)),
        "{measured}"
    );
}

#[test]
fn the_queue_warns_once_if_there_are_more_urls_than_expected() {
    let cases = [
        ("1", "0.01", 3),
        ("10", "0.5", 40),
        ("100", "0.01", 130),
        ("1000", "0.01", 1_100),
        ("1000", "0.01", 20_000),
        ("1000", "0.9", 1_500),
        ("10000", "0.0001", 10_300),
        ("10000", "0.9", 13_000),
    ];
    for (items, rate, count) in cases {
        let options = ["--items", items, "--rate", rate];
        let done = run_well("visit_queue", &options, text(&urls(count)));
        assert_eq!(done.warnings(), 1, "{count} for {options:?}");
        assert!(done.messages.contains(&format!("{items} were expected")));
    }
}

#[test]
fn the_queue_does_not_warn_if_there_are_as_many_urls_as_expected() {
    for items in [100, 1_000, 10_000] {
        for rate in ["0.9", "0.5", "0.01", "0.0001"] {
            let distinct = text(&urls(items)).repeat(3);
            let options = ["--items", &items.to_string(), "--rate", rate];
            let done = run_well("visit_queue", &options, distinct);
            assert_eq!(done.warnings(), 0, "{options:?}: {}", done.messages);
        }
    }
}

#[test]
fn the_queue_takes_any_bytes_and_any_line_ends() {
    let input = b"http://caf\xe9.example/\n\nhttp://a.example/\r\nhttp://caf\xe9.example/\n \nhttp://a.example/";
    let done = run_well("visit_queue", &[], input);
    assert_eq!(done.output, b"http://caf\xe9.example/\nhttp://a.example/\n");
    assert_eq!(
        (done.figure("URLs read"), done.figure("dropped:")),
        (4.0, 2.0)
    );
}

#[test]
fn files_are_read_as_the_standard_input_is() {
    let input = text(&urls(100));
    let path = file("urls.txt", &input);
    for example in ["visit_queue", "stream_duplicates"] {
        let done = run_well(example, &[&path], "");
        assert_eq!(done.output, input.as_bytes());
    }
}

#[test]
fn the_blocklist_blocks_all_that_is_listed_and_nothing_that_is_allowed() {
    let names = |kind: &str, count: u32| -> Vec<String> {
        (0..count).map(|i| format!("{kind}-{i}.example")).collect()
    };
    let (bad, good, strange) = (
        names("bad", 2_000),
        names("good", 20_000),
        names("odd", 20_000),
    );
    let lists = [
        &file("bad.txt", text(&bad)),
        &file("good.txt", text(&good)),
        "--rate",
        "0.05",
    ];
    let done = run_well("blocklist", &lists, text(&[bad, good, strange].concat()));
    let verdicts = done.lines();
    assert_eq!(verdicts.len(), 42_000);
    assert!(
        verdicts[..2_000]
            .iter()
            .all(|verdict| *verdict == "blocked")
    );
    assert!(
        verdicts[2_000..22_000]
            .iter()
            .all(|verdict| *verdict == "allowed")
    );

    let expected = done.figure("exceptions expected");
    assert_near(expected, 1_000.0);
    assert_near(done.figure("exceptions needed:"), expected);
    let is_blocked = |verdict: &&&str| **verdict == "blocked";
    let strangers = verdicts[22_000..].iter().filter(is_blocked).count() as f64;
    assert_near(strangers, expected);
    assert_eq!(done.figure("asked"), 42_000.0);
    assert_eq!(done.figure("blocked:"), 2_000.0 + strangers);
    assert_eq!(done.figure("allowed:"), 40_000.0 - strangers);
}

#[test]
fn the_blocklist_allows_what_is_on_both_lists_and_says_so() {
    let blocked = file("both_blocked.txt", "a\nb\nc");
    let allowed = file("both_allowed.txt", b"b\r\nb\r\n\xff\n\n");
    let done = run_well("blocklist", &[&blocked, &allowed], "a\nb\nc");
    assert_eq!(done.lines(), ["blocked", "allowed", "blocked"]);
    assert_eq!(done.figure("on both lists, and so allowed"), 1.0);
    assert_eq!(done.figure("exceptions needed:"), 0.0);
}

#[test]
fn an_empty_blocklist_blocks_nothing() {
    let empty = file("empty.txt", "");
    let done = run_well("blocklist", &[&empty, &empty], b"a\n\xff\n\n");
    assert_eq!(done.lines(), ["allowed"; 3]);
}

#[test]
fn the_blocklist_shows_itself_without_files() {
    let done = run_well("blocklist", &[], "");
    let lines = done.lines();
    assert_eq!(lines[0], "spam-7.example: blocked");
    assert!(lines[1].starts_with("friend-7.example: allowed"));
    assert!(lines[3].ends_with("(the filter finds it by mistake: an exception)"));
    assert_near(
        done.figure("exceptions needed:"),
        done.figure("exceptions expected"),
    );
}

#[test]
fn a_stream_of_any_length_loses_its_duplicates_and_few_new_lines() {
    let (count, rate) = (50_000, 0.01);
    let distinct = urls(count);
    let options = ["--items", "50", "--rate", "0.01"];
    let done = run_well("stream_duplicates", &options, with_duplicates(&distinct));
    let kept = done.lines();
    assert_first_occurrences(&kept, &distinct);
    let lost = (distinct.len() - kept.len()) as f64;
    let most = rate * count as f64;
    assert!(lost > 0.0 && lost < most + 5.0 * most.sqrt(), "{lost} lost");

    assert_eq!(done.figure("lines read"), 100_000.0);
    assert_eq!(done.figure("printed"), kept.len() as f64);
    assert_eq!(done.figure("dropped:"), 100_000.0 - kept.len() as f64);
    // 50 (2^s - 1) items in s stages.
    assert_eq!(done.figure("stages"), 10.0);
}

#[test]
fn a_stream_is_compared_byte_by_byte() {
    let done = run_well("stream_duplicates", &[], b"\xff\n\na\n\xff\n\na \na\r\na");
    assert_eq!(done.output, b"\xff\n\na\na \na\r\n");
}

#[test]
fn a_stream_that_the_filter_cannot_take_stops_and_drops_nothing_in_silence() {
    let distinct = urls(1_000);
    // Too many stages; and a rate too near the floor of the hash.
    let limited = [
        (
            ["--rate", "1e-9", "--max-stages", "3"],
            "stages must be at most 3",
            // Those expected are 70: a stage with many bits set by chance takes some fewer.
            60..=70,
        ),
        (
            ["--rate", "1e-15", "--max-stages", "64"],
            "what a 64-bit hash adds",
            8..=10,
        ),
    ];
    for (limit, reason, room) in limited {
        let options = [&["--items", "10"], &limit[..]].concat();
        let done = run("stream_duplicates", &options, with_duplicates(&distinct));
        assert_eq!(done.code, Some(2));
        let printed = done.lines().len();
        assert!(room.contains(&printed), "{printed} printed");
        assert_eq!(done.lines(), &distinct[..printed]);
        let stop = format!("stopped before line {}, which is new", 2 * printed + 1);
        assert!(done.messages.contains(&stop), "{}", done.messages);
        assert!(done.messages.contains(reason), "{}", done.messages);
    }
}

#[test]
fn empty_input_gives_empty_output() {
    let list = file("list.txt", "a\n");
    for (example, arguments) in [
        ("visit_queue", &[][..]),
        ("visit_queue", &["--compare"]),
        ("blocklist", &[&list, &list]),
        ("stream_duplicates", &[]),
    ] {
        assert!(run_well(example, arguments, "").output.is_empty());
    }
}

/// Commands that must fail, each with the reason that must be told. LIST is a file, DIR a directory.
const BAD: &str = r#"
visit_queue --items | --items needs a number
visit_queue --items many | --items must be a number, got "many"
visit_queue --items -1 | --items must be a number, got "-1"
visit_queue --items 0 | items must be at least 1
visit_queue --rate 0 | rate must be between 0 and 1
visit_queue --rate 1 | rate must be between 0 and 1
visit_queue --rate NaN | rate must be between 0 and 1
visit_queue --rate 1% | --rate must be a number, got "1%"
visit_queue --items 18446744073709551615 --rate 1e-300 | must be
visit_queue --fast | unknown option "--fast"
visit_queue --fast=1 | unknown option "--fast"
visit_queue -x | unknown option "-x"
visit_queue --items=many | --items must be a number, got "many"
visit_queue --items= | --items must be a number, got ""
visit_queue --compare=yes | --compare takes no value, got "yes"
visit_queue -- --items | --items: 
visit_queue -- -h | -h: 
visit_queue LIST two.txt | one file too many: "two.txt"
visit_queue missing.txt | missing.txt: 
visit_queue DIR | tmp: 
blocklist LIST | the file of allowed items is missing
blocklist LIST LIST LIST | one file too many
blocklist LIST missing.txt | missing.txt: 
blocklist LIST LIST --rate 2 | rate must be between 0 and 1
blocklist --rate | --rate needs a number
blocklist --items 5 | unknown option "--items"
stream_duplicates --items 0 | items must be at least 1
stream_duplicates --rate -1 | rate must be between 0 and 1
stream_duplicates --max-stages 0 | stages must be at least 1
stream_duplicates --max-stages | --max-stages needs a number
stream_duplicates --compare | unknown option "--compare"
stream_duplicates missing.txt | missing.txt: 
"#;

#[test]
fn bad_options_are_told_and_exit_with_2() {
    let list = file("list_for_options.txt", "a\n");
    for case in BAD.trim().lines() {
        let (command, reason) = case.split_once(" | ").expect("two columns");
        let mut words = command.split(' ').map(|word| match word {
            "LIST" => &list,
            "DIR" => env!("CARGO_TARGET_TMPDIR"),
            word => word,
        });
        let example = words.next().expect("a name");
        let done = run(example, &words.collect::<Vec<_>>(), "a\n");
        let told = &done.messages;
        assert_eq!(done.code, Some(2), "{case}: {told}");
        assert!(told.starts_with(example), "{case}: {told}");
        assert!(told.contains(reason), "{case}: {told}");
        assert!(done.output.is_empty(), "{case}");
    }
}

#[test]
fn help_names_every_option_and_goes_to_the_output() {
    let options: [&[&str]; 3] = [
        &["--items N", "--rate P", "--compare", "FILE"],
        &["--rate P", "BLOCKED", "ALLOWED"],
        &["--items N", "--rate P", "--max-stages N", "FILE"],
    ];
    for (example, options) in ALL.into_iter().zip(options) {
        for flag in ["--help", "-h"] {
            let done = run_well(example, &[flag], "");
            let help = done.lines().join("\n");
            assert!(help.starts_with(&format!("usage: {example} ")));
            assert!(options.iter().all(|option| help.contains(option)));
        }
    }
}

#[test]
fn a_value_may_stand_behind_an_equals_sign_and_files_behind_two_dashes() {
    let path = file("equals.txt", text(&urls(2_000)));
    for (example, apart, joined) in [
        (
            "visit_queue",
            &["--items", "1000", "--rate", "0.5", path.as_str()][..],
            &["--rate=0.5", "--items=1000", "--", path.as_str()][..],
        ),
        (
            "stream_duplicates",
            &["--items", "99", "--rate", "0.5", path.as_str()],
            &["--items=99", "--rate=0.5", "--", path.as_str()],
        ),
    ] {
        let (apart, joined) = (run_well(example, apart, ""), run_well(example, joined, ""));
        assert_eq!(apart.output, joined.output);
        assert_eq!(apart.messages, joined.messages);
        assert!(apart.lines().len() < 2_000, "the rate was not taken");
    }
}

#[test]
fn a_closed_output_is_not_an_error() {
    // More than fits in every buffer on the way.
    let input = text(&urls(100_000));
    let list = file("closed_list.txt", "a\n");
    for example in ALL {
        let lists: &[&str] = if example == "blocklist" {
            &[&list, &list]
        } else {
            &[]
        };
        let mut child = start(example, lists);
        drop(child.stdout.take());
        feed(&mut child, input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{example}: {messages}");
        assert!(!messages.contains("panicked"), "{example}: {messages}");
    }
}

#[test]
fn a_line_is_answered_before_the_next_one_comes() {
    let list = file("prompt_list.txt", "a\n");
    let none = file("prompt_none.txt", "");
    for (example, arguments, answer) in [
        ("visit_queue", &[][..], "a\n"),
        ("blocklist", &[list.as_str(), none.as_str()], "blocked\n"),
        ("stream_duplicates", &[], "a\n"),
    ] {
        let mut child = start(example, arguments);
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        // The beginning of the second line must not keep the answer to the first back.
        stdin.write_all(b"a\nb").unwrap();
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            sender.send(line).ok();
        });
        let line = receiver.recv_timeout(Duration::from_secs(20));
        drop(stdin);
        child.wait().unwrap();
        assert_eq!(line.as_deref(), Ok(answer), "{example}");
    }
}

#[test]
fn every_example_is_tested_here() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let sources = files.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let names: HashSet<_> = sources
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ALL.map(str::to_owned).into());
}
