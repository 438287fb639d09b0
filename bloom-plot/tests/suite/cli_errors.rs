//! Runs the command `bloom-plot` with invalid input. It must print one error, exit with the code 2 and leave no partial file.

use std::fs;
use std::process::Stdio;

use bloom_testing::{assert_has, cases};

use crate::common::{QUICK, command, folder, names, run, run_line, stderr};

/// Checks that each case of a table gives one error on standard error and leaves no file. A case consists of invalid flags, the
/// start of the expected error, and parts that the error or its hint must contain.
#[track_caller]
fn assert_refused(name: &str, table: &str) {
    let folder = folder(name);
    for (flags, parts) in cases(table) {
        let flags = flags.replace("\\n", "\n");
        let output = run_line(&folder, &format!("rate-by-items {flags}"));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{flags}: {said}");
        assert!(output.stdout.is_empty(), "{flags}");
        let start = format!("error: {}", parts[0]);
        assert!(said.starts_with(&start), "{flags}: not {start} but {said}");
        assert_has(&flags, said, &parts[1..]);
        assert!(said.lines().count() <= 2, "{flags}: {said}");
        let left = names(&folder);
        assert!(left.is_empty(), "{flags} left {left:?}");
    }
}

#[test]
fn wrong_filters_are_one_error_and_leave_nothing() {
    assert_refused(
        "wrong-filters",
        r#"
        $ --k '' => --k needs a value => hint: write hashes like 7
        $ --k 3,,5 => --k needs a value => "hint: "
        $ --k 0 => k must be at least 1, got 0 => "hint: "
        $ --k 256 => k must be between 1 and 255, got 256 => "hint: "
        $ --k 3,3 => k must be a list without repetitions, got 3 twice
        $ --k 1,2,3,4,5,6,7,8,9 => k must have at most 8 entries => "hint: "
        $ --m 0 => m must be at least 1, got 0 => "hint: "
        $ --m -5 => m must be at least 1, got -5 => "hint: "
        $ --m 2^64 => m must be at most 2^63 bits => "hint: "
        $ --m NaN => m must be => "hint: "
        $ --n 0 => n must be at least 1, got 0 => "hint: "
        $ --n 1 => n must be at least 2 to make a curve, got 1
        $ --n 2^64 => n must be at most => "hint: "
        $ --m 2^60 --n 2 --k 200 => p must reach 1e-300 => hint: raise --n
    "#,
    );
}

#[test]
fn wrong_measurements_are_one_error_and_leave_nothing() {
    assert_refused(
        "wrong-measurements",
        r#"
        $ --measured --m 2^63 => measuring must take at most 2,000,000,000 => without --measured
        $ --measured --m 1e9 => measuring must take at most 2,000,000,000 => without --measured
        $ --measured --n 1e18 => measuring must take at most 2,000,000,000 => without --measured
        $ --measured --filters 1 => filters must be from 2 to 10,000, got 1 => leave --filters out
        $ --measured --filters -3 => filters must be a whole number => "hint: "
        $ --measured --queries 0 => queries must be at least 1, got 0
        $ --measured --queries many => queries must be a whole number => "hint: "
        $ --measured --seed x => seed must be a whole number => "hint: "
    "#,
    );
}

#[test]
fn wrong_pictures_are_one_error_and_leave_nothing() {
    assert_refused(
        "wrong-pictures",
        r#"
        $ -o curve.jpg => output must end in .svg, .png or .pdf, got curve.jpg => --format
        $ -o curve => output must end in .svg, .png or .pdf, got curve => --format
        $ -o a.svg --format png => format must agree with the file's name
        $ --format gif => format must be svg, png or pdf, got "gif"
        $ -o none/curve.svg => "cannot write none/curve.svg: "
        $ --size 10x10 => size must be from 300x200 to 4000x4000
        $ --size big => size must be a width and a height, like 800x500 or 3.5x2.2in, got big
        $ --size -9x9 => size must be from 300x200 to 4000x4000
        $ --dpi 300 => dpi is for a PNG => "hint: "
    "#,
    );
}

