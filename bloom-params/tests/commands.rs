//! The subcommands: tables, batches, and what shells ask for.

mod common;

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use bloom_params::Query;
use common::{run, run_args};
use serde_json::Value;

#[test]
fn the_bits_of_other_structures_are_those_of_the_references() {
    let path = format!(
        "{}/../bloom-core/tests/vectors/lower_bound.csv",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = fs::read_to_string(path).unwrap();
    let mut compared = 0;
    for row in text.lines().skip(1) {
        let cells: Vec<_> = row.split(',').collect();
        let (n, p) = (cells[0], cells[1]);
        if p == "1.0" {
            continue;
        }
        let (code, out, _) = run(&format!("compare -n {n} -p {p} --format json"));
        if code != 0 {
            continue; // more than 2^63 bits
        }
        let rows: Vec<Value> = serde_json::from_str(&out).unwrap();
        for (name, column) in [
            ("no structure takes less", 2),
            ("xor", 6),
            ("binary fuse, 3-wise", 7),
            ("binary fuse, 4-wise", 8),
            ("cuckoo", 9),
            ("cuckoo, semi-sorted", 10),
            ("quotient (rank-select)", 11),
        ] {
            let row = rows.iter().find(|row| row["structure"] == name).unwrap();
            let (found, told) = (row["bits_per_item"].as_f64().unwrap(), cells[column]);
            let told: f64 = told.parse().unwrap();
            assert!(
                (found - told).abs() <= 1e-12 * told,
                "{name} {n} {p}: {found} {told}"
            );
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn the_filters_compared_are_those_of_their_own_questions() {
    let (_, out, _) = run("compare -n 2000 -p 1% --format csv");
    for (name, line) in [
        ("classic,", "-n 2000 -p 1%"),
        ("partitioned,", "-n 2000 -p 1% --filter partitioned"),
        ("\"counting, 4 bits\",", "-n 2000 -p 1% --filter counting"),
        ("\"blocked, 512 bits\",", "-n 2000 -p 1% --filter blocked"),
        (
            "\"scalable from 1,000 items\",",
            "-n 2000 -p 1% --filter scalable",
        ),
    ] {
        let answer: Value = serde_json::from_str(&run(&format!("{line} --json")).1).unwrap();
        let row = out.lines().find(|row| row.starts_with(name)).unwrap();
        assert!(row.contains(&format!(",{},", answer["bytes"])), "{row}");
    }
}

/// Pei Cao's table, as printed in 1998: 20 bits an item and 10 hashes give 0.0000889.
#[test]
fn the_table_of_rates_is_that_of_the_literature() {
    let (_, out, _) = run("table --format csv");
    let row = out.lines().find(|row| row.starts_with("20,")).unwrap();
    let p: f64 = row.split(',').nth(10).unwrap().parse().unwrap();
    assert!((p / 0.000_088_94 - 1.0).abs() < 1e-4, "{p}");
    assert!(out.lines().all(|row| row.split(',').count() == 13));
    let (_, markdown, _) = run("table --format markdown");
    assert!(markdown.starts_with("| m/n | k = 1 |") && markdown.contains("\n| --- |"));
}

#[test]
fn a_table_for_people_fits_80_columns_and_names_its_sources_below() {
    let (_, out, _) = run("compare -n 1M -p 1%");
    let table = out.split_once("\n\n").unwrap().0;
    assert!(table.lines().count() == 17 && table.lines().all(|line| line.len() <= 80));
    let (_, csv, _) = run("compare -n 1M -p 1% --format csv");
    for source in [
        "Fan et al. 2014, buckets of 4 at load 0.95",
        "Graf and Lemire 2020",
    ] {
        assert!(out.contains(&format!(": {source}\n")) && csv.contains(source));
    }
    for command in ["compare -n 1M -p 1%", "table", "table -n 5 -p .1"] {
        let json = run(&format!("{command} --json"));
        assert_eq!(json, run(&format!("{command} --format json")), "{command}");
        assert!(json.1.starts_with("[\n"), "{command}");
    }
}

#[test]
fn a_table_by_hashes_holds_the_answers_for_each() {
    let (_, out, _) = run("table -n 2000 -p 1% --format csv");
    for k in 1..=11 {
        let m = run(&format!("-n 2000 -k {k} -p 1% --get m")).1;
        let row = format!("{k},{},{}", m.trim(), if k == 7 { "best" } else { "" });
        assert!(out.lines().any(|line| line == row), "no {row} in {out}");
    }
    assert!(run("table -n 2000 -m 20000").1.contains("best"));
    assert!(run("table -m 20000 -p 1%").1.contains("2,084  best"));
}

/// Of 10^18 items, those rows are shown that have at most 2^63 bits.
#[test]
fn a_table_of_very_many_items_ends_where_filters_do() {
    let (code, out, err) = run("table -n 1e18");
    assert_eq!((code, err.as_str()), (0, ""));
    let rows: Vec<_> = out
        .lines()
        .filter_map(|line| line.get(..3)?.trim().parse::<u8>().ok())
        .collect();
    assert_eq!(rows, [2, 3, 4, 5, 6, 7, 8, 9]);
    assert!(out.contains("no rows from m/n = 10 on"), "{out}");
    assert!(!run("table -n 1e9").1.contains("no rows"));
}

#[test]
fn commands_refuse_what_they_do_not_take() {
    for (line, message) in [
        ("compare -n 5", "nothing else of the question, got n alone"),
        ("compare -n 5 -p .1 -k 3", "got --k 3"),
        (
            "compare -n 5 -p .1 --filter counting",
            "compare takes n and p, and nothing else of the question, got --filter counting",
        ),
        ("compare -n 5 -p .1 --round pow2", "got --round pow2"),
        (
            "compare -n 5 -p .1 --confidence 99%",
            "got --confidence 99%",
        ),
        ("compare -n 5 -p 2", "p must be between 0 and 1"),
        ("table -k 5", "of a filter whose k is a choice, got --k 5"),
        ("table -p 1%", "got p alone"),
        ("table -n 5 -m 50 -p 1%", "got n, m and p"),
        (
            "table -n 5 -p .1 --filter scalable",
            "got --filter scalable",
        ),
        (
            "table -n 2^63",
            "--n must be at most 2^62 for a table: with 2 bits per item m is 2^63, got 9,223,",
        ),
        (
            "batch -n 5",
            "batch takes n, m, k and p from its file, got n alone",
        ),
        (
            "batch /nowhere/at/all.csv",
            "/nowhere/at/all.csv cannot be read: ",
        ),
        (
            "batch /nowhere/at/all/of/a/path/that/is/longer/than/a/value\u{1b}[31m.csv",
            "/nowhere/at/all/of/a/path/that/is/longer/than/a/value\\u{1b}[31m.csv cannot be read: ",
        ),
        (
            "completions tcsh",
            "SHELL must be bash, elvish, fish, powershell or zsh, got tcsh",
        ),
        (
            "--n 2000 --p 1% compare",
            "hint: write bloom-params compare --n 2000 --p 1%",
        ),
        (
            "comapre -n 5",
            "hint: did you mean compare? write it like bloom-params compare --n 1M --p 1%",
        ),
    ] {
        let (code, out, err) = run(line);
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert!(err.contains(message), "{line}: {err}");
    }
}

/// Writes questions to a file of its own.
fn file(name: &str, text: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_batch_answers_row_by_row_and_names_the_bad_ones() {
    let path = file(
        "mixed.csv",
        b"n,p,k\n2000,1%,\n5,x,\n1M,,7\n,1%,\n2000,0.01,5\n1,2\n\n\xff,1%,\n\"2,000\",1%,\n",
    );
    let (code, out, err) = run_args(&["batch", path.to_str().unwrap()]);
    assert_eq!(code, 2);
    assert_eq!(
        out,
        "line,n,m,k,p,met,bits_per_item\n\
         2,2000,19188,7,0.00999932708785754,true,9.594\n\
         4,1000000,10098866,7,0.00781250418259794,,10.098866\n\
         5,,,7,0.01,,9.592954717083105\n\
         6,2000,19700,5,0.009998096528596373,true,9.85\n\
         10,2000,19188,7,0.00999932708785754,true,9.594\n"
    );
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(lines.len(), 3, "{err}");
    assert!(lines[0].starts_with("error: line 3: p must be"), "{err}");
    assert_eq!(lines[1], "error: line 7: must have 3 fields, got 2");
    assert_eq!(lines[2], "error: line 9: must be UTF-8");
}

/// More rows than are answered at once, so that several threads and several turns are needed.
#[test]
fn a_batch_of_many_rows_has_the_answers_of_single_questions_in_order() {
    const ROWS: usize = 20_000;
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    };
    let (mut text, mut expected, mut bad) = ("n,m,k,p\n".to_string(), String::new(), Vec::new());
    for line in 2..ROWS + 2 {
        let digits = 1 + random(7) as u32;
        let n = 1 + random(10_u64.pow(digits));
        let mut query = Query {
            items: Some(n),
            bits: Some(n * (2 + random(30))),
            hashes: Some(1 + random(12) as u8),
            rate: Some(0.5_f64.powi(2 + random(18) as i32)),
            ..Query::default()
        };
        match random(6) {
            0 => query.items = None,
            1 => (query.hashes, query.rate) = (None, None),
            2 => query.rate = None,
            3 => query.bits = None,
            _ => (query.bits, query.hashes) = (None, None),
        }
        if random(500) == 0 {
            text += "5,x,,\n";
            bad.push(line);
            continue;
        }
        let field = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
        let rate = query.rate.map_or(String::new(), |rate| rate.to_string());
        let hashes = query.hashes.map(u64::from);
        let row = [field(query.items), field(query.bits), field(hashes), rate];
        text += &(row.join(",") + "\n");
        let single = query.solve().unwrap();
        let each = single
            .bits_per_item()
            .map_or(String::new(), |each| each.to_string());
        let met = single.met.map_or(String::new(), |met| met.to_string());
        expected += &format!(
            "{line},{},{},{},{:?},{met},{each}\n",
            single.items,
            single.bits,
            single.hashes,
            single.rate.value()
        );
    }
    let path = file("many.csv", text.as_bytes());
    let (code, out, err) = run_args(&["batch", path.to_str().unwrap()]);
    assert_eq!(code, 2);
    let answers = out.split_once('\n').unwrap().1;
    assert!(answers == expected, "not the same answers");
    let told: Vec<_> = err
        .lines()
        .map(|line| line.split(':').nth(1).unwrap())
        .collect();
    let bad: Vec<_> = bad.iter().map(|line| format!(" line {line}")).collect();
    assert!(bad.len() > 10 && told == bad, "{told:?}");
}

/// What rows share is worked out once: no row may see it, and blocks must not take for ever.
#[test]
fn a_batch_for_other_filters_has_the_answers_of_single_questions_and_is_quick() {
    let mut text = "n,m,p\n".to_string();
    for row in 0..400_u64 {
        let n = 1 + row * row * row * 97 % 1_000_003;
        let p = 0.5 / (1 + row * 7_919 % 9_973) as f64;
        text += &match row % 3 {
            0 => format!("{n},,{p}\n"),
            1 => format!("{n},{},\n", n * (3 + row % 20) + 512),
            _ => format!(",{},{p}\n", n * 10 + 512),
        };
    }
    let path = file("others.csv", text.as_bytes());
    let path = path.to_str().unwrap();
    let batch = |flags: &str| {
        let args = ["batch", path].into_iter().chain(flags.split_whitespace());
        let begun = Instant::now();
        let answers = run_args(&args.collect::<Vec<_>>()).1;
        (answers, begun.elapsed())
    };
    for flags in [
        "--filter blocked",
        "--filter blocked --block-bits 64",
        "--filter split-block",
        "--filter scalable",
        "--confidence 99%",
    ] {
        let rows: Vec<_> = text.lines().skip(1).zip(2..).collect();
        let mut answered = 0;
        for answer in batch(flags).0.lines().skip(1) {
            let cells: Vec<_> = answer.split(',').collect();
            let (row, _) = rows
                .iter()
                .find(|(_, line)| cells[0] == line.to_string())
                .unwrap();
            let given = ["-n", "-m", "-p"].into_iter().zip(row.split(','));
            let given: Vec<_> = given.filter(|(_, value)| !value.is_empty()).collect();
            let question = given.iter().map(|(flag, value)| format!("{flag} {value}"));
            let question = question.collect::<Vec<_>>().join(" ");
            let single = run(&format!("{question} {flags} --json")).1;
            // Read by `f64` itself: serde_json may be a last digit off.
            let number = |key: &str| {
                let (_, rest) = single.split_once(&format!("\"{key}\": ")).unwrap();
                rest.split(',').next().unwrap().parse::<f64>().unwrap()
            };
            for (cell, key) in cells[1..5].iter().zip(["n", "m", "k", "p"]) {
                let value: f64 = cell.parse().unwrap();
                assert_eq!(number(key), value, "{row} {flags}: {key}");
            }
            answered += 1;
        }
        assert!(answered > 100, "{flags}: {answered}");
    }
    // One row asks for a hundred rates inside a block; the next one finds most of them. The classic
    // filter is the clock, as machines differ: 230 times its time it was, and 10 it is.
    let slower = (0..5).map(|_| {
        let classic = batch("").1.as_secs_f64();
        batch("--filter blocked").1.as_secs_f64() / classic
    });
    let least = slower.fold(f64::INFINITY, f64::min);
    assert!(least < 60.0, "{least} times the time of the classic filter");
}

#[test]
fn a_batch_may_be_put_to_a_library() {
    let path = file("like.csv", b"n,p\n1000,1%\n1,0.9\n200000000,0.1%\n");
    let args = ["batch", path.to_str().unwrap(), "--like", "guava"];
    let (code, out, err) = run_args(&args);
    assert_eq!(code, 2);
    assert!(out.contains("\n2,1000,9600,7,"), "{out}");
    assert_eq!(err, "error: line 3: guava builds no filter of 0 bits\n");
    let args = ["batch", path.to_str().unwrap(), "--like", "parquet"];
    let (code, out, _) = run_args(&args);
    assert_eq!(code, 1);
    assert!(out.contains("\n4,200000000,1073741824,8,0.14"), "{out}");
}

/// The form in quotes and the plain one are read alike.
#[test]
fn quotes_and_blanks_around_fields_change_no_answer() {
    let rows = |text: &[u8]| {
        let path = file("quotes.csv", text);
        run_args(&["batch", path.to_str().unwrap()]).1
    };
    let plain = rows(b"n,p\n2000,1%\n2_000,0.01\n");
    for text in [
        &b"n,p\r\n2000,1%\r\n2_000,0.01\r\n"[..],
        b" n , p \n 2000 ,\t1% \n\"2_000\",\"0.01\"",
        b"\"n\",p\n\"2000\", 1%\n\"2,000\",\" 0.01\"\n",
    ] {
        assert_eq!(rows(text), plain, "{text:?}");
    }
    // A quote that stays open takes nothing of the next line.
    let path = file("open.csv", b"n,p\n\"2000,1%\n2000,1%\n");
    let (code, out, err) = run_args(&["batch", path.to_str().unwrap()]);
    assert_eq!((code, out.lines().count()), (2, 2), "{out}");
    assert_eq!(
        err,
        "error: line 2: must close every quote, got \"2000,1%\n"
    );
    let path = file("head.csv", b"n,\"p\n2000,1%\n");
    let (code, _, err) = run_args(&["batch", path.to_str().unwrap()]);
    assert_eq!(code, 2);
    assert!(
        err.contains("its first line must close every quote, got \"p\n"),
        "{err}"
    );
    // A doubled quote within a field is a sign of it, and closed is closed.
    assert!(rows(b"n,p\n\"2\"\"000\",1%\n").lines().count() == 1);
}

#[test]
fn a_batch_exits_1_where_a_rate_is_not_met_and_0_else() {
    let missed = file("missed.csv", b"n,m,k,p\n2000,19171,7,1%\n2000,19188,7,1%\n");
    let (code, out, err) = run_args(&["batch", missed.to_str().unwrap(), "--format", "json"]);
    assert_eq!((code, err.as_str()), (1, ""));
    let rows: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (&rows[0]["met"], &rows[1]["met"]),
        (&false.into(), &true.into())
    );
    let rows = run_args(&["batch", missed.to_str().unwrap(), "--json"]);
    assert_eq!(rows.1, out, "--json is --format json");
    let met = file("met.csv", b"\xef\xbb\xbfitems,rate\r\n2000,1%\r\n");
    let args = ["batch", met.to_str().unwrap(), "--filter", "split-block"];
    let (code, out, err) = run_args(&args);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("2,2000,21248,8,"), "{out}");
    assert!(
        run_args(&["batch", met.to_str().unwrap(), "--format", "markdown"])
            .1
            .contains("| 2 | 2000 |")
    );
}

#[test]
fn a_batch_without_columns_is_refused_with_the_reason() {
    for (text, reason) in [
        (&b""[..], "it is empty: the first line names the columns"),
        (
            b"a,b\n1,2\n",
            "its first line must name columns among n, m, k and p, got a",
        ),
        (
            b"n;p\n1;2\n",
            "its first line must name columns among n, m, k and p, parted by commas, got n;p",
        ),
        (b"n,n\n1,2\n", "its first line names n twice"),
    ] {
        let path = file("columns.csv", text);
        let (code, out, err) = run_args(&["batch", path.to_str().unwrap()]);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(
            err.contains(&format!("columns.csv cannot be read: {reason}")),
            "{err}"
        );
    }
}

#[test]
fn shells_get_their_completions_and_man_its_page() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, out, _) = run(&format!("completions {shell}"));
        assert!(
            code == 0 && out.contains("confidence") && out.contains("compare"),
            "{shell}"
        );
    }
    let (_, fish, _) = run("completions fish");
    for line in fish.lines().filter(|line| line.contains(" -s n ")) {
        assert!(line.ends_with("-r -f"), "files for a number: {line}");
    }
    let (_, bash, _) = run("completions bash");
    assert!(bash.contains("classic partitioned blocked split-block counting scalable"));
    for (command, refused) in [
        ("batch", "-s n "),
        ("compare", "-l filter "),
        ("table", "-s k "),
    ] {
        let of = format!("__fish_bloom_params_using_subcommand {command}\"");
        let mut own = fish.lines().filter(|line| line.contains(&of));
        assert!(!own.any(|line| line.contains(refused)), "{command}");
    }
    assert!(!fish.contains("stray"));
    for command in ["compare", "table", "batch", "verify", "completions", "man"] {
        let (code, out, _) = run(&format!("man {command}"));
        assert!(code == 0 && out.contains(&format!(".TH bloom-params-{command} 1")));
    }
    let (code, out, _) = run("man");
    assert!(code == 0 && out.contains(".TH bloom-params 1") && out.contains("\\-\\-overfill"));
}
