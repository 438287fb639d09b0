//! Runs the command `batch`: solves each row of a CSV file. Cells that are not part of the question are printed unchanged
//! before the answer.

use crate::say::numbers::counted;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::thread;

use clap::{Args, ValueEnum};

use super::grid::{csv_line, markdown_line};
use super::records::{Line, Records, record};
use crate::answer::Answer;
use crate::cli::ROOT;
use crate::cli::flags::{Flags, LIBRARY};
use crate::cli::output::form;
use crate::cli::report::Value;
use crate::error::InputError;
use crate::read::flags::{QUANTITIES, flag};
use crate::read::units::{displayed, on_one_line};

/// The number of rows that are read at a time; all processors then solve them in parallel.
const CHUNK: usize = 1 << 14;

/// The flags of `batch`.
#[derive(Debug, Args)]
pub(crate) struct BatchArgs {
    /// The file of questions, - for the standard input
    #[arg(default_value = "-")]
    file: String,

    #[command(flatten)]
    flags: Flags<LIBRARY>,

    /// How answers are printed, one line each [default: csv]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<BatchFormat>,

    /// Print one JSON object per line: --format json
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum BatchFormat {
    /// Comma-separated values
    #[default]
    Csv,
    /// One object per line; the cells of other columns are strings
    Json,
    /// A table of Markdown
    Markdown,
}

/// The answer to a row.
struct Row {
    /// As printed, with a line feed at its end.
    text: String,
    met: Option<bool>,
    /// How m was read, if it may have been meant in bytes.
    size_note: Option<String>,
}

const HEADS: [&str; 7] = ["line", "n", "m", "k", "p", "met", "bits_per_item"];

pub(super) fn run(
    args: &BatchArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<io::Result<u8>, InputError> {
    let unread = |reason: String| {
        let path = match args.file.as_str() {
            "-" => "the standard input".to_string(),
            path => on_one_line(path),
        };
        InputError::new(format!("{path} cannot be read: {reason}"))
    };
    let failed = |error: io::Error| unread(error.to_string());
    // The options that all rows share are checked without a row. `fill` has no value without a row, because it is a share of
    // the row's m; so only its text is checked.
    args.flags.0.check()?;
    args.flags.0.fill()?;
    let shared = args.flags.0.without("fill").query()?;
    if QUANTITIES.iter().any(|letter| args.flags.0.has(letter)) {
        return Err(InputError::takes(
            "batch",
            "n, m, k and p from its file",
            &shared.given().to_string(),
            "bloom-params batch questions.csv",
        ));
    }
    let form = form(args.json, args.format, BatchFormat::Json)?;
    let input: Box<dyn BufRead> = if args.file == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(&args.file).map_err(failed)?))
    };
    let mut lines = Records::new(input);
    let empty = || unread("it is empty: the first line names the columns".to_string());
    let (_, first) = lines.next().ok_or_else(empty)?;
    let head = record(&first.map_err(failed)?);
    let head = head.map_err(|reason| unread(format!("its first line {reason}")))?;
    let columns = columns(&head).map_err(unread)?;
    let out = &mut BufWriter::new(out);
    Ok(answer_all(args, form, &mut lines, &columns, out, err))
}

