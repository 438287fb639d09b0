//! Tests the subcommand `batch`, which solves each row of a CSV file.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use crate::common::{run, run_args};
use bloom_params::Query;
use serde_json::Value;

/// Writes questions to a file of this name.
fn file(name: &str, text: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Runs `batch` on a file with this text.
fn batch(name: &str, text: &[u8]) -> (u8, String, String) {
    run_args(&["batch", file(name, text).to_str().unwrap()])
}

#[test]
fn a_batch_solves_row_by_row_and_names_the_bad_rows() {
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
         5,,,7,0.01,,9.592954717083106\n\
         6,2000,19700,5,0.009998096528596373,true,9.85\n\
         10,2000,19188,7,0.00999932708785754,true,9.594\n"
    );
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(lines.len(), 3, "{err}");
    assert!(lines[0].starts_with("error: line 3: p must be"), "{err}");
    assert_eq!(lines[1], "error: line 7: must have 3 fields, got 2");
    assert_eq!(lines[2], "error: line 9: must be UTF-8");
}

/// The fill is a share of m, and each row has its own m.
#[test]
fn a_batch_takes_one_fill_for_all_rows() {
    let path = file("fill.csv", b"m,k\n1000,1\n2000,2\n");
    let fill = |share| run_args(&["batch", path.to_str().unwrap(), "--fill", share]);
    let (code, out, err) = fill("1/2");
    let rates: Vec<_> = out
        .lines()
        .filter_map(|row| row.split(',').nth(4))
        .collect();
    assert_eq!(
        (code, &rates[..], &*err),
        (0, &["p", "0.5", "0.25"][..], "")
    );
    let (code, out, err) = fill("3");
    assert_eq!((code, &*out), (2, ""));
    assert!(err.starts_with("error: --fill must be"), "{err}");
}

/// One note is enough for all sizes of a file that may mean bytes.
#[test]
fn a_batch_prints_a_size_that_may_mean_bytes_as_bits_and_bytes_once() {
    let note = "note: line 3: 8mb is 8,000,000 bits (1,000,000 bytes); for bytes write 8MB";
    let (code, out, err) = batch("size.csv", b"m,p\n1MB,1%\n8mb,1%\n999,1%\n");
    assert_eq!(
        (code, out.lines().count(), err),
        (0, 4, format!("{note}\n"))
    );
    let (code, _, err) = batch("sizes.csv", b"m,p\n1MB,1%\n8mb,1%\n9k,1%\n1kib,1%\n");
    assert_eq!((code, err), (0, format!("{note} (2 more lines like it)\n")));
}

/// The file has more rows than the 2^14 that `batch` reads at a time, so they are solved in two chunks, by several threads.
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
    let reported: Vec<_> = err
        .lines()
        .map(|line| line.split(':').nth(1).unwrap())
        .collect();
    let bad: Vec<_> = bad.iter().map(|line| format!(" line {line}")).collect();
    assert!(bad.len() > 10 && reported == bad, "{reported:?}");
}

/// The rows of a batch share a cache of the rates inside blocks. No answer may depend on the cache, and with it the filters of
/// blocks must not be too slow.
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
        "--filter plain-blocked",
        "--filter plain-blocked --block-bits 64",
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
            // The text is parsed by `f64`, because serde_json may round the last digit wrongly.
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
    // One row computes a hundred rates inside a block, and the next row finds most of them in the cache. Times are relative to
    // the classic filter, because machines differ: filters of blocks take 230 times as long without the cache, and 10 times with
    // it.
    let slower = (0..5).map(|_| {
        let classic = batch("").1.as_secs_f64();
        batch("--filter plain-blocked").1.as_secs_f64() / classic
    });
    let least = slower.fold(f64::INFINITY, f64::min);
    assert!(least < 60.0, "{least} times the time of the classic filter");
}

#[test]
fn a_batch_may_use_the_rule_of_a_library() {
    let path = file("like.csv", b"n,p\n1000,1%\n1,0.9\n200000000,0.1%\n");
    let args = ["batch", path.to_str().unwrap(), "--like", "guava"];
    let (code, out, err) = run_args(&args);
    assert_eq!(code, 2);
    assert!(out.contains("\n2,1000,9600,7,"), "{out}");
    let refused =
        "error: line 3: guava builds no filter of 0 bits: it takes 1 to 137,438,953,408\n";
    assert_eq!(err, refused);
    let args = ["batch", path.to_str().unwrap(), "--like", "parquet"];
    let (code, out, _) = run_args(&args);
    assert_eq!(code, 1);
    assert!(out.contains("\n4,200000000,1073741824,8,0.14"), "{out}");
}

