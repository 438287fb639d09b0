//! Solves each row of a CSV file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::{mem, thread};

use clap::{Args, ValueEnum};

use crate::cli::args::Question;
use crate::cli::like::{Answer, LikeArgs};
use crate::cli::output::form;
use crate::error::InputError;
use crate::units::{echo, on_one_line};
use crate::words::counted;

/// Rows that are read before all processors solve them in parallel.
const CHUNK: usize = 1 << 14;

/// The flags of `batch`.
#[derive(Debug, Args)]
pub(crate) struct BatchArgs {
    /// The file of questions, - for the standard input
    #[arg(default_value = "-")]
    file: String,

    #[command(flatten)]
    question: Question,

    #[command(flatten)]
    like: LikeArgs,

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
    /// One object per line
    Json,
    /// A table of Markdown
    Markdown,
}

/// The answer to a row.
struct Row {
    cells: [String; 7],
    met: Option<bool>,
    /// How m was read, if that may not be what was meant.
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
    // Options that all rows share must be valid on their own.
    let shared = args.question.read()?;
    if !args.question.is_empty() {
        return Err(InputError::takes(
            "batch",
            "n, m, k and p from its file",
            &shared.given(),
            "bloom-params batch questions.csv",
        ));
    }
    let form = form(args.json, args.format, BatchFormat::Json)?;
    let input: Box<dyn BufRead> = if args.file == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(&args.file).map_err(failed)?))
    };
    let mut lines = lines(input);
    let empty = || unread("it is empty: the first line names the columns".to_string());
    let (_, first) = lines.next().ok_or_else(empty)?;
    let head = record(&first.map_err(failed)?);
    let head = head.map_err(|reason| unread(format!("its first line {reason}")))?;
    let columns = columns(&head).map_err(unread)?;
    let out = &mut BufWriter::new(out);
    Ok(answer_all(args, form, &mut lines, &columns, out, err))
}

/// Returns the quantity of each column.
fn columns(head: &[String]) -> Result<Vec<char>, String> {
    let mut columns = Vec::new();
    for name in head {
        let name = name.trim_start_matches('\u{feff}');
        let letter = match name.to_ascii_lowercase().as_str() {
            "n" | "items" => 'n',
            "m" | "bits" => 'm',
            "k" | "hashes" => 'k',
            "p" | "rate" => 'p',
            _ => {
                let commas = if name.contains([';', '\t', '|', ' ']) {
                    ", separated by commas"
                } else {
                    ""
                };
                return Err(format!(
                    "its first line must name columns among n, m, k and p{commas}, got {}",
                    echo(name)
                ));
            }
        };
        if columns.contains(&letter) {
            return Err(format!("its first line names {letter} twice"));
        }
        columns.push(letter);
    }
    Ok(columns)
}

