//! Tests what the examples with options have in common: input from files, refused options, and output.

use std::io::{BufRead, BufReader, Write};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::ALL;
use crate::run::*;

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

/// Commands that must fail, each with the reason that it must report. LIST stands for a file, and DIR for a directory.
const BAD: &str = r"
visit_queue --items | a value is required for '--items <ITEMS>'
visit_queue --items many | invalid value 'many' for '--items <ITEMS>'
visit_queue --items -1 | invalid value '-1' for '--items <ITEMS>'
visit_queue --items 0 | items must be at least 1
visit_queue --rate 0 | rate must be between 0 and 1
visit_queue --rate 1 | rate must be between 0 and 1
visit_queue --rate NaN | rate must be between 0 and 1
visit_queue --rate 1% | invalid value '1%' for '--rate <RATE>'
visit_queue --items 18446744073709551615 --rate 1e-300 | must be
visit_queue --fast | unexpected argument '--fast'
visit_queue -x | unexpected argument '-x'
visit_queue --items=many | invalid value 'many' for '--items <ITEMS>'
visit_queue --compare=yes | unexpected value 'yes' for '--compare'
visit_queue -- --items | --items: 
visit_queue -- -h | -h: 
visit_queue LIST two.txt | unexpected argument 'two.txt'
visit_queue missing.txt | missing.txt: 
visit_queue DIR | tmp: 
blocklist LIST | <ALLOWED>
blocklist LIST LIST LIST | unexpected argument
blocklist LIST missing.txt | missing.txt: 
blocklist LIST LIST --rate 2 | rate must be between 0 and 1
blocklist --items 5 | unexpected argument '--items'
stream_duplicates --items 0 | items must be at least 1
stream_duplicates --rate -1 | rate must be between 0 and 1
stream_duplicates --max-stages 0 | stages must be at least 1
stream_duplicates missing.txt | missing.txt: 
mapped_blocklist | <FILE>
mapped_blocklist LIST LIST | unexpected argument
mapped_blocklist --items 5 LIST | --save
mapped_blocklist --save --verify LIST | '--save' cannot be used with '--verify'
mapped_blocklist --save --rate 2 LIST | rate must be between 0 and 1
mapped_blocklist missing.bloom | missing.bloom: 
mapped_blocklist LIST | bytes must be at least 136, got 2
huge_filter --items 0 | items must be at least 1
huge_filter --rate 1 | rate must be between 0 and 1
huge_filter LIST | unexpected argument
huge_filter --pages --items 0 | items must be at least 1
huge_filter --pages --way parts | '--pages' cannot be used with '--way <WAY>'
huge_filter --way fast | invalid value 'fast' for '--way <WAY>'
";

#[test]
fn bad_options_are_reported_and_exit_with_2() {
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
        let messages = &done.messages;
        assert_eq!(done.code, Some(2), "{case}: {messages}");
        let program = format!("{example}: ");
        let starts = [program.as_str(), "error: "];
        assert!(
            starts.iter().any(|start| messages.starts_with(start)),
            "{case}: {messages}"
        );
        assert!(messages.contains(reason), "{case}: {messages}");
        assert!(done.output.is_empty(), "{case}");
    }
}

#[test]
fn a_closed_output_is_not_an_error() {
    // The input is larger than what all buffers on its way hold in total. So an example that reads it has to write before the
    // input ends, and must notice the closed output.
    let input = text(&urls(100_000));
    let list = file("closed_list.txt", "a\n");
    let saved = file("closed.bloom", "");
    run_well("mapped_blocklist", &["--save", "--items", "9", &saved], "a");
    for example in ALL {
        let lists: &[&str] = match example {
            "blocklist" => &[&list, &list],
            "mapped_blocklist" => &[&saved],
            "huge_filter" => &["--items", "1000"],
            _ => &[],
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
fn a_line_is_answered_before_the_next_one_arrives() {
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
        // The beginning of the second line must not delay the answer to the first.
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