/// Quoted and plain fields have the same values.
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
    // An open quote does not swallow the next line.
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
    // A doubled quote inside a field belongs to its text, and the field is closed. The text is then no number, so there is no
    // answer below the names of the columns.
    assert!(rows(b"n,p\n\"2\"\"000\",1%\n").lines().count() == 1);
}

#[test]
fn a_batch_exits_1_if_a_rate_is_not_met_and_0_otherwise() {
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
            "its first line must name at least one of n, m, k and p, got a,b",
        ),
        (
            b"n;p\n1;2\n",
            "its first line must name at least one of n, m, k and p, separated by commas, got n;p",
        ),
        (b"n,n\n1,2\n", "its first line names n twice"),
        (b"n,items\n1,2\n", "its first line names n twice"),
        (b"n,x,x\n1,2,3\n", "its first line names x twice"),
        (
            b"n,,p\n1,2,3\n",
            "its first line must name every column, got an empty name",
        ),
        (
            b"n,p,filter\n2000,1%,blocked\n",
            "its first line must not use the name of a flag, which applies to all rows, got filter",
        ),
        (
            b"n,p,Block_Bits\n2000,1%,64\n",
            "its first line must not use the name of a flag, which applies to all rows, got Block_Bits",
        ),
        (
            b"line,n\n1,2\n",
            "its first line must not use the name of a column of the answer, got line",
        ),
        (
            b"n,Met\n1,2\n",
            "its first line must not use the name of a column of the answer, got Met",
        ),
        (
            b"n,bits_per_item\n1,2\n",
            "its first line must not use the name of a column of the answer, got bits_per_item",
        ),
        (
            b"n,\"na\nme\"\n1,2\n",
            "its first line must have no line break inside quotes, got na\\nme",
        ),
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