fn answer_all(
    args: &BatchArgs,
    form: BatchFormat,
    lines: &mut impl Iterator<Item = Line>,
    columns: &[char],
    out: &mut impl Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    write_head(form, out)?;
    let (mut bad, mut missed) = (false, false);
    let (mut first_note, mut notes) = (None, 0_u64);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    loop {
        let chunk: Vec<_> = lines.by_ref().take(CHUNK).collect();
        let part = chunk.len().div_ceil(threads).max(1);
        let rows: Vec<_> = thread::scope(|scope| {
            let solve = |lines: &[Line]| -> Vec<_> {
                let rows = lines.iter().map(|line| answer(args, columns, line));
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
                    write_row(form, &row.cells, out)?;
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

/// The number of a line, and its bytes.
type Line = (u64, io::Result<Vec<u8>>);

/// Returns the lines that are not blank, up to the first that cannot be read.
fn lines(input: Box<dyn BufRead>) -> impl Iterator<Item = Line> {
    let mut failed = false;
    let lines = (1..).zip(input.split(b'\n')).take_while(move |(_, line)| {
        let goes_on = !failed;
        failed = line.is_err();
        goes_on
    });
    lines.filter(|(_, line)| !matches!(line, Ok(line) if line.trim_ascii().is_empty()))
}

/// Parses the fields of a line, where a quote at the start of a field opens it and a doubled one inside
/// stands for itself. A quoted field never continues on the next line, so that one bad line spoils no
/// other.
fn record(line: &[u8]) -> Result<Vec<String>, String> {
    let line = std::str::from_utf8(line.trim_ascii_end()).map_err(|_| "must be UTF-8")?;
    // Lines that end with a line feed and a carriage return leave the latter to the next line.
    let line = line.trim_start_matches('\r');
    let (mut fields, mut field) = (Vec::new(), String::new());
    let (mut open, mut starts) = (None, true);
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match (c, open) {
            (',', None) => fields.push(mem::take(&mut field).trim().to_string()),
            ('"', None) if starts => open = Some(at),
            ('"', Some(_)) if chars.next_if(|(_, next)| *next == '"').is_none() => open = None,
            ('\r', None) => {
                return Err("must end with a line feed, got a carriage return alone".to_string());
            }
            (c, _) => field.push(c),
        }
        starts = c == ',' && open.is_none();
    }
    if let Some(at) = open {
        let got = echo(&line[at..]);
        return Err(format!("must close every quote, got {got}"));
    }
    fields.push(field.trim().to_string());
    Ok(fields)
}

/// Solves one row.
fn answer(args: &BatchArgs, columns: &[char], (number, line): &Line) -> Result<Row, String> {
    fn text<T: ToString>(value: Option<T>) -> String {
        value.map_or(String::new(), |value| value.to_string())
    }
    let row = record(line.as_ref().map_err(ToString::to_string)?)?;
    let (fields, got) = (columns.len(), row.len());
    if got != fields {
        return Err(format!("must have {fields} fields, got {got}"));
    }
    let field = |letter| {
        let at = columns.iter().position(|column| *column == letter)?;
        row.get(at).filter(|text| !text.is_empty()).cloned()
    };
    let question = Question {
        n: field('n'),
        m: field('m'),
        k: field('k'),
        p: field('p'),
        ..args.question.clone()
    };
    let query = question.read().map_err(|error| error.to_string())?;
    let answer = args.like.answer(query).map_err(|error| error.to_string())?;
    let (size, k, p, met, bits) = match answer {
        Answer::PerItem(each) => (None, each.hashes, each.rate, None, Some(each.bits_per_item)),
        Answer::Sized(found) => {
            let (size, p) = (Some((found.items, found.bits)), found.rate.value());
            (size, found.hashes, p, found.met, found.bits_per_item())
        }
    };
    let cells = [
        number.to_string(),
        text(size.map(|(n, _)| n)),
        text(size.map(|(_, m)| m)),
        k.to_string(),
        format!("{p:?}"),
        text(met),
        text(bits),
    ];
    Ok(Row {
        cells,
        met,
        size_note: question.size_note(),
    })
}

fn write_head(format: BatchFormat, out: &mut impl Write) -> io::Result<()> {
    match format {
        BatchFormat::Csv => writeln!(out, "{}", HEADS.join(",")),
        BatchFormat::Markdown => {
            writeln!(out, "| {} |", HEADS.join(" | "))?;
            writeln!(out, "| {} |", HEADS.map(|_| "---").join(" | "))
        }
        BatchFormat::Json => Ok(()),
    }
}

fn write_row(format: BatchFormat, cells: &[String; 7], out: &mut impl Write) -> io::Result<()> {
    match format {
        BatchFormat::Csv => writeln!(out, "{}", cells.join(",")),
        BatchFormat::Markdown => writeln!(out, "| {} |", cells.join(" | ")),
        BatchFormat::Json => {
            let pairs = HEADS
                .iter()
                .zip(cells)
                .map(|(name, cell)| match cell.as_str() {
                    "" => format!("\"{name}\":null"),
                    cell => format!("\"{name}\":{cell}"),
                });
            writeln!(out, "{{{}}}", pairs.collect::<Vec<_>>().join(","))
        }
    }
}