#[test]
fn wrong_looks_are_one_error_and_leave_nothing() {
    assert_refused(
        "wrong-looks",
        r#"
        $ --theme grey => theme must be light, dark or auto, got "grey"
        $ --theme auto -o x.png => theme of a PNG or PDF must be light or dark, got auto
        $ --width wide => width must be a whole number of pixels
        $ --width 299 => size must be from 300x200 to 4000x4000 pixels, got 299x500
        $ --height 4001 => size must be from 300x200 to 4000x4000
        $ --title 日本語 -o x.png
          a PNG or PDF cannot show '日': its typeface, DejaVu, has no such letter
          hint: write an .svg
        $ --title two\nlines => title must be one line of at most 80 letters
    "#,
    );
}

#[test]
fn wrong_ranges_and_scales_are_one_error_and_leave_nothing() {
    assert_refused(
        "wrong-ranges",
        r#"
        $ --x-range 5 => x-range must be two numbers separated by .., got "5" => "hint: "
        $ --x-range 5..5 => x-range must run from the lower to the higher number => "hint: "
        $ --x-range 9..NaN => x-range must be two numbers => "hint: "
        $ --y-range 1..0.1 => y-range must run from the lower to the higher number => "hint: "
        $ --y-range -1..1 => y-range must be above 0 on a logarithmic axis
        $ --csv none/a.csv => "cannot write none/a.csv: "
        $ -o - --csv - => csv and output must not be the same file
        $ -o a.svg --csv ./a.svg => csv and output must not be the same file
        $ --x-range 100..20000
          x-range must be inside the computed range 0..7400, got "100..20000"
          hint: move the end of the axis with --n
        $ --x-range -1..10 => x-range must be inside the computed range 0..7400 => "hint: "
        $ --x-range 0.2..0.8 => x-range must show a part of a curve, got "0.2..0.8" => "hint: "
        $ --y-range 2..9 => y-range must show a part of a curve => "hint: "
        $ --format png --dpi 0 => dpi must be at least 1 => "hint: "
        $ --format png --dpi -1 => dpi must be a whole number
        $ --format png --dpi 9999 => dpi must be at least 1 => "hint: "
    "#,
    );
    let output = run_line(&folder("small-range"), "bits-by-rate --x-range 1e-9..0.1");
    let expected = "error: x-range must be inside the computed range 1e-6..0.5, got ";
    assert!(stderr(&output).starts_with(expected));
}

#[test]
fn the_error_of_a_rule_without_a_size_names_a_rate_to_write() {
    let folder = folder("rule-without-size");
    let refused = |only: &str| {
        let output = run(&folder, &["sizing-error", "--only", only]);
        assert_eq!(output.status.code(), Some(2));
        stderr(&output).to_owned()
    };
    assert_eq!(
        refused("ours,cassandra"),
        "error: cassandra takes only p above 6.71e-5, got 1e-6\n\
         hint: write --p 1e-4, or leave cassandra out of --only\n"
    );
    let lines = ["sizing-error", "--only", "cassandra", "--p", "1e-4"];
    assert!(run(&folder, &lines).status.success());
    assert!(refused("guva").contains("hint: write names like --only textbook,guava"));
}

#[test]
fn a_folder_as_output_is_refused() {
    let folder = folder("folder");
    fs::create_dir(folder.join("curve.svg")).unwrap();
    let output = run(&folder, &[&QUICK[..], &["-o", "curve.svg"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("error: cannot write curve.svg: "));
    assert_eq!(names(&folder), ["curve.svg"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = folder("full");
    let file = run(
        &folder,
        &[&QUICK[..], &["--format", "svg", "-o", "/dev/full"]].concat(),
    );
    assert_eq!(file.status.code(), Some(2));
    assert!(stderr(&file).starts_with("error: cannot write /dev/full: "));
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = command(&folder, &[&QUICK[..], &["-o", "-"]].concat());
    let output = command.stdout(Stdio::from(full)).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("error: cannot write to standard output: "));
}

#[test]
fn a_flag_that_would_be_ignored_is_refused() {
    let folder = folder("ignored");
    for args in [
        "rate-spread --measured --queries 5",
        "estimate-error --measured --queries 5",
        "counter-overflow --measured --queries 5",
        "trust --filters 5",
        "diagram --x-range 1..2",
        "diagram --counting --filter blocked",
        "diagram --blocks 4",
        "diagram --filter partitioned --blocks 4",
        "diagram --filter partitioned --remove a",
        "scalable-growth --show memory --measured --queries 5",
    ] {
        let output = run_line(&folder, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).starts_with("error: "), "{args:?}");
        assert!(names(&folder).is_empty(), "{args:?}");
    }
}
