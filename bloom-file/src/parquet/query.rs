//! Prints, for each queried key, which row groups of a Parquet file may contain it.

use std::io::{self, Write};

use bloom_formats::Key;
use bloom_params::InputError;

use super::column::Column;
use super::source::Source;
use crate::args::{Only, QueryArgs};
use crate::input::{BadLines, Returns, chunks, length_of_stdin, lines, remark};
use crate::systems::Opened;
use crate::{NO, Stop, YES};

/// The filters of a column, and how many keys have each answer.
struct Tally<'a> {
    /// For each row group, the filter, if it has one, and the number of queried keys that the filter may contain.
    filters: Vec<(Option<Opened<'a>>, u64)>,
    /// The numbers of the row groups without a filter, each after a space.
    unknown: String,
    keys: u64,
    yes: u64,
    bad: BadLines,
}

pub(crate) fn query(args: &QueryArgs, err: &mut dyn Write) -> Result<u8, Stop> {
    let Some(name) = &args.column else {
        let message = "query of a Parquet file needs --column";
        let hint = "bloom-file inspect lists its columns and their filters";
        return Err(InputError::new(message).with_hint(hint).into());
    };
    let source = Source::open(&args.file.file)?;
    let column = Column::by_name(&source, name)?;
    let keys = column.key_type(args.keys.keys)?;
    let filters = (0..source.row_groups()).map(|group| source.filter(group, column.index));
    let filters = filters.collect::<Result<Vec<_>, _>>()?;
    let mut tally = Tally {
        filters: Vec::new(),
        unknown: String::new(),
        keys: 0,
        yes: 0,
        bad: BadLines::default(),
    };
    for (group, bytes) in filters.iter().enumerate() {
        let filter = bytes
            .as_deref()
            .map(|bytes| source.opened(group, column.index, bytes));
        let filter = filter.transpose()?;
        if filter.is_none() {
            tally.unknown += &format!(" {group}");
        }
        tally.filters.push((filter, 0));
    }
    if let Some(text) = column.as_stored() {
        remark(err, &text)?;
    }
    let (mut out, mut buffer) = (io::stdout().lock(), Vec::new());
    if let Some(key) = &args.key {
        let line = key.as_encoded_bytes();
        tally.answer(column.read(keys, line, &mut buffer)?, line, args, &mut out)?;
    } else {
        let (mut count, mut returns) = (0, Returns::default());
        chunks(io::stdin().lock(), length_of_stdin(), |chunk| {
            returns.look(keys, chunk);
            for line in lines(chunk) {
                count += 1;
                match column.read(keys, line, &mut buffer) {
                    Ok(key) => tally.answer(key, line, args, &mut out)?,
                    Err(error) => {
                        tally.bad.push(count, error);
                        if !args.keys.skip_bad_lines {
                            tally.bad.refuse(0)?;
                        }
                        if !args.count && args.only.is_none() {
                            out.write_all(b"bad\n")?;
                        }
                    }
                }
            }
            Ok(())
        })?;
        out.flush()?;
        returns.note(err)?;
        tally.bad.note(keys, err)?;
    }
    if args.count {
        tally.print(&mut out)?;
    }
    out.flush()?;
    let is_in_none = tally.keys == 1 && tally.yes == 0 && tally.unknown.is_empty();
    Ok(if is_in_none { NO } else { YES })
}

impl Tally<'_> {
    /// Counts the answer for a key: the row groups whose filters may contain the key, and the row groups that have no filter.
    /// Prints the answer or, with `--only`, the key if it has the wanted answer. With `--count`, prints nothing.
    fn answer(
        &mut self,
        key: Key<'_>,
        line: &[u8],
        args: &QueryArgs,
        out: &mut impl Write,
    ) -> Result<(), Stop> {
        let mut groups = String::new();
        for (group, (filter, count)) in self.filters.iter_mut().enumerate() {
            let is_in = filter.as_ref().map(|filter| filter.contains(key));
            if is_in.transpose()? == Some(true) {
                *count += 1;
                groups += &format!(" {group}");
            }
        }
        self.keys += 1;
        self.yes += u64::from(!groups.is_empty());
        let only = match (groups.as_str(), self.unknown.as_str()) {
            ("", "") => Only::No,
            _ => Only::Yes,
        };
        if args.count || args.only.is_some_and(|wanted| wanted != only) {
            return Ok(());
        }
        if args.only.is_some() {
            out.write_all(line)?;
        } else {
            let lists = [("yes", &groups), ("unknown", &self.unknown)];
            let parts: Vec<_> = lists
                .iter()
                .filter(|(_, groups)| !groups.is_empty())
                .map(|(name, groups)| format!("{name}{groups}"))
                .collect();
            let answer = if parts.is_empty() {
                "no".to_owned()
            } else {
                parts.join(" ")
            };
            out.write_all(answer.as_bytes())?;
        }
        Ok(out.write_all(b"\n")?)
    }

    /// Prints how many keys have each answer, and for how many keys each row group has to be read.
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let rest = if self.unknown.is_empty() {
            "no"
        } else {
            "unknown"
        };
        writeln!(out, "yes {}\n{rest} {}", self.yes, self.keys - self.yes)?;
        if self.bad.count > 0 {
            writeln!(out, "bad {}", self.bad.count)?;
        }
        for (group, (filter, count)) in self.filters.iter().enumerate() {
            match filter {
                Some(_) => writeln!(out, "row group {group}: {count}")?,
                None => writeln!(out, "row group {group}: unknown")?,
            }
        }
        Ok(())
    }
}
