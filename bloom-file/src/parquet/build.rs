//! Adds filters of a column's own values to a copy of a Parquet file.
//!
//! The copy has the bytes of the file before its footer, then the filters, and then the footer with the offsets and lengths of
//! the filters: see `footer`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bloom_formats::{Filter, FormatError, ParquetBloom, ParquetKey};
use bloom_params::InputError;
use bloom_params::numbers::{counted, grouped, nearest, rate_up};
use bloom_params::units::{parse_items, parse_rate};
use bloom_terminal::report::verdict;

use super::column::Column;
use super::footer::{self, Place};
use super::source::Source;
use super::values;
use crate::args::{BuildArgs, OutputArgs};
use crate::file;
use crate::input::remark;
use crate::{Stop, YES};

/// The rate that parquet-java has as its default.
const RATE: &str = "1%";

/// What is reported about a filter.
struct Built {
    items: u64,
    bits: u64,
    rate: f64,
    /// Whether the filter replaces one that the column chunk had.
    replaces: bool,
}

pub(crate) fn build(args: &BuildArgs, into: &Path, err: &mut dyn Write) -> Result<u8, Stop> {
    let rate = parse_rate(args.p.as_deref().unwrap_or(RATE))?;
    let items = args.n.as_deref().map(parse_items).transpose()?;
    let path: &PathBuf = args
        .file
        .as_ref()
        .expect("the parser requires it with --into");
    if fs::canonicalize(into).is_ok_and(|to| fs::canonicalize(path).is_ok_and(|from| from == to)) {
        let message = format!("--into must be another file than {}", file::display(path));
        return Err(InputError::new(message).into());
    }
    let output = OutputArgs {
        output: Some(into.to_owned()),
    };
    let target = file::target(&output)?;
    let source = Source::open(path)?;
    let mut columns = BTreeMap::new();
    for name in &args.column {
        let column = Column::by_name(&source, name)?;
        columns.insert(column.index, column);
    }
    let (mut filters, mut places) = (Vec::new(), BTreeMap::new());
    let mut end = source.footer_start;
    for column in columns.values() {
        let mut built = Vec::new();
        for group in 0..source.row_groups() {
            let (one, bytes) = filter(&source, group, column, items, rate)?;
            let place: Place = (end, bytes.len() as u32);
            places.insert((group, column.index), place);
            end += bytes.len() as u64;
            filters.push(bytes);
            built.push(one);
        }
        report(column, &built, rate, err)?;
    }
    let place = |group, column| places.get(&(group, column)).copied();
    let footer = footer::with_places(&source.footer, place);
    let footer = footer.ok_or_else(|| {
        source.of_file(&InputError::new(
            "footer must have the metadata of each column chunk",
        ))
    })?;
    let Ok(size) = u32::try_from(footer.len()) else {
        let message = format!("footer must be below 2^32 bytes, got {}", footer.len());
        return Err(source.of_file(&InputError::new(message)).into());
    };
    let start = source.footer_start;
    let written = target.write_with(|out| {
        (&source.file).seek(SeekFrom::Start(0))?;
        let mut data = BufReader::with_capacity(1 << 20, (&source.file).take(start));
        if io::copy(&mut data, out)? < start {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        for filter in &filters {
            out.write_all(filter)?;
        }
        out.write_all(&footer)?;
        out.write_all(&size.to_le_bytes())?;
        out.write_all(&file::PARQUET)
    });
    written.map_err(|error| InputError::new(target.unwritten(&error)))?;
    Ok(YES)
}

/// Returns the filter of a column chunk, which is one column of one row group. The filter keeps the rate on average, unless
/// `items` is below the number of distinct values. It is not sized by the rule of parquet-java, whose filters may miss the
/// rate.
fn filter(
    source: &Source<'_>,
    group: usize,
    column: &Column,
    items: Option<u64>,
    rate: f64,
) -> Result<(Built, Vec<u8>), InputError> {
    let hashes = values::hashes(source, group, column.index)?;
    let items = items.unwrap_or(hashes.len() as u64);
    let refused = |error: FormatError| {
        let error = InputError::new(error.to_string());
        source.of_chunk(group, column.index, &error)
    };
    let mut filter = ParquetBloom::keeping_rate(items, rate).map_err(|error| {
        let (items, rate) = (grouped(items), nearest(rate, 5));
        let hint = format!("{items} items at p = {rate} need more bits: raise --p");
        refused(error).with_hint(hint)
    })?;
    for hash in hashes {
        filter.insert(ParquetKey::Hash(hash)).map_err(refused)?;
    }
    let chunk = source.chunk(group, column.index);
    let built = Built {
        items,
        bits: filter.shape().bits(),
        rate: filter.false_positive_rate(),
        replaces: chunk.bloom_filter_offset().is_some(),
    };
    Ok((built, filter.to_bytes().map_err(refused)?))
}

/// Reports the number, the size and the rate of a column's filters.
fn report(column: &Column, built: &[Built], rate: f64, err: &mut dyn Write) -> io::Result<()> {
    let name = &column.name;
    let Some(items) = built.iter().map(|built| built.items).max() else {
        return remark(err, &format!("{name}: the file has no row group"));
    };
    let bits: u64 = built.iter().map(|built| built.bits).sum();
    let worst = built.iter().map(|built| built.rate).fold(0.0, f64::max);
    let text = format!(
        "{name}: {}, n up to {}: m = {} in all, p = {} at most, target {}: {}",
        counted(built.len() as u64, "filter"),
        grouped(items),
        grouped(bits),
        rate_up(worst, worst.ln(), Some(rate)),
        nearest(rate, 5),
        verdict(worst <= rate)
    );
    remark(err, &text)?;
    let replaced = built.iter().filter(|built| built.replaces).count();
    if replaced > 0 {
        let count = counted(replaced as u64, "filter");
        let text = format!(
            "{name}: replaces {count} of the file; the copy still has the bytes of the old filters, which nothing uses"
        );
        remark(err, &text)?;
    }
    Ok(())
}