/// A column of the file.
enum Column {
    /// The letter of a quantity.
    Quantity(&'static str),
    /// Another column, by its name. Its cells are printed unchanged.
    Passed(String),
}

/// Returns whether `batch` has a flag of this name.
fn is_flag(name: &str) -> bool {
    let name = name.replace('_', "-");
    let batch = ROOT.find_subcommand("batch");
    let mut flags = batch.into_iter().flat_map(clap::Command::get_arguments);
    flags.any(|flag| flag.get_long() == Some(&name))
}

/// Returns the columns that the first line names.
fn columns(head: &[String]) -> Result<Vec<Column>, String> {
    let mut columns = Vec::new();
    let mut names = Vec::new();
    for name in head {
        let name = name.trim();
        let lower = name.to_ascii_lowercase();
        let (column, known) = match lower.as_str() {
            "n" | "items" => (Column::Quantity("n"), "n"),
            "m" | "bits" => (Column::Quantity("m"), "m"),
            "k" | "hashes" => (Column::Quantity("k"), "k"),
            "p" | "rate" => (Column::Quantity("p"), "p"),
            "" => {
                return Err("its first line must name every column, got an empty name".to_string());
            }
            ours if HEADS.contains(&ours) => {
                return Err(format!(
                    "its first line must not use the name of a column of the answer, got {}",
                    displayed(name)
                ));
            }
            flag if is_flag(flag) => {
                return Err(format!(
                    "its first line must not use the name of a flag, which applies to all rows, got {}",
                    displayed(name)
                ));
            }
            _ => (Column::Passed(name.to_string()), name),
        };
        if names.contains(&known) {
            return Err(format!("its first line names {} twice", displayed(known)));
        }
        names.push(known);
        columns.push(column);
    }
    if columns
        .iter()
        .any(|column| matches!(column, Column::Quantity(_)))
    {
        return Ok(columns);
    }
    let commas = if names.len() == 1 && names[0].contains([';', '\t', '|', ' ']) {
        ", separated by commas"
    } else {
        ""
    };
    Err(format!(
        "its first line must name at least one of n, m, k and p{commas}, got {}",
        displayed(&names.join(","))
    ))
}

/// Returns the names of the columns that are printed unchanged.
fn passed(columns: &[Column]) -> impl Iterator<Item = &str> {
    columns.iter().filter_map(|column| match column {
        Column::Passed(name) => Some(name.as_str()),
        Column::Quantity(_) => None,
    })
}

fn answer_all(
    args: &BatchArgs,
    form: BatchFormat,
    lines: &mut impl Iterator<Item = Line>,
    columns: &[Column],
    out: &mut impl Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    out.write_all(head(form, columns).as_bytes())?;
    let (mut bad, mut missed) = (false, false);
    let (mut first_note, mut notes) = (None, 0_u64);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    loop {
        let chunk: Vec<_> = lines.by_ref().take(CHUNK).collect();
        let part = chunk.len().div_ceil(threads).max(1);
        let rows: Vec<_> = thread::scope(|scope| {
            let solve = |lines: &[Line]| -> Vec<_> {
                let rows = lines.iter().map(|line| answer(args, form, columns, line));
                rows.collect()
            };
            let parts = chunk.chunks(part);
            let workers: Vec<_> = parts.map(|part| scope.spawn(move || solve(part))).collect();
            let joined = workers.into_iter().map(thread::ScopedJoinHandle::join);
            joined
                .flat_map(|rows| rows.expect("an answer never panics"))
                .collect()
        });
        for ((number, _), row) in chunk.iter().zip(rows) {
            match row {
                Ok(row) => {
                    missed |= row.met == Some(false);
                    notes += u64::from(row.size_note.is_some());
                    first_note = first_note.or(row.size_note.map(|note| (*number, note)));
                    out.write_all(row.text.as_bytes())?;
                }
                Err(reason) => {
                    bad = true;
                    writeln!(err, "error: line {number}: {reason}")?;
                }
            }
        }
        if chunk.len() < CHUNK {
            break;
        }
    }
    out.flush()?;
    if let Some((line, note)) = first_note {
        let more = match notes - 1 {
            0 => String::new(),
            more => format!(" ({} like it)", counted(more, "more line")),
        };
        writeln!(err, "note: line {line}: {note}{more}")?;
    }
    Ok(if bad { 2 } else { u8::from(missed) })
}

/// Solves one row.
fn answer(
    args: &BatchArgs,
    form: BatchFormat,
    columns: &[Column],
    (number, line): &Line,
) -> Result<Row, String> {
    fn text<T: ToString>(value: Option<T>) -> String {
        value.map_or(String::new(), |value| value.to_string())
    }
    let row = record(line.as_ref().map_err(ToString::to_string)?)?;
    let (fields, got) = (columns.len(), row.len());
    if got != fields {
        return Err(format!("must have {fields} fields, got {got}"));
    }
    let field = |letter| {
        let is_its = |column: &Column| matches!(column, Column::Quantity(own) if *own == letter);
        let text = row[columns.iter().position(is_its)?].trim();
        (!text.is_empty()).then(|| text.to_string())
    };
    let mut typed = args.flags.0.clone();
    for letter in QUANTITIES {
        if let (Some(flag), Some(text)) = (flag(letter), field(letter)) {
            typed.add(flag, text);
        }
    }
    let answer = typed
        .query()
        .and_then(|query| Ok(Answer::from_query(query)?));
    let answer = answer.map_err(|error| error.to_string())?;
    let met = answer.met();
    let (n, m, bits) = match &answer {
        Answer::PerItem(each) => (None, None, Some(each.bits_per_item)),
        Answer::Sized(found) => (Some(found.items), Some(found.bits), found.bits_per_item()),
    };
    let cells = [
        number.to_string(),
        text(n),
        text(m),
        answer.hashes().to_string(),
        format!("{:?}", answer.rate()),
        text(met),
        text(bits),
    ];
    let others = columns.iter().zip(&row);
    let others = others.filter(|(column, _)| matches!(column, Column::Passed(_)));
    let others: Vec<&str> = others.map(|(_, cell)| cell.as_str()).collect();
    let all = || {
        others
            .iter()
            .copied()
            .chain(cells.iter().map(String::as_str))
    };
    let text = match form {
        BatchFormat::Csv => csv_line(all()),
        BatchFormat::Markdown => markdown_line(all()),
        BatchFormat::Json => {
            let others = passed(columns).zip(others.iter().map(|cell| quoted(cell)));
            let cells = cells.iter().map(|cell| match cell.as_str() {
                "" => "null".to_string(),
                cell => cell.to_string(),
            });
            let pairs = others.chain(HEADS.into_iter().zip(cells));
            let pairs = pairs.map(|(name, cell)| format!("{}:{cell}", quoted(name)));
            format!("{{{}}}\n", pairs.collect::<Vec<_>>().join(","))
        }
    };
    Ok(Row {
        text,
        met,
        size_note: typed.size_note(),
    })
}

/// Returns the text as a string of JSON.
fn quoted(text: &str) -> String {
    Value::from(text.to_string()).to_string()
}

/// Returns the lines above the answers. JSON has none.
fn head(form: BatchFormat, columns: &[Column]) -> String {
    let names: Vec<_> = passed(columns).chain(HEADS).collect();
    match form {
        BatchFormat::Csv => csv_line(&names),
        BatchFormat::Markdown => {
            markdown_line(&names) + &markdown_line(names.iter().map(|_| "---"))
        }
        BatchFormat::Json => String::new(),
    }
}
