//! Tests of flags that help to make a picture for a paper: a size in inches, a typeface, no title, linear or logarithmic axes,
//! points from a file, and several filters in one chart.

use std::fs;

use crate::common::{self, folder, run, run_line, stderr};

/// Runs the command with these arguments, and returns its standard output. The command must succeed.
fn drawn(name: &str, args: &str) -> String {
    let folder = folder(name);
    let output = run_line(&folder, args);
    assert!(output.status.success(), "{args}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the command with these arguments, and returns its error. The command must fail.
fn refused(name: &str, args: &str) -> String {
    let folder = folder(name);
    let output = run_line(&folder, args);
    assert_eq!(output.status.code(), Some(2), "{args}");
    stderr(&output).to_owned()
}

/// Returns the label of each curve in the data of a chart.
fn labels(csv: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let mut labels: Vec<String> = Vec::new();
    for record in reader.records() {
        let record = record.unwrap();
        if &record[1] == "curve" && labels.last().is_none_or(|last| *last != record[0]) {
            labels.push(record[0].to_owned());
        }
    }
    labels
}

#[test]
fn inches_and_dpi_give_the_pixels_that_a_journal_asks_for() {
    let folder = folder("inches");
    let args = "trust --size 3.5x2.2in --dpi 300 -o a.png";
    let output = run_line(&folder, args);
    assert!(output.status.success(), "{}", stderr(&output));
    let bytes = fs::read(folder.join("a.png")).unwrap();
    let reader = png::Decoder::new(std::io::Cursor::new(&bytes))
        .read_info()
        .unwrap();
    let info = reader.info();
    // 2.2 inches are 211 pixels at 96 per inch, which are 659 pixels at 300 per inch.
    assert_eq!((info.width, info.height), (1_050, 659));
    assert_eq!(info.pixel_dims.unwrap().xppu, 11_811);
}

#[test]
fn serifs_are_measured_and_named() {
    let svg = drawn("serif", "sizing-error --font serif -o -");
    assert!(svg.contains("font-family=\"DejaVu Serif, "));
    let other = drawn("sans", "sizing-error -o -");
    let places = |svg: &str| svg.matches("<text x=").count();
    assert_eq!(places(&svg), places(&other));
    assert_ne!(
        svg.replace(
            "DejaVu Serif, Georgia, serif",
            "DejaVu Sans, Verdana, sans-serif"
        ),
        other
    );
    let error = refused("no-font", "trust --font fraktur -o -");
    assert_eq!(
        error,
        "error: font must be sans or serif, got \"fraktur\"\n"
    );
}

#[test]
fn without_a_title_the_plot_begins_at_the_top_and_the_document_keeps_its_name() {
    let svg = drawn("no-title", "trust --no-title -o -");
    assert!(svg.contains("<title>The chance that a yes is true</title>"));
    assert!(!svg.contains(">The chance that a yes is true</text>") && !svg.contains("Discs: "));
    assert!(drawn("title", "trust -o -").contains("Discs: "));
    assert!(refused("both", "trust --no-title --title T").contains("--no-title"));
    assert!(!drawn("bits", "diagram --no-title -o -").contains("16 bits, 3 hashes</text>"));
}

#[test]
fn an_axis_is_linear_or_logarithmic_as_asked() {
    let ticks = |name: &str, args: &str| {
        let svg = drawn(name, &format!("{args} -o -"));
        let texts = svg
            .split("</text>")
            .filter_map(|text| text.rsplit('>').next());
        texts.map(str::to_owned).collect::<Vec<_>>()
    };
    let log = ticks("log-x", "rate-by-items --x-scale log");
    assert!(log.contains(&"1k".to_owned()) && !log.contains(&"7,000".to_owned()));
    // The curves begin at one item, but they are above the lower end of the vertical axis only from about 80 items on.
    assert!(!log.contains(&"10".to_owned()), "{log:?}");
    let linear = ticks("linear-y", "rate-by-items --y-scale linear");
    assert!(linear.contains(&"0".to_owned()) && linear.contains(&"0.4".to_owned()));
    // A request for the scale that an axis has by default changes nothing.
    let own = drawn(
        "own-scale",
        "rate-by-items --y-scale log --x-scale linear -o -",
    );
    assert_eq!(own, drawn("no-scale", "rate-by-items -o -"));
    let bits = ticks("linear-bits", "model-error --x-scale linear");
    assert!(bits.contains(&"0".to_owned()) && bits.contains(&"10M".to_owned()));
    let folder = folder("names-scale");
    let mut args = common::alone(&folder, "speed");
    args.extend(["--x-scale", "log"]);
    let output = run(&folder, &args);
    assert!(
        stderr(&output).starts_with("error: x-scale must be left out where the axis has names")
    );
}

#[test]
fn own_points_are_drawn_over_a_chart_and_are_part_of_its_data() {
    let folder = folder("over");
    let at = |args: &str| run_line(&folder, args);
    fs::write(
        folder.join("mine.csv"),
        "x,y,low,high\n2000,0.01,0.005,0.02\n4000, 0.2,,\n",
    )
    .unwrap();
    let output = at("rate-by-items --k 5 --over mine.csv -o a.svg --csv -");
    let csv = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(csv.contains("\nmine,measured,2000,0.01,0.005,0.02\nmine,measured,4000,0.2,0.2,0.2\n"));
    assert!(
        fs::read_to_string(folder.join("a.svg"))
            .unwrap()
            .contains(">mine</text>")
    );
    // The data of another chart can be drawn over it, too.
    at("rate-by-items --k 4 -o b.svg --csv four.csv");
    let output = at("rate-by-items --k 5 --over four.csv -o b.svg --csv -");
    let csv = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(labels(&csv), ["k = 5", "k = 4"]);
    for (text, message) in [
        (
            "a,b\n1,2\n",
            "error: over must have a column x: see line 1 of wrong.csv\nhint: write a header",
        ),
        (
            "x,y\n1\n",
            "error: over must have as many fields in each line as in the first: see line 2",
        ),
        (
            "x,y\n1,2\n\n3,many\n",
            "error: over must have a number in y, not \"many\": see line 4 of wrong.csv\n",
        ),
        (
            "items n,y\n,2\n",
            "error: over must have a number in items n, not \"\": see line 2 of wrong.csv\n",
        ),
        (
            "x,y\n1,NaN\n",
            "error: over must have a number in y, not \"NaN\": see line 2",
        ),
        (
            "x,y\ninf,1\n",
            "error: over must have a number in x, not \"inf\": see line 2",
        ),
        (
            "x,y,low,high\n1,1,oops,2\n",
            "error: over must have a number in low, not \"oops\": see line 2",
        ),
        (
            "x,y,low,high\n1,1,,2%",
            "error: over must have a number in high, not \"2%\": see line 2",
        ),
        (
            "x,y,low,high\n1,1,0.5,0.25\n",
            "error: over must have low at most high, not 0.5 and 0.25: see line 2",
        ),
        (
            "x,y,low\n1,1,1.5\n",
            "error: over must have low at most high, not 1.5 and 1: see line 2",
        ),
        (
            "x,y,kind\n1,1,points\n",
            "error: over must have curve, dot, measured, measured x, band, bound, bound x or mark as \
             kind, not \"points\": see line 2",
        ),
        ("x,y\n", "error: over must have points"),
        (
            "x,y,series\n1,1,a\n1,1,b\n",
            "error: chart and over must have at most 8 curves together, got 9",
        ),
    ] {
        fs::write(folder.join("wrong.csv"), text).unwrap();
        let output = at("rate-by-items --k 1,2,3,4,5,6,7 --over wrong.csv -o c.svg");
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(stderr(&output).starts_with(message), "{}", stderr(&output));
    }
    let output = at("trust --over none.csv -o c.svg");
    assert!(stderr(&output).starts_with("error: cannot read none.csv: "));
    assert!(!folder.join("c.svg").exists());
}

#[test]
fn points_that_cannot_be_seen_are_counted() {
    let folder = folder("outside");
    // A point is outside if it is beyond an end of an axis, or not above 0 on a logarithmic axis. The lower end of a point's
    // interval may be 0.
    let rows = "x,y,low,series\n50,0.01,0,a\n200,7,,a\n9999,0.1,,a\n90,0,,a\n40,-1,,b\n60,0.1,,c\n";
    fs::write(folder.join("mine.csv"), rows).unwrap();
    let notes = |args: &str| {
        let args = format!("rate-by-items {args} --m 1000 --over mine.csv -o a.svg");
        stderr(&run_line(&folder, &args)).to_owned()
    };
    assert_eq!(
        notes("--k 3"),
        "note: 3 of 4 points of a are outside of the picture\n\
         note: 1 of 1 points of b is outside of the picture\nwrote: a.svg\n"
    );
    // On a linear axis, the point with y = 0 is not outside.
    assert!(notes("--y-scale linear").starts_with("note: 2 of 4 points of a are"));
    assert!(notes("--x-range 55..100").contains("note: 4 of 4 points of a are"));
}

#[test]
fn every_kind_of_the_data_of_a_chart_is_read_back() {
    let kinds = "x,y,kind,low,high\n10,,band,0.1,0.2\n10,0.1,curve,,\n20,0.2,dot,,\n30,0.3,measured,0.2,0.4\n\
                 40,,bound,,0.5\n50,0.5,measured x,40,60\n,0.5,bound x,,60\n70,,mark,,\n";
    let folder = folder("kinds");
    fs::write(folder.join("mine.csv"), kinds).unwrap();
    let args = "rate-by-items --m 1000 --k 3 --over mine.csv -o a.svg --csv -";
    let output = run_line(&folder, args);
    assert_eq!(stderr(&output), "wrote: a.svg\n");
    let csv = String::from_utf8(output.stdout).unwrap();
    let mine = csv.lines().filter(|line| line.starts_with("mine,"));
    assert_eq!(
        mine.collect::<Vec<_>>(),
        [
            "mine,curve,10,0.1,,",
            "mine,dot,20,0.2,,",
            "mine,measured,30,0.3,0.2,0.4",
            "mine,measured x,50,0.5,40,60"
        ]
    );
}

#[test]
fn several_n_or_m_are_curves_of_one_chart() {
    let csv = drawn(
        "several-m",
        "rate-by-items --m 10k --m 20k --k 3,7 -o a.svg --csv -",
    );
    let expected = [
        "k = 3, m = 10,000",
        "k = 7, m = 10,000",
        "k = 3, m = 20,000",
        "k = 7, m = 20,000",
    ];
    assert_eq!(labels(&csv), expected);
    // Each curve must be the one that a chart for its m alone has.
    let own = drawn("one-m", "rate-by-items --m 10k --k 3,7 -o a.svg --csv -");
    for line in own.lines().filter(|line| line.starts_with("k = 3,curve")) {
        let same = line.replace("k = 3,", "\"k = 3, m = 10,000\",");
        assert!(csv.contains(&format!("{same}\n")), "{line}");
    }
    let svg = drawn("several-n", "rate-by-bits --n 100 --n 10k --k 7 -o -");
    assert!(svg.contains("<title>False-positive rate by bits per item</title>"));
    // The lower bound is the same for both n, so it is drawn once.
    let csv = drawn(
        "bound",
        "rate-by-bits --n 100 --n 10k --k 7 -o a.svg --csv -",
    );
    let labels_of_bound: Vec<_> = labels(&csv)
        .into_iter()
        .filter(|label| label.starts_with("bound"))
        .collect();
    assert_eq!(labels_of_bound, ["bound"]);
    // A band is explained even if only one of the figures has it, and the last sentence of the note is whole.
    let svg = drawn(
        "bands",
        "sizing-error --n 100k --n 2000 --p 1% --only guava,ours -o -",
    );
    let note = svg
        .split("</text>")
        .filter_map(|text| text.rsplit_once('>'));
    let note = note.map(|(_, line)| line).collect::<Vec<_>>().join(" ");
    assert!(note.contains(
        "or a power of two). Bands of close teeth: range, mean, and a disc at the last p."
    ));
    let both = drawn(
        "n-and-m",
        "rate-by-hashes --n 1k --n 2k --m 10k --m 20k -o a.svg --csv -",
    );
    assert!(labels(&both).contains(&"exact, n = 1,000, m = 20,000".to_owned()));
    let error = refused(
        "too-many",
        "rate-by-items --m 10000 --m 20,000 --m 30000 --k 3,5,7",
    );
    assert!(error.starts_with("error: curves must have at most 8 entries to be told apart, got 9"));
    assert!(error.contains("hint: repeat --n or --m less often, or write fewer numbers in --k"));
    // Two charts of `bits-by-rate` would have too many curves for one picture.
    let error = refused("two-of-one", "bits-by-rate --n 1000 --n 1M");
    assert!(
        error.contains("'--n <ITEMS>' cannot be used multiple times"),
        "{error}"
    );
}
