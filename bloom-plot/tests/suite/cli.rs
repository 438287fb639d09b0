//! Runs the command `bloom-plot`, and checks its pictures, messages and exit codes.

use std::fs;
use std::process::Stdio;

use bloom_testing::assert_has;

use crate::common::{QUICK, command, folder, names, run, run_line, stderr};

#[test]
fn without_flags_the_output_is_an_svg_named_after_the_chart() {
    let folder = folder("defaults");
    let output = run(&folder, &["rate-by-items", "--measured"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
    assert_eq!(stderr(&output), "wrote: rate-by-items.svg\n");
    assert_eq!(names(&folder), ["rate-by-items.svg"]);
    let svg = fs::read_to_string(folder.join("rate-by-items.svg")).unwrap();
    assert!(svg.contains("False-positive rate by items, m = 20,000"));
    assert!(svg.contains("mean of 20 real filters with 20,000 queries"));
    assert!(svg.contains("k = 3") && svg.contains("k = 5") && svg.contains("k = 7"));
    // A measured point is drawn as a ring, which is made of two discs, or as an arrow if there were no false positives.
    assert!(svg.matches("stroke-linecap=\"round\"").count() >= 2 * 25);
}

#[test]
fn only_the_theory_is_drawn_by_default() {
    let folder = folder("theory");
    let args = ["rate-by-items", "-o", "-"];
    let output = run(&folder, &args);
    let svg = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(svg.contains("Lines: exact model."));
    // There is one disc per curve, and no measured point.
    assert_eq!(svg.matches("stroke-linecap=\"round\"").count(), 3);
    assert!(!svg.contains("Points"));
    assert!(stderr(&output).is_empty());
    assert!(names(&folder).is_empty());
}

#[test]
fn the_file_extension_selects_the_format() {
    let folder = folder("kinds");
    for (name, start) in [
        ("curve.svg", &b"<svg "[..]),
        ("curve.png", b"\x89PNG"),
        ("CURVE.PNG", b"\x89PNG"),
        ("curve.pdf", b"%PDF-"),
    ] {
        let output = run(&folder, &[&QUICK[..], &["-o", name]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(fs::read(folder.join(name)).unwrap().starts_with(start));
    }
    let arguments = [
        &QUICK[..],
        &["-o", "curve", "--format", "png", "--dpi", "96"],
    ]
    .concat();
    assert!(run(&folder, &arguments).status.success());
    assert!(
        fs::read(folder.join("curve"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
    assert_eq!(
        names(&folder),
        ["CURVE.PNG", "curve", "curve.pdf", "curve.png", "curve.svg"]
    );
}

#[test]
fn standard_output_gets_an_svg_by_default() {
    let folder = folder("stdout");
    let svg = run(&folder, &[&QUICK[..], &["-o", "-"]].concat());
    assert!(svg.stdout.starts_with(b"<svg ") && svg.stderr.is_empty());
    let png = run(
        &folder,
        &[&QUICK[..], &["-o", "-", "--format", "png"]].concat(),
    );
    assert!(png.stdout.starts_with(b"\x89PNG") && png.stderr.is_empty());
}

#[test]
fn sizes_hashes_and_items_are_read_as_people_write_them() {
    let folder = folder("units");
    let args = [
        "-m", "4KiB", "--hashes", "4, 7", "--items", "1.5k", "-o", "-", "--size", "600x400",
    ];
    let output = run(&folder, &[&QUICK[..6], &args].concat());
    let svg = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(
        svg.contains("32,768 bits") && svg.contains("up to 1,500 items"),
        "{}",
        stderr(&output)
    );
    assert!(svg.contains("k = 4") && svg.contains("k = 7"));
    assert!(svg.contains("width=\"600\" height=\"400\""));
    for text in ["20k", "20Kb"] {
        let output = run(&folder, &["rate-by-items", "--bits", text, "-o", "-"]);
        let note = format!("note: {text} is 20,000 bits (2,500 bytes); for bytes write 20kB");
        assert!(stderr(&output).contains(&note));
    }
}

#[test]
fn an_existing_picture_is_replaced_atomically() {
    let folder = folder("replace");
    let path = folder.join("curve.svg");
    fs::write(&path, "older").unwrap();
    // A second hard link to the file shows whether the file was overwritten in place or replaced by a new file.
    fs::hard_link(&path, folder.join("second")).unwrap();
    let args = [&QUICK[..], &["-o", "curve.svg"]].concat();
    assert!(run(&folder, &args).status.success());
    assert_eq!(fs::read_to_string(folder.join("second")).unwrap(), "older");
    assert!(fs::read_to_string(&path).unwrap().ends_with("</svg>\n"));
    assert_eq!(names(&folder), ["curve.svg", "second"]);
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_stays_one() {
    let folder = folder("link");
    fs::write(folder.join("real.svg"), "older").unwrap();
    std::os::unix::fs::symlink("real.svg", folder.join("curve.svg")).unwrap();
    let args = [&QUICK[..], &["-o", "curve.svg"]].concat();
    assert!(run(&folder, &args).status.success());
    assert!(folder.join("curve.svg").is_symlink());
    assert!(
        fs::read_to_string(folder.join("real.svg"))
            .unwrap()
            .starts_with("<svg ")
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = folder("pipe");
    let mut command = command(&folder, &[&QUICK[..], &["-o", "-"]].concat());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_data_behind_a_picture_are_written_beside_it() {
    let folder = folder("csv");
    let output = run(&folder, &[&QUICK[..], &["--csv", "data.csv"]].concat());
    assert_eq!(
        stderr(&output),
        "wrote: rate-by-items.svg\nwrote: data.csv\n"
    );
    let csv = fs::read_to_string(folder.join("data.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("series,kind,items n,false-positive rate p,low,high")
    );
    let kinds = [
        "k = 3,curve,",
        "k = 5,dot,",
        "k = 7,measured,",
        "k = 7,bound,",
    ];
    assert_has("the data", &csv, &kinds);
    assert!(lines.all(|line| line.matches(',').count() == 5));
    let to_pipe = run(&folder, &[&QUICK[..], &["--csv", "-"]].concat());
    assert_eq!(String::from_utf8(to_pipe.stdout).unwrap(), csv);
}

#[test]
fn title_theme_size_and_ranges_follow_their_flags() {
    let folder = folder("looks");
    let args = [
        "rate-by-bits",
        "--title",
        "Mine & yours",
        "--theme",
        "dark",
        "--width",
        "640",
        "--height=420",
        "--x-range",
        "5..20",
        "--y-range",
        "1e-4..1",
        "-o",
        "-",
    ];
    let output = run(&folder, &args);
    let svg = String::from_utf8(output.stdout).unwrap();
    let parts = [
        "<title>Mine &amp; yours</title>",
        "fill=\"#14171C\"",
        "width=\"640\" height=\"420\"",
        "10⁻⁴",
    ];
    assert_has("the looks", &svg, &parts);
    assert!(!svg.contains("10⁻⁵") && !svg.contains(">25<"));
    let refused = |line: &str| {
        let output = run(&folder, &line.split(' ').collect::<Vec<_>>());
        stderr(&output).to_string()
    };
    let said = refused("trust --size 800x500 --width 900 -o -");
    assert!(said.contains("cannot be used with"), "{said}");
    // The parser accepts 0, and the chart checks the range of the number.
    let said = refused("hash-floor --hash-bits 0 -o -");
    assert_eq!(said, "error: hash bits must be from 8 to 128, got 0\n");
}

#[test]
fn measured_shares_of_filters_are_known_within_five_hundredths() {
    let folder = folder("shares");
    let args = "counter-overflow --m 1000 --counter-bits 3,4 --measured -o a.svg --csv -";
    let output = run_line(&folder, args);
    let csv = String::from_utf8(output.stdout).unwrap();
    let measured = csv.lines().filter(|line| line.contains(",measured,"));
    let mut count = 0;
    for line in measured {
        let fields: Vec<f64> = line
            .split(',')
            .skip(2)
            .map(|x| x.parse().unwrap())
            .collect();
        let [_, share, low, high] = fields[..] else {
            panic!("{line}");
        };
        assert!(low < share && share < high && high - low < 0.1, "{line}");
        count += 1;
    }
    assert!(count >= 3, "{csv}");
}