/// Cells that a spreadsheet may have: blanks, quotes, commas, bars.
#[test]
fn other_columns_are_printed_unchanged_before_the_answer() {
    let text = b"\xef\xbb\xbf\"na\"\"me\",n,note | x,p\r\n\
        \"a, \"\"b\"\"\",2000, \\|5 ,1%\r\n,1M,007,\n=1+1,x,,1%\n";
    let path = file("passed.csv", text);
    let (code, out, err) = run_args(&["batch", path.to_str().unwrap()]);
    assert_eq!(code, 2);
    assert_eq!(
        err,
        "error: line 3: nothing follows from n alone\nerror: line 4: n must be a whole number, got x\n"
    );
    assert_eq!(
        out,
        "\"na\"\"me\",note | x,line,n,m,k,p,met,bits_per_item\n\
         \"a, \"\"b\"\"\", \\|5 ,2,2000,19188,7,0.00999932708785754,true,9.594\n"
    );
    let (_, out, _) = run_args(&["batch", path.to_str().unwrap(), "--format", "markdown"]);
    assert_eq!(
        out,
        "| na\"me | note \\| x | line | n | m | k | p | met | bits_per_item |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n\
         | a, \"b\" |  \\\\\\|5  | 2 | 2000 | 19188 | 7 | 0.00999932708785754 | true | 9.594 |\n"
    );
    let (_, out, _) = run_args(&["batch", path.to_str().unwrap(), "--json"]);
    let start = r#"{"na\"me":"a, \"b\"","note | x":" \\|5 ","line":2,"n":2000,"#;
    assert!(out.starts_with(start), "{out}");
    serde_json::from_str::<Value>(&out).unwrap();
    // A cell of digits remains a text and keeps its leading zeros.
    let path = file("digits.csv", b"id,n,p\n007,2000,1%\n,2000,1%\n");
    let (code, out, err) = run_args(&["batch", path.to_str().unwrap(), "--json"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains(r#"{"id":"007","line":2,"#) && out.contains(r#"{"id":"","line":3,"#));
}

/// The output of a batch is the input of the next, and the other columns keep their cells.
#[test]
fn quoted_cells_survive_two_batches() {
    let text = b"a,n,b,p\n\"x,\"\"y\",2000,\" \"\" \",1%\n";
    let (_, once, _) = batch("once.csv", text);
    let renamed = once.replace("line,n,m,k,p,met,bits_per_item", "c,n,d,k,e,f,p");
    let renamed = renamed.replace("9.594", "1%");
    let (code, twice, err) = batch("twice.csv", renamed.as_bytes());
    assert_eq!((code, err.as_str()), (0, ""), "{renamed}");
    let cells = r#""x,""y"," "" ",2,19188,0.00999932708785754,true,2,2000,"#;
    assert!(twice.contains(cells), "{twice}");
}

/// A record with a line break inside quotes, or an open quote, gives one error, which names the
/// line where the quote opens. No good line is lost.
#[test]
fn a_line_break_inside_quotes_is_one_error() {
    let good = "2000,\"1%\"\n";
    for (bad, message) in [
        (
            "\"20\n00\",1%\n",
            "must have no line break inside quotes, got 20\\n00",
        ),
        (
            "\"20\r\n\r\n\"\"\n00\",1%\r\n",
            "must have no line break inside quotes, got 20\\r\\n\"\\n00",
        ),
        (
            "\"20\n00\",\"1\n%\"\n",
            "must have no line break inside quotes, got 20\\n00",
        ),
        // The quote is never closed, and good lines after it contain quotes.
        ("\"2000,1%\n", "must close every quote, got \"2000,1%"),
        ("2000,\"1%\n", "must close every quote, got \"1%"),
    ] {
        let text = format!("n,p\n{good}{bad}{good}\"2000\",1%\n2000,1%\n");
        let (code, out, err) = batch("break.csv", text.as_bytes());
        assert_eq!((code, out.lines().count()), (2, 5), "{bad}: {out}{err}");
        assert_eq!(err, format!("error: line 3: {message}\n"), "{bad}");
    }
    // Each line closes the quote of the line before and opens another. Line 2 and the next 100
    // lines become one record; each of the other 50 lines is a complete field, and an error of its
    // own.
    let text = format!("n,p\n\"x\n{}{good}", "\",\"\n".repeat(150));
    let (_, out, err) = batch("chain.csv", text.as_bytes());
    assert_eq!((out.lines().count(), err.lines().count()), (2, 51), "{err}");
    assert!(
        err.starts_with("error: line 2: must close every quote"),
        "{err}"
    );
    assert!(
        err.contains("\nerror: line 103: must have 2 fields, got 1\n"),
        "{err}"
    );
    // The search for the closing quote ends after 100 lines.
    for (lines, errors) in [(100, 1), (101, 2)] {
        let middle = "5,.1\n".repeat(lines - 1);
        let (_, out, err) = batch("far.csv", format!("n,p\n\"5\n{middle}\",.1\n").as_bytes());
        assert_eq!(err.lines().count(), errors, "{err}");
        assert_eq!(out.lines().count() == 1, errors == 1);
    }
}

/// Files from old Macs end lines with a carriage return alone, so all their rows would be read as one line.
#[test]
fn questions_separated_by_carriage_returns_are_refused_and_not_lost() {
    let (code, out, err) = batch("mac.csv", b"n,p\r2000,1%\r5,.1\r");
    assert_eq!((code, out.as_str()), (2, ""));
    let refusal = "its first line must end with a line feed, got a carriage return alone";
    assert!(err.contains(refusal), "{err}");
    let (code, out, err) = batch("half_mac.csv", b"n,p\n2000,1%\r5,.1\n7,.1\n");
    assert_eq!((code, out.lines().count()), (2, 2));
    assert_eq!(
        err,
        "error: line 2: must end with a line feed, got a carriage return alone\n"
    );
}

#[test]
fn a_carriage_return_after_the_line_feed_belongs_to_the_end_of_the_line() {
    let plain = batch("plain.csv", b"n,p\n5,.1\n\"5\",.1\n");
    let reversed = batch("reversed.csv", b"n,p\n\r5,.1\n\r\"5\",.1\n\r");
    assert_eq!(reversed, plain);
}

#[test]
fn what_is_quoted_must_be_utf_8_too() {
    let (code, _, err) = batch("quoted.csv", b"n,p\n\"5\xff\",.1\n");
    assert_eq!((code, err.as_str()), (2, "error: line 2: must be UTF-8\n"));
}

/// `batch` reads 2^14 rows at a time. After a full chunk, it must go on: the file may have more rows.
#[test]
fn a_batch_continues_after_a_full_chunk() {
    let rows = 3 + (1 << 14);
    let (_, _, err) = batch(
        "full.csv",
        ("n,p\n".to_string() + &"x\n".repeat(rows)).as_bytes(),
    );
    assert_eq!(err.lines().count(), rows);
    let last = format!("error: line {}: must have 2 fields, got 1", rows + 1);
    assert_eq!(err.lines().last(), Some(last.as_str()));
}
